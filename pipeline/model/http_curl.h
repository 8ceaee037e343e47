/* model/http_curl.h -- libcurl, loaded when the first server is asked.
 *
 * It brings some twenty other libraries along (TLS, Kerberos, LDAP, SSH ...), and loading these took four tenths of the
 * start of every command, of which nearly all ask no server. */
#ifndef LEAKGRAPH_MODEL_HTTP_CURL_H
#define LEAKGRAPH_MODEL_HTTP_CURL_H

#include "base/err.h"

/* what is given to curl_easy_setopt is checked where it is a macro, which a member of a struct is not */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define HTTP_CURL_FUNCTIONS(X) \
    X(easy_cleanup) X(easy_getinfo) X(easy_init) X(easy_perform) X(easy_reset) X(easy_setopt) X(easy_strerror) X(free) \
    X(global_init) X(slist_append) X(slist_free_all) X(url) X(url_cleanup) X(url_get) X(url_set) X(version_info)

/* curl_easy_init is `easy_init`, and so on. */
struct http_curl {
#define X(name) __typeof__(&curl_##name) name;
    HTTP_CURL_FUNCTIONS(X)
#undef X
};

/* The functions, started (curl_global_init); any thread.  They stay.  NULL with err set: libcurl is not there, or too
 * old. */
const struct http_curl *http_curl(struct err *err);

#endif
