#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# top, the key w: the last 30 s become a recording that report and trace-cmd read, with the names of
# tasks that are older; a file that is there stays; what cannot be written leaves nothing and is said;
# and what is being written when top ends is written to its end.
# lasts: most of a minute, as the last 30 s can only be told from all after more than 30 s
. "$(dirname "$0")/prelude.sh"

need jq
need ps
need script
need stty
jobs_begun=
# shellcheck disable=SC2086 # several
trap '[ -z "$jobs_begun" ] || kill -9 $jobs_begun 2> /dev/null; scratch_remove' EXIT

cp "$(readlink -f /bin/sh)" sleeper
./sleeper -c 'while :; do sleep 0.05; done' &
sleeper=$!
jobs_begun=$sleeper

cat > session.sh << 'EOF'
stty rows 24 cols 80
echo $$ > "$scratch/shell"
cd "$1" || exit 1
shift
[ "$#" -eq 0 ] || exec < "$scratch/output"
"$FTWAIT" top -i 200ms "$@" 2> "$scratch/errors"
echo $? > "$scratch/status"
EOF
export scratch
mkfifo keys output

# on_screen FOLDER [-]: top, in that folder; keys go to descriptor 9
on_screen() {
	rm -f status errors shell screen
	TERM=xterm script -qefc "sh session.sh $*" /dev/null < keys > screen 2> /dev/null &
	session=$!
	jobs_begun="$sleeper $session"
	exec 9> keys
	expect "$1: it draws" await 20 saying 'WAITING.*TASK'
	shown=$(ps -o pid=,comm= --ppid "$(cat shell)" | awk '$2 == "ftwait" { print $1 }')
}

# screen_ended WHAT STATUS
screen_ended() {
	expect "$1: it ends" await 30 [ -s status ]
	[ -s status ] || kill "$session"
	exec 9>&-
	wait "$session"
	expect "$1: status $2" [ "$(cat status)" = "$2" ]
}

saved() { # FOLDER COUNT
	[ "$(find "$1" -name 'ftwait-*.dat' -size +0 | wc -l)" = "$2" ]
}

saying() { # PATTERN
	grep -qs -a -e "$1" screen
}

# is_whole FILE: a trace.dat with the busy task under its name, its process, and its control group
is_whole() {
	is_datfile "$1" || return 1
	"$FTWAIT" report "$1" --json > report.json 2> warnings || return 1
	jq -e --argjson tid "$sleeper" '[.. | objects | select(.task.tid? == $tid) | .task] |
		length > 0 and all(.comm == "sleeper" and .tgid == $tid)' report.json > /dev/null ||
		return 1
	"$FTWAIT" report "$1" --cgroup '*' --json > of_cgroup.json 2> warnings || return 1
	jq -e --argjson tid "$sleeper" --arg group "$group" \
		'[.. | objects | select(.task.tid? == $tid) | .task.cgroup] |
		length > 0 and all(. == $group)' of_cgroup.json > /dev/null
}

# the control group, as a recording has it
"$FTWAIT" record -q -o plain.dat -d 1 2> errors
group=$("$FTWAIT" report plain.dat --cgroup '*' --json 2> warnings | jq -r --argjson tid "$sleeper" \
	'[.. | objects | select(.task.tid? == $tid) | .task.cgroup][0]')
expect "the control group is known" [ "${group#/}" != "$group" ]

# seconds_of: of the report that is_whole made
seconds_of() {
	jq -r '.trace | "\(.begin_ns) \(.end_ns)"' report.json | tr -d . > window
	read -r begin end < window
	echo $(((end - begin) / 1000000000))
}

# first what is younger than 30 s, then what is older than the ring
mkdir plain first
on_screen plain
printf w >&9
expect "young: saved" await 20 saved plain 1
await 20 saying ' -> '
expect "young: whole" is_whole "$(find plain -name '*.dat')"
mv plain/*.dat first/
sleep 40
printf w >&9
expect "old: saved" await 20 saved plain 1
printf q >&9
screen_ended old 0
file=$(find plain -name '*.dat')
expect "old: whole, with tasks from before its begin" is_whole "$file"
length=$(seconds_of)
# on a busy machine 30 s may be more than there is memory for
if said 's (too little memory for more), '; then
	expect "old: all that it has memory for" [ "$(stat -c %s "$file")" -gt 100000000 ]
else
	expect "old: 30 s: $length" [ "$length" -ge 29 ]
fi
expect "old: no more than 30 s and a chapter: $length" [ "$length" -le 36 ]
expect "old: it says both names at the end" \
	[ "$(grep -c '^ftwait: [0-9.]* s.*, .* -> ftwait-[0-9]*.dat$' errors)" = 2 ]
if command -v trace-cmd > /dev/null; then
	expect "old: trace-cmd names the task" \
		sh -c 'trace-cmd report "$0" 2> warnings | grep -q " sleeper-$1 "' "$file" "$sleeper"
fi

# files that have the names stay as they are; what is being written is written to its end
mkdir taken
now=$(date +%s)
for second in $(seq 0 90); do
	: > "taken/$(date -d "@$((now + second))" +ftwait-%H%M%S.dat)"
done
on_screen taken
printf wq >&9
screen_ended taken 0
expect "taken: a new name" saved taken 1
expect "taken: it is -2" said ' -> ftwait-[0-9]*-2\.dat$'
expect "taken: whole" is_whole "$(find taken -name '*.dat' -size +0)"
expect "taken: the others stay" [ "$(find taken -name 'ftwait-*.dat' -size 0 | wc -l)" = 91 ]
expect "taken: nothing else" [ "$(find taken -type f | wc -l)" = 92 ]

mkdir signalled
on_screen signalled
printf w >&9
expect "signalled: it writes" await 5 saying 'writing the last\| -> '
kill -TERM "$shown"
screen_ended signalled 0
expect "signalled: saved" saved signalled 1
expect "signalled: whole" is_whole "$(find signalled -name '*.dat')"
expect "signalled: nothing else" [ "$(find signalled -type f | wc -l)" = 1 ]

# the stream of another recorder
mkdir stream
"$FTWAIT" record -q -o - --flush 200ms > output 2> /dev/null &
recorder=$!
on_screen stream -
printf wq >&9
screen_ended stream 0
wait "$recorder"
expect "stream: saved" saved stream 1
expect "stream: whole" is_whole "$(find stream -name '*.dat')"

# no room, no folder that can be written to
mkdir disk
if mount -t tmpfs -o size=200k none disk 2> /dev/null; then
	on_screen disk
	printf wq >&9
	screen_ended full 1
	expect "full: it says why" said 'cannot .* ftwait-[0-9]*.dat.*: No space left'
	expect "full: nothing is left" [ -z "$(ls disk)" ]
	umount disk
	mount -t tmpfs -o ro none disk
	on_screen disk
	printf wq >&9
	screen_ended read-only 1
	expect "read-only: it says why" \
		said 'cannot write to ftwait-[0-9]*.dat: Read-only file system'
	umount disk
fi
finish
