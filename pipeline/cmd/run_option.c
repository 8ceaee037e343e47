/* cmd/run_option.c -- the options that `run`, `overlap` and `dedup` have in common. */
#include "cmd/number.h"
#include "cmd/run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int take_field(struct run_options *options, const char *value, struct err *err)
{
    char  *setting = options->field[options->field_count];
    size_t most = sizeof options->field / sizeof options->field[0];

    if (options->field_count == most) return err_set(err, -EINVAL, "more than %zu times --field", most);
    if (field_option_setting(setting, value, err) < 0) return err->code;
    options->field_count++;
    options->said[options->set_count] = (struct said_option){ "--field", value };
    options->set[options->set_count++] = setting;
    return 0;
}

int run_take_option(struct run_options *options, int argc, char **argv, int *at, char output[4096], struct err *err)
{
    const char *option = argv[*at];
    uint64_t    threads;

    if (strcmp(option, "--clean") == 0) options->clean = true;
    else if (strcmp(option, "--verify") == 0) options->verify = true;
    else if (strcmp(option, "--replace") == 0) options->replace = true;
    else if (strcmp(option, "--quiet") == 0) options->quiet = true;
    else if (strcmp(option, "--set") != 0 && strcmp(option, "--output") != 0 && strcmp(option, "--threads") != 0 &&
             strcmp(option, "--field") != 0)
        return 0;
    else if (*at + 1 >= argc) return err_set(err, -EINVAL, "%s needs a value", option);
    else if (strcmp(option, "--threads") == 0) {
        if (number_take(&threads, 1, THREADS_MAX, NULL, option, argv[++*at], err) < 0) return err->code;
        options->threads = (int)threads;
    } else {
        bool is_output = strcmp(option, "--output") == 0;

        if (options->set_count == sizeof options->set / sizeof options->set[0])
            return err_set(err, -EINVAL, "more than 256 settings");
        if (strcmp(option, "--field") == 0) {
            if (take_field(options, argv[*at + 1], err) < 0) return err->code;
            *at += 2;
            return 1;
        }
        if (is_output && snprintf(output, 4096, "output=%s", argv[*at + 1]) >= 4096)
            return err_set(err, -EINVAL, "--output: the path is too long");
        options->said[options->set_count] = is_output ? (struct said_option){ option, argv[*at + 1] }
            : (struct said_option){ 0 };
        options->set[options->set_count++] = is_output ? output : argv[*at + 1];
        ++*at;
    }
    ++*at;
    return 1;
}
