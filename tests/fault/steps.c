/* Linked with the whole program: one step of one capability fails on one rank alone, behind its last collective call.
 *   FAULT_STEP="near enter"   the capability's name and begin, enter, leave, work, ask or finish; also a step that the
 *                             capability has not
 *   FAULT_RANK=r              the rank
 *   FAULT_HOW=assert|signal   not by an error, but by an assertion, or by SIGTERM
 * The descriptors are constants that the program knows by their addresses: they are written over before main. */
#include "config/capabilities.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CAPABILITIES_MOST = 64 };

static struct capability real[CAPABILITIES_MOST];           /* as they were, by their place in the table */

static const struct capability *real_of(const struct task *task)
{
    size_t i = 0;

    while (capabilities[i] != task->of) i++;
    return &real[i];
}

static int fail_here(int rc, const struct task *task, const struct run *run, const char *step, struct err *err)
{
    const char *wanted = getenv("FAULT_STEP"), *rank = getenv("FAULT_RANK"), *how = getenv("FAULT_HOW");
    char        here[64];

    snprintf(here, sizeof here, "%s %s", task->of->name, step);
    if (rc != 0 || !wanted || !rank || strcmp(wanted, here) != 0 || atoi(rank) != comm_rank(run->comm)) return rc;
    assert(!how || strcmp(how, "assert") != 0);
    if (how) raise(SIGTERM);
    return err_set(err, -EIO, "%s fails on rank %s alone", here, rank);
}

static int begin(struct task *task, const struct run *run, struct err *err)
{
    const struct capability *of = real_of(task);

    return fail_here(of->begin ? of->begin(task, run, err) : 0, task, run, "begin", err);
}

static int enter(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    const struct capability *of = real_of(task);

    return fail_here(of->enter ? of->enter(task, run, pass, err) : 0, task, run, "enter", err);
}

static int leave(struct task *task, const struct run *run, const struct pass *pass, bool well, struct err *err)
{
    const struct capability *of = real_of(task);

    return fail_here(of->leave ? of->leave(task, run, pass, well, err) : 0, task, run, "leave", err);
}

static int work(struct task *task, const struct run *run, struct err *err)
{
    const struct capability *of = real_of(task);

    return fail_here(of->work ? of->work(task, run, err) : 0, task, run, "work", err);
}

static int ask(struct task *task, const struct run *run, sqlite3 *db, struct contents *given, struct err *err)
{
    const struct capability *of = real_of(task);

    return fail_here(of->ask ? of->ask(task, run, db, given, err) : 0, task, run, "ask", err);
}

static int finish(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    const struct capability *of = real_of(task);

    return fail_here(of->finish ? of->finish(task, run, build, err) : 0, task, run, "finish", err);
}

__attribute__((constructor)) static void replace(void)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

    for (size_t i = 0; capabilities[i]; i++) {
        struct capability *of = (struct capability *)(uintptr_t)capabilities[i];
        const uintptr_t    from = (uintptr_t)of & ~(page - 1), to = ((uintptr_t)(of + 1) + page - 1) & ~(page - 1);

        if (i == CAPABILITIES_MOST || mprotect((void *)from, to - from, PROT_READ | PROT_WRITE) < 0) _exit(125);
        real[i] = *of;
        of->begin = begin, of->enter = enter, of->leave = leave, of->work = work, of->finish = finish;
        of->ask = ask;
    }
}
