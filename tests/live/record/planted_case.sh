#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What another user has laid in a folder for all is not written to: by record, nor by report.
. "$(dirname "$0")/prelude.sh"

[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
need setpriv
them() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
record -o run.dat true
ended
chmod 755 .
mkdir -m 1777 all
echo precious > precious
them mkfifo all/fifo
them sh -c 'echo theirs > all/file'
them ln -s "$scratch/precious" all/link
them ln -s "$scratch/new" all/dangling
ln -s all/file mine

# refused KIND FILE
refused() {
	line="cannot write to $2: $1 of user 65534 is there, .*; remove it, or give another file"
	timeout 10 "$FTWAIT" record -o "$2" true 2> errors
	expect "record $2: status 1" [ $? -eq 1 ]
	expect "record $2: says so" said "^ftwait: $line"
	timeout 10 "$FTWAIT" report run.dat -o "$2" 2> errors
	expect "report $2: status 1" [ $? -eq 1 ]
	expect "report $2: says so" said "^ftwait: report: $line"
}

refused 'a FIFO' all/fifo
refused 'a file' all/file
refused 'a symbolic link' all/link
refused 'a symbolic link' all/dangling
refused 'a file' mine
expect "nothing was moved" [ "$(ls all)" = "$(printf 'dangling\nfifo\nfile\nlink')" ]
expect "nothing was written" [ "$(cat precious all/file)" = "$(printf 'precious\ntheirs')" ]
expect "nothing was made" [ ! -e new ]

# what sudo's caller has there is his wish, as is what he gets from us
SUDO_UID=65534 SUDO_GID=65534 "$FTWAIT" record -o all/file true 2> errors
expect "the caller of sudo: record" is_datfile all/file
SUDO_UID=65534 SUDO_GID=65534 "$FTWAIT" record -o all/file true 2> errors
expect "the caller of sudo: again" [ $? -eq 0 ]
# elsewhere, and what is ours, goes on as before
them mkfifo all/theirs && mv all/theirs theirs
timeout 10 cat theirs > copy &
timeout 10 "$FTWAIT" report run.dat -o theirs 2> errors
expect "a folder of our own" [ $? -eq 0 ]
wait $!
expect "a pipe that was named" grep -q 'events in' copy
ln -s ../ours all/ours
timeout 10 "$FTWAIT" report run.dat -o all/ours 2> errors
expect "our own link leads on" grep -q 'events in' ours
expect "and stays one" [ -L all/ours ]
for output in /dev/null /dev/stdout /dev/fd/1; do
	"$FTWAIT" report run.dat -o $output 2> errors | cat > copy
	expect "$output" [ ! -s errors ]
done
expect "/dev/fd/1 is a pipe" grep -q 'events in' copy
"$FTWAIT" record -o /dev/null true 2> errors
expect "record to /dev/null" [ $? -eq 0 ]
finish
