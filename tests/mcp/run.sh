#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/mcp/ftwait-mcp as a client sees it, line by line: run.sh BUILD_DIRECTORY. What the protocol
# (revisions 2025-06-18 and 2024-11-05) says of the handshake, tools and errors; hostile lines, arguments and
# paths, after each of which the server must still answer, and nothing may have been written.
set -u

build=$(cd "$1" && pwd) || exit 1
fixtures=$PWD/fixtures
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
folder=$scratch/folder
mkdir -p "$folder/sub"
cp fixtures/tutorial_lock.dat fixtures/tutorial_disk.dat fixtures/tutorial_stall.dat "$folder"
cp fixtures/tutorial_tail.dat "$folder/sub"
ln -s "$fixtures/demo.dat" "$folder/outside.dat"
ln -s sub/tutorial_tail.dat "$folder/inside.dat"
mkfifo "$folder/fifo.dat"
: > "$scratch/results"

# The checks run in pipelines.
pass() {
	echo pass >> "$scratch/results"
}
fail() { # WHAT
	echo "FAIL mcp: $*"
	echo fail >> "$scratch/results"
}

INIT='{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
PING='{"jsonrpc":"2.0","id":"end","method":"ping"}'

call() { # TOOL ARGUMENTS: the request
	printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$1" "$2"
}

# Sends the handshake, then standard input, then a ping; the jq program must be true of all that is answered,
# as an array, without the first and the last answer, which must be there.
answers() { # WHAT PROGRAM
	{
		echo "$INIT"
		cat
		echo
		echo "$PING"
	} | timeout -s KILL 60 "$build/ftwait-mcp" --ftwait "$build/ftwait" "$folder" > "$scratch/out" 2> "$scratch/error"
	status=$?
	if [ $status -eq 0 ] && [ ! -s "$scratch/error" ] &&
		jq -e -s '(.[0].id == 0) and (.[-1] == {jsonrpc: "2.0", id: "end", result: {}})
			and all(.[]; .jsonrpc == "2.0")' "$scratch/out" > /dev/null 2>&1 &&
		jq -e -s ".[1:-1] | $2" "$scratch/out" > /dev/null 2>&1 &&
		[ "$(wc -l < "$scratch/out")" -eq "$(jq -s length "$scratch/out")" ]; then
		pass
	else
		fail "$1 (status $status): $(head -c 300 "$scratch/error")"
		tail -n +2 "$scratch/out" | cut -c 1-300 | head -n 3
	fi
}

# The call must fail as one that the model can mend, and say that.
refused() { # WHAT TOOL ARGUMENTS TEXT
	call "$2" "$3" | answers "$1" "length == 1 and .[0].result.isError and (.[0].result.content[0].text | contains(\"$4\"))"
}

for version in 2025-06-18 2024-11-05; do
	echo "$INIT" | sed "s/2025-06-18/$version/" | answers "version $version" \
		".[0].result.protocolVersion == \"$version\""
done
echo "$INIT" | sed 's/2025-06-18/2099-01-01/' | answers 'an unknown version' \
	'.[0].result.protocolVersion == "2025-06-18"'
echo '{"jsonrpc":"2.0","id":5,"method":"initialize","params":{}}' | answers 'no version' '.[0].error.code == -32602'
echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | answers 'tools' \
	'.[0].result.tools | (map(.name) | contains(["explain", "report", "tail", "diff"]))
		and all(.[]; .inputSchema.type == "object" and (.description | length > 10))'
printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/initialized"}' \
	'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}' \
	'{"jsonrpc":"2.0","method":"nosuch"}' | answers 'notifications are not answered' 'length == 0'
out=$(echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | "$build/ftwait-mcp" --ftwait "$build/ftwait" "$folder" | jq .error.code)
if [ "$out" = -32600 ]; then pass; else fail "before initialize: $out"; fi

call explain '{"file":"tutorial_lock.dat"}' | answers 'explain' \
	'.[0].result | (.isError | not) and (.content[0].text | contains("backup[28090]"))'
call explain '{"file":"tutorial_disk.dat","question":"why is request slow"}' | answers 'a question' \
	'.[0].result.content[0].text | contains("backup[9341] 95.1 %")'
call report '{"file":"tutorial_disk.dat","view":"disk","task":"request"}' | answers 'a view' \
	'.[0].result.content[0].text | contains("Slowest requests")'
call report '{"file":"tutorial_stall.dat","view":"waits","top":1000}' | answers 'a long view is cut' \
	'.[0].result.content[0].text | length > 7200 and length < 205000'
call report '{"file":"tutorial_stall.dat","view":"sched"}' | answers 'two thousand tokens' \
	'.[0].result.content[0].text | length > 1000 and length <= 7200'
call tail '{"file":"inside.dat"}' | answers 'tail' '.[0].result.content[0].text | contains("keeper")'
call events '{"file":"tutorial_lock.dat","task":"deploy","filter":"sched_switch"}' | answers 'events' \
	'.[0].result.content[0].text | contains("sched_switch") and (contains("sched_waking") | not)'
call diff '{"old":["tutorial_lock.dat"],"new":"tutorial_disk.dat"}' | answers 'diff' \
	'.[0].result.content[0].text | contains("disk 254,0")'
call explain "{\"file\":\"$folder/sub/tutorial_tail.dat\",\"from\":\"0.1\"}" | answers 'an absolute path below' \
	'.[0].result.isError | not'

refused 'a path above' explain '{"file":"../tutorial_lock.dat"}' 'no file below'
refused 'a path through above' explain '{"file":"sub/../../../etc/passwd"}' 'no file below'
refused 'an absolute path' report '{"file":"/etc/passwd"}' 'no file below'
refused 'a link to outside' report '{"file":"outside.dat"}' 'no file below'
refused 'a sibling folder' report "{\"file\":\"${folder}x\"}" 'no file below'
refused 'a folder' report '{"file":"sub"}' 'no file below'
refused 'a fifo' report '{"file":"fifo.dat"}' 'no file below'
refused 'no name' report '{"file":""}' 'no file below'
refused 'standard input' report '{"file":"-"}' 'no file below'
refused 'no file' report '{}' 'file is needed'
refused 'an option as view' report '{"file":"tutorial_lock.dat","view":"output"}' 'no such view'
refused 'a view with a value' report '{"file":"tutorial_lock.dat","view":"summary=x"}' 'no such view'
refused 'a member of the schema as view' report '{"file":"tutorial_lock.dat","view":"health"}' 'no such view'
refused 'an unknown argument' explain '{"file":"tutorial_lock.dat","output":"x"}' 'no such argument'
refused 'top as text' report '{"file":"tutorial_lock.dat","top":"5"}' 'inputSchema'
refused 'top of 0' report '{"file":"tutorial_lock.dat","top":0}' 'inputSchema'
refused 'top of 1e99' report '{"file":"tutorial_lock.dat","top":1e99}' 'inputSchema'
refused 'a file that is a number' report '{"file":7}' 'inputSchema'
refused 'files that are objects' diff '{"old":[{}],"new":[]}' 'at most'
refused 'no files' diff '{"old":[],"new":["tutorial_lock.dat"]}' 'no file is given'
refused 'a task that is not there' explain '{"file":"tutorial_lock.dat","task":"nosuch"}' 'no such task'
call explain "{\"file\":\"tutorial_lock.dat\",\"question\":\"--output=$scratch/written\"}" |
	answers 'an option as question' '.[0].result.isError'
call explain "{\"file\":\"tutorial_lock.dat\",\"task\":\"x --output=$scratch/written\"}" |
	answers 'an option in a value' '.[0].result.isError'
call report "{\"file\":\"tutorial_lock.dat\",\"from\":\"\$(touch $scratch/written)\"}" |
	answers 'a shell word' '.[0].result.isError'

echo '{broken' | answers 'broken JSON' '.[0].error.code == -32700 and .[0].id == null'
printf '{"jsonrpc":"2.0","id":1,"method":"ping"' | answers 'an unended object' '.[0].error.code == -32700'
printf '\000\001\377\n' | answers 'bytes' '.[0].error.code == -32700'
echo '[{"jsonrpc":"2.0","id":1,"method":"ping"}]' | answers 'a batch' '.[0].error.code == -32600'
echo '7' | answers 'a number' '.[0].error.code == -32600'
echo '{"id":1,"method":"ping"}' | answers 'no version of JSON-RPC' '.[0].error.code == -32600'
for id in null 1.5 '{}' '[]' 99999999999999999999 true; do
	printf '{"jsonrpc":"2.0","id":%s,"method":"ping"}\n' "$id" | answers "id $id" '.[0].error.code == -32600'
done
for id in -7 0 '"x\u0000\"\\"' 9007199254740991; do
	printf '{"jsonrpc":"2.0","id":%s,"method":"ping"}\n' "$id" | answers "id $id" '.[0].result == {}'
done
echo '{"jsonrpc":"2.0","id":1}' | answers 'no method' '.[0].error.code == -32600'
echo '{"jsonrpc":"2.0","id":1,"method":7}' | answers 'a method of another type' '.[0].error.code == -32600'
echo '{"jsonrpc":"2.0","id":1,"method":"resources/list"}' | answers 'an unknown method' '.[0].error.code == -32601'
echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}' | answers 'params as array' '.[0].error.code == -32602'
call nosuch '{}' | answers 'an unknown tool' '.[0].error.code == -32602'
call explain '[]' | answers 'arguments as array' '.[0].error.code == -32602'
{
	head -c 3000000 /dev/zero | tr '\0' '['
	echo
} | answers 'a line of 3 MB' 'length == 1 and .[0].error.code == -32700'
{
	head -c 100000 /dev/zero | tr '\0' '['
	echo
} | answers 'deep arrays' 'length == 1 and .[0].error.code == -32700'
{
	printf '{"jsonrpc":"2.0","id":1,"method":"'
	head -c 900000 /dev/zero | tr '\0' a
	echo '"}'
} | answers 'a long method' '.[0].error.code == -32601'
printf '\n  \n\r\n' | answers 'empty lines' 'length == 0'
call explain '{"file":"tutorial_lock.dat"}' | sed 's/$/\r/' | answers 'ends of lines of other systems' '.[0].result.isError | not'
if [ ! -e "$scratch/written" ] && [ "$(find "$folder" | wc -l)" -eq 9 ]; then
	pass
else
	fail 'a file was written'
fi
passed=$(grep -c pass "$scratch/results")
failed=$(grep -c fail "$scratch/results")
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -ge 60 ]
