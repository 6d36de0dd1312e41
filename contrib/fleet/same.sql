-- What the time of the whole fleet went to, each cause once, whichever boards have it. Rows of one
-- recording sum to its time, so each moment counts once, and share sums to 100. per_recording_ms is of
-- those recordings that have it.
WITH fleet AS (
	SELECT count(DISTINCT board) AS boards FROM rows
), sums AS (
	SELECT what, board, sum(total_ns) AS ns, sum(count) AS count, max(max_ns) AS max_ns,
		count(DISTINCT recording) AS recordings, list(DISTINCT task) AS tasks
	FROM rows GROUP BY ALL
)
SELECT what, round(100 * sum(ns) / (SELECT sum(total_ns) FROM rows), 2) AS share, count(*) AS boards,
	(SELECT boards FROM fleet) AS of_boards, sum(recordings)::BIGINT AS recordings,
	sum(count)::BIGINT AS count,
	round(sum(ns) / sum(recordings) / 1e6, 2) AS per_recording_ms, round(max(max_ns) / 1e6, 2) AS longest_ms,
	arg_max(board, max_ns) AS longest_on,
	array_to_string(list_sort(list_distinct(flatten(list(tasks)))), ', ') AS tasks
FROM sums GROUP BY what ORDER BY sum(ns) DESC, what;
