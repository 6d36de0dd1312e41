#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# System calls that fail: run.sh BUILD_DIRECTORY has strace fail the N-th one of a kind, for each N, or
# for a sample of them where they are many. What `report -o FILE` leaves is the old file byte by byte,
# or the new one whole, and the status says which; a signal instead of an error leaves nothing else.
# What cannot be read of the recording is told as that, and not as damage of it.
# FAULTS=N tries as many of each kind (8).
set -u

build=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-faults.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0
has_link=false # a file of two names is written in its own place
most=${FAULTS:-8}
recording=$here/fixtures/demo.dat

command -v strace > /dev/null || {
	echo "SKIP faults: no strace; on Debian: apt-get install strace"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
strace -qq -o /dev/null true 2> "$scratch/why" || {
	echo "SKIP faults: $(head -n 1 "$scratch/why")"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
mkdir "$scratch/work"
cd "$scratch/work" || exit 1
echo "the good report of before" > ../old

# traced STRACE_OPTIONS... -- REPORT_OPTIONS...: once more into FILE, which is there before
traced() {
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	rm -rf "$scratch/work"
	mkdir "$scratch/work"
	cd "$scratch/work" || exit 1
	cp ../old "$file"
	if $has_link; then
		ln -f "$file" ../link
	fi
	# shellcheck disable=SC2086 # words
	timeout -k 5 60 strace -f -qq -o "$scratch/calls" $options "$build/ftwait" report --threads 1 "$recording" \
		-o "$file" "$@" > "$scratch/said" 2>&1
	status=$?
}

complain() { # WHAT
	echo "FAIL faults $format $fault: $1 (status $status)"
	ls -la "$scratch/work"
	cat "$scratch/said"
	failed=$((failed + 1))
}

# What is there now. `clean`: of a write that failed one line tells; `tidy`: of something that may have
# nothing to do with the file; `any`: nobody could tidy up.
judge() { # clean|tidy|any
	others=$(find . -mindepth 1 ! -name "$file")
	if [ "$1" != any ] && [ -n "$others" ]; then
		complain "left something beside the file"
	elif cmp -s "$file" ../new; then
		if [ "$1" = clean ] && [ "$status" -ne 0 ]; then
			complain "the new file, and a status that says otherwise"
		else
			passed=$((passed + 1))
		fi
	elif ! cmp -s "$file" ../old; then
		complain "neither the old file nor the new one"
	elif [ "$status" -eq 0 ]; then
		complain "the old file, and a status that says otherwise"
	elif [ "$1" = clean ] && [ "$(grep -c . "$scratch/said")" -ne 1 ]; then
		complain "more or less than one line about it"
	else
		passed=$((passed + 1))
	fi
}

# each CALL INJECTION HOW REPORT_OPTIONS...: for a sample of the calls of that kind
each() {
	call=$1 injection=$2 how=$3
	shift 3
	traced -e "trace=$call" -- "$@"
	total=$(grep -c " $call(" "$scratch/calls")
	step=$(((total + most - 1) / most))
	fault="$call:$injection"
	if [ "$total" -eq 0 ]; then
		complain "it is never called"
		return
	fi
	n=1
	while [ "$n" -le "$total" ]; do
		fault="$call:$injection:when=$n"
		traced -e "trace=$call" -e "inject=$call:$injection:when=$n" -- "$@"
		judge "$how"
		n=$((n + step))
	done
}

# made FILE REPORT_OPTIONS...: what it is when nothing fails
made() {
	file=$1
	shift
	format=$* fault=none
	traced -e trace=none -- "$@"
	cp "$file" ../new
	[ "$status" -eq 0 ] && ! cmp -s ../old ../new || complain "no report"
}

# writes FILE REPORT_OPTIONS...
writes() {
	made "$@"
	shift
	each write error=ENOSPC clean "$@"
	each write error=EIO clean "$@"
	each fsync error=EIO clean "$@"
	each write signal=KILL any "$@"
}

writes report.txt --summary
writes report.json --json --waits
writes report.csv --format csv --waits
writes flame.svg --format svg --chains
writes page.html --format html
writes trace.pftrace --format perfetto
writes trace.pftrace.gz --format perfetto

# All else that a report asks the kernel for, in one form, and signals that end it.
most=$((most * 2))
made report.json --json
for call in close fcntl fchmod newfstatat openat renameat rt_sigaction; do
	each $call error=EIO tidy --json
done
for signal in HUP INT QUIT TERM; do
	each write signal=$signal tidy --json
done
has_link=true
each ftruncate error=EIO tidy --json
has_link=false
# unreadable RECORDING: what is on the medium is not to be had
unreadable() {
	name=$(basename "$1")
	format=$name fault=none
	cd "$scratch/work" || exit 1
	strace -f -qq -o "$scratch/calls" -P "$1" -e trace=pread64 "$build/ftwait" report --threads 1 "$1" > ../new
	total=$(grep -c ' pread64(' "$scratch/calls")
	[ "$total" -gt 0 ] || complain "it is not read"
	step=$(((total + most - 1) / most))
	n=1
	while [ "$n" -le "$total" ]; do
		for strict in '' --strict; do
			fault="pread64:error=EIO:when=$n+ $strict"
			timeout -k 5 60 strace -f -qq -o /dev/null -P "$1" -e trace=pread64 \
				-e "inject=pread64:error=EIO:when=$n+" "$build/ftwait" report --threads 1 "$1" $strict \
				> "$scratch/told" 2> "$scratch/said"
			status=$?
			if ! grep -q '^ftwait: report: .*: cannot read it at byte [0-9]*: Input/output error' "$scratch/said" ||
				[ "$(grep -c . "$scratch/said")" -ne 1 ]; then
				complain "it does not say in one line that it cannot be read"
			elif grep -q -i 'damaged: \|cut short\|truncated\|broken' "$scratch/told" "$scratch/said"; then
				cat "$scratch/told"
				complain "it is called damaged"
			elif [ "$status" -ne 1 ] && { [ -z "$strict" ] || [ "$status" -ne 3 ]; }; then
				complain "wrong status"
			elif [ "$status" -eq 3 ] && ! [ -s "$scratch/told" ]; then
				complain "status 3 without a report"
			else
				passed=$((passed + 1))
			fi
		done
		n=$((n + step))
	done
}

unreadable "$recording"
"$build/mktrace" -o "$scratch/version6.dat" "$here/tests/golden/schedules/database.txt"
unreadable "$scratch/version6.dat"
"$build/mktrace" -7 -o "$scratch/version7.dat" "$here/tests/golden/schedules/database.txt"
unreadable "$scratch/version7.dat"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
