/* model/http_curl.c -- see http_curl.h. */
#include "model/http_curl.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

/* The name that programs link with: its number is that of the functions' kinds, which the headers have. */
#define LIBRARY "libcurl.so.4"

static pthread_once_t   once = PTHREAD_ONCE_INIT;
static struct http_curl loaded;
static struct err       failed;                             /* why there is none; code 0: there is */

/* dlsym gives a pointer to data where a function is meant. */
static void function_find(void *library, const char *name, void *out, size_t size)
{
    void *at = dlsym(library, name);

    _Static_assert(sizeof at == sizeof loaded.free, "a function's address is one");
    if (!at && !failed.code) err_set(&failed, -ENOSYS, "%s has no function %s; a newer libcurl has", LIBRARY, name);
    memcpy(out, &at, size);
}

static void curl_load(void)
{
    void    *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    CURLcode code;

    if (!library) {
        err_set(&failed, -ENOENT, "models are asked over HTTP with libcurl, which cannot be loaded: %s", dlerror());
        return;
    }
#define X(name) function_find(library, "curl_" #name, &loaded.name, sizeof loaded.name);
    HTTP_CURL_FUNCTIONS(X)
#undef X
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
