#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# For guests that boot with unusual parameters: the recording must contain the events of each CPU.
. "$(dirname "$0")/checks.sh"

ftwait doctor > doctor.txt 2> /tmp/said
status=$?
expect "doctor: status 0" [ $status = 0 ]
cpus=$(grep -c ^processor /proc/cpuinfo)
# on each CPU, also isolated ones: a task that sleeps, and one that runs until it is killed
cat > /tmp/loads << 'END'
for cpu in $(seq 0 $(($1 - 1))); do
	mask=$(printf %x $((1 << cpu)))
	taskset "$mask" sh -c 'while :; do :; done' &
	runs="$runs $!"
	taskset "$mask" sleep 0.2 &
done
sleep 0.5
kill $runs
sh /guest/load.sh
END
timeout 90 ftwait record -o short.dat -- sh /tmp/loads "$cpus" > /tmp/said 2>&1
status=$?
expect "record: status 0" [ $status = 0 ]
expect "record: one line is said" [ "$(grep -c . /tmp/said)" = 1 ]
expect "a report finds all" whole short.dat
for cpu in $(seq 0 $((cpus - 1))); do
	ftwait report short.dat --waits --format csv -C "$cpu" --comm sleep > /tmp/waits 2> /tmp/said
	expect "CPU $cpu: a sleep" grep -q ',sleep,' /tmp/waits
done
reported short.dat
expect "no instance is left" no_instances
free > memory.txt
finish
