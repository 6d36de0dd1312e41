#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The machine of a recording is a hash of /etc/machine-id, never that itself; a machine may have none.
. "$(dirname "$0")/prelude.sh"

need jq

# with_id FILE ARGUMENT...: records where /etc/machine-id is that file, in a mount namespace of its own
with_id() {
	id=$1
	shift
	# shellcheck disable=SC2016 # the shell in the namespace expands these
	record_through unshare -m sh -c 'mount --bind "$0" /etc/machine-id && exec "$@"' "$id" \
		"$FTWAIT" record "$@"
}

record_through() {
	"$@" 2> errors
	status=$?
}

machine_of() { # FILE
	"$FTWAIT" report "$1" --json | jq -r .trace.machine.machine_id
}

record --label board=7 -o a.dat -- sleep 0.1
ended
expect "status 0" [ $status -eq 0 ]
if [ -s /etc/machine-id ]; then
	expect "the ID itself is not in the file" sh -c '! grep -qaF "$(cat /etc/machine-id)" a.dat'
	expect "a hash is" [ "$(grep -acE '^machine [0-9a-f]{32}$' a.dat)" -eq 1 ]
	if command -v systemd-id128 > /dev/null; then
		expect "that of systemd" [ "$(machine_of a.dat)" = \
			"$(systemd-id128 machine-id --app-specific=6a98747a5ee843029dda917e9cdecd34)" ]
	fi
	expect "the rows have it" [ "$("$FTWAIT" report a.dat --rows | jq -r .machine | sort -u)" = \
		"$(machine_of a.dat)" ]
fi

if [ -e /etc/machine-id ] && unshare -m true 2> /dev/null; then
	echo 0123456789abcdef0123456789abcdef > id
	with_id id -o b.dat -- true
	expect "another ID: status 0" [ $status -eq 0 ]
	expect "another ID has another hash" [ "$(machine_of b.dat)" = 2b310a0ced994b23be913e5caac5feea ]
	for text in '' uninitialized; do
		echo "$text" > id
		with_id id -o c.dat -- true
		expect "'$text': status 0" [ $status -eq 0 ]
		expect "'$text': no machine" [ "$(machine_of c.dat)" = null ]
		expect "'$text': no line" [ "$(grep -ac '^machine ' c.dat)" -eq 0 ]
	done
	expect "rows have none" [ "$("$FTWAIT" report c.dat --rows | jq -r .machine | sort -u)" = null ]
fi
finish
