/* tests/unit/model/server.h -- a server of completions that misbehaves when it is asked to (completions_server.py), for
 * the tests of those who ask it. */
#ifndef LEAKGRAPH_TESTS_UNIT_MODEL_SERVER_H
#define LEAKGRAPH_TESTS_UNIT_MODEL_SERVER_H

#include "model/http.h"
#include "model/http_curl.h"

#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define KEY "sk-test-0123456789"

static struct { pid_t process; int input, port; char folder[64]; } server;

static inline int set_up(void **unused)
{
    const char *python = getenv("PYTHON");
    int         in[2], out[2];
    FILE       *said;

    (void)unused;
    strcpy(server.folder, "/tmp/test_http.XXXXXX");
    if (!mkdtemp(server.folder) || pipe(in) < 0 || pipe(out) < 0) return -1;
    setenv("no_proxy", "*", 1);
    setenv("TEST_HTTP_KEY", KEY, 1);
    if ((server.process = fork()) == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]);
        close(out[0]);
        execlp(python ? python : "python3", "python3", TEST_DIR "/unit/completions_server.py", (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    server.input = in[1];
    said = fdopen(out[0], "r");
    if (!said || fscanf(said, "%d", &server.port) != 1) return -1;
    fclose(said);
    return 0;
}

static inline int remove_one(const char *path, const struct stat *is, int kind, struct FTW *at)
{
    (void)is, (void)kind, (void)at;
    return remove(path);
}

static inline int tear_down(void **unused)
{
    (void)unused;
    close(server.input);
    kill(server.process, SIGTERM);
    waitpid(server.process, NULL, 0);
    return nftw(server.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline size_t collect(char *at, size_t size, size_t count, void *arg)
{
    return bytes_append(arg, at, size * count) < 0 ? 0 : size * count;
}

/* What the server was asked since the last time. */
static inline int stat_of(const char *name)
{
    const struct http_curl *curl = http_curl(&(struct err){ 0 });
    static char             url[64];
    struct bytes            body = { 0 };
    CURL                   *handle = curl->easy_init();
    cJSON                  *json;
    int                     value;

    snprintf(url, sizeof url, "http://127.0.0.1:%d/stats", server.port);
    curl->easy_setopt(handle, CURLOPT_URL, url);
    curl->easy_setopt(handle, CURLOPT_WRITEFUNCTION, collect);
    curl->easy_setopt(handle, CURLOPT_WRITEDATA, &body);
    assert_int_equal(curl->easy_perform(handle), 0);
    curl->easy_cleanup(handle);
    json = cJSON_ParseWithLength(body.at, body.len);
    value = cJSON_GetObjectItem(json, name)->valueint;
    cJSON_Delete(json);
    bytes_free(&body);
    return value;
}

#endif
