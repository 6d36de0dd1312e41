#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A connection that nobody accepts, as the listener's backlog is full: all that the client does about it is
# a wait for that peer, whether its own limit ends it, once or again and again, or a signal. And a client that
# tries again until somebody listens.
. "$(dirname "$0")/prelude.sh"
need jq
need python3

cat > load.py << 'EOF'
import ctypes, os, select, signal, socket, sys, time

how = sys.argv[1]

def ask(address):
    ctypes.CDLL(None).prctl(15, b"askfull", 0, 0, 0)
    begin = time.monotonic_ns()
    client = socket.socket()
    if how == "limit":
        client.settimeout(0.5)
    if how == "slices":
        client.setblocking(False)
        client.connect_ex(address)
        for _ in range(20):
            select.select([], [client], [], 0.02)
    elif how == "retry":
        while client.connect_ex(address):
            time.sleep(0.1)
            client.close()
            client = socket.socket()
    else:
        try:
            client.connect(address)
        except OSError:
            pass
    with open("facts", "w") as facts:
        print("%s:%d" % address, time.monotonic_ns() - begin, file=facts)
    os._exit(0)

server = socket.socket()
server.bind(("127.0.0.1", 0))
address = server.getsockname()
if how != "retry":
    server.listen(0)
    fill = [socket.socket() for _ in range(4)]
    for one in fill:
        one.setblocking(False)
        one.connect_ex(address)
begin = time.monotonic_ns()
child = os.fork()
if child == 0:
    ask(address)
if how == "signal":
    time.sleep(0.5)
    os.kill(child, signal.SIGTERM)
    with open("facts", "w") as facts:
        print("%s:%d" % address, time.monotonic_ns() - begin, file=facts)
if how == "retry":
    time.sleep(0.45)
    server.listen(8)
os.waitpid(child, 0)
EOF

# nine tenths of the time that the client knows of are waits for the peer, in --waits and --net alike
agree() {
	# shellcheck disable=SC2016 # of jq
	jq -e --arg peer "$1" --argjson time "$2" '
		([.waits[] | select(.aim.kind == "answer" and .aim.peer == $peer) | .end_ns - .begin_ns] | add) as $waits |
		([.net.connections[] | select(.remote == $peer and .task.comm == "askfull") | .waiting_ns] | add) as $net |
		$waits > $time * 0.9 and $waits < $time * 1.1 and $waits == $net' report > verdict
}

check() {
	record -o "$1.dat" -- python3 load.py "$1"
	ended
	expect "$1: status 0" [ $status -eq 0 ]
	"$FTWAIT" report "$1.dat" --comm askfull --waits --net --json > report 2> errors
	# shellcheck disable=SC2046 # two words
	expect "$1: $(cat facts): $(jq -c '[.waits[] | .aim, .end_ns - .begin_ns], [.net.connections[] | .remote, .waiting_ns]' report)" agree $(cat facts)
}

for how in limit slices signal retry; do
	check $how
	# where the kernel leaves out switches of the recording, a sleep may be missing: then once more
	[ $failures -gt 0 ] && is_incomplete "$how.dat" && failures=0 && check $how
done
"$FTWAIT" report retry.dat --comm askfull > report
expect "attempts are said" grep -q 'net: between [0-9]* attempts to connect to 127.0.0.1:' report
finish
