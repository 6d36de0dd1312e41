#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A flight recorder whose recording ends at once saves what its triggers saw, and without a trigger what
# the ring holds when the recording ends.
. "$(dirname "$0")/prelude.sh"

need strings

# less than a quarter of a second, the time between two looks
cp "$(readlink -f /bin/true)" brief
for number in 1 2 3; do
	record --ring=5s --trigger exit=brief -o brief.dat -- ./brief
	wait "$recorder"
	expect "brief $number: status 0" [ $? = 0 ]
	expect "brief $number: the shot is said" said "^\[ ftwait: shot 1: brief\[[0-9]*\] exited -> brief.$number.dat, [0-9.]* s, "
	expect "brief $number: and counted" said '^\[ ftwait: [0-9,]* events, 0 lost, [0-9]\.[0-9] s, 1 shot \]'
	expect "brief $number: it can be read" has_events "brief.$number.dat"
	strings "brief.$number.dat" | sed -n 's/^trigger //p' > trigger
	expect "brief $number: with its trigger" grep -q 'exit=brief$' trigger
done

record --ring=5s -o end.dat -- ./brief
wait "$recorder"
expect "end: status 0" [ $? = 0 ]
expect "end: a shot" said '^\[ ftwait: shot 1: the recording ended -> end.1.dat, [0-9.]* s, '
expect "end: it can be read" has_events end.1.dat
strings end.1.dat | grep '^trigger ' > trigger
expect "end: no trigger is in it" [ ! -s trigger ]

record --ring=5s -o signal.dat
flight_begun
kill -INT "$recorder"
wait "$recorder"
expect "signal: status 0" [ $? = 0 ]
expect "signal: a shot" said '^\[ ftwait: shot 1: the recording ended -> signal.1.dat'

record --ring=5s --trigger exit=nobody -o none.dat -- ./brief
wait "$recorder"
expect "trigger that does not fire: status 0" [ $? = 0 ]
expect "trigger that does not fire: no shot" said ' 0 shots \]'
expect "trigger that does not fire: no file" [ ! -e none.1.dat ]
finish
