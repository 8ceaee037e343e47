/* tests/property/test_two_sample.c -- tests of two groups against R's, on random numbers with and without ties; skipped
 * where R is not. */
#include "stats/two_sample.h"
#include "tests/unit/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 40 };

static const char r_code[] =
    "rows <- readLines(file('stdin')); for (i in seq(1, length(rows), 3)) {\n"
    "  x <- as.numeric(strsplit(rows[i], ' ')[[1]]); y <- as.numeric(strsplit(rows[i + 1], ' ')[[1]])\n"
    "  e <- rows[i + 2] == '1'\n"
    "  w <- suppressWarnings(wilcox.test(x, y, exact = e)); g <- suppressWarnings(\n"
    "    wilcox.test(x, y, exact = e, alternative = 'greater'))\n"
    "  s <- t.test(x, y, var.equal = TRUE); v <- t.test(x, y)\n"
    "  cat(sprintf('%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\\n', w\\$statistic, w\\$p.value, g\\$p.value,\n"
    "              s\\$statistic, s\\$p.value, v\\$statistic, v\\$parameter, v\\$p.value)) }\n";

static int wrong(const char *what, int round, double is, double wanted)
{
    /* R itself is good for some 12 digits */
    if (fabs(is - wanted) <= 1e-9 * fmax(1, fabs(wanted)) && fabs(is - wanted) <= 1e-6 * fmax(1e-12, fabs(wanted)))
        return 0;
    printf("FAILED: round %d: %s is %.17g, R's %.17g\n", round, what, is, wanted);
    return 1;
}

int main(void)
{
    char     input[] = "/tmp/two_sample.XXXXXX", command[4096];
    uint64_t state = seed_of_run();
    const int rounds = getenv("LONG") && *getenv("LONG") ? 2000 : 200;
    struct { struct mann_whitney m; struct t_tests t; } *ours = calloc((size_t)rounds, sizeof *ours);
    const int handle = mkstemp(input);
    FILE     *out = handle < 0 ? NULL : fdopen(handle, "w"), *r;
    int       failed = 0;

    printf("seed=%llu\n", (unsigned long long)state);
    if (!ours || !out) return 1;
    for (int k = 0; k < rounds; k++) {
        double       value[2 * MOST];
        const size_t nx = 2 + draw(&state) % (k % 3 ? 8 : MOST - 2), ny = 2 + draw(&state) % (k % 3 ? 8 : MOST - 2);
        const bool   ties = k % 2;

        for (size_t i = 0; i < nx + ny; i++) {
            value[i] = ties ? (double)(draw(&state) % 9) : (double)(draw(&state) >> 20);
            if (i < nx) value[i] += ties ? (double)(k % 3) : 0;
        }
        value[0] += 0.5, value[1] += 0.25, value[nx] += 0.125;              /* neither group is all the same */
        for (size_t i = 0; i < nx + ny; i++)
            fprintf(out, "%.17g%s", value[i], i + 1 == nx || i + 1 == nx + ny ? "\n" : " ");
        if (mann_whitney(value, nx, value + nx, ny, &ours[k].m) < 0 ||
            t_tests(value, nx, value + nx, ny, &ours[k].t) < 0) return 1;
        fprintf(out, "%d\n", ours[k].m.exact);
    }
    if (fclose(out) != 0) return 1;
    if (system("command -v Rscript >/dev/null 2>&1") != 0) {
        unlink(input);
        printf("no Rscript here\n");
        return 77;
    }
    snprintf(command, sizeof command, "Rscript --vanilla -e \"%s\" <%s", r_code, input);
    r = popen(command, "r");
    for (int k = 0; r && k < rounds; k++) {
        double theirs[8];
        const struct mann_whitney *m = &ours[k].m;
        const struct t_tests      *t = &ours[k].t;

        for (int i = 0; i < 8; i++)
            if (fscanf(r, "%lf", &theirs[i]) != 1) {
                printf("FAILED: R gives nothing in round %d\n", k);
                unlink(input);
                return 1;
            }
        failed |= wrong("U", k, m->u, theirs[0]) | wrong("p", k, m->p, theirs[1]) |
            wrong("greater", k, m->greater, theirs[2]) | wrong("t", k, t->student.t, theirs[3]) |
            wrong("p of t", k, t->student.p, theirs[4]) | wrong("Welch's t", k, t->welch.t, theirs[5]) |
            wrong("its freedom", k, t->welch.freedom, theirs[6]) | wrong("its p", k, t->welch.p, theirs[7]);
    }
    if (r) pclose(r);
    unlink(input);
    free(ours);
    printf("%d rounds\n", rounds);
    return failed;
}
