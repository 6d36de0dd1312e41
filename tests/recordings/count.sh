#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# count.sh FOLDER...: compares --count and --pair of each trace.dat with what count.awk and stacks.awk find in the
# text that trace-cmd report makes of it.
set -u

. "$(dirname "$0")/each.sh"

here=$(dirname "$0")
counts="*,by=event *,by=cpu sched_switch,by=task sched_switch,by=prev_prio sched_waking,by=comm,sum=prio
	sched_wakeup,by=pid irq_handler_entry,by=irq block_rq_issue,by=rwbs,sum=nr_sector
	net_dev_queue,by=cpu,sum=len sys_enter,by=id sys_exit,by=task,sum=ret sched_process_exit,by=comm
	hrtimer_start,by=cpu sched_stat_runtime,by=task,sum=runtime"
pairs="sched_waking/sched_wakeup,by=pid sys_enter/sys_exit,by=task softirq_entry/softirq_exit,by=cpu
	block_rq_issue/block_rq_complete,by=sector hrtimer_expire_entry/hrtimer_expire_exit,by=hrtimer
	sched_switch/sched_switch,by=cpu timer_start/timer_expire_entry,by=timer"
stacked="sched_switch sched_waking"

# Prints those of the list whose events are in the text.
occurring() { # LIST
	local spec events
	set -f
	for spec in $1; do
		events=${spec%%,*}
		if [ "$events" = '*' ] || { grep -qx "${events%/*}" "$scratch/names" &&
			grep -qx "${events#*/}" "$scratch/names"; }; then
			echo "$spec"
		fi
	done
	set +f
}

ours() { # FILE
	local spec
	occurring "$counts" | while read -r spec; do
		"$FTWAIT" report -q --all --json --count "$spec" "$1" 2> "$scratch/errors" |
			jq -r --arg spec "$spec" '.count | .by as $by | .rows[] | [$spec,
				(if $by == "task" then .key | if . == "idle CPU" then 0 else
					sub(".*\\[(?<tid>[0-9]+)\\]$"; .tid) end
				elif $by == "event" then .key | sub(".*:"; "")
				else .key end), .count, .sum // 0] | @tsv'
	done
	occurring "$pairs" | while read -r spec; do
		"$FTWAIT" report -q --all --json --pair "$spec" "$1" 2> "$scratch/errors" |
			jq -r --arg spec "$spec" '.pair | [$spec, .latency.count // 0, .latency.total_ns // 0,
				.unpaired, .unopened] | @tsv'
	done
}

# Of each event of the list, how often each stack followed: ours, and those of the text.
our_stacks() { # FILE
	local event
	for event in $(occurring "$stacked"); do
		"$FTWAIT" report -q --all --json --count "$event,by=stack" "$1" 2> "$scratch/errors" |
			jq -r --arg spec "$event,by=stack" '.count.rows[] | [$spec, .key // "null", .count, 0] | @tsv'
	done | awk -f "$here/stacks.awk" "$scratch/functions" -
}

stacks() { # FILE
	local event
	trace-cmd report -t "$1" 2> /dev/null > "$scratch/stacks"
	for event in $(occurring "$stacked"); do
		awk -v event="$event" -f "$here/stacks.awk" "$scratch/functions" "$scratch/stacks"
	done
}

same() { # FILE
	local file=$1
	trace-cmd report -N -R -t "$file" > "$scratch/text" 2> /dev/null || return 0
	sed -n 's/.*-[0-9]* *\[[0-9]*\] *[0-9.]*: *\([A-Za-z0-9_]*\):.*/\1/p' "$scratch/text" | sort -u \
		> "$scratch/names"
	awk -v counts="$(occurring "$counts" | tr '\n' ' ')" -v pairs="$(occurring "$pairs" | tr '\n' ' ')" \
		-f "$here/count.awk" "$scratch/text" | LC_ALL=C sort > "$scratch/truth"
	ours "$file" | LC_ALL=C sort > "$scratch/ours"
	if grep -qx kernel_stack "$scratch/names"; then
		trace-cmd report -f "$file" 2> /dev/null | LC_ALL=C sort > "$scratch/functions"
		stacks "$file" | LC_ALL=C sort >> "$scratch/truth"
		our_stacks "$file" | LC_ALL=C sort >> "$scratch/ours"
	fi
	[ -s "$scratch/ours" ] || return 0
	diff "$scratch/truth" "$scratch/ours" > "$scratch/differs" && return 0
	echo "$file: counts of the text and ours differ:"
	head -n 8 "$scratch/differs"
	return 1
}

if ! command -v trace-cmd > /dev/null; then
	echo "SKIP count: no trace-cmd"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
check_each same "$@"
