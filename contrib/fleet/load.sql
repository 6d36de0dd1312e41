-- Adds the rows of recordings to the table costs. The variable rows names the files:
--   SET VARIABLE rows = 'rows/*.ndjson';
-- A recording that is there already is not added again.
CREATE TABLE IF NOT EXISTS costs (
	recording VARCHAR, labels MAP(VARCHAR, VARCHAR), realtime_ns BIGINT, host VARCHAR,
	machine VARCHAR, kernel VARCHAR, arch VARCHAR, root VARCHAR, wall_ns BIGINT, explained DOUBLE,
	lost BIGINT, state VARCHAR, kind VARCHAR, name VARCHAR, task VARCHAR, total_ns BIGINT,
	count BIGINT, p50_ns BIGINT, p99_ns BIGINT, max_ns BIGINT);
-- which rows of older programs lack, and the tables that were made for them
ALTER TABLE costs ADD COLUMN IF NOT EXISTS aim STRUCT(kind VARCHAR, name VARCHAR);

INSERT INTO costs BY NAME
SELECT DISTINCT * EXCLUDE (schema)
FROM read_ndjson(
	coalesce(getvariable('rows'), error('name the files: SET VARIABLE rows = ''rows/*.ndjson''')),
	columns = {
		schema: 'VARCHAR', recording: 'VARCHAR', labels: 'MAP(VARCHAR, VARCHAR)',
		realtime_ns: 'BIGINT', host: 'VARCHAR', machine: 'VARCHAR', kernel: 'VARCHAR',
		arch: 'VARCHAR', root: 'VARCHAR', wall_ns: 'BIGINT', explained: 'DOUBLE', lost: 'BIGINT',
		state: 'VARCHAR', kind: 'VARCHAR', name: 'VARCHAR',
		aim: 'STRUCT(kind VARCHAR, name VARCHAR)', task: 'VARCHAR', total_ns: 'BIGINT',
		count: 'BIGINT', p50_ns: 'BIGINT', p99_ns: 'BIGINT', max_ns: 'BIGINT'})
ANTI JOIN costs USING (recording)
WHERE schema = 'ftwait.costs/1' AND recording IS NOT NULL;

-- What the queries ask about: the label whose values are compared, and two of these.
CREATE OR REPLACE MACRO asked_label() AS coalesce(getvariable('label'), 'firmware');
CREATE OR REPLACE MACRO asked_old() AS
	coalesce(getvariable('old'), error('say with what to compare: SET VARIABLE old = ''1.1'''));
CREATE OR REPLACE MACRO asked_new() AS
	coalesce(getvariable('new'), error('say what to compare: SET VARIABLE new = ''1.2'''));

-- The rows as the queries read them. What the time went to is one text, as "disk vda"; recordings that
-- lost events, or of which less than nine tenths are explained, are left out.
CREATE OR REPLACE VIEW rows AS
SELECT coalesce(labels['board'], machine, host, '') AS board, coalesce(root, '') AS root, recording,
	labels, realtime_ns, CASE WHEN kind IS NULL THEN state ELSE concat_ws(' ', kind, name) END AS what,
	task, wall_ns, total_ns, count, max_ns
FROM costs WHERE explained >= 0.9 AND lost = 0;

-- Upper quantiles: of the normal distribution, and of Student's t with so many degrees of freedom
-- (Abramowitz and Stegun, 26.2.23 and 26.7.5; from 5 degrees on within 3 % for tails above 0.0005).
CREATE OR REPLACE MACRO normal_of(t) AS
	t - (2.515517 + 0.802853 * t + 0.010328 * t * t)
	/ (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t);
CREATE OR REPLACE MACRO student_of(z, n) AS
	z + (z ** 3 + z) / (4 * n) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * n ** 2)
	+ (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * n ** 3)
	+ (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / (92160 * n ** 4);
CREATE OR REPLACE MACRO student_quantile(tail, n) AS student_of(normal_of(sqrt(-2 * ln(tail))), n);

SELECT count(DISTINCT recording) AS recordings, count(*) AS rows,
	count(DISTINCT recording) FILTER ((explained >= 0.9 AND lost = 0) IS NOT TRUE) AS recordings_left_out
FROM costs;
