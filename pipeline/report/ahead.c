/* report/ahead.c -- see ahead.h. */
#include "report/ahead.h"

#include <pthread.h>
#include <stdlib.h>

enum ahead_state { AHEAD_FREE, AHEAD_ASKED, AHEAD_THERE, AHEAD_TAKEN };

struct ahead_table {
    const struct query_table *table;
    enum ahead_state          state;
    struct report_node       *section;                      /* of the document aside: its children are the table's */
    struct query_rows         rows;
};

struct ahead {
    /* What is below the lock is changed with it; the document is the other thread's, until a table is there. */
    struct report_document document;
    pthread_mutex_t        lock;
    pthread_cond_t         changed;
    bool                   enough;
    size_t                 count;
    struct ahead_table     table[];
};

/* How many tables the parts say; they are written where there is room. */
static size_t tables_list(const struct report_part *const *part, struct ahead_table *out)
{
    size_t count = 0;

    for (size_t p = 0; part[p]; p++)
        for (const struct query_table *const *table = part[p]->ahead; table && *table; table++, count++)
            if (out) out[count].table = *table;
    return count;
}

int ahead_open(struct report_document *out, const struct report_part *const *part, struct err *err)
{
    const size_t  count = tables_list(part, NULL);
    struct ahead *ahead = calloc(1, sizeof *ahead + count * sizeof *ahead->table);

    if (!ahead) return err_memory(err, count * sizeof *ahead->table, "the report");
    report_open(&ahead->document, "");
    ahead->document.mask = out->mask;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    ahead->count = tables_list(part, ahead->table);
    out->ahead = ahead;
    return 0;
}

void ahead_close(struct report_document *out)
{
    struct ahead *ahead = out->ahead;

    out->ahead = NULL;
    if (!ahead) return;
    report_close(&ahead->document);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->lock);
    free(ahead);
}

static void table_set(struct ahead *ahead, struct ahead_table *table, enum ahead_state state)
{
    pthread_mutex_lock(&ahead->lock);
    table->state = state;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
}

/* The first that nobody has, for who calls; NULL: none, or it is enough. */
static struct ahead_table *table_next(struct ahead *ahead)
{
    struct ahead_table *found = NULL;

    pthread_mutex_lock(&ahead->lock);
    for (size_t i = 0; i < ahead->count && !found && !ahead->enough; i++)
        if (ahead->table[i].state == AHEAD_FREE) found = &ahead->table[i];
    if (found) found->state = AHEAD_ASKED;
    pthread_mutex_unlock(&ahead->lock);
    return found;
}

void ahead_ask(struct ahead *ahead, sqlite3 *db)
{
    struct report_document *document = &ahead->document;

    for (struct ahead_table *next; (next = table_next(ahead)) != NULL;) {
        struct err unused = { 0 };
        int        rc;

        next->section = report_section(document, document->root, NULL, SLICE(""));
        rc = query_table_add(document, next->section, db, next->table, &next->rows, &unused);
        table_set(ahead, next, rc == 0 && !document->failed ? AHEAD_THERE : AHEAD_FREE);
        if (rc < 0 || document->failed) return;             /* the others would hardly fare better */
    }
}

void ahead_enough(struct ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    ahead->enough = true;
    pthread_mutex_unlock(&ahead->lock);
}

bool ahead_take(struct ahead *ahead, struct report_node *parent, const struct query_table *table,
                struct query_rows *rows)
{
    struct ahead_table *at = NULL;
    bool                there = false;

    for (size_t i = 0; ahead && i < ahead->count; i++)
        if (ahead->table[i].table == table) at = &ahead->table[i];
    if (!at) return false;
    pthread_mutex_lock(&ahead->lock);
    while (at->state == AHEAD_ASKED) pthread_cond_wait(&ahead->changed, &ahead->lock);
    there = at->state == AHEAD_THERE;
    at->state = AHEAD_TAKEN;
    pthread_mutex_unlock(&ahead->lock);
    if (!there) return false;
    report_adopt(parent, at->section);
    *rows = at->rows;
    return true;
}
