"""A server of completions with a toy language model, which misbehaves when it is asked to.

Prints its port and serves until standard input ends.  The first part of the path is the kind of server:
  good    echo, logprobs, /tokenize, ids as prompts          openai  refuses max_tokens 0 and what OpenAI does not know
  begun   as openai, with <s> before every prompt            vllm    refuses echo, gives prompt_logprobs
  none    tells nothing of a prompt, and speaks llama.cpp's form of logprobs
  llama   as none, with llama.cpp's /tokenize and /completion;  bias: the same, but its logprob is that after the bias;
          deaf: the same, but it does not heed the bias
  keyed   as good, for those who have the key only
  gate    as good, but refuses what is not below /v1 (403);  shut: as none, likewise;  page: as good, with a page there
  busy    as good, after $COMPLETIONS_WAIT seconds (0.05); one prompt in eight fails at first: 429, 500, 503, or cut
A prompt that begins with !WORD misbehaves as Handler.misbehave and EDITS say.  GET /stats tells what was asked since
the last time.

Tokens: a run of at most 4 letters, digits and _ with a space before it; any other byte alone, bytes of characters that
are not ASCII in twos.
log p of a token = -(1 + crc32(the two before it and itself, joined by |) % 4000 / 1000); what follows is a word picked
by crc32 too.
"""
import json
import os
import re
import sys
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-test-0123456789"
WORDS = [b" return", b" x", b"\n", b" = ", b"f(", b")", b" \xe2\x80\x99", b" yield"]
TOKEN = re.compile(rb" ?\w{1,4}|[\x80-\xff]{1,2}|.", re.S | re.A)
WAIT = float(os.environ.get("COMPLETIONS_WAIT", "0.05"))
AS = {"keyed": "good", "busy": "good", "gate": "good", "page": "good", "shut": "none"}
lock = threading.Lock()
met = threading.Condition(lock)
seen, stats, ids = {}, {}, {}
names = []


def reset():
    stats.update(requests=0, flying=0, flying_max=0, answered=0)


def number(token):
    with lock:
        if token not in ids:
            ids[token] = len(names)
            names.append(token)
        return ids[token]


def shown(token):
    return token.decode("utf-8", "replace")


def logprob(tokens, i):
    before = b"|".join(tokens[max(i - 2, 0):i + 1])
    return -(1 + zlib.crc32(before) % 4000 / 1000)


def go_on(tokens, body):
    out, last, stopped = [], tokens[-1] if tokens else b"", False
    for _ in range(body["max_tokens"]):
        heat = "" if body["temperature"] == 0 else "%s %s %s" % (body.get("seed"), body.get("top_k"),
                                                                 body["temperature"])
        pick = zlib.crc32(last + heat.encode())
        stopped = pick % 9 == 8
        if stopped:
            break
        for token in TOKEN.findall(WORDS[pick % len(WORDS)]):
            out.append(token)
            last = token
        if len(out) >= body["max_tokens"]:
            break
    return out[:body["max_tokens"]], stopped and len(out) <= body["max_tokens"]


class Refused(Exception):
    pass


def lists(tokens, null):
    offsets, at = [], 0
    for token in tokens:
        offsets.append(at)
        at += len(shown(token))
    return {"tokens": [shown(t) for t in tokens], "text_offset": offsets,
            "token_logprobs": [None if i == 0 and null else logprob(tokens, i) for i in range(len(tokens))]}


def complete(kind, body):
    prompt = body["prompt"]
    tokens = [names[i] for i in prompt] if isinstance(prompt, list) else TOKEN.findall(prompt.encode())
    echo, most = body.get("echo"), body["max_tokens"]
    if kind in ("openai", "begun"):
        unknown = set(body) - {"model", "prompt", "max_tokens", "temperature", "top_p", "seed", "logprobs", "echo"}
        if unknown or isinstance(prompt, list):
            raise Refused("unknown argument: %s" % sorted(unknown))
        if most == 0:
            raise Refused("max_tokens is at least 1")
    if kind == "vllm" and echo:
        raise Refused("no echo here")
    new, stopped = go_on(tokens, body)
    text = b"".join(new).decode("utf-8", "replace")
    front = [b"<s>"] if kind == "begun" else []
    told = new + ([b"</s>"] if stopped else [])
    choice = {"index": 0, "finish_reason": "stop" if stopped else "length"}
    if echo and kind not in ("none", "llama", "bias", "deaf"):
        choice["text"] = b"".join(tokens).decode("utf-8", "replace") + text
        choice["logprobs"] = lists(front + tokens + told, True)
    elif kind in ("none", "llama", "bias", "deaf"):
        choice["text"] = text
        choice["logprobs"] = {"content": [{"token": shown(t), "logprob": -1.5} for t in told]}
    else:
        choice["text"] = text
        if "logprobs" in body:
            choice["logprobs"] = lists(told, False)
    if kind == "vllm" and "prompt_logprobs" in body:
        choice["prompt_logprobs"] = [None] + [
            {str(number(t)): {"logprob": logprob(tokens, i), "rank": 1, "decoded_token": shown(t)}}
            for i, t in enumerate(tokens) if i]
    return {"object": "text_completion", "choices": [choice],
            "usage": {"prompt_tokens": len(tokens), "completion_tokens": len(new),
                      "total_tokens": len(tokens) + len(new)}}


def cut(text):
    def piece(token):
        return shown(token) if token.decode("utf-8", "ignore").encode() == token else list(token)
    return {"tokens": [{"id": number(t), "piece": piece(t)} for t in TOKEN.findall(text.encode())]}


CUTS = {
    "less": lambda tokens: tokens.pop(),
    "other": lambda tokens: tokens[1].update(piece="?"),
    "bytes": lambda tokens: tokens[1].update(piece=[300]),
    "empty": lambda tokens: tokens[1].update(piece=""),
    "noid": lambda tokens: tokens[1].pop("id"),
    "more": lambda tokens: tokens.append({"id": 1, "piece": [0]}),
}


def cut_wrong(text):
    answer, fault = cut(text), re.match(r"!([a-z]+)", text)
    if fault and fault.group(1) in CUTS:
        CUTS[fault.group(1)](answer["tokens"])
    return answer


def one_more(kind, body):
    before = [names[i] for i in body["prompt"]]
    bias = body.get("logit_bias") if kind != "deaf" else None
    token = names[bias[0][0]] if bias else b" best"
    value = logprob(before + [token], len(before)) if token != b" best" else -0.25
    return {"content": shown(token), "tokens_evaluated": len(before), "completion_probabilities": [
        {"id": number(token), "token": shown(token), "logprob": 0.0 if kind == "bias" and bias else value,
         "top_logprobs": []}]}


def drop(answer, key):
    del answer["choices"][0]["logprobs"][key]


def change(answer, key, change_list):
    change_list(answer["choices"][0]["logprobs"][key])


EDITS = {
    "nologprobs": lambda a: a["choices"][0].pop("logprobs"),
    "nochoices": lambda a: a.pop("choices"),
    "novalues": lambda a: drop(a, "token_logprobs"),
    "counts": lambda a: change(a, "token_logprobs", lambda l: l.pop()),
    "offsets": lambda a: change(a, "text_offset", lambda l: l.reverse()),
    "nan": lambda a: change(a, "token_logprobs", lambda l: l.__setitem__(2, float("nan"))),
    "text": lambda a: change(a, "token_logprobs", lambda l: l.__setitem__(2, "-1.0")),
    "hole": lambda a: change(a, "token_logprobs", lambda l: l.__setitem__(2, None)),
    "positive": lambda a: change(a, "token_logprobs", lambda l: l.__setitem__(2, 0.5)),
    "rounding": lambda a: change(a, "token_logprobs", lambda l: l.__setitem__(2, 1e-6)),
    "first": lambda a: change(a, "token_logprobs", lambda l: l.__setitem__(0, -1.0)),
    "tokens": lambda a: change(a, "tokens", lambda l: l.__setitem__(2, "?")),
    "fewer": lambda a: [change(a, k, lambda l: l.pop()) for k in ("tokens", "token_logprobs", "text_offset")],
    "keyed": lambda a: a.update(system_fingerprint=KEY),
    "nousage": lambda a: a.pop("usage"),
    "nul": lambda a: a["choices"][0].update(text=a["choices"][0]["text"] + "\0 x"),
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *args):
        pass

    def send(self, status, data, headers=(), length=None):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data) if length is None else length))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status, text, headers=()):
        self.send(status, json.dumps({"error": {"message": text, "type": "invalid"}}).encode(), headers)

    def do_GET(self):
        with lock:
            data = json.dumps(stats).encode()
            reset()
        self.send(200, data)

    def do_POST(self):
        with lock:
            stats["requests"] += 1
        try:
            self.answer()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def answer(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        kind, path = self.path.lstrip("/").split("/", 1)
        if kind == "keyed" and self.headers.get("Authorization") != "Bearer " + KEY:
            return self.refuse(401, "no such key: %s" % self.headers.get("Authorization"))
        if path == "tokenize" and kind in ("good", "keyed", "busy", "vllm"):
            tokens = TOKEN.findall(body["prompt"].encode())
            return self.send(200,
                             json.dumps({"count": len(tokens), "max_model_len": 4096,
                                         "tokens": [number(t) for t in tokens]}).encode())
        if path == "tokenize" and kind in ("llama", "bias", "deaf"):
            return self.send(200, json.dumps(cut_wrong(body["content"])).encode())
        if path == "completion" and kind in ("llama", "bias", "deaf"):
            return self.send(200, json.dumps(one_more(kind, body)).encode())
        if path != "v1/completions":
            if kind == "page":
                return self.send(200, b"<html>welcome</html>")
            return self.refuse(403 if kind in ("gate", "shut") else 404, "not here")
        try:
            answer = complete(AS.get(kind, kind), body)
        except Refused as refused:
            return self.refuse(400, str(refused))
        prompt = body["prompt"]
        if kind == "busy":
            return self.busy(answer, prompt)
        fault = re.match(r"!([a-z0-9]+)", prompt) if isinstance(prompt, str) else None
        self.misbehave(fault.group(1) if fault else "", answer, prompt)

    def wait(self, seconds, others=0):
        """Answers after so many seconds, and not before so many have been asked at once."""
        with met:
            stats["flying"] += 1
            stats["flying_max"] = max(stats["flying_max"], stats["flying"])
            met.notify_all()
            met.wait_for(lambda: stats["flying_max"] >= others, 8)
        time.sleep(seconds)
        with lock:
            stats["flying"] -= 1

    def busy(self, answer, prompt):
        with lock:
            seen[str(prompt)] = times = seen.get(str(prompt), 0) + 1
        self.wait(WAIT)
        data = json.dumps(answer).encode()
        how = zlib.crc32(str(prompt).encode()) % 32
        if times == 1 and how == 3:
            self.send(200, data[:len(data) // 2], length=len(data))
            self.close_connection = True
        elif times == 1 and how < 3:
            self.refuse((429, 500, 503)[how], "too many", [("Retry-After", "0")])
        else:
            self.send(200, data)
            with lock:
                stats["answered"] += 1

    def misbehave(self, fault, answer, prompt):
        with lock:
            seen[str(prompt)] = times = seen.get(str(prompt), 0) + 1
        if fault in EDITS:
            EDITS[fault](answer)
        data = json.dumps(answer).encode()
        if fault == "wait":
            self.wait(0.1)
        if fault.startswith("meet"):
            self.wait(0.1, int(fault[4:]))
        if fault == "never":
            time.sleep(60)
            self.close_connection = True
            return
        if fault == "slow":
            self.send(200, data[:1], length=1000)
            for _ in range(600):
                time.sleep(0.1)
                self.wfile.write(b" ")
                self.wfile.flush()
        if fault == "cut" or (fault == "cutonce" and times == 1):
            self.send(200, data[:len(data) // 2], length=len(data))
            self.close_connection = True
            return
        if fault == "broken":                               # whole, and not JSON
            return self.send(200, data[:len(data) // 2])
        if fault == "html":
            return self.send(200, b"<html>Welcome</html>")
        if fault == "array":
            return self.send(200, b"[" + data + b"]")
        if fault == "deep":
            return self.send(200, b"[" * 100000)
        if fault == "values":
            return self.send(200, b'{"choices": [' + b"1," * 5000000 + b"1]}")
        if fault == "utf8":
            return self.send(200, data.replace(b'"!"', b'"\xff"'))
        if fault == "nulbyte":
            return self.send(200, data.replace(b'"text": "', b'"text": "\0'))
        if fault == "inf":
            return self.send(200, re.sub(rb"-\d\.\d+", b"-1e999", data, 1))
        if fault == "big":
            self.send(200, b"{", length=100 << 20)
            for _ in range(100):
                self.wfile.write(b" " * (1 << 20))
            return
        if fault == "redirect":
            return self.send(302, b"", [("Location", "/good/v1/completions")])
        if fault == "close":                                # without saying so
            self.send(200, data)
            self.close_connection = True
            return
        if fault == "later" and times > 1:
            return self.refuse(500, "gone")
        if fault.startswith("500"):
            if times <= int(fault[3:]):
                return self.refuse(500, "in pieces")
        if fault.startswith("429") and times <= int(fault[3:]):
            return self.refuse(429, "too many")
        if fault == "after" and times == 1:
            return self.refuse(429, "too many", [("Retry-After", "1")])
        if fault == "aftermuch":
            return self.refuse(503, "too many", [("Retry-After", "86400")])
        if fault == "unknown":
            return self.refuse(404, "no model of that name")
        if fault == "leak":
            return self.refuse(400, "bad request by " + str(self.headers.get("Authorization")))
        self.send(200, data)


reset()
ThreadingHTTPServer.daemon_threads = True
ThreadingHTTPServer.request_queue_size = 64
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
