#include "cmd/version.h"

#include "base/bytes.h"
#include "base/comm.h"
#include "code/function.h"
#include "corpus/writer.h"
#include "graph/store.h"
#include "kernels/kernels.h"
#include "learn/svm.h"
#include "model/http_curl.h"
#include "model/model.h"

#include <archive.h>
#include <assert.h>
#include <brotli/decode.h>
#include <bzlib.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <lz4.h>
#include <lzma.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>

/* Only this file is compiled with the two; a build without the Makefile still says what it is. */
#ifndef LEAKGRAPH_VERSION
#define LEAKGRAPH_VERSION "0.0.0"
#endif
#ifndef LEAKGRAPH_COMMIT
#define LEAKGRAPH_COMMIT "unknown"
#endif

/* clang's __VERSION__ names it, gcc's is a bare number. */
#ifdef __clang__
#define COMPILER ""
#else
#define COMPILER "gcc "
#endif

const char *leakgraph_version(void) { return LEAKGRAPH_VERSION; }
const char *leakgraph_commit(void)  { return LEAKGRAPH_COMMIT; }

static const char help[] =
    "usage: leakgraph version [--json]\n"
    "\n"
    "Prints the version, the commit it was built from, the kernel level in use and the libraries:\n"
    "what a bug report needs.  LEAKGRAPH_KERNELS=scalar|avx2|avx512 forces a level.\n"
    "\n"
    "Options:\n"
    "  --json      the same as one JSON object, whose members stay: version, commit (null outside git),\n"
    "              dirty (the sources were not those of the commit), compiler, kernels (in_use, able:\n"
    "              what this machine can run), libraries (a version each), optional (llama, tree_sitter,\n"
    "              libsvm, isal: what is built in), graph_db (the version of its format)\n"
    "  --help      this text\n"
    "\n"
    "Example:\n"
    "  leakgraph version --json | jq -r .commit\n";

struct library { const char *name; char version[80]; };

enum { LIBRARIES = 13 };

static void libraries_read(struct library library[LIBRARIES])
{
    const struct http_curl *curl = http_curl(&(struct err){ 0 });
    const uint32_t brotli = BrotliDecoderVersion(), xxhash = XXH_VERSION_NUMBER;
    const struct { const char *name, *version; } said[] = {
        { "zstd", ZSTD_versionString() }, { "libarchive", archive_version_string() }, { "zlib", zlibVersion() },
        { "lz4", LZ4_versionString() }, { "liblzma", lzma_version_string() }, { "bzip2", BZ2_bzlibVersion() },
        { "SQLite", sqlite3_libversion() }, { "libyaml", yaml_get_version_string() },
        { "libcurl", curl ? curl->version_info(CURLVERSION_NOW)->version : "none" }, { "cJSON", cJSON_Version() },
    };
    size_t count = sizeof said / sizeof *said;

    for (size_t i = 0; i < count; i++) {
        /* "libarchive 3.6.2", "1.0.8, 13-Jul-2019": the number */
        const char *at = said[i].version + strcspn(said[i].version, "0123456789");

        if (!*at) at = said[i].version;
        library[i].name = said[i].name;
        snprintf(library[i].version, sizeof library[i].version, "%.*s", (int)strcspn(at, ", "), at);
    }
    library[count].name = "brotli";
    snprintf(library[count++].version, sizeof library->version, "%u.%u.%u", brotli >> 24, brotli >> 12 & 0xFFF,
             brotli & 0xFFF);
    library[count].name = "xxHash";
    snprintf(library[count++].version, sizeof library->version, "%u.%u.%u", xxhash / 10000, xxhash / 100 % 100,
             xxhash % 100);
    library[count].name = "MPI";
    comm_library(library[count++].version, sizeof library->version);
    assert(count == LIBRARIES);
}

#ifdef HAVE_ISAL
static const bool has_isal = true;
#else
static const bool has_isal = false;
#endif

static bool has_tree(void)
{
    struct err ignored;

    return functions_exact_check("", &ignored) == 0;
}

static void version_print(const struct library *library)
{
    int column;

    printf("leakgraph %s (%s)\ncompiler  %s%s\nkernels   %s\n", leakgraph_version(), leakgraph_commit(), COMPILER,
           __VERSION__, kernels->name);
    column = printf("libraries");
    for (size_t i = 0; i < LIBRARIES; i++) {
        if (column > 80) column = printf("\n         ");
        column += printf(" %s %s%s", library[i].name, library[i].version, i + 1 < LIBRARIES ? "," : "\n");
    }
    printf("optional %s%s%s%s\n", model_has_llama() ? " llama.cpp" : "", svm_available() ? " libsvm" : "",
           has_isal ? " ISA-L" : "", model_has_llama() || svm_available() || has_isal ? "" : " nothing");
    printf("functions fast%s\n", has_tree() ? ", exact (tree-sitter)"
           : "; exact is left out: scripts/tree_library.sh fetches what it needs");
}

/* The commit without the mark of a changed tree, which is a member of its own. */
static int commit_add(struct bytes *out)
{
    const char  *commit = leakgraph_commit(), *mark = strstr(commit, "-dirty");
    const size_t len = mark ? (size_t)(mark - commit) : strlen(commit);
    int          rc = bytes_printf(out, "  \"commit\": ");

    if (rc == 0 && strcmp(commit, "unknown") == 0) rc = bytes_printf(out, "null");
    else if (rc == 0) rc = json_append_string(out, (struct slice){ commit, len });
    return rc < 0 ? rc : bytes_printf(out, ",\n  \"dirty\": %s,\n", mark ? "true" : "false");
}

static int kernels_add(struct bytes *out)
{
    const unsigned cpu = kernels_cpu();
    int            rc = bytes_printf(out, "  \"kernels\": {\"in_use\": \"%s\", \"able\": [", kernels->name), count = 0;

    for (size_t i = 0; kernels_all[i] && rc == 0; i++)
        if ((kernels_all[i]->need & cpu) == kernels_all[i]->need)
            rc = bytes_printf(out, "%s\"%s\"", count++ ? ", " : "", kernels_all[i]->name);
    return rc < 0 ? rc : bytes_printf(out, "]},\n");
}

static int version_json(const struct library *library, struct bytes *out)
{
    int rc = bytes_printf(out, "{\n  \"version\": \"%s\",\n", leakgraph_version());

    if (rc == 0) rc = commit_add(out);
    if (rc == 0) rc = bytes_printf(out, "  \"compiler\": ");
    if (rc == 0) rc = json_append_string(out, slice_of(COMPILER __VERSION__));
    if (rc == 0) rc = bytes_printf(out, ",\n");
    if (rc == 0) rc = kernels_add(out);
    for (size_t i = 0; i < LIBRARIES && rc == 0; i++) {
        rc = bytes_printf(out, "%s\"%s\": ", i ? ", " : "  \"libraries\": {", library[i].name);
        if (rc == 0) rc = json_append_string(out, slice_of(library[i].version));
    }
    return rc < 0 ? rc : bytes_printf(out,
        "},\n  \"optional\": {\"llama\": %s, \"tree_sitter\": %s, \"libsvm\": %s, \"isal\": %s},\n"
        "  \"graph_db\": %d\n}\n",
        model_has_llama() ? "true" : "false", has_tree() ? "true" : "false", svm_available() ? "true" : "false",
        has_isal ? "true" : "false", STORE_VERSION);
}

int cmd_version(int argc, char **argv, struct err *err)
{
    struct library library[LIBRARIES];
    struct bytes   text = { 0 };
    int            rc = 0;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(help, stdout) < 0;
        if (strcmp(argv[i], "--json") != 0)
            return err_set(err, -EINVAL, "version takes --json or no argument, but `%s` was given", argv[i]);
    }
    libraries_read(library);
    if (argc == 1) version_print(library);
    else rc = version_json(library, &text);
    if (rc == 0 && text.len) fwrite(text.at, 1, text.len, stdout);
    bytes_free(&text);
    return rc < 0 ? err_memory(err, 2048, "the version") : 0;
}
