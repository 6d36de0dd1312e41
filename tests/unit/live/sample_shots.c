/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample_shots.h"

#include <stdio.h>

#include "base/data/array.h"

#define MS UINT64_C(1000000)

#define DISK_VDA {.kind = CAUSE_DISK, .disk = "vda", .as.disk.dev = 254u << 20}
#define MYSQLD   {.tid = 812, .tgid = 800, .comm = "mysqld"}

static const struct task journal = {.tid = 211, .tgid = 211, .comm = "jbd2/vda-8"};

struct top_shot sample_shot(void)
{
	static const struct top_row rows[] = {
		{
			.name = "mysqld", .task = {.tid = -1, .tgid = -1, .comm = ""},
			.task_count = 5, .waiting = 612300000, .runnable = 41 * MS,
			.running = 82100000, .waits = 1214, .longest = 48200000, .has_cause = true,
			.cause = {.kind = CAUSE_LOCK, .name = "big_lock"}, .cause_ns = 500 * MS,
			.cause_waits = 7, .has_behind = true, .behind = MYSQLD,
		},
		{
			.name = "jbd2/vda-8", .task = {.tid = -1, .tgid = -1, .comm = ""},
			.task_count = 1, .is_kernel = true, .waiting = 388 * MS,
			.runnable = 3100000, .waits = 17, .longest = 212400000,
			.has_cause = true, .cause = DISK_VDA,
			.cause_ns = 388 * MS, .cause_waits = 17,
		},
	};

	return (struct top_shot){
		.begin = 7000 * MS, .end = 8000 * MS, .day_ns = UINT64_C(1764204067000000000),
		.host = "board7", .kernel = "6.18.44", .cpu_count = 2, .events = 51204, .lost = 3,
		.has_own_cpu = true, .own_cpu = 0.014, .waiting = 1000300000,
		.by_kind = {[CAUSE_DISK] = 388 * MS, [CAUSE_LOCK] = 612300000}, .queued_now = 6,
		.wait_count = 1231, .wait_p50 = 1200000, .wait_p99 = 48 * MS,
		.wait_max = 212400000, .trend = {0.25, 0.5, 1.0003}, .trend_count = 3,
		.by = TOP_BY_COMM, .row = rows, .row_count = ARRAY_SIZE(rows), .has_open = true,
		.open = {
			.task = {.tid = 77, .tgid = 77, .comm = "postgres"}, .since = 4588 * MS,
			.letter = 'D', .has_cause = true,
			.cause = DISK_VDA, .has_behind = true,
			.behind = journal,
		},
	};
}

struct top_shot sample_shot_empty(void)
{
	return (struct top_shot){.begin = 7000 * MS, .end = 8000 * MS, .cpu_count = 1};
}

struct top_shot sample_shot_crowd(enum top_by by)
{
	static char name[SAMPLE_ROWS][16];
	static struct top_row rows[SAMPLE_ROWS];
	struct top_shot shot = sample_shot_empty();

	for (unsigned i = 0; i < SAMPLE_ROWS; i++) {
		(void)snprintf(name[i], sizeof(name[i]), "worker-%u", i);
		rows[i] = (struct top_row){
			.name = name[i], .task = {.tid = -1, .tgid = -1, .comm = ""},
			.task_count = 1, .waiting = (SAMPLE_ROWS - i) * MS, .waits = 1,
			.longest = (SAMPLE_ROWS - i) * MS,
		};
		if (by == TOP_BY_TASK)
			rows[i].task = (struct task){.tid = 100 + (int)i, .tgid = 100,
			                             .comm = name[i]};
		shot.waiting += rows[i].waiting;
	}
	shot.by_kind[CAUSE_UNKNOWN] = shot.waiting;
	shot.by = by;
	shot.row = rows;
	shot.row_count = SAMPLE_ROWS;
	return shot;
}

struct top_shot sample_shot_hostile(enum top_by by)
{
	static const struct task villain = {.tid = 13, .tgid = 12, .comm = SAMPLE_HOSTILE};
	static struct top_row row;
	struct top_shot shot = sample_shot();

	row = shot.row[0];
	row.name = SAMPLE_HOSTILE;
	row.cause.name = SAMPLE_HOSTILE;
	row.behind = villain;
	if (by == TOP_BY_TASK)
		row.task = villain;
	shot.host = SAMPLE_HOSTILE;
	shot.kernel = SAMPLE_HOSTILE;
	shot.note = SAMPLE_HOSTILE;
	shot.open.task = villain;
	shot.open.behind = villain;
	shot.open.cause.disk = SAMPLE_HOSTILE;
	shot.by = by;
	shot.row = &row;
	shot.row_count = 1;
	return shot;
}
