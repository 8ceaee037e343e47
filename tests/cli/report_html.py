"""Reads RUN/report.html: is it well-formed, needs it nothing, says it what report.json says, does its SQL run?"""
import collections
import html.parser
import json
import sqlite3
import sys

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.sql, self.headings = [], collections.Counter(), [], [], []
        self.policy = self.text = ""

    def handle_starttag(self, tag, given):
        given = dict(given)
        if tag not in VOID:
            self.open.append((tag, given))
        if "id" in given:
            self.ids[given["id"]] += 1
        for name, value in given.items():
            assert not name.startswith("on") and name != "style", "attribute %s=%s" % (name, value)
            if name in ("href", "src"):
                assert value.startswith("#") or (tag == "link" and value.startswith("data:")), value
            if name == "href" and value.startswith("#"):
                self.links.append(value[1:])
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.headings.append(int(tag[1]))
        if tag == "th":
            assert given.get("scope") in ("col", "row"), given
        if tag in ("iframe", "object", "embed", "img", "form", "base"):
            raise AssertionError("element %s" % tag)
        self.text = ""

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, "</%s> at %s, open: %s" % (tag, self.getpos(), self.open[-3:])
        self.open.pop()
        if tag == "code" and any(t == "details" and a.get("class") == "sql" for t, a in self.open):
            self.sql.append(self.text)

    def handle_data(self, data):
        self.text += data


def main(run):
    whole = open(run + "/report.html", encoding="utf-8").read()
    page = Page()
    page.feed(whole)
    page.close()
    assert not page.open, page.open
    assert page.policy.startswith("default-src 'none'"), page.policy
    twice = [name for name, count in page.ids.items() if count > 1]
    assert not twice, "ids that come twice: %s" % twice
    assert all(link in page.ids for link in page.links), set(page.links) - set(page.ids)
    assert page.headings[0] == 1 and page.headings.count(1) == 1
    for before, after in zip(page.headings, page.headings[1:]):
        assert after <= before + 1, "h%d behind h%d" % (after, before)
    assert not any(c in whole for c in "\x00\x1b\u202e"), "a character that steers"
    report = json.load(open(run + "/report.json"))
    for key, section in report.items():
        if isinstance(section, dict) and section.get("title") and "<h2 id=\"%s.heading\"" % key not in whole:
            markdown = open(run + "/report.md").read()
            assert "\n## %s\n" % section["title"] not in markdown, "no section %s" % key
    database = sqlite3.connect("file:%s/graph.db?mode=ro" % run, uri=True)
    rows = sum(len(database.execute(sql).fetchall()) for sql in page.sql)
    assert len(page.sql) >= 3 and rows > 0, page.sql
    print("%s: %d ids, %d queries with %d rows, %d bytes" % (run, len(page.ids), len(page.sql), rows, len(whole)))


main(sys.argv[1])
