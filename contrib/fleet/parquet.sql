-- Writes the table as costs.parquet, for other programs: sorted, as equal values pack best together.
COPY (SELECT * FROM costs ORDER BY root, state, kind, name, task, recording)
TO 'costs.parquet' (FORMAT parquet, COMPRESSION zstd);
