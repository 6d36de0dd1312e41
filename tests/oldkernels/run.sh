#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Kernels before 5.10, as folders that look like their tracing: run.sh BUILD_DIRECTORY has doctor, list and
# record run on each KERNEL.txt, with fake_kernel.c between them and these folders, in a mount namespace
# of its own. No event is recorded there: what is looked at is what is said, what is written into which
# file, and that all of that is gone or undone afterwards. The files of a kernel are as they were seen
# on that kernel, but for x86, where no such kernel was seen. KERNELS="3.10.108 ..." runs some.
set -u

build=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd) || exit 1
if [ "${2:-}" != inside ]; then
	unshare -m true 2> /dev/null || {
		echo "SKIP oldkernels: no mount namespace (unshare -m)"
		echo "0 passed, 0 failed, 1 skipped"
		exit 0
	}
	exec unshare -m "$0" "$build" inside
fi
FTWAIT=$build/ftwait
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-oldkernels.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0
tracing=/sys/kernel/debug/tracing

expect() { # WHAT COMMAND...
	what=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		echo "FAIL oldkernels $kernel: $what"
		sed 's/^/    /' "$scratch/out" "$scratch/said"
		failed=$((failed + 1))
	fi
}

# value KEY: the rest of that line of the kernel's description
value() {
	sed -n "s/^$1 //p" "$here/$kernel.txt"
}

# filled DIRECTORY: the events, with the files that an event of that kernel has
filled() {
	mkdir -p "$1/events"
	cp "$scratch/header_page" "$1/events/header_page"
	echo "# compressed entry header" > "$1/events/header_event"
	awk -v dir="$1/events" -v has_triggers="$has_triggers" '/^event / {
		split($2, name, ":")
		folder = dir "/" name[1] "/" name[2]
		system("mkdir -p " folder)
		print 0 > (folder "/enable")
		print "none" > (folder "/filter")
		if (has_triggers)
			print "# Available triggers:" > (folder "/trigger")
		file = folder "/format"
		printf "name: %s\nID: %d\nformat:\n", name[2], NR > file
		print "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" > file
		for (i = 3; i <= NF; i++)
			printf "\tfield:int %s;\toffset:%d;\tsize:4;\tsigned:1;\n", $i, 4 * i > file
		close(file)
		close(folder "/enable")
		close(folder "/filter")
		close(folder "/trigger")
	}' "$here/$kernel.txt"
	mkdir -p "$1/events/ftrace/print" "$1/events/raw_syscalls" "$1/events/syscalls"
	printf 'name: print\nID: 5\nformat:\n' > "$1/events/ftrace/print/format"
	echo none > "$1/events/raw_syscalls/filter"
	echo none > "$1/events/syscalls/filter"
	clocks=$(value clocks)
	echo "[${clocks%% *}] ${clocks#* }" > "$1/trace_clock"
	echo "7 (expanded: 1408)" > "$1/buffer_size_kb"
	: > "$1/trace"
}

header_page() { # BYTES OF A LONG
	printf '\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n'
	printf '\tfield: local_t commit;\toffset:8;\tsize:%d;\tsigned:1;\n' "$1"
	printf '\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n'
	printf '\tfield: char data;\toffset:%d;\tsize:%d;\tsigned:0;\n' $((8 + $1)) $((4088 - $1))
}

# Makes the tracing of the kernel in $tracing, and the copy that its instances become.
kernel_make() {
	magic=$(value magic)
	release=$(value release)
	machine=$(value machine)
	case $machine in x86_64) long=8 ;; *) long=4 ;; esac
	header_page $long > "$scratch/header_page"
	has_triggers=1
	[ "$kernel" != 3.10.108 ] || has_triggers=0
	mkdir -p "$tracing"
	mkdir -p "$tracing/instances" "$scratch/instance/per_cpu/cpu0"
	filled "$tracing"
	sed -n 's/^event \([^ ]*\).*/\1/p' "$here/$kernel.txt" > "$tracing/available_events"
	filled "$scratch/instance"
	for file in $(value files); do
		[ -e "$scratch/instance/$file" ] || : > "$scratch/instance/$file"
	done
	for option in $(value options); do
		mkdir -p "$scratch/instance/options"
		echo 0 > "$scratch/instance/options/$option"
	done
	for file in stats trace_pipe_raw; do
		: > "$scratch/instance/per_cpu/cpu0/$file"
	done
	find "$tracing" -type f -exec cksum {} + | sort > "$scratch/before"
}

kernel_end() {
	rm -rf "$scratch/instance" "$tracing"
}

# faked ARGUMENTS...: ftwait on that kernel; its output is in out and said, what it writes in log
faked() {
	: > "$scratch/log"
	(
		cd "$scratch" || exit 1
		LD_PRELOAD=$build/fake_kernel.so FAKE_TRACING=$tracing FAKE_MAGIC=$magic \
			FAKE_RELEASE=$release FAKE_MACHINE=${machine:-armv7l} FAKE_LOG=$scratch/log \
			FAKE_INSTANCE=$scratch/instance timeout -s KILL 30 "$FTWAIT" "$@" \
			> out 2> said < /dev/null
	)
}

said() { # PATTERN
	grep -q -- "$1" "$scratch/out" "$scratch/said"
}

unsaid() {
	! said "$1"
}

wrote() { # PATTERN
	grep -q -- "$1" "$scratch/log"
}

unwritten() {
	! wrote "$1"
}

# Everything that an instance of another would see is as before.
is_as_before() {
	find "$tracing" -type f -exec cksum {} + | sort > "$scratch/after"
	grep -v buffer_size_kb "$scratch/before" > "$scratch/before.most"
	grep -v buffer_size_kb "$scratch/after" | cmp -s "$scratch/before.most" - &&
		[ -z "$(ls "$tracing/instances")" ]
}

# What all of these kernels have in common.
common_try() {
	faked doctor
	expect "doctor: status 0" [ $? -eq 0 ]
	expect "doctor: where tracing is" said "^ok .*tracefs  *$tracing$"
	expect "doctor: no stacks" said '^gap .*stacks '
	expect "doctor: no trigger is set" unwritten 'trigger stacktrace'
	expect "doctor: the top level stays small" said '^gap .*top level .*buffer_size_kb: 7'
	expect "doctor: releases" said 'mend: Linux 5.19 or newer$'
	expect "doctor: nothing is left" is_as_before
	faked list
	expect "list: status 0" [ $? -eq 0 ]
	expect "list: a release" said 'contention_begin  *missing .*(Linux 5.19 or newer)'
	faked record --stacks -o r.dat -d 0.2
	expect "record: status 0" [ $? -eq 0 ]
	expect "record: nothing but what is asked for is missing" unsaid 'recording without'
	expect "record: no stacks" said 'no stacks of the kernel here'
	expect "record: no trigger is set" unwritten 'trigger stacktrace'
	expect "record: the top level is not written to" [ -z "$(grep -v '^instances/' "$scratch/log")" ]
	expect "record: events are enabled" wrote 'sched/sched_switch/enable 1'
	expect "record: nothing is left" is_as_before
	faked record --trigger mark=x -o r.dat -d 0.5
	expect "a mark: where it is to be written" said 'a mark is seen only in .*/trace_marker'
	faked record --instance=nosuch -o r.dat -d 0.2
	expect "an instance that is not there: refused" [ $? -eq 1 ]
	expect "an instance that is not there: where" said 'no /sys/kernel/.*/instances/nosuch is visible'
	faked why -d 0.3 $$
	expect "why: the recording can be read" unsaid 'damaged'
	expect "why: nothing is left" is_as_before
	faked cleanup
	expect "cleanup: status 0" [ $? -eq 0 ]
}

without_waking_try() {
	faked doctor
	expect "doctor: a release with more" said 'mend: Linux 4.16 or newer, with CONFIG_NET'
	expect "doctor: what makes wakers exact" said 'NO_TTWU_QUEUE'
	expect "doctor: disable on free" said '^gap .*disable on free  *options/disable_on_free'
	faked record -o r.dat -d 0.2
	expect "record: what makes wakers exact" said 'NO_TTWU_QUEUE'
	expect "record: the missing option" said 'options/disable_on_free: No such file'
	expect "record: the old route" unwritten 'fib_table_lookup/enable'
}

# Of a release that does not say into which buffer its triggers write.
own_stacks_try() {
	FAKE_OWN_STACKS=1 release=5.10.0-46-amd64 faked record --stacks -o r.dat -d 0.2
	expect "stacks: status 0" [ $? -eq 0 ]
	expect "stacks: a try that did not sleep says nothing" unsaid 'no stacks of the kernel here'
	expect "stacks: are recorded" wrote 'sched_switch/trigger stacktrace if prev_state'
	expect "stacks: nothing is left" is_as_before
}

# x86 shows interrupts between CPUs as irq_vectors, other machines as ipi.
sent_wakings_try() { # EVENT
	faked record -o r.dat -d 0.2
	expect "record: what shows wake-ups from other CPUs" wrote "$1/enable 1"
}

filters_of_all_try() {
	faked doctor
	expect "doctor: the clock" said '^ok .*instance  *made, with clock global$'
	expect "doctor: filters" said '^gap .*filters '
	faked record -o r.dat -d 0.2
	expect "record: the clock" said 'no clock "mono".*"global"'
	expect "record: the clock is set" wrote 'trace_clock global$'
	expect "record: no filter is written" unwritten '/filter '
	expect "record: no events of which only a part is wanted" unwritten 'hrtimer_start/enable 1.*sched'
	faked record -e sched,syscalls -o r.dat -d 0.2
	expect "system calls: refused" [ $? -eq 1 ]
	expect "system calls: why" said 'before Linux 3.13 filters are those of the whole machine'
	expect "system calls: nothing is left" is_as_before
	faked record --trigger 'event:kmem:kmalloc if bytes_req > 9000' -o r.dat -d 0.2
	expect "a filter of a user: refused" [ $? -ne 0 ]
	expect "a filter of a user: why" said 'kmalloc cannot have a filter: before Linux 3.13'
	expect "a filter of a user: not written" unwritten '/filter '
	faked record --clock=local -o r.dat -d 0.2
	expect "another clock" wrote 'trace_clock local$'
}

own_filters_try() {
	faked record -e default,syscalls -o r.dat -d 0.2
	expect "record: the clock" wrote 'trace_clock mono$'
	expect "record: no word of a clock" unsaid 'no clock'
	expect "record: its own calls are left out" wrote 'raw_syscalls/filter common_pid'
	faked record --trigger 'event:kmem:kmalloc if bytes_req > 9000' -o r.dat -d 0.2
	expect "a filter of a user: written" wrote 'kmalloc/filter bytes_req > 9000$'
}

old_route_try() {
	faked list net
	expect "list: too old" said 'fib_table_lookup  *too old .*(Linux 4.17 or newer)'
	faked record -o r.dat -d 0.2
	expect "record: the old route" unwritten 'fib_table_lookup/enable'
}

# Where no event is too old.
all_read_try() {
	faked list
	expect "list: all can be read" unsaid 'too old'
}

# pages_make: gives the CPU pages in which waiter waits for waker 8 times, from 1 s from now on, and
# events the formats of that kernel; times are on the clock mono.
pages_make() {
	awk -v release="${release%%-*}" -v machine="${machine:-armv7l}" -v long="$long" '
	function say(at, what) { printf "%.0f/0 %s\n", at, what }
	{
		print "kernel " release "\narch " machine "\nlong " long "\ncpus 1\nunit us"
		print "tasks waiter=501/fake-waiter waker=502/fake-waker"
		at = int($1 * 1000000) + 200000
		say(at, "0 sched_switch 0:R > waiter")
		for (i = 0; i < 8; i++) {
			say(at + 1000, "waiter sched_switch waiter:S > waker")
			say(at + 31000, "waker sched_wakeup waiter")
			say(at + 32000, "waker sched_switch waker:R > waiter")
			at += 32000
		}
	}' /proc/uptime > "$scratch/pages.txt" &&
		"$build/mktrace" -d "$scratch/pages" "$scratch/pages.txt" || return 1
	for folder in "$tracing" "$scratch/instance"; do
		(cd "$scratch/pages/events" && echo header_page */*/format) | tr ' ' '\n' |
			while read -r file; do
				[ ! -e "$folder/events/$file" ] ||
					cp "$scratch/pages/events/$file" "$folder/events/$file"
			done
	done
	cp "$scratch/pages/per_cpu/cpu0/trace_pipe_raw" "$scratch/instance/per_cpu/cpu0"
	find "$tracing" -type f -exec cksum {} + | sort > "$scratch/before"
	rm -r "$scratch/pages"
}

# The only test that reads what the kernel records, so it is the last one of a kernel.
top_try() {
	expect "top: pages" pages_make
	faked top -b -n 3 --interval 1
	expect "top: status 0" [ $? -eq 0 ]
	expect "top: who waited, how long, for whom" said '240.0 ms .* 30.0 ms  fake-waiter  *task, 8 times  *fake-waker$'
	expect "top: nothing is left" is_as_before
}

# of this kernel nothing is to be seen, whatever is looked for
mount -t tmpfs tmpfs /sys/kernel || exit 1
: > "$scratch/out"
: > "$scratch/said"
for kernel in ${KERNELS:-3.10.108 3.18.140 3.18-x86_64 4.4.155 4.9.0 4.19.13}; do
	expect "made" kernel_make || continue
	common_try
	case $kernel in 3.*) without_waking_try ;; esac
	case $kernel in
	3.18.140) sent_wakings_try ipi/ipi_raise ;;
	3.18-x86_64) sent_wakings_try irq_vectors/reschedule_entry ;;
	4.*) expect "no event that sched_waking replaces" unwritten '/ipi_raise/enable 1' ;;
	esac
	case $kernel in 3.10.*) filters_of_all_try ;; *) own_filters_try ;; esac
	[ "$kernel" != 4.19.13 ] || own_stacks_try
	case $kernel in 4.[49].*) old_route_try ;; *) all_read_try ;; esac
	top_try
	kernel_end
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
