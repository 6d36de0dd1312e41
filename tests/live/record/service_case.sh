#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A service that is recorded by its number waits for work while its clients think, though nothing
# but wake-ups shows who asks whom: here by a pipe.
. "$(dirname "$0")/prelude.sh"
need jq

mkfifo asked
cat asked > /dev/null &
service=$!
exec 3> asked
record -o a.dat -p $service -d 2s
await 20 test -s a.dat
for _ in 1 2 3 4 5 6; do
	sleep 0.2
	sh -c 'echo request > asked'
done
ended
exec 3>&-
wait $service
expect "status 0" [ $status -eq 0 ]
"$FTWAIT" report a.dat --waits --json | jq --argjson tid $service \
	'[.waits[] | select(.task.tid == $tid and .cause.kind == "task" and .open == false) | .for_work]' > waits
expect "it was asked" sh -c 'jq -e "length >= 3" waits > /dev/null'
expect "all it waited for is work: $(tr -d '\n' < waits)" sh -c 'jq -e all waits > /dev/null'
finish
