-- What the time of a recording went to more than before: on the boards that have recordings of both,
-- from the old value of the label to the new one. Times are of an average recording of an average
-- board, and grew_ms of all rows of a root sum to the growth of its whole time.
-- low_ms to high_ms has the growth with 95 %, for all rows at once (Student's t over the boards, with
-- Bonferroni's correction); with fewer than six boards it is not known. worse: boards where it grew.
-- old_count and new_count show whether it came more often or took longer each time.
WITH asked AS (
	SELECT *, labels[asked_label()] = asked_new() AS is_new
	FROM rows WHERE labels[asked_label()] IN (asked_old(), asked_new())
), runs AS (
	SELECT root, board, count(DISTINCT recording) FILTER (NOT is_new) AS old_runs,
		count(DISTINCT recording) FILTER (is_new) AS new_runs
	FROM asked GROUP BY ALL HAVING old_runs > 0 AND new_runs > 0
), sums AS (
	SELECT root, board, what, sum(total_ns) FILTER (NOT is_new) / 1e6 AS old_ms,
		sum(total_ns) FILTER (is_new) / 1e6 AS new_ms, sum(count) FILTER (NOT is_new) AS old_count,
		sum(count) FILTER (is_new) AS new_count
	FROM asked GROUP BY ALL
), pairs AS (
	-- a board without such a row did not spend time on it
	SELECT root, what, coalesce(old_ms, 0) / old_runs AS old_ms, coalesce(new_ms, 0) / new_runs AS new_ms,
		coalesce(old_count, 0) / old_runs AS old_count, coalesce(new_count, 0) / new_runs AS new_count
	FROM runs JOIN (SELECT DISTINCT root, what FROM sums) USING (root)
		LEFT JOIN sums USING (root, board, what)
), growth AS (
	SELECT root, what, avg(old_ms) AS old_ms, avg(new_ms) AS new_ms, avg(new_ms - old_ms) AS grew_ms,
		stddev_samp(new_ms - old_ms) / sqrt(count(*)) AS error_ms, count(*) AS boards,
		count(*) FILTER (new_ms > old_ms) AS worse, avg(old_count) AS old_count,
		avg(new_count) AS new_count
	FROM pairs GROUP BY ALL
), bounds AS (
	SELECT *, CASE WHEN boards >= 6
		THEN error_ms * student_quantile(0.025 / count(*) OVER (), boards - 1) END AS bound_ms
	FROM growth
)
SELECT root, what, round(old_ms, 2) AS old_ms, round(new_ms, 2) AS new_ms, round(grew_ms, 2) AS grew_ms,
	round(grew_ms - bound_ms, 2) AS low_ms, round(grew_ms + bound_ms, 2) AS high_ms, worse, boards,
	round(old_count, 1) AS old_count, round(new_count, 1) AS new_count
FROM bounds ORDER BY bounds.grew_ms DESC, root, what;
