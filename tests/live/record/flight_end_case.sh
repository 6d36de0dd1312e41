#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A flight recorder takes as many shots as it is to, and no more, though more hits come while it
# writes them; they are compressed if asked for; and a recorder process that is killed leaves no
# instance.
. "$(dirname "$0")/prelude.sh"

need ps
need strings

# hits come all the time, as each shot is written, too
record --ring=1s --trigger exit=brief --every=0s --after=0s --shots=2 --compress -o end.dat
flight_begun
cp "$(readlink -f /bin/true)" brief
tries=500
while kill -0 "$recorder" 2> /dev/null && [ $tries -gt 0 ]; do
	./brief
	sleep 0.02
	tries=$((tries - 1))
done
expect "shots: it ends by itself" [ $tries -gt 0 ]
kill -INT "$recorder" 2> /dev/null
ended
expect "shots: status 0" [ "$status" = 0 ]
expect "shots: two files" [ "$(find . -name 'end.*.dat' | wc -l)" = 2 ]
expect "shots: two are counted" said 's, 2 shots, [0-9,]* more hits'
expect "compressed: no complaint" [ "$(grep -c compressed errors)" = 0 ]
if ! "$FTWAIT" --version | grep -q -e '-zstd'; then
	for file in end.*.dat; do
		expect "compressed: $file says so" grep -q -a zstd "$file"
	done
fi

record --ring=1s -o killed.dat
flight_begun
kill -KILL "$tracer"
ended
expect "killed: a failure" [ "$status" = 1 ]
expect "killed: says so" said 'cut short'
# or another recorder that begins meanwhile, and looks at the instance first, removes it
expect "killed: its instance is removed" await 20 [ ! -e "$tracing/instances/ftwait.$tracer" ]
finish
