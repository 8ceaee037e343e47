/* portrait/settings.c -- pipeline.yaml: portrait; see docs/pipeline.yaml.md. */
#include "portrait/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the rows fill; kind is an index, in the order of enum portrait_kind. */
struct portrait_settings { struct portrait_options portrait; int kind; uint32_t width, stride, n; };

enum { WIDTH_DEFAULT = 50, N_DEFAULT = 8, FP_DEFAULT = 1000 };                  /* as the rows say; fp: 1 in so many */

static const struct option portrait_rows[] = {
    { "kind", OPTION_CHOICE, offsetof(struct portrait_settings, kind), "windows", 0, 0, "windows|ngrams|lines|content",
      "what is remembered of a text: windows of characters, n words in a row, lines without the white space at their "
      "ends, "
      "or only a hash of the whole, with and without its white space" },
    { "width", OPTION_U32, offsetof(struct portrait_settings, width), "50", 1, PORTRAIT_WIDTH_MAX, NULL,
      "characters of a window" },
    { "n", OPTION_U32, offsetof(struct portrait_settings, n), "8", 1, 1000, NULL, "words of an n-gram" },
    { "stride", OPTION_U32, offsetof(struct portrait_settings, stride), "0", 0, PORTRAIT_WIDTH_MAX, NULL,
      "a window (n-gram) of the corpus starts every so many characters (words); 0: side by side, as many as it is "
      "long.  A passage of "
      "width + stride - 1 is always found" },
    { "fp", OPTION_RATIO, offsetof(struct portrait_settings, portrait.fp), "0.001", 0, 0, NULL,
      "false-positive rate that decides the size of the file" },
    { "size", OPTION_SIZE, offsetof(struct portrait_settings, portrait.size), "0", 0, 0, NULL,
      "of the file instead, as 2GiB; 0: what fp asks for" },
    { "name", OPTION_TEXT, offsetof(struct portrait_settings, portrait.name), "corpus", 0, 0, NULL,
      "the run folder gets NAME.portrait" },
    { "extends", OPTION_TEXT, offsetof(struct portrait_settings, portrait.extends), "", 0, 0, NULL,
      "a portrait that the new one starts from, of the same kind; it keeps its size, and its shards may not be read "
      "again" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const char *const portrait_others[] = { "datasets", NULL };

static int members_read(struct config *config, const struct place *place)
{
    bool **member = &portrait_task(config)->member, any = false;
    int    rc = place_read_members(place, config, "datasets", ROLE_CORPUS, true, member);

    for (size_t d = 0; rc == 0 && d < config->dataset_count; d++) any |= (*member)[d];
    return rc < 0 || any ? rc : node_refuse(place->map, place->name, "portrait", place->err,
                                            "no dataset has `role: corpus`: name those it is made of in datasets");
}

/* What nothing would be made of.  A value that is the default is not refused: config.resolved.yaml has all of them. */
static int unused_check(const struct portrait_settings *s, const struct place *place)
{
    const struct portrait_options *o = &s->portrait;
    const bool windows = s->kind == PORTRAIT_WINDOWS, ngrams = s->kind == PORTRAIT_NGRAMS;

    if (!windows && s->width != WIDTH_DEFAULT) return place_refuse(place, "width", "is for kind windows");
    if (!ngrams && s->n != N_DEFAULT) return place_refuse(place, "n", "is for kind ngrams");
    if (!windows && !ngrams && s->stride) return place_refuse(place, "stride", "is for kinds windows and ngrams");
    if (*o->extends && o->size) return place_refuse(place, "extends", "keeps the size of that file: leave size out");
    if ((*o->extends || o->size) && (uint64_t)o->fp.num * FP_DEFAULT != o->fp.den)
        return place_refuse(place, "fp", "decides the size, which %s says: leave fp out",
                            o->size ? "`size`" : "the file that `extends` names");
    return 0;
}

static int portrait_check(const struct portrait_options *o, const struct place *place)
{
    if (!o->fp.den || o->fp.num == 0 || (uint64_t)2 * o->fp.num > o->fp.den)
        return place_refuse(place, "fp", "must be above 0 and at most 0.5");
    if (!*o->name || strchr(o->name, '/') || *o->name == '.' || strlen(o->name) > 200)
        return place_refuse(place, "name", "must be a file name");
    if (o->scheme.stride > o->scheme.width)
        return place_refuse(place, "stride", "leaves gaps: it must not be above the width (n of ngrams)");
    return 0;
}

int portrait_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    struct portrait_settings settings = { 0 };
    const struct node       *map = node_find(root, "portrait");
    const struct place       place = { map, name, "portrait", err };
    struct portrait_options *o = &settings.portrait;
    int                      rc;

    if (!map) return 0;
    rc = option_defaults(portrait_rows, &settings, err);
    if (rc == 0) rc = option_apply(portrait_rows, &settings, map, portrait_others, name, "portrait", err);
    o->scheme = (struct portrait_scheme){ (uint32_t)settings.kind, 1, 1 };      /* lines, content */
    if (settings.kind == PORTRAIT_WINDOWS || settings.kind == PORTRAIT_NGRAMS) {
        o->scheme.width = settings.kind == PORTRAIT_WINDOWS ? settings.width : settings.n;
        o->scheme.stride = settings.stride ? settings.stride : o->scheme.width;
    }
    if (rc == 0) rc = portrait_check(o, &place);
    if (rc == 0) rc = unused_check(&settings, &place);
    if (rc == 0) rc = place_resolve_path(&place, config, "extends", "file", &o->extends);
    if (rc == 0) rc = members_read(config, &place);
    if (rc < 0) {
        option_free(portrait_rows, &settings);
        return rc;
    }
    portrait_task(config)->options = *o;                          /* its texts are moved */
    return 0;
}

void portrait_settings_free(struct portrait_task *task)
{
    free(task->member);
    free(task->options.name);
    free(task->options.extends);
}

int portrait_print(const struct config *config, struct bytes *out)
{
    const struct portrait_options *o = &portrait_task(config)->options;
    const bool                     windows = o->scheme.kind == PORTRAIT_WINDOWS,
        ngrams = o->scheme.kind == PORTRAIT_NGRAMS;
    const struct portrait_settings settings = { .portrait = *o, .kind = (int)o->scheme.kind, .width = windows
                                                ? o->scheme.width : WIDTH_DEFAULT,
                                                .n = ngrams ? o->scheme.width : N_DEFAULT, .stride = windows || ngrams
                                                    ? o->scheme.stride : 0 };
    int                            rc = bytes_printf(out, "portrait:\n");

    if (rc == 0) rc = config_print_members(config, "datasets", portrait_task(config)->member, out);
    return rc < 0 ? rc : option_print(portrait_rows, &settings, "  ", out);
}

int portrait_help(struct bytes *out)
{
    int rc = bytes_printf(out, "\nportrait:                 a pass: a file that says of any text which pieces of it "
                               "are in a corpus (leakgraph query)\n"
                               "  datasets                every corpus  names of the datasets it is made of\n");

    return rc < 0 ? rc : option_help(portrait_rows, "  ", out);
}
