/* export/xml.h -- text as XML 1.0 holds it, whatever the text is. */
#ifndef LEAKGRAPH_EXPORT_XML_H
#define LEAKGRAPH_EXPORT_XML_H

#include "base/bytes.h"

/* Appends valid UTF-8 so that it stands in an element or between double quotes: < > & " TAB LF CR as references, which
 * readers do not make spaces of; what XML has no way to say (control characters, U+FFFE, U+FFFF) as U+FFFD.  0 or
 * -ENOMEM. */
int xml_append(struct bytes *out, struct slice text);

#endif
