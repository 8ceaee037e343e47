/* Runs a fuzz target over committed inputs: every regular file of the folders (and the files) given, in order of name.
 * Linked with one fuzz_*.c; `make fuzz` links the same target with libFuzzer instead.
 * Prints the number of inputs; exits 1 when there is none, so that a lost corpus is noticed. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int fail(const char *what)
{
    fprintf(stderr, "replay: %s: %s\n", what, strerror(errno));
    return -1;
}

/* A buffer of exactly the input's size: a sanitizer sees the first byte read past it. */
static int replay_file(const char *path)
{
    FILE       *file = fopen(path, "rb");
    struct stat info;
    uint8_t    *data = NULL;
    size_t      size;
    int         rc = -1;

    if (!file || fstat(fileno(file), &info) < 0) { fail(path); goto done; }
    size = (size_t)info.st_size;
    if (!(data = malloc(size ? size : 1))) { fail(path); goto done; }
    if (fread(data, 1, size, file) != size) { fail(path); goto done; }
    LLVMFuzzerTestOneInput(data, size);
    rc = 1;
done:
    free(data);
    if (file) fclose(file);
    return rc;
}

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int replay(const char *path)
{
    struct dirent **entry;
    struct stat     info;
    int             count, total = 0;

    if (stat(path, &info) < 0) return fail(path);
    if (!S_ISDIR(info.st_mode)) return replay_file(path);
    if ((count = scandir(path, &entry, visible, alphasort)) < 0) return fail(path);
    for (int i = 0; i < count; i++) {
        char inner[4096];
        int  n = snprintf(inner, sizeof inner, "%s/%s", path, entry[i]->d_name), rc = -1;

        if (n > 0 && (size_t)n < sizeof inner && total >= 0) rc = replay(inner);
        total = rc < 0 ? -1 : total + rc;
        free(entry[i]);
    }
    free(entry);
    return total;
}

int main(int argc, char **argv)
{
    int total = 0;

    for (int i = 1; i < argc; i++) {
        int rc = replay(argv[i]);

        if (rc < 0) return 1;
        total += rc;
    }
    printf("%d inputs replayed\n", total);
    return total == 0;
}
