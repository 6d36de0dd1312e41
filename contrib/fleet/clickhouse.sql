-- Rows of `ftwait report --rows`, as JSONEachRow reads them (not tried; see README): of costs alone, not
-- those of --rows=waits. A recording that is inserted again replaces its rows; ask with FINAL.
CREATE TABLE IF NOT EXISTS costs (
	schema LowCardinality(String), recording String, labels Map(LowCardinality(String), String),
	realtime_ns Nullable(Int64), host Nullable(String), machine Nullable(String),
	kernel LowCardinality(Nullable(String)), arch LowCardinality(Nullable(String)),
	root LowCardinality(Nullable(String)), wall_ns UInt64, explained Float64, lost UInt64,
	state LowCardinality(String), kind LowCardinality(Nullable(String)), name Nullable(String),
	aim Tuple(kind LowCardinality(Nullable(String)), name Nullable(String)),
	task Nullable(String), total_ns UInt64, count UInt64, p50_ns UInt64, p99_ns UInt64, max_ns UInt64
) ENGINE = ReplacingMergeTree
ORDER BY (recording, state, ifNull(kind, ''), ifNull(name, ''), ifNull(tupleElement(aim, 'kind'), ''),
	ifNull(tupleElement(aim, 'name'), ''), ifNull(task, ''));
