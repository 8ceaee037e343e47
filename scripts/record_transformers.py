#!/usr/bin/env python3
"""Records what a Hugging Face model says about texts, for the backend `replay` (pipeline/model/model_replay.c has the
format).

usage: record_transformers.py --model NAME --output FILE.jsonl[.gz] [option...] TEXTS.jsonl[.gz]...

Needs torch and transformers.  Of every record's text the tokens and the scores of overlapping windows are written, and
with them what the metrics of `leakgraph probe` ask for: the forms of the perplexity family, and the tokens that the
model goes on with at the starts of n-gram accuracy.
"""

import argparse
import gzip
import json
import math
import sys

LINES = 6       # of a window of the windowed perplexity


# ---- what is asked ----

def chunks(tokens, context, stride, published=False):
    """(begin, end, from) of the windows of strided NLL: each token but the first is scored once.  A stride of 0 is half
    the context.  The last window is as long as the others, but with compat: published."""
    plan, begin, scored = [], 0, 0
    stride = stride or max(context // 2, 1)
    context = min(context or tokens, tokens)
    stride = min(stride, context)
    while tokens > 1 and scored < tokens:
        end = min(begin + context, tokens)
        start = begin if published or end < tokens else tokens - context
        first = max(scored, start + 1)
        if first >= end:
            break
        plan.append((start, end, first))
        scored = end
        begin += stride
    return plan


def starts(tokens, context, n, count):
    """Where the predicted n-grams of n-gram accuracy begin."""
    if count < 2 or tokens <= n + 1 or (context and context < n + 2):
        return []
    end = min(context or tokens, tokens) - n
    return [2 + i * (end - 2) // (count - 1) for i in range(count)]


def collapsed(text):
    """Runs of line feeds are one."""
    return "".join(c for i, c in enumerate(text) if c != "\n" or i == 0 or text[i - 1] != "\n")


def lower(text):
    """Unicode's simple mapping: one character for one."""
    return "".join("i" if c == "\u0130" else c.lower() if len(c.lower()) == 1 else c for c in text)


def line_windows(text):
    lines = text.split("\n")
    return ["\n".join(lines[i:i + LINES]) for i in range(max(1, len(lines) - LINES + 1))]


def forms(text, family):
    """The text, and with `family` what else the perplexity family reads."""
    found = [text]
    if family:
        base = collapsed(text)
        found += [base, lower(base)] + line_windows(base)
    return list(dict.fromkeys(form for form in found if form))


def sampling_of(given):
    """A sampling with all its keys."""
    full = {"tokens": 0, "temperature": 0, "top_k": 0, "top_p": 1, "decay_from": 0, "decay_tokens": 0, "seed": 0}
    unknown = set(given) - set(full)
    if unknown or "tokens" not in given:
        raise ValueError("a sampling has `tokens`, and of other keys only %s" % ", ".join(full))
    return dict(full, **given)


def temperature_at(sampling, step):
    if step >= sampling["decay_tokens"]:
        return sampling["temperature"]
    return sampling["decay_from"] - (sampling["decay_from"] - sampling["temperature"]) * step / sampling["decay_tokens"]


# ---- tokens as bytes ----

def byte_names():
    """GPT-2's printable characters for bytes."""
    names, spare = {}, 0
    for byte in range(256):
        if 0x21 <= byte <= 0x7E or 0xA1 <= byte <= 0xFF and byte != 0xAD:
            names[chr(byte)] = byte
        else:
            names[chr(0x100 + spare)] = byte
            spare += 1
    return names


BYTE_NAMES = byte_names()


def byte_level(name):
    return bytes(BYTE_NAMES[c] for c in name) if all(c in BYTE_NAMES for c in name) else None


def sentence_piece(name):
    if len(name) == 6 and name.startswith("<0x") and name.endswith(">"):
        return bytes([int(name[3:5], 16)])
    return name.replace("\u2581", " ").encode()


def pieces_of(names, text):
    """The bytes of each token, from the names that a vocabulary has for them.  None when they are not the text."""
    wanted = text.encode("utf-8", "surrogateescape")
    for read in (byte_level, sentence_piece):
        pieces = [read(name) for name in names]
        if None in pieces:
            continue
        if pieces and b"".join(pieces) == b" " + wanted:        # SentencePiece puts a space before a text
            pieces[0] = pieces[0][1:]
        if b"".join(pieces) == wanted:
            return pieces
    return None


# ---- lines ----

def string(piece):
    """Bytes as they are written into a line: what is no UTF-8 stays as it is."""
    return piece.decode("utf-8", "surrogateescape")


def number(value, sign):
    """A finite number with float32's digits; rounding does not take a logarithm above 0."""
    value = float("%.9g" % value)
    if not math.isfinite(value):
        raise ValueError("the model's numbers are not finite")
    return sign * max(0.0, sign * value)


def text_line(model, text, context, stride, published):
    """The record of a text; ValueError says why there is none."""
    pieces, ids = model.tokenize(text)
    if pieces is None:
        raise ValueError("its tokens are not the text")
    windows = []
    for begin, end, first in chunks(len(ids), context, stride, published):
        scores = model.score(ids[begin:end], first - begin)
        windows.append({"begin": begin, "end": end, "from": first,
                        "logprobs": [number(s[0], -1) for s in scores],
                        "means": [number(s[1], -1) for s in scores],
                        "deviations": [number(s[2], 1) for s in scores]})
    record = {"text": text, "tokens": [[string(piece), id] for piece, id in zip(pieces, ids)]}
    if context:
        record["context"] = context
    record["windows"] = windows
    return record


def prompt_line(model, prompt, sampling):
    made = model.generate(prompt, sampling)
    return {"prompt": prompt, "sampling": sampling,
            "generated": {"text": string(b"".join(made["pieces"])), "ids": made["ids"],
                          "prompt_ids": made["prompt_ids"], "stopped": made["stopped"]}}


def accuracy_prompts(model, text, context, n, count):
    """The prompts of n-gram accuracy; none of a text that is left out."""
    try:
        pieces, _ = model.tokenize(text)
    except ValueError:
        return []
    return [string(b"".join(pieces[:start])) for start in starts(len(pieces or []), context, n, count)]


def record(model, texts, prompts, output, context, stride, published, family, accuracy, say):
    """Writes the lines of all texts and prompts, each once; gives how many, and how many were left out."""
    written, left, seen = 0, 0, set()

    def write(key, make, what):
        nonlocal written, left
        if key in seen:
            return
        seen.add(key)
        try:
            line = json.dumps(make(), ensure_ascii=False).encode("utf-8", "surrogateescape")
        except ValueError as why:
            say("%s is left out: %s" % (what, why))
            left += 1
            return
        output.write(line + b"\n")
        written += 1

    def write_prompt(prompt, sampling, what):
        full = sampling_of(sampling)
        write((prompt, json.dumps(full, sort_keys=True)), lambda: prompt_line(model, prompt, full), what)

    for place, text in texts:
        for form in forms(text, family):
            write(form, lambda: text_line(model, form, context, stride, published), place)
        if accuracy:
            for prompt in accuracy_prompts(model, text, context, *accuracy):
                write_prompt(prompt, {"tokens": accuracy[0]}, place)
    for place, prompt, sampling in prompts:
        write_prompt(prompt, sampling, place)
    return written, left


# ---- files ----

def lines_of(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", errors="surrogateescape") as lines:
        for count, line in enumerate(lines, 1):
            if line.strip():
                yield "%s:%d" % (path, count), json.loads(line)


def texts_of(paths, field):
    for path in paths:
        for place, row in lines_of(path):
            if not isinstance(row.get(field), str):
                raise ValueError("%s: no text `%s'" % (place, field))
            yield place, row[field]


def prompts_of(path):
    for place, row in lines_of(path) if path else ():
        yield place, row["prompt"], row["sampling"]


# ---- the model ----

class Transformer:
    """A causal model of transformers, with its tokenizer."""

    def __init__(self, name, device, dtype):
        try:
            import torch
            import transformers
        except ImportError as missing:
            sys.exit("record_transformers: %s; this script needs torch and transformers "
                     "(pip install torch transformers)" % missing)
        self.torch = torch
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        self.model = transformers.AutoModelForCausalLM.from_pretrained(
            name, torch_dtype=getattr(torch, dtype)).to(device).eval()
        self.device = device
        self.sentence_piece = any("\u2581" in name for name in self.tokenizer.get_vocab())
        config = self.model.config
        self.context = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", 0)
        ends = getattr(self.model.generation_config, "eos_token_id", None)
        self.ends = set(ends if isinstance(ends, list) else [ends]) | {self.tokenizer.eos_token_id}

    def tokenize(self, text):
        text.encode()                   # what is no UTF-8 is a ValueError
        ids = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return pieces_of(self.tokenizer.convert_ids_to_tokens(ids), text), ids

    def score(self, ids, first):
        torch = self.torch
        with torch.no_grad():
            logits = self.model(torch.tensor([ids], device=self.device)).logits[0, first - 1:-1]
            logs = torch.log_softmax(logits.double(), dim=-1)
            weights = logs.exp()
            terms = torch.where(weights > 0, weights * logs, torch.zeros_like(logs))
            mean = terms.sum(-1)
            square = torch.where(weights > 0, terms * logs, torch.zeros_like(logs)).sum(-1)
            chosen = logs.gather(-1, torch.tensor(ids[first:], device=self.device)[:, None])[:, 0]
            deviation = (square - mean * mean).clamp(min=0).sqrt()
        return list(zip(chosen.tolist(), mean.tolist(), deviation.tolist()))

    def pick(self, logits, sampling, step, generator):
        torch, temperature = self.torch, temperature_at(sampling, step)
        if temperature <= 0:
            return int(logits.argmax())
        order = torch.sort(logits.double() / temperature, descending=True, stable=True)
        values = order.values[:sampling["top_k"] or None]
        weights = torch.softmax(values, dim=-1)
        kept = max(1, int((weights.cumsum(-1) - weights < sampling["top_p"]).sum()))
        return int(order.indices[torch.multinomial(weights[:kept].cpu(), 1, generator=generator)[0]])

    def generate(self, prompt, sampling):
        torch = self.torch
        prompt.encode()
        ids = self.tokenizer(prompt, add_special_tokens=False)["input_ids"]
        with_special = self.tokenizer(prompt)["input_ids"]
        begin = self.tokenizer.bos_token_id if self.tokenizer.bos_token_id is not None else self.tokenizer.eos_token_id
        first = [begin] if not ids or with_special[:1] == [self.tokenizer.bos_token_id] else []
        if self.context:
            room = self.context - sampling["tokens"] - len(first)
            if room + len(first) < 1:
                raise ValueError("%d new tokens do not fit the context" % sampling["tokens"])
            ids = ids[max(0, len(ids) - room):]
        generator = torch.Generator().manual_seed(sampling["seed"])
        made, past, given, stopped = [], None, first + ids, False
        with torch.no_grad():
            for step in range(sampling["tokens"]):
                out = self.model(torch.tensor([given], device=self.device), past_key_values=past, use_cache=True)
                past, token = out.past_key_values, self.pick(out.logits[0, -1], sampling, step, generator)
                stopped = token in self.ends
                if stopped:
                    break
                made.append(token)
                given = [token]
        names = self.tokenizer.convert_ids_to_tokens(made)
        pieces = [(None if self.sentence_piece else byte_level(name)) or sentence_piece(name) for name in names]
        return {"pieces": pieces, "ids": made, "prompt_ids": ids, "stopped": stopped}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0],
                                     epilog="Prompts are lines of "
                                            "{\"prompt\": ..., \"sampling\": {\"tokens\": ..., ...}}.")
    parser.add_argument("--model", required=True, help="name or folder, as transformers takes it")
    parser.add_argument("--output", required=True, help="the recording; a name that ends in .gz is packed")
    parser.add_argument("--field", default="text", help="of the records: the text (default: text)")
    parser.add_argument("--context", type=int, default=0, help="tokens in a window (default: the model's)")
    parser.add_argument("--stride", type=int, default=0,
                        help="between windows, as `probe: {stride}` (default: half the context; 512 with --published)")
    parser.add_argument("--published", action="store_true", help="the windows of `compat: published`")
    parser.add_argument("--family", action="store_true", help="also what lowercase, window and perplexity read")
    parser.add_argument("--accuracy", metavar="N,STARTS", help="also the continuations of n-gram accuracy: 5,5")
    parser.add_argument("--prompts", metavar="FILE", help="also the continuations of these")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", default="float32", help="float32, float16, bfloat16")
    parser.add_argument("texts", nargs="*", metavar="TEXTS.jsonl")
    options = parser.parse_args()
    accuracy = [int(word) for word in options.accuracy.split(",")] if options.accuracy else None
    if not options.texts and not options.prompts or accuracy is not None and len(accuracy) != 2 or options.stride < 0:
        parser.error("texts or --prompts are needed; --accuracy is two numbers; --stride is 0 or more")

    model = Transformer(options.model, options.device, options.dtype)
    model.context = options.context or model.context
    with (gzip.open if options.output.endswith(".gz") else open)(options.output, "wb") as output:
        written, left = record(model, texts_of(options.texts, options.field), prompts_of(options.prompts), output,
                               model.context, options.stride or 512 * options.published, options.published,
                               options.family, accuracy,
                               lambda what: print("record_transformers:", what, file=sys.stderr))
    print("%d lines written, %d left out" % (written, left))


if __name__ == "__main__":
    main()
