#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Events that ftwait knows nothing of, counted and paired: requests of io_uring against fio's own count, with the
# workers of those that are punted; a probe of one's own on a function of libc, against the calls that were made.
. "$(dirname "$0")/prelude.sh"

need jq

# is FILE VIEW SPEC FILTER: of what the view says
is() {
	"$FTWAIT" report -q --json "--$2" "$3" "$1" 2>> errors | jq -e ".$2 | $4" > /dev/null
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

command -v fio > /dev/null && [ -e "$tracing/events/io_uring" ] && uring
own_probe
finish
