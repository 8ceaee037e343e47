/* portrait/capability.c -- membership filters as a capability; see capability/capability.h. */
#include "portrait/task.h"

#include "base/log.h"
#include "portrait/check.h"
#include "portrait/report.h"

#include <stdio.h>

static int portrait_enter(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    struct portrait_task *portrait = task->state;

    portrait->job = (struct portrait_job){ .run = run, .member = portrait->member, .options = &portrait->options };
    return pass_add(pass, portrait_scanner(&portrait->job), err);
}

static int portrait_leave(struct task *task, const struct run *run, const struct pass *pass, bool well, struct err *err)
{
    struct portrait_job *job = &((struct portrait_task *)task->state)->job;
    int                  rc = well ? portrait_make(job, err) : 0;

    (void)run, (void)pass;
    if (rc == 0 && well)
        log_info("portrait: insertions=%llu bytes=%llu hashes=%u rate=%.3g seconds=%.2f",
                 (unsigned long long)job->head.insertions, (unsigned long long)job->head.blocks * PORTRAIT_BLOCK,
                 job->head.hashes, job->head.computed, job->seconds);
    return rc;
}

static int portrait_count(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    (void)run;
    return pass_add(pass, portrait_scanner(&((struct portrait_task *)task->state)->job), err);
}

static void portrait_tell(const struct task *task, struct settings *settings)
{
    const struct portrait_job  *job = &((const struct portrait_task *)task->state)->job;
    const struct portrait_head *head = &job->head;
    const struct { const char *key; uint64_t value; } number[] = {
        { "portrait.width", head->width },           { "portrait.stride", head->stride },
        { "portrait.hashes", head->hashes },         { "portrait.bytes", head->blocks * PORTRAIT_BLOCK },
        { "portrait.shards", head->shards },         { "portrait.documents", head->documents },
        { "portrait.insertions", head->insertions }, { "portrait.set_bits", head->set_bits },
        { "portrait.probes", head->probes },         { "portrait.probe_hits", head->probe_hits },
    };

    settings_add_text(settings, "portrait.name", slice_of(job->options->name));
    settings_add_text(settings, "portrait.kind", slice_of(portrait_kind_names[head->kind]));
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        settings_add_number(settings, number[i].key, number[i].value);
    settings_add_format(settings, "portrait.rate", "%.6g", head->computed);
    settings_add_format(settings, "portrait.xxh3", "%016llx", (unsigned long long)head->head_xxh3);
    settings_add_seconds(settings, "seconds.portrait", job->seconds);
}

static int portrait_say(const struct task *task, const struct graph *graph, struct err *err)
{
    const struct portrait_job *job = &((const struct portrait_task *)task->state)->job;

    (void)graph, (void)err;
    printf("portrait  %s/%s.portrait\n", job->run->output, job->options->name);
    return 0;
}

static void portrait_release(struct task *task) { portrait_settings_free(task->state); }

const struct capability portrait_capability = {
    .name = "portrait", .key = "portrait", .brief = "the making of a membership filter", .traits = CAPABILITY_CORPORA,
    .state_size = sizeof(struct portrait_task), .read = portrait_read, .print = portrait_print, .help = portrait_help,
    .enter = portrait_enter, .leave = portrait_leave, .count = portrait_count, .tell = portrait_tell,
    .say = portrait_say, .report = { .add = portrait_add }, .verify = portrait_verify,
        .release = portrait_release,
};
