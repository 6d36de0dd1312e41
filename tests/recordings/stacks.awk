# SPDX-License-Identifier: GPL-2.0-or-later
# Counts the stacks that follow an event in a text as trace-cmd report prints it, for count.sh: for each stack a
# line "EVENT,by=stack STACK COUNT 0". -v event=EVENT -v most=FUNCTIONS

function settle(cpu) {
	if (waits[cpu])
		n[stack[cpu] == "" ? "null" : stack[cpu]]++
	waits[cpu] = depth[cpu] = 0
	stack[cpu] = ""
}

# the innermost functions are of tracing itself
function frame(name) {
	if ((stack[at] != "" || name !~ /^(trace_event_|__traceiter_)/) && depth[at]++ < most)
		stack[at] = stack[at] (stack[at] == "" ? "" : ";") name
}

match($0, /-[0-9]+ +\[[0-9]+\] +[0-9]+\.[0-9]+: +[A-Za-z0-9_]+:/) {
	split(substr($0, RSTART + 1, RLENGTH - 1), head, /[^0-9A-Za-z_.]+/)
	at = head[2]
	name = head[4]
	if (name == "kernel_stack" && waits[at] == 1) {
		waits[at] = 2
		next
	}
	settle(at)
	waits[at] = name == event
	next
}

/=> / && waits[at] == 2 {
	frame($2)
}

END {
	for (at in waits)
		settle(at)
	for (k in n)
		printf "%s,by=stack\t%s\t%d\t0\n", event, k, n[k]
}
