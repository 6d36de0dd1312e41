# Of one report with --summary --critical-path --net of one task: whether they tell the same. Prints
# what does not agree, a line each.

# what a cost is on the path; the cause of an open wait is none
def cost_key:
  if .state == "running" then "running"
  elif .state == "runnable" or .state == "throttled" then "runnable"
  elif .state == "stopped" then "stopped"
  elif .state == "unknown" or .state == "unseen" then "unknown"
  elif .state == "asleep" then "waiting timer"
  elif .state == "open" then "waiting open"
  elif .state == "for-work" then "for work"
  else "waiting " + .cause.kind end;
def part_key:
  if .state != "waiting" then .state
  elif .cause == null then "waiting open"
  else "waiting " + .cause.kind end;
def sums(key; length): reduce .[] as $one ({}; .[$one | key] += ($one | length));

(.summary.costs | sums(cost_key; .total_ns)) as $costs
| (.critical_path.parts | sums(part_key; .end_ns - .begin_ns)) as $parts
| (.critical_path.end_ns - .critical_path.begin_ns) as $window
| ($costs | add // 0) as $told
# a wait that has not ended may have a cause of which only the place is known
| ($costs["for work"] // 0) as $work
| (if $told != $window then "the costs are \($told) ns, the path has \($window)" else empty end),
  (if $work == 0 then
     ($costs + $parts | keys[]) as $key
     | select($costs[$key] != $parts[$key])
     | "\($key): \($costs[$key] // 0) ns in the table of costs, \($parts[$key] // 0) on the path"
   else
     ($costs | keys[]) as $key
     | select($key != "for work" and $costs[$key] > ($parts[$key] // 0))
     | "\($key): \($costs[$key]) ns in the table of costs, less on the path: \($parts[$key] // 0)"
   end),
  # a task that waits for an answer does not sleep for a time of its own meanwhile
  ((.net.requests // [])[] as $requests
   | .critical_path.task.tid as $tid
   | select($requests.role == "client" and $requests.task.tid == $tid and $requests.wait != null)
   | ([.summary.costs[] | select(.state == "asleep") | .total_ns] | add // 0) as $asleep
   | select($asleep + $requests.wait.total_ns > $window * 1.01)
   | "asleep for a time of its own: \($asleep) ns, though it waited \($requests.wait.total_ns) of \($window) ns for \($requests.address)")
