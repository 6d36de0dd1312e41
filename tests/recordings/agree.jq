# Of one report with --summary --critical-path --net of one task: whether they tell the same. Prints
# what does not agree, a line each.

# what a cost is on the path; the cause of an open wait is none
def cost_key:
  if .state == "running" then "running"
  elif .state == "runnable" or .state == "throttled" then "runnable"
  elif .state == "stopped" then "stopped"
  elif .state == "unknown" or .state == "others-unknown" or .state == "not-followed" or .state == "unseen" then "unknown"
  elif .state == "asleep" then "waiting timer"
  elif .state == "open" then "waiting open"
  elif .state == "for-work" then "for work"
  else "waiting " + .cause.kind end;
# a wait that has not ended has no cause, but may be known to be for something
def part_key($last):
  if .state != "waiting" then .state
  elif .cause == null or (.cause.kind == "unknown" and .cause.for != null and .end_ns == $last) then "waiting open"
  else "waiting " + .cause.kind end;
def sums(key; length): reduce .[] as $one ({}; .[$one | key] += ($one | length));

(.summary.costs | sums(cost_key; .total_ns)) as $costs
| (.critical_path | .end_ns as $until | .parts | sums(part_key($until); .end_ns - .begin_ns)) as $parts
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
   | "asleep for a time of its own: \($asleep) ns, though it waited \($requests.wait.total_ns) of \($window) ns for \($requests.address)"),
  # what a client waits is divided as a whole, each ns once
  ((.net.requests // [])[] as $requests
   | select($requests.role == "client" and $requests.wait != null)
   | ([$requests.way_out, $requests.server_work, $requests.way_back | .total_ns // 0] | add) as $parts
   | select($parts + $requests.undivided_ns != $requests.wait.total_ns)
   | "it waited \($requests.wait.total_ns) ns for \($requests.address), of which parts have \($parts) and \($requests.undivided_ns) ns are not divided"),
  # while it waits for servers its path is theirs: for as long as they worked, beside what was on its way
  (.critical_path.task.tid as $tid
   | [.net.requests // [] | .[] | select(.role == "client" and .task.tid == $tid and .wait != null)] as $asked
   | select($asked != [] and ([$asked[].undivided_ns] | add) == 0)
   | [.net.requests[] | select(.role == "server" and (.address | IN($asked[].address))) | .task.tid
      | select(. != $tid)] as $servers # a program may be its own server
   | ([.critical_path.parts[] | select((.tid | IN($servers[])) and .cause.kind != "net") | .end_ns - .begin_ns] | add // 0) as $theirs
   | ([$asked[].server_work.total_ns] | add) as $work
   | select($theirs > $work + $window / 100)
   | "its path is the servers\u0027 for \($theirs) ns, who worked \($work)")
