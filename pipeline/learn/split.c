/* learn/split.c -- see split.h. */
#include "learn/split.h"

#include "base/random.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Rows of each class, the class of row 0 first: that is the order in which scikit-learn deals them. */
static void count_classes(const uint8_t *label, size_t rows, size_t count[2])
{
    count[0] = count[1] = 0;
    for (size_t r = 0; r < rows; r++) count[label[r] != label[0]]++;
}

int split_folds(const uint8_t *label, size_t rows, uint32_t folds, bool shuffle, uint64_t seed, uint32_t *fold,
                struct err *err)
{
    struct random random = random_start(seed, 0);
    size_t        count[2], most, *dealt;

    if (rows > 0) count_classes(label, rows, count);
    else count[0] = count[1] = 0;
    most = count[0] > count[1] ? count[0] : count[1];
    if (folds < 2 || folds > most)
        return err_set(err, -EINVAL, "%u folds of %zu rows of one class and %zu of the other", folds, count[0],
                       count[1]);
    dealt = malloc(most * sizeof *dealt);
    if (!dealt) return err_memory(err, most * sizeof *dealt, "folds");
    for (int class = 0; class < 2; class++) {
        const size_t first = class ? count[0] : 0;          /* of the class, when all rows stand by class */
        size_t       to = 0;

        /* a fold has as many of the class as there are places i, i + folds, ... among its places */
        for (uint32_t f = 0; f < folds; f++)
            for (size_t place = f; place < rows; place += folds)
                if (place >= first && place < first + count[class]) dealt[to++] = f;
        if (shuffle) random_shuffle(&random, dealt, to);
        to = 0;
        for (size_t r = 0; r < rows; r++)
            if ((label[r] != label[0]) == class) fold[r] = (uint32_t)dealt[to++];
    }
    free(dealt);
    return 0;
}

int split_train_test(const uint8_t *label, size_t rows, double test_share, uint64_t seed, size_t *row, size_t *train,
                     struct err *err)
{
    const double  wanted = test_share >= 0 && test_share <= 1 ? ceil(test_share * (double)rows) : 0;
    const size_t  test = (size_t)wanted;
    struct random random = random_start(seed, 1);
    size_t        count[2] = { 0, 0 }, learn[2], taken[2] = { 0, 0 }, to_train = 0, to_test;

    for (size_t r = 0; r < rows; r++) count[label[r] != 0]++;
    if (count[0] < 2 || count[1] < 2 || test < 2 || test + 2 > rows)
        return err_set(err, -EINVAL, "a share of %g of %zu rows of class 0 and %zu of class 1 cannot be set apart",
                       test_share, count[0], count[1]);
    *train = rows - test;
    /* as many of each class as its share asks for, rounded down; one that is missing goes to the larger remainder */
    for (int c = 0; c < 2; c++) learn[c] = (size_t)((unsigned __int128)count[c] * *train / rows);
    if (learn[0] + learn[1] < *train) {
        size_t rest0 = (size_t)((unsigned __int128)count[0] * *train % rows),
               rest1 = (size_t)((unsigned __int128)count[1] * *train % rows);

        learn[rest1 > rest0]++;
    }
    to_test = *train;
    {
        size_t *order = malloc(rows * sizeof *order);

        if (!order) return err_memory(err, rows * sizeof *order, "rows in random order");
        for (size_t r = 0; r < rows; r++) order[r] = r;
        random_shuffle(&random, order, rows);
        for (size_t i = 0; i < rows; i++) {
            const int c = label[order[i]] != 0;

            if (taken[c]++ < learn[c]) row[to_train++] = order[i];
            else row[to_test++] = order[i];
        }
        free(order);
    }
    return 0;
}
