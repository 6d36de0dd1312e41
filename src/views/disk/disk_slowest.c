/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "disk_slowest.h"

#include <stdlib.h>

#include "analysis/tables/cells.h"
#include "analysis/tables/relation.h"
#include "base/data/array.h"
#include "base/data/heap.h"
#include "base/data/order.h"
#include "base/text/format.h"
#include "disk_request.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"

#define SLOWEST_MAX         1000
#define SLOWEST_OF_TASK_MAX 100
#define ENDED_MAX           (1u << 16) /* ended requests that are kept for each device */
#define AHEAD_MAX           64 /* tasks ahead of one request; further ones count as one unknown
                                  task */

/* The requests of one task that were ahead of a slow request. */
struct disk_ahead {
	uint32_t task; /* track; TRACK_NONE */
	uint64_t requests, bytes;
};

struct slow_request {
	struct disk_request request;
	nsec_t queued; /* NSEC_NEVER: not seen */
	uint64_t sector;
	uint32_t rwbs; /* name id */
	int64_t error;
	uint16_t file; /* as in struct disk_interval */
	bool is_sync;
	uint64_t number; /* in order of arrival: breaks ties */
	uint64_t weight; /* the value that --sort selects */
	struct disk_ahead *ahead;
	uint32_t ahead_count, ahead_capacity;
	struct slow_request *older, *newer; /* links of the list of all kept requests, in order
	                                       of their ends */
};

const char *const disk_sort_keys[] = {"time", "queue", "device", "bytes", NULL};

void disk_slowest_init(struct disk_slowest *slowest, const struct question *question)
{
	*slowest = (struct disk_slowest){
		.question = question,
		.sort = question_sort_key(question, disk_sort_keys),
	};
}

static uint64_t request_weight(const struct disk_slowest *slowest,
                               const struct disk_request *request)
{
	switch (slowest->sort) {
	case 1:
		return request->issued - request->begin;
	case 2:
		return request->end - request->issued;
	case 3:
		return request->bytes;
	default:
		return request->end - request->begin;
	}
}

static bool slow_is_less(struct slow_request *const *a, struct slow_request *const *b)
{
	return (*a)->weight != (*b)->weight ? (*a)->weight < (*b)->weight
	                                    : (*a)->number > (*b)->number;
}

static void slow_free(struct slow_request *slow)
{
	free(slow->ahead);
	free(slow);
}

static void slow_unlink(struct disk_slowest *slowest, struct slow_request *slow)
{
	if (slow->newer)
		slow->newer->older = slow->older;
	else
		slowest->newest = slow->older;
	if (slow->older)
		slow->older->newer = slow->newer;
}

static void heap_drop_least(struct disk_slowest *slowest, struct slowest_heap *heap)
{
	struct slow_request *least = heap->request[0];

	heap->request[0] = heap->request[--heap->count];
	HEAP_SIFT_DOWN(heap->request, heap->count, 0, slow_is_less);
	slow_unlink(slowest, least);
	slow_free(least);
}

static bool is_ahead(const struct disk_request *other, const struct disk_request *request)
{
	if (other->dev != request->dev)
		return false;
	return (other->begin < request->begin && other->end > request->begin) ||
	       (other->issued < request->issued && other->end > request->issued);
}

static void slow_count_ahead(struct slow_request *slow, const struct disk_request *other)
{
	struct disk_ahead *ahead = NULL;
	uint32_t task = other->task;

	for (uint32_t i = 0; i < slow->ahead_count && !ahead; i++)
		if (slow->ahead[i].task == task)
			ahead = &slow->ahead[i];
	if (!ahead && slow->ahead_count >= AHEAD_MAX && task != TRACK_NONE) {
		struct disk_request unknown = *other;

		unknown.task = TRACK_NONE;
		slow_count_ahead(slow, &unknown);
		return;
	}
	if (!ahead) {
		ARRAY_GROW_FROM(slow->ahead, slow->ahead_count, slow->ahead_capacity, 2);
		ahead = &slow->ahead[slow->ahead_count++];
		*ahead = (struct disk_ahead){.task = task};
	}
	ahead->requests++;
	ahead->bytes += other->bytes;
}

/* Looks through the ended requests, latest first, until it finds those that ended before the slow
   request was queued. */
static void slow_look_back(struct disk_slowest *slowest, struct slow_request *slow,
                           const struct ended_requests *ended)
{
	size_t kept = ended->count < ENDED_MAX ? ended->count : ENDED_MAX;

	for (size_t back = 1; back <= kept; back++) {
		const struct disk_request *other =
			&ended->request[(ended->count - back) % ENDED_MAX];

		if (other->end <= slow->request.begin)
			return;
		if (is_ahead(other, &slow->request))
			slow_count_ahead(slow, other);
	}
	slowest->ahead_cut += ended->since > slow->request.begin;
}

void disk_slowest_add(struct disk_slowest *slowest, struct slowest_heap *to,
                      const struct ended_requests *ended, const struct disk_request *request,
                      const struct interval *interval)
{
	size_t limit = question_has_filter(slowest->question) ? SLOWEST_OF_TASK_MAX : SLOWEST_MAX;
	uint64_t weight = request_weight(slowest, request);
	struct slow_request *slow;

	slowest->numbered++;
	if (to->count == limit && weight <= to->request[0]->weight)
		return;
	if (to->count == limit)
		heap_drop_least(slowest, to);
	slow = xcalloc(1, sizeof(*slow));
	*slow = (struct slow_request){
		.request = *request,
		.queued = interval->phase[PHASE_QUEUED],
		.sector = interval->disk.sector,
		.rwbs = interval->disk.rwbs,
		.error = interval->disk.error,
		.file = interval->disk.of.file,
		.is_sync = interval->disk.of.is_sync,
		.number = slowest->numbered,
		.weight = weight,
		.older = slowest->newest,
	};
	if (slow->older)
		slow->older->newer = slow;
	slowest->newest = slow;
	/* NOLINTNEXTLINE: pointers are meant */
	ARRAY_ADD(to->request, to->count, to->capacity) = slow;
	HEAP_SIFT_UP(to->request, to->count - 1, slow_is_less);
	slow_look_back(slowest, slow, ended);
}

void disk_slowest_pass(struct disk_slowest *slowest, struct ended_requests *ended,
                       const struct disk_request *request)
{
	struct disk_request *place;

	for (struct slow_request *slow = slowest->newest;
	     slow && slow->request.end > request->begin; slow = slow->older)
		if (is_ahead(request, &slow->request))
			slow_count_ahead(slow, request);
	if (ended->count < ENDED_MAX)
		ARRAY_GROW(ended->request, ended->count, ended->capacity);
	place = &ended->request[ended->count % ENDED_MAX];
	if (ended->count >= ENDED_MAX)
		ended->since = place->end;
	*place = *request;
	ended->count++;
}

void disk_slowest_release(struct disk_slowest *slowest)
{
	for (struct slow_request *slow = slowest->newest, *older; slow; slow = older) {
		older = slow->older;
		slow_free(slow);
	}
	*slowest = (struct disk_slowest){0};
}

#define AT(member) RELATION_AT(struct slow_request, member)

enum {
	REQUEST_DEV,
	REQUEST_SIZE = 5,
	REQUEST_QUEUE = 11,
	REQUEST_DEVICE,
	REQUEST_AHEAD = 14,
	REQUEST_AHEAD_WORDS,
	/* only if the file of some request is known */
	REQUEST_FILE,
	REQUEST_INODE,
	REQUEST_INODE_DEV,
	REQUEST_SYNC,
	REQUEST_FILE_WORDS,
	REQUEST_COLUMNS,
};

static const struct field fields[REQUEST_COLUMNS] = {
	DISK_DEV_FIELDS(REQUEST_DEV, COLUMN_USEFUL(2)),
	{"sector", "SECTOR", CELL_COUNT, COLUMN_NUMBER | COLUMN_SPARE(1), AT(sector)},
	{"bytes", NULL, CELL_COUNT, 0, AT(request.bytes)},
	[REQUEST_SIZE] = {NULL, "SIZE", CELL_TEXT, COLUMN_SPARE(2), FILLED},
	{"rwbs", "RWBS", CELL_TEXT, COLUMN_USEFUL(1), AT(rwbs)},
	{"task", "TASK", CELL_TASK, 0, AT(request.task)},
	{"submit_ns", NULL, CELL_INSTANT, 0, AT(queued)},
	{"issue_ns", "ISSUED", CELL_INSTANT, COLUMN_SPARE(3), AT(request.issued)},
	{"complete_ns", NULL, CELL_INSTANT, 0, AT(request.end)},
	[REQUEST_QUEUE] = {"queue_ns", "QUEUE", CELL_DURATION, 0, FILLED},
	[REQUEST_DEVICE] = {"device_ns", "DEVICE", CELL_DURATION, 0, FILLED},
	{"error", NULL, CELL_INTEGER, 0, AT(error)},
	[REQUEST_AHEAD] = {"ahead", NULL, CELL_ROWS, 0, FILLED},
	[REQUEST_AHEAD_WORDS] = {NULL, "AHEAD OF IT", CELL_TEXT, 0, FILLED},
	[REQUEST_FILE] = {"file", NULL, CELL_TEXT, 0, FILLED},
	[REQUEST_INODE] = {"inode", NULL, CELL_COUNT, COLUMN_NUMBER, FILLED},
	[REQUEST_INODE_DEV] = {"inode_dev", NULL, CELL_TEXT, 0, FILLED},
	[REQUEST_SYNC] = {"fsync", NULL, CELL_BOOL, 0, AT(is_sync)},
	[REQUEST_FILE_WORDS] = {NULL, "FILE", CELL_TEXT, 0, FILLED},
};

static const struct column ahead_columns[] = {
	{"task", "TASK", CELL_TASK, 0},
	{"requests", "REQUESTS", CELL_COUNT, 0},
	{"bytes", "BYTES", CELL_COUNT, 0},
};

ORDER_FUNCTION(ahead_compare, struct disk_ahead, FALLING(x, y, bytes), FALLING(x, y, requests),
               RISING(x, y, task))

/* "bulk[7] 31 of 31.0 MiB, reader[8] 1 of 4.0 KiB, 2 more". */
static void ahead_append(struct buffer *to, const struct timeline *timeline,
                         const struct slow_request *slow)
{
	for (uint32_t i = 0; i < slow->ahead_count && i < SHOWN_AHEAD; i++)
		say(to, timeline, "{,}[{task}|a task not recorded] {count} of {size}",
		    TASK(slow->ahead[i].task), COUNT(slow->ahead[i].requests),
		    SIZE(slow->ahead[i].bytes));
	say_more(to, slow->ahead_count, SHOWN_AHEAD);
	if (slow->ahead_count == 0)
		buffer_putc(to, '-');
}

/* The tasks whose requests were ahead. */
static struct cell_rows ahead_rows(const struct timeline *timeline, const struct slow_request *slow)
{
	struct cell *ahead = xcalloc(slow->ahead_count, ARRAY_SIZE(ahead_columns) * sizeof(*ahead));

	for (uint32_t i = 0; i < slow->ahead_count; i++) {
		struct cell *row = ahead + i * ARRAY_SIZE(ahead_columns);

		row[0] = cell_of_task_at(timeline, slow->ahead[i].task, slow->request.begin);
		row[1] = (struct cell){.type = CELL_COUNT, .count = slow->ahead[i].requests};
		row[2] = (struct cell){.type = CELL_COUNT, .count = slow->ahead[i].bytes};
	}
	return (struct cell_rows){
		.columns = ahead_columns,
		.column_count = ARRAY_SIZE(ahead_columns),
		.cells = ahead,
		.count = slow->ahead_count,
	};
}

static void request_fill(const void *of_timeline, const void *of, struct cell *cell,
                         struct buffer *text)
{
	const struct timeline *timeline = of_timeline;
	const struct slow_request *slow = of;
	const struct disk_request *request = &slow->request;
	bool is_queued = slow->queued != NSEC_NEVER;

	disk_dev_fill(timeline, request->dev, &cell[REQUEST_DEV], &text[REQUEST_DEV]);
	buffer_puts(&text[REQUEST_SIZE], SIZE_TEXT(request->bytes));
	cell[REQUEST_QUEUE].time = is_queued ? request->issued - slow->queued : NSEC_NEVER;
	cell[REQUEST_DEVICE].time = request->end - request->issued;
	array_sort(slow->ahead, slow->ahead_count, sizeof(*slow->ahead), ahead_compare);
	cell[REQUEST_AHEAD].rows = ahead_rows(timeline, slow);
	ahead_append(&text[REQUEST_AHEAD_WORDS], timeline, slow);
	if (slow->is_sync)
		buffer_puts(&text[REQUEST_FILE_WORDS], "fsync of ");
	disk_file_fill(timeline, slow->file, &cell[REQUEST_FILE], &text[REQUEST_FILE],
	               &text[REQUEST_FILE_WORDS]);
	if (!slow->file)
		cell[REQUEST_SYNC].type = cell[REQUEST_FILE_WORDS].type = CELL_EMPTY;
}

static struct evidence_claim request_claim(const void *timeline, const void *of)
{
	const struct slow_request *slow = of;

	(void)timeline;
	return (struct evidence_claim){
		.track = TRACK_NONE,
		.request = {slow->request.dev, slow->sector, slow->queued, slow->request.issued,
	                    slow->request.end},
	};
}

static void columns_adapt(const void *timeline, const struct relation_rows *rows,
                          struct column *shown)
{
	(void)timeline;
	for (size_t i = 0; i < rows->count; i++)
		if (((const struct slow_request *)rows->row[i])->file)
			return;
	for (size_t i = REQUEST_FILE; i < REQUEST_COLUMNS; i++)
		relation_drop(&shown[i]);
}

static const struct relation_form form = {
	"requests", "Slowest requests", fields, REQUEST_COLUMNS,
	/* of all tasks: the one that sent it may have gone on, and others' requests were ahead */
	.next = "--disk --from {from:submit_ns} --to {to:complete_ns}|"
	        "--disk --from {from:issue_ns} --to {to:complete_ns}",
	.task_time = {AT(request.begin)}, .fill = request_fill,
	.claim = request_claim, .adapt = columns_adapt,
};

static int slow_compare(const void *a, const void *b)
{
	struct slow_request *const *x = a, *const *y = b;

	return slow_is_less(y, x) ? -1 : slow_is_less(x, y);
}

void disk_slowest_put(const struct disk_slowest *slowest, const struct output *to)
{
	struct relation_rows rows = {0};
	size_t capacity = 0;

	for (struct slow_request *slow = slowest->newest; slow; slow = slow->older) {
		if (!disk_is_asked(slowest->question, slow->request.task))
			continue;
		/* NOLINTNEXTLINE: pointers are meant */
		ARRAY_ADD(rows.row, rows.count, capacity) = slow;
	}
	array_sort(rows.row, rows.count, sizeof(void *), slow_compare);
	if (rows.count > SLOWEST_MAX)
		rows.count = SLOWEST_MAX;
	relation_show(&form, &rows, slowest->question->timeline, slowest->question, to);
	relation_rows_release(&rows);
}
