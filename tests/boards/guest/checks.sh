# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Shared by the tests in a guest. Results are lines on the console that begin with BOARD; files in /out are
# sent to the host, which compares the reports of each recording with its own.
tracing=/sys/kernel/tracing
checks=0

expect() { # NAME COMMAND...
	expected=$1
	shift
	checks=$((checks + 1))
	if "$@" > /tmp/output 2>&1; then
		echo "BOARD ok $expected"
	else
		echo "BOARD FAIL $expected"
		echo "BOARD | $*"
		tail -n 10 /tmp/output | sed 's/^/BOARD | /'
		[ ! -s /tmp/said ] || tail -n 10 /tmp/said | sed 's/^/BOARD | said: /'
	fi
}

skip() { # NAME WHY
	checks=$((checks + 1))
	echo "BOARD SKIP $1: $2"
}

# Ends a test: with the number of checks, the host finds missing results.
finish() {
	echo "BOARD checks $checks"
}

await() { # SECONDS COMMAND...
	until=$(($(date +%s) + $1))
	shift
	until "$@"; do
		[ "$(date +%s)" -lt "$until" ] || return 1
		sleep 0.1
	done
}

# ended PID: waits for the process, returns its status; 99: killed, as it did not end within a minute
ended() {
	if ! await 60 sh -c "! kill -0 $1 2> /dev/null || grep -q '^State:.*Z' /proc/$1/status"; then
		kill -9 "$1"
		return 99
	fi
	wait "$1"
}

records() { # whether a recorder is tracing
	for instance in "$tracing"/instances/ftwait.*; do
		[ "$(cat "$instance/tracing_on" 2> /dev/null)" = 1 ] && return 0
	done
	return 1
}

# record_begin NAME [ARGUMENT...]: starts a recorder that writes NAME.dat, waits until it traces
record_begin() {
	file=$1.dat
	shift
	ftwait record "$@" -o "$file" > /tmp/said 2>&1 &
	recorder=$!
	await 60 records
}

# record_end NAME: ends that recorder, and checks what it printed and wrote
record_end() {
	kill -INT $recorder
	ended $recorder
	status=$?
	expect "$1: status 0" [ $status = 0 ]
	expect "$1: one line is said" [ "$(grep -c . /tmp/said)" = 1 ]
	expect "$1: a report finds all" whole "$1.dat"
}

no_instances() {
	! ls -d "$tracing"/instances/ftwait.* > /dev/null 2>&1
}

# Prints all settings of tracing that a recorder could change for other users.
tracing_state() {
	ls "$tracing/instances"
	for folder in "$tracing" "$tracing"/instances/other; do
		for file in kprobe_events uprobe_events dynamic_events synthetic_events tracing_on \
			current_tracer set_event trace_clock set_event_pid buffer_size_kb trace_options; do
			[ ! -e "$folder/$file" ] || echo "$file: $(cat "$folder/$file")"
		done
	done
	echo "sched_schedstats: $(cat /proc/sys/kernel/sched_schedstats 2> /dev/null)"
}

# reported FILE [VIEWS]: makes the reports that the host compares
reported() {
	sh /guest/reports.sh ftwait "$1" "${2:-few}" > "$1.reports" 2>&1
	expect "$1: reports" report_is_whole "$1.reports"
}

report_is_whole() {
	[ "$(grep -c '^status 0$' "$1")" = "$(grep -c '^status' "$1")" ] && [ "$(wc -l < "$1")" -gt 30 ]
}

whole() { # FILE: nothing was lost, nothing is damaged
	ftwait report --strict -v "$1"
}
