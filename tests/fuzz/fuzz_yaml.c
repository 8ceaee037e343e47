/* pipeline.yaml from a stranger: config_parse must accept or refuse it, with a message, and what it accepts must print
 * as a configuration that reads back the same.  An input is a YAML text; after a NUL byte it may go on with one --set
 * assignment. */
#include "config/config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int right, const char *what, const char *detail)
{
    if (right) return;
    fprintf(stderr, "fuzz_yaml: %s: %s\n", what, detail);
    abort();
}

static void check_accepted(const struct config *config)
{
    struct bytes  first = { 0 }, second = { 0 };
    struct config again;
    struct err    err = { 0 };

    require(config_print(config, &first) == 0, "cannot print", "");
    if (config_parse(&again, "printed", first.at, first.len, config->base, NULL, 0, &err) < 0)
        require(0, "refuses what it printed", err.text);
    require(config_print(&again, &second) == 0, "cannot print", "");
    require(slice_equal(bytes_slice(&first), bytes_slice(&second)), "prints differently", "");
    config_free(&again);
    bytes_free(&first);
    bytes_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *nul = size ? memchr(data, '\0', size) : NULL;
    size_t         len = nul ? (size_t)(nul - data) : size;
    char          *set = nul ? strndup((const char *)nul + 1, size - len - 1) : NULL;
    const char    *sets[] = { set };
    struct config  config;
    struct err     err = { 0 };

    if (config_parse(&config, "fuzz.yaml", (const char *)data, len, ".", sets, set ? 1 : 0, &err) < 0) {
        require(err.code < 0 && *err.text, "refuses without a reason", "");
        require(!config.datasets && !config.output, "leaves something behind", err.text);
    } else {
        check_accepted(&config);
    }
    config_free(&config);
    free(set);
    return 0;
}
