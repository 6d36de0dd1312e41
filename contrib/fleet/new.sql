-- What is new: recordings with the new value of the label spent time on it, and none with the old value
-- did, on any board. The more boards have it, the less it is chance. per_recording_ms is of those
-- recordings that have it.
WITH asked AS (
	SELECT *, labels[asked_label()] = asked_new() AS is_new
	FROM rows WHERE labels[asked_label()] IN (asked_old(), asked_new())
), fleet AS (
	SELECT root, count(DISTINCT board) FILTER (is_new) AS of_boards FROM asked GROUP BY ALL
)
SELECT root, what, string_agg(DISTINCT task, ', ' ORDER BY task) AS tasks,
	count(DISTINCT board) AS boards, any_value(of_boards) AS of_boards,
	count(DISTINCT recording) AS recordings,
	round(sum(total_ns) / 1e6 / count(DISTINCT recording), 2) AS per_recording_ms,
	strftime(make_timestamp_ns(min(realtime_ns)), '%Y-%m-%d %H:%M:%S') AS first_seen_utc
FROM asked JOIN fleet USING (root)
GROUP BY root, what HAVING bool_and(is_new)
ORDER BY boards DESC, sum(total_ns) DESC, root, what;
