/* generate/generate.h -- texts that models write by themselves, for studies of what they repeat (Yang et al., ICSE
 * 2024, section 3; docs/definitions.md, "Outputs of models").
 *
 * Output number i of a model depends on the model, the options and i alone; blocks of outputs are units.  The outputs
 * go to one file of JSON lines a model, which any scanner reads as a dataset. */
#ifndef LEAKGRAPH_GENERATE_GENERATE_H
#define LEAKGRAPH_GENERATE_GENERATE_H

#include "base/comm.h"
#include "base/stage.h"
#include "corpus/dataset.h"
#include "model/model.h"
#include "pass/run.h"

enum generate_prompt {
    PROMPT_NONE,                                            /* the model's begin of text */
    /* a document of `from` up to and with its first function's head */
    PROMPT_HEAD,
    PROMPT_LINES,                                           /* its first `lines` lines */
    /* two-step: the blocks of lines that outputs of a first run repeated, most frequent first */
    PROMPT_BLOCKS,
};

/* How the temperature falls over the first new tokens: in the published code from 10 over 20 tokens, in the paper from
 * 20 by 1 a token; down to the given one (1 there). */
enum generate_decay { DECAY_NONE, DECAY_PUBLISHED, DECAY_PAPER };

struct generate_options {
    int                   prompt;                           /* enum generate_prompt */
    /* dataset whose documents give the prompts (HEAD, LINES); run folder of the first step (BLOCKS); else '' */
    char                 *from;
    char                 *language;                         /* of the outputs; '': not known */
    uint32_t              lines;
    int                   decay;                            /* enum generate_decay */
    /* of each model; prompts are taken in turn, each as often as needed */
    uint64_t              outputs;
    struct model_sampling sampling;                         /* with the decay */
};

/* What graph.db keeps of an output beside its text. */
struct generate_output { uint64_t number; int64_t prompt; uint32_t model, tokens; bool stopped, refused; };

struct generate_job {
    const struct run *run;
    size_t                         dataset_count;          /* those before the datasets of outputs */
    const struct model_options    *model;                   /* [models] */
    size_t                         models;
    const struct generate_options *options;
    uint64_t                       prompts, without;        /* out: texts that gave a prompt; that have none */
    uint64_t                       made, reused;            /* out: blocks of outputs */
    /* out, on rank 0: [output_count] by model and number; generate_release frees them */
    struct generate_output        *output;
    size_t                         output_count;
};

#define GENERATE_FOLDER "generations"

/* Collective.  Writes generations/MODEL.jsonl.zst for each model: {"id": "output:i", "model", "output": i, "prompt":
 * its number, from 0, -1 without one, "text": what the model wrote, "tokens": how many of its own, "stopped": whether
 * it ended by itself}, bytes that are not UTF-8 as U+FFFD; where a model cannot take the prompt (-ENODATA) the text is
 * empty, and "refused" says why.  A file that holds just that already is not touched, so that what a scan made of it
 * stays good.  0, or <0 with err set (-EDQUOT as in probe_run; -EINVAL: no text of `from` has a prompt). */
int  generate_run(struct generate_job *job, struct err *err);
void generate_release(struct generate_job *job);            /* accepts a zeroed job */

void generate_decay(struct model_sampling *sampling, enum generate_decay decay);

/* The prompt of a text, a part from its beginning; empty: it has none.  Line feeds are collapsed already
 * (metric_collapse). head: of Python, up to and with the head of the first function in breadth-first order
 * (docs/definitions.md, "Outputs of models"), and with the first line of its docstring; texts that Python's tokenizer
 * would refuse, those without a function and prompts of more than 220 pieces between spaces have none. */
struct slice prompt_head(struct slice text);
struct slice prompt_lines(struct slice text, uint32_t lines);           /* lines > 0 */

#endif
