/* page/page.c -- see page.h. */
#include "page/page.h"

#include "base/sha256.h"
#include "page/assets.h"
#include "page/html.h"

#include <errno.h>

enum { WIDGETS_MOST = 16 };                                 /* different ones in a page */

struct widgets { const struct report_widget *at[WIDGETS_MOST]; size_t count; };

static void widgets_find(struct widgets *widgets, const struct report_node *node)
{
    if (!html_shows(node)) return;
    for (const struct report_node *child = node->child; child; child = child->next) widgets_find(widgets, child);
    if (node->kind != REPORT_WIDGET) return;
    for (size_t i = 0; i < widgets->count; i++)
        if (widgets->at[i] == node->widget) return;
    if (widgets->count < WIDGETS_MOST) widgets->at[widgets->count++] = node->widget;
}

static void put_hash(struct markup *m, struct slice text)
{
    char hash[SHA256_BASE64];

    if (!text.len) return;
    sha256_base64(text, hash);
    markup_add(m, " 'sha256-%s'", hash);
}

/* The page's policy.  The picture in the browser's tab is data of ours. */
static void put_policy(struct markup *m, const struct widgets *widgets)
{
    markup_add(m, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
                  "form-action 'none'; img-src data:; style-src");
    put_hash(m, asset_page_css());
    for (size_t i = 0; i < widgets->count; i++) put_hash(m, widgets->at[i]->style);
    markup_add(m, "; script-src");
    put_hash(m, asset_page_js());
    for (size_t i = 0; i < widgets->count; i++) put_hash(m, widgets->at[i]->script);
    markup_add(m, "\">\n");
}

static void put_asset(struct markup *m, const char *element, struct slice text)
{
    if (!text.len) return;
    markup_add(m, "<%s>", element);
    markup_slice(m, text);
    markup_add(m, "</%s>\n", element);
}

static const char icon[] =
    "<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Ccircle cx='6' cy='8' r='5' fill='%230072b2'/%3E%3Ccircle cx='10' cy='8' r='5' fill='%23d55e00' "
    "fill-opacity='.8'/%3E%3C/svg%3E\">\n";

static void put_head(struct markup *m, const struct report_document *document, const struct widgets *widgets)
{
    markup_add(m, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    put_policy(m, widgets);
    markup_add(m, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" "
                  "content=\"light dark\">\n<title>");
    markup_text(m, document->root->title);
    markup_add(m, "</title>\n");
    markup_slice(m, slice_of(icon));
    put_asset(m, "style", asset_page_css());
    for (size_t i = 0; i < widgets->count; i++) put_asset(m, "style", widgets->at[i]->style);
    put_asset(m, "script", asset_page_js());
    markup_add(m, "</head>\n");
}

int page_html(const struct report_document *document, struct bytes *out)
{
    struct markup  m = { out, 0 };
    struct widgets widgets = { .count = 0 };

    if (document->failed) return -ENOMEM;
    widgets_find(&widgets, document->root);
    put_head(&m, document, &widgets);
    markup_add(&m, "<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n"
                   "<header class=\"bar\"><span class=\"brand\">leakgraph</span>"
                   "<button type=\"button\" id=\"theme\" hidden>Theme: <span>auto</span></button></header>\n"
                   "<div class=\"columns\">\n<nav class=\"contents\" aria-label=\"Sections\"><details open>"
                   "<summary>Sections</summary><ol>\n");
    html_contents(&m, document);
    markup_add(&m, "</ol></details></nav>\n<main id=\"main\" tabindex=\"-1\">\n<h1>");
    markup_text(&m, document->root->title);
    markup_add(&m, "</h1>\n");
    html_add(&m, document);
    markup_add(&m, "</main>\n</div>\n");
    for (size_t i = 0; i < widgets.count; i++) put_asset(&m, "script", widgets.at[i]->script);
    markup_add(&m, "</body>\n</html>\n");
    return m.rc;
}
