#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# How much slower a program gets while it is recorded: record_overhead.sh BUILD_DIRECTORY [ROUNDS]
#
# Every round runs each load once untraced and once under each recorder, in turn, so that a machine
# that is busy for a while disturbs all alike. Times are those of the load itself, without the
# recorder's start and end. Shown are the least time and the ratio to untraced: of the least times,
# and of the medians. Ratios of different machines can be compared, times cannot.
#
# A second table has what the recorders take for themselves: from their start to the load's, and from
# its end to theirs. Untraced that is what it takes to start the load and to see its end.
#
# The rows "bare" are what the kernel itself costs: an instance of ftrace with the events and the
# buffers that ftwait would have, nobody reading; what ftwait adds is its own share. With "-splice"
# a program that does nothing else moves the pages to files (splice_drain.c); with "-cat" the buffers
# are drained as a shell script would, by cat: a reader that is woken for any event. bpftrace sums up
# how long tasks are off the CPU and who woke them, and keeps nothing else.
#
# A third table has what ftwait's recordings of the loads say of its own threads: their share of one
# CPU's time, and how many events were lost.
set -u

FTWAIT=$(realpath "$1")/ftwait
SPLICE=$(realpath "$1")/splice_drain
rounds=${2:-7}
scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/ftwait-bench.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
cd "$scratch" || exit 1
has_perf=
command -v perf > /dev/null && has_perf=1
has_bpf=
command -v bpftrace > /dev/null && bpftrace -q -e 'BEGIN { exit() }' > /dev/null 2>&1 && has_bpf=1
tab=$(printf '\t')

cat > stamped << 'END'
#!/bin/sh
# stamped: a load that tells when it runs
exec date +%s%N > stamp
END
chmod +x stamped

cat > timed << 'END'
#!/bin/sh
# timed FILE COMMAND...: appends the nanoseconds that COMMAND took
file=$1
shift
start=$(date +%s%N)
"$@" > /dev/null 2>&1
end=$(date +%s%N)
echo $((end - start)) >> "$file"
END
chmod +x timed

tracefs=/sys/kernel/tracing
[ -d $tracefs/instances ] || tracefs=/sys/kernel/debug/tracing

# what "bare" left behind when it was killed: a trap cannot catch that
for left in "$tracefs"/instances/ftwait-bench.*; do
	[ ! -d "$left" ] || kill -0 "${left##*.}" 2> /dev/null || rmdir "$left"
done

cat > bare << END
#!/bin/sh
# bare SELECTION READER COMMAND...: runs COMMAND while an instance records what ftwait would; with
# the readers "cat" and "splice" the buffers are drained to files, with "none" they are overwritten
instance=$tracefs/instances/ftwait-bench.\$\$
selection=\$1 reader=\$2 pids=
shift 2
remove() {
	echo 0 > \$instance/tracing_on
	# shellcheck disable=SC2086 # words
	[ -z "\$pids" ] || { kill \$pids; wait \$pids; }
	rmdir \$instance || { sleep 1; rmdir \$instance; }
}
mkdir \$instance || exit 1
trap remove EXIT
trap 'exit 130' INT TERM
echo mono > \$instance/trace_clock
echo 0 > \$instance/options/record-cmd
cat buffer.\$selection > \$instance/buffer_size_kb
while read -r event; do
	echo "\$event" >> \$instance/set_event
done < events.\$selection
for cpu in \$instance/per_cpu/cpu*; do
	[ "\$reader" = cat ] || break
	cat "\$cpu/trace_pipe_raw" > "bare.\${cpu##*/}.dat" &
	pids="\$pids \$!"
done
if [ "\$reader" = splice ]; then
	$SPLICE "\$instance" . &
	pids=\$!
fi
"\$@"
END
chmod +x bare

cat > bpf << 'SCRIPT'
#!/bin/sh
# bpf COMMAND...: runs COMMAND, a script, under bpftrace, which wants the path of a program
exec bpftrace -q -e '
	tracepoint:sched:sched_switch {
		if (args->prev_state) { @since[args->prev_pid] = nsecs; }
		if (@since[args->next_pid]) {
			@off[args->next_comm, @waker[args->next_pid]] =
				sum(nsecs - @since[args->next_pid]);
			delete(@since[args->next_pid]);
		}
	}
	tracepoint:sched:sched_waking { @waker[args->pid] = comm; }
	END { clear(@since); clear(@waker); }' -c "$(realpath "$(command -v sh)") $*" > /dev/null
SCRIPT
chmod +x bpf

# What ftwait asks the kernel for: read from its own instance.
selection_save() { # SELECTION [OPTION...]
	selection=$1
	shift
	"$FTWAIT" record -q "$@" -o f.dat -- sh -c "cat $tracefs/instances/ftwait.\$PPID/set_event \
		> events.$selection; cat $tracefs/instances/ftwait.\$PPID/buffer_size_kb > buffer.$selection"
}

selection_save sched -e sched
selection_save default
rm -f f.dat

# LOAD <tab> COMMAND
loads() {
	# A switch and a wake-up at every step on one CPU; many tasks on all. (The pipe on two CPUs is
	# of no use here: it is ten times slower or faster, by where the scheduler puts its ends.)
	[ -z "$has_perf" ] || cat <<- END
	pipe${tab}taskset -c 0 perf bench sched pipe -l 100000
	messages${tab}perf bench sched messaging -g 4 -l 200
	END
	# Nothing but system calls: untouched unless those are recorded.
	cat <<- END
	dd${tab}taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=500k
	END
}

# RECORDER <tab> COMMAND that gets the load behind it
recorders() {
	cat <<- END
	untraced${tab}env
	bare-sched${tab}./bare sched none
	bare-sched-splice${tab}./bare sched splice
	bare-sched-cat${tab}./bare sched cat
	ftwait-sched${tab}$FTWAIT record -q -e sched -o f.dat --
	bare${tab}./bare default none
	bare-cat${tab}./bare default cat
	ftwait${tab}$FTWAIT record -q -o f.dat --
	ftwait-syscalls${tab}$FTWAIT record -q -e syscalls -o f.dat --
	ftwait-stacks-sleep${tab}$FTWAIT record -q -e sched --stacks=sleep -o f.dat --
	ftwait-stacks${tab}$FTWAIT record -q -e sched --stacks -o f.dat --
	ftwait-stacks-user${tab}$FTWAIT record -q -e sched --stacks=sleep,wake,user -o f.dat --
	ftwait-profile${tab}$FTWAIT record -q -e sched --profile -o f.dat --
	END
	[ -z "$has_perf" ] || cat <<- END
	perf-switch-waking${tab}perf record -q -a -e sched:sched_switch -e sched:sched_waking -o p.dat --
	perf-sched${tab}perf sched record -q -o p.dat --
	perf-switch-stacks${tab}perf record -q -a -g -e sched:sched_switch -o p.dat --
	perf-syscalls${tab}perf record -q -a -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -o p.dat --
	END
	[ -z "$has_bpf" ] || printf 'bpftrace\t./bpf\n'
}

# The least and the median of the numbers in a file.
least_and_median() {
	sort -n "$1" | awk '{ t[NR] = $1 } END { print t[1], t[int((NR + 1) / 2)] }'
}

# Appends "START END", in ns, of each recorder to its file.
ends_run() {
	recorders | while IFS="$tab" read -r recorder command; do
		rm -f stamp
		start=$(date +%s%N)
		# shellcheck disable=SC2086 # both are words
		$command ./stamped > /dev/null 2>&1 < /dev/null
		end=$(date +%s%N)
		[ ! -s stamp ] || echo "$start $(cat stamp) $end" >> "ends.$recorder"
		rm -f ./*.dat ./*.dat.old
	done
}

# "SHARE LOST EVENTS" of the recording: of its recorder's threads, in percent of one CPU.
own_note() {
	"$FTWAIT" report --all --comm ftwait --json f.dat 2> /dev/null | tr ',{}' '[\n*]' | awk -F ': *' '
		/"running_ns"/ && own == "" { own = $2 }
		/"begin_ns"/ && begin == "" { begin = $2 }
		/"end_ns"/ && end == "" { end = $2 }
		/"events"/ && events == "" { events = $2 }
		/"events_lost"/ { lost = $2 }
		END { printf "%.3f %d %d\n", (end > begin ? 100 * own / (end - begin) : 0), lost, events }'
}

round_run() {
	loads | while IFS="$tab" read -r load program; do
		recorders | while IFS="$tab" read -r recorder command; do
			# shellcheck disable=SC2086 # both are words
			$command ./timed "$load.$recorder" $program > /dev/null 2>&1 < /dev/null
			[ ! -s f.dat ] || own_note >> "own.$load.$recorder"
			rm -f ./*.dat ./*.dat.old
		done
	done
}

for round in $(seq "$rounds"); do
	[ ! -t 2 ] || printf '\rround %d of %d' "$round" "$rounds" >&2
	round_run
	ends_run
done
[ ! -t 2 ] || printf '\r\033[K' >&2
printf '%-10s %-19s %5s %12s %11s %11s\n' LOAD RECORDER RUNS 'LEAST (s)' RATIO-LEAST RATIO-MEDIAN
loads | while IFS="$tab" read -r load program; do
	recorders | while IFS="$tab" read -r recorder command; do
		[ -s "$load.$recorder" ] || continue
		echo "$load $recorder $(wc -l < "$load.$recorder") $(least_and_median "$load.$recorder") \
			$(least_and_median "$load.untraced")"
	done
done | awk '{ printf "%-10s %-19s %5d %12.3f %11.2f %11.2f\n", $1, $2, $3, $4 / 1e9, $4 / $6, $5 / $7 }'

printf '\n%-19s %5s %12s %12s %12s %12s\n' RECORDER RUNS 'START (ms)' MEDIAN 'END (ms)' MEDIAN
recorders | while IFS="$tab" read -r recorder command; do
	[ -s "ends.$recorder" ] || continue
	awk '{ printf "%d\n", ($2 - $1) / 1000 }' "ends.$recorder" > starts
	awk '{ printf "%d\n", ($3 - $2) / 1000 }' "ends.$recorder" > ends
	echo "$recorder $(wc -l < starts) $(least_and_median starts) $(least_and_median ends)"
done | awk '{ printf "%-19s %5d %12.1f %12.1f %12.1f %12.1f\n", $1, $2, $3 / 1e3, $4 / 1e3, $5 / 1e3, $6 / 1e3 }'

printf '\n%-10s %-19s %5s %16s %12s %9s\n' LOAD RECORDER RUNS 'OWN CPU (%)' EVENTS LOST
loads | while IFS="$tab" read -r load program; do
	recorders | while IFS="$tab" read -r recorder command; do
		[ -s "own.$load.$recorder" ] || continue
		sort -n "own.$load.$recorder" | awk -v load="$load" -v recorder="$recorder" '
			{ share[NR] = $1; lost += $2; events += $3 }
			END { printf "%-10s %-19s %5d %16.2f %12d %9d\n", load, recorder, NR,
				share[int((NR + 1) / 2)], events / NR, lost }'
	done
done
