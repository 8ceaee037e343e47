/* model/http_client.c -- requests over libcurl: limits, waits, and what a failure means; see http.h. */
#include "model/http.h"

#include "base/file.h"
#include "base/log.h"
#include "model/http_curl.h"
#include "model/json_nul.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CONNECT_SECONDS = 10, WAIT_FIRST_MS = 250, WAIT_MOST_S = 60, WAIT_ASKED_MOST_S = 600, TIMEOUT_DEFAULT = 120,
       SAID_MAX = 200, KEPT_MOST = 1 << 16 };

struct request_kept { char path[32]; struct bytes body; uint64_t most; };

struct http_client {
    const struct http_curl *curl;
    char              *base, *root;                         /* the url without a slash at its end; that without /v1 */
    char              *key;                                 /* NULL: none */
    struct curl_slist *headers;
    struct http_cache  cache;
    uint32_t           timeout, retries, concurrency;
    double             spacing;                             /* seconds from request to request */
    uint64_t           budget;
    pthread_mutex_t    lock;                                /* of what follows */
    pthread_cond_t     freed;                               /* a request is over */
    uint32_t           flying;                              /* requests at the server */
    uint64_t           used, booked;                        /* tokens; booked: those of requests at the server */
    double             next;                                /* when the next request may begin */
    struct request_kept good;                               /* the shortest that was answered; no body: none was */
};

struct http_line {
    struct http_client *client;
    CURL               *handle;
    struct bytes        body;                               /* of the last answer */
    bool                too_large, no_memory;
    char                said[CURL_ERROR_SIZE];
    cJSON              *json;                               /* what the last answer was parsed to */
};

/* ---- opening ---- */

/* The url has to be one, of http or https, with a host and nothing behind its path.  What is wrong is told without the
 * url: a password may stand in it. */
static int url_check(const struct http_curl *curl, const char *text, bool *plain, struct err *err)
{
    static const struct { CURLUPart part; const char *what; } unwanted[] = {
        { CURLUPART_USER, "a user" }, { CURLUPART_PASSWORD, "a password" }, { CURLUPART_QUERY, "a query" },
        { CURLUPART_FRAGMENT, "a fragment" },
    };
    CURLU *url = curl->url();
    char  *value = NULL, *host = NULL;
    int    rc = 0;

    if (!url) return err_memory(err, strlen(text), "a url");
    if (curl->url_set(url, CURLUPART_URL, text, 0) || curl->url_get(url, CURLUPART_SCHEME, &value, 0) ||
        curl->url_get(url, CURLUPART_HOST, &host, 0))
        rc = err_set(err, -EINVAL, "the url is none; write one as http://host:8000/v1");
    else if (strcmp(value, "http") && strcmp(value, "https"))
        rc = err_set(err, -EINVAL, "the url is neither of http nor of https");
    else
        *plain = !strcmp(value, "http") && strcmp(host, "localhost") && strncmp(host, "127.", 4) &&
            strcmp(host, "[::1]");
    curl->free(value);
    curl->free(host);
    for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted && rc == 0; i++) {
        value = NULL;
        if (curl->url_get(url, unwanted[i].part, &value, 0) == CURLUE_OK)
            rc = err_set(err, -EINVAL, "the url holds %s; a key is given by the name of an environment variable "
                                       "(key_env)", unwanted[i].what);
        curl->free(value);
    }
    curl->url_cleanup(url);
    return rc;
}

static int key_take(struct http_client *c, const char *name, struct err *err)
{
    const char *key = getenv(name);

    if (!key || !*key)
        return err_set(err, -EINVAL, "the environment variable %s, which is to hold the key, is %s", name, key ? "empty"
                       : "not set");
    for (const char *at = key; *at; at++)
        if (!isgraph((unsigned char)*at))
            return err_set(err, -EINVAL, "the key in the environment variable %s has a byte that no header may hold",
                           name);
    c->key = strdup(key);
    return c->key ? 0 : err_memory(err, strlen(key), "a key");
}

static int headers_make(struct http_client *c, struct err *err)
{
    /* No `Expect: 100-continue`: it costs a round trip, and some servers a second. */
    const char        *fixed[] = { "Content-Type: application/json", "Accept: application/json", "Expect:" };
    struct bytes       line = { 0 };
    struct curl_slist *more;
    int                rc = 0;

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        more = c->curl->slist_append(c->headers, fixed[i]);
        if (!more) return err_memory(err, strlen(fixed[i]), "a header");
        c->headers = more;
    }
    if (!c->key) return 0;
    more = bytes_printf(&line, "Authorization: Bearer %s", c->key) < 0 ? NULL
        : c->curl->slist_append(c->headers, line.at);
    if (more) c->headers = more;
    else rc = err_memory(err, line.len, "a header");
    bytes_free(&line);
    return rc;
}

static int client_fill(struct http_client *c, const struct model_options *o, struct err *err)
{
    bool   plain = false;
    size_t len = strlen(o->url);
    int    rc = url_check(c->curl, o->url, &plain, err);

    if (rc < 0) return rc;
    while (len && o->url[len - 1] == '/') len--;
    c->base = strndup(o->url, len);
    c->root = strndup(o->url, len >= 3 && !memcmp(o->url + len - 3, "/v1", 3) ? len - 3 : len);
    if (!c->base || !c->root) return err_memory(err, len, "a url");
    if (o->key_env && o->key_env[0] && (rc = key_take(c, o->key_env, err)) < 0) return rc;
    if (c->key && plain) log_warn("%s: the key goes over a connection that is not encrypted", c->base);
    if (o->cache && o->cache[0]) {
        if ((rc = file_make_folder(o->cache, err)) < 0) return rc;
        if (!(c->cache.folder = strdup(o->cache))) return err_memory(err, strlen(o->cache), "a path");
    }
    return headers_make(c, err);
}

int http_client_open(struct http_client **out, const struct model_options *options, struct err *err)
{
    const struct http_curl *curl;
    struct http_client     *c;
    int                     rc;

    *out = NULL;
    if (!(curl = http_curl(err))) return err->code;
    if (!(c = calloc(1, sizeof *c))) return err_memory(err, sizeof *c, "a client");
    c->curl = curl;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->freed, NULL);
    c->timeout = options->timeout ? options->timeout : TIMEOUT_DEFAULT;
    c->retries = options->retries;
    c->concurrency = options->concurrency ? options->concurrency : 1;
    c->spacing = options->rate ? 60. / options->rate : 0;
    c->budget = options->budget;
    if ((rc = client_fill(c, options, err)) < 0) {
        http_client_close(c);
        return rc;
    }
    *out = c;
    return 0;
}

void http_client_close(struct http_client *client)
{
    if (!client) return;
    pthread_mutex_destroy(&client->lock);
    pthread_cond_destroy(&client->freed);
    client->curl->slist_free_all(client->headers);
    free(client->base);
    free(client->root);
    free(client->key);
    free(client->cache.folder);
    bytes_free(&client->good.body);
    free(client);
}

static size_t body_take(char *at, size_t size, size_t count, void *arg)
{
    struct http_line *line = arg;

    line->too_large = size * count > HTTP_ANSWER_MAX - line->body.len;
    line->no_memory = !line->too_large && bytes_append(&line->body, at, size * count) < 0;
    return line->too_large || line->no_memory ? 0 : size * count;
}

int http_line_open(struct http_line **out, struct http_client *client, struct err *err)
{
    struct http_line *l = calloc(1, sizeof *l);

    *out = NULL;
    if (!l || !(l->handle = client->curl->easy_init())) {
        free(l);
        return err_memory(err, sizeof *l, "a connection");
    }
    l->client = client;
    *out = l;
    return 0;
}

void http_line_close(struct http_line *line)
{
    if (!line) return;
    line->client->curl->easy_cleanup(line->handle);
    cJSON_Delete(line->json);
    bytes_free(&line->body);
    free(line);
}

/* ---- limits that all lines share ---- */

static void wait_seconds(double seconds)
{
    struct timespec left = { (time_t)seconds, (long)((seconds - floor(seconds)) * 1e9) };

    while (seconds > 0 && nanosleep(&left, &left) < 0 && errno == EINTR) continue;
}

/* Waits for a place among the requests, room in the budget and the next moment of the rate.  A request that does not
 * fit beside those at the server waits for what they really cost.  0 or -EDQUOT. */
static int begin(struct http_client *c, uint64_t most, struct err *err)
{
    double now, start;
    int    rc = 0;

    pthread_mutex_lock(&c->lock);
    for (;;) {
        bool fits = !c->budget || (c->used <= c->budget && most <= c->budget - c->used &&
                                   c->booked <= c->budget - c->used - most);

        if (fits && c->flying < c->concurrency) break;
        if (!fits && !c->flying) {
            rc = err_set(err, -EDQUOT, "the budget of %llu tokens is used up: %llu are spent and the next request may "
                                       "take %llu; the same command again spends "
                         "as much once more and goes on from here; a single request may need a larger `budget`",
                             (unsigned long long)c->budget,
                         (unsigned long long)c->used, (unsigned long long)most);
            break;
        }
        pthread_cond_wait(&c->freed, &c->lock);
    }
    now = start = log_seconds();
    if (rc == 0) {
        c->flying++;
        c->booked += most;
        if (c->spacing > 0) {
            start = c->next > now ? c->next : now;
            c->next = start + c->spacing;
        }
    }
    pthread_mutex_unlock(&c->lock);
    wait_seconds(start - now);
    return rc;
}

static void end(struct http_client *c, uint64_t most, uint64_t cost)
{
    pthread_mutex_lock(&c->lock);
    c->flying--;
    c->booked -= most;
    c->used += cost;
    pthread_cond_broadcast(&c->freed);
    pthread_mutex_unlock(&c->lock);
}

/* ---- one request ---- */

/* What a server says of its refusal: printable ASCII, cut, and never the key. */
static void said_of(struct http_line *l, char out[SAID_MAX])
{
    const char *key = l->client->key, *text = NULL;
    struct err  unused = { 0 };
    cJSON      *json = l->body.len ? http_json(bytes_slice(&l->body), &unused) : NULL,
        *error = cJSON_GetObjectItem(json, "error");
    size_t      len = 0;

    if (cJSON_IsObject(error)) error = cJSON_GetObjectItem(error, "message");
    if (!cJSON_IsString(error)) error = cJSON_GetObjectItem(json, "message");
    text = cJSON_IsString(error) ? error->valuestring : NULL;
    if (key && l->body.len && (memmem(l->body.at, l->body.len, key, strlen(key)) || (text && strstr(text, key))))
        text = "(its words hold the key)";
    else if (!text && bytes_reserve(&l->body, l->body.len + 1) == 0) {
        l->body.at[l->body.len] = 0;
        text = l->body.at;
    }
    for (; text && text[len] && len + 1 < SAID_MAX; len++)
        out[len] = isprint((unsigned char)text[len]) ? text[len] : ' ';
    out[len] = 0;
    cJSON_Delete(json);
}

static int setup(struct http_line *l, const struct http_request *request, struct err *err)
{
    const struct http_client *c = l->client;
    struct bytes              url = { 0 };
    CURL                     *handle = l->handle;
    const struct http_curl   *curl = c->curl;
    bool                      fine = bytes_printf(&url, request->path[0] == '/' ? "%s%s" : "%s/%s",
                                                  request->path[0] == '/' ? c->root : c->base, request->path) == 0;

    curl->easy_reset(handle);                               /* connections stay */
    fine = fine && !curl->easy_setopt(handle, CURLOPT_URL, url.at) &&
           !curl->easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https") &&
           !curl->easy_setopt(handle, CURLOPT_POST, 1L) &&
           !curl->easy_setopt(handle, CURLOPT_POSTFIELDS, request->body.at) &&
           !curl->easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body.len) &&
           !curl->easy_setopt(handle, CURLOPT_HTTPHEADER, c->headers) &&
           !curl->easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L) &&
           !curl->easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L) &&
           !curl->easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L) &&
           !curl->easy_setopt(handle, CURLOPT_NOSIGNAL, 1L) &&
           !curl->easy_setopt(handle, CURLOPT_CONNECTTIMEOUT,
                              (long)(c->timeout < CONNECT_SECONDS ? c->timeout : CONNECT_SECONDS)) &&
           !curl->easy_setopt(handle, CURLOPT_TIMEOUT, (long)c->timeout) &&
           !curl->easy_setopt(handle, CURLOPT_ERRORBUFFER, l->said) &&
           !curl->easy_setopt(handle, CURLOPT_WRITEFUNCTION, body_take) &&
           !curl->easy_setopt(handle, CURLOPT_WRITEDATA, l);
    bytes_free(&url);
    return fine ? 0 : err_memory(err, request->body.len, "a request");
}

/* What became of a request: rc < 0 with err set, and whether asking again may help, whether what was asked may be the
 * cause, how long the server wants us to wait, what it cost. */
struct outcome { int rc; bool again, own, refused; double wait; uint64_t cost; };

static struct outcome transfer_failed(const struct http_line *l, CURLcode code, uint64_t most, struct err *err)
{
    const char    *why = l->said[0] ? l->said : l->client->curl->easy_strerror(code);
    struct outcome o = { .rc = -EIO };

    switch (code) {
    case CURLE_WRITE_ERROR:
        if (l->no_memory) o.rc = err_memory(err, l->body.len, "an answer");
        else
            o.rc = err_set(err, -EBADMSG, "an answer of more than %d MB; is that a server of completions?",
                           HTTP_ANSWER_MAX >> 20);
        o.cost = most;
        return o;
    case CURLE_OUT_OF_MEMORY:
        o.rc = err_memory(err, 0, "libcurl");
        return o;
    case CURLE_OPERATION_TIMEDOUT:
        case CURLE_PARTIAL_FILE:
            case CURLE_RECV_ERROR: case CURLE_GOT_NOTHING: case CURLE_HTTP2: case CURLE_HTTP2_STREAM:
        o.cost = most;                                      /* the server may have done the work */
        o.again = true;
        break;
    case CURLE_COULDNT_RESOLVE_PROXY:
        case CURLE_COULDNT_RESOLVE_HOST: case CURLE_COULDNT_CONNECT: case CURLE_SEND_ERROR:
        o.again = true;
        break;
    default:
        break;
    }
    err_set(err, -EIO, "%s", why);
    return o;
}

static struct outcome status_means(struct http_line *l, long status, struct err *err)
{
    struct outcome o = { .rc = -EIO, .refused = true };
    curl_off_t     wait = 0;
    char           said[SAID_MAX];

    said_of(l, said);
    l->client->curl->easy_getinfo(l->handle, CURLINFO_RETRY_AFTER, &wait);
    o.wait = (double)wait;
    o.again = status == 408 || status == 429 || status >= 500;
    if (status == 501) o.again = false;
    o.own = status == 500;
    if (status >= 300 && status < 400)
        err_set(err, o.rc, "the server sends us elsewhere (status %ld), where a key does not follow; give the url "
                           "that it means", status);
    else if (status == 401 || status == 403)
        o.rc = err_set(err, -EACCES, "the server refuses the key%s (status %ld): %s", l->client->key ? ""
                       : ", of which none is given (key_env)", status, said);
    else if (status == 404) o.rc = err_set(err, -ENOENT, "the server has no such call or model (status 404): %s", said);
    else if (status == 400 || status == 405 || status == 413 || status == 415 || status == 422 || status == 501)
        o.rc = err_set(err, -ENODATA, "the server refuses the request (status %ld): %s", status, said);
    else err_set(err, o.rc, "the server answers with status %ld: %s", status, said);
    return o;
}

static uint64_t cost_of(const cJSON *json, uint64_t most)
{
    const cJSON *total = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "usage"), "total_tokens");

    return cJSON_IsNumber(total) && total->valuedouble >= 0 && total->valuedouble < 1e15 ? (uint64_t)total->valuedouble
        : most;
}

static int answer_parse(struct http_line *l, struct err *err)
{
    int rc = 0;

    l->json = http_json(bytes_slice(&l->body), err);
    if (!l->json) return err->code;
    if (!cJSON_IsObject(l->json)) rc = err_set(err, -EBADMSG, "the answer is no JSON object");
    else if (json_has_nul(bytes_slice(&l->body)))
        rc = err_set(err, -ENODATA, "the answer has a NUL, at which texts would end");
    if (rc == 0) return 0;
    cJSON_Delete(l->json);
    l->json = NULL;
    return rc;
}

static struct outcome ask_once(struct http_line *l, const struct http_request *request, struct err *err)
{
    struct outcome o = { .rc = setup(l, request, err) };
    CURLcode       code;
    long           status = 0;

    if (o.rc < 0) return o;
    if ((o.rc = begin(l->client, request->most, err)) < 0) return o;
    l->body.len = 0;
    l->too_large = l->no_memory = false;
    l->said[0] = 0;
    code = l->client->curl->easy_perform(l->handle);
    if (code) o = transfer_failed(l, code, request->most, err);
    else {
        l->client->curl->easy_getinfo(l->handle, CURLINFO_RESPONSE_CODE, &status);
        if (status != 200) o = status_means(l, status, err);
        else o.rc = answer_parse(l, err), o.cost = cost_of(l->json, request->most);
    }
    end(l->client, request->most, o.cost);
    return o;
}

/* ---- asking ---- */

static struct unit_key key_of(const struct http_client *c, const struct http_request *request)
{
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, c->base, strlen(c->base));

    key = unit_key_add(key, request->path, strlen(request->path));
    return unit_key_add(key, request->body.at, request->body.len);
}

/* 1/4 s, 1/2 s, 1 s, ... each between its half and its whole. */
static double backoff(struct unit_key key, uint32_t attempt)
{
    const double whole = attempt < 16 ? WAIT_FIRST_MS / 1000. * (double)(1u << attempt) : WAIT_MOST_S;
    const double part = (double)(unit_key_add(key, &attempt, sizeof attempt).low >> 11) * 0x1p-53;

    return (whole < WAIT_MOST_S ? whole : WAIT_MOST_S) * (.5 + part / 2);
}

/* Keeps the request, if it is shorter than the one that is kept. */
static void good_keep(struct http_client *c, const struct http_request *request)
{
    struct request_kept *good = &c->good;

    pthread_mutex_lock(&c->lock);
    if (request->body.len && request->body.len < (good->body.len ? good->body.len : KEPT_MOST) &&
        strlen(request->path) < sizeof good->path) {
        good->body.len = 0;
        if (bytes_append_slice(&good->body, request->body) == 0) {
            strcpy(good->path, request->path);
            good->most = request->most;
        }
    }
    pthread_mutex_unlock(&c->lock);
}

/* Does the server still answer what it has answered before? */
static bool answers_others(struct http_line *line)
{
    struct http_client *c = line->client;
    struct request_kept good = { .most = 0 };
    struct err          unused = { 0 };
    bool                answers = false;

    pthread_mutex_lock(&c->lock);
    memcpy(good.path, c->good.path, sizeof good.path);
    good.most = c->good.most;
    if (bytes_append_slice(&good.body, bytes_slice(&c->good.body)) == 0 && good.body.len) answers = true;
    pthread_mutex_unlock(&c->lock);
    if (answers)
        answers = ask_once(line, &(struct http_request){ good.path, bytes_slice(&good.body), good.most },
                           &unused).rc >= 0;
    cJSON_Delete(line->json);
    line->json = NULL;
    bytes_free(&good.body);
    return answers;
}

int http_ask(struct http_line *line, const struct http_request *request, struct http_answer *out, struct err *err)
{
    struct http_client *c = line->client;
    int                 rc;

    cJSON_Delete(line->json);
    line->json = NULL;
    *out = (struct http_answer){ .key = key_of(c, request) };
    if ((rc = http_cache_find(&c->cache, out->key, &line->body, err)) < 0) return rc;
    out->kept = rc == 1;
    if (out->kept && (rc = answer_parse(line, err)) < 0) return rc;
    for (uint32_t attempt = 0; !out->kept; attempt++) {
        struct outcome o = ask_once(line, request, err);
        double         wait;

        if (o.rc >= 0) {
            good_keep(c, request);
            break;
        }
        if (o.again && o.wait > WAIT_ASKED_MOST_S)
            return err_add(err, "%s: the server wants us to wait %.0f s, which is too long; try again then", c->base,
                           o.wait);
        if (!o.again || attempt >= c->retries) {
            if (o.again) err_add(err, "asked %u times", attempt + 1);
            /* nothing but this request fails, each time: a run that ended here would end here again */
            if (o.own && answers_others(line)) o.rc = err->code = -ENODATA;
            out->refused = o.refused;
            return o.rc == -EDQUOT || o.rc == -ENOMEM ? o.rc : err_add(err, "%s", c->base);
        }
        wait = backoff(out->key, attempt);
        wait_seconds(o.wait > wait ? o.wait : wait);
    }
    out->json = line->json;
    return 0;
}

int http_keep(struct http_line *line, struct http_answer *answer, struct err *err)
{
    const struct http_client *c = line->client;
    int                       rc;

    if (answer->kept || !c->cache.folder) return 0;
    /* the key is nowhere written */
    if (c->key && line->body.len && memmem(line->body.at, line->body.len, c->key, strlen(c->key))) return 0;
    if ((rc = http_cache_keep(&c->cache, answer->key, bytes_slice(&line->body), err)) < 0) return rc;
    answer->kept = true;
    return 0;
}
