/* corpus/archive_name.c -- see archive_name.h. */
#include "corpus/archive_name.h"

#include "base/utf8.h"

#include <archive_entry.h>
#include <pthread.h>

static locale_t       utf8_locale;                          /* made once, for as long as the process lives */
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_locale(void)
{
    static const char *const names[] = { "C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8" };

    for (size_t i = 0; i < sizeof names / sizeof *names && !utf8_locale; i++)
        utf8_locale = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
}

locale_t archive_name_enter(void)
{
    pthread_once(&made, make_locale);
    return uselocale(utf8_locale);
}

void archive_name_leave(locale_t before) { uselocale(before); }

const char *archive_name_of(struct archive_entry *entry)
{
    const char *name = archive_entry_pathname_utf8(entry);

    return name ? name : archive_entry_pathname(entry);
}

bool archive_name_is_odd(struct archive_entry *entry)
{
    const char *const names[] = { archive_entry_pathname(entry), archive_entry_hardlink(entry),
                                  archive_entry_symlink(entry), archive_entry_uname(entry),
                                  archive_entry_gname(entry) };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && utf8_valid_length(slice_of(names[i])) < strlen(names[i])) return true;
    return false;
}
