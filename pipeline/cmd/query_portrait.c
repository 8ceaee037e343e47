/* cmd/query_portrait.c -- what a portrait says of a text. */
#include "cmd/query.h"

#include "report/visible.h"
#include "portrait/portrait.h"

#include <math.h>
#include <errno.h>
#include <stdlib.h>

struct portrait_backend {
    struct query_backend        backend;                    /* first: what query sees */
    const struct query_options *options;
    struct portrait             portrait;
    struct portrait_pieces      pieces;
};

/* Two pieces side by side are hardly ever there by chance: their rate is the square of the false-positive rate. */
static const char *verdict_of(const struct portrait_head *head, const struct portrait_found *found)
{
    if (head->kind == PORTRAIT_CONTENT) return found->exact ? "copy" : found->squeezed ? "layout" : "none";
    if (found->pieces == 0) return "short";
    if (found->covered == found->units) return "whole";
    return found->longest >= 2 * head->width ? "part" : found->found ? "single" : "none";
}

static int say_text(struct bytes *out, const struct portrait_head *head, const struct query_text *text,
                    const struct portrait_found *found, double percent)
{
    int rc = bytes_printf(out, "%-7s %7.2f %9llu %10llu-%-10llu %7llu %9llu/%-9llu %7.1f  ", verdict_of(head, found),
                          percent,
                          (unsigned long long)found->longest, (unsigned long long)found->at,
                              (unsigned long long)found->end,
                          (unsigned long long)found->line, (unsigned long long)found->found,
                              (unsigned long long)found->pieces,
                          head->computed * (double)found->pieces);

    if (rc == 0) rc = visible_append(out, text->name, true);
    return rc < 0 ? rc : bytes_append(out, "\n", 1);
}

static int say_json(struct bytes *out, const struct portrait_head *head, const struct query_text *text,
                    const struct portrait_found *found, double percent)
{
    int rc = query_json_text(out, "{", "name", text->name);

    if (rc == 0) rc = query_json_text(out, ", ", "verdict", slice_of(verdict_of(head, found)));
    return rc < 0 ? rc : bytes_printf(out, ", \"covered_percent\": %.4f, \"covered\": %llu, \"units\": %llu, "
                                           "\"longest\": %llu, \"from\": %llu, \"to\": %llu, "
                                      "\"line\": %llu, \"found\": %llu, \"pieces\": %llu, \"chance\": %.4f}\n", percent,
                                          (unsigned long long)found->covered,
                                      (unsigned long long)found->units, (unsigned long long)found->longest,
                                          (unsigned long long)found->at,
                                      (unsigned long long)found->end, (unsigned long long)found->line,
                                          (unsigned long long)found->found,
                                      (unsigned long long)found->pieces, head->computed * (double)found->pieces);
}

static int portrait_text(struct query_backend *backend, const struct query_text *text, struct bytes *out,
                         double *percent, struct err *err)
{
    struct portrait_backend    *b = (struct portrait_backend *)backend;
    const struct portrait_head *head = &b->portrait.head;
    struct portrait_found       found;
    int                         rc = portrait_look_up(&b->portrait, text->record->text, &b->pieces, &found, err);

    if (rc < 0) return rc;
    *percent = found.units ? 100.0 * (double)found.covered / (double)found.units : 0;
    rc = b->options->json ? say_json(out, head, text, &found, *percent) : say_text(out, head, text, &found, *percent);
    if (!found.units || !head->insertions) *percent = NAN;  /* it is said as 0 */
    return rc < 0 ? err_memory(err, out->len, "the output") : 0;
}

static int portrait_info(struct query_backend *backend, struct bytes *out, struct err *err)
{
    const struct portrait      *p = &((struct portrait_backend *)backend)->portrait;
    const struct portrait_head *head = &p->head;
    bool                        json = ((struct portrait_backend *)backend)->options->json;
    int                         rc;

    rc = bytes_printf(out, json ? "{\"version\": %u, \"kind\": \"%s\", \"width\": %u, \"stride\": %u, \"hashes\": %u, "
                                  "\"blocks\": %llu, \"insertions\": %llu, "
                                  "\"documents\": %llu, \"text_bytes\": %llu, \"fill\": %.6f, \"rate_computed\": "
                                  "%.6g, \"rate_measured\": %.6g, \"probes\": %llu, "
                                  "\"xxh3\": \"%016llx\", \"shards\": ["
                                : "version        %u\nkind           %s\nwidth          %u\nstride         %u\nhashes "
                                  "        %u\nblocks         %llu of 4096 bytes\n"
                                  "insertions     %llu\ndocuments      %llu\ntext bytes     %llu\nfill           "
                                  "%.6f\nrate computed  %.6g\nrate measured  %.6g "
                                  "(%llu random keys)\nxxh3           %016llx\n\n%s",
                      head->version, portrait_kind_names[head->kind], head->width, head->stride, head->hashes,
                          (unsigned long long)head->blocks,
                      (unsigned long long)head->insertions, (unsigned long long)head->documents,
                          (unsigned long long)head->text_bytes,
                      (double)head->set_bits / ((double)head->blocks * 8 * PORTRAIT_BLOCK), head->computed,
                          (double)head->probe_hits / (double)head->probes,
                      (unsigned long long)head->probes, (unsigned long long)head->head_xxh3,
                          "xxh3               documents insertions  shard\n");
    for (uint64_t s = 0; s < head->shards && rc == 0; s++) {
        const struct portrait_shard *shard = &p->shard[s];
        struct slice                 dataset = portrait_name(p, shard->dataset_at, shard->dataset_len),
            name = portrait_name(p, shard->name_at, shard->name_len);

        if (json) {
            rc = query_json_text(out, s ? ", {" : "{", "dataset", dataset);
            if (rc == 0) rc = query_json_text(out, ", ", "shard", name);
            if (rc == 0)
                rc = bytes_printf(out, ", \"xxh3\": \"%016llx\", \"bytes\": %llu, \"documents\": %llu, "
                                       "\"insertions\": %llu}",
                                           (unsigned long long)shard->xxh3, (unsigned long long)shard->bytes,
                                               (unsigned long long)shard->documents,
                                           (unsigned long long)shard->insertions);
            continue;
        }
        rc = bytes_printf(out, "%016llx %11llu %10llu  ", (unsigned long long)shard->xxh3,
                          (unsigned long long)shard->documents, (unsigned long long)shard->insertions);
        if (rc == 0) rc = visible_append(out, dataset, true);
        if (rc == 0) rc = bytes_append(out, "/", 1);
        if (rc == 0) rc = visible_append(out, name, true);
        if (rc == 0) rc = bytes_append(out, "\n", 1);
    }
    if (rc == 0 && json) rc = bytes_printf(out, "]}\n");
    return rc < 0 ? err_memory(err, out->len, "the output") : 0;
}

static void portrait_end(struct query_backend *backend)
{
    struct portrait_backend *b = (struct portrait_backend *)backend;

    portrait_close(&b->portrait);
    portrait_pieces_free(&b->pieces);
    free(b);
}

int query_portrait_open(struct query_backend **out, const char *path, const struct query_options *options,
                        struct err *err)
{
    struct portrait_backend *b = calloc(1, sizeof *b);

    *out = NULL;
    if (!b) return err_memory(err, sizeof *b, "a portrait");
    b->backend = (struct query_backend){ portrait_text, portrait_info, portrait_end,
        "verdict covered   longest      bytes from-to       line     found/pieces      chance  text\n" };
    b->options = options;
    *out = &b->backend;
    return portrait_open(&b->portrait, path, err);
}
