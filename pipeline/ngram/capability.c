/* ngram/capability.c -- the published n-gram rules as a capability; see capability/capability.h. */
#include "ngram/task.h"

#include "ngram/report.h"
#include "ngram/tables.h"

#include <stdio.h>

static bool ngram_wants_items(const struct task *task) { (void)task; return true; }

static int ngram_enter(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    struct ngram_task *ngram = task->state;

    ngram->job = ngram_job_of(run, &ngram->options);
    if (ngram_prepare(&ngram->job, err) < 0) return err->code;
    ngram_warn_scan(&ngram->job);
    return pass_add(pass, ngram_scanner(&ngram->job), err);
}

static int ngram_leave(struct task *task, const struct run *run, const struct pass *pass, bool well, struct err *err)
{
    (void)run, (void)pass, (void)well, (void)err;
    ngram_release(&((struct ngram_task *)task->state)->job);
    return 0;
}

static int ngram_count(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    (void)run;
    return pass_add(pass, ngram_scanner(&((struct ngram_task *)task->state)->job), err);
}

static int ngram_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct ngram_task *ngram = task->state;
    const int          rc = ngram_result_read(&ngram->job, &ngram->result, err);

    (void)run;
    return rc < 0 ? rc : graph_add_ngrams(build, &ngram->job, &ngram->result, err);
}

static void ngram_tell(const struct task *task, struct settings *settings)
{
    const struct ngram_options *o = &((const struct ngram_task *)task->state)->options;
    char                        sizes[NGRAM_SIZES * 12 + 1] = "";
    static const char *const    letters[] = { "source", "keep", "fold" };
    size_t                      used = 0;

    for (size_t i = 0; i < o->sizes; i++)
        used += (size_t)snprintf(sizes + used, sizeof sizes - used, "%s%u", i ? "," : "", o->n[i]);
    settings_add_text(settings, "ngrams.n", slice_of(sizes));
    settings_add_text(settings, "ngrams.unit", slice_of(o->unit == NGRAM_TOKENS ? "tokens" : "words"));
    settings_add_text(settings, "ngrams.case", slice_of(letters[o->letters]));
    settings_add_text(settings, "ngrams.short", slice_of(o->whole ? "whole" : "undecided"));
    settings_add_number(settings, "ngrams.max_df", o->max_df);
    settings_add_number(settings, "ngrams.cap", o->cap);
}

static void ngram_free(struct task *task)
{
    struct ngram_task *ngram = task->state;

    ngram_result_free(&ngram->result);
    ngram_settings_free(ngram);
}

/* ---- what rules may ask: of fields and corpora, the largest value ---- */

/* Where the longest run of its words is. */
static const char ngram_match[] =
    "SELECT 'ngram', NULL, corpus, run_shard, run_record, run_path FROM ngrams WHERE snippet = ?1 AND run_shard IS NOT "
    "NULL ORDER BY longest_run + n DESC, n, rowid";

static const struct rule_column ngram_columns[] = {
    { "gpt3_13gram", "r1", 0, ngram_match }, { "palm_8gram", "r2", 0, ngram_match },
    { "llama3_8gram", "r3", 0, ngram_match }, { "tulu3_8gram", "r4", 0, ngram_match },
    { "exact_substring", "r5", 0, ngram_match }, { "windows50", "r6", 0, ngram_match },
    { "qwen_lcs", "r7", 0, ngram_match }, { "idf_weighted", "r8", 0, ngram_match },
    { "decon_5gram", "r9", 0, ngram_match }, { NULL, NULL, 0, NULL },
};
enum ngram_column {
    COLUMN_GPT3, COLUMN_PALM, COLUMN_LLAMA3, COLUMN_TULU3, COLUMN_SUBSTRING, COLUMN_WINDOWS, COLUMN_QWEN, COLUMN_IDF,
    COLUMN_DECON
};

static const char rules_tables[] =
    "rules AS (SELECT snippet, max(gpt3_13gram) AS r1, max(palm_8gram) AS r2, max(llama3_8gram) AS r3, "
    "max(tulu3_8gram) AS r4, max(exact_substring) AS r5, max(windows50) AS r6, max(qwen_lcs) AS r7, max(idf_weighted) "
    "AS r8, max(decon_5gram) AS r9 FROM ngram_rules GROUP BY snippet)";

static bool has_n(const struct ngram_options *options, uint32_t n)
{
    for (size_t i = 0; i < options->sizes; i++)
        if (options->n[i] == n) return true;
    return false;
}

static const char *ngram_lacks(const struct config *config, size_t column)
{
    const struct ngram_options *o = &ngram_task(config)->options;
    const bool                  on = config_has(config, &ngram_capability);

    switch ((enum ngram_column)column) {
    case COLUMN_GPT3:
    case COLUMN_QWEN:      return on && has_n(o, 13) ? NULL : "ngrams with 13 in its n";
    case COLUMN_PALM:
    case COLUMN_LLAMA3:
    case COLUMN_TULU3:     return on && has_n(o, 8) ? NULL : "ngrams with 8 in its n";
    case COLUMN_SUBSTRING:
    case COLUMN_WINDOWS:   return on && o->unit == NGRAM_WORDS ? NULL : "ngrams with `unit: words`";
    case COLUMN_DECON:     return on && has_n(o, 5) ? NULL : "ngrams with 5 in its n";
    case COLUMN_IDF:       break;
    }
    return on ? NULL : "ngrams";
}

/* ---- gates: a rule of table ngram_rules each ----
 * An n-gram of so many words, or of the item's where it has fewer, takes a byte for each and one between them, so no
 * more documents of the corpus can have one than have room for it in all of its bytes. */

#define ROOM_WORDS(n) \
    "(2 * max(1, (SELECT avg(min(g.words, " #n ")) FROM ngrams AS g JOIN snippets AS i ON i.id = g.snippet WHERE " \
    "g.corpus = r.corpus AND i.dataset = s.dataset)) - 1)"
#define ROOM_BYTES(n) #n
#define RULE(column, room) \
    { column, \
      "exit status 3 when more than so many percent of a benchmark's items meet the rule " column " in a corpus, in " \
      "any field", NULL, \
      "SELECT s.dataset, r.corpus, count(DISTINCT iif(r." column " = 1, r.snippet, NULL)), w.documents, " \
      "count(DISTINCT iif(r." column " IS NULL, NULL, r.snippet)), w.whole, " \
      "printf('of the items of %s meet " column " in %s', s.dataset, r.corpus), c.documents, c.bytes, " \
      "min(c.documents, CAST(c.bytes / " room " AS INTEGER)), NULL " \
      "FROM ngram_rules AS r JOIN snippets AS s ON s.id = r.snippet JOIN " GATE_RECORDS " AS w " \
      "ON w.dataset = s.dataset JOIN (SELECT dataset, sum(documents) AS documents, sum(bytes) AS bytes FROM splits " \
      "GROUP BY dataset) AS c ON c.dataset = r.corpus GROUP BY s.dataset, r.corpus ORDER BY min(r.rowid)", 0 }

static const struct gate ngram_gates[] = {
    RULE("gpt3_13gram", ROOM_WORDS(13)), RULE("palm_8gram", ROOM_WORDS(8)), RULE("tulu3_8gram", ROOM_WORDS(8)),
    RULE("exact_substring", ROOM_WORDS(3)), RULE("windows50", ROOM_BYTES(50)), RULE("qwen_lcs", ROOM_WORDS(13)),
    { .key = NULL },
};

/* A gate is of the rule of its name. */
static const char *ngram_gate_lacks(const struct config *config, const struct gate *gate)
{
    return ngram_lacks(config, rule_column_at(ngram_columns, gate->key));
}

static const struct terminal_table ngram_answer[] = {
    { "n-gram rules: percent of the items that each flags",
      "SELECT benchmark, field, corpus, items, gpt3_13gram_percent AS gpt3, palm_8gram_percent AS palm, "
      "tulu3_8gram_percent AS tulu3, exact_substring_percent AS substring, windows50_percent AS windows50, "
      "qwen_lcs_percent AS qwen FROM ngram_contamination", "ngram_contamination", "there was no item to look for" },
    { .title = NULL },
};

#define BY_FIELD "benchmark, '', corpus, '', field"
static const struct change_part ngram_changes[] = {
    { "ngrams",
      CHANGE_ONCE("ngram_contamination")
      CHANGE_ROWS(BY_FIELD, "gpt3_13gram %", CHANGE_REAL("gpt3_13gram_percent"), "NULL", "once") " UNION ALL "
      CHANGE_ROWS(BY_FIELD, "palm_8gram %", CHANGE_REAL("palm_8gram_percent"), "NULL", "once") " UNION ALL "
      CHANGE_ROWS(BY_FIELD, "tulu3_8gram %", CHANGE_REAL("tulu3_8gram_percent"), "NULL", "once") " UNION ALL "
      CHANGE_ROWS(BY_FIELD, "exact_substring %", CHANGE_REAL("exact_substring_percent"), "NULL", "once") " UNION ALL "
      CHANGE_ROWS(BY_FIELD, "windows50 %", CHANGE_REAL("windows50_percent"), "NULL", "once") " UNION ALL "
      CHANGE_ROWS(BY_FIELD, "qwen_lcs %", CHANGE_REAL("qwen_lcs_percent"), "NULL", "once") " UNION ALL "
      CHANGE_ROWS(BY_FIELD, "llama3_8gram mean", CHANGE_REAL("llama3_8gram_mean"), "NULL", "once") " UNION ALL "
      CHANGE_ROWS(BY_FIELD, "idf_weighted mean", CHANGE_REAL("idf_weighted_mean"), "NULL", "once") " UNION ALL "
      CHANGE_ROWS(BY_FIELD, "decon_5gram mean", CHANGE_REAL("decon_5gram_mean"), "NULL", "once"), false },
    { .key = NULL },
};

const struct capability ngram_capability = {
    .name = "ngrams", .key = "ngrams", .brief = "the n-gram rules", .traits = CAPABILITY_CORPORA,
    .gates = ngram_gates, .gate_lacks = ngram_gate_lacks, .answer = ngram_answer, .tables = ngram_tables,
    .state_size = sizeof(struct ngram_task), .changes = ngram_changes,
    .read = ngram_read, .print = ngram_print, .help = ngram_help,
    .wants_items = ngram_wants_items,
    .rules = { ngram_columns, rules_tables, "LEFT JOIN rules AS r ON r.snippet = s.id", ngram_lacks, NULL },
    .enter = ngram_enter, .leave = ngram_leave, .count = ngram_count,
    .collect = ngram_collect, .tell = ngram_tell, .report = { .add = ngrams_add },
    .release = ngram_free,
};
