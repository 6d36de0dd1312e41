SELECT t.tid AS tid, ts.state AS state, SUM(IIF(ts.dur = -1, trace_end() - ts.ts, ts.dur)) AS ns
FROM thread_state ts JOIN thread t USING (utid) GROUP BY 1, 2
;;
SELECT t.tid AS tid, COUNT(*) AS waits, SUM(s.dur) AS ns FROM slice s
JOIN thread_track tt ON s.track_id = tt.id JOIN thread t USING (utid)
WHERE s.category = 'wait' AND tt.name = 'waits' AND s.depth = 0 GROUP BY 1
;;
SELECT EXTRACT_ARG(s.arg_set_id, 'debug.cause.kind') AS kind, COUNT(*) AS waits,
  COUNT(EXTRACT_ARG(s.arg_set_id, 'debug.confidence')) AS confidences,
  COUNT(EXTRACT_ARG(s.arg_set_id, 'debug.waker.tid')) AS wakers,
  COUNT(EXTRACT_ARG(s.arg_set_id, 'debug.waker.comm')) AS comms
FROM slice s WHERE s.category = 'wait' GROUP BY 1
;;
SELECT COUNT(*) AS flows, SUM(o.ts = i.ts) AS level, SUM(o.name = 'wakes' AND i.name = 'woken') AS named
FROM flow f JOIN slice o ON f.slice_out = o.id JOIN slice i ON f.slice_in = i.id
;;
SELECT name, severity, SUM(value) AS value FROM stats
WHERE value > 0 AND severity IN ('error', 'data_loss') GROUP BY 1
;;
SELECT COUNT(*) AS interrupts FROM thread_state WHERE irq_context = 1
;;
SELECT COUNT(*) AS slices FROM slice WHERE category = 'wait'
;;
SELECT s.category AS category, COUNT(*) AS slices, MAX(s.depth) AS depth FROM slice s
WHERE s.category IN ('disk', 'irq', 'softirq', 'ipi', 'work', 'lock', 'lock_held')
  AND EXTRACT_ARG(s.arg_set_id, 'debug.open') IS NULL
  AND EXTRACT_ARG(s.arg_set_id, 'debug.cut.before_ns') IS NULL GROUP BY 1
;;
SELECT t.tid AS tid, COUNT(*) AS states
FROM (SELECT utid, dur, LEAD(id) OVER (PARTITION BY utid ORDER BY id) AS later FROM thread_state) ts
JOIN thread t USING (utid) WHERE ts.dur = -1 AND ts.later IS NOT NULL GROUP BY 1
;;
SELECT EXTRACT_ARG(s.arg_set_id, 'debug.lock.kind') AS kind, COUNT(*) AS contentions,
  SUM(s.dur) AS ns, COUNT(EXTRACT_ARG(s.arg_set_id, 'debug.owner.tid')) AS owners
FROM slice s JOIN thread_track tt ON s.track_id = tt.id WHERE s.category = 'lock' AND tt.name = 'locks' GROUP BY 1
;;
SELECT name, MAX(value) AS most, SUM(value * ns) AS area FROM (
  SELECT t.name AS name, c.value AS value, LEAD(c.ts) OVER (PARTITION BY c.track_id ORDER BY c.ts, c.id) - c.ts AS ns
  FROM counter c JOIN counter_track t ON c.track_id = t.id) GROUP BY 1
;;
SELECT SUM(IIF(dur = -1, trace_end() - ts, dur)) AS ns FROM thread_state WHERE state IN ('R', 'R+') AND ts > trace_start()
;;
SELECT t.tid AS tid, s.ts AS ts, s.dur AS dur, EXTRACT_ARG(s.arg_set_id, 'debug.stack') AS stack,
  EXTRACT_ARG(s.arg_set_id, 'debug.user_stack') AS user_stack,
  EXTRACT_ARG(s.arg_set_id, 'debug.waker.stack') AS waker_stack
FROM slice s JOIN thread_track tt ON s.track_id = tt.id JOIN thread t USING (utid) WHERE s.category = 'wait' AND tt.name = 'waits'
;;
CREATE PERFETTO TABLE callsite_text AS
WITH RECURSIVE site AS (
  SELECT c.id AS id, c.parent_id AS parent, f.name AS name, m.name = '/kernel' AS is_kernel
  FROM stack_profile_callsite c JOIN stack_profile_frame f ON c.frame_id = f.id JOIN stack_profile_mapping m ON f.mapping = m.id
), path(id, kernel, user) AS (
  SELECT id, IIF(is_kernel, name, NULL), IIF(is_kernel, NULL, name) FROM site WHERE parent IS NULL
  UNION ALL
  SELECT s.id, IIF(s.is_kernel, s.name || IFNULL(';' || p.kernel, ''), p.kernel),
    IIF(s.is_kernel, p.user, s.name || IFNULL(';' || p.user, ''))
  FROM path p JOIN site s ON s.parent = p.id
)
SELECT id, kernel, user FROM path;
SELECT t.tid AS tid, s.ts AS ts, MAX(b.kernel) AS stack, MAX(b.user) AS user_stack, MAX(e.kernel) AS waker_stack
FROM slice s JOIN thread_track tt ON s.track_id = tt.id JOIN thread t USING (utid)
JOIN __intrinsic_track_event_callstacks c ON c.slice_id = s.id
LEFT JOIN callsite_text b ON c.callsite_id = b.id LEFT JOIN callsite_text e ON c.end_callsite_id = e.id
WHERE s.category = 'wait' AND tt.name = 'waits' GROUP BY s.id
;;
SELECT t.tid AS tid, i.ts AS ts, c.kernel AS stack
FROM flow f JOIN slice o ON f.slice_out = o.id JOIN slice i ON f.slice_in = i.id
JOIN thread_track tt ON i.track_id = tt.id JOIN thread t USING (utid)
LEFT JOIN __intrinsic_track_event_callstacks s ON s.slice_id = o.id LEFT JOIN callsite_text c ON s.callsite_id = c.id
;;
SELECT trace_start() AS begin, trace_end() AS end
;;
SELECT DISTINCT t.tid AS tid, p.pid AS tgid FROM thread t JOIN thread_state USING (utid) LEFT JOIN process p USING (upid)
;;
SELECT t.name || IFNULL(' of CPU ' || o.cpu, '') AS name, c.ts AS ts, c.value AS value
FROM counter c JOIN counter_track t ON c.track_id = t.id LEFT JOIN cpu_counter_track o ON o.id = t.id
ORDER BY c.ts, c.id
