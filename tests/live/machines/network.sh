# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the cases of this folder: machines that are network namespaces of one recording, and
# their recordings, which split-hosts makes of that one. Namespaces and what is in them are removed
# when the case ends.
# alone: the hosts of all cases have the same addresses, and a recording has all of them
. "$(dirname "$0")/../record/prelude.sh"

need ip
need jq
SPLIT=$(dirname "$FTWAIT")/split-hosts
TALK=$(dirname "$FTWAIT")/tests/live/oracles/machine_talk
hosts= talking= machines=

network_remove() {
	for host in $hosts; do
		ip netns pids "$(namespace "$host")" 2> /dev/null | xargs -r kill 2> /dev/null
		ip netns del "$(namespace "$host")" 2> /dev/null
	done
	scratch_remove
}
trap network_remove EXIT

namespace() { # HOST
	echo "ftw-$$-$1"
}

# on HOST COMMAND...: in the namespace of that host
on() {
	space=$(namespace "$1")
	shift
	ip netns exec "$space" "$@"
}

# host NAME: a machine without any cable
host() {
	hosts="$hosts $1"
	ip netns add "$(namespace "$1")" 2> errors || {
		echo "needs network namespaces: $(cat errors)"
		exit 77
	}
	on "$1" ip link set lo up
}

# cable HOST DEVICE ADDRESS/BITS HOST DEVICE ADDRESS/BITS: an address of - gives none. No two hosts may
# have devices of the same name: an event has the name of a device, but not its host
cable() {
	ip link add "$2" netns "$(namespace "$1")" type veth peer name "$5" \
		netns "$(namespace "$4")" 2> errors || {
		echo "needs veth devices: $(cat errors)"
		exit 77
	}
	plug "$1" "$2" "$3"
	plug "$4" "$5" "$6"
}

plug() { # HOST DEVICE ADDRESS/BITS
	[ "$3" = - ] || on "$1" ip addr add "$3" dev "$2"
	on "$1" ip link set "$2" up
}

# acquaint HOST DEVICE OTHER DEVICE ADDRESS: the host need not ask which device has the other's address
acquaint() {
	on "$1" ip neigh replace "$5" dev "$2" nud permanent \
		lladdr "$(on "$3" cat "/sys/class/net/$4/address")"
}

# routes HOST: it forwards packets
routes() {
	on "$1" sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
}

# pair [SIDE]: hosts a and b with a cable, or aSIDE and bSIDE. Each side has the same addresses
pair() {
	host "a${1:-}"
	host "b${1:-}"
	cable "a${1:-}" "ftwa${1:-0}" 10.77.1.1/24 "b${1:-}" "ftwb${1:-0}" 10.77.1.2/24
}

# line: hosts a and b with a router r between them. Only a has a route to the other one
line() {
	host a
	host r
	host b
	cable a ftwa0 10.77.3.1/24 r ftwr0 10.77.3.254/24
	cable b ftwb0 10.77.4.1/24 r ftwr1 10.77.4.254/24
	routes r
	on a ip route add default via 10.77.3.254
}

# talk HOST ROLE ARGUMENT...: in the background; its truth goes to ROLE.log, or to $log
talk() {
	where=$1
	shift
	on "$where" timeout 100 "$TALK" "$@" > "${log:-$1.log}" &
	talking="$talking $!"
}

# talked: waits until all have ended
talked() {
	for process in $talking; do
		wait "$process"
		expect "a role ends well" [ $? -eq 0 ]
	done
	talking=
}

# translate ADDRESS[:PORTS]: the router of `line` gives what it sends to B this address, and a port of these
translate() {
	on r iptables -t nat -A POSTROUTING -o ftwr1 -p tcp -j SNAT --to-source "$1" 2> errors || {
		echo "iptables cannot translate addresses here: $(cat errors)"
		exit 77
	}
}

# record_talks NAME [ARGUMENT...]: records NAME.dat while the function `talks` runs
record_talks() {
	name=$1
	shift
	rm -f begin
	mkfifo end
	record -q -o "$name.dat" "$@" -- sh -c ': > begin; read -r line < end || true'
	expect "$name begins" await 30 [ -e begin ]
	talks
	timeout 10 sh -c ': > end'
	ended
	rm -f begin end
	expect "$name is recorded" [ $status -eq 0 ]
}

# split NAME HOST DEVICES ADDRESSES [ARGUMENT...]: NAME.dat becomes HOST.dat, with HOST.truth
split() {
	from=$1 machine=$2 devices=$3 addresses=$4
	shift 4
	"$SPLIT" "$from.dat" "$machine.dat" --devices "$devices" --addresses "$addresses" \
		--host "$machine" "$@" > "$machine.truth" 2> errors
	expect "$machine is split off" [ -s "$machine.truth" ]
}

# keep SCENARIO: copies what was made to a folder of that name in $FTWAIT_KEEP, if that is set
keep() {
	[ -n "${FTWAIT_KEEP:-}" ] && [ $failures -eq 0 ] || return 0
	mkdir -p "$FTWAIT_KEEP/$1"
	cp ./*.truth ./*.log "$FTWAIT_KEEP/$1" 2> /dev/null
	for truth in *.truth; do
		cp "${truth%.truth}.dat" "$FTWAIT_KEEP/$1"
	done
}

# clocks HOW HOST...: reports the recordings of these hosts as one, in that order. HOW is what must be
# known of their clocks: "known" (in a bound of at most $most ns, which the truth is within), "unknown"
# (no bound is told), or "true" (no bound is told, or the truth is within it). A clock that runs at
# another speed or is set may have any of its differences to the first one
clocks() {
	how=$1
	shift
	several "$@" --summary > report.json 2> errors
	expect "$*: a report of all" [ $? -eq 0 ]
	for machine; do
		cat "$machine.truth"
	done | jq -s . > truths.json
	for number in $(seq 1 $(($# - 1))); do
		expect "$*: the clock of machine $number: $how: $(jq -c ".trace.machines[$number]" \
			report.json), in truth $(clock_truth "$number")" clock_is "$how" "$number"
	done
}

# several HOST... ARGUMENT...: the report of these hosts, the rest are arguments
several() {
	files=
	while [ -e "${1:-}.truth" ]; do
		files="$files $1.dat"
		shift
	done
	# shellcheck disable=SC2086 # names without blanks
	"$FTWAIT" report --json $files "$@"
}

clock_truth() { # MACHINE
	jq -c --argjson at "$1" '[.[0].shift_begin_ns - .[$at].shift_begin_ns,
		.[0].shift_end_ns - .[$at].shift_end_ns]' truths.json
}

clock_is() { # HOW MACHINE
	jq -n -e --arg how "$1" --argjson truth "$(clock_truth "$2")" --argjson at "$2" \
		--argjson most "${most:-1000000}" 'input | .trace.machines[$at] |
		.offset_ns as $offset | .bound_ns as $bound |
		if $how == "unknown" or ($how == "true" and $bound == null) then $bound == null
		else $bound != null and $bound <= $most and
			$offset >= ($truth | min) - $bound and $offset <= ($truth | max) + $bound
		end' report.json > /dev/null
}

# request ROLE NUMBER: what the oracle of that role tells of a request
request() {
	awk -v number="$2" '$2 == number { print; exit }' "$1.log"
}

# crossed NUMBER HOST...: the path of the client's request of that number, from when it was sent until the
# answer came, goes to path.json. The client is on the first host
crossed() {
	number=$1
	shift
	truth=$(request client "$number")
	shift_of=$(jq .shift_begin_ns "$1.truth")
	sent=$(echo "$truth" | cut -d ' ' -f 3) answered=$(echo "$truth" | cut -d ' ' -f 4)
	several "$@" --critical-path="$1:$(echo "$truth" | cut -d ' ' -f 5)" --top 0 \
		--from "$((sent + shift_of))ns" --to "$((answered + shift_of))ns" > path.json 2> errors
	expect "request $number: its path is reported" [ $? -eq 0 ]
}

# spent FILTER LEAST: parts of path.json of which the filter of jq holds take that many ns. A part has
# "machine" and "kind", that of its cause, or else its state
spent() {
	jq -n -e --argjson least "$2" "input | [.critical_path.parts[] |
		{machine, kind: (.cause.kind // .state),
			ns: (.end_ns - .begin_ns)} | select($1).ns] | add // 0 |
		. >= \$least" path.json > /dev/null
}

# visits FILTER: the filter of jq holds for the machines that path.json goes through, as [0,1,0]
visits() {
	jq -n -e "input | [.critical_path.parts | sort_by(.begin_ns)[].machine] |
		[foreach .[] as \$at ({}; {at: \$at, is_new: (.at != \$at)};
			select(.is_new).at)] | $1" path.json > /dev/null
}

# served ROLE MACHINES: while that role worked on the request, by its own log and but for what the clocks
# may be wrong by, path.json is on those machines alone, "1,2", from when it comes there until it leaves.
# Before, who asked may still be running, as it does not wait yet; and before the role notes that it is
# done, who asked may run again
served() {
	truth=$(request "$1" "$number")
	jq -n -e --argjson got "$(($(echo "$truth" | cut -d ' ' -f 3) + shift_of))" \
		--argjson done "$(($(echo "$truth" | cut -d ' ' -f 4) + shift_of))" \
		--argjson machines "[$2]" 'input |
		([.trace.machines[].bound_ns] | max) as $bound |
		[.critical_path.parts[] | select(.end_ns > $got + $bound and .begin_ns < $done - $bound) |
			.machine as $machine | $machines | any(. == $machine)] |
		index(true) as $first | rindex(true) as $last |
		$first != null and (.[$first:$last + 1] | all)' \
		path.json > /dev/null
}

# through_server FILTER NUMBER...: the paths of these requests, which A sends to B, are on B while its
# server works. The server's sleep of 500 us is there, in parts of which the filter holds, as of `spent`
through_server() {
	sleep_filter=$1
	shift
	for number; do
		crossed "$number" A B
		expect "request $number: the server's sleep is on the path" spent "$sleep_filter" 500000
		expect "request $number: the path is on the server while that works" served server 1
	done
}

# several_files: skips the case where the program takes one recording only
several_files() {
	set -- *.truth
	several "${1%.truth}" "${2%.truth}" > report.json 2> errors
	jq -n -e 'input | .trace.machines' report.json > /dev/null 2>&1 && return
	grep -q 'one file at a time' errors || expect "a report of several machines" false
	[ $failures -eq 0 ] || exit 1
	echo "report takes one recording only"
	exit 77
}
