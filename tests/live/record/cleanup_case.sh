#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cleanup removes instances of dead recorders and no others.
. "$(dirname "$0")/prelude.sh"

record -o a.dat
begun
living=$recorder
record -o b.dat
begun
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
dead=$recorder
recorder=$living
other=$tracing/instances/ftwait-test.$$
mkdir "$other"
"$FTWAIT" cleanup > cleaned 2> errors
expect "status 0" [ $? -eq 0 ]
expect "it says what it removed" grep -q "^removed ftwait\.$dead$" cleaned
expect "the dead one's is gone" [ ! -e "$tracing/instances/ftwait.$dead" ]
expect "the living one's stays" [ -e "$tracing/instances/ftwait.$recorder" ]
expect "a stranger's stays" [ -e "$other" ]
rmdir "$other"
kill -INT "$recorder"
ended
expect "and recorded on" [ $status -eq 0 ]
finish
