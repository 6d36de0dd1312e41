#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The files of system calls by their descriptors: of an open and a read that take long, of one that a process had
# before it was recorded, with descriptors that it shares, or does not, as it should; and against a program that says which file each of its calls was for: no name is wrong.
. "$(dirname "$0")/prelude.sh"

need jq
[ -e "$tracing/events/syscalls/sys_exit_openat" ] || { echo "the kernel has no events of single system calls"; exit 77; }

mkfifo "a fifo" other
fifo="$PWD/a fifo"

# file_of NAME FILE: of the longest such call
file_of() {
	"$FTWAIT" report "$2" --comm cat --syscall="$1" --json 2>> errors |
		jq -r '.syscall.slowest[0] | select(.time_ns > 100e6).path'
}

record -v -e syscalls -o a.dat -- sh -c 'cat "a fifo" > /dev/null & sleep 0.2; exec 9> "a fifo"; sleep 0.2; exec 9>&-; wait'
ended
expect "status 0" [ $status -eq 0 ]
if grep -q 'no names of files.*perf_event_open' errors; then
	cat errors
	exit 77
fi
expect "an open that takes long" [ "$(file_of openat a.dat)" = "$fifo" ]
expect "a read that takes long" [ "$(file_of read a.dat)" = "$fifo" ]
expect "how many were seen" said 'names of .* files and connections that were opened meanwhile'

record -e syscalls -o p.dat -- sh -c '{ sleep 0.3; echo x; } | cat > /dev/null'
ended
expect "a read from a pipe" expr "$(file_of read p.dat)" : 'pipe:\[[0-9]*\]$' > expr.out

# of a running process; another one of which nobody asked has its own file open
exec 7<> "a fifo" 8<> other
cat < "a fifo" > /dev/null &
asked=$!
cat < other > /dev/null &
other=$!
record -e syscalls -o b.dat -d 800ms -p $asked
begun
sleep 0.2
echo >&7
sleep 0.3
echo >&7
ended
expect "a descriptor from before" [ "$(file_of read b.dat)" = "$fifo" ]
expect "no file of another process" [ "$(grep -a -c "^descriptor $other " b.dat)" -eq 0 ]
kill $asked $other
record --no-snapshot -e syscalls -o c.dat -- cat /dev/null
ended
expect "none with --no-snapshot" [ "$(grep -a -c '^descriptor' c.dat)" -eq 0 ]

mkdir files
for i in $(seq 0 23); do
	echo x > "files/file $i"
done
seed=${DESCRIPTORS_SEED:-$(date +%N | sed 's/^0*//')}
record -q -e syscalls -o d.dat -- "$(dirname "$FTWAIT")/tests/live/oracles/opened_files" "$PWD/files" 4 "$seed" > truth
ended
expect "status 0 of the oracle" [ $status -eq 0 ]

# compare FILE: what a report of it names with the truth; sets $checked, $named, $things (pipes, sockets and others
# without a path that have names) and $peers (those with their other end)
compare() {
	for tid in $(cut -d ' ' -f 1 truth | sort -u | head -n 12); do
		for call in openat pread64 read write connect accept4 close; do
			"$FTWAIT" report "$1" --tid "$tid" --syscall=$call --top 0 --json 2>> errors |
				jq -r '.syscall.slowest[]? | select(.result >= 0) | "\(.task.tid) \(.begin_ns) \(.name) \(.path // "-")"'
		done
	done > shown
	# the path begins after four words of the truth, and after three of what is shown; a socket may lack its peer
	awk '
	function rest(words, line) {
		for (line = $0; words > 0; words--)
			sub(/^[^ ]* /, "", line)
		return line
	}
	NR == FNR {
		n = ++calls[$1]
		begin[$1, n] = $2
		end[$1, n] = $3
		name[$1, n] = $4
		path[$1, n] = rest(4)
		next
	}
	{
		shown = rest(3)
		for (i = 1; i <= calls[$1]; i++)
			if (name[$1, i] == $3 && begin[$1, i] <= $2 && $2 <= end[$1, i]) {
				checked++
				is_right = shown == path[$1, i] || (shown ~ /^socket:/ && index(path[$1, i], shown " with ") == 1)
				if (is_right) {
					named++
					things += shown ~ /^[a-z_]+:\[/
					peers += shown ~ / with /
				} else if (shown != "-") {
					print "wrong:", $0, "for", path[$1, i]
				}
				break
			}
	}
	END { print checked + 0, named + 0, things + 0, peers + 0 }' truth shown > checked
	read -r checked named things peers <<- end
		$(tail -n 1 checked)
	end
	expect "no name is wrong (seed $seed)" [ "$(wc -l < checked)" -eq 1 ]
	[ "$(wc -l < checked)" -eq 1 ] || cat checked
}

compare d.dat
expect "calls were checked: $checked" [ "$checked" -gt 200 ]
expect "and had names: $named" [ "$named" -gt 0 ] # few where the machine is busy

# one of each kind that lasts, with calls of the last moment: all have names, and sockets their other ends
record -q -e syscalls -o kept.dat -- "$(dirname "$FTWAIT")/tests/live/oracles/opened_files" "$PWD/files" kept > truth
ended
expect "status 0 of what is kept" [ $status -eq 0 ]
compare kept.dat
expect "what is kept has names: $named of $checked" [ "$named" -ge 32 ]
expect "so have pipes, sockets and others: $things" [ "$things" -ge 28 ]
expect "and their other ends: $peers" [ "$peers" -ge 16 ]

# descriptors that were shared, or not, before recording began
for how in threads unshared process; do
	rm -f truth go
	mkfifo go
	"$(dirname "$FTWAIT")/tests/live/oracles/opened_files" "$PWD/files" $how < go > truth &
	exec 5> go
	await 5 [ -s truth ]
	record -v -e syscalls -o $how.dat -p "$(cat truth)"
	begun
	sleep 0.3
	echo >&5
	exec 5>&-
	ended
	sed -i 1d truth
	compare $how.dat
	expect "calls of $how were checked: $checked" [ "$checked" -ge 40 ]
	if [ $how = threads ] && ! said 'no names of files of 1 of'; then
		expect "$how have names: $named" [ "$named" -ge 40 ]
	else
		expect "$how have no names: $named" [ "$named" -eq 0 ]
		expect "why $how have no names" said 'no names of files of 1 of'
	fi
done
finish
