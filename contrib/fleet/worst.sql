-- The boards whose recordings take longest, each beside the middle one of all boards that recorded
-- the same program with the same value of the label; and what most of the difference went to.
WITH runs AS (
	SELECT DISTINCT root, labels[asked_label()] AS value, board, recording, wall_ns FROM rows
), walls AS (
	SELECT root, value, board, count(*) AS recordings, avg(wall_ns) / 1e6 AS wall_ms
	FROM runs GROUP BY ALL
), parts AS (
	SELECT root, labels[asked_label()] AS value, board, what, sum(total_ns) / 1e6 AS ms
	FROM rows GROUP BY ALL
), each AS (
	-- a board without such a row did not spend time on it
	SELECT w.root, w.value, w.board, k.what, coalesce(p.ms, 0) / w.recordings AS ms
	FROM walls w
		JOIN (SELECT DISTINCT root, value, what FROM parts) k
			ON k.root = w.root AND k.value IS NOT DISTINCT FROM w.value
		LEFT JOIN parts p ON p.root = w.root AND p.value IS NOT DISTINCT FROM w.value
			AND p.board = w.board AND p.what = k.what
), beside AS (
	SELECT *, ms - median(ms) OVER (PARTITION BY root, value, what) AS more_ms FROM each
), most AS (
	SELECT root, value, board, arg_max(what, more_ms) AS what, max(more_ms) AS more_ms
	FROM beside GROUP BY ALL
), fleet AS (
	SELECT *, median(wall_ms) OVER (PARTITION BY root, value) AS fleet_ms FROM walls
)
SELECT f.root, f.value, f.board, f.recordings, round(f.wall_ms, 2) AS wall_ms,
	round(f.fleet_ms, 2) AS fleet_ms, round(f.wall_ms / f.fleet_ms, 2) AS ratio, m.what AS mostly,
	round(m.more_ms, 2) AS more_ms
FROM fleet f JOIN most m ON m.root = f.root AND m.value IS NOT DISTINCT FROM f.value
	AND m.board = f.board
WHERE f.wall_ms > f.fleet_ms
ORDER BY f.wall_ms - f.fleet_ms DESC, f.board, f.root, f.value;
