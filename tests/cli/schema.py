"""Is a JSON document what a schema says?  schema.py SCHEMA DOCUMENT...: says where one is not, exit status 1.

The words of JSON schema that the project's schemas use; another word is an error, so that none is passed over.
"""
import json
import sys

KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": (int, float),
         "integer": int}
ASIDE = {"$schema", "$defs", "title", "description"}


def is_kind(value, kind):
    return isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def check(schema, value, root, place):
    """Yields what is wrong."""
    if schema is False:
        yield place + " should not be there"
    if schema in (True, False):
        return
    for word, says in schema.items():
        if word in ASIDE:
            continue
        if word == "$ref":
            at = root
            for step in says.split("/")[1:]:
                at = at[step]
            yield from check(at, value, root, place)
        elif word == "type":
            kinds = [says] if isinstance(says, str) else says
            if not any(is_kind(value, kind) for kind in kinds):
                yield "%s is %r, not of type %s" % (place, value, " or ".join(kinds))
        elif word == "const":
            if value != says:
                yield "%s is %r, not %r" % (place, value, says)
        elif word == "enum":
            if value not in says:
                yield "%s is %r, none of %r" % (place, value, says)
        elif word in ("minimum", "maximum"):
            if is_kind(value, "number") and (value < says if word == "minimum" else value > says):
                yield "%s is %r, beyond %r" % (place, value, says)
        elif word in ("minItems", "maxItems"):
            if isinstance(value, list) and (len(value) < says if word == "minItems" else len(value) > says):
                yield "%s has %d items, beyond %d" % (place, len(value), says)
        elif word == "required":
            if isinstance(value, dict):
                yield from ("%s has no %s" % (place, name) for name in says if name not in value)
        elif word == "items":
            if isinstance(value, list):
                for i, item in enumerate(value):
                    yield from check(says, item, root, "%s[%d]" % (place, i))
        elif word == "properties":
            if isinstance(value, dict):
                for name in says.keys() & value.keys():
                    yield from check(says[name], value[name], root, "%s.%s" % (place, name))
        elif word == "additionalProperties":
            if isinstance(value, dict):
                for name in value.keys() - schema.get("properties", {}).keys():
                    yield from check(says, value[name], root, "%s.%s" % (place, name))
        else:
            raise SystemExit("schema.py does not know `%s`" % word)


def main():
    schema = json.load(open(sys.argv[1]))
    wrong = 0
    for name in sys.argv[2:]:
        for text in check(schema, json.load(open(name)), schema, "the document"):
            print("%s: %s" % (name, text))
            wrong += 1
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
