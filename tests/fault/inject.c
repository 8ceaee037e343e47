/* Preloaded into the program under test: makes the k-th call of a kind fail, once or from then on.
 *   FAULT_KIND=alloc|io|connect|signal   which calls are counted; signal: those of the program itself that a signal may
 *                         end with EINTR.  Every other one does, wherever FAULT_AT is
 *   FAULT_AT=k            which one fails, from 1; 0 or unset: none, only counting
 *   FAULT_STICKY=1        all later ones fail too (a full disk stays full)
 *   FAULT_ERRNO=n         errno of failing io calls (default EIO)
 *   FAULT_REPORT=path     at the end of the process "CALLS HITS" is written there
 *   FAULT_RANK=r          only on rank r of Open MPI's; counted are the calls of the program itself, not of libraries
 * Counting starts with main: what loaders and library constructors do is not the program's.  Calls on standard input,
 * output and error never fail, so that the message about the failure can be seen. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { KIND_ALLOC, KIND_IO, KIND_CONNECT, KIND_SIGNAL };

static _Atomic bool armed;
static _Atomic long calls, hits;
static enum kind    wanted;
static long         fail_at;
static int          io_errno = EIO;
static bool         sticky, here, program_only;
static uintptr_t    program_from, program_to;

/* glibc's own names for what we replace: asking dlsym for malloc would call malloc. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/* Libraries that cannot bear it: libarchive (3.6) reads through the entry that it could not allocate
 * (archive_entry_set_dev(NULL)), clang's OpenMP ends the process by itself.  Their own calls are left alone; those that
 * we make between theirs are not. */
static struct spared { const char *library; bool io; uintptr_t from, to; } spared[] = {
    { "libarchive.so", false, 0, 0 }, { "libomp.so", true, 0, 0 },
};
enum { SPARED_COUNT = sizeof spared / sizeof *spared };

static int meet_library(struct dl_phdr_info *library, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; !*library->dlpi_name && i < library->dlpi_phnum; i++) {
        if (library->dlpi_phdr[i].p_type != PT_LOAD || !(library->dlpi_phdr[i].p_flags & PF_X)) continue;
        program_from = library->dlpi_addr + library->dlpi_phdr[i].p_vaddr;
        program_to = program_from + library->dlpi_phdr[i].p_memsz;
    }
    for (size_t s = 0; s < SPARED_COUNT; s++) {
        if (!strstr(library->dlpi_name, spared[s].library)) continue;
        for (int i = 0; i < library->dlpi_phnum; i++) {
            if (library->dlpi_phdr[i].p_type != PT_LOAD || !(library->dlpi_phdr[i].p_flags & PF_X)) continue;
            spared[s].from = library->dlpi_addr + library->dlpi_phdr[i].p_vaddr;
            spared[s].to = spared[s].from + library->dlpi_phdr[i].p_memsz;
        }
    }
    return 0;
}

static bool is_spared(enum kind kind, uintptr_t caller)
{
    if (program_only) return caller < program_from || caller >= program_to;
    for (size_t s = 0; s < SPARED_COUNT; s++)
        if (caller >= spared[s].from && caller < spared[s].to && (kind == KIND_ALLOC || spared[s].io)) return true;
    return false;
}

static bool call_fails(enum kind kind, void *caller)
{
    if (!atomic_load_explicit(&armed, memory_order_relaxed) || kind != wanted) return false;
    if (is_spared(kind, (uintptr_t)caller)) return false;
    long call = atomic_fetch_add(&calls, 1) + 1;

    if (kind == KIND_SIGNAL && call % 2) {
        atomic_fetch_add(&hits, 1);
        errno = EINTR;
        return true;
    }
    if (kind == KIND_SIGNAL || fail_at == 0 || call < fail_at || (call > fail_at && !sticky)) return false;
    atomic_fetch_add(&hits, 1);
    errno = kind == KIND_ALLOC ? ENOMEM : io_errno;
    return true;
}

/* Within a function that stands for one of libc: whether this call of it fails. */
#define fails(kind) call_fails(kind, __builtin_return_address(0))
#define fails_slowly (fails(KIND_IO) || fails(KIND_SIGNAL))

/* ---- memory ---- */

void *malloc(size_t size)                    { return fails(KIND_ALLOC) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size)      { return fails(KIND_ALLOC) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size)        { return fails(KIND_ALLOC) ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size){ return fails(KIND_ALLOC) ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(KIND_ALLOC) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *at = fails(KIND_ALLOC) ? NULL : __libc_memalign(alignment, size);

    if (!at) return ENOMEM;
    *out = at;
    return 0;
}

/* ---- files: straight to the kernel ---- */

static bool standard(int file) { return file <= STDERR_FILENO; }

ssize_t read(int file, void *at, size_t size)
{
    return !standard(file) && fails_slowly ? -1 : syscall(SYS_read, file, at, size);
}

ssize_t write(int file, const void *at, size_t size)
{
    return !standard(file) && fails_slowly ? -1 : syscall(SYS_write, file, at, size);
}

ssize_t writev(int file, const struct iovec *piece, int count)
{
    return !standard(file) && fails_slowly ? -1 : syscall(SYS_writev, file, piece, count);
}

ssize_t pread(int file, void *at, size_t size, off_t offset)
{
    return fails_slowly ? -1 : syscall(SYS_pread64, file, at, size, offset);
}

ssize_t pwrite(int file, const void *at, size_t size, off_t offset)
{
    return fails_slowly ? -1 : syscall(SYS_pwrite64, file, at, size, offset);
}

ssize_t pread64(int file, void *at, size_t size, off64_t offset)
{
    return fails_slowly ? -1 : syscall(SYS_pread64, file, at, size, offset);
}

ssize_t pwrite64(int file, const void *at, size_t size, off64_t offset)
{
    return fails_slowly ? -1 : syscall(SYS_pwrite64, file, at, size, offset);
}

static mode_t mode_of(int flags, va_list list)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

#define OPEN(name)                                                                          \
    int name(const char *path, int flags, ...)                                              \
    {                                                                                       \
        va_list list;                                                                       \
        va_start(list, flags);                                                              \
        mode_t mode = mode_of(flags, list);                                                 \
        va_end(list);                                                                       \
        return fails_slowly ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode); \
    }
#define OPENAT(name)                                                                        \
    int name(int folder, const char *path, int flags, ...)                                  \
    {                                                                                       \
        va_list list;                                                                       \
        va_start(list, flags);                                                              \
        mode_t mode = mode_of(flags, list);                                                 \
        va_end(list);                                                                       \
        return fails_slowly ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);   \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int rename(const char *from, const char *to)
{
    return fails(KIND_IO) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int flock(int file, int operation)
{
    return fails_slowly ? -1 : (int)syscall(SYS_flock, file, operation);
}

int fsync(int file)                          { return fails_slowly ? -1 : (int)syscall(SYS_fsync, file); }
int ftruncate(int file, off_t size)          { return fails_slowly ? -1 : (int)syscall(SYS_ftruncate, file, size); }
int ftruncate64(int file, off64_t size)      { return fails_slowly ? -1 : (int)syscall(SYS_ftruncate, file, size); }

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    if (file >= 0 && fails(KIND_IO)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}

void *mmap64(void *at, size_t size, int protection, int flags, int file, off64_t offset)
{
    if (file >= 0 && fails(KIND_IO)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}

int connect(int file, const struct sockaddr *to, socklen_t size)
{
    return fails(KIND_CONNECT) ? -1 : (int)syscall(SYS_connect, file, to, size);
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*next)(const char *, const char *);

    *(void **)&next = dlsym(RTLD_NEXT, "fopen");
    return fails_slowly ? NULL : next(path, mode);
}

DIR *opendir(const char *path)
{
    DIR *(*next)(const char *);

    *(void **)&next = dlsym(RTLD_NEXT, "opendir");
    return fails_slowly ? NULL : next(path);
}

/* ---- arming ---- */

typedef int main_function(int, char **, char **);
static main_function *real_main;

static const char *const kinds[] = { [KIND_ALLOC] = "alloc", [KIND_IO] = "io", [KIND_CONNECT] = "connect",
                                     [KIND_SIGNAL] = "signal" };

static int armed_main(int argc, char **argv, char **environment)
{
    const char *kind = getenv("FAULT_KIND"), *at = getenv("FAULT_AT"), *number = getenv("FAULT_ERRNO");
    const char *rank = getenv("FAULT_RANK"), *mine = getenv("OMPI_COMM_WORLD_RANK");

    for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0) wanted = (enum kind)i;
    fail_at = at ? atol(at) : 0;
    if (number) io_errno = atoi(number);
    sticky = getenv("FAULT_STICKY") != NULL;
    dl_iterate_phdr(meet_library, NULL);
    program_only = rank != NULL || wanted == KIND_SIGNAL;
    here = !rank || (mine && strcmp(rank, mine) == 0);
    atomic_store(&armed, kind && here);
    return real_main(argc, argv, environment);
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("FAULT_REPORT");
    char        text[64];

    atomic_store(&armed, false);
    if (!path || !here) return;
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int size = snprintf(text, sizeof text, "%ld %ld\n", atomic_load(&calls), atomic_load(&hits));

    if (file < 0 || write(file, text, (size_t)size) != size) _exit(125);
    close(file);
}

int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end);
int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end)
{
    int (*next)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = program;
    return next(armed_main, argc, argv, init, fini, loader_fini, stack_end);
}
