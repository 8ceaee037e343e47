# A large command starts itself again, once, for what its surroundings do not set (docs/reference.md, threads and huge
# pages), alone and as ranks, and finds the same; what is set it leaves, and no help is started twice.
. "$(dirname "$0")/common.sh"
case $BUILD in *asan*|*tsan*) echo "a sanitizer wants to be the first library"; exit 77 ;; esac
need cc

two_sets "$work/sets" --bench 20 --corpus 100 --shards 1
cd "$work/sets"

# A library that notes each start of the program.
cat >starts.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((constructor)) static void note(void)
{
    const char *tunables = getenv("GLIBC_TUNABLES"), *wait = getenv("OMP_WAIT_POLICY");
    int         out = open(getenv("STARTS"), O_WRONLY | O_CREAT | O_APPEND, 0666);

    if (strcmp(program_invocation_short_name, "leakgraph") == 0)
        dprintf(out, "%s %s\n", tunables ? "set" : "unset", wait ? wait : "none");
    close(out);
}
C
cc -shared -fPIC -o starts.so starts.c

# started WANTED COMMAND...: these starts, as lines of the two variables.
started() {
    local wanted=$1
    shift
    rm -f starts
    expect 0 env -u GLIBC_TUNABLES -u OMP_WAIT_POLICY STARTS="$PWD/starts" LD_PRELOAD="$PWD/starts.so" "$@"
    [ "$(sort starts | uniq -c | tr -s ' \n' ' ')" = " $wanted " ] || fail "$*: started as$(sort starts | uniq -c)"
}

started '1 set passive 1 unset none' "$leakgraph" run run.yaml --output once --quiet
started '1 set active 1 unset active' env OMP_WAIT_POLICY=active "$leakgraph" run run.yaml --output active --quiet
started '1 set none' env GLIBC_TUNABLES= "$leakgraph" run run.yaml --output set --quiet
started '1 unset none' "$leakgraph" run --help
started '1 unset none' "$leakgraph" fsck once
same once active
same once set
if command -v mpirun >/dev/null; then
    started '2 set passive 2 unset none' mpirun --oversubscribe --bind-to none -n 2 "$leakgraph" run run.yaml \
        --output ranks --quiet
    same once ranks
fi
