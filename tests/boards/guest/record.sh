#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Records in each way on this kernel. Recordings must be complete, and settings that others made in tracefs
# must not change.
. "$(dirname "$0")/checks.sh"

# same_count SAID REPORT: whether recorder and report count the same events and lost events
same_count() {
	sed -n 's/^\[ ftwait: .* \([0-9,]*\) events, \([0-9,]*\) lost.*/\1 \2/p' "$1" > /tmp/counted
	sed -n 's/^health: .*; no events lost (\([0-9,]*\) read).*/\1 0/p
		s/^health: .*; \([0-9,]*\) events lost (\([0-9,]*\) read).*/\2 \1/p' "$2" > /tmp/found
	[ -s /tmp/found ] && diff /tmp/counted /tmp/found
}

# named FILE [PATH]: whether cat is seen to read that path
named() {
	ftwait report "$1" --comm cat --syscall=read --json > /tmp/calls 2>> /tmp/said
	grep -q '"name": "read".*"path": "'"${2:-/tmp/slow}"'"' /tmp/calls
}

recording() { # NAME ARGUMENT...
	recording=$1
	shift
	timeout 90 ftwait record "$@" -o "$recording.dat" -- sh /guest/load.sh > /tmp/said 2>&1
	status=$?
	expect "$recording: status 0" [ $status = 0 ]
	expect "$recording: a report finds all" whole "$recording.dat"
}

# another user of tracing
mkdir $tracing/instances/other
echo 1 > $tracing/instances/other/events/sched/sched_switch/enable
echo 512 > $tracing/instances/other/buffer_size_kb
echo 'p:own/opens do_sys_openat2' 2> /dev/null > $tracing/kprobe_events
echo 1 > $tracing/events/sched/sched_process_exit/enable
tracing_state > before

ftwait doctor > doctor.txt 2> /tmp/said
status=$?
expect "doctor: status 0" [ $status = 0 ]
expect "doctor: an instance can be made" grep -q '^ok  *instance  *made' doctor.txt
expect "doctor: memory is there" grep -q '^ok  *buffer memory ' doctor.txt
if [ ! -e /proc/kallsyms ]; then
	expect "doctor: no names of functions" grep -q '^gap  *kernel symbols' doctor.txt
	expect "doctor: what gives them" grep -q 'mend: "ftwait report --kallsyms System.map" names them' doctor.txt
	expect "doctor: no profile" grep -q '^gap  *profile' doctor.txt
	expect "doctor: no events of networks" grep -q '^gap  *group net' doctor.txt
	expect "doctor: what follows" grep -q 'consequence: waits for packets are less exact' doctor.txt
fi
ftwait list > list.txt 2> /tmp/said
status=$?
expect "list: status 0" [ $status = 0 ]
expect "list: sched_switch" grep -q 'sched:sched_switch  *present' list.txt

recording default
reported default.dat all
recording chosen -e sched,block
reported chosen.dat
recording stacks --stacks
ftwait report stacks.dat --off-cpu --json > stacks.json 2> /tmp/said
if [ -e /proc/kallsyms ]; then
	expect "stacks: of a sleep" grep -q '"stack": \["[a-z_.0-9]*nanosleep' stacks.json
else # the host names the functions
	expect "stacks: addresses" grep -q '"stack": \["0x[0-9a-f]*"' stacks.json
fi
reported stacks.dat
recording packed --compress
reported packed.dat
timeout 90 ftwait record --ring -b 64K -o ring.dat -- sh /guest/load.sh > /tmp/said 2>&1
status=$?
expect "ring: status 0" [ $status = 0 ]
expect "ring: says what it is" grep -q 'older ones overwritten\|0 lost' /tmp/said
reported ring.dat

# that many system calls overflow small buffers; recorder and report must count the same losses
timeout 90 ftwait record -e sched,syscalls -b 16K -o small.dat -- \
	dd if=/dev/zero of=/dev/null bs=1 count=20000 > /tmp/said 2>&1
status=$?
expect "16 KB: status 0" [ $status = 0 ]
ftwait report -v small.dat > small.txt 2>> /tmp/said
expect "16 KB: the recorder and the report count alike" same_count /tmp/said small.txt
reported small.dat

# the file of a slow read, by its descriptor: opened meanwhile, and before
mknod /tmp/slow p
sh -c 'sleep 1; echo word; sleep 1; echo word; sleep 1' > /tmp/slow &
timeout 90 ftwait record -v -e sched,syscalls -o opened.dat -- cat /tmp/slow > /dev/null 2> /tmp/said
expect "descriptor: the file of a slow read" named opened.dat
mknod /tmp/late p
cat /tmp/late > /dev/null &
reader=$!
exec 7> /tmp/late
sh -c 'sleep 2; echo word; sleep 1; echo word' >&7 &
timeout 90 ftwait record -v -e sched,syscalls -d 4 -o before.dat -p $reader 2> /tmp/said
exec 7>&-
expect "descriptor: one that was open before" named before.dat /tmp/late

# a stream to the host
mknod /tmp/fifo p
tee sent.dat < /tmp/fifo > /dev/board.stream &
sender=$!
timeout 90 ftwait record -e sched,block -o - -- sh /guest/load.sh 2> /tmp/said > /tmp/fifo
status=$?
wait $sender
expect "-o - to the host: status 0" [ $status = 0 ]
expect "-o - to the host: a report finds all" whole sent.dat
reported sent.dat

sleep 100 &
timeout 60 ftwait why -d 1 $! > why.txt 2> /tmp/said
status=$?
kill $!
expect "why: status 0" [ $status = 0 ]
expect "why: knows what it waits for" grep -q sleep why.txt

timeout 60 ftwait top -b -n 2 -i 1 > top.txt 2> /tmp/said &
top=$!
while kill -0 $top 2> /dev/null; do
	sh /guest/load.sh
done
ended $top
status=$?
expect "top -b: status 0" [ $status = 0 ]
expect "top -b: shows tasks" grep -q ' sh  *task[, ]' top.txt

# a flight recorder
mknod /tmp/never p
printf '#!/bin/sh\nread -r _ < /tmp/never\n' > /tmp/victim
chmod +x /tmp/victim
ftwait record --ring=5s --trigger 'wait>300ms comm=victim' --after=200ms --shots=1 -o shot.dat > /tmp/said 2>&1 &
recorder=$!
await 30 records
/tmp/victim &
sleep 1
echo word > /tmp/never
ended $recorder
status=$?
expect "trigger: status 0" [ $status = 0 ]
expect "trigger: a shot" grep -q 'shot 1 of 1: victim\[[0-9]*\] waited' /tmp/said
expect "trigger: a report finds all" whole shot.1.dat
reported shot.1.dat

# a user without privileges, in an instance that root has prepared
mkdir -p /etc /tmp/user
chown 2000:2000 /tmp/user
echo 'user:x:2000:2000::/tmp:/bin/sh' > /etc/passwd
FTWAIT_PREPARED=/tmp/prepared
export FTWAIT_PREPARED
as_user() { # COMMAND
	su user -c "cd /tmp/user && $1"
}

modes() {
	stat -c '%a %u %g' $tracing $tracing/instances
	grep ' tracefs ' /proc/mounts
}

# others_are_closed: no file of tracefs is open to the user but for those of the instance, by any mount
others_are_closed() {
	find $tracing -path "$tracing/instances/prepared*" -prune -o -type l -o -print > /tmp/files
	sed -n 's/^[^ ]* \([^ ]*\) tracefs .*/\1/p' /proc/mounts > /tmp/mounts
	chmod 644 /tmp/files /tmp/mounts
	# shellcheck disable=SC2016 # for that shell
	as_user 'while read -r file; do
			[ ! -r "$file" ] && [ ! -w "$file" ] || echo "$file"
		done < /tmp/files
		while read -r mount; do
			find "$mount" -mindepth 1
		done < /tmp/mounts' 2> /dev/null | grep -v "^$FTWAIT_PREPARED/prepared"
	[ "$(wc -l < /tmp/files)" -gt 1000 ] && [ -z "$(find $tracing -path "$tracing/instances/prepared*" \
		-prune -o -group 2000 -print)" ]
}

none_is_open() {
	others_are_closed > /tmp/open && [ ! -s /tmp/open ]
}

modes > /tmp/modes
sh /guest/prepare-instance prepared 2000 > /tmp/said 2>&1
status=$?
expect "uid 2000: prepare-instance" [ $status = 0 ]
expect "uid 2000: no other file of tracefs is open" none_is_open
expect "uid 2000: is not root" [ "$(as_user 'id -u')" = 2000 ]
as_user 'ftwait doctor' > user-doctor.txt 2> /tmp/said
status=$?
expect "uid 2000: doctor: status 0" [ $status = 0 ]
expect "uid 2000: doctor: names the instance" grep -q '^ok  *prepared instance .*/prepared' user-doctor.txt
as_user 'ftwait record -o denied.dat -d 1' > /tmp/said 2>&1
status=$?
expect "uid 2000: record without it: status 1" [ $status = 1 ]
expect "uid 2000: record without it: one line" [ "$(grep -c . /tmp/said)" = 1 ]
cp /tmp/said user-denied.txt
as_user "ftwait record --instance=prepared -o user.dat -- sh -c 'sleep 0.05; echo word | cat > /dev/null'" > /tmp/said 2>&1
status=$?
cp /tmp/said user-record.txt
expect "uid 2000: record: status 0" [ $status = 0 ]
cp /tmp/user/user.dat user.dat
expect "uid 2000: a report finds all" whole user.dat
ftwait report user.dat --waits --format csv --comm sleep > /tmp/waits 2> /tmp/said
expect "uid 2000: the sleep is there" grep -q ',sleep,' /tmp/waits
reported user.dat
sh /guest/prepare-instance --undo prepared > /tmp/said 2>&1
status=$?
expect "uid 2000: prepare-instance --undo" [ $status = 0 ]
modes > /tmp/modes.after
expect "uid 2000: tracefs is as before" cmp /tmp/modes /tmp/modes.after

# kill -9
ftwait record -o killed.dat > /tmp/said 2>&1 &
recorder=$!
await 30 records
sh /guest/load.sh
sleep 1
kill -9 $recorder
wait $recorder 2> /dev/null
left=$tracing/instances/ftwait.$recorder
expect "kill -9: the instance is left" [ -d "$left" ]
expect "kill -9: the kernel ended it" [ "$(cat "$left/tracing_on")" = 0 ]
ftwait cleanup > /tmp/said 2>&1
status=$?
expect "cleanup: status 0" [ $status = 0 ]
expect "cleanup: says so" grep -q "^removed ftwait\.$recorder$" /tmp/said
expect "cleanup: no instance is left" no_instances
ftwait report killed.dat --waits --format csv > unrepaired.csv 2> /tmp/said
status=$?
expect "kill -9: a report can be made" [ $status = 0 ]
ftwait record --repair killed.dat > /tmp/said 2>&1
status=$?
expect "--repair: status 0" [ $status = 0 ]
ftwait report --strict killed.dat > /tmp/said 2>&1
status=$?
expect "--repair: damage is still told" [ $status = 3 ]
expect "--repair: and what it was" grep -q 'recording did not end cleanly' /tmp/said
ftwait report killed.dat --waits --format csv > repaired.csv 2> /tmp/said
# columns without names of functions, which --repair adds
cut -d , -f 2-6 unrepaired.csv > unrepaired.waits
cut -d , -f 2-6 repaired.csv > repaired.waits
expect "--repair: the same waits as before" cmp unrepaired.waits repaired.waits
reported killed.dat

expect "no instance is left at the end" no_instances
tracing_state > after
expect "others trace as before" diff before after
finish
