#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The exit status is COMMAND's; what cannot be executed is 126 or 127, as in a shell.
. "$(dirname "$0")/prelude.sh"

record -o a.dat -- sh -c 'exit 7'
ended
expect "7" [ $status -eq 7 ]
record -o a.dat -- sh -c 'kill -9 $$'
ended
expect "137" [ $status -eq 137 ]

record -o none.dat -- ./no-such-program
ended
expect "127" [ $status -eq 127 ]
expect "one line" [ "$(lines)" = 1 ]
expect "no file" [ ! -e none.dat ]
: > not-executable
record -o none.dat -- ./not-executable
ended
expect "126" [ $status -eq 126 ]
printf '#!/no/such/interpreter\n' > script
chmod +x script
record -o none.dat -- ./script
ended
expect "127 for a script whose interpreter is missing" [ $status -eq 127 ]
expect "no file" [ ! -e none.dat ]

record -d 100ms -o a.dat -- sleep 5
ended
expect "COMMAND outlives -d: 0" [ $status -eq 0 ]
finish
