/* lm/arpa_write.c -- a model as ARPA text; see lm.h. */
#include "lm/private.h"

#include "base/file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double log10_e = 0.43429448190325182765;

/* How a state was reached: its context is that of another, and a token. */
struct origin { uint32_t state, token; };

static struct origin *find_origins(const struct lm *lm, struct err *err)
{
    struct origin *origin = calloc(lm->states, sizeof *origin);

    if (!origin) {
        err_memory(err, (unsigned long long)lm->states * sizeof *origin, "contexts");
        return NULL;
    }
    for (uint32_t k = 1; k < lm->order; k++)
        for (uint32_t s = lm->level[k - 1]; s < lm->level[k]; s++)
            for (uint64_t a = lm->state[s].first; a < lm->state[s + 1].first; a++)
                if (lm->arc[a].next >= lm->level[k]) origin[lm->arc[a].next] = (struct origin){ s, lm->arc[a].token };
    return origin;
}

static void put_token(FILE *file, const struct lm *lm, uint32_t token)
{
    for (uint32_t i = lm->piece_at[token]; i < lm->piece_at[token + 1]; i++) {
        unsigned char c = (unsigned char)lm->piece[i];

        if (c > ' ' && c < 0x7F && c != '\\') fputc(c, file);
        else fprintf(file, "\\x%02X", c);
    }
}

static double log10_of(float logprob) { return isinf(logprob) ? -99 : (double)logprob * log10_e; }

static void put_order(FILE *file, const struct lm *lm, const struct origin *origin, uint32_t k)
{
    fprintf(file, "\n\\%u-grams:\n", k);
    for (uint32_t s = lm->level[k - 1]; s < lm->level[k]; s++) {
        uint32_t context[LM_ORDER_MAX];

        for (uint32_t i = k - 1, at = s; i; at = origin[at].state) context[--i] = origin[at].token;
        for (uint64_t a = lm->state[s].first; a < lm->state[s + 1].first; a++) {
            const struct lm_arc *arc = &lm->arc[a];

            fprintf(file, "%.9g\t", log10_of(arc->logprob));
            for (uint32_t i = 0; i + 1 < k; i++) {
                put_token(file, lm, context[i]);
                fputc(' ', file);
            }
            put_token(file, lm, arc->token);
            if (k < lm->order && arc->next >= lm->level[k])
                fprintf(file, "\t%.9g", log10_of(lm->state[arc->next].backoff));
            fputc('\n', file);
        }
    }
}

static void put_all(FILE *file, const struct lm *lm, const struct origin *origin)
{
    fprintf(file, "# leakgraph smoothing=%s trained_tokens=%" PRIu64 " trained_documents=%" PRIu64 "\n\\data\\\n",
            lm->smoothing == SMOOTH_KNESER_NEY ? "kneser-ney" : "witten-bell", lm->trained_tokens,
                lm->trained_documents);
    for (uint32_t k = 1; k <= lm->order; k++)
        fprintf(file, "ngram %u=%" PRIu64 "\n", k, lm_arcs_at(lm, k + 1) - lm_arcs_at(lm, k));
    for (uint32_t k = 1; k <= lm->order; k++) put_order(file, lm, origin, k);
    fprintf(file, "\n\\end\\\n");
}

int lm_arpa_write(const struct lm *model, const char *path, struct err *err)
{
    char           folder[FILE_NAME_MAX], name[FILE_NAME_MAX];
    struct origin *origin;
    FILE          *file;
    int            fd, rc;

    if ((rc = file_folder(path, folder, err)) < 0) return rc;
    if (!(origin = find_origins(model, err))) return err->code;
    if ((fd = file_create_aside(folder, name, err)) < 0) {
        free(origin);
        return fd;
    }
    file = fdopen(fd, "w");
    if (!file) {
        rc = err_memory(err, BUFSIZ, "a file's buffer");
        close(fd);
    } else {
        put_all(file, model, origin);
        if (ferror(file) || fflush(file) != 0)
            rc = err_set(err, err_of_write(errno), "%s: cannot write: %s", name, strerror(errno));
        else rc = file_move(fd, name, path, err);
        fclose(file);
    }
    if (rc < 0) unlink(name);
    free(origin);
    return rc;
}
