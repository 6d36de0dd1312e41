#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An existing file is kept as .old; a recording that never begins moves nothing.
. "$(dirname "$0")/prelude.sh"

echo precious > a.dat
record -o a.dat true
ended
expect "recorded" is_datfile a.dat
expect "the old one is kept" [ "$(cat a.dat.old)" = precious ]

echo precious > b.dat
record -o b.dat --clock none true
ended
expect "status 1" [ $status -eq 1 ]
expect "the clocks there are" said 'mono'
expect "nothing was moved" [ "$(cat b.dat)" = precious ]
record -o no/such/folder.dat true
ended
expect "status 1" [ $status -eq 1 ]
expect "one line" said '^ftwait: cannot write to no/such/folder.dat: No such file'

echo precious > target
ln -s target link
record -o link -d 100ms
ended
expect "a name that is a link" is_datfile link

# as /dev/stdout, which root could move away
ln -s /proc/self/fd/1 out
echo before > c.dat
"$FTWAIT" record -o out true 2> errors >> c.dat
expect "an open file: status 0" [ $? -eq 0 ]
expect "an open file: its link stays" [ "$(readlink out)" = /proc/self/fd/1 ]
expect "an open file: what is in it stays" [ "$(head -n 1 c.dat)" = before ]
tail -n +2 c.dat > d.dat
expect "an open file: gets the stream" is_stream d.dat
"$FTWAIT" report d.dat > report 2> errors
expect "an open file: whole" grep -q 'events in' report
rude=$(printf 'r\033[31m\nx.dat')
record -o "$rude" -d 100ms
ended
expect "a name that terminals obey" is_datfile "$rude"
expect "a name that terminals obey: shown cleaned" said '-> r\\x1b\[31m\\x0ax.dat \]$'

ln -s nowhere dangling
record -o dangling true
ended
expect "a link to nothing: status 1" [ $status -eq 1 ]
expect "a link to nothing: says so" said 'dangling: .*symbolic link to a file that is not there; remove'
expect "a link to nothing: one line" [ "$(lines)" = 1 ]
expect "a link to nothing: stays" [ "$(readlink dangling)" = nowhere ]
finish
