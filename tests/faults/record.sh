#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# System calls that fail a recorder: record.sh BUILD_DIRECTORY has strace fail the N-th one of a kind,
# in each of its threads, COMMAND's own excepted, once for a file and once for standard output. Whatever
# fails: it ends, with a status that is true, says in a line what is lost, leaves what can be read, and
# neither an instance nor a file of its own. Status 0 and nothing said means that all of COMMAND is in.
# FAULTS=N tries as many of each kind (1). The parts run side by side, one for each CPU; record.sh
# BUILD_DIRECTORY PART runs one.
set -u

build=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd) || exit 1
part=${2:-}
FTWAIT=$build/ftwait
scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/ftwait-faults.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0
most=${FAULTS:-1}
children=10

skip() {
	echo "SKIP record-faults: $1"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}

command -v strace > /dev/null || skip "no strace; on Debian: apt-get install strace"
command -v jq > /dev/null || skip "no jq; on Debian: apt-get install jq"
strace -f -b execve -qq -o /dev/null true 2> "$scratch/why" || skip "$(head -n 1 "$scratch/why")"
. "$here/../live/tracing.sh"
[ -n "$tracing" ] || skip "no tracefs that this user may write to"

echo "n=0; while [ \$n -lt $children ]; do /bin/true; n=\$((n + 1)); done" > "$scratch/command.sh"

# recorded OUTPUT STRACE_OPTIONS...: a recording of its own in the folder work; - goes to out.dat
recorded() {
	output=$1
	shift
	rm -rf "$scratch/work"
	mkdir "$scratch/work"
	cd "$scratch/work" || exit 1
	# shellcheck disable=SC2086 # words
	timeout -k 5 30 strace -f -b execve -qq -o "$scratch/calls" "$@" "$FTWAIT" record $more -o "$output" -- \
		sh "$scratch/command.sh" > "$scratch/stdout" 2> "$scratch/said" < /dev/null
	status=$?
	[ "$output" != - ] || cp "$scratch/stdout" out.dat
	instance=$(sed -n '1s/ .*//p' "$scratch/calls")
}

complain() { # WHAT
	echo "FAIL record-faults -o $output $more $fault: $1 (status $status)"
	ls -la "$scratch/work"
	sed 's/^/    stderr: /' "$scratch/said"
	grep INJECTED "$scratch/calls" | head -n 5 | sed 's/^/    /'
	failed=$((failed + 1))
	is_good=false
}

# What else is said than the end, and than where COMMAND's output goes; or what would have been.
remarks() {
	grep -q 'write(2, .*INJECTED' "$scratch/calls" && echo "ftwait: not to be had"
	# an instance that another part leaves is removed by whichever recorder begins next
	grep -v -e '^\[ ftwait: ' -e 'standard output is the recording' -e 'left behind by a killed' "$scratch/said"
}

# What was recorded, with status 0: all of COMMAND, or a word on what is not.
judge_whole() {
	"$FTWAIT" report --strict --json --processes out.dat > "$scratch/report.json" 2> "$scratch/why"
	strict=$?
	told=$(sed -n 's/^\[ ftwait: .*, \([0-9,]*\) events, .*/\1/p' "$scratch/said" | tr -d ,)
	if [ $strict -eq 3 ] && [ -z "$(remarks)" ] && ! grep -q ' [1-9][0-9,]* lost' "$scratch/said"; then
		complain "it is damaged, or has lost events, and nothing was said"
	elif [ $strict -ne 0 ] && [ $strict -ne 3 ]; then
		complain "it cannot be read: $(cat "$scratch/why")"
	elif [ -n "$told" ] && [ "$told" != "$(jq .trace.events "$scratch/report.json")" ]; then
		complain "$(jq .trace.events "$scratch/report.json") events are in it"
	elif [ "$(jq '[.processes.processes[] | select(.task.comm == "true")] | length' \
		"$scratch/report.json")" -lt $children ] && [ -z "$(remarks)" ]; then
		complain "COMMAND is not all in it, and nothing was said"
	fi
}

# After a failure: one line, and what is there can be read.
judge_failed() {
	if [ "$(remarks | grep -c .)" -lt 1 ]; then
		complain "it failed without a word"
	elif remarks | grep -q -v '^ftwait: '; then
		complain "what it says is not its own line"
	elif [ "$(remarks | grep -c .)" -gt 2 ]; then
		complain "more than an error and a note"
	elif [ -s out.dat ]; then
		"$FTWAIT" report --strict out.dat > "$scratch/report" 2> "$scratch/why"
		strict=$?
		[ $strict -eq 0 ] || [ $strict -eq 3 ] || [ "$output" = - ] ||
			complain "what it leaves cannot be read: $(cat "$scratch/why")"
	fi
}

judge() {
	is_good=true
	if [ $status -ge 124 ]; then
		complain "it hangs, or died"
	elif [ -e "$tracing/instances/ftwait.$instance" ]; then
		grep -q 'ftwait cleanup' "$scratch/said" || complain "it leaves an instance, and says nothing"
		rmdir "$tracing/instances/ftwait.$instance"* 2> /dev/null
	fi
	[ -z "$(find . -mindepth 1 ! -name out.dat)" ] || complain "it leaves a file beside"
	if [ $status -eq 0 ]; then
		judge_whole
	elif [ $status -lt 124 ]; then
		judge_failed
	fi
	if $is_good; then
		passed=$((passed + 1))
	fi
}

# counts CALL: how many the loader makes before the program begins, and the most of one thread
counts() {
	awk -v call="$1(" 'NR == 1 { main = $1 }
		index($2, "munmap(") == 1 { is_begun = 1 }
		index($2, call) == 1 { count[$1]++; if ($1 == main && !is_begun) loader++ }
		END { for (i in count) if (count[i] > most) most = count[i]; print loader + 0, most + 0 }' \
		"$scratch/all"
}

# each CALL ERROR...: a sample of the calls of that kind, the errors in turn
each() {
	call=$1
	shift
	# shellcheck disable=SC2046 # two numbers
	set -- $(counts "$call") "$@"
	first=$(($1 + 1)) last=$2
	shift 2
	if [ "$last" -lt "$first" ]; then
		echo "FAIL record-faults -o $where $more: $call is never called"
		failed=$((failed + 1))
		return
	fi
	tries=$((last - first + 1))
	[ $tries -lt $(($# > most ? $# : most)) ] || tries=$(($# > most ? $# : most))
	i=0
	while [ $i -lt $tries ]; do
		n=$((first + (last - first) * i / (tries > 1 ? tries - 1 : 1)))
		fault=$call:error=$1:when=$n
		recorded "$where" -e "trace=$call" -e "inject=$fault"
		judge
		set -- "$@" "$1"
		shift
		i=$((i + 1))
	done
}

# plain: the calls of a recording without a fault, which must be good
plain() {
	fault=none
	recorded "$where"
	cp "$scratch/calls" "$scratch/all"
	judge
}

# What a recording asks the kernel for, but for what cannot fail: a brk that fails returns no error.
all_kinds() {
	plain
	each openat EMFILE EACCES ENOENT
	each read EIO EINTR
	each write EIO ENOSPC EINVAL
	each close EIO
	each newfstatat EIO EACCES
	each getdents64 EIO
	each mmap ENOMEM
	each clone3 EAGAIN
	each clone EAGAIN
	each mkdir ENOSPC EEXIST
	each rmdir EBUSY
	each splice EIO
	each poll EINTR ENOMEM
	each pipe2 EMFILE
	each eventfd2 EMFILE
	each fcntl EINVAL
	each prlimit64 EPERM
	each access EACCES
	each statfs EIO
	each uname EFAULT
	each wait4 EINTR
	each setpriority EPERM
	each sched_setscheduler EPERM
	each flock ENOLCK EWOULDBLOCK
	each inotify_init1 EMFILE
	each inotify_add_watch ENOSPC
	each rt_sigaction EINVAL
}

# run_part PART
run_part() {
	more=
	where=out.dat
	case $1 in
	file) all_kinds ;;
	holes) # what else is done to a file that can have holes
		plain
		each pwrite64 ENOSPC EIO EFBIG
		each pread64 EIO
		each fallocate EOPNOTSUPP ENOSPC EIO
		each ftruncate EIO
		each sync_file_range EIO
		each fstatfs EIO
		each lseek EIO
		;;
	output)
		where=-
		all_kinds
		;;
	stacks)
		more=--stacks=user
		plain
		each perf_event_open EACCES EMFILE
		each mmap ENOMEM
		each ioctl EIO
		;;
	compress)
		more=--compress
		plain
		each mmap ENOMEM
		each pwrite64 ENOSPC EIO
		;;
	esac
	echo "$passed passed, $failed failed, 0 skipped"
	[ "$failed" -eq 0 ]
}

if [ -n "$part" ]; then
	run_part "$part"
	exit
fi
parts='file output holes stacks compress'
cd "$here" || exit 1
for part in $parts; do echo "$part"; done |
	xargs -P "$(nproc)" -I PART sh -c 'sh ./record.sh "$1" PART > "$2/PART.log" 2>&1' sh "$build" "$scratch"
# shellcheck disable=SC2086 # words
set -- $parts
for part; do cat "$scratch/$part.log"; done | "$here/../tools/sum_counts.sh" record-faults $#
