/* report/curves.c -- see curves.h. */
#include "report/curves.h"

#include "base/utf8.h"

#include <errno.h>
#include <math.h>

enum {
    SIDE = 400, LEFT = 64, TOP = 40, LEGEND = LEFT + SIDE + 28, LINE = 22, BELOW = 64, WIDTH = 860,
    NAME_CHARACTERS = 34,                                   /* of a name that are shown */
};

/* Told apart by who does not see all colours (Okabe and Ito 2008), and by dashes when they come again. */
static const char *const colours[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9" };
static const char *const dashes[] = { "none", "8 4", "2 3" };
enum { COLOURS = sizeof colours / sizeof *colours, DASHES = sizeof dashes / sizeof *dashes };

/* A stranger's text between tags: what XML forbids is shown as U+FFFD, what is too long is cut. */
static int put_text(struct bytes *out, struct slice text)
{
    struct bytes valid = { 0 };
    size_t       characters = 0;
    int          rc = utf8_repair(&valid, text);

    for (size_t i = 0; i < valid.len && rc == 0; i++) {
        const unsigned char c = (unsigned char)valid.at[i];

        if ((c & 0xc0) != 0x80 && characters++ == NAME_CHARACTERS) {
            rc = bytes_append_slice(out, SLICE("\xe2\x80\xa6"));
            break;
        }
        if (c == '<') rc = bytes_append_slice(out, SLICE("&lt;"));
        else if (c == '>') rc = bytes_append_slice(out, SLICE("&gt;"));
        else if (c == '&') rc = bytes_append_slice(out, SLICE("&amp;"));
        else if (c == '"') rc = bytes_append_slice(out, SLICE("&quot;"));
        else if (c < 0x20 || c == 0x7f) rc = bytes_append_slice(out, SLICE("\xef\xbf\xbd"));
        else if (c == 0xef && valid.len - i > 2 && (unsigned char)valid.at[i + 1] == 0xbf &&
                 (unsigned char)valid.at[i + 2] >= 0xbe) {  /* U+FFFE and U+FFFF */
            rc = bytes_append_slice(out, SLICE("\xef\xbf\xbd"));
            i += 2;
        } else rc = bytes_append(out, &valid.at[i], 1);
    }
    bytes_free(&valid);
    return rc;
}

static double across_of(double x) { return LEFT + SIDE * x; }
static double up_of(double y) { return TOP + SIDE * (1 - y); }

/* The frame with its lines at fifths, their numbers, and the diagonal. */
static int put_frame(struct bytes *out, const char *title, const char *across, const char *up, int height)
{
    int rc = bytes_printf(
        out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
        "role=\"img\" font-family=\"sans-serif\" font-size=\"13\">\n<title>%s</title>\n"
        "<style>text { fill: #222 } .line { stroke: #ddd } .frame { stroke: #666; fill: none } .page { fill: #fff }\n"
        "@media (prefers-color-scheme: dark) { text { fill: #ddd } .line { stroke: #444 } .page { fill: #111 } }"
        "</style>\n<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n"
        "<text x=\"%d\" y=\"24\" font-size=\"15\">%s</text>\n", WIDTH, height, WIDTH, height, title, WIDTH, height,
        LEFT, title);

    for (int i = 0; i <= 5 && rc == 0; i++)
        rc = bytes_printf(out, "<path class=\"line\" d=\"M%d %g H%d M%g %d V%d\"/><text x=\"%d\" y=\"%g\" "
                          "text-anchor=\"end\">%.1f</text><text x=\"%g\" y=\"%d\" text-anchor=\"middle\">%.1f</text>\n",
                          LEFT, up_of(i / 5.0), LEFT + SIDE, across_of(i / 5.0), TOP, TOP + SIDE, LEFT - 8,
                          up_of(i / 5.0) + 4, i / 5.0, across_of(i / 5.0), TOP + SIDE + 18, i / 5.0);
    if (rc == 0)
        rc = bytes_printf(out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n"
                          "<path class=\"frame\" stroke-dasharray=\"3 4\" d=\"M%d %d L%d %d\"/>\n"
                          "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
                          "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
                          LEFT, TOP, SIDE, SIDE, LEFT, TOP + SIDE, LEFT + SIDE, TOP, LEFT + SIDE / 2,
                          TOP + SIDE + 42, across, TOP + SIDE / 2, up);
    return rc;
}

static int put_curve(struct bytes *out, const struct curve *curve, size_t number)
{
    const char *colour = colours[number % COLOURS], *dash = dashes[number / COLOURS % DASHES];
    const int   y = TOP + 12 + (int)number * LINE;
    int         rc = bytes_printf(out, "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" "
                                  "stroke-dasharray=\"%s\" points=\"", colour, dash);

    for (size_t i = 0; i < curve->count && rc == 0; i++)
        if (!isnan(curve->point[i].x) && !isnan(curve->point[i].y))
            rc = bytes_printf(out, "%.2f,%.2f ", across_of(curve->point[i].x), up_of(curve->point[i].y));
    if (rc == 0)
        rc = bytes_printf(out, "\"/>\n<path stroke-width=\"2\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"M%d %d "
                          "h28\"/><text x=\"%d\" y=\"%d\">", colour, dash, LEGEND, y, LEGEND + 36, y + 4);
    if (rc == 0) rc = put_text(out, curve->name);
    if (rc == 0) rc = bytes_append_slice(out, SLICE(" "));
    if (rc == 0) rc = put_text(out, slice_of(curve->note));
    return rc < 0 ? rc : bytes_append_slice(out, SLICE("</text>\n"));
}

int curves_svg(struct bytes *out, const char *title, const char *across, const char *up, const struct curve *curve,
               size_t count)
{
    const int height = TOP + BELOW + (count * LINE > SIDE ? (int)count * LINE : SIDE);
    int       rc = put_frame(out, title, across, up, height);

    for (size_t i = 0; i < count && rc == 0; i++) rc = put_curve(out, &curve[i], i);
    if (rc == 0) rc = bytes_append_slice(out, SLICE("</svg>\n"));
    return rc < 0 ? -ENOMEM : 0;
}
