# seconds: 240
# functions: exact: what the parsers see in small files of 14 languages is what fast sees; errors are counted, and so
# are hostile texts and languages without a parser, which are told by their tokens.
. "$(dirname "$0")/common.sh"
cd "$work"

if "$leakgraph" version | grep -q 'exact is left out'; then
    printf 'def f(): pass\n' >a.py
    expect 2 "$leakgraph" extract --functions exact a.py
    says err 'built without tree-sitter' 'scripts/tree_library.sh'
    printf '%s\n' 'datasets: [{name: a, role: benchmark, files: [a.py]}]' 'near_duplicates: {functions: exact}' \
        >run.yaml
    expect 2 "$leakgraph" run run.yaml --output out.run
    says err 'functions: exact: this leakgraph was built without tree-sitter'
    echo "this leakgraph is built without tree-sitter; the rest is not tested"
    exit 77
fi

mkdir clean
cd clean
cat >a.c <<'C'
#include <stdio.h>
static int add(int a, int b)
{
    return a + b;
}
int main(int argc, char **argv) { if (argc) { puts("}"); } return add(1, 2); }
C
cat >a.cpp <<'CPP'
namespace n {
class A : public B {
public:
    A(int x) : B(x) { }
    virtual ~A() { }
    int get() const { return x; }
};
int A::put(int y) { return y; }
}
CPP
cat >a.cs <<'CS'
namespace N {
    public class A {
        public A(int x) : base(x) { }
        [B] public int F(int x) { return x; }
        int G() => 1;
        int P { get { return 1; } }
    }
}
CS
cat >a.go <<'GO'
package a

func f(a int) int { return a }

func (t *T) g() { x := func() { f(1) }; x() }
GO
cat >A.java <<'JAVA'
class A {
    A() { }
    @Override public int f(int x) { return new B() { int g() { return 1; } }.g(); }
    abstract void h();
}
JAVA
cat >a.js <<'JS'
async function f(a) { return `}${a}` }
class A { constructor() { } static m() { } }
const g = (x) => { return x }
export const h = { k: function () { }, l() { } }
JS
cat >a.kt <<'KT'
class A(x: Int) {
    @B override fun f(x: Int): Int {
        return x
    }
    fun g() = 1
}
fun top(): Int { return 2 }
KT
cat >a.php <<'PHP'
<?php
function f($a) { return "{$a}"; }
class A { public static function g() { return function () { }; } }
PHP
cat >a.py <<'PY'
class A:
    @d
    def f(self):
        """Only this."""

    async def g(self):
        def h(): pass
        return h
PY
cat >a.rb <<'RB'
module M
  class A
    def f(a) = a
    def self.g?
      if a then b end
    end
  end
end
RB
cat >a.rs <<'RS'
impl<T> A for b::C<T> {
    #[inline]
    pub fn f(&self) -> u8 { '}' as u8 }
}
fn g<'a>(x: &'a str) -> usize where u8: Copy { x.len() }
RS
cat >a.scala <<'SCALA'
object A {
  private def f[T](x: T): T = {
    def g = 1
    x
  }
  def h(x: Int): Int = x
}
SCALA
cat >a.sh <<'SH'
f() { echo "}"; }
function g {
    f
}
SH
cat >a.ts <<'TS'
abstract class A<T> {
    private async f<K>(k: K): Promise<K> { return k }
    abstract g(): void
}
export const h = (a: string): { b: string } => { return { b: a } }
function k(x: number): void
function k(x: any): void { }
TS
cd ..
expect 0 "$leakgraph" extract --functions exact --languages
[ "$(grep -c . out)" = 14 ] || fail "not 14 languages: $(cat out)"
expect 0 "$leakgraph" extract clean
cp out fast
expect 0 "$leakgraph" extract --functions exact clean
diff fast out || fail "the two extractors differ"
[ "$(grep -c . out)" = 40 ] || fail "$(grep -c . out) functions"
says err 'exact: 14 files parsed, 0 of them with errors, in 0 places; .*: 0 in languages without a parser, 0 that'

# What the parser cannot read is counted; what it sees is written.
printf 'int f(void) { return (1; }\nint g(void) { }\n' >bad.c
printf 'local function f() end\n' >a.lua
expect 0 "$leakgraph" extract --functions exact bad.c a.lua
says err 'exact: 1 files parsed, 1 of them with errors, in 1 places; .*: 1 in languages without a parser, 0 that'
[ "$(grep -c . out)" = 3 ] || fail "functions beside an error are lost"

# 128 KB of a bracket and of a quote, characters without order, a line of 10 MB: read, or given up and counted.  Larger
# ones are property/test_exact's.
"$PYTHON" - <<'PYTHON'
import random
random.seed(1)
size = 1 << 17
open("parens", "wb").write(b"(" * size)
open("quotes", "wb").write(b"'" * size)
open("bytes", "wb").write(bytes(random.choices(range(1, 128), k=size // 4)))
open("line", "wb").write(b"a " * (5 << 20))
PYTHON
# A parser asks for large blocks again and again; where malloc fills each, that alone takes minutes.
unset MALLOC_PERTURB_
for language in $("$leakgraph" extract --functions exact --languages); do
    expect 0 timeout 120 "$leakgraph" extract --functions exact --language "$language" parens quotes bytes line
    says err 'of 4 files; 0 files in languages' 'exact: [0-4] files parsed'
    grep -q ', 0 that are too large' err && fail "$language: a text of 10 MB is parsed"
    says err 'exact: too large, or given up: .*line'
done

# A run: the same pairs either way where the files are clean, and what the parsers did.
mkdir files
"$PYTHON" - <<'PYTHON'
import json
item = "def f(%s):\n    total = first + second\n    for entry in entries:\n        total += entry.weight\n"
item += "    return total\n"
other = "def g():\n    pass\n\n\ndef h(x, y):\n    z = x * y\n    w = z - x\n    return call(w, z, x, y)\n\n\n"
open("files/a.py", "w").write(other + item % "first, second, entries" + "\n\n" + other)
open("files/bad.py", "w").write(other + "def broken(:\n")
open("files/c.lua", "w").write("local function f(a) return a end\n" * 9)
open("items.jsonl", "w").write(json.dumps({"text": item % "first, second, entries", "language": "python"}) + "\n")
PYTHON
cat >run.yaml <<'YAML'
datasets:
  - {name: items, role: benchmark, files: [items.jsonl]}
  - {name: files, role: corpus, files: [files]}
near_duplicates: {min_tokens: 5, containment_threshold: off}
YAML
expect 0 "$leakgraph" run run.yaml --output by_fast
expect 0 "$leakgraph" run run.yaml --output by_exact --set near_duplicates.functions=exact
same by_fast by_exact
[ "$(sql by_exact "SELECT place FROM function_places")" = "a.py#f@11" ] || fail "the item is not found"
said=$(sql by_exact "SELECT key, value FROM run WHERE key LIKE 'functions.%' ORDER BY key" | tr '\n' ' ')
[ "$said" = "functions.datasets|files functions.given_up|0 functions.items|1 functions.parse_errors|1 \
functions.parsed|2 functions.parsed_with_errors|1 functions.without_parser|1 " ] || fail "table run: $said"
says by_exact/run.log 'functions: exact: 2 files parsed, 1 of them with errors, in 1 places; .*: 1 in languages without'
says by_exact/config.resolved.yaml '^  functions: exact$'
expect 2 "$leakgraph" run run.yaml --output by_slow --set near_duplicates.functions=slow

expect 2 "$leakgraph" extract --functions slow a.c
says err '--functions takes fast or exact, not `slow`'
