#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Events that ftwait knows nothing of, counted and paired: requests of io_uring against fio's own count, with the
# workers of those that are punted; a probe of one's own on a function of libc, against the calls that were made;
# sizes of reads and of requests, against those that dd makes; page faults, against the kernel's own count.
. "$(dirname "$0")/prelude.sh"

need jq

# is FILE VIEW SPEC FILTER: of what the view says
is() {
	"$FTWAIT" report -q --json "--$2" "$3" "$1" 2>> errors | jq -e ".$2 | $4" > /dev/null
}

# holds FILTER FILE: of a report in JSON
holds() {
	jq -e "$1" "$2" > /dev/null
}

# fio's requests, every fourth of which it asks to be done by a worker
uring() {
	cat > fio.job <<-'END'
		[global]
		ioengine=io_uring
		filename=fio.data
		size=4M
		bs=4k
		rw=randread
		iodepth=8
		number_ios=1000
		force_async=4
		[a]
	END
	fio --create_only=1 fio.job > fio.log 2>&1 || return 0
	record -q -e io_uring -o uring.dat -- fio --output-format=json --output=fio.json fio.job
	ended
	expect "status 0 with io_uring" [ "$status" -eq 0 ]
	reads=$(jq '.jobs[0].read.total_ios' fio.json)
	expect "fio has read" [ "$reads" -gt 0 ]
	submit=io_uring_submit_req
	grep -q "$submit" "$tracing/available_events" || submit=io_uring_submit_sqe
	expect "each request is counted" is uring.dat count "$submit,by=task" "[.rows[].count] | add == $reads"
	expect "each request is paired" is uring.dat pair "$submit/io_uring_complete,by=user_data" \
		".latency.count == $reads and .unpaired == 0 and .unopened == 0"
	expect "its bytes are summed" is uring.dat count io_uring_complete,sum=res ".sum == $reads * 4096"
	expect "every fourth is punted" is uring.dat count io_uring_queue_async_work ".count == $reads / 4"
	expect "the workers are named" is uring.dat pair io_uring_queue_async_work/io_uring_file_get,by=req \
		".latency.count == $reads / 4 and ([.tasks[].ended_by.comm] | all(startswith(\"iou-wrk\")))"
	expect "pairs are units of a tail" "$FTWAIT" report -q --tail --per "pair:$submit/io_uring_complete,by=user_data" \
		uring.dat > tail.txt 2>> errors
	expect "all of them" grep -q "$(echo "$reads" | sed 's/...$/,&/') pairs" tail.txt
}

# The kernel has probes in one list: ours has a name of its own, and is taken out again.
probe_remove() {
	echo "-:$probe/enter" >> "$tracing/uprobe_events" 2> /dev/null
	echo "-:$probe/leave" >> "$tracing/uprobe_events" 2> /dev/null
}

own_probe() {
	libc=$(ldd "$(command -v sleep)" | awk '$1 ~ /^libc\.so/ { print $3 }')
	at=$(nm -D "$libc" 2> /dev/null | awk '$3 ~ /^clock_nanosleep(@|$)/ { print $1; exit }')
	[ -n "$at" ] && [ -w "$tracing/uprobe_events" ] || return 0
	probe=ftwait_test_$$
	trap 'probe_remove; scratch_remove' EXIT
	{
		echo "p:$probe/enter $(realpath "$libc"):0x$at" >> "$tracing/uprobe_events" &&
			echo "r:$probe/leave $(realpath "$libc"):0x$at" >> "$tracing/uprobe_events"
	} 2> /dev/null || return 0
	record -q -e "$probe:*" -o probe.dat -- sh -c 'for i in 1 2 3 4 5 6 7; do sleep 0.02; done'
	ended
	probe_remove
	expect "status 0 with a probe of one's own" [ "$status" -eq 0 ]
	expect "each call is counted" is probe.dat count "$probe:*" '.count == 14 and (.rows | length) == 2'
	expect "each call is paired" is probe.dat pair "$probe:enter/$probe:leave,by=task" \
		'.latency.count == 7 and .unpaired == 0 and .latency.min_ns >= 20000000'
}

# dd's reads and direct writes have one size each; a bar begins at each power of two
sizes() {
	record -q -e syscalls:sys_exit_read,block:block_rq_issue,sched -o sizes.dat -- sh -c '
		dd if=/dev/zero of=/dev/null bs=4k count=100
		dd if=/dev/zero of=/dev/null bs=256k count=30
		dd if=/dev/zero of=direct.data bs=64k count=20 oflag=direct || echo none > no_direct'
	ended
	expect "status 0 with reads" [ "$status" -eq 0 ]
	"$FTWAIT" report -q --json --histogram --count sys_exit_read,sum=ret sizes.dat > reads.json 2>> errors
	expect "100 reads of 4 KB and 30 of 256 KB are in bars of their own" holds '.count.histogram |
		map(select(.from == 262144 or .from == 4096).count) | .[0] >= 100 and .[0] < 110 and .[1] == 30' \
		reads.json
	[ -e no_direct ] || expect "20 requests of 64 KB are counted" is sizes.dat count \
		block_rq_issue,by=bytes '.rows[] | select(.key == "65536").count >= 20'
}

# truth_of NAME: a number that the oracle printed
truth_of() {
	sed -n "s/.*\\<$1=\\([0-9]*\\).*/\\1/p" faults.txt
}

faults() {
	record -q -e faults,sched,block,mm --stacks -o faults.dat -- \
		"$(dirname "$FTWAIT")/tests/live/oracles/page_faults" > faults.txt
	ended
	[ "$status" -ne 77 ] || return 0
	expect "status 0 with faults" [ "$status" -eq 0 ]
	least=$(($(truth_of memory) + $(truth_of file)))
	expect "the kernel has counted faults" [ "$least" -gt 3000 ]
	# exec maps pages before there is a program that could fault
	expect "faults of the program are counted" is faults.dat count "exceptions:page_fault_*" \
		".count >= $least and .count <= $(truth_of all)"
	expect "those for a file are" is faults.dat count mm_filemap_fault,by=i_ino \
		".rows[] | select(.key == \"$(truth_of inode)\").count == $(truth_of file)"
	"$FTWAIT" report -q --json --memory faults.dat > memory.json 2>> errors
	# some need not sleep, and 6.18 leaves out switches
	expect "major ones have slept" holds "[.memory.tasks[] | select(.what == \"fault\").count] |
		add > $(truth_of major) / 2 and add <= $(truth_of major) + 20" memory.json
}

command -v fio > /dev/null && [ -e "$tracing/events/io_uring" ] && uring
own_probe
[ -e "$tracing/events/syscalls/sys_exit_read" ] && sizes
[ -e "$tracing/events/exceptions/page_fault_user" ] && faults
finish
