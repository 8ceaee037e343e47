/* scan/repository_result.c -- see repository_result.h.
 *
 * All that was found is one list of sightings: a text, a squeezed text or a class of pass near was seen in a corpus under a name.  Sorted
 * and without repetitions it is small, whatever the corpus; then each file looks its sightings up. */
#include "scan/repository_result.h"

#include <errno.h>
#include <stdlib.h>

enum sighting_of { OF_TEXT, OF_LAYOUT, OF_CLASS };

struct sighting { uint32_t of, id, corpus, name; };

/* What counts of a file: where it was found, and how. */
struct finding { uint32_t corpus, name; bool exact; };

struct list { char *at; size_t count, room, size; };

struct reading {
    struct repository_job       *job;
    const struct near_result    *near;
    struct repository_index     *index;
    struct repository_result    *result;
    struct list                  sightings;                 /* struct sighting */
    struct list                  findings;                  /* struct finding, of one file */
    struct list                  rows, copies;              /* struct membership, struct membership_copy */
    struct list                  links;                     /* struct near_link, both ways, by first class */
    struct table                 row_at, copy_at;
    struct bytes                 name;
};

/* One more element, zeroed; NULL when memory is out. */
static void *list_add(struct list *list)
{
    void *added;

    if (list->count == list->room) {
        size_t room = 2 * list->room + 256;
        char  *grown = realloc(list->at, room * list->size);

        if (!grown) return NULL;
        list->at = grown;
        list->room = room;
    }
    added = list->at + list->size * list->count++;
    memset(added, 0, list->size);
    return added;
}

/* ---- sightings ---- */

static int sighting_add(struct reading *r, enum sighting_of of, uint32_t id, uint32_t corpus, struct slice name)
{
    struct sighting *sighting = list_add(&r->sightings);

    if (!sighting) return -ENOMEM;
    *sighting = (struct sighting){ .of = of, .id = id, .corpus = corpus };
    return repository_name_put(r->index, repository_renamed(&r->index->renames, name), &sighting->name);
}

static int sighting_order(const void *a, const void *b)
{
    const struct sighting *x = a, *y = b;

    if (x->of != y->of) return x->of < y->of ? -1 : 1;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    if (x->corpus != y->corpus) return x->corpus < y->corpus ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

static void sightings_sort(struct reading *r)
{
    struct sighting *s = (struct sighting *)(void *)r->sightings.at;
    size_t           kept = 0;

    if (r->sightings.count) qsort(s, r->sightings.count, sizeof *s, sighting_order);
    for (size_t i = 0; i < r->sightings.count; i++)
        if (i == 0 || sighting_order(&s[i], &s[kept - 1]) != 0) s[kept++] = s[i];
    r->sightings.count = kept;
}

/* The row of a repository in a corpus; made when new. */
static struct membership *row_of(struct reading *r, uint32_t benchmark, uint32_t name, uint32_t corpus)
{
    uint32_t           number[] = { benchmark, name, corpus }, at;
    struct unit_key    key = unit_key_add((struct unit_key){ 0, 0 }, number, sizeof number);
    struct membership *row;
    bool               added;

    at = table_put(&r->row_at, key.low, key.high, (uint32_t)r->rows.count, &added);
    if (at == TABLE_NONE) return NULL;
    if (!added) return (struct membership *)(void *)r->rows.at + at;
    row = list_add(&r->rows);
    if (row) *row = (struct membership){ .benchmark = benchmark, .name = name, .corpus = corpus };
    return row;
}

/* documents[name] of one corpus. */
static int unit_take(struct reading *r, const struct pass_unit *unit, uint32_t corpus, uint64_t *documents, size_t names, struct err *err)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice                   rows = pass_unit_section(unit, p, PART_ROWS), counts = pass_unit_section(unit, p, PART_COUNTS);
        const struct repository_hit   *hit = (const struct repository_hit *)(const void *)rows.at;
        const struct repository_named *named = (const struct repository_named *)(const void *)counts.at;
        const char                    *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t i = 0; i < rows.len / sizeof *hit; i++)
            if (sighting_add(r, hit[i].likeness == REPOSITORY_EXACT ? OF_TEXT : OF_LAYOUT, hit[i].text, corpus,
                             (struct slice){ heap + hit[i].repo.at, hit[i].repo.len }) < 0) return err_memory(err, r->sightings.room * 16, "repositories");
        for (size_t i = 0; i < counts.len / sizeof *named; i++)
            if (named[i].name < names) documents[named[i].name] += named[i].documents;
    }
    return 0;
}

static int shard_take(struct reading *r, const struct pass *pass, uint32_t s, uint64_t *documents, size_t names, struct err *err)
{
    const struct shard *shard = &r->job->shards->at[s];
    uint64_t            number = 0;

    do {
        struct pass_unit unit;
        int              rc = pass_unit_load(pass, &pass->scanner[0], shard, number, &unit, err);

        if (rc == 0)
            rc = err_set(err, -EIO, "%s: the repositories of a part of %s have disappeared or are damaged; the same command again makes them anew",
                         stage_dir(r->job->stage), shard->path);
        if (rc < 0) return rc;
        number = unit.header->next;
        rc = unit_take(r, &unit, shard->dataset, documents, names, err);
        unit_close(&unit.file);
        if (rc < 0) return rc;
    } while (number > 0);
    return 0;
}

/* A corpus: its hits, and the repositories that it names.  Every repository of a benchmark gets its row. */
static int corpus_take(struct reading *r, const struct pass *pass, uint32_t corpus, size_t names, struct err *err)
{
    uint64_t *documents = calloc(names + 1, sizeof *documents);
    int       rc = documents ? 0 : err_memory(err, names * sizeof *documents, "repositories");

    for (uint32_t s = 0; s < r->job->shards->count && rc == 0; s++)
        if (r->job->shards->at[s].dataset == corpus) rc = shard_take(r, pass, s, documents, names, err);
    for (size_t f = 0; f < r->index->file_count && rc == 0; f++) {
        const struct repository_file *file = &r->index->file[f];
        struct membership            *row = row_of(r, file->dataset, file->name, corpus);

        if (!row) rc = err_memory(err, sizeof *row, "repositories");
        else row->documents = documents[file->name], row->files++;
    }
    free(documents);
    return rc;
}

/* ---- pass near ---- */

static int link_order(const void *a, const void *b)
{
    const struct near_link *x = a, *y = b;

    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

/* Where the classes of pass near were seen, and which are alike. */
static int near_take(struct reading *r, struct err *err)
{
    const struct near_result *near = r->near;

    for (size_t d = 0; d < near->document_count; d++) {
        const struct near_document *document = &near->document[d];

        if (document->class_id == NO_CLASS || r->job->datasets[document->dataset].role != ROLE_CORPUS) continue;
        if (repository_of(r->job->options, near_string(document, document->row->repo), near_string(document, document->row->path), &r->name) < 0 ||
            sighting_add(r, OF_CLASS, document->class_id, document->dataset, bytes_slice(&r->name)) < 0) return err_memory(err, 64, "repositories");
    }
    for (size_t l = 0; l < near->link_count; l++) {
        if (!(near->link[l].marks & NEAR_SIMILAR)) continue;
        for (int way = 0; way < 2; way++) {
            struct near_link *link = list_add(&r->links);

            if (!link) return err_memory(err, r->links.room * sizeof *link, "links");
            *link = way ? near_link_turned(near->link[l]) : near->link[l];
        }
    }
    if (r->links.count) qsort(r->links.at, r->links.count, sizeof(struct near_link), link_order);
    return 0;
}

/* The class of a file; documents by (dataset, number) are in the contract's order as the files are, so *at only moves on. */
static uint32_t class_of_file(const struct reading *r, const struct repository_file *file, size_t *at)
{
    const struct near_document *document = r->near->document;
    size_t                      count = r->near->document_count;

    while (*at < count && (document[*at].shard < file->shard || (document[*at].shard == file->shard && document[*at].row->record < file->record))) ++*at;
    return *at < count && document[*at].shard == file->shard && document[*at].row->record == file->record ? document[*at].class_id : NO_CLASS;
}

/* ---- files ---- */

static int findings_add(struct reading *r, enum sighting_of of, uint32_t id)
{
    const struct sighting *s = (const struct sighting *)(const void *)r->sightings.at, key = { .of = of, .id = id };
    size_t                 low = 0, high = r->sightings.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (sighting_order(&s[middle], &key) < 0) low = middle + 1;
        else high = middle;
    }
    for (; low < r->sightings.count && s[low].of == (uint32_t)of && s[low].id == id; low++) {
        struct finding *finding = list_add(&r->findings);

        if (!finding) return -ENOMEM;
        *finding = (struct finding){ s[low].corpus, s[low].name, of == OF_TEXT };
    }
    return 0;
}

static int findings_of_class(struct reading *r, uint32_t class_id)
{
    const struct near_link *link = (const struct near_link *)(const void *)r->links.at;
    size_t                  low = 0, high = r->links.count;

    if (class_id == NO_CLASS) return 0;
    if (findings_add(r, OF_CLASS, class_id) < 0) return -ENOMEM;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (link[middle].first < class_id) low = middle + 1;
        else high = middle;
    }
    for (; low < r->links.count && link[low].first == class_id; low++)
        if (findings_add(r, OF_CLASS, link[low].second) < 0) return -ENOMEM;
    return 0;
}

/* By corpus and name, exact ones first. */
static int finding_order(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;

    if (x->corpus != y->corpus) return x->corpus < y->corpus ? -1 : 1;
    if (x->name != y->name) return x->name < y->name ? -1 : 1;
    return (int)y->exact - (int)x->exact;
}

static int copy_count(struct reading *r, const struct repository_file *file, const struct finding *finding)
{
    uint32_t                number[] = { file->dataset, file->name, finding->corpus, finding->name }, at;
    struct unit_key         key = unit_key_add((struct unit_key){ 0, 0 }, number, sizeof number);
    struct membership_copy *copy;
    bool                    added;

    at = table_put(&r->copy_at, key.low, key.high, (uint32_t)r->copies.count, &added);
    if (at == TABLE_NONE) return -ENOMEM;
    copy = added ? list_add(&r->copies) : (struct membership_copy *)(void *)r->copies.at + at;
    if (!copy) return -ENOMEM;
    if (added) *copy = (struct membership_copy){ .benchmark = file->dataset, .corpus = finding->corpus, .name = file->name, .other = finding->name };
    copy->exact += finding->exact;
    copy->near += !finding->exact;
    return 0;
}

static int file_count(struct reading *r, const struct repository_file *file)
{
    struct finding *finding = (struct finding *)(void *)r->findings.at;
    size_t          count = r->findings.count;

    if (count) qsort(finding, count, sizeof *finding, finding_order);
    for (size_t i = 0, end; i < count; i = end) {           /* a corpus */
        struct membership *row = row_of(r, file->dataset, file->name, finding[i].corpus);
        bool               exact = false, elsewhere = false;

        if (!row) return -ENOMEM;
        for (end = i; end < count && finding[end].corpus == finding[i].corpus; end++) {
            exact |= finding[end].exact;
            if (finding[end].name == file->name || (end > i && finding[end].name == finding[end - 1].name)) continue;
            elsewhere = true;
            if (copy_count(r, file, &finding[end]) < 0) return -ENOMEM;
        }
        row->exact += exact;
        row->near += !exact;
        row->elsewhere += elsewhere;
    }
    return 0;
}

static int files_count(struct reading *r, struct err *err)
{
    size_t at = 0;

    for (size_t f = 0; f < r->index->file_count; f++) {
        const struct repository_file *file = &r->index->file[f];

        r->findings.count = 0;
        if (findings_add(r, OF_TEXT, file->text) < 0 || findings_add(r, OF_LAYOUT, file->layout) < 0 ||
            (r->near && findings_of_class(r, class_of_file(r, file, &at)) < 0) || file_count(r, file) < 0)
            return err_memory(err, r->findings.room * sizeof(struct finding), "the copies of a file");
    }
    return 0;
}

/* ---- all together ---- */

static int name_order(const struct repository_index *index, uint32_t a, uint32_t b)
{
    return a == b ? 0 : slice_compare(repository_name(index, a), repository_name(index, b));
}

static int row_order(const void *a, const void *b, void *index)
{
    const struct membership *x = a, *y = b;
    int                      c;

    if (x->benchmark != y->benchmark) return x->benchmark < y->benchmark ? -1 : 1;
    c = name_order(index, x->name, y->name);
    return c ? c : (x->corpus > y->corpus) - (x->corpus < y->corpus);
}

static int copy_order(const void *a, const void *b, void *index)
{
    const struct membership_copy *x = a, *y = b;
    int                           c;

    if (x->benchmark != y->benchmark) return x->benchmark < y->benchmark ? -1 : 1;
    if ((c = name_order(index, x->name, y->name)) != 0) return c;
    if (x->corpus != y->corpus) return x->corpus < y->corpus ? -1 : 1;
    if (x->exact + x->near != y->exact + y->near) return x->exact + x->near > y->exact + y->near ? -1 : 1;
    return name_order(index, x->other, y->other);
}

static void result_finish(struct reading *r)
{
    struct repository_result *result = r->result;
    const struct ratio        share = r->job->options->share;
    size_t                    kept = 0, run = 0;

    result->row = (struct membership *)(void *)r->rows.at;
    result->count = r->rows.count;
    result->copy = (struct membership_copy *)(void *)r->copies.at;
    if (result->count) qsort_r(result->row, result->count, sizeof *result->row, row_order, r->index);
    if (r->copies.count) qsort_r(result->copy, r->copies.count, sizeof *result->copy, copy_order, r->index);
    for (size_t i = 0; i < result->count; i++) {
        struct membership *row = &result->row[i];

        row->by_content = row->exact + row->near && (row->exact + row->near) * share.den >= row->files * share.num;
    }
    for (size_t i = 0; i < r->copies.count; i++) {
        const struct membership_copy copy = result->copy[i], *last = kept ? &result->copy[kept - 1] : NULL;

        run = last && last->benchmark == copy.benchmark && last->name == copy.name && last->corpus == copy.corpus ? run + 1 : 0;
        if (run < r->job->options->top) result->copy[kept++] = copy;
    }
    result->copy_count = kept;
}

int repository_result_read(struct repository_job *job, const struct near_result *near, struct repository_result *out, struct err *err)
{
    struct reading r = { .job = job, .near = near, .index = job->index, .result = out, .sightings = { .size = sizeof(struct sighting) },
                         .findings = { .size = sizeof(struct finding) }, .rows = { .size = sizeof(struct membership) },
                         .copies = { .size = sizeof(struct membership_copy) }, .links = { .size = sizeof(struct near_link) } };
    struct pass    pass = { .stage = job->stage, .datasets = job->datasets, .scanner = { repository_scanner(job) } };
    size_t         names = job->index->name_count;          /* those of benchmarks; sightings add others */
    int            rc = 0;

    *out = (struct repository_result){ .index = job->index };
    for (uint32_t d = 0; d < job->dataset_count && rc == 0; d++)
        if (job->datasets[d].role == ROLE_CORPUS) rc = corpus_take(&r, &pass, d, names, err);
    if (rc == 0 && near) rc = near_take(&r, err);
    if (rc == 0) sightings_sort(&r);
    if (rc == 0) rc = files_count(&r, err);
    result_finish(&r);
    free(r.sightings.at);
    free(r.findings.at);
    free(r.links.at);
    table_free(&r.row_at);
    table_free(&r.copy_at);
    bytes_free(&r.name);
    if (rc < 0) repository_result_free(out);
    return rc;
}

void repository_result_free(struct repository_result *result)
{
    free(result->row);
    free(result->copy);
    *result = (struct repository_result){ 0 };
}
