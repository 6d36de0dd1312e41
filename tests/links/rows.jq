# The rows of a report that have a link, as lines "TABLE <tab> OPTIONS <tab> EXPECTED": the tids and names of which
# a report with these options must contain one; none if a row is about neither.
[.trace.machines[]?.name + ":"] as $machines |
def in_word: select(type == "string" and length > 0 and (startswith("[") | not)) | rtrimstr("*") |
	reduce $machines[] as $machine (.; ltrimstr($machine));
def tids: [.task?, .process?, .to?, .lender?, .ended_by?, .waiters?[]?.task?, .chain?[0]?.task?
	| objects | .tid | select(. > 0)] + [.tid? | numbers | select(. > 0)];
def comms: [.comm?, .from?, .most_waited_for?, .name?, .tasks?[]?.comm?, .links?[0]?.comm?, (.task? | strings)
	| in_word];
def names: [.name?, .dev?, .address?, .file?, .spec?, (.cause?.kind? | select(. != "unknown")),
	(.kind? | strings) | in_word];
# tasks by any of their names: waits have those of that time
(reduce (.. | objects | select(.comm? and .tid?)) as $task ({}; .[$task.comm][$task.tid | tostring] = $task.tid))
	as $by_name |
def expected: tids as $tids | comms as $comms | if $tids != [] then {tids: $tids, names: []}
	else {tids: [$by_name[$comms[]] // {} | .[]], names: ($comms + names)} end;
del(.trace, .health) | paths(type == "object" and (.next? | type) == "string") as $at | getpath($at)
	| [($at | map(select(type == "string")) | join(".")), .next, (expected | tojson)] | join("\t")
