#include "cmd/version.h"

#include "code/function.h"
#include "kernels/kernels.h"
#include "model/model.h"

#include <archive.h>
#include <curl/curl.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>
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
    "usage: leakgraph version\n"
    "\n"
    "Prints the version, the commit it was built from, the kernel level in use and the libraries:\n"
    "what a bug report needs.  LEAKGRAPH_KERNELS=scalar|avx2|avx512 forces a level.\n";

int cmd_version(int argc, char **argv, struct err *err)
{
    struct err ignored;

    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return 0;
    }
    if (argc > 1) return err_set(err, -EINVAL, "version takes no argument, but `%s` was given", argv[1]);
    printf("leakgraph %s (%s)\n", leakgraph_version(), leakgraph_commit());
    printf("compiler  %s%s\n", COMPILER, __VERSION__);
    printf("kernels   %s\n", kernels->name);
    printf("libraries zstd %s, %s, SQLite %s, libyaml %s, libcurl %s%s\n", ZSTD_versionString(),
           archive_version_string(), sqlite3_libversion(),
           yaml_get_version_string(), curl_version_info(CURLVERSION_NOW)->version, model_has_llama() ? ", llama.cpp"
               : "");
    printf("functions fast%s\n", functions_exact_check("", &ignored) == 0 ? ", exact (tree-sitter)"
               : "; exact is left out: scripts/tree_library.sh fetches what it needs");
    return 0;
}
