/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Block requests by device: how long they were in the queue and in the device, which requests were
 * the slowest and what was ahead of them, and which tasks waited while requests of other tasks were
 * there. A window contains the requests that were issued in it, as a whole. A request that the end
 * of the trace cuts counts only as one that others waited for.
 *
 * Requests are reported in order of their ends (interval.h). Some figures also depend on
 * requests that are still in flight at that time: which requests were ahead (disk_slowest.h), and
 * by how much the waiting of two tasks overlaps. They are completed when these requests end.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/machine_time.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "disk_request.h"
#include "disk_tables.h"
#include "disk_view.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"

/* With this many the view takes some hundred MB. */
#define DEVICES_MAX (1u << 12)
#define TASKS_MAX   (1u << 16)
#define PAIRS_MAX   (1u << 17)

static void disk_add(void *state, const struct interval *interval);

static void disk_begin(void *state)
{
	struct disk_view *view = state;
	const struct question *question = view->question;

	view->gate.take = disk_add;
	view->gate.wide_kinds = INTERVAL_MASK_ALL;
	disk_files_init(&view->files);
	disk_slowest_init(&view->slowest, question);
	held_requests_init(&view->held, question);
	tally_init(&view->devices, sizeof(*view->device), sizeof(*view->device), DEVICES_MAX);
	tally_init(&view->tasks, sizeof(*view->task), sizeof(*view->task), TASKS_MAX);
	tally_init(&view->pairs, sizeof(*view->pair), sizeof(view->pair->task), PAIRS_MAX);
}

static void disk_sum_release(struct disk_sum *sum)
{
	distribution_release(&sum->queue);
	distribution_release(&sum->device);
}

static void disk_end(void *state)
{
	struct disk_view *view = state;

	for (size_t i = 0; i < view->device_count; i++) {
		coverage_release(&view->device[i].busy);
		free(view->device[i].ended.request);
	}
	for (size_t i = 0; i < view->task_count; i++) {
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			disk_sum_release(&view->task[i].sum[way]);
		coverage_release(&view->task[i].waiting);
		free(view->task[i].slowest.request);
	}
	disk_files_release(&view->files);
	disk_slowest_release(&view->slowest);
	held_requests_release(&view->held);
	free(view->slowest_of_all.request);
	tally_release(&view->devices);
	tally_release(&view->tasks);
	tally_release(&view->pairs);
	interval_gate_release(&view->gate);
}

/* The device; NULL if it is beyond the limit. */
static struct disk_device *device_find(struct disk_view *view, uint32_t dev)
{
	struct disk_device *found = tally_get(&view->devices, dev);

	return found ? found
	             : tally_make(&view->devices, dev,
	                          &(struct disk_device){.dev = dev, .newest = MAP_NONE});
}

static struct disk_task *disk_task_find(struct disk_view *view, uint32_t device, uint32_t task)
{
	uint64_t key = (uint64_t)device << 32 | task;
	struct disk_task *found = tally_get(&view->tasks, key);

	return found ? found
	             : tally_make(&view->tasks, key, &(struct disk_task){.device = device,
	                                                                  .task = task,
	                                                                  .older = MAP_NONE,
	                                                                  .newer = MAP_NONE});
}

/*
 * A task waits for a device while any of its requests is queued or in flight there. The overlap of
 * two tasks' waiting is found when the later of two overlapping requests ends, so that each instant
 * is counted once for a pair.
 */
struct newcomer {
	struct disk_view *view;
	uint32_t task;
};

/* The task is newly known to wait in [begin, end): adds the overlap with the waiting of each other
   task, latest first. */
static void on_waiting(void *state, nsec_t begin, nsec_t end)
{
	const struct newcomer *newcomer = state;
	struct disk_view *view = newcomer->view;
	uint32_t device = view->task[newcomer->task].device;

	for (uint32_t i = view->device[device].newest; i != MAP_NONE; i = view->task[i].older) {
		const struct disk_task *other = &view->task[i];
		nsec_t overlap;
		struct disk_pair *pair;

		/* its own list is being changed */
		if (i == newcomer->task)
			continue;
		if (coverage_end(&other->waiting) <= begin)
			break;
		overlap = coverage_within(&other->waiting, begin, end);
		if (overlap == 0)
			continue;
		/* the lower number first */
		pair = tally_row(&view->pairs, i < newcomer->task
		                                       ? (uint32_t[]){i, newcomer->task}
		                                       : (uint32_t[]){newcomer->task, i});
		if (pair)
			pair->overlap += overlap;
	}
}

static void task_unlink(struct disk_view *view, uint32_t index)
{
	struct disk_task *task = &view->task[index];
	struct disk_device *device = &view->device[task->device];

	if (task->newer != MAP_NONE)
		view->task[task->newer].older = task->older;
	else if (device->newest == index)
		device->newest = task->older;
	if (task->older != MAP_NONE)
		view->task[task->older].newer = task->newer;
}

static void task_link(struct disk_view *view, uint32_t index)
{
	struct disk_task *task = &view->task[index];
	struct disk_device *device = &view->device[task->device];

	task->older = device->newest;
	task->newer = MAP_NONE;
	if (device->newest != MAP_NONE)
		view->task[device->newest].newer = index;
	device->newest = index;
}

static void contention_add(struct disk_view *view, uint32_t task, nsec_t begin, nsec_t end)
{
	struct newcomer newcomer = {view, task};

	if (begin >= end)
		return;
	coverage_add(&view->task[task].waiting, begin, end, on_waiting, &newcomer);
	if (view->device[view->task[task].device].newest == task)
		return;
	task_unlink(view, task);
	task_link(view, task);
}

/* Counts it in the figures of its task and device. */
static void request_count(struct disk_view *view, struct disk_task *task,
                          const struct disk_request *request, const struct interval *interval)
{
	enum disk_direction way = disk_request_direction(view->question->timeline, interval);
	struct disk_sum *sum = &task->sum[way];
	nsec_t queued = interval->phase[PHASE_QUEUED];
	struct disk_device *device = &view->device[task->device];

	sum->requests++;
	sum->bytes += request->bytes;
	sum->errors += interval->disk.error != 0;
	if (interval->disk.depth > device->depth_max)
		device->depth_max = interval->disk.depth;
	if (request->issued == NSEC_NEVER)
		return;
	distribution_add(&sum->device, request->end - request->issued, request->issued);
	if (queued != NSEC_NEVER)
		distribution_add(&sum->queue, request->issued - queued, queued);
	disk_files_add(&view->files, request, interval);
	disk_slowest_add(&view->slowest,
	                 question_has_filter(view->question) ? &task->slowest
	                                                     : &view->slowest_of_all,
	                 &device->ended, request, interval);
}

static bool request_counts(const struct disk_view *view, const struct interval *interval)
{
	const struct question *question = view->question;

	return !interval->is_open && interval->end - interval->begin >= question->asked->min &&
	       question_asks_cpu(question, interval->cpu) &&
	       (!question_may_be_windowed(question) ||
	        question_contains(question, question_instant_of(question, interval)));
}

/* Adds the time in which the request existed and its time in the device, cut to the window. */
static void request_cover(struct disk_view *view, uint32_t task,
                          const struct disk_request *request)
{
	const struct question *question = view->question;
	nsec_t begin = request->begin, issued = request->issued, end = request->end;

	if (question_may_be_windowed(question)) {
		begin = nsec_max(begin, question->resolved->begin);
		issued = nsec_max(issued, question->resolved->begin);
		end = nsec_min(end, question->resolved->end);
	}
	if (issued < end)
		coverage_add(&view->device[view->task[task].device].busy, issued, end, NULL, NULL);
	contention_add(view, task, begin, end);
}

static void disk_add(void *state, const struct interval *interval)
{
	struct disk_view *view = state;
	struct disk_request request = {
		.dev = interval->disk.dev,
		.task = disk_request_task(view->question->timeline, interval),
		.begin = interval->begin,
		.issued = interval->phase[PHASE_STARTED],
		.end = interval->end,
		.bytes = interval->disk.bytes,
	};
	struct disk_device *device = device_find(view, request.dev);
	struct disk_task *task =
		device ? disk_task_find(view, tally_number(&view->devices, device), request.task)
		       : NULL;

	if (!task) {
		view->left_out++;
		return;
	}
	request_cover(view, tally_number(&view->tasks, task), &request);
	if (interval->is_open)
		device->open++;
	if (request_counts(view, interval))
		request_count(view, task, &request, interval);
	disk_slowest_pass(&view->slowest, &device->ended, &request);
}

static void disk_on_span(void *state, const struct span *span)
{
	struct disk_view *view = state;

	held_requests_add(&view->held, span);
}

static void disk_resolve(void *state)
{
	struct disk_view *view = state;

	held_requests_resolve(&view->held);
	interval_gate_resolve(view);
}

static void sum_merge(struct disk_sum *sum, const struct disk_sum *more)
{
	sum->requests += more->requests;
	sum->bytes += more->bytes;
	sum->errors += more->errors;
	distribution_merge(&sum->queue, &more->queue);
	distribution_merge(&sum->device, &more->device);
}

/* Sums requests, bytes and times of the asked tasks; direction DISK_DIRECTIONS: all. */
static void disk_sum_of(const struct disk_view *view, uint32_t device, unsigned direction,
                        struct disk_sum *ret)
{
	*ret = (struct disk_sum){0};
	EACH_OF(view->task, view->task_count, const struct disk_task, task) {
		if (task->device != device || !disk_is_asked(view->question, task->task))
			continue;
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			if (direction == DISK_DIRECTIONS || direction == way)
				sum_merge(ret, &task->sum[way]);
	}
}

static uint32_t disk_machine(const struct disk_view *view, uint32_t device)
{
	return device_names_host(&view->question->timeline->devices, view->device[device].dev);
}

/* How long its machine was recorded. */
static nsec_t disk_time(const struct disk_view *view, uint32_t device)
{
	return machine_time(view->question, disk_machine(view, device));
}

/* Appends "1.4 MiB/s": the rate of so many bytes while the device's machine was recorded. */
static void rate_append(struct buffer *to, const struct disk_view *view, uint32_t device,
                        uint64_t bytes)
{
	buffer_printf(to, "%s/s", SIZE_TEXT(nsec_per_second(bytes, disk_time(view, device))));
}

/* A device with the asked tasks' share of it. */
struct device_row {
	uint32_t index, machine;
	struct disk_sum all, way[DISK_DIRECTIONS];
	nsec_t busy;
	uint64_t depth_max, open;
};

#define AT(member) RELATION_AT(struct device_row, member)

enum {
	DEVICE_DEV = 1,
	DEVICE_SIZE = 6,
	DEVICE_RATE,
	DEVICE_BUSY_SHARE = 11,
};

static const struct field device_fields[] = {
	{MACHINE_COLUMN, AT(machine)},
	DISK_DEV_FIELDS(DEVICE_DEV, 0),
	{"requests", "REQUESTS", CELL_COUNT, COLUMN_SPARE(7), AT(all.requests)},
	{"bytes", NULL, CELL_COUNT, 0, AT(all.bytes)},
	[DEVICE_SIZE] = {NULL, "SIZE", CELL_TEXT, COLUMN_SPARE(4), FILLED},
	[DEVICE_RATE] = {NULL, "RATE", CELL_TEXT, COLUMN_SPARE(6), FILLED},
	{"queue", "QUEUE P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2), AT(all.queue)},
	{"device", "DEVICE P50 / P99 / MAX", CELL_DISTRIBUTION, 0, AT(all.device)},
	{"busy_ns", NULL, CELL_DURATION, 0, AT(busy)},
	[DEVICE_BUSY_SHARE] = {NULL, "BUSY", CELL_RATIO, 0, FILLED},
	{"in_flight_max", "IN FLIGHT", CELL_COUNT, COLUMN_USEFUL(1), AT(depth_max)},
	{"reads", "READS", CELL_COUNT, COLUMN_SPARE(2), AT(way[DISK_READ].requests)},
	{"writes", "WRITES", CELL_COUNT, COLUMN_SPARE(2), AT(way[DISK_WRITE].requests)},
	{"errors", NULL, CELL_COUNT, 0, AT(all.errors)},
	{"open", NULL, CELL_COUNT, 0, AT(open)},
};
#undef AT

static void device_fill(const void *of_view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct disk_view *view = of_view;
	const struct device_row *row = of;
	/* what is discarded is not transferred */
	uint64_t moved = row->way[DISK_READ].bytes + row->way[DISK_WRITE].bytes;

	disk_dev_fill(view->question->timeline, view->device[row->index].dev, &cell[DEVICE_DEV],
	              &text[DEVICE_DEV]);
	buffer_puts(&text[DEVICE_SIZE], SIZE_TEXT(moved));
	rate_append(&text[DEVICE_RATE], view, row->index, moved);
	cell[DEVICE_BUSY_SHARE].ratio = nsec_ratio(row->busy, disk_time(view, row->index));
}

static const struct relation_form device_form = {
	"devices", "Devices, by the time they were busy", FIELDS(device_fields),
	.next = "--disk --from {from:device} --to {to:device+device}",
	.fill = device_fill,
};

struct direction_row {
	uint32_t index, machine;
	const char *direction;
	uint64_t requests, bytes;
	const struct distribution *queue, *device;
};

#define AT(member) RELATION_AT(struct direction_row, member)

enum {DIRECTION_DEV = 1, DIRECTION_SIZE = 7, DIRECTION_RATE};

/* NOLINTBEGIN(bugprone-sizeof-expression): distributions are pointers, and that size is meant */
static const struct field direction_fields[] = {
	{MACHINE_COLUMN, AT(machine)},
	DISK_DEV_FIELDS(DIRECTION_DEV, 0),
	{"direction", "DIRECTION", CELL_TEXT, 0, RELATION_STRING(struct direction_row, direction)},
	{"requests", "REQUESTS", CELL_COUNT, COLUMN_SPARE(7), AT(requests)},
	{"bytes", NULL, CELL_COUNT, 0, AT(bytes)},
	[DIRECTION_SIZE] = {NULL, "SIZE", CELL_TEXT, COLUMN_SPARE(4), FILLED},
	[DIRECTION_RATE] = {NULL, "RATE", CELL_TEXT, COLUMN_SPARE(6), FILLED},
	{"queue", "QUEUE P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2), AT(queue)},
	{"device", "DEVICE P50 / P99 / MAX", CELL_DISTRIBUTION, 0, AT(device)},
};
/* NOLINTEND(bugprone-sizeof-expression) */
#undef AT

static void direction_fill(const void *of_view, const void *of, struct cell *cell,
                           struct buffer *text)
{
	const struct disk_view *view = of_view;
	const struct direction_row *row = of;

	disk_dev_fill(view->question->timeline, view->device[row->index].dev, &cell[DIRECTION_DEV],
	              &text[DIRECTION_DEV]);
	buffer_puts(&text[DIRECTION_SIZE], SIZE_TEXT(row->bytes));
	rate_append(&text[DIRECTION_RATE], view, row->index, row->bytes);
}

static const struct relation_form direction_form = {
	"directions", "By direction", FIELDS(direction_fields),
	.next = "--disk --from {from:device} --to {to:device+device}",
	.fill = direction_fill,
};

/* The sentences with the answer. */

static uint64_t task_bytes(const struct disk_task *task)
{
	uint64_t bytes = 0;

	for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
		bytes += task->sum[way].bytes;
	return bytes;
}

/* The overlap of two tasks is equally long for both; the victim is the task that transferred less.
   So the overlap is weighted with the rival's share of the bytes of both. */
static double victim_weight(const struct disk_view *view, const struct victim *victim)
{
	const struct disk_task *task = &view->task[victim->task];
	double own = (double)task_bytes(task), other;

	if (victim->count == 0)
		return 0;
	other = (double)task_bytes(&view->task[victim->rival[0].task]);
	return own + other > 0 ? (double)victim->rival[0].overlap * other / (own + other) : 0;
}

static void victim_print(const struct disk_view *view, const struct victim *victims,
                         const struct output *to)
{
	const struct victim *worst = NULL;
	const struct disk_task *task;
	double weight = 0;
	nsec_t queue = 0, device = 0;
	uint64_t queued = 0;
	_cleanup_(buffer_release) struct buffer rivals = {0};

	for (size_t i = 0; i < view->task_count; i++) {
		double own = victim_weight(view, &victims[i]);

		if (own > weight) {
			weight = own;
			worst = &victims[i];
		}
	}
	if (!worst)
		return;
	task = &view->task[worst->task];
	for (unsigned way = 0; way < DISK_DIRECTIONS; way++) {
		queued += task->sum[way].queue.count;
		queue += task->sum[way].queue.total;
		device += task->sum[way].device.total;
	}
	victim_rivals_append(&rivals, view, worst);
	say_to(to, view->question->timeline,
	       "[{task}|a task not recorded] waited {time} for {device}[: {ratio} in the queue, "
	       "{ratio} in the device]; ahead of it: {text}.",
	       TASK(task->task), TIME(task->waiting.total),
	       DEVICE(view->device[task->device].dev),
	       WHEN(queued, RATIO(nsec_ratio(queue, queue + device))),
	       RATIO(nsec_ratio(device, queue + device)), TEXT(rivals.text));
}

static void device_print(const struct disk_view *view, const struct device_row *row,
                         const struct output *to)
{
	const struct disk_device *device = &view->device[row->index];
	struct distribution_sum served;

	distribution_sum(&row->all.device, &served);
	say_to(to, view->question->timeline,
	       "{device} was busy {ratio} of the time, with at most {count} in flight[; half of "
	       "the requests took less than {time}, one in a hundred more than {time}].[ Failed: "
	       "{count}.][ In flight when the trace ended: {count}.]",
	       DEVICE(device->dev),
	       RATIO(nsec_ratio(device->busy.total, disk_time(view, row->index))),
	       COUNT(device->depth_max), WHEN(served.count, TIME(served.p50)), TIME(served.p99),
	       WHEN(row->all.errors, COUNT(row->all.errors)),
	       WHEN(device->open, COUNT(device->open)));
}

static void disk_print(const struct disk_view *view, const struct device_row *rows, size_t count,
                       const struct victim *victims, const struct output *to)
{
	held_requests_print(&view->held, to);
	victim_print(view, victims, to);
	if (count)
		device_print(view, &rows[0], to);
	else
		prose_put(to, "No request completed.");
}

static int device_compare(const void *a, const void *b, const struct disk_view *view)
{
	const struct device_row *x = a, *y = b;
	nsec_t busy[] = {view->device[x->index].busy.total, view->device[y->index].busy.total};

	if (busy[0] != busy[1])
		return busy[0] > busy[1] ? -1 : 1;
	return view->device[x->index].dev < view->device[y->index].dev ? -1 : 1;
}

/* Devices with requests of asked tasks, busiest first. */
static struct device_row *rows_new(const struct disk_view *view, size_t *ret_count)
{
	struct device_row *rows = xcalloc(view->device_count, sizeof(*rows));
	size_t count = 0;

	for (uint32_t i = 0; i < view->device_count; i++) {
		struct device_row row = {
			.index = i,
			.machine = disk_machine(view, i),
			.busy = view->device[i].busy.total,
			.depth_max = view->device[i].depth_max,
			.open = view->device[i].open,
		};
		size_t at = count;

		disk_sum_of(view, i, DISK_DIRECTIONS, &row.all);
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			disk_sum_of(view, i, way, &row.way[way]);
		if (row.all.requests == 0 && view->device[i].open == 0)
			continue;
		for (; at > 0 && device_compare(&row, &rows[at - 1], view) < 0; at--)
			rows[at] = rows[at - 1];
		rows[at] = row;
		count++;
	}
	*ret_count = count;
	return rows;
}

static void rows_free(struct device_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		disk_sum_release(&rows[i].all);
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			disk_sum_release(&rows[i].way[way]);
	}
	free(rows);
}

static void devices_put(const struct disk_view *view, const struct device_row *rows, size_t count,
                        const struct output *to)
{
	static const char *const names[] = {"read", "write", "other"};
	struct tally devices = relation_of(rows, sizeof(*rows), count), directions;

	tally_init(&directions, sizeof(struct direction_row), 0, TALLY_NO_LIMIT);
	for (size_t i = 0; i < count; i++)
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++) {
			const struct disk_sum *sum = &rows[i].way[way];

			if (sum->requests)
				*(struct direction_row *)tally_add(&directions) =
					(struct direction_row){
						rows[i].index, rows[i].machine, names[way],
						sum->requests, sum->bytes, &sum->queue,
						&sum->device,
					};
		}
	relation_put(&devices, &device_form, view, view->question, to);
	relation_put(&directions, &direction_form, view, view->question, to);
	tally_release(&directions);
}

/* Bars of the busiest device. */
static void bars_put(const struct disk_view *view, const struct device_row *row,
                     const struct output *to)
{
	const struct timeline *timeline = view->question->timeline;
	uint32_t dev = view->device[row->index].dev;
	_cleanup_(buffer_release) struct buffer queue = {0}, itself = {0};

	say(&queue, timeline, "Time in the queue of {device}", DEVICE(dev));
	histogram_show_of(&row->all.queue, queue.text, to);
	say(&itself, timeline, "Time in the device {device}", DEVICE(dev));
	histogram_show_of(&row->all.device, itself.text, to);
}

static void limits_print(const struct disk_view *view)
{
	struct health *health = view->question->health;

	if (view->left_out)
		health_doubt(health,
		             "more devices or tasks than --disk has room for: %" PRIu64
		             " requests of others are left out",
		             view->left_out);
	if (view->pairs.left_out)
		health_doubt(health, "more tasks that shared a disk than --disk has room for: "
		                     "some are not named as being ahead of others");
	if (view->slowest.ahead_cut)
		health_doubt(health,
		             "of %" PRIu64 " slow requests not everything that was ahead is known: "
		             "too many others completed before them",
		             view->slowest.ahead_cut);
}

/* The requests of the asked tasks by group. */
static void groups_put(const struct disk_view *view, const struct output *to)
{
	struct disk_groups groups;

	disk_groups_init(&groups, view->question);
	EACH_OF(view->task, view->task_count, const struct disk_task, task) {
		for (unsigned way = 0; way < DISK_DIRECTIONS; way++)
			if (disk_is_asked(view->question, task->task))
				disk_groups_add(&groups, task->task,
				                view->device[task->device].dev, &task->sum[way]);
	}
	disk_groups_put(&groups, to);
	disk_groups_release(&groups);
}

/* The requests of the asked tasks, by task and device. */
static void tasks_put(const struct disk_view *view, const struct output *to)
{
	struct disk_tasks tasks;

	disk_tasks_init(&tasks, view->question);
	EACH_OF(view->task, view->task_count, const struct disk_task, task) {
		if (disk_is_asked(view->question, task->task))
			disk_tasks_add(&tasks, task->task, view->device[task->device].dev,
			               task->sum, task->waiting.total);
	}
	disk_tasks_put(&tasks, to);
	disk_tasks_release(&tasks);
}

static void disk_report(const void *state, const struct output *to)
{
	const struct disk_view *view = state;
	size_t count;
	struct device_row *rows = rows_new(view, &count);
	struct victim *victims = victims_new(view);

	limits_print(view);
	output_section_begin(to, "disk", "Disks", /* is_list= */ false);
	if (!analysis_print_lack(&disk_analysis, view->question, to))
		disk_print(view, rows, count, victims, to);
	devices_put(view, rows, count, to);
	if (view->question->asked->by_group)
		groups_put(view, to);
	tasks_put(view, to);
	disk_files_put(&view->files, view->question, to);
	disk_slowest_put(&view->slowest, to);
	victims_show(view, victims, to);
	if (count)
		bars_put(view, &rows[0], to);
	output_section_end(to);
	victims_free(view, victims);
	rows_free(rows, count);
}

const struct analysis disk_analysis = {
	.name = "disk",
	.about = "disks: requests, queue and device time, which requests were ahead",
	.sort_keys = disk_sort_keys,
	.heeds = HEEDS_CPUS | HEEDS_MIN | HEEDS_TASKS | HEEDS_BY_GROUP,
	.needs = EVENT_LIST(EVENT_BLOCK_COMPLETE),
	.groups = "block",
	.state_bytes = sizeof(struct disk_view),
	.begin = disk_begin,
	.on_span = disk_on_span,
	.on_interval = interval_gate_pass,
	.interval_kinds = INTERVAL_MASK(INTERVAL_DISK),
	.resolve = disk_resolve,
	.report = disk_report,
	.end = disk_end,
};
