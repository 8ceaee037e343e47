/* inclusion/clones.c -- see clones.h; the tables' descriptions: clones_tables.c. */
#include "inclusion/clones.h"

#include "inclusion/classes.h"
#include "inclusion/second.h"
#include "inclusion/written.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Functions of other files that are compared: as clones does by default. */
enum { OTHERS_TOKENS = 20, OTHERS_LINES = 6 };
static const struct clonetype_options others_options = {
    .type = { true, true, true, true }, .dissimilarity = SECOND_DISSIMILARITY, .unit = FORM_STATEMENTS,
    .min_tokens = OTHERS_TOKENS, .min_lines = OTHERS_LINES };

struct comparing {
    const struct inclusion_job *job;
    struct inclusion_clones    *out;
    struct second_reader        read;
    struct second               true_one, written_one;
    struct bytes                text, name;                 /* padded; of members, one behind the other */
    struct clonetype_index      index;                      /* functions of all files: record is the file */
    struct clonetype_asker      asker;
    struct item_lines          *lines;                      /* zeros, which nobody asks for */
    size_t                      lines_room, room;
    struct class_member        *member;                     /* published: [members] of a model */
    size_t                      members, member_room;
    bool                       *told;                       /* the same: of each repository */
};

/* ---- functions of all files ---- */

static int other_add(struct comparing *c, size_t file, const struct second *second, struct err *err)
{
    const struct form  *form = &second->form;
    struct fragment_row row = { .record = file, .exact = form->exact, .consistent = form->consistent,
                                .blind = form->blind, .items = (uint32_t)form->items };

    if (form->tokens < OTHERS_TOKENS || form->items < OTHERS_LINES) return 0;
    if (form->items >= c->lines_room) {
        free(c->lines);
        c->lines_room = 2 * form->items;
        c->lines = calloc(c->lines_room, sizeof *c->lines);
    }
    if (!c->lines || clonetype_index_add(&c->index, 0, &row, form->item, c->lines, "") < 0)
        return err_memory(err, c->index.count * sizeof row, "functions of the files");
    return 0;
}

static int others_collect(struct comparing *c, struct err *err)
{
    const struct inclusion_job *job = c->job;
    int                         rc = 0;

    c->index.options = &others_options;
    for (size_t f = 0; f < job->files && rc == 0; f++) {
        const struct functions *functions;
        struct slice            text;

        if (!job->file[f].language || job->file[f].text.len > LEXER_MAX_TEXT) continue;
        rc = inclusion_padded(job->file[f].text, &c->text, &text, err);
        if (rc == 0) rc = second_read(&c->read, job->file[f].language, text, &functions, err);
        for (size_t i = 0; rc == 0 && i < functions->count; i++) {
            rc = second_take(&c->read, i, 0, &c->true_one, err);
            if (rc == 0) rc = other_add(c, f, &c->true_one, err);
        }
    }
    return rc < 0 ? rc : clonetype_index_finish(&c->index, err);
}

/* How many functions of other repositories, or of other files, it is a clone of. */
static int others_count(struct comparing *c, const struct second *of, size_t file, bool repositories, uint64_t *count,
                        struct err *err)
{
    const uint32_t *whose = c->out->repositories.of;
    int             rc = clonetype_ask(&c->index, &c->asker, &of->form, err);

    *count = 0;
    /* all types are asked for: every fragment of a class is a clone */
    for (size_t i = 0; i < c->asker.count && rc == 0; i++)
        for (uint32_t f = c->asker.match[i].fragment; f != UINT32_MAX; f = c->index.at[f].next) {
            const uint64_t other = c->index.at[f].record;

            *count += repositories ? whose[other] != whose[file] : other != file;
        }
    return rc;
}

/* ---- a function and what was written ---- */

/* The function of a text that is declared at a byte, or the first one; 1, 0 where there is none, or -ENOMEM. */
static int function_take(struct comparing *c, const struct language *language, struct slice text, size_t head,
                         size_t middle, struct second *out, struct err *err)
{
    const struct functions *functions;
    size_t                  i = 0;
    int                     rc = second_read(&c->read, language, text, &functions, err);

    if (rc < 0) return rc;
    while (head != SIZE_MAX && i < functions->count && functions->at[i].at != head) i++;
    if (i == functions->count) return 0;
    rc = second_take(&c->read, i, middle, out, err);
    return rc < 0 ? rc : 1;
}

static int exact_compare(struct comparing *c, size_t file, const struct inclusion_half *half,
                         struct graph_inclusion_function *row, enum clone_type *type, struct err *err)
{
    const struct inclusion_file *f = &c->job->file[file];
    const struct slice           shown = half_shown(f->text, half, false);
    struct slice                 text;
    int                          rc = inclusion_padded(f->text, &c->text, &text, err);

    if (rc == 0) rc = function_take(c, f->language, text, half->head, half->middle, &c->true_one, err);
    if (rc <= 0) return rc;
    rc = others_count(c, &c->true_one, file, true, &row->elsewhere, err);
    if (rc < 0) return rc;
    row->counts = row->elsewhere == 0 && !isnan(row->alike);
    if (isnan(row->alike)) return 0;
    c->text.len = half->at + shown.len;
    if (bytes_append_slice(&c->text, row->output) < 0) return err_memory(err, row->output.len, "an answer");
    rc = inclusion_pad(&c->text, &text, err);
    if (rc == 0) rc = function_take(c, f->language, text, half->head, half->at + shown.len, &c->written_one, err);
    if (rc <= 0) return rc;
    rc = others_count(c, &c->written_one, file, false, &row->others, err);
    return rc < 0 ? rc : second_compare(&c->true_one, &c->written_one, type, &row->alike, err);
}

/* One of the two files of a function; the name is made of what stands in *name up to its end. */
static int member_add(struct comparing *c, size_t file, uint32_t number, const char *kind, struct second *of,
                      struct err *err)
{
    const struct inclusion_file *f = &c->job->file[file];
    const uint32_t               whose = c->out->repositories.of[file];
    const struct slice           repo = c->out->repositories.at[whose].name,
                                 path = slice_of(c->out->files.row[file].file);
    size_t                       base = path.len, stem;

    while (base && path.at[base - 1] != '/') base--;
    for (stem = path.len; stem > base && path.at[stem - 1] != '.'; stem--) { }
    if (stem == base) stem = path.len + 1;
    c->name.len = 0;
    if (bytes_printf(&c->name, "%.*s/%.*s/func_num_%u_%s_%.*s", (int)repo.len, repo.at, (int)(stem - 1 - base),
                     path.at + base, number, kind, (int)(path.len - base), path.at + base) < 0 ||
        ARRAY_GROW(c->member, c->member_room, c->members) < 0)
        return err_memory(err, f->text.len, "functions");
    c->member[c->members++] = (struct class_member){ .name = bytes_slice(&c->name), .repository = whose, .of = *of };
    c->name = (struct bytes){ .len = 0 };                   /* name and items are the member's */
    *of = (struct second){ .room = 0 };
    return 0;
}

static int published_compare(struct comparing *c, size_t file, const struct inclusion_half *half, uint32_t number,
                             struct graph_inclusion_function *row, enum clone_type *type, struct err *err)
{
    const struct inclusion_file *f = &c->job->file[file];
    struct bytes                 made = { 0 };
    struct slice                 text;
    int                          rc, original;

    if (isnan(row->alike)) return 0;
    row->counts = true;
    rc = half_original(f->text, half, &made) < 0 ? err_memory(err, half->end, "a function")
        : inclusion_padded(bytes_slice(&made), &c->text, &text, err);
    if (rc == 0) rc = function_take(c, f->language, text, SIZE_MAX, 0, &c->true_one, err);
    original = rc;
    made.len = 0;
    if (rc >= 0) rc = half_generated(f->text, half, row->output, &made) < 0 ? err_memory(err, half->end, "a function")
        : inclusion_padded(bytes_slice(&made), &c->text, &text, err);
    if (rc == 0) rc = function_take(c, f->language, text, SIZE_MAX, 0, &c->written_one, err);
    if (rc > 0 && original > 0 && c->true_one.form.items >= CLASS_LINES && c->written_one.form.items >= CLASS_LINES) {
        const int code = second_compare(&c->true_one, &c->written_one, type, &row->alike, err);

        if (code < 0) rc = code;
    }
    if (rc > 0) rc = member_add(c, file, number, "generated", &c->written_one, err) < 0 ? err->code : 0;
    if (rc >= 0 && original > 0) rc = member_add(c, file, number, "original", &c->true_one, err);
    bytes_free(&made);
    return rc < 0 ? rc : 0;
}

static int function_add(struct comparing *c, size_t model, size_t file, uint32_t number,
                        const struct inclusion_written *written, const char *heap, struct err *err)
{
    const struct inclusion_half     half = written_half(written);
    struct inclusion_clones        *out = c->out;
    struct graph_inclusion_function row = {
        .model = slice_of(c->job->model[model].name), .file = (uint32_t)file, .line = half.line,
        .wanted = { c->job->file[file].text.at + half.middle, half.end - half.middle },
        .output = heap_slice(heap, written->output), .alike = written->refused ? NAN : 0 };
    enum clone_type                 type = CLONE_TYPES;
    int rc = c->job->options->published ? published_compare(c, file, &half, number, &row, &type, err)
        : exact_compare(c, file, &half, &row, &type, err);

    if (rc < 0) return rc;
    if (type != CLONE_TYPES) row.type = slice_of(clone_type_names[type]);
    if (ARRAY_GROW(out->function, c->room, out->functions) < 0)
        return err_memory(err, out->functions * sizeof row, "functions");
    out->function[out->functions++] = row;
    return 0;
}

/* ---- repositories ---- */

static int type_of(const struct graph_inclusion_function *function)
{
    int t = 0;

    while (t < CLONE_TYPES && !slice_equal(function->type, slice_of(clone_type_names[t]))) t++;
    return t;
}

/* The label of a repository; published: 1 where a file has it. */
static int label_of(const struct audit_repository *r, bool published)
{
    return published && r->ones ? 1 : r->label;
}

/* What a repository's functions of a model say, but for the tests. */
static void rows_count(struct inclusion_clones *out, struct graph_inclusion_clone *row, size_t from)
{
    for (size_t i = 0; i < out->files.count; i++)
        out->files.row[i].hits[AUDIT_FUNCTION] = out->files.row[i].total[AUDIT_FUNCTION] = 0;
    for (size_t i = from; i < out->functions; i++) {
        const struct graph_inclusion_function *function = &out->function[i];
        struct audit_feature                  *feature = &out->files.row[function->file];
        struct graph_inclusion_clone          *of = &row[out->repositories.of[function->file]];
        const int                              type = type_of(function);

        if (!function->counts) continue;
        of->files += feature->total[AUDIT_FUNCTION]++ == 0;
        of->functions++;
        if (type == CLONE_TYPES) continue;
        of->type[type]++;
        of->back++;
        feature->hits[AUDIT_FUNCTION]++;
    }
    for (size_t i = 0; i < out->files.count; i++)
        if (out->files.row[i].total[AUDIT_FUNCTION] > 0)
            out->files.row[i].hits[AUDIT_FUNCTION] /= out->files.row[i].total[AUDIT_FUNCTION];
}

static bool is_back(const struct inclusion_options *o, uint64_t back, uint64_t functions)
{
    return back * o->verdict.functions_back.den > functions * o->verdict.functions_back.num;
}

/* The scores of what is said where functions count that are clones of this type or a stricter one; those of
 * repositories without functions are left out, published: count as not told. */
static void score_add(struct inclusion_clones *out, const struct graph_inclusion_clone *row, size_t count, int type,
                      const struct inclusion_options *o)
{
    uint64_t            n[2][2] = { { 0 } };                /* by label, and what is said */
    struct learn_scores s;

    for (size_t r = 0; r < count; r++) {
        uint64_t back = 0;

        for (int t = 0; t <= type; t++) back += row[r].type[t];
        if (row[r].label >= 0) n[row[r].label][o->published ? row[r].said : is_back(o, back, row[r].functions)]++;
    }
    s = learn_scores_of(n[1][1], n[0][1], n[0][0], n[1][0]);
    if (s.tp + s.fp + s.tn + s.fn == 0) return;
    out->score[out->scores++] = (struct graph_inclusion_score){
        .model = row->model, .classifier = clone_type_names[type], .precision = s.precision, .accuracy = s.accuracy,
        .f1 = s.f1, .sensitivity = s.recall, .specificity = s.specificity, .tp = s.tp, .fp = s.fp, .tn = s.tn,
        .fn = s.fn };
}

static int model_tell(struct comparing *c, size_t model, size_t from, struct err *err)
{
    const struct inclusion_options *o = c->job->options;
    struct inclusion_clones        *out = c->out;
    const size_t                    count = out->repositories.count;
    struct graph_inclusion_clone   *row = out->row + out->rows;
    struct audit_suspect           *suspect = calloc(count + 1, sizeof *suspect);
    size_t                          kept = 0;
    int                             rc = suspect ? 0 : err_memory(err, count * sizeof *suspect, "repositories");

    rows_count(out, row, from);
    if (rc == 0)
        rc = audit_permutation(&out->files, &out->repositories, NULL,
                               &(struct audit_permutation_options){ o->verdict.draws ? o->verdict.draws : 1,
                                                                    o->verdict.seed }, suspect, err);
    for (size_t r = 0; r < count && rc == 0; r++) {
        struct graph_inclusion_clone *of = &row[kept];

        if (!row[r].functions && !o->published) continue;
        *of = row[r];
        of->model = slice_of(c->job->model[model].name);
        of->repo = out->repositories.at[r].name;
        of->label = label_of(&out->repositories.at[r], o->published);
        of->clean = suspect[r].clean;
        of->clean_repositories = suspect[r].against;
        of->rate = of->functions ? (double)of->back / (double)of->functions : NAN;
        of->clean_rate = suspect[r].against ? suspect[r].against_rate : NAN;
        of->p_files = o->verdict.draws ? suspect[r].p : NAN;
        of->p_spread = o->verdict.draws ? suspect[r].p_spread : NAN;
        of->said = o->published ? c->told[r] : is_back(o, of->back, of->functions);
        kept++;
    }
    free(suspect);
    memset(row + kept, 0, (count - kept) * sizeof *row);    /* the next model's */
    if (rc < 0) return rc;
    for (int t = o->published ? CLONE_TYPE_3 : 0; t < CLONE_TYPES && kept; t++) score_add(out, row, kept, t, o);
    out->rows += kept;
    return 0;
}

static void members_free(struct comparing *c)
{
    for (size_t m = 0; m < c->members; m++) {
        free((char *)(uintptr_t)c->member[m].name.at);
        second_free(&c->member[m].of);
    }
    c->members = 0;
}

static int classes_of(struct comparing *c, struct err *err)
{
    const struct audit_repositories *r = &c->out->repositories;
    struct slice                    *name = malloc((r->count + 1) * sizeof *name);
    int                              rc = name ? 0 : err_memory(err, r->count * sizeof *name, "repositories");

    for (size_t i = 0; i < r->count && rc == 0; i++) name[i] = r->at[i].name;
    if (rc == 0) rc = classes_tell(c->member, c->members, name, r->count, c->job->options->verdict.seed, c->told, err);
    free(name);
    return rc;
}

static int model_compare(struct comparing *c, size_t model, struct err *err)
{
    const size_t from = c->out->functions;
    int          rc = 0;

    for (size_t f = 0; f < c->job->files && rc == 0; f++) {
        const struct unit              *unit = &c->job->written[model * c->job->files + f];
        const struct inclusion_written *written = (const void *)unit->section[0].at;

        for (size_t i = 0; i < written_count(unit) && rc == 0; i++)
            rc = function_add(c, model, f, (uint32_t)i, &written[i], unit->section[1].at, err);
    }
    if (rc == 0 && c->job->options->published) rc = classes_of(c, err);
    members_free(c);
    return rc < 0 ? rc : model_tell(c, model, from, err);
}

/* ---- all ---- */

static int files_name(struct inclusion_clones *out, const struct inclusion_job *job,
                      const struct graph_inclusion_file *file, struct err *err)
{
    const double none[AUDIT_CATEGORIES] = { 0 };
    int          rc = 0;

    for (size_t f = 0; f < job->files && rc == 0; f++)
        rc = audit_features_add(&out->files, file[f].path, file[f].repo.len ? file[f].repo : (struct slice){ NULL, 0 },
                                none, none, (int)file[f].trained, err);
    return rc < 0 ? rc : audit_repositories_make(&out->files, false, &out->repositories, err);
}

int inclusion_clones_make(struct inclusion_clones *out, const struct inclusion_job *job,
                          const struct graph_inclusion_file *file, struct err *err)
{
    struct comparing c = { .job = job, .out = out };
    int              rc;

    *out = (struct inclusion_clones){ .rows = 0 };
    if (!job->written) return 0;
    rc = files_name(out, job, file, err);
    if (rc == 0) {
        out->row = calloc(job->models * out->repositories.count + 1, sizeof *out->row);
        out->score = calloc(job->models * CLONE_TYPES + 1, sizeof *out->score);
        c.told = calloc(out->repositories.count + 1, sizeof *c.told);
        if (!out->row || !out->score || !c.told) rc = err_memory(err, job->models * sizeof *out->row, "repositories");
    }
    if (rc == 0) rc = second_open(&c.read, err);
    if (rc == 0 && !job->options->published) rc = others_collect(&c, err);
    for (size_t m = 0; m < job->models && rc == 0; m++) rc = model_compare(&c, m, err);
    second_close(&c.read);
    second_free(&c.true_one);
    second_free(&c.written_one);
    clonetype_asker_free(&c.asker);
    clonetype_index_free(&c.index);
    bytes_free(&c.text);
    bytes_free(&c.name);
    free(c.member);
    free(c.lines);
    free(c.told);
    return rc;
}

void inclusion_clones_free(struct inclusion_clones *clones)
{
    audit_repositories_free(&clones->repositories);
    audit_features_free(&clones->files);
    free(clones->function);
    free(clones->row);
    free(clones->score);
    *clones = (struct inclusion_clones){ .rows = 0 };
}

int graph_add_inclusion_clones(struct graph_build *build, const struct inclusion_clones *clones, struct err *err)
{
    int rc = graph_add_rows(build, &table_inclusion_functions, clones->function, clones->functions, err);

    if (rc == 0) rc = graph_add_rows(build, &table_inclusion_clones, clones->row, clones->rows, err);
    return rc < 0 ? rc : graph_add_rows(build, &table_inclusion_clone_scores, clones->score, clones->scores, err);
}
