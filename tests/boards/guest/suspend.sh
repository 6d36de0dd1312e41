#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest is suspended to RAM while it records, and woken by its clock (RTC): tasks were frozen, the
# machine slept, and no task seems to have run meanwhile.
. "$(dirname "$0")/checks.sh"

alarm=/sys/class/rtc/rtc0/wakealarm

# Ports of virtio are silent after a suspend: qemu forgets then that the guest has opened them.
open_ports_again() {
	driver=/sys/bus/virtio/drivers/virtio_console
	for device in "$driver"/virtio*; do
		echo "${device##*/}" > "$driver/unbind"
		echo "${device##*/}" > "$driver/bind"
	done
	await 10 ports_are_there
}

ports_are_there() {
	for port in /sys/class/virtio-ports/*; do
		[ ! -s "$port/name" ] || ln -sf "${port##*/}" "/dev/$(cat "$port/name")"
	done
	[ -c /dev/board.stream ] && [ -c /dev/board.results ]
}

# Runs sleeping child processes, one after the other, while another process suspends the machine.
printf '#!/bin/sh\nwhile :; do sleep 0.3; done\n' > /tmp/sleeper
cat > /tmp/suspender << 'EOF'
#!/bin/sh
[ "$1" = sleep ] || echo "$1" > /sys/power/pm_test
echo 0 > /sys/class/rtc/rtc0/wakealarm
[ "$1" != sleep ] || echo +4 > /sys/class/rtc/rtc0/wakealarm
echo mem > /sys/power/state
status=$?
echo none > /sys/power/pm_test
exit $status
EOF
chmod +x /tmp/sleeper /tmp/suspender

# suspended NAME CLOCK sleep|freezer
suspended() {
	record_begin "$1" -e sched,timer,irq,power --clock "$2"
	/tmp/sleeper &
	sleeper=$!
	sleep 0.5
	expect "$1: suspends" /tmp/suspender "$3"
	sleep 0.5
	kill $sleeper
	record_end "$1"
	ftwait report -v "$1.dat" > /tmp/report 2> /tmp/said
	ftwait report --waits --json --top 0 "$1.dat" > /tmp/waits 2>> /tmp/said
	expect "$1: tasks were frozen" grep -q '"kind": "frozen", "name": "system suspend"' /tmp/waits
	expect "$1: a sleep was cut short" grep -q 'cut short by system suspend' /tmp/waits
}

# suspender_is_brief FILE: it ran for less than a second, of four that the machine slept
suspender_is_brief() {
	ftwait report "$1" --summary --format csv --comm suspender > /tmp/suspender.csv 2> /tmp/said &&
		awk -F , '$1 == "# summary.total" { getline; getline; exit !($2 > 0 && $2 < 1000000000) }' \
			/tmp/suspender.csv
}

if ! grep -qw mem /sys/power/state || ! grep -qw deep /sys/power/mem_sleep || [ ! -w $alarm ]; then
	skip "suspend to RAM" "this machine has none, or no clock that wakes it"
	finish
	exit
fi
echo deep > /sys/power/mem_sleep
echo 1 > /sys/module/suspend/parameters/pm_test_delay
suspended freezer mono freezer
expect "freezer: the machine did not sleep" grep -q 'was suspended 1 time: .* but the machine did not sleep' /tmp/report
suspended boot boot sleep
expect "boot: how long it slept" grep -q 'was suspended 1 time: .* in which the machine slept for [1-9][0-9.]* s' /tmp/report
expect "boot: the task that suspends it does not run meanwhile" suspender_is_brief boot.dat
suspended mono mono sleep
expect "mono: the sleep does not count" grep -q 'was suspended 1 time: .* clock does not count' /tmp/report
reported boot.dat
expect "no instance is left" no_instances
expect "the host can be told" open_ports_again
finish
