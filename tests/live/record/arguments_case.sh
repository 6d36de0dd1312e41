#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Command lines: of a build and of scripts, of processes of -p, of nobody else; with --no-arguments and
# --no-snapshot none. What the programs were started with is what they print.
. "$(dirname "$0")/prelude.sh"

need jq
need cc
need make
need python3

processes() { # FILE: the processes of --processes
	"$FTWAIT" report --processes --json "$1" 2>> errors | jq -c '.processes.processes[]'
}

# a program of its own, whose name is short and which lives long enough
cat > say.c << 'END'
#include <stdio.h>
#include <time.h>

int main(int argc, char **argv)
{
	struct timespec pause = {.tv_nsec = 100000000};

	(void)argc;
	for (; *argv; argv++)
		printf("%s%c", *argv, argv[1] ? '\t' : '\n');
	fflush(stdout);
	return nanosleep(&pause, NULL);
}
END
# a cache of the compiler, as in CI, runs no cc1 for what it knows
export CCACHE_DISABLE=1
cc -o say say.c || { echo "cannot compile"; exit 77; }
mkdir src
for file in one two; do
	echo "int $file(void) { return 1; }" > "src/$file.c"
done
cat > Makefile << 'END'
all: one.o two.o
%.o: src/%.c
	cc -O2 -c -o $@ $<
END
cat > first.py << 'END'
import time
time.sleep(0.5)
END
cp first.py second.py
cat > all.sh << 'END'
./say "a b" '' 'back\slash' "$(printf 'new\nline')" -o x
make -s
python3 first.py --secret=hidden &
python3 second.py
wait
END

record -v -o a.dat -- sh all.sh > truth
ended
grep -q 'perf_event_open' errors && { echo "the kernel does not report execs here"; exit 77; }
expect "status 0" [ $status -eq 0 ]
expect "COMMAND's own line" [ "$(processes a.dat | jq -c 'select(.task.comm == "sh" and .parent == null).arguments')" = '["sh","all.sh"]' ]
processes a.dat | jq -c 'select(.task.comm == "say").arguments' > said
# the newline within a word is one for read, too
tr '\n\t' '\a\n' < truth | jq -R -s -c 'rtrimstr("\u0007") | split("\n") | map(gsub("\u0007"; "\n"))' > expected
expect "the words that the program printed" cmp -s said expected
expect "the words of its exec" \
	[ "$(processes a.dat | jq -c 'select(.task.comm == "say").execs[-1].arguments')" = "$(cat expected)" ]
"$FTWAIT" report a.dat --top 0 > text 2>> errors
# On a busy machine a program as short as cc1 may end before its line can be read, which is said: at most as many
# lines are missing as it says.
missed=$(sed -n 's/^ftwait: command lines of \([0-9]*\) of \([0-9]*\) programs.*/\1 \2/p' errors | awk '{ print $2 - $1 }')
expect "how many lines are missing is said" [ -n "$missed" ]
for file in one two; do
	if [ "$(processes a.dat | jq -c --arg file "src/$file.c" 'select(.task.comm == "cc1" and (.arguments | index($file)))' | wc -l)" -eq 1 ]; then
		expect "cc1 is named by $file.c" grep -q "^cc1 $file.c\[" text
	else
		missed=$((${missed:-0} - 1))
	fi
done
expect "one.c and two.c are in the lines of cc1" [ "${missed:--1}" -ge 0 ]
for file in first second; do
	expect "python3 is named by $file.py" grep -q "^python[0-9.]* $file.py\[" text
done
expect "the name in JSON is as before" \
	[ "$("$FTWAIT" report a.dat --json 2>> errors | jq '[.summary.tasks[].task.comm | select(test(" "))] | length')" -eq 0 ]

# a process of -p, and nothing of one that nobody asked for; python3 may be a script that looks for it
python=$(python3 -c 'import sys; print(sys.executable)')
echo 'import time; time.sleep(60)' > long.py
"$python" long.py asked & asked=$!
"$python" long.py unasked & unasked=$!
await 20 grep -q long.py /proc/$asked/cmdline
await 20 grep -q long.py /proc/$unasked/cmdline
record -d 100ms -p $asked -o b.dat
ended
expect "the line of a process of -p" [ "$(grep -a -c "^program $asked 0 " b.dat)" -eq 1 ]
expect "no other line" [ "$(grep -a -c "^program " b.dat)" -eq 1 ]
kill $asked $unasked

record --no-arguments -o c.dat -- sh all.sh > truth
ended
expect "no secret with --no-arguments" [ "$(grep -a -c 'secret=hidden' c.dat)" -eq 0 ]
expect "nor COMMAND's line" [ "$(grep -a -c '^argument ' c.dat)" -eq 0 ]
expect "nor any other" [ "$(grep -a -c '^program ' c.dat)" -eq 0 ]
record --no-snapshot -o d.dat -- sh all.sh > truth
ended
expect "with --no-snapshot COMMAND's line" [ "$(grep -a -c '^argument ' d.dat)" -eq 2 ]
expect "and no other" [ "$(grep -a -c '^program ' d.dat)" -eq 0 ]
record -d 200ms -o e.dat
ended
expect "nothing of the whole machine" [ "$(grep -a -c '^program ' e.dat)" -eq 0 ]
finish
