/* tests/unit/code/function_end.c -- functions of languages whose blocks end with `end`. */
#include "functions.h"

static void ruby(void **unused)
{
    (void)unused;
    expect_functions("ruby",
                     "module A\n  class B::C < D\n    def self.f(a, if: 1)\n      return if a.nil?\n      while x "
                     "do y end"
                     "\n      z = if a then b else c end\n      d.each do |e| g unless e end\n      :end\n    end\n"
                     "    private def g?() = h(\n      1)\n    def i=(v); end\n    def <=>(o) \"#{if a then b "
                     "end}\" end\n"
                     "  end\nend\n",
                     "C.f 3-9 def..end; C.g? 10-11 def.. 1); C.i= 12-12 def..end; C.<=> 13-13 def..end");
}

static void lua(void **unused)
{
    (void)unused;
    expect_functions("lua",
                     "local function f(a)\n  for i = 1, 2 do if a then b() end end\n  repeat c() until d\nend\n"
                     "function a.b:c() return [[ end ]] end\nlocal g = function() end\nx = { h = function() end }\n"
                     "y(function() end)",
                     "f 1-4 local..end; c 5-5 function..end; g 6-6 local..end; h 7-7 h..end");
}

static void julia(void **unused)
{
    (void)unused;
    expect_functions("julia",
                     "module A\nfunction f(x::T) where T\n  a[end] = [i for i in x if i > 1]\n  for i in x\n    if "
                     "i end\n"
                     "  end\n  map(x) do y\n    function g() end\n  end\nend\nfunction Base.show(io) :end end\n"
                     "function h end\nabstract type B end\nend",
                     "f 2-10 function..end; f/g 8-8 function..end; show 11-11 function..end");
}

static void broken(void **unused)
{
    (void)unused;
    expect_functions("ruby", "end end\ndef f(a\n  b", "f 2-3 def..  b");
    expect_functions("lua", ") ] } function f( end", "f 1-1 function..end");
    expect_functions("lua", "function", "");
    expect_functions("ruby", "def", "");
    expect_functions("julia", "function f(", "f 1-1 function.. f(");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ruby), cmocka_unit_test(lua), cmocka_unit_test(julia), cmocka_unit_test(broken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
