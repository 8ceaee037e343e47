/* corpus/archive_name.h -- the names of an archive's members, whatever character set the process has.
 *
 * zip and 7z say that their names are Unicode, and libarchive gives such a name in the character set of the thread's
 * locale or not at all: in the locale C every name with another letter than ASCII would be lost.  So a thread has one
 * of UTF-8 while it reads headers.  Names of which the archive does not say what they are written in stay the bytes
 * that they are. */
#ifndef LEAKGRAPH_CORPUS_ARCHIVE_NAME_H
#define LEAKGRAPH_CORPUS_ARCHIVE_NAME_H

#include <locale.h>
#include <stdbool.h>

struct archive_entry;

/* Gives this thread a locale of UTF-8 (of characters alone: messages and numbers stay as they are), if the system has
 * one, until archive_name_leave is called with what it returns. */
locale_t archive_name_enter(void);
void     archive_name_leave(locale_t before);

/* The name as UTF-8 where the archive says what it is written in, else its bytes as they are; NULL when it cannot be
 * had.  Borrowed from the entry. */
const char *archive_name_of(struct archive_entry *entry);

/* Whether the entry has a name, be it the owner's or a link's, that is there but not in UTF-8: libarchive warns of
 * that, and nothing is lost, as the name's bytes are taken. */
bool archive_name_is_odd(struct archive_entry *entry);

#endif
