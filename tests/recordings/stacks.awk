# SPDX-License-Identifier: GPL-2.0-or-later
# Counts the stacks that follow an event in a text as trace-cmd report prints it, for count.sh: for each stack a
# line "EVENT,by=stack STACK COUNT 0". Before the text comes what trace-cmd report -f prints: all functions.
# -v event=EVENT; without it the text is such lines, of which only the names are changed.
#
# A frame is named by what lies before its address: a return address may lie behind a function that ends with the
# call. That is no function where a section begins, whose first function some assembly puts on the stack. Of names
# of one place the first one in the alphabet stands for all.

function settle(cpu) {
	if (waits[cpu])
		n[stack[cpu] == "" ? "null" : stack[cpu]]++
	waits[cpu] = 0
	stack[cpu] = ""
}

# addresses as texts of one length, which compare as numbers
function padded(address) {
	return substr("0000000000000000" address, length(address) + 1)
}

function before(address,   at) {
	for (at = length(address); substr(address, at, 1) == "0"; at--)
		;
	return substr(address, 1, at - 1) substr("0123456789abcde", index("123456789abcdef", substr(address, at, 1)), 1) \
		substr("ffffffffffffffff", 1, length(address) - at)
}

function function_at(address,   low, high, middle) {
	low = 1
	high = places + 1
	while (high - low > 1) {
		middle = int((low + high) / 2)
		if (place[middle] <= address)
			low = middle
		else
			high = middle
	}
	return place[low]
}

function canonical(name) {
	return name in place_of ? name_of[place_of[name]] : name
}

# the innermost functions are of tracing itself
function frame(address,   name) {
	name = "0x" address
	address = padded(address)
	if (before(address) >= place[1])
		name = name_of[function_at(before(address))]
	if (name ~ /^__.*_(start|end)$/ && address in name_of)
		name = name_of[address]
	if (stack[at] != "" || name !~ /^(trace_event_|__traceiter_)/)
		stack[at] = stack[at] (stack[at] == "" ? "" : ";") name
}

NR == FNR {
	$1 = padded($1)
	if (!($1 in name_of))
		place[++places] = $1
	if (!($1 in name_of) || $2 < name_of[$1])
		name_of[$1] = $2
	place_of[$2] = $1
	next
}

!event {
	split($0, part, "\t")
	count = split(part[2], names, ";")
	for (i = 1; i <= count; i++)
		whole = (i > 1 ? whole ";" : "") canonical(names[i])
	print part[1] "\t" whole "\t" part[3] "\t" part[4]
	next
}

match($0, /-[0-9]+ +\[[0-9]+\] +[0-9]+\.[0-9]+: +[A-Za-z0-9_]+:/) {
	split(substr($0, RSTART + 1, RLENGTH - 1), head, /[^0-9A-Za-z_.]+/)
	at = head[2]
	if (head[4] == "kernel_stack" && waits[at] == 1) {
		waits[at] = 2
		next
	}
	settle(at)
	waits[at] = head[4] == event
	next
}

/^=> / && waits[at] == 2 {
	gsub(/[()]/, "") # around the address, behind the name if it has one
	frame($NF)
}

END {
	for (at in waits)
		settle(at)
	for (k in n)
		printf "%s,by=stack\t%s\t%d\t0\n", event, k, n[k]
}
