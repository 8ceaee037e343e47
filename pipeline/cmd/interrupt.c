/* cmd/interrupt.c -- see interrupt.h.  The handlers call nothing but write, which is async-signal-safe. */
#include "cmd/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static void interrupt_say(const char *text, size_t len)
{
    int     old_errno = errno;
    ssize_t sent = write(STDERR_FILENO, text, len);

    (void)sent;                                             /* nowhere to say that it failed */
    errno = old_errno;
}

#define GOES_ON "; the same command goes on where it was"
#define OVER    "\r\x1b[K"                                  /* the progress line */
#define SAY(text) interrupt_say(text, sizeof(text) - 1)

static volatile sig_atomic_t interrupt_goes_on;

/* SA_RESETHAND has put the default action back, so the second raise ends the process by the signal: its parent sees
 * which. */
static void interrupt_on_terminal(int number)
{
    if (interrupt_goes_on) SAY(OVER "interrupted" GOES_ON "\n");
    else SAY(OVER "interrupted\n");
    raise(number);
}

static void interrupt_elsewhere(int number)
{
    if (interrupt_goes_on) SAY("interrupted" GOES_ON "\n");
    else SAY("interrupted\n");
    raise(number);
}

void interrupt_explain(bool goes_on)
{
    static const int numbers[] = { SIGINT, SIGTERM };
    struct sigaction action = { .sa_handler = isatty(STDERR_FILENO) ? interrupt_on_terminal : interrupt_elsewhere,
                                .sa_flags = (int)SA_RESETHAND }, old;

    interrupt_goes_on = goes_on;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(numbers[i], &action, NULL);
}
