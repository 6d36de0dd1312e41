#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The cases of `ftwait browse`, read by run.sh: what its user sees of recordings that are known, each
# key, how it ends, and what a recording can do to it.
# shellcheck disable=SC2154 # variables of run.sh

for name in cpu disk lock pipe polling stall tail memory; do
	cp "$fixtures/tutorial_$name.dat" "$name.dat" || exit 1
done
cp "$fixtures/demo.dat" "$fixtures/pipe_chain.dat" . || exit 1

# no process of browse is left here, nor one of its children
cat > none_is_left << 'EOF'
exec 2> /dev/null # processes end meanwhile
for cwd in $(find /proc -maxdepth 2 -name cwd -lname "$PWD"); do
	tr '\0' ' ' < "${cwd%cwd}cmdline" | grep -q "^$FTWAIT browse " && exit 1
done
exit 0
EOF
left='await sh none_is_left'

browse() { # CASE SIZE FILE [COMMAND...]: the lines are standard input
	name=$1 size=$2 file=$3
	shift 3
	on "browse-$name" "$size" "$@" "$FTWAIT" browse "$file"
}

for size in 80x24 40x10 200x50 20x5 1x1; do
	case $size in
	1x1) loaded='wait 1500' ;;
	20x5) loaded='see ? keys' ;;
	*) loaded='see Summary' ;;
	esac
	browse "screen-$size" $size lock.dat <<- EOF
		$loaded
		clean
		hidden
		save screen
		type q
		exited 0
	EOF
done
browse screen-unknown-size 0x0 lock.dat << EOF
see Summary
clean
save screen
type q
exited 0
EOF
browse screen-ascii 80x24 lock.dat env LC_ALL=C << EOF
see Summary
clean
save screen
type q
exited 0
EOF
for term in dumb ''; do
	on "browse-terminal-${term:-none}" 80x24 env TERM=$term sh -c '"$FTWAIT" browse lock.dat 2> said' <<- EOF
		exited 1
		run grep -q 'needs a terminal with a screen; ftwait report shows' said
	EOF
done
on browse-pipe 80x24 sh -c '"$FTWAIT" browse lock.dat 2> said | cat' << EOF
exited 0
run grep -q 'needs a terminal with a screen' said
EOF

# each key of the help
browse keys 80x24 lock.dat << EOF
see Summary
marked 2
type ?
see draw the screen anew
clean
save screen
type u
gone draw the screen anew
type \\eOP
see draw the screen anew
type \\x7f
gone draw the screen anew
# to what is behind a line, and back
type \\r
line 1 > chains
type \\e
line 1 lock.dat > summary
gone > chains
type \\e[C
line 1 > chains
type \\e[D
gone > chains
# the next one of the list, and the one before
type \\e[B\\r
line 1 > chains sleep wait timer
type n
line 1 > on-cpu
type p
line 1 > chains sleep wait timer
type p
line 1 > chains
type p
see that was the first one
type u
gone > chains
type k
marked 2
# other views of the same
type t
line 1 > timeline
type u
gone > timeline
type e
line 1 > summary evidence
type e
line 1 > events
type uu
gone > summary evidence
type c
line 1 > chains
type u
type l
line 1 > lock
type u
gone > lock
type g
line 1 > graph
type u
gone > graph
type d
line 1 > disk
type u
gone > disk
type m
line 1 > memory
type u
gone > memory
type N
line 1 > net
type u
gone > net
type v
see critical-path
see the wait-for graph
type u
gone > views
# orders, rows, and lines with a text
type s
see by running
type a
line 1 running 0
type /backup
see lines with: backup_
type \\r
gone health:
see backup
type /\\x7f\\x7f\\x7f\\x7f\\x7f\\x7f\\r
type \\e[F
see health:
type \\e[H
see Summary
type \\e[6~
gone Summary
type \\e[5~
see Summary
type \\x0c
clean
# the command, a file, another recording
type y
see ftwait report lock.dat --summary
type oout.json\\r
see written: out.json
run jq -e '.next // .summary // .' out.json > /dev/null
type oout.txt\\r
see written: out.txt
run grep -q '^Summary' out.txt && ! tr -d '\\n' < out.txt | grep -q '[[:cntrl:]]'
type o/none/out.txt\\r
see cannot write to /none/out.txt
gone (q stops)
type o
see write to the file
type \\e
gone write to the file
type Ddemo.dat\\r
line 1 > diff
type u
gone > diff
type q
exited 0
see ftwait report lock.dat --summary
EOF
# its window alone, at a line that has one
browse window 80x24 lock.dat << EOF
see Summary
type /Longest wait:\\r
type w
line 1 > summary at 0.006673
type u
gone summary at
type q
exited 0
EOF

browse resize 80x24 stall.dat << EOF
see Summary
$(for i in 1 2 3 4 5 6 7 8 9 10; do
	echo "resize $((20 * i))x$((5 * i))"
	echo "resize $((200 - 19 * i))x$((50 - 4 * i))"
done)
resize 1x1
wait 300
resize 200x50
see Too little CPU
see v views  y command
clean
resize 80x24
see Too little CPU
clean
type q
exited 0
EOF
# a recording that is gone by then: what was shown stays
cp lock.dat fleeting.dat
browse resize-gone 80x24 fleeting.dat << EOF
see Summary
run rm fleeting.dat
resize 100x30
see No such file
clean
type ?
see draw the screen anew
type u
see Summary
type q
exited 0
EOF

# a pipe to which nobody writes
mkfifo never
exec 8<> never
on browse-reading-q 80x24 sh -c 'exec "$FTWAIT" browse never 2> said' << EOF
see (q stops)
resize 40x10
see (q stops)
clean
resize 80x24
type q
exited 1
run grep -q 'ftwait: stopped' said
$left
EOF
for name in INT TERM HUP QUIT; do
	browse "reading-$name" 80x24 never <<- EOF
		see (q stops)
		signal $name
		exited 0
		$left
	EOF
done
browse reading-kill 80x24 never << EOF
see (q stops)
signal KILL
killed KILL
$left
EOF
browse reading-hangup 80x24 never << EOF
see (q stops)
hangup
exited 0
$left
EOF
on browse-reading-stop 80x24 sh -c 'exec "$FTWAIT" browse never 2> said' << EOF
see (q stops)
signal TSTP
stopped
away
continue
see (q stops)
clean
type q
exited 1
run grep -q 'ftwait: stopped' said
$left
EOF
# what is shown stays, whether the next report is stopped or ends by itself
browse reading-next 80x24 lock.dat << EOF
see Summary
type Dnever\\r
see (q stops)
type q
see stopped
see Summary
pid browser
type Dnever\\r
see (q stops)
run kill -SEGV \$(cat /proc/\$(cat browser)/task/\$(cat browser)/children)
see has ended the report
clean
hidden
type Dnever\\r
see (q stops)
resize 90x20
see (q stops)
type u
see Summary
clean
type q
exited 0
$left
EOF

browse stop 80x24 lock.dat << EOF
see Summary
signal TSTP
stopped
away
continue
hidden
see Summary
clean
type \\x1a
stopped
away
continue
see Summary
clean
signal STOP
stopped
continue
see Summary
clean
type q
exited 0
EOF
for name in INT TERM HUP QUIT; do
	browse "end-$name" 80x24 lock.dat <<- EOF
		see Summary
		signal $name
		exited 0
		$left
	EOF
done
for name in $fatal; do
	browse "end-$name" 80x24 lock.dat <<- EOF
		see Summary
		signal $name
		killed $name
		away
	EOF
done
browse end-ctrl-c 80x24 lock.dat << EOF
see Summary
type \\x03
exited 0
EOF
browse end-hangup 80x24 lock.dat << EOF
see Summary
hangup
exited 0
EOF
browse end-kill 80x24 lock.dat << EOF
see Summary
signal KILL
killed KILL
$left
EOF

# recordings that are none, or damaged; too little memory
on browse-missing 80x24 sh -c '"$FTWAIT" browse nothing.dat 2> said' << EOF
exited 1
run grep -q 'nothing.dat.*No such file' said
EOF
head -c 100000 /dev/zero > zero.dat
on browse-no-recording 80x24 sh -c '"$FTWAIT" browse zero.dat 2> said' << EOF
exited 1
run grep -q 'zero.dat: ' said
EOF
head -c $(($(wc -c < stall.dat) * 2 / 3)) stall.dat > cut.dat
browse cut 80x24 cut.dat << EOF
see cut.dat: damaged
see Summary
clean
type \\r
gone Summary
type q
exited 0
EOF
on browse-no-files 80x24 sh -c '"$FTWAIT" browse 2> said' << EOF
exited 2
run grep -q 'name a recording: ftwait browse FILE' said
EOF
# little more memory than a process takes to begin; a sanitizer's shadow needs far more
case $build in *address*) ;; *)
	for limit in $(seq 6000 500 60000); do
		# shellcheck disable=SC3045 # dash has it
		(ulimit -v "$limit" && "$FTWAIT" --version) > /dev/null 2>&1 && break
	done
	on browse-no-memory 80x24 sh -c "ulimit -v $((limit + 500)); \"\$FTWAIT\" browse stall.dat 2> said" <<- EOF
		exited 1
		run grep -q 'out of memory' said
	EOF
	;;
esac

# names that a terminal would obey
"$build/mktrace" -o hostile.dat < "$hostile" || exit 1
browse hostile 120x40 hostile.dat << EOF
see Summary
clean
type v
see views
clean
type uc
line 1 > chains
clean
type ut
line 1 > timeline
clean
type \\r
wait 500
clean
type y
clean
type q
exited 0
clean
EOF

# a serial line of 115,200 baud takes 11,520 bytes a second
browse bytes 80x24 lock.dat << EOF
see Summary
save first
count
type \\e[B
wait 500
bytes down 700
count
type \\r
line 1 > chains
save second
bytes page 2200
type q
exited 0
EOF

# from the first screen to the cause that was planted, in at most five keys; each is awaited
walk() { # FILE VIEW TEXT KEY...
	file=$1 view=$2 text=$3
	shift 3
	{
		echo "see ? keys"
		for key; do
			printf 'gone (q stops)\ntype %s\nwait 100\n' "$key"
		done
		printf 'line 1 > %s\nsee %s\ntype q\nexited 0\n' "$view" "$text"
	} > walked
	browse "walk-$file" 100x40 "$file.dat" < walked
}
down='\e[B'
walk cpu chains '├─ backup running' $down $down $down $down '\r'
walk disk disk 'backup[9341] 95.1 %.' d
walk lock lock 'backup[28090] 100.0 %' l
walk memory memory 'backup[21003]' m
walk pipe chains 'source' '\r'
walk polling waits 'tail[28183]' $down $down $down $down '\r'
walk stall lock 'cleanup[12669] 100.0 %' l
walk tail tail 'keeper[28043]' '\r'
walk demo chains 'sleep' '\r'
walk pipe_chain chains 'pipe_chain[1634]' '\r'

# whatever is typed
seed=${STORM_SEED:-$(date +%s)}
browse storm 80x24 stall.dat << EOF
see Summary
storm $seed ${STORM_KEYS:-2000}
resize 80x24
type \\r
wait 3000
type \\e[A
see ? keys
clean
type q
exited 0
$left
EOF

# the last line of a report where its user could browse
cp lock.dat 'a b.dat'
on browse-line 80x24 sh -c '"$FTWAIT" report --no-pager --top 1 "a b.dat"' << EOF
exited 0
see browse: ftwait browse 'a b.dat'
EOF
on browse-line-none 80x50 sh -c 'r() { "$FTWAIT" report --no-pager --lock "$@"; }; r lock.dat | cat;
	r -q lock.dat; r -o out lock.dat; r --format json lock.dat > /dev/null; TERM=dumb r lock.dat; r - < lock.dat;
	echo all is done' << EOF
see all is done
exited 0
gone ftwait browse
run ! grep -q 'ftwait browse' out
EOF
