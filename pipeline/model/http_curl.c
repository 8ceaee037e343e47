/* model/http_curl.c -- see http_curl.h. */
#include "model/http_curl.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

/* The names that programs link with, whose number is that of the functions' kinds in the headers; the second is
 * Debian's build with GnuTLS.  CURLOPT_PROTOCOLS_STR came with VERSION_LEAST. */
static const char *const names[] = { "libcurl.so.4", "libcurl-gnutls.so.4" };
enum { VERSION_LEAST = 0x075500 };

static pthread_once_t   once = PTHREAD_ONCE_INIT;
static struct http_curl loaded;
static struct err       failed;                             /* why there is none; code 0: there is */

/* dlsym gives a pointer to data where a function is meant. */
static void function_find(void *library, const char *name, void *out)
{
    void *at = dlsym(library, name);

    _Static_assert(sizeof at == sizeof loaded.free, "a function's address is one");
    if (!at && !failed.code) err_set(&failed, -ENOSYS, "libcurl has no function %s here; a newer one has", name);
    memcpy(out, &at, sizeof at);
}

static void curl_load(void)
{
    void    *library = NULL;
    CURLcode code;

    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        err_set(&failed, -ENOSYS, "models are asked over HTTP with libcurl, which cannot be loaded: %s", dlerror());
        return;
    }
#define X(name) function_find(library, "curl_" #name, &loaded.name);
    HTTP_CURL_FUNCTIONS(X)
#undef X
    if (!failed.code && loaded.version_info(CURLVERSION_NOW)->version_num < VERSION_LEAST)
        err_set(&failed, -ENOSYS, "libcurl is of version %s here; 7.85.0 is needed",
                loaded.version_info(CURLVERSION_NOW)->version);
    if (failed.code) return;
    code = loaded.global_init(CURL_GLOBAL_DEFAULT);
    if (code) err_set(&failed, -EIO, "libcurl: %s", loaded.easy_strerror(code));
}

const struct http_curl *http_curl(struct err *err)
{
    pthread_once(&once, curl_load);
    if (!failed.code) return &loaded;
    *err = failed;
    return NULL;
}
