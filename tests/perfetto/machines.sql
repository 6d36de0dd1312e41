SELECT t.machine_id AS machine, t.tid AS tid,
  SUM(IIF(state = 'Running', MIN(IIF(dur = -1, e, ts + dur), e) - MIN(ts, e), 0)) AS running,
  SUM(IIF(state IN ('R', 'R+'), MIN(IIF(dur = -1, e, ts + dur), e) - MIN(ts, e), 0)) AS runnable
FROM thread_state JOIN thread t USING (utid)
JOIN (SELECT tr.machine_id AS m, s.ts + s.dur AS e FROM slice s JOIN track tr ON s.track_id = tr.id
  WHERE s.category = 'recording') ON m = t.machine_id
WHERE t.tid != 0 GROUP BY 1, 2 ORDER BY 1, 2
;;
SELECT tr.machine_id AS machine, tr.name AS track, COUNT(*) AS slices FROM slice s
JOIN track tr ON s.track_id = tr.id LEFT JOIN thread_track tt ON tr.id = tt.id WHERE tt.id IS NULL GROUP BY 1, 2
;;
SELECT tr.machine_id AS machine, tr.name AS counter FROM counter_track tr GROUP BY 1, 2
;;
SELECT o.name AS "out", i.name AS "in", t1.name AS "from", t2.name AS "to", COUNT(*) AS arrows,
  MIN(i.ts - o.ts) AS ns FROM flow f
JOIN slice o ON f.slice_out = o.id JOIN slice i ON f.slice_in = i.id
JOIN track t1 ON o.track_id = t1.id JOIN track t2 ON i.track_id = t2.id GROUP BY 1, 2, 3, 4
;;
SELECT t.machine_id AS machine, t.tid AS tid, t.name AS name, p.name AS process, GROUP_CONCAT(DISTINCT c.cpu) AS cpus
FROM sched s JOIN thread t USING (utid) LEFT JOIN process p USING (upid) JOIN cpu c ON s.ucpu = c.ucpu
WHERE t.tid != 0 AND c.machine_id = t.machine_id GROUP BY 1, 2, 3, 4
;;
SELECT name, value FROM stats WHERE severity = 'error' AND value > 0
