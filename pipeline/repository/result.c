/* repository/result.c -- see result.h.
 *
 * All that was found is one list of sightings: a text, a squeezed text or a class of pass near was seen in a corpus
 * under a name.  Sorted and without repetitions it is small, whatever the corpus; then each file looks its sightings
 * up.
 *
 * A text that everybody has is seen under as many names as a corpus has, and that in each of the benchmark's
 * repositories.  So the files are taken repository by repository: the other names are held for one at a time, and `top`
 * of them stay. */
#include "repository/result.h"

#include "base/search.h"
#include "near/links.h"

#include <errno.h>
#include <stdlib.h>

enum sighting_of { OF_TEXT, OF_LAYOUT, OF_CLASS };

struct sighting { uint32_t of, id, corpus, name; };

/* What counts of a file: where it was found, and how. */
struct finding { uint32_t corpus, name; bool exact; };

/* A file, among those of its repository; and another name of the corpus that has files of the repository. */
struct member { uint32_t dataset, name, text, layout, class_id; };
struct other { uint32_t corpus, name; uint64_t exact, near; };

/* so many more than after the last time: repetitions are put together */
enum { MERGE_SIGHTINGS = 1 << 20, MERGE_OTHERS = 1 << 12 };

struct list { char *at; size_t count, room, size, merged; };                /* merged: elements that were left then */

struct reading {
    struct repository_job       *job;
    const struct near_result    *near;
    struct repository_index     *index;
    struct repository_result    *result;
    struct list                  sightings;                 /* struct sighting */
    struct list                  findings;                  /* struct finding, of one file */
    struct list                  others;                    /* struct other, of one repository */
    struct list                  rows, copies;              /* struct membership, struct membership_copy */
    struct list                  links;                     /* struct near_link, both ways, by first class */
    struct table                 row_at;
    struct bytes                 name;
    uint32_t                    *rank;                      /* [names] of a name among all, by bytes */
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

static int sighting_order(const void *a, const void *b)
{
    const struct sighting *x = a, *y = b;

    if (x->of != y->of) return x->of < y->of ? -1 : 1;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    if (x->corpus != y->corpus) return x->corpus < y->corpus ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

static void sightings_merge(struct reading *r)
{
    struct sighting *s = (struct sighting *)(void *)r->sightings.at;
    size_t           kept = 0;

    if (r->sightings.count) qsort(s, r->sightings.count, sizeof *s, sighting_order);
    for (size_t i = 0; i < r->sightings.count; i++)
        if (i == 0 || sighting_order(&s[i], &s[kept - 1]) != 0) s[kept++] = s[i];
    r->sightings.count = r->sightings.merged = kept;
}

static int sighting_add(struct reading *r, enum sighting_of of, uint32_t id, uint32_t corpus, struct slice name)
{
    struct sighting *sighting;

    if (r->sightings.count > 2 * r->sightings.merged + MERGE_SIGHTINGS) sightings_merge(r);
    sighting = list_add(&r->sightings);
    if (!sighting) return -ENOMEM;
    *sighting = (struct sighting){ .of = of, .id = id, .corpus = corpus };
    return repository_name_put(r->index, repository_renamed(&r->index->renames, name), &sighting->name);
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
static int unit_take(struct reading *r, const struct pass_unit *unit, uint32_t corpus, uint64_t *documents,
                     size_t names, struct err *err)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice                   rows = pass_unit_section(unit, p, PART_ROWS),
            counts = pass_unit_section(unit, p, PART_COUNTS);
        const struct repository_hit   *hit = (const struct repository_hit *)(const void *)rows.at;
        const struct repository_named *named = (const struct repository_named *)(const void *)counts.at;
        const char                    *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t i = 0; i < rows.len / sizeof *hit; i++)
            if (sighting_add(r, hit[i].likeness == REPOSITORY_EXACT ? OF_TEXT : OF_LAYOUT, hit[i].text, corpus,
                             (struct slice){ heap + hit[i].repo.at, hit[i].repo.len }) < 0) return err_memory(err,
                                     r->sightings.room * 16, "repositories");
        for (size_t i = 0; i < counts.len / sizeof *named; i++)
            if (named[i].name < names) documents[named[i].name] += named[i].documents;
    }
    return 0;
}

static int shard_take(struct reading *r, const struct pass *pass, uint32_t s, uint64_t *documents, size_t names,
                      struct err *err)
{
    const uint32_t   dataset = r->job->run->shards->at[s].dataset;
    struct pass_walk walk = pass_walk_shard(r->job->run, &pass->scanner[0], s);
    int              rc;

    while ((rc = pass_walk_next(&walk, err)) > 0)
        if ((rc = unit_take(r, &walk.unit, dataset, documents, names, err)) < 0) break;
    pass_walk_close(&walk);
    return rc;
}

/* A corpus: its hits, and the repositories that it names.  Every repository of a benchmark gets its row. */
static int corpus_take(struct reading *r, const struct pass *pass, uint32_t corpus, size_t names, struct err *err)
{
    uint64_t *documents = calloc(names + 1, sizeof *documents);
    int       rc = documents ? 0 : err_memory(err, names * sizeof *documents, "repositories");

    for (uint32_t s = 0; s < r->job->run->shards->count && rc == 0; s++)
        if (r->job->run->shards->at[s].dataset == corpus) rc = shard_take(r, pass, s, documents, names, err);
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

/* Where the classes of pass near were seen, and which are alike. */
static int near_take(struct reading *r, struct err *err)
{
    const struct near_result *near = r->near;
    struct near_look          look = { 0 };
    struct near_link          link;
    struct links              links;
    int                       rc;

    for (size_t d = 0; d < near->document_count; d++) {
        const struct near_document *document = near_document_at(near, &look, d);
        const struct near_row      *row;

        if (near->class_of[d] == NO_CLASS || r->job->run->datasets[document->dataset].role != ROLE_CORPUS) continue;
        row = near_row_of(near, &look, document);
        if (repository_of(r->job->options, near_string(document, row->repo), near_string(document, row->path),
                          &r->name) < 0 ||
            sighting_add(r, OF_CLASS, near->class_of[d], document->dataset,
                         bytes_slice(&r->name)) < 0) return err_memory(err, 64, "repositories");
    }
    rc = links_open(&links, near, err);
    for (uint32_t c = 0; c < near->class_count && rc == 0; c++)
        while (rc == 0 && (rc = links_next(&links, c, &link, err)) > 0) {
            struct near_link *added = link.marks & NEAR_SIMILAR ? list_add(&r->links) : NULL;

            if (added) *added = link;
            rc = added || !(link.marks & NEAR_SIMILAR) ? 0 : err_memory(err, r->links.room * sizeof link, "links");
        }
    links_close(&links);
    return rc;
}

/* Where the documents of pass near are that stand for files; zeroed at first. */
struct files_walk { size_t at; struct near_look look; };

/* The class of a file; documents by (dataset, number) are in the contract's order as the files are, so the walk only
 * moves on. */
static uint32_t class_of_file(const struct reading *r, const struct repository_file *file, struct files_walk *walk)
{
    for (; walk->at < r->near->document_count; walk->at++) {
        const struct near_document *d = near_document_at(r->near, &walk->look, walk->at);
        uint64_t                    record;

        if (d->shard < file->shard) continue;
        if (d->shard > file->shard) break;
        record = near_row_of(r->near, &walk->look, d)->record;
        if (record == file->record) return r->near->class_of[walk->at];
        if (record > file->record) break;
    }
    return NO_CLASS;
}

/* ---- files ---- */

struct sought { const struct sighting *at, *key; };

static bool sighting_is_before(const void *context, size_t i)
{
    const struct sought *sought = context;

    return sighting_order(&sought->at[i], sought->key) < 0;
}

/* The first of a thing's sightings, and *end behind the last. */
static const struct sighting *sightings_of(const struct reading *r, enum sighting_of of, uint32_t id,
                                           const struct sighting **end)
{
    const struct sighting *s = (const struct sighting *)(const void *)r->sightings.at, key = { .of = of, .id = id };
    const size_t           low = search_first(0, r->sightings.count, sighting_is_before, &(struct sought){ s, &key });
    size_t                 high = low;

    while (high < r->sightings.count && s[high].of == (uint32_t)of && s[high].id == id) high++;
    *end = s ? s + high : NULL;
    return s ? s + low : NULL;
}

static int finding_add(struct reading *r, const struct sighting *s)
{
    struct finding *finding = list_add(&r->findings);

    if (!finding) return -ENOMEM;
    *finding = (struct finding){ s->corpus, s->name, s->of == OF_TEXT };
    return 0;
}

/* Both are in order, and so are the findings: where a text is seen very often there is nothing to sort. */
static int findings_of_text(struct reading *r, uint32_t text, uint32_t layout)
{
    const struct sighting *end, *other_end, *s = sightings_of(r, OF_TEXT, text, &end),
        *other = sightings_of(r, OF_LAYOUT, layout, &other_end);

    while (s < end || other < other_end) {
        bool takes_other = s == end ||
            (other < other_end && (other->corpus != s->corpus ? other->corpus < s->corpus : other->name < s->name));

        if (finding_add(r, takes_other ? other++ : s++) < 0) return -ENOMEM;
    }
    return 0;
}

static int findings_add(struct reading *r, uint32_t class_id)
{
    const struct sighting *end;

    for (const struct sighting *s = sightings_of(r, OF_CLASS, class_id, &end); s < end; s++)
        if (finding_add(r, s) < 0) return -ENOMEM;
    return 0;
}

static int findings_of_class(struct reading *r, uint32_t class_id)
{
    const struct near_link *link = (const struct near_link *)(const void *)r->links.at;

    if (class_id == NO_CLASS) return 0;
    if (findings_add(r, class_id) < 0) return -ENOMEM;
    for (size_t l = search_u32(link, sizeof *link, offsetof(struct near_link, first), 0, r->links.count, class_id);
         l < r->links.count && link[l].first == class_id; l++)
        if (findings_add(r, link[l].second) < 0) return -ENOMEM;
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

/* Most lists are in order already, as they came. */
static void sort_if_needed(void *at, size_t count, size_t size, int (*order)(const void *, const void *))
{
    for (size_t i = 1; i < count; i++)
        if (order((const char *)at + (i - 1) * size, (const char *)at + i * size) > 0) {
            qsort(at, count, size, order);
            return;
        }
}

static int other_order(const void *a, const void *b)
{
    const struct other *x = a, *y = b;

    if (x->corpus != y->corpus) return x->corpus < y->corpus ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

static void others_merge(struct list *others)
{
    struct other *o = (struct other *)(void *)others->at;
    size_t        kept = 0;

    sort_if_needed(o, others->count, sizeof *o, other_order);
    for (size_t i = 0; i < others->count; i++) {
        if (i == 0 || other_order(&o[i], &o[kept - 1]) != 0) {
            o[kept++] = o[i];
            continue;
        }
        o[kept - 1].exact += o[i].exact;
        o[kept - 1].near += o[i].near;
    }
    others->count = others->merged = kept;
}

static int other_add(struct reading *r, const struct finding *finding)
{
    struct other *other = list_add(&r->others);

    if (!other) return -ENOMEM;
    *other = (struct other){ finding->corpus, finding->name, finding->exact, !finding->exact };
    return 0;
}

static int file_count(struct reading *r, const struct member *file)
{
    struct finding *finding = (struct finding *)(void *)r->findings.at;
    size_t          count = r->findings.count;

    if (r->others.count > 2 * r->others.merged + MERGE_OTHERS) others_merge(&r->others);
    sort_if_needed(finding, count, sizeof *finding, finding_order);
    for (size_t i = 0, end; i < count; i = end) {           /* a corpus */
        struct membership *row = row_of(r, file->dataset, file->name, finding[i].corpus);
        bool               exact = false, elsewhere = false;

        if (!row) return -ENOMEM;
        for (end = i; end < count && finding[end].corpus == finding[i].corpus; end++) {
            exact |= finding[end].exact;
            if (finding[end].name == file->name || (end > i && finding[end].name == finding[end - 1].name)) continue;
            elsewhere = true;
            if (other_add(r, &finding[end]) < 0) return -ENOMEM;
        }
        row->exact += exact;
        row->near += !exact;
        row->elsewhere += elsewhere;
    }
    return 0;
}

static bool is_before(const struct reading *r, const struct membership_copy *a, const struct membership_copy *b)
{
    if (a->exact + a->near != b->exact + b->near) return a->exact + a->near > b->exact + b->near;
    return r->rank[a->other] < r->rank[b->other];
}

/* Its `top` others of each corpus, most files first. */
static int copies_add(struct reading *r, const struct member *repository)
{
    const struct other *other;
    const uint32_t      top = r->job->options->top;
    size_t              first = r->copies.count;

    others_merge(&r->others);
    other = (const struct other *)(const void *)r->others.at;
    for (size_t i = 0; i < r->others.count && top; i++) {
        const struct membership_copy new = { repository->dataset, other[i].corpus, repository->name, other[i].name,
                                             other[i].exact, other[i].near };
        struct membership_copy      *copy;
        size_t                       at;

        if (i && other[i].corpus != other[i - 1].corpus) first = r->copies.count;
        copy = (struct membership_copy *)(void *)r->copies.at;
        if (r->copies.count - first == top && !is_before(r, &new, &copy[r->copies.count - 1])) continue;
        if (r->copies.count - first < top && !list_add(&r->copies)) return -ENOMEM;
        copy = (struct membership_copy *)(void *)r->copies.at;
        for (at = r->copies.count - 1; at > first && is_before(r, &new, &copy[at - 1]); at--) copy[at] = copy[at - 1];
        copy[at] = new;
    }
    r->others.count = r->others.merged = 0;
    return 0;
}

static int member_order(const void *a, const void *b, void *rank)
{
    const struct member *x = a, *y = b;
    const uint32_t      *of = rank;

    if (x->dataset != y->dataset) return x->dataset < y->dataset ? -1 : 1;
    return (of[x->name] > of[y->name]) - (of[x->name] < of[y->name]);
}

static int members_count(struct reading *r, const struct member *member)
{
    for (size_t f = 0; f < r->index->file_count; f++) {
        r->findings.count = 0;
        if (findings_of_text(r, member[f].text, member[f].layout) < 0 || findings_of_class(r, member[f].class_id) < 0 ||
            file_count(r, &member[f]) < 0) return -ENOMEM;
        if (f + 1 < r->index->file_count && member_order(&member[f], &member[f + 1], r->rank) == 0) continue;
        if (copies_add(r, &member[f]) < 0) return -ENOMEM;
    }
    return 0;
}

static int files_count(struct reading *r, struct err *err)
{
    struct member    *member = calloc(r->index->file_count + 1, sizeof *member);
    struct files_walk walk = { 0 };
    int               rc;

    if (!member) return err_memory(err, r->index->file_count * sizeof *member, "the benchmarks' files");
    for (size_t f = 0; f < r->index->file_count; f++) {
        const struct repository_file *file = &r->index->file[f];

        member[f] = (struct member){ file->dataset, file->name, file->text, file->layout, r->near
                                     ? class_of_file(r, file, &walk) : NO_CLASS };
    }
    if (r->index->file_count) qsort_r(member, r->index->file_count, sizeof *member, member_order, r->rank);
    rc = members_count(r, member) < 0 ? err_memory(err, r->findings.room * sizeof(struct finding),
                                                   "the copies of a file") : 0;
    free(member);
    return rc;
}

/* ---- all together ---- */

static int name_order(const void *a, const void *b, void *index)
{
    return slice_compare(repository_name(index, *(const uint32_t *)a), repository_name(index, *(const uint32_t *)b));
}

static int names_rank(struct reading *r, struct err *err)
{
    size_t    count = r->index->name_count;
    uint32_t *name = calloc(count + 1, sizeof *name);

    r->rank = calloc(count + 1, sizeof *r->rank);
    if (!name || !r->rank) {
        free(name);
        return err_memory(err, count * 2 * sizeof *name, "names of repositories");
    }
    for (uint32_t i = 0; i < count; i++) name[i] = i;
    if (count) qsort_r(name, count, sizeof *name, name_order, r->index);
    for (uint32_t i = 0; i < count; i++) r->rank[name[i]] = i;
    free(name);
    return 0;
}

static int row_order(const void *a, const void *b, void *rank)
{
    const struct membership *x = a, *y = b;
    const uint32_t          *of = rank;

    if (x->benchmark != y->benchmark) return x->benchmark < y->benchmark ? -1 : 1;
    if (x->name != y->name) return of[x->name] < of[y->name] ? -1 : 1;
    return (x->corpus > y->corpus) - (x->corpus < y->corpus);
}

static void result_finish(struct reading *r)
{
    struct repository_result *result = r->result;
    const struct ratio        share = r->job->options->share;

    result->row = (struct membership *)(void *)r->rows.at;
    result->count = r->rows.count;
    result->copy = (struct membership_copy *)(void *)r->copies.at;
    result->copy_count = r->copies.count;
    if (result->count && r->rank) qsort_r(result->row, result->count, sizeof *result->row, row_order, r->rank);
    for (size_t i = 0; i < result->count; i++) {
        struct membership *row = &result->row[i];

        row->by_content = row->exact + row->near && (row->exact + row->near) * share.den >= row->files * share.num;
    }
}

int repository_result_read(struct repository_job *job, const struct near_result *near, struct repository_result *out,
                           struct err *err)
{
    struct reading r = { .job = job, .near = near, .index = job->index, .result = out,
                         .sightings = { .size = sizeof(struct sighting) },
                         .findings = { .size = sizeof(struct finding) }, .others = { .size = sizeof(struct other) },
                         .rows = { .size = sizeof(struct membership) },
                             .copies = { .size = sizeof(struct membership_copy) },
                         .links = { .size = sizeof(struct near_link) } };
    struct pass    pass = { .run = job->run, .scanner = { repository_scanner(job) } };
    size_t         names = job->index->name_count;          /* those of benchmarks; sightings add others */
    int            rc = 0;

    *out = (struct repository_result){ .index = job->index };
    for (uint32_t d = 0; d < job->run->dataset_count && rc == 0; d++)
        if (job->run->datasets[d].role == ROLE_CORPUS) rc = corpus_take(&r, &pass, d, names, err);
    if (rc == 0 && near) rc = near_take(&r, err);
    if (rc == 0) rc = names_rank(&r, err);
    if (rc == 0) sightings_merge(&r);
    if (rc == 0) rc = files_count(&r, err);
    result_finish(&r);
    free(r.sightings.at);
    free(r.findings.at);
    free(r.links.at);
    table_free(&r.row_at);
    free(r.others.at);
    free(r.rank);
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
