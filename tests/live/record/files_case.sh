#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A wait for a lock of a file names the file, whose numbers are those of stat and of /proc/locks; with
# --no-snapshot no path is in the file.
. "$(dirname "$0")/prelude.sh"

need jq
need flock
[ -e "$tracing/events/filelock/flock_lock_inode" ] || { echo "the kernel has no events of flock"; exit 77; }
grep -q '^ino:' /proc/self/fdinfo/0 || { echo "the kernel does not show inodes of open files"; exit 77; }

mkdir "a b"
lock="$PWD/a b/lock"
cat > wait.sh <<- 'END'
	# the second one waits for the first, for about a third of a second
	flock "$1" sleep 0.4 &
	holder=$!
	sleep 0.1
	sed -n "s/.* FLOCK .* $holder \([^ ]*\) 0 EOF\$/\1/p" /proc/locks > numbers
	flock "$1" true
	wait
END

waited() { # FILE: the causes of the waits for the lock
	"$FTWAIT" report --waits --json "$1" 2>> errors |
		jq -c --arg path "$lock" '.waits[] | select(.cause.file == $path) | .cause.kind'
}

# where the kernel leaves out switches of the recording the wait may be missing: then again
for _ in 1 2 3; do
	record -e lock -o a.dat -- sh wait.sh "$lock"
	ended
	waited a.dat > causes
	[ -s causes ] && break
done
expect "status 0" [ $status -eq 0 ]
expect "the wait for the lock names the file" grep -q '^"task"$' causes
major=$((0x$(cut -d : -f 1 numbers))) minor=$((0x$(cut -d : -f 2 numbers)))
inode=$(cut -d : -f 3 numbers)
expect "the inode of stat" [ "$inode" = "$(stat -c %i "$lock")" ]
expect "the line has the numbers of /proc/locks" \
	[ "$(grep -a -c "^path $major:$minor $inode $lock\$" a.dat)" -eq 1 ]
"$FTWAIT" report --waits a.dat > text 2>> errors
expect "in words" grep -q "flock on $lock)" text
expect "in --lock" [ "$("$FTWAIT" report --lock --json a.dat | jq -r --arg inode "$inode" \
	'.lock.locks[] | select(.kind == "flock" and .inode == ($inode | tonumber)) | .file')" = "$lock" ]

# of a running process (-p); another one of which nobody asked has its own file open
flock -F "$lock" sleep 60 &
asked=$!
flock -F "$PWD/a b/other" sleep 60 &
other=$!
await 20 grep -q "FLOCK.* $asked " /proc/locks
await 20 grep -q "FLOCK.* $other " /proc/locks
record -e lock -d 300ms -p $asked -o b.dat
ended
expect "the file of an asked process" [ "$(grep -a -c "^path .* $lock\$" b.dat)" -eq 1 ]
expect "no file of another process" [ "$(grep -a -c "^path .* $PWD/a b/other\$" b.dat)" -eq 0 ]
kill $asked $other

record --no-snapshot -e lock -o c.dat -- sh wait.sh "$lock"
ended
expect "no path with --no-snapshot" [ "$(grep -a -c '^path ' c.dat)" -eq 0 ]
"$FTWAIT" report --waits c.dat > text 2>> errors
expect "nor in words" [ "$(grep -c "flock on" text)" -eq 0 ]
finish
