/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice on a disk that was always busy, or in whose queue requests spent the time, and the tasks
   that sent them. */
#include <stdlib.h>

#include "advice.h"
#include "analysis/machine_time.h"
#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "graph/timeline_hosts.h"
#include "heavy_sums.h"
#include "views/disk/coverage.h"
#include "views/disk/disk_request.h"

#define DEVICES_MAX 64   /* later devices are ignored */
#define BUSY_LEAST  0.9  /* least part of the time that counts as always busy */
#define MOST_LEAST  0.5  /* least part of the device's time that makes a task its main user */

struct disk_use {
	uint32_t dev;
	struct coverage busy;
	nsec_t total; /* sum of the times of all requests in the device, though they may overlap */
	struct heavy_sums by_task; /* by track and direction: the same sum; extra: bytes */
	struct heavy_sums queued;  /* by track: time in the queue; extra: time in all */
};

struct disk_uses {
	const struct question *question;
	struct disk_use *use;
	size_t count, capacity;
};

static void *disk_uses_begin(const struct question *question)
{
	struct disk_uses *uses = xcalloc(1, sizeof(*uses));

	uses->question = question;
	return uses;
}

static void disk_uses_end(void *state)
{
	struct disk_uses *uses = state;

	for (size_t i = 0; i < uses->count; i++) {
		coverage_release(&uses->use[i].busy);
		heavy_sums_release(&uses->use[i].by_task);
		heavy_sums_release(&uses->use[i].queued);
	}
	free(uses->use);
	free(uses);
}

static struct disk_use *disk_use_of(struct disk_uses *uses, uint32_t dev)
{
	for (size_t i = 0; i < uses->count; i++)
		if (uses->use[i].dev == dev)
			return &uses->use[i];
	if (uses->count == DEVICES_MAX)
		return NULL;
	ARRAY_GROW(uses->use, uses->count, uses->capacity);
	uses->use[uses->count] = (struct disk_use){.dev = dev};
	heavy_sums_init(&uses->use[uses->count].by_task, sizeof(struct heavy_sum));
	heavy_sums_init(&uses->use[uses->count].queued, sizeof(struct heavy_sum));
	return &uses->use[uses->count++];
}

static void disk_uses_on_interval(void *state, const struct interval *interval)
{
	struct disk_uses *uses = state;
	const struct timeline *timeline = uses->question->timeline;
	nsec_t issued = interval->phase[PHASE_STARTED], end = interval->end;
	uint32_t task = disk_request_task(timeline, interval);
	struct disk_use *use;

	if (question_may_be_windowed(uses->question))
		end = nsec_min(end, uses->question->resolved->end);
	if (issued == NSEC_NEVER || issued >= end || !(use = disk_use_of(uses, interval->disk.dev)))
		return;
	coverage_add(&use->busy, issued, end, NULL, NULL);
	use->total += end - issued;
	heavy_sums_add(&use->by_task, &(struct heavy_sum){
		.key = (uint64_t)task << 2 | disk_request_direction(timeline, interval),
		.total = end - issued,
		.count = 1,
		.extra = interval->disk.bytes,
	});
	heavy_sums_add(&use->queued, &(struct heavy_sum){
		.key = task,
		.total = issued - interval->begin,
		.count = 1,
		.extra = end - interval->begin,
	});
}

/* The task and direction that used most of the device's time; NULL: none stands out. `others`: only
   tasks that are not asked for count. */
static const struct heavy_sum *use_most(const struct disk_uses *uses, const struct disk_use *use,
                                        bool others)
{
	const struct heavy_sum *most = NULL;

	for (size_t i = 0; i < use->by_task.count; i++) {
		const struct heavy_sum *sum = heavy_sums_at(&use->by_task, i);
		uint32_t track = (uint32_t)(sum->key >> 2);

		if (track != TRACK_NONE && !(others && uses->question->resolved->is_asked[track]) &&
		    (!most || sum->total > most->total))
			most = sum;
	}
	return most && nsec_ratio(most->total, use->total) >= MOST_LEAST ? most : NULL;
}

/* "91 % of that for writes of bulk[7] (1.2 GiB)" */
static void user_append(const struct disk_uses *uses, const struct disk_use *use,
                        const struct heavy_sum *user, struct buffer *to)
{
	static const char *const words[DISK_DIRECTIONS] = {"reads", "writes", "flushes"};

	buffer_printf(to, "%.0f %% of that for %s of ", 100 * nsec_ratio(user->total, use->total),
	              words[user->key & 3]);
	prose_task_append(to, uses->question->timeline, (uint32_t)(user->key >> 2));
	buffer_printf(to, " (%s)", SIZE_TEXT(user->extra));
}

/* The time that requests of asked tasks stood in the queue, as a part of all their time. */
static double queue_part(const struct disk_uses *uses, const struct disk_use *use)
{
	nsec_t queued = 0, all = 0;

	for (size_t i = 0; i < use->queued.count; i++) {
		const struct heavy_sum *sum = heavy_sums_at(&use->queued, i);

		if (sum->key == TRACK_NONE || !uses->question->resolved->is_asked[sum->key])
			continue;
		queued += sum->total;
		all += sum->extra;
	}
	return nsec_ratio(queued, all);
}

/* Advice if the asked tasks' requests are in the queue while requests of other tasks use the
   device. */
static bool advise_queue(const struct disk_uses *uses, const struct disk_use *use,
                         struct buffer *to)
{
	const struct heavy_sum *other = use_most(uses, use, /* others= */ true);
	double queued = queue_part(uses, use);

	if (!other || queued < MOST_LEAST)
		return false;
	buffer_printf(to, "requests to disk %s were queued for %.0f %% of their time, while it was "
	                  "busy, ",
	              TIMELINE_DEVICE_TEXT(uses->question->timeline, use->dev),
	              100 * queued);
	user_append(uses, use, other, to);
	buffer_puts(to, ": defer these, or limit them (ionice, io.max).");
	return true;
}

/* How long the disk's machine was recorded. */
static nsec_t use_time(const struct disk_uses *uses, const struct disk_use *use)
{
	return machine_time(uses->question,
	                    device_names_host(&uses->question->timeline->devices, use->dev));
}

static bool advise_busy(const struct disk_uses *uses, const struct disk_use *use, struct buffer *to)
{
	const struct question *question = uses->question;
	double busy = nsec_ratio(use->busy.total, use_time(uses, use));
	const struct heavy_sum *user = use_most(uses, use, /* others= */ false);

	if (busy < BUSY_LEAST)
		return false;
	buffer_printf(to, "disk %s was busy for %.0f %% of the time, ",
	              TIMELINE_DEVICE_TEXT(uses->question->timeline, use->dev),
	              100 * busy);
	if (user)
		user_append(uses, use, user, to);
	else
		buffer_puts(to, "with requests of many tasks");
	buffer_puts(to, user && !question->resolved->is_asked[user->key >> 2]
	                        ? ": defer these, or limit them (ionice, io.max)."
	                        : ": fewer or larger requests, or another disk, would help.");
	return true;
}

/* The time that the asked tasks waited for that disk, as a part of all reported time. */
static double waited_for(const struct cost_list *list, uint32_t dev)
{
	nsec_t total = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct cost *cost = &list->cost[i];

		if (cost->kind == COST_WAIT && cost->cause.note->kind == CAUSE_DISK &&
		    cost->cause.note->as.disk.dev == dev)
			total += cost->total;
	}
	return nsec_ratio(total, list->total - list->apart);
}

static double disk_uses_advise(const void *state, const struct summary *summary,
                               const struct cost_list *list, struct buffer *to)
{
	const struct disk_uses *uses = state;
	const struct disk_use *most = NULL;
	double part = 0;

	(void)summary;
	for (size_t i = 0; i < uses->count; i++) {
		double waited = waited_for(list, uses->use[i].dev);

		if (waited < ADVICE_LEAST || waited <= part)
			continue;
		part = waited;
		most = &uses->use[i];
	}
	return most && (advise_queue(uses, most, to) || advise_busy(uses, most, to)) ? part : 0;
}

double disk_uses_busiest(const void *state, uint32_t machine, struct buffer *to)
{
	const struct disk_uses *uses = state;
	const struct disk_use *most = NULL;

	for (size_t i = 0; i < uses->count; i++)
		if (device_names_host(&uses->question->timeline->devices, uses->use[i].dev) ==
		            machine &&
		    (!most || uses->use[i].busy.total > most->busy.total))
			most = &uses->use[i];
	if (!most)
		return 0;
	buffer_puts(to, TIMELINE_DEVICE_TEXT(uses->question->timeline, most->dev));
	return nsec_ratio(most->busy.total, use_time(uses, most));
}

const struct advice disk_advice = {
	.view = "disk",
	.begin = disk_uses_begin,
	.on_interval = disk_uses_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_DISK),
	.advise = disk_uses_advise,
	.end = disk_uses_end,
};
