#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Records on eight CPUs while CPUs go offline and come back. The recording must contain what tasks did on
# each CPU, before and after that.
. "$(dirname "$0")/checks.sh"

# Runs a task named NAME.CPU that sleeps twice, bound to one CPU.
on_cpu() { # CPU NAME
	printf '#!/bin/sh\nsleep 0.05\nsleep 0.05\n' > "/tmp/$2.$1"
	chmod +x "/tmp/$2.$1"
	taskset "$(printf %x $((1 << $1)))" "/tmp/$2.$1"
}

on_cpus() { # NAME CPU...
	name=$1
	shift
	for cpu; do
		on_cpu "$cpu" "$name" &
		waiting="$waiting $!"
	done
	# shellcheck disable=SC2086 # words
	wait $waiting
	waiting=
}

# waits_are_there FILE NAME CPU...: whether FILE has the sleeps of NAME.CPU on each CPU
waits_are_there() {
	file=$1 name=$2
	shift 2
	for cpu; do
		ftwait report "$file" --waits --format csv -C "$cpu" --comm "$name.$cpu" > /tmp/waits 2> /tmp/said ||
			return 1
		if [ "$(grep -c ",$name\.$cpu," /tmp/waits)" -lt 2 ]; then
			echo "CPU $cpu: $(cat /tmp/waits /tmp/said)"
			return 1
		fi
	done
}

# stopper_is_brief FILE CPU: it ran for less than a quarter of a second, of half a second without CPU
stopper_is_brief() {
	ftwait report "$1" --summary --format csv --comm "migration/$2" > /tmp/stopper 2> /tmp/said &&
		awk -F , '$1 == "# summary.total" { getline; getline; exit !($2 > 0 && $2 < 250000000) }' /tmp/stopper
}

# set_cpus 0|1 CPU...: offline, online
set_cpus() {
	to=$1
	shift
	for cpu; do
		echo "$to" > "/sys/devices/system/cpu/cpu$cpu/online" || return 1
	done
}

end() { # NAME
	record_end "$1"
	ftwait report --json "$1.dat" > "$1.json" 2> /tmp/said
	expect "$1: of eight CPUs" grep -q '"cpus": 8,' "$1.json"
}

every='0 1 2 3 4 5 6 7' stay='0 2 3 4 6 7'
waiting=
expect "eight CPUs" [ "$(nproc)" = 8 ]
ftwait doctor > doctor.txt 2> /tmp/said
status=$?
expect "doctor: status 0" [ $status = 0 ]

# shellcheck disable=SC2086 # words
{
	record_begin eight
	on_cpus all $every
	end eight
	expect "eight: waits on each CPU" waits_are_there eight.dat all $every
	reported eight.dat

	record_begin return
	on_cpus before $every
	expect "return: CPUs go offline" set_cpus 0 1 5
	on_cpus during $stay
	sleep 0.5
	expect "return: CPUs come back" set_cpus 1 1 5
	on_cpus after $every
	end return
	expect "return: waits before" waits_are_there return.dat before $every
	expect "return: waits on the others" waits_are_there return.dat during $stay
	expect "return: waits after" waits_are_there return.dat after $every
	expect "return: no stopper runs while its CPU is offline" stopper_is_brief return.dat 5
	reported return.dat

	expect "leave: CPUs are there" set_cpus 1 1 5
	record_begin leave
	on_cpus before $every
	set_cpus 0 1 5
	on_cpus during $stay
	end leave
	expect "leave: waits before" waits_are_there leave.dat before $every
	expect "leave: waits on the others" waits_are_there leave.dat during $stay
	reported leave.dat

	ftwait doctor > doctor-offline.txt 2> /tmp/said
	status=$?
	expect "offline: doctor: status 0" [ $status = 0 ]
	record_begin come
	on_cpus before $stay
	set_cpus 1 1 5
	on_cpus after $every
	end come
	expect "come: waits before" waits_are_there come.dat before $stay
	expect "come: waits after" waits_are_there come.dat after $every
	reported come.dat

	# top, while CPUs go and come
	timeout 90 ftwait top -b -n 4 > top.txt 2> /tmp/said &
	top=$!
	while kill -0 $top 2> /dev/null; do
		set_cpus 0 5
		sleep 0.3
		set_cpus 1 5
		on_cpu 5 top
	done
	ended $top
	status=$?
	expect "top: status 0" [ $status = 0 ]
	expect "top: says nothing else" [ ! -s /tmp/said ]
	expect "top: shows what ran there" grep -q ' top\.5 ' top.txt
}
expect "no instance is left" no_instances
finish
