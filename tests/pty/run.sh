#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD [--rewrite] [CASE...]: `ftwait top` on terminals: what its user sees of a stream that is
# known, at several sizes, and that it gives the terminal back however it ends; and `ftwait browse`
# (browse.sh). The screens that are expected lie in screens/; --rewrite writes them anew. Cases whose
# names begin with live- record.
set -u

here=$(dirname "$0")
build=$(realpath "$1")
shift
rewrites=
[ "${1:-}" != --rewrite ] || { rewrites=1 && shift; }
screens=$(realpath "$here/screens")
load=$(realpath "$here/load.awk")
browse=$(realpath "$here/browse.sh")
# shellcheck disable=SC2034 # browse.sh has these
fixtures=$(realpath "$here/../../fixtures") hostile=$(realpath "$here/../hostile/schedule.txt")
only=$*
FTWAIT=$build/ftwait
export FTWAIT
. "$here/../live/tracing.sh"
passed=0 failed=0 skipped=0

scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/ftwait-pty.XXXXXX") || exit 1
busy=
# shellcheck disable=SC2086 # several
trap '[ -z "$busy" ] || kill $busy; cd / && rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
cd "$scratch" || exit 1

TERM=xterm LC_ALL=C.UTF-8 TZ=UTC PTY_ERRORS=1
export TERM LC_ALL TZ PTY_ERRORS
unset COLUMNS LINES

# a stream of 4 s whose recorder goes on, so that top stays; and one that has ended
awk -v seconds=4 -f "$load" | "$build/mktrace" -n -s 250ms -o load || exit 1
awk -v seconds=4 -f "$load" | "$build/mktrace" -s 250ms -o ended || exit 1

wanted() { # CASE
	[ -z "$only" ] && return
	case " $only " in *" $1 "*) return 0 ;; esac
	return 1
}

result() { # STATUS CASE
	if [ "$1" -eq 0 ]; then
		echo "ok   pty $2"
		passed=$((passed + 1))
	else
		echo "FAIL pty $2"
		sed 's/^/    /' errors
		failed=$((failed + 1))
	fi
}

# on CASE SIZE COMMAND...: the lines of pty_run are standard input; the command's messages in `errors`
on() {
	name=$1 size=$2
	shift 2
	cat > lines
	wanted "$name" || return 0
	case $name in live-*)
		if [ -z "$tracing" ]; then
			echo "SKIP pty $name: no tracefs that this user may write to"
			skipped=$((skipped + 1))
			return
		fi
		;;
	esac
	"$build/pty_run" "$size" "$@" < lines > figures 2> errors
	status=$?
	[ ! -s figures ] || sed "s/^/     $name: /" figures
	if [ -s errors ]; then
		status=1
	fi
	if [ $status -eq 0 ] && [ -e screen ]; then
		[ -z "$rewrites" ] || cp screen "$screens/$name.txt"
		diff "$screens/$name.txt" screen > errors || status=1
	fi
	result $status "$name"
	rm -f screen
}

# a stream in a file; the last interval of load ends at that time
file='exec "$FTWAIT" top - < load'
last=22:13:24

for size in 80x24 40x10 200x50 20x5 1x1 500x3; do
	at_end="see $last"
	case $size in 40x10 | 20x5 | 1x1 | 500x3) at_end='wait 1000' ;; esac
	on "screen-$size" $size sh -c "$file" <<- EOF
		$at_end
		clean
		hidden
		save screen
		type q
		exited 0
	EOF
done
shown="see $last
clean
save screen
type q
exited 0"
on screen-unknown-size 0x0 sh -c "$file" << EOF
$shown
EOF
on screen-ascii 80x24 env LC_ALL=C sh -c "$file" << EOF
$shown
EOF
on dumb 80x50 env TERM=dumb sh -c "$file -n 3" << EOF
see 22:13:23
exited 0
clean
save screen
EOF
on keys 80x24 sh -c "$file" << EOF
see $last
marked 1
type s
marked 1
wait 100
type /TASK1
see filter: TASK1_
gone task27
see task19
type \\xc3\\xa9
see filter: TASK1_
type \\r
see filter: TASK1 (10 of 32 rows)
clean
save screen
type /9
see filter: TASK19_
gone task18
type \\e
gone filter:
see task27
type \\e[B
marked 2
type t
wait 200
type p
see paused
type h
see Each row is what tasks of one name did
clean
type \\e
gone Each row
type \\r
see n
type q
wait 100
type q
exited 0
EOF
on chain 80x24 sh -c "$file" << EOF
see $last
type \\e[B\\e[B
marked 2
type \\r
see Chains
gone LONGEST  stuck
clean
save screen
resize 40x10
clean
type \\e[C\\e[B
clean
resize 80x24
clean
type q
see LONGEST  stuck
clean
type p
see paused
resize 30x6
clean
see paused
type \\x13
type q
exited 0
EOF
# Enter again: what was read, in the browser, and back
on browse 80x24 sh -c "$file 2> said" << EOF
see $last
type \\e[B\\e[B\\r
see Enter browse it
type \\r
see > summary
line 1 ftwait-
see Summary
type \\r
line 1 > chains
resize 100x30
clean
type q
see -> ftwait-
see Chains
clean
hidden
type q
line -1 q quit
type q
exited 0
run grep -q "4.0 s.* -> ftwait-" said
run rm ftwait-*.dat
EOF
# where it cannot be written the chains stay
on browse-unwritten 80x24 sh -c "mkdir -p gone; cd gone; rmdir ../gone; exec \"\$FTWAIT\" top - < ../load 2> ../said" << EOF
see $last
type \\e[B\\r
see Enter browse it
type \\r
see ftwait-
type q
line -1 q quit
type q
exited 1
EOF
on resize 80x24 sh -c "$file" << EOF
see $last
$(for i in 1 2 3 4 5 6 7 8 9 10; do
	echo "resize $((20 * i))x$((5 * i))"
	echo "resize $((200 - 19 * i))x$((50 - 4 * i))"
done)
resize 1x1
clean
resize 200x50
see $last
clean
line -1 q quit
resize 80x24
clean
line -1 q quit
$(i=0; while [ $((i += 1)) -lt 200 ]; do echo "resize $((60 + i % 7))x$((20 + i % 5))"; done)
resize 80x24
see Enter chain
clean
see $last
line 1 ftwait top
save screen
type q
exited 0
EOF
on stop 80x24 sh -c "$file" << EOF
see $last
signal TSTP
stopped
away
continue
hidden
see $last
clean
line -1 q quit
type \\x1a
stopped
away
continue
see $last
clean
signal STOP
stopped
continue
see $last
clean
type q
exited 0
EOF
for name in INT TERM HUP QUIT; do
	on "end-$name" 80x24 sh -c "$file" <<- EOF
		see $last
		signal $name
		exited 0
	EOF
done
# a sanitizer has its own handler of SIGSEGV
case $build in *address*) fatal=USR1 ;; *) fatal='SEGV USR1' ;; esac
for name in $fatal; do
	on "end-$name" 80x24 sh -c "$file" <<- EOF
		see $last
		signal $name
		killed $name
		away
	EOF
done
on end-ctrl-c 80x24 sh -c "$file" << EOF
see $last
type \\x03
exited 0
EOF
on end-hangup 80x24 sh -c "$file" << EOF
see $last
hangup
exited 0
EOF
on end-stream 80x24 sh -c 'exec "$FTWAIT" top - < ended' << EOF
exited 0
EOF
# a pipe that ends too early, and a file whose recorder may still go on; what is there is shown
head -c $(($(wc -c < load) - 70000)) load > "cut"
on end-cut 80x24 sh -c 'cat cut | "$FTWAIT" top - 2> said' << EOF
exited 1
run grep -q "cut short" said
EOF
on cut-file 80x24 sh -c 'exec "$FTWAIT" top - < cut' << EOF
see LONGEST  stuck[301] in D for 501.000 ms
clean
type q
exited 0
EOF
# no block where one should stand
{ cat cut; head -c 20000 /dev/zero; } > broken
on end-damaged 80x24 sh -c '"$FTWAIT" top - < broken 2> said' << EOF
exited 1
run grep -q "damaged" said
EOF

# an hour with 40 new tasks a second: what it remembers does not grow
memory_of_hour() {
	awk -v seconds=3600 -v forks=40 -f "$load" | "$build/mktrace" -n -s 250ms -o hour || return 1
	: > blocks
	"$FTWAIT" top -b - < hour > blocks &
	top=$!
	tries=600
	while [ "$(grep -c '^ftwait top' blocks)" -lt 3599 ]; do
		[ $((tries -= 1)) -gt 0 ] || break
		sleep 0.1
	done
	most=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$top/status")
	kill $top
	wait $top
	rm hour
	count=$(grep -c '^ftwait top' blocks)
	echo "     hour: $most KiB at most, $count intervals"
	[ "$count" -ge 3599 ] && [ "$most" -lt 49152 ]
}
case $build in *address*)
	echo "SKIP pty hour: the sanitizer keeps memory that was freed"
	skipped=$((skipped + 1))
	;;
*)
	if wanted hour; then
		memory_of_hour 2> errors
		result $? hour
	fi
	;;
esac

# with a recorder of its own. These write the recorder's process id into `recorder`, and look whether
# the instance is gone
cat > recorder_begins << 'EOF'
read -r pid < top && recorder=$(cat "/proc/$pid/task/$pid/children") &&
	recorder=${recorder%% *} && [ -d "$1/instances/ftwait.$recorder" ] && echo "$recorder" > recorder
EOF
cat > recorder_is_gone << 'EOF'
read -r recorder < recorder && [ ! -e "/proc/$recorder" ] && [ ! -e "$1/instances/ftwait.$recorder" ]
EOF
begins="pid top
see LONGEST
await sh recorder_begins $tracing"
gone="await sh recorder_is_gone $tracing"

for way in 'type q' 'type \x03' 'signal TERM' 'signal INT' 'signal HUP'; do
	on "live-end-$(echo "$way" | tr -d ' \\')" 80x24 "$FTWAIT" top -i 200ms <<- EOF
		$begins
		$way
		exited 0
		$gone
	EOF
done
on live-hangup 80x24 "$FTWAIT" top -i 200ms << EOF
$begins
hangup
exited 0
$gone
EOF
on live-kill 80x24 "$FTWAIT" top -i 200ms << EOF
$begins
signal KILL
killed KILL
$gone
EOF
# neither of the two can remove the instance; the next one does
on live-kill-both 80x24 "$FTWAIT" top -i 200ms << EOF
$begins
run kill -9 \$(cat recorder) \$(cat top)
killed KILL
run [ -d $tracing/instances/ftwait.\$(cat recorder) ]
await [ ! -e /proc/\$(cat recorder) ]
run "$FTWAIT" top -b -n 1 > after 2>&1
$gone
EOF
# the recorder goes on while top is stopped, and fills what there is between them
on live-stop 80x24 "$FTWAIT" top -i 200ms << EOF
$begins
signal TSTP
stopped
away
wait 3000
run [ -d $tracing/instances/ftwait.\$(cat recorder) ]
continue
hidden
see LONGEST
clean
type q
exited 0
$gone
EOF

# a load of two tasks that wait for each other as often as they can
if [ -n "$tracing" ] && { wanted live-busy || wanted live-busy-short; }; then
	mkfifo ping pong
	exec 9<> ping # neither of them sees its end
	cat < ping > pong &
	busy=$!
	cat < pong > ping &
	busy="$busy $!"
	printf x >&9
fi
# a serial line of 115,200 baud takes 11,520 bytes a second
on live-busy 80x24 "$FTWAIT" top << EOF
$begins
see own CPU above 2 %: the interval is 2.000 s now
clean
count
wait 6000
redraw redraw 5000
rate rate 5000
clean
type q
exited 0
$gone
EOF
on live-busy-short 80x24 "$FTWAIT" top -i 100ms --by task << EOF
$begins
wait 3000
clean
type q
exited 0
$gone
EOF
# shellcheck source=tests/pty/browse.sh
. "$browse"
echo "pty: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
