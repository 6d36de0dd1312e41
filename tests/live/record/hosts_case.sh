#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/record-hosts records on all hosts or on none, and leaves nothing on them. The hosts are this
# machine; what stands in for ssh and adb gives each a folder of its own for temporary files.
here=$(realpath "$(dirname "$0")")
. "$here/prelude.sh"
. "$here/hosts.sh"

said=$PWD/errors # when all record, it says so
export said
cat > bin/reach << 'END'
#!/bin/sh
case $1 in
refuses*)
	echo "reach: connect to host $1: Connection refused" >&2
	exit 255
	;;
lacks*) PATH=/usr/bin:/bin ;;
cuts*) (timeout 30 sh -c 'until grep -q " record, " "$said"; do sleep 0.1; done'; kill $$) & ;;
slow*) echo $$ > "$there/$1.pid" && export SLOW=yes ;;
greets*) echo "welcome" && echo "it is late" >&2 ;;
esac
mkdir -p "$there/$1"
export TMPDIR="$there/$1" PATH
exec env --default-signal sh
END
cat > bin/adb << 'END'
#!/bin/sh
[ "$1" = start-server ] || { [ "$1 $3 $4 $5" = "-s shell -T sh" ] && exec reach "$2"; }
END
# the recorder says which process it is, so that its instance can be looked for
cat > bin/ftwait << END
#!/bin/sh
[ "\$1" = record ] && echo \$\$ >> "$there/recorders"
exec "$FTWAIT" "\$@"
END
chmod +x bin/*
run -d 1s -o got root@web greets adb:serial -- --label 'note=it'"'"'s $HOME\new\c'
over 0 "-d"
expect "-d: the command that reports all" \
	[ "$(cat printed)" = "ftwait report got/web.dat got/greets.dat got/serial.dat" ]
for host in web greets serial; do
	expect "-d: $host has a recording" is_datfile got/$host.dat
	expect "-d: $host: its end is told" said "^$host: \[ ftwait: .* -> got/$host.dat \]"
	"$FTWAIT" report --json got/$host.dat > report 2>> errors
	expect "-d: $host: it can be read" [ $? -eq 0 ]
	expect "-d: $host: with the options" grep -qF "it's \$HOME\\\\new\\\\c\"" report
done
expect "-d: the clocks are the same" clocks_agree web greets serial
for host in web greets serial; do
	"$FTWAIT" report --json got/$host.dat | sed -n 's/^ *"\(begin\|end\)_ns": \([0-9]*\),*$/\1 \2/p' | sed 2q
done > spans
expect "-d: they record at the same time" \
	awk '$1 == "begin" && $2 > last { last = $2 } $1 == "end" && (!first || $2 < first) { first = $2 }
		END { exit !(last > 0 && first > last) }' spans

mkdir "there/two words"
run -o got --tmp="$there/two words" web -- -d 300ms
over 0 "the recorder's own -d"
expect "the recorder's own -d: the file here is told" said "^web: .* -> got/web.dat \]"
expect "the recorder's own -d: the recording of before is kept" is_datfile got/web.dat.old

for signal in INT TERM; do
	rm -rf got
	run -o got web db
	expect "$signal: all record" await 30 all_record
	kill -s $signal "$recorder"
	over 0 $signal
	expect "$signal: recordings" is_datfile got/web.dat
	expect "$signal: recordings" is_datfile got/db.dat
done

rm -rf got
for host in refuses lacks; do
	run -o got web $host db
	over 1 $host
	expect "$host: one line" [ "$(lines)" = 1 ]
	expect "$host: no command" [ ! -s printed ]
	expect "$host: no folder" [ ! -e got ]
done
expect "lacks: what, where, and what helps" said '^record-hosts: lacks: no ftwait there; --push=FILE copies one'
run -o got web refuses
over 1 "refused"
expect "refused: the reason, and what to try" said '^record-hosts: refuses: .*Connection refused; try: reach refuses true$'
run -o got web db -- -e nonsense
over 1 "an event that is not there"
expect "an event that is not there: the recorder's reason" said '^record-hosts: [a-z]*: .*nonsense'

run -d 500ms -o got --push="$FTWAIT" lacks
over 0 "--push"
expect "--push: a recording" is_datfile got/lacks.dat
echo 'no program' > text
run -o got --push=text lacks
over 1 "--push of no program"
expect "--push of no program: says so" said '^record-hosts: lacks: ftwait does not run on '
run -d 500ms -o got --push=text --push="$FTWAIT" lacks
over 0 "--push of several"

rm -rf got
run -o got web cuts
over 1 "a connection that ends"
expect "a connection that ends: who" said '^record-hosts: cuts: '
expect "a connection that ends: the recording of the other" is_datfile got/web.dat

run -o got web db
expect "kill -9: all record" await 30 all_record
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
expect "kill -9: soon nothing is left" await 20 nothing_left

# a host where a new shell takes a second: the signal comes before there is a recorder
cat > bin/sh << 'END'
#!/bin/sh
[ -z "${SLOW:-}" ] || [ "$1" != -c ] || sleep 1
exec /bin/sh "$@"
END
chmod +x bin/sh
run -o got slow
begins() {
	[ -n "$(find there/slow -name 'ftwait-hosts.*' 2> /dev/null)" ]
}
expect "a signal before the recorder: a folder" await 10 begins
sleep 0.5
kill -HUP "$(cat there/slow.pid)"
over 1 "a signal before the recorder"
rm bin/sh

for wrong in "" "-x web" "-d 5y web" "web root@web" "web -- -o x" "web -- --trigger=hung" "web --push=nowhere"; do
	# shellcheck disable=SC2086 # words
	run $wrong
	over 2 "usage: $wrong"
done
run --help
over 0 "--help"
expect "--help: on standard output" grep -q '^usage: contrib/record-hosts' printed
finish
