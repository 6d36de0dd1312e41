#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/record-hosts where the hosts have Android's shell and tools: no awk, no gzip, /data/local/tmp
# for /tmp. What stands in for adb does as its version 29 does.
here=$(realpath "$(dirname "$0")")
. "$here/prelude.sh"
need mksh
need toybox
. "$here/hosts.sh"
may_enter

phone() {
	world "$1"
	# shellcheck disable=SC2046 # words
	install_program "$1" "$(command -v toybox)" toybox $(toybox | tr -s ' \n' '\n\n' | grep '^[a-z]')
	rm -f "there/$1/bin/gzip" "there/$1/bin/awk"
	install_program "$1" "$(command -v mksh)" sh
	mkdir -p "there/$1/data/local/tmp" "there/$1/system"
	ln -s ../bin "there/$1/system/bin"
}
# With the shell protocol of Android 7, standard input, output, errors and the status are kept apart.
# Two that start the server at once: one of them fails. When the client ends, the shell gets a signal.
cat > bin/adb << 'END'
#!/bin/bash
[ "$1" != start-server ] || exec touch "$there/server"
[ "$1 $3" = "-s shell" ] || exit 1
[ -e "$there/server" ] || mkdir "$there/starts" 2> /dev/null || {
	echo "error: cannot connect to daemon" >&2
	exit 1
}
case $2 in
nowhere)
	echo "error: device '$2' not found" >&2
	exit 1
	;;
old)
	[ "$4" != -T ] || {
		echo "error: device only supports allocating a pty" >&2
		exit 1
	}
	;;
esac
[ "$4 $5" = "-T sh" ] || exit 1
enter "$2" PATH=/system/bin TMPDIR=/data/local/tmp <&0 &
trap 'kill -HUP $! 2> /dev/null' EXIT
trap 'exit 1' TERM
wait $!
END
chmod +x bin/adb
strip -o pushed "$FTWAIT" 2> /dev/null || cp "$FTWAIT" pushed

for host in phone tablet; do
	phone $host
	install_ftwait $host
done
run -d 1s -o got adb:phone adb:tablet -- --label 'note=it'"'"'s $HOME'
over 0 "-d"
expect "-d: the command that reports all" [ "$(cat printed)" = "ftwait report got/phone.dat got/tablet.dat" ]
for host in phone tablet; do
	"$FTWAIT" report --json got/$host.dat > report 2>> errors
	expect "-d: $host can be read, and has the options" grep -q 'it.s \$HOME' report
done
expect "-d: the clocks are the same" clocks_agree phone tablet

for signal in INT HUP; do
	run -o got adb:phone adb:tablet
	expect "$signal: all record" await 30 all_record
	kill -s $signal "$recorder"
	over 0 $signal
done
run -o got adb:phone
expect "kill -9: all record" await 30 all_record
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
expect "kill -9: soon nothing is left" await 20 nothing_left

phone bare
install_program bare "$FTWAIT" unused # its libraries are
run -d 500ms -o got --push=pushed adb:bare
over 0 "--push"
expect "--push: a recording" is_datfile got/bare.dat
run -o got adb:bare
over 1 "no ftwait"
expect "no ftwait: what helps" said '^record-hosts: adb:bare: no ftwait there; --push=FILE copies one'

[ "$(id -u)" -ne 0 ] || {
	phone user
	install_ftwait user
	chmod 1777 there/user/data/local/tmp && chmod 755 . there there/user
	export user=2000
	run -o got adb:user
	over 1 "not root"
	expect "not root: what helps" said '^record-hosts: adb:user: .*; try: adb -s user root$'
	unset user
}

for host in nowhere old; do
	world $host
	run -o got adb:phone adb:$host
	over 1 $host
	expect "$host: one line" [ "$(lines)" = 1 ]
done
expect "an old Android: why, and what helps" said '^record-hosts: adb:old: Android before 7, whose adb cannot .*; use ssh$'
finish
