# Of rows of `report --rows`, a file for each report: what is wrong with them, a line each, then the
# number of reports and the states that were seen. Names of files are those of reports.
def states: ["asleep", "for-work", "kernel", "open", "recorder", "runnable", "running", "stopped", "throttled",
  "throttled-deadline", "throttled-real-time", "unknown", "unseen", "waiting"];
def types: {
  "schema": ["string"], "recording": ["string"], "labels": ["object"], "realtime_ns": ["number", "null"],
  "host": ["string", "null"], "machine": ["string", "null"], "kernel": ["string", "null"], "arch": ["string", "null"],
  "root": ["string", "null"], "wall_ns": ["number"], "explained": ["number"], "lost": ["number", "null"],
  "state": ["string"], "kind": ["string", "null"], "name": ["string", "null"], "aim": ["object", "null"], "total_ns": ["number"],
  "share": ["number"], "count": ["number"], "p50_ns": ["number"], "p99_ns": ["number"], "max_ns": ["number"],
  "task": ["string", "null"]};
# what is wrong with one row
def row_faults:
  (. as $row | types | to_entries[] | .key as $key | select(($row | has($key) | not) or
    (.value | index($row[$key] | type) | not)) | "\($key) is \($row[$key])"),
  ((keys - (types | keys))[] | "\(.) is not described"),
  (select(.schema != "ftwait.costs/1") | "schema \(.schema)"),
  (.state as $state | select(states | index($state) | not) | "state \(.state)"),
  (select((.kind == null) != (.state != "waiting")) | "\(.state) has the kind \(.kind)"),
  (.aim | select(. != null) | select(keys != ["kind", "name"]) | "aim \(.)"),
  (select(.count < 1 or .total_ns < .max_ns or .max_ns * .count < .total_ns or .p50_ns > .p99_ns or .p99_ns > .max_ns)
    | "figures of \(.state) \(.kind) \(.name) \(.task)"),
  (select(.explained < 0 or .explained > 1) | "explained \(.explained)"),
  (select([.labels[] | type == "string"] | all | not) | "labels \(.labels)");
# what is wrong with the rows of one report
def report_faults:
  (.[] | row_faults),
  ([.[].total_ns] | add) as $total
  | (select($total != .[0].wall_ns) | "rows sum to \($total) ns of \(.[0].wall_ns)"),
    (select(map([.recording, .wall_ns, .root, .explained, .lost]) | unique | length > 1) | "rows of several recordings"),
    (group_by([.state, .kind, .name, .aim, .task])[] | select(length > 1) | "twice: \(.[0].state) \(.[0].kind) \(.[0].name)"),
    (select([.[].share] | add | . < 0.9999 or . > 1.0001) | "shares sum to \([.[].share] | add)");

reduce inputs as $row ({}; .[input_filename | sub("^.*/"; "")] += [$row])
| (to_entries[] | .key as $report | .value | report_faults | "FAIL rows \($report): \(.)"),
  "reports \(length)",
  "states \([.[][].state] | unique | join(" "))",
  "missing \(states - ([.[][].state] | unique) | join(" "))"
