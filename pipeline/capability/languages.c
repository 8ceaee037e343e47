/* capability/languages.c -- see languages.h. */
#include "capability/languages.h"

#include "base/log.h"
#include "code/guess.h"
#include "code/language.h"
#include "corpus/record.h"
#include "corpus/source.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct looker {
    struct view_scratch *view;
    struct batch         batch;
    struct bytes         field;
    bool                 likely[GUESS_LANGUAGES];           /* of the datasets whose language is known */
};

struct looked { struct guess guess; bool said; size_t bytes; };     /* said: some record says its language */

static void likely_add(struct looker *looker, const char *name)
{
    const size_t place = guess_place(name);

    if (place < GUESS_LANGUAGES) looker->likely[place] = true;
}

static bool is_none(struct slice name)
{
    return name.len == 0 || (name.len == 7 && (strncasecmp(name.at, "unknown", 7) == 0 ||
                                               strncasecmp(name.at, "generic", 7) == 0));
}

/* Of a record in no programming language: does it say so itself, by its field or its path?  1: yes. */
static int says_text(struct looker *looker, const struct record *record, struct err *err)
{
    static const enum field fields[] = { FIELD_LANGUAGE, FIELD_PATH };

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct slice value;

        looker->field.len = 0;
        if (!record_field(record, fields[i], &looker->field)) continue;
        if (!looker->field.at) return err_memory(err, 16, "a field");
        value = bytes_slice(&looker->field);
        if (fields[i] == FIELD_PATH ? language_by_path(value) != NULL : !is_none(value)) return 1;
    }
    return 0;
}

/* 1: enough is seen. */
static int batch_look(struct looker *looker, struct looked *looked, struct err *err)
{
    struct record record;
    int           rc;

    while ((rc = batch_next(&looker->batch, &record, err)) > 0) {
        const struct view_language *language = view_language_of(looker->view, NULL, &record, err);

        if (!language) return err->code;
        if (strcmp(language->name, language_name(language_generic())) != 0) {
            looked->said = true;
            likely_add(looker, language->name);
        } else if ((rc = says_text(looker, &record, err)) != 0) {
            if (rc < 0) return rc;
            looked->said = true;
        } else if (record.text.len) guess_add(&looked->guess, record.text);
        looked->bytes += record.text.len;
        if (looked->guess.texts >= GUESS_TEXTS || looked->bytes >= LANGUAGES_BYTES) return 1;
    }
    return rc;
}

static int shard_look(struct looker *looker, struct looked *looked, const struct dataset *dataset,
                      const struct shard *shard, struct err *err)
{
    struct source *source;
    int            rc = source_open(&source, dataset, shard, err);

    while (rc == 0 && (rc = source_next(source, &looker->batch, err)) > 0) rc = batch_look(looker, looked, err);
    source_close(source);
    return rc;
}

/* The beginning of a dataset whose language is not given. */
static int dataset_look(struct looker *looker, struct looked *looked, const struct dataset *datasets, size_t d,
                        const struct shard_list *shards, struct err *err)
{
    size_t seen = 0;

    for (size_t i = 0; i < shards->count && seen < LANGUAGES_SHARDS; i++) {
        struct err why = { 0 };
        int        rc;

        if (shards->at[i].dataset != d) continue;
        seen++;
        rc = shard_look(looker, looked, &datasets[d], &shards->at[i], &why);
        if (rc == -ENOMEM) return err_set(err, rc, "%s", why.text);
        if (rc > 0) break;
    }
    return 0;
}

/* Of those added as the n-th, those that nothing is known of yet, all by what is likely now; it is more after them.
 * How many were guessed, or -ENOMEM with err set. */
static int added_guess(struct looker *looker, const struct looked *looked, struct dataset *datasets, size_t count,
                       uint32_t n, struct err *err)
{
    int guessed = 0;

    for (size_t d = 0; d < count; d++) {
        const struct language *row = datasets[d].added != n || looked[d].said || datasets[d].language ? NULL
            : guess_best(&looked[d].guess, looker->likely);

        if (!row) continue;
        datasets[d].language = strdup(language_name(row));
        if (!datasets[d].language) return err_memory(err, 16, "a language");
        datasets[d].language_guessed = true;
        guessed++;
    }
    for (size_t d = 0; d < count; d++)
        if (datasets[d].added == n && datasets[d].language_guessed) likely_add(looker, datasets[d].language);
    return guessed;
}

/* Those added as the n-th, by what is likely of all before them, too.  What was guessed is given to who reads the
 * configuration of the run, or adds to its store; so it is likely for the others here as it is there, until none is
 * guessed any more. */
static int added_look(struct looker *looker, struct looked *looked, struct dataset *datasets, size_t count, uint32_t n,
                      const struct shard_list *shards, struct err *err)
{
    size_t there = 0;
    bool   known = false;
    int    rc = 0;

    for (size_t d = 0; d < count && rc == 0; d++) {
        there += datasets[d].added <= n;
        if (datasets[d].added != n) continue;
        looked[d].said = datasets[d].language != NULL;
        if (datasets[d].language) likely_add(looker, datasets[d].language);
        else rc = dataset_look(looker, &looked[d], datasets, d, shards, err);
    }
    for (size_t i = 0; i < GUESS_LANGUAGES; i++) known |= looker->likely[i] && i != guess_place("text");
    if (rc < 0 || !known || there < 2) return rc;
    while ((rc = added_guess(looker, looked, datasets, count, n, err)) > 0)
        ;
    return rc;
}

static int look(struct looker *looker, struct looked *looked, struct dataset *datasets, size_t count,
                const struct shard_list *shards, struct err *err)
{
    uint32_t last = 0;
    int      rc = 0;

    for (size_t d = 0; d < count; d++) last = datasets[d].added > last ? datasets[d].added : last;
    for (uint32_t n = 0; n <= last && rc == 0; n++)
        rc = added_look(looker, looked, datasets, count, n, shards, err);
    return rc;
}

int languages_guess(struct dataset *datasets, size_t count, const struct shard_list *shards, struct err *err)
{
    const struct view_options view = { .kind = VIEW_IDENTIFIERS };
    struct looker             looker = { 0 };
    struct looked            *looked = calloc(count + 1, sizeof *looked);
    int                       rc = looked ? view_scratch_open(&looker.view, &view, err)
                                          : err_memory(err, count * sizeof *looked, "a sample");

    if (rc == 0 && count > 1) rc = look(&looker, looked, datasets, count, shards, err);
    view_scratch_close(looker.view);
    batch_free(&looker.batch);
    bytes_free(&looker.field);
    free(looked);
    return rc;
}

/* A line a dataset, "" where there is no language. */
static int names_write(const struct dataset *datasets, size_t count, struct bytes *out, struct err *err)
{
    int rc = 0;

    for (size_t d = 0; d < count && rc == 0; d++)
        rc = bytes_printf(out, "%s\n", datasets[d].language ? datasets[d].language : "");
    return rc < 0 ? err_memory(err, out->len, "languages") : 0;
}

static int names_take(struct dataset *datasets, size_t count, struct bytes *names, struct err *err)
{
    char *at = names->at, *end;

    for (size_t d = 0; d < count && at && (end = memchr(at, '\n', names->len - (size_t)(at - names->at))); d++) {
        *end = '\0';
        if (*at && !datasets[d].language && !(datasets[d].language = strdup(at)))
            return err_memory(err, 16, "a language");
        at = end + 1;
    }
    return 0;
}

int languages_settle(struct comm *comm, struct dataset *datasets, size_t count, const struct shard_list *shards,
                     struct err *err)
{
    struct bytes names = { 0 };
    int          rc = 0;

    if (comm_rank(comm) == 0) rc = languages_guess(datasets, count, shards, err);
    if (comm_rank(comm) == 0 && rc == 0) rc = names_write(datasets, count, &names, err);
    rc = comm_agree(comm, rc, err);
    if (rc == 0) rc = comm_broadcast(comm, &names, err);
    if (rc == 0) rc = names_take(datasets, count, &names, err);
    bytes_free(&names);
    return comm_agree(comm, rc, err);
}

void languages_log(const struct dataset *datasets, size_t count)
{
    for (size_t d = 0; d < count; d++)
        if (datasets[d].language_guessed)
            log_info("%s: taken for %s by its texts, as its records have no language and no path; `language:` says "
                     "another", datasets[d].name, datasets[d].language);
}
