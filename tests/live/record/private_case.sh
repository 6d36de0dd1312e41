#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Nothing outside the instance is changed.
. "$(dirname "$0")/prelude.sh"

state() {
	for file in tracing_on current_tracer trace_clock buffer_size_kb buffer_percent set_event \
		set_event_pid set_ftrace_pid tracing_cpumask trace_options; do
		echo "$file $(cat "$tracing/$file" 2> /dev/null | md5sum)"
	done
}

state > before
record --stacks --clock boot -b 1M -e syscalls,mm -o a.dat
begun
state > during
kill -INT "$recorder"
ended
state > after
expect "status 0" [ $status -eq 0 ]
expect "during" cmp -s before during
expect "after" cmp -s before after
finish
