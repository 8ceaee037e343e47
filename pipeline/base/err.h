/* base/err.h -- the error value that every fallible call fills.
 *
 * A function that can fail for a reason outside the program (a file, a user's
 * setting, memory, the network) returns 0 or more on success and a negative
 * errno value on failure, with the text in *err naming file, record and byte.
 * Our own mistakes are asserts. */
#ifndef LEAKGRAPH_BASE_ERR_H
#define LEAKGRAPH_BASE_ERR_H

struct err {
    int  code;                                              /* 0: no error, else a negative errno value */
    char text[1024];
};

/* Sets code and text; returns code, so that `return err_set(err, -EIO, ...)` reads well. */
int err_set(struct err *err, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Puts "CONTEXT: " before the text that is there; returns err->code. */
int err_add(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The code for the errno value of a call that writes: -ENOSPC of a full disk, which a quota that is used up is, too;
 * -ENOMEM; of all else -EIO. */
int err_of_write(int number);

/* "out of memory (N bytes for WHAT)"; returns -ENOMEM. */
int err_memory(struct err *err, unsigned long long bytes, const char *what);

#endif
