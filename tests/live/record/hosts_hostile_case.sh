#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/record-hosts with hosts that lie: none gets a file but the programs of --push, and nothing that one
# says reaches the terminal as more than text.
here=$(realpath "$(dirname "$0")")
. "$here/prelude.sh"
. "$here/hosts.sh"

secret='not for hosts'
echo "$secret" > secret
echo "$secret" > there/secret
chmod 600 secret there/secret
# Reads the script to its end, and says what $there/HOST.says has. If it wanted files, it keeps as many bytes as
# the program has; if it said that it records, it waits for the end.
cat > bin/reach << 'END'
#!/bin/sh
before=
while read -r line && [ "$before $line" != 'exit }' ]; do
	before=$line
done
cat "$there/$1.says" >&2
case $(cat "$there/$1.says") in
*wants*) timeout 60 head -c 7 > "$there/$1.got" ;;
*begun*)
	while read -r line && [ "$line" != stop ]; do
		:
	done
	;;
esac
exit 1
END
chmod +x bin/reach

# says HOST WORDS: as printf has them
says() {
	# shellcheck disable=SC2059 # it is a format
	printf "$2" > "there/$1.says"
}

# plain: standard error has no control character, and no byte that is one in some character set
plain() {
	! LC_ALL=C grep -q '[^ -~]' errors
}

echo 'exit 3' > program
{
	echo "record-hosts: here"
	for wanted in ../../secret ../../../secret "$PWD/secret" script web.err gate 'plain.1 ../../secret' plain.2 \
		plain.1/../../../secret packed.0 '*' '?lain.1' - plain.1; do
		echo "record-hosts: wants $wanted"
	done
} > there/web.says
run -o got --push=program web
over 1 "wants other files"
expect "wants other files: it gets only what was offered: $(head -n 1 there/web.got)" cmp -s program there/web.got

evil='\033]0;owned\a\033[2J\r\b\177\302\233H\237\342\200\256'
for word in failed printed; do
	says web "record-hosts: here\nrecord-hosts: $word ${evil}why\n"
	run -o got --push=program web
	over 1 "$word"
	expect "$word: the text is there" said '^record-hosts: web: .*owned.*why$'
	expect "$word: as text" plain
done
says web "${evil}why\n"
run -o got --push=program web
over 1 "no word of ours"
expect "no word of ours: the text is there" said '^record-hosts: web: .*owned.*why; try: '
expect "no word of ours: as text" plain

# it records, to the end
says web "record-hosts: here\nrecord-hosts: begun\nrecord-hosts: time ${evil}1 2\nrecord-hosts: printed ${evil}done
record-hosts: ended 0\nrecord-hosts: size 0\n"
run -d 300ms -o got --push=program web
over 0 "a whole recording"
expect "a whole recording: its words are there" said '^web: .*owned.*done$'
expect "a whole recording: as text" plain
says web 'record-hosts: here\nrecord-hosts: begun\nrecord-hosts: time 1 2\nrecord-hosts: ended 0
record-hosts: size 99999999999999999999999999\n'
run -d 300ms -o got --push=program web
over 1 "a size beyond all"
expect "a size beyond all: one line of it" [ "$(grep -c '^record-hosts: web: ' errors)" = 1 ]
expect "a size beyond all: no other program's words" [ "$(grep -vc '^record-hosts: ' errors)" = 0 ]
finish
