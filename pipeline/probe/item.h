/* probe/item.h -- the texts that models are asked about, collected from the probed datasets, and one of them put to one
 * model. */
#ifndef LEAKGRAPH_PROBE_ITEM_H
#define LEAKGRAPH_PROBE_ITEM_H

#include "probe/probe.h"
#include "pass/pass.h"

struct probe_item  { uint64_t record; struct slice text; uint32_t shard, known; };
/* In the order of (shard, record); the texts are in the units, which stay mapped. */
struct probe_items { struct probe_item *at; size_t count, room; struct pass_units units; };

/* Reads the probed datasets, resuming what is committed, and maps their items on every rank.  Collective.  0, or <0
 * with err set; *out is to be freed either way. */
int  probe_items_collect(const struct probe_job *job, struct probe_items *out, struct err *err);
/* not collective: of what was collected before */
int  probe_items_map(const struct probe_job *job, struct probe_items *out, struct err *err);
void probe_items_free(struct probe_items *items);

/* What a unit holds of one item: numbers, and why some are missing (metric METRIC_COUNT: all). */
struct probe_answer { uint32_t item, metric; double value; };
struct probe_lack   { uint32_t item, metric; char reason[160]; };
_Static_assert(sizeof(struct probe_answer) == 16 && sizeof(struct probe_lack) == 168, "unit format");

/* Buffers of one thread; a zeroed struct is ready. */
struct probe_scratch {
    struct bytes        collapsed, lower, reason;
    struct model_score *score;
    size_t              room;
    struct window_loss *window;
    size_t              window_room;
};
void probe_scratch_free(struct probe_scratch *scratch);

/* Asks all metrics of the options but those of two models; item number `number` of its unit.  Appends struct
 * probe_answer and struct probe_lack.  0; what the model returned but -ENODATA, -ENOMEM, with err set. */
int probe_item_ask(struct model_session *session, const struct model_info *info, const struct probe_options *options,
                   struct slice text, uint32_t number,
                   struct probe_scratch *scratch, struct bytes *answers, struct bytes *lacks, struct err *err);

/* Sums over the tokens of a text that are scored, all but its first, in windows of the options' stride.  0; what the
 * model returned, -ENOMEM, with err set. */
struct nll_sums;
int probe_text_score(struct model_session *session, const struct model_info *info, const struct probe_options *options,
                     struct slice text, struct probe_scratch *scratch, struct nll_sums *out, struct err *err);

/* Counts what is missing; of the first of a model and metric with its reason.  0 or -ENOMEM with err set. */
int probe_gap_add(struct probe_result *out, uint32_t model, const struct probe_lack *lack, struct err *err);

/* ---- units of answers: PROBE_BLOCK items of one shard and a model ---- */

enum { PROBE_BLOCK = 16 };

struct probe_block { size_t first, count; };                /* items */
/* Of all items, in order; owned by the caller.  0 or -ENOMEM. */
int probe_blocks(const struct probe_items *items, struct probe_block **out, size_t *count, struct err *err);

/* Of everything that a block's answers depend on: its texts, the model, the options, the program. */
struct unit_key probe_block_key(const struct probe_job *job, const struct model_info *model,
                                const struct probe_items *items, const struct probe_block *block);
#define PROBE_UNIT "probed"

#endif
