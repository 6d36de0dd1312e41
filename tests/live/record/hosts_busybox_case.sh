#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/record-hosts where there is nothing but a small busybox: on the hosts, and here.
# lasts: a host gives up a connection that is silent for 10 s, and where sleep knows no fractions all that awaits
# something does so by whole seconds
here=$(realpath "$(dirname "$0")")
. "$here/prelude.sh"
need busybox
. "$here/hosts.sh"
may_enter

# as small as in a router: no base64. The shell of busybox may find all its programs, whatever the links; so
# the smallest board has another shell.
applets='sh [ cat chmod date dmesg gzip head kill mkdir mktemp mv printf rm sed sleep tail uname wc'
board() { # HOST [SHELL]
	world "$1"
	# shellcheck disable=SC2086 # words
	install_program "$1" "$(command -v busybox)" busybox $applets
	[ -z "${2:-}" ] || install_program "$1" "$2" sh
}

# coarse HOST: its sleep knows no fractions
coarse() {
	rm "there/$1/bin/sleep"
	cat > "there/$1/bin/sleep" <<- 'END'
		#!/bin/sh
		case $1 in
		*[!0-9]*)
			echo "sleep: invalid number '$1'" >&2
			exit 1
			;;
		esac
		exec busybox sleep "$1"
	END
	chmod +x "there/$1/bin/sleep"
}
cat > bin/reach << 'END'
#!/bin/sh
case $1 in
db)
	mkfifo "$there/network.$$"
	exec 3<&0
	cat <&3 > "$there/network.$$" &
	echo $! > "$there/network"
	exec < "$there/network.$$" 3<&-
	;;
esac
exec enter "$1" PATH=/bin
END
chmod +x bin/reach
strip -o pushed "$FTWAIT" 2> /dev/null || cp "$FTWAIT" pushed

other_shell=$(command -v dash || true)
for host in web db full small; do
	board $host
	mkdir "there/$host/tmp"
	install_ftwait $host
done
coarse web
coarse db
run -d 1s -o got web db
over 0 "-d"
expect "-d: the command that reports all" [ "$(cat printed)" = "ftwait report got/web.dat got/db.dat" ]
expect "-d: a recording" is_datfile got/db.dat
expect "-d: a date without nanoseconds" said "this machine's: web [+-][01]\.[0-9]* s (+-[0-9]* ms), db [+-][01]\."

run -o got web db
expect "INT: all record" await 30 all_record
kill -s INT "$recorder"
over 0 INT

run -o got web
expect "kill -9: all records" await 30 all_record
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
expect "kill -9: soon nothing is left" await 20 nothing_left

# a network that is gone leaves the connection as it is
whole=$hosts
sed 's/^silence=.*/silence=5/' "$whole" > hosts.short
chmod +x hosts.short
hosts=./hosts.short
run -o got db
expect "a lost network: it records" await 30 all_record
kill -s STOP "$(cat there/network)"
expect "a lost network: soon nothing is left" await 30 nothing_left
kill -s CONT "$(cat there/network)"
over 1 "a lost network"
run -d 11s -o got web
over 0 "a network that is there"
hosts=$whole

board bare2
install_program bare2 "$FTWAIT" unused
mkdir there/bare2/tmp
board bare "$other_shell"
install_program bare "$FTWAIT" unused # its libraries are
mkdir there/bare/tmp
coarse bare
run -d 500ms -o got --push=pushed bare
over 0 "--push without base64"
expect "--push: a recording" is_datfile got/bare.dat
mv there/bare/bin/gzip there/bare/bin/zcat
echo '#!/bin/no' > other
run -d 500ms -o got --push=other --push=pushed bare
over 0 "--push without gzip, of two"
rm there/bare/bin/zcat
run -d 500ms -o got --push=pushed bare
over 0 "--push without zcat"

echo 'mount -t tmpfs -o size=16k,noexec none tmp' > there/bare.setup
run -d 500ms -o got --tmp=/tmp --push=pushed bare
over 1 "--push to noexec"
expect "--push to noexec: why, and what helps" said '^record-hosts: bare: /tmp there is full, or no program may run in it; --tmp=DIR'
echo 'mount -t tmpfs -o size=16k none tmp' > there/bare.setup
run -d 500ms -o got --tmp=/tmp --push=pushed bare
over 1 "--push to a small folder"
expect "--push to a small folder: why" said '^record-hosts: bare: ftwait does not fit into /tmp there (.*); --tmp=DIR'

# the recorder's words and its state need no room
echo 'mount -t tmpfs -o size=1m none tmp' > there/full.setup
run -o got --tmp=/tmp full -- -e +syscalls
over 1 "a disk that fills"
expect "a disk that fills: the recorder's reason" said '^record-hosts: full: .*No space left on device.* kept in got/full.dat'
expect "a disk that fills: one line of it" [ "$(grep -c 'No space left' errors)" = 1 ]
expect "a disk that fills: what there is" is_datfile got/full.dat
echo 'mount -t tmpfs -o size=16k none tmp; cat /dev/zero > tmp/all 2> /dev/null; true' > there/full.setup
run -d 1s -o got --tmp=/tmp full
over 1 "a full disk"
expect "a full disk: why, and what helps" said '^record-hosts: full: no room in /tmp there; --tmp=DIR'

rmdir there/small/tmp
run -d 500ms -o got --tmp=/tmp small
over 1 "no folder"
expect "no folder: where, and what helps" said '^record-hosts: small: no folder can be made in /tmp there; --tmp=DIR names another one$'
mkdir there/small/run
run -d 500ms -o got small
over 0 "no /tmp, but /run"
cat > there/small.setup << 'END'
mount --rbind . . && cd "$PWD" && mount -o remount,bind,ro . && mount -t tmpfs none run
END
run -d 500ms -o got small
over 0 "a read-only disk"
expect "a read-only disk: a recording" is_datfile got/small.dat

# here, too: no date tells nanoseconds, no sleep fractions
mkdir here
for applet in [ awk cat cp date env grep gzip kill mkdir mkfifo mktemp mv printf rm rmdir sed tail tr wc; do
	ln -s "$(command -v busybox)" "here/$applet"
done
ln -s "$(command -v busybox)" here/sh
ln -s "$(command -v busybox)" here/busybox
cp there/web/bin/sleep bin/enter bin/reach here/
# longer NANOSECONDS FILE: the recording spans that time
longer() {
	"$FTWAIT" report --json "$2" | sed -n 's/^ *"\(begin\|end\)_ns": \([0-9]*\),*$/\1 \2/p' | sed 2q |
		awk -v least="$1" '$1 == "begin" { begin = $2 } END { exit !($2 - begin >= least) }'
}
for shell in sh dash; do
	[ $shell = sh ] || { command -v dash > /dev/null && ln -s "$(command -v dash)" here/dash; } || continue
	local_shell="PATH=$scratch/here $shell"
	run -d 1s -o got --push=pushed bare2 web
	over 0 "by $shell"
	expect "by $shell: it lasts" longer 1000000000 got/web.dat
	expect "by $shell: the clocks" said "this machine's: bare2 [+-][0-9.]* s (+-[0-9]* ms), web [+-]"
	run -o got web
	expect "INT by $shell: it records" await 30 all_record
	kill -s INT "$recorder"
	over 0 "INT by $shell"
	run -o got web
	expect "kill -9 by $shell: it records" await 30 all_record
	kill -9 "$recorder"
	wait "$recorder" 2> /dev/null
	expect "kill -9 by $shell: soon nothing is left" await 20 nothing_left
done
finish
