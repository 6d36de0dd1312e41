/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_objects.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "graph/timeline/interval.h"
#include "graph/timeline/timeline_tasks.h"

#define NAME_BYTES_MAX 512
#define PERFETTO_TITLE_BYTES 400

/* The track of an interval, and the interval's time before it is cut to the window. */
struct place {
	const char *category;
	uint32_t host;   /* of the machine */
	uint64_t number; /* of the device, CPU or machine */
	nsec_t begin, end;
	char title[PERFETTO_TITLE_BYTES]; /* of the track */
};

void perfetto_objects_init(struct perfetto_objects *objects, struct perfetto_tracks *tracks)
{
	*objects = (struct perfetto_objects){.tracks = tracks};
	map_init(&objects->by_object);
}

void perfetto_objects_release(struct perfetto_objects *objects)
{
	for (size_t i = 0; i < objects->count; i++)
		free(objects->lanes[i].end);
	free(objects->lanes);
	free(objects->early);
	map_release(&objects->by_object);
}

/* The lanes of the object's track; valid until the next call. */
static struct perfetto_lanes *lanes_of(struct perfetto_objects *objects, enum interval_kind kind,
                                       uint64_t number)
{
	uint64_t key = (uint64_t)kind << 32 | number;
	uint32_t index = map_get(&objects->by_object, key);

	if (index != MAP_NONE)
		return &objects->lanes[index];
	index = (uint32_t)objects->count;
	map_put(&objects->by_object, key, index);
	ARRAY_ADD(objects->lanes, objects->count, objects->capacity) = (struct perfetto_lanes){0};
	return &objects->lanes[index];
}

/* Takes the lane that became free last before the interval began. Intervals come in order of their
   ends. */
static size_t lane_take(struct perfetto_lanes *lanes, nsec_t begin, nsec_t end)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < lanes->count; i++)
		if (lanes->end[i] <= begin &&
		    (best == SIZE_MAX || lanes->end[i] > lanes->end[best]))
			best = i;
	if (best == SIZE_MAX) {
		if (lanes->count == PERFETTO_LANES_MAX)
			return SIZE_MAX;
		ARRAY_GROW(lanes->end, lanes->count, lanes->capacity);
		best = lanes->count++;
	}
	lanes->end[best] = end;
	return best;
}

static bool interval_is_lock(const struct interval *interval)
{
	return interval->kind == INTERVAL_LOCK || interval->kind == INTERVAL_TENURE;
}

static uint32_t interval_host(const struct timeline *timeline, const struct interval *interval)
{
	if (interval->kind == INTERVAL_DISK)
		return device_names_host(&timeline->devices, interval->disk.dev);
	if (interval_is_lock(interval) && interval->task != TRACK_NONE)
		return timeline->track[interval->task].host;
	return hosts_of_cpu(&timeline->hosts, interval->cpu);
}

static void place_find(const struct perfetto_objects *objects, const struct interval *interval,
                       struct place *ret)
{
	const struct timeline *timeline = objects->tracks->timeline;
	const bool is_disk = interval->kind == INTERVAL_DISK;
	const uint32_t host = interval_host(timeline, interval);

	*ret = (struct place){
		.host = host,
		.number = is_disk ? interval->disk.dev : interval->cpu,
		.begin = is_disk ? interval->begin : interval_started(interval),
		.end = interval->end,
	};
	if (is_disk) {
		ret->category = "disk";
		(void)snprintf(ret->title, sizeof(ret->title), "disk %s",
		               TIMELINE_DEVICE_TEXT(timeline, interval->disk.dev));
	} else if (interval->kind == INTERVAL_LOCK) {
		ret->category = "lock";
	} else if (interval->kind == INTERVAL_TENURE) {
		ret->category = "lock_held";
		ret->number = host;
		(void)snprintf(ret->title, sizeof(ret->title), "file locks held%s",
		               PERFETTO_OF(objects->tracks, host));
	} else if (interval->kind == INTERVAL_WORK) {
		ret->category = "work";
		ret->number = host;
		(void)snprintf(ret->title, sizeof(ret->title), "work items%s",
		               PERFETTO_OF(objects->tracks, host));
	} else {
		ret->category = interval->kind == INTERVAL_SOFTIRQ ? "softirq"
		                : interval->kind == INTERVAL_IRQ   ? "irq"
		                                                   : "ipi";
		(void)snprintf(ret->title, sizeof(ret->title), "%s of CPU %" PRIu32 "%s",
		               interval->kind == INTERVAL_SOFTIRQ ? "soft interrupts"
		                                                  : "interrupts",
		               hosts_own_cpu(&timeline->hosts, interval->cpu),
		               PERFETTO_OF(objects->tracks, host));
	}
}

static const char *text_of(const struct perfetto_objects *objects, uint32_t id)
{
	return intern_text(&objects->tracks->timeline->names, id);
}

static bool lock_is_of_file(const struct lock_interval *lock)
{
	return lock->what == LOCK_OF_FLOCK || lock->what == LOCK_OF_POSIX;
}

static void lock_address_append(const struct lock_interval *lock, struct buffer *to)
{
	if (lock_is_of_file(lock))
		buffer_printf(to, "%s:%" PRIu64, DEVICE_TEXT(lock->dev), lock->address);
	else
		buffer_printf(to, "0x%" PRIx64, lock->address);
}

static void lock_name_append(const struct perfetto_objects *objects,
                             const struct lock_interval *lock, struct buffer *to)
{
	const struct timeline *timeline = objects->tracks->timeline;
	uint32_t path = lock_is_of_file(lock)
	                        ? file_names_find(&timeline->files, lock->dev, lock->address)
	                        : 0;
	const char *name = text_of(objects, path ? path : lock->name);

	buffer_printf(to, path ? "%s on " : "%s ", lock_kind_name(lock_kind_of_interval(lock)));
	if (*name)
		buffer_puts_clean(to, name, strlen(name));
	else
		lock_address_append(lock, to);
}

static void name_append(const struct perfetto_objects *objects, const struct interval *interval,
                        struct buffer *to)
{
	const char *name;

	if (interval->kind == INTERVAL_DISK) {
		buffer_puts(to, request_word(text_of(objects, interval->disk.rwbs)));
		if (interval->disk.bytes)
			buffer_printf(to, " %s", SIZE_TEXT(interval->disk.bytes));
		return;
	}
	if (interval_is_lock(interval)) {
		lock_name_append(objects, &interval->lock, to);
		return;
	}
	name = text_of(objects, interval->kind == INTERVAL_WORK ? interval->work.name
	                                                        : interval->irq.name);
	if (*name)
		buffer_puts_clean(to, name, strlen(name));
	else if (interval->kind == INTERVAL_WORK)
		buffer_printf(to, "0x%" PRIx64, interval->work.function);
	else
		buffer_printf(to, "%" PRId32, interval->irq.number);
}

static void task_put(struct perfetto_objects *objects, struct perfetto_file *file,
                     const char *key, uint32_t task_track, nsec_t time)
{
	struct task task;

	if (task_track == TRACK_NONE)
		return;
	task = timeline_task(objects->tracks->timeline, task_track, time);
	perfetto_slice_group(file, key);
	perfetto_slice_task(file, &task);
	perfetto_slice_group_end(file);
}

static void lock_put(struct perfetto_objects *objects, struct perfetto_file *file,
                     const struct interval *interval)
{
	const struct lock_interval *lock = &interval->lock;
	_cleanup_(buffer_release) struct buffer address = buffer_of(NAME_BYTES_MAX);

	lock_address_append(lock, &address);
	perfetto_slice_group(file, "lock");
	perfetto_slice_string(file, "kind", lock_kind_name(lock_kind_of_interval(lock)));
	perfetto_slice_string(file, "address", address.text);
	perfetto_slice_group_end(file);
	if (interval->kind == INTERVAL_TENURE) {
		task_put(objects, file, "owner", interval->task, interval->begin);
		return;
	}
	perfetto_slice_number(file, "slept", lock->has_slept);
	task_put(objects, file, "owner", interval->other, interval->end);
	if (interval->other != TRACK_NONE)
		perfetto_slice_string(file, "confidence",
		                      confidence_name(lock->owner_confidence));
}

static void details_put(struct perfetto_objects *objects, struct perfetto_file *file,
                        const struct interval *interval)
{
	nsec_t queued = interval->phase[PHASE_QUEUED], started = interval->phase[PHASE_STARTED];

	if (queued != NSEC_NEVER && started != NSEC_NEVER && started >= queued)
		perfetto_slice_number(file, "queue_ns", (int64_t)(started - queued));
	if (interval->is_open)
		perfetto_slice_number(file, "open", 1);
	if (interval->kind == INTERVAL_DISK) {
		perfetto_slice_number(file, "sector", (int64_t)interval->disk.sector);
		perfetto_slice_number(file, "bytes", (int64_t)interval->disk.bytes);
		task_put(objects, file, "submitter", interval->task, interval->begin);
	} else if (interval->kind == INTERVAL_WORK) {
		task_put(objects, file, "queuer", interval->task, interval->begin);
		task_put(objects, file, "worker", interval->other, interval->end);
	} else if (interval_is_lock(interval)) {
		lock_put(objects, file, interval);
	} else {
		perfetto_slice_number(file, "number", interval->irq.number);
	}
}

/* Whether the task_track is a task for Perfetto. Idle tasks are not: all of them would be one
   thread without a process. */
static bool task_is_real(const struct perfetto_objects *objects, uint32_t task_track)
{
	return task_track != TRACK_NONE && !objects->tracks->timeline->track[task_track].is_idle;
}

/* The uuid of the track with a free lane; 0: none is free. */
static uint64_t track_find(struct perfetto_objects *objects, const struct interval *interval,
                           const struct place *place, nsec_t begin, nsec_t end)
{
	enum track_kind kind = TRACK_OBJECTS + (unsigned)interval->kind;
	struct perfetto_lanes *lanes;
	size_t lane;

	/* these need no lanes: a task contends for one lock, or for another lock inside that
	   contention */
	if (interval->kind == INTERVAL_LOCK)
		return task_is_real(objects, interval->task)
		               ? perfetto_task_track(objects->tracks, TRACK_LOCKS, interval->task)
		               : 0;
	lanes = lanes_of(objects, interval->kind, place->number);
	lane = lane_take(lanes, begin, end);
	if (lane == SIZE_MAX)
		return 0;
	lane += (size_t)(lanes - objects->lanes) * PERFETTO_LANES_MAX;
	return perfetto_track(objects->tracks, &objects->tracks->file[place->host], kind, lane,
	                      place->title);
}

static void in_flight_count_put(struct perfetto_objects *objects, uint32_t dev, nsec_t time,
                                uint32_t count)
{
	struct perfetto_tracks *tracks = objects->tracks;
	struct perfetto_file *file =
		&tracks->file[device_names_host(&tracks->timeline->devices, dev)];
	char name[PERFETTO_TITLE_BYTES];

	(void)snprintf(name, sizeof(name), "requests in flight on %s",
	               TIMELINE_DEVICE_TEXT(tracks->timeline, dev));
	perfetto_counter_put(file, time,
	                     perfetto_counter(tracks, file, TRACK_IN_FLIGHT, dev, name), count);
}

/*
 * Writes the number of requests in flight at that time. Changes may come out of order, so absolute
 * numbers are written, not differences. Of the numbers before the exported window, the last is
 * kept.
 */
static void in_flight_put(struct perfetto_objects *objects, uint32_t dev, nsec_t time,
                          uint32_t count)
{
	const struct perfetto_tracks *tracks = objects->tracks;
	struct perfetto_lanes *lanes;

	if (time >= tracks->begin) {
		if (time < tracks->end)
			in_flight_count_put(objects, dev, time, count);
		return;
	}
	lanes = lanes_of(objects, INTERVAL_DISK, dev);
	if (time < lanes->in_flight_at)
		return;
	lanes->dev = dev;
	lanes->in_flight = count;
	lanes->in_flight_at = time;
}

static void in_flight_add(struct perfetto_objects *objects, const struct interval *interval)
{
	const nsec_t issued = interval->phase[PHASE_STARTED];
	const struct disk_interval *disk = &interval->disk;

	if (issued != NSEC_NEVER && disk->depth)
		in_flight_put(objects, disk->dev, issued, disk->depth);
	if (!interval->is_open)
		in_flight_put(objects, disk->dev, interval->end, disk->left);
}

static void interval_put(struct perfetto_objects *objects, const struct interval *interval)
{
	_cleanup_(buffer_release) struct buffer name = buffer_of(NAME_BYTES_MAX);
	struct perfetto_file *file;
	struct place place;
	nsec_t begin, end;
	uint64_t uuid;

	place_find(objects, interval, &place);
	file = &objects->tracks->file[place.host];
	begin = place.begin;
	end = place.end;
	uuid = perfetto_cut(objects->tracks, &begin, &end)
	               ? track_find(objects, interval, &place, begin, end)
	               : 0;
	if (uuid == 0)
		return;
	name_append(objects, interval, &name);
	(void)perfetto_slice_begin(file, begin, uuid, TYPE_BEGIN);
	perfetto_slice_name(file, place.category, name.text);
	details_put(objects, file, interval);
	perfetto_slice_cut(objects->tracks, file, place.begin, place.end);
	perfetto_slice_end(file);
	perfetto_slice_close(file, end, uuid);
}

/* Whether the interval must be kept until the end. Of slices that begin at the same time, the outer
   one must be written first, but intervals come in order of their ends. */
static bool interval_is_early(const struct perfetto_objects *objects,
                              const struct interval *interval)
{
	return interval->kind == INTERVAL_LOCK && interval->begin <= objects->tracks->begin &&
	       interval->end >= objects->tracks->begin;
}

void perfetto_objects_add(struct perfetto_objects *objects, const struct interval *interval)
{
	if (interval_is_early(objects, interval)) {
		ARRAY_ADD(objects->early, objects->early_count, objects->early_capacity) =
			*interval;
		return;
	}
	interval_put(objects, interval);
	if (interval->kind == INTERVAL_DISK)
		in_flight_add(objects, interval);
}

void perfetto_objects_end(struct perfetto_objects *objects)
{
	while (objects->early_count > 0)
		interval_put(objects, &objects->early[--objects->early_count]);
	for (size_t i = 0; i < objects->count; i++)
		if (objects->lanes[i].in_flight)
			in_flight_count_put(objects, objects->lanes[i].dev,
			                    objects->tracks->begin, objects->lanes[i].in_flight);
}
