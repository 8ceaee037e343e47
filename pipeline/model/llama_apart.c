/* model/llama_apart.c -- see llama_apart.h.
 *
 * A fork of a process with threads and MPI may not do much, so the program is started anew: a constructor, which is
 * before main and so before MPI, finds the file's name in the environment, loads the file and ends.  The name is only
 * believed with the number of the process that is the parent. */
#include "model/llama_apart.h"

#ifdef HAVE_LLAMA

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <llama.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME "LEAKGRAPH_LOAD_APART"

extern char **environ;

/* ---- in the process of its own ---- */

/* What it says goes to the parent through standard output. */
static void say_end(const char *text)
{
    ssize_t written = write(STDOUT_FILENO, text, strcspn(text, "\n"));

    (void)written;
}

static void say_nothing(enum ggml_log_level level, const char *text, void *unused)
{
    (void)level, (void)text, (void)unused;
}

/* All that is done with a model before its first evaluation. */
static void load(const char *path)
{
    struct llama_model_params   params = llama_model_default_params();
    struct llama_context_params small = llama_context_default_params();
    struct llama_model         *model;
    struct llama_context       *context;
    llama_token                 token[64];

    llama_library_start();
    llama_log_set(say_nothing, NULL);
    ggml_set_abort_callback(say_end);
    params.check_tensors = false;
    params.use_extra_bufts = false;                         /* no copy of the weights in another layout */
    small.n_ctx = small.n_batch = small.n_ubatch = 32;
    small.n_threads = small.n_threads_batch = 1;
    small.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
    if (!(model = llama_model_load_from_file(path, params))) return;
    llama_tokenize(llama_model_get_vocab(model), "int x = 1;\n", 11, token, 64, false, false);
    if (llama_vocab_type(llama_model_get_vocab(model)) != LLAMA_VOCAB_TYPE_NONE && llama_model_has_decoder(model) &&
        !llama_model_has_encoder(model) && (context = llama_init_from_model(model, small))) llama_free(context);
    llama_model_free(model);
}

static __attribute__((constructor)) void load_and_end(void)
{
    const struct rlimit no_core = { 0 };
    const char         *said = getenv(NAME), *path = said ? strchr(said, ':') : NULL;

    if (!path || strtol(said, NULL, 10) != (long)getppid()) return;
    setrlimit(RLIMIT_CORE, &no_core);
    load(path + 1);
    _exit(0);
}

/* ---- in this one ---- */

/* The environment and the file's name, for the child; NULL when memory is out. */
static char **environment(const char *path, char *name, size_t room)
{
    size_t count = 0;
    char **out;

    while (environ[count]) count++;
    if (!(out = calloc(count + 2, sizeof *out))) return NULL;
    snprintf(name, room, NAME "=%ld:%s", (long)getpid(), path);
    memcpy(out, environ, count * sizeof *out);
    out[count] = name;
    return out;
}

static int start(pid_t *child, const char *path, int out)
{
    static char               self[] = "leakgraph";
    char                      name[PATH_MAX + 64], *words[] = { self, NULL };
    posix_spawn_file_actions_t actions;
    char                    **variables = environment(path, name, sizeof name);
    int                       failed;

    if (!variables) return -ENOMEM;
    if ((failed = posix_spawn_file_actions_init(&actions)) == 0) {
        failed = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
        if (!failed) failed = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        if (!failed) failed = posix_spawn(child, "/proc/self/exe", &actions, NULL, words, variables);
        posix_spawn_file_actions_destroy(&actions);
    }
    free(variables);
    return -failed;
}

int llama_apart(const char *path, struct err *err)
{
    char    said[200];
    size_t  len = 0;
    ssize_t got;
    int     ends[2], status = 0, rc;
    pid_t   child;

    if (strlen(path) >= PATH_MAX) return err_set(err, -ENAMETOOLONG, "%s: the name is too long", path);
    if (pipe2(ends, O_CLOEXEC) < 0) return err_set(err, -errno, "%s: no pipe: %s", path, strerror(errno));
    rc = start(&child, path, ends[1]);
    close(ends[1]);
    while (rc == 0 && ((got = read(ends[0], said + len, sizeof said - 1 - len)) > 0 || (got < 0 && errno == EINTR)))
        len += got > 0 ? (size_t)got : 0;
    said[len] = '\0';
    close(ends[0]);
    if (rc < 0) return err_set(err, rc, "%s: no process to load it in: %s", path, strerror(-rc));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFSIGNALED(status))
        return err_set(err, -EBADMSG, "%s: llama.cpp ends on it by signal %d%s%s", path, WTERMSIG(status),
                       len ? ": " : "", said);
    if (WEXITSTATUS(status))
        return err_set(err, -EBADMSG, "%s: llama.cpp ends on it with status %d", path, WEXITSTATUS(status));
    return 0;
}

#else

int llama_apart(const char *path, struct err *err)
{
    (void)path, (void)err;
    return 0;
}

#endif
