/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "map_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/monotonic.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "recorder/machine/text_file.h"

#define RING_BYTES     (256u << 10) /* some hundred program starts */
#define PROCESSES_RING_BYTES (128u << 10) /* a thousand starts, or opens, without mappings */
#define SETTLE_NS      1000000
#define EVENTS_MAX     (1u << 18)
#define RECORD_MAX     65536u
#define TIME_BYTES     8u
#define MAP2_BYTES     64u /* before the path, without the header */
#define BUILD_ID_AT    32u /* its length, 3 bytes of padding, the build id */
#define BUILD_ID_ROOM  20u

#ifndef PERF_RECORD_MISC_MMAP_BUILD_ID
#define PERF_RECORD_MISC_MMAP_BUILD_ID (1 << 14)
#define ATTR_WANT_BUILD_ID(attr)
#else
#define ATTR_WANT_BUILD_ID(attr) ((attr)->build_id = 1)
#endif

struct map_ring {
	struct perf_event_mmap_page *head;
	const uint8_t *data;
};

/* The same opens are reported in one of two ways at a time. */
enum opens_way {
	OPENS_WAKE,   /* in the rings of the other events */
	OPENS_SILENT, /* in rings of their own, which wake only when they are half full */
	OPENS_WAYS,
};

struct opens {
	int *fd;
	size_t count, capacity;
};

struct map_events {
	int *fd;
	struct map_ring *ring; /* one for each */
	unsigned *cpu;         /* the same */
	size_t count;
	struct opens opens[OPENS_WAYS]; /* empty: not reported */
	int *silent_fd;           /* for each ring: the event that has the silent one */
	struct map_ring *silent;  /* the same; head NULL: none */
	enum opens_way way;
	struct open_point point[OPEN_POINTS_MAX];
	size_t point_count;
	size_t page_bytes, data_bytes;
	nsec_t settle;           /* a record may come this long after its time */
	struct map_event *waiting;
	size_t waiting_count, waiting_capacity;
};

/* u32 pid, tid; u64 address, length, offset; device and inode, or build id; protection; path */
static bool parse_map(const struct perf_event_header *header, const uint8_t *body, size_t size,
                      struct map_event *ret)
{
	size_t path_bytes;

	if (size < MAP2_BYTES + TIME_BYTES)
		return false;
	path_bytes = size - MAP2_BYTES - TIME_BYTES;
	ret->kind = MAP_EVENT_MAP;
	ret->tgid = (int32_t)load_u32(body, false);
	ret->begin = load_u64(body + 8, false);
	if (load_u64(body + 16, false) > UINT64_MAX - ret->begin)
		return false;
	ret->end = ret->begin + load_u64(body + 16, false);
	ret->offset = load_u64(body + 24, false);
	if (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		ret->has_build_id = body[BUILD_ID_AT] > 0 && body[BUILD_ID_AT] <= BUILD_ID_ROOM;
		if (ret->has_build_id)
			build_id_format(body + BUILD_ID_AT + 4, body[BUILD_ID_AT], ret->build_id);
	} else {
		ret->inode = load_u64(body + 40, false);
	}
	ret->path = xstrndup((const char *)body + MAP2_BYTES, path_bytes);
	return true;
}

bool map_event_parse(const void *record, size_t size, struct map_event *ret)
{
	struct perf_event_header header;
	const uint8_t *body = (const uint8_t *)record + sizeof(header);

	*ret = (struct map_event){0};
	if (size < sizeof(header) + 8 + TIME_BYTES)
		return false;
	memcpy(&header, record, sizeof(header));
	size -= sizeof(header);
	ret->time = load_u64(body + size - TIME_BYTES, false);
	if (header.type == PERF_RECORD_MMAP2)
		return parse_map(&header, body, size, ret);
	ret->tgid = (int32_t)load_u32(body, false);
	if (header.type == PERF_RECORD_COMM) {
		ret->kind = MAP_EVENT_EXEC;
		return header.misc & PERF_RECORD_MISC_COMM_EXEC;
	}
	ret->parent = (int32_t)load_u32(body + 4, false);
	ret->tid = (int32_t)load_u32(body + 8, false);
	ret->kind = ret->parent == ret->tgid ? MAP_EVENT_THREAD : MAP_EVENT_FORK;
	return header.type == PERF_RECORD_FORK;
}

/* A sample with TID, TIME and RAW: u32 pid, tid; u64 time; u32 size; the tracepoint's data, which
   begin with its number, as a u16. Numbers that cannot be descriptors are of calls that fail. */
#define SAMPLE_DATA_AT 20u

bool open_event_parse(const void *record, size_t size, const struct open_point *points,
                      size_t point_count, struct map_event *ret)
{
	struct perf_event_header header;
	const uint8_t *body = (const uint8_t *)record + sizeof(header);
	const struct open_point *point = NULL;
	uint16_t number;
	long value;

	*ret = (struct map_event){.kind = MAP_EVENT_OPEN};
	if (size < sizeof(header) + SAMPLE_DATA_AT + sizeof(number))
		return false;
	memcpy(&header, record, sizeof(header));
	size -= sizeof(header) + SAMPLE_DATA_AT;
	memcpy(&number, body + SAMPLE_DATA_AT, sizeof(number));
	for (size_t i = 0; i < point_count; i++)
		if (points[i].number == number)
			point = &points[i];
	if (header.type != PERF_RECORD_SAMPLE || !point || size < sizeof(value) ||
	    point->value_at > size - sizeof(value))
		return false;
	ret->kind = point->kind;
	ret->tgid = (int32_t)load_u32(body, false);
	ret->tid = (int32_t)load_u32(body + 4, false);
	ret->time = load_u64(body + 8, false);
	memcpy(&value, body + SAMPLE_DATA_AT + point->value_at, sizeof(value));
	ret->descriptor = (uint32_t)value;
	return ret->tgid > 0 && ret->tid > 0 &&
	       (ret->kind == MAP_EVENT_CONNECTED || (value >= 0 && value <= INT32_MAX));
}

static int event_open(unsigned cpu, enum map_events_kinds kinds, bool wants_build_id)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.exclude_kernel = 1,
		.mmap = kinds == MAP_EVENTS_ALL,
		.mmap2 = kinds == MAP_EVENTS_ALL,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = kinds == MAP_EVENTS_ALL ? RING_BYTES / 4 : 1,
	};
	long fd;

	if (wants_build_id)
		ATTR_WANT_BUILD_ID(&attr);
	fd = syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

/* Maps the ring of an event. */
static int ring_map(const struct map_events *events, int fd, struct map_ring *ret)
{
	void *memory = mmap(NULL, events->page_bytes + events->data_bytes, PROT_READ | PROT_WRITE,
	                    MAP_SHARED, fd, 0);

	if (memory == MAP_FAILED)
		return -errno;
	*ret = (struct map_ring){
		.head = memory,
		.data = (const uint8_t *)memory + events->page_bytes,
	};
	return 0;
}

static int events_open_cpu(struct map_events *events, enum map_events_kinds kinds, unsigned cpu)
{
	int fd = event_open(cpu, kinds, kinds == MAP_EVENTS_ALL), r;

	if (fd == -EINVAL || fd == -E2BIG)
		fd = event_open(cpu, kinds, false);
	if (fd < 0)
		return fd;
	r = ring_map(events, fd, &events->ring[events->count]);
	if (r < 0) {
		(void)close(fd);
		return r;
	}
	events->cpu[events->count] = cpu;
	events->fd[events->count++] = fd;
	return 0;
}

int map_events_open(enum map_events_kinds kinds, struct map_events **ret)
{
	size_t ring_bytes = kinds == MAP_EVENTS_ALL ? RING_BYTES : PROCESSES_RING_BYTES;
	struct map_events *events = xcalloc(1, sizeof(*events));
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int r = 0;

	cpus = cpus > 0 ? cpus : 1;
	events->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	events->data_bytes = ring_bytes < events->page_bytes ? events->page_bytes : ring_bytes;
	events->settle = kinds == MAP_EVENTS_ALL ? SETTLE_NS : 0;
	events->fd = xcalloc((size_t)cpus, sizeof(*events->fd));
	events->ring = xcalloc((size_t)cpus, sizeof(*events->ring));
	events->cpu = xcalloc((size_t)cpus, sizeof(*events->cpu));
	events->silent = xcalloc((size_t)cpus, sizeof(*events->silent));
	events->silent_fd = xcalloc((size_t)cpus, sizeof(*events->silent_fd));
	for (unsigned cpu = 0; r == 0 && cpu < (unsigned long)cpus; cpu++) {
		r = events_open_cpu(events, kinds, cpu);
		if (r == -ENODEV || r == -ENXIO)
			r = 0; /* offline */
	}
	if (r == 0 && events->count == 0)
		r = -ENODEV;
	if (r < 0)
		(void)map_events_close(events);
	else
		*ret = events;
	return r;
}

/* Calls that return a descriptor, or connect one. */
static const struct open_call {
	const char *point, *value; /* its field */
	const char *filter;        /* NULL: none */
	enum map_event_kind kind;
} open_calls[] = {
	{"sys_exit_openat", "ret", "ret >= 0", MAP_EVENT_OPEN},
	{"sys_exit_openat2", "ret", "ret >= 0", MAP_EVENT_OPEN},
	{"sys_exit_open", "ret", "ret >= 0", MAP_EVENT_OPEN},
	{"sys_exit_creat", "ret", "ret >= 0", MAP_EVENT_OPEN},
	{"sys_exit_accept", "ret", "ret >= 0", MAP_EVENT_OPEN},
	{"sys_exit_accept4", "ret", "ret >= 0", MAP_EVENT_OPEN},
	{"sys_enter_connect", "fd", NULL, MAP_EVENT_CONNECT},
	{"sys_exit_connect", "ret", NULL, MAP_EVENT_CONNECTED},
};

_Static_assert(ARRAY_SIZE(open_calls) <= OPEN_POINTS_MAX, "a point for each call");

/* Samples of the tracepoint go to the ring of that number. */
static int opens_begin(struct map_events *events, enum opens_way way, size_t ring,
                       const struct open_point *point, const char *filter)
{
	struct opens *opens = &events->opens[way];
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = point->number,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)events->data_bytes / 2,
		.disabled = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, (int)events->cpu[ring], -1,
	                      PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	ARRAY_ADD(opens->fd, opens->count, opens->capacity) = fd;
	if (filter && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) < 0)
		return -errno;
	if (way == OPENS_SILENT && !events->silent[ring].head) {
		events->silent_fd[ring] = fd;
		return ring_map(events, fd, &events->silent[ring]);
	}
	return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT,
	             way == OPENS_WAKE ? events->fd[ring] : events->silent_fd[ring]) < 0
	               ? -errno : 0;
}

/* False: there is no such tracepoint, or its value is not as wide as a long of this program. */
static bool opens_find(const char *tracefs, const struct open_call *call, struct open_point *ret)
{
	_cleanup_(freep) char *folder = xasprintf("%s/events/syscalls/%s", tracefs, call->point);
	_cleanup_(freep) char *id = text_file_copy_line_at(folder, "id");
	_cleanup_(freep) char *format = text_file_copy_at(folder, "format");
	_cleanup_(freep) char *field = xasprintf(" %s;", call->value);
	const char *value = format ? strstr(format, field) : NULL;
	uint64_t number, at, bytes;

	if (!id || !value || !text_number(value, "offset:", 10, &at) ||
	    !text_number(value, "size:", 10, &bytes) || bytes != sizeof(long) ||
	    !parse_number_at(id, 10, &number) || number > UINT16_MAX)
		return false;
	*ret = (struct open_point){(uint16_t)number, call->kind, (size_t)at};
	return true;
}

static void ring_unmap(const struct map_events *events, const struct map_ring *ring)
{
	if (ring->head)
		(void)munmap(ring->head, events->page_bytes + events->data_bytes);
}

static void opens_end(struct map_events *events)
{
	for (size_t ring = 0; ring < events->count; ring++) {
		ring_unmap(events, &events->silent[ring]);
		events->silent[ring] = (struct map_ring){0};
	}
	for (size_t way = 0; way < OPENS_WAYS; way++) {
		struct opens *opens = &events->opens[way];

		while (opens->count > 0)
			(void)close(opens->fd[--opens->count]);
	}
}

/* The type of a request differs between C libraries, so each is written out. */
static void opens_switch(const struct opens *opens, bool is_on)
{
	for (size_t i = 0; i < opens->count; i++)
		(void)(is_on ? ioctl(opens->fd[i], PERF_EVENT_IOC_ENABLE, 0)
		             : ioctl(opens->fd[i], PERF_EVENT_IOC_DISABLE, 0));
}

void map_events_wake_at_opens(struct map_events *events, bool wakes)
{
	enum opens_way way = wakes ? OPENS_WAKE : OPENS_SILENT;

	if (way == events->way)
		return;
	/* rather twice than not at all */
	opens_switch(&events->opens[way], true);
	opens_switch(&events->opens[events->way], false);
	events->way = way;
}

int map_events_add_opens(struct map_events *events, const char *tracefs)
{
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(open_calls); i++) {
		struct open_point *point = &events->point[events->point_count];

		if (!opens_find(tracefs, &open_calls[i], point))
			continue;
		events->point_count++;
		for (size_t ring = 0; r == 0 && ring < events->count; ring++) {
			r = opens_begin(events, OPENS_WAKE, ring, point, open_calls[i].filter);
			if (r == 0)
				r = opens_begin(events, OPENS_SILENT, ring, point,
				                open_calls[i].filter);
		}
	}
	if (r == 0 && events->opens[OPENS_WAKE].count == 0)
		r = -ENOENT;
	if (r < 0)
		opens_end(events);
	opens_switch(&events->opens[events->way], true);
	return r;
}

void map_events_wait(const struct map_events *events, int wake_fd, const struct timespec *timeout)
{
	size_t count = events ? events->count : 0;
	_cleanup_(freep) struct pollfd *poll_fd = xcalloc(count + 1, sizeof(*poll_fd));

	poll_fd[0] = (struct pollfd){.fd = wake_fd, .events = POLLIN};
	for (size_t i = 0; i < count; i++)
		poll_fd[i + 1] = (struct pollfd){.fd = events->fd[i], .events = POLLIN};
	(void)ppoll(poll_fd, (nfds_t)count + 1, timeout, NULL);
}

/* Copies `size` bytes from `at` on, around the end of the ring. */
static void ring_copy(const struct map_events *events, const struct map_ring *ring, uint64_t at,
                      void *to, size_t size)
{
	size_t offset = (size_t)(at & (events->data_bytes - 1));
	size_t first = events->data_bytes - offset;

	if (first > size)
		first = size;
	memcpy(to, ring->data + offset, first);
	memcpy((uint8_t *)to + first, ring->data, size - first);
}

/*
 * On some machines the kernel and this program need two steps to access a 64-bit position, so a
 * position may be read half changed: an impossible one is ignored. See perf_event_open(2),
 * data_head.
 */
static uint64_t ring_end(const struct map_events *events, const struct map_ring *ring)
{
	const volatile uint64_t *head = (const volatile uint64_t *)&ring->head->data_head;
	uint64_t end = *head;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return end - ring->head->data_tail <= events->data_bytes ? end : ring->head->data_tail;
}

static void ring_set_read(const struct map_ring *ring, uint64_t end)
{
	volatile uint64_t *tail = (volatile uint64_t *)&ring->head->data_tail;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	*tail = end;
}

static void ring_read(struct map_events *events, const struct map_ring *ring, uint8_t *record)
{
	uint64_t end = ring_end(events, ring);
	uint64_t at = ring->head->data_tail;

	while (end - at >= sizeof(struct perf_event_header)) {
		struct perf_event_header header;
		struct map_event event;

		ring_copy(events, ring, at, &header, sizeof(header));
		if (header.size < sizeof(header) || header.size > end - at)
			break;
		ring_copy(events, ring, at, record, header.size);
		at += header.size;
		if (header.type == PERF_RECORD_SAMPLE
		            ? !open_event_parse(record, header.size, events->point,
		                                events->point_count, &event)
		            : !map_event_parse(record, header.size, &event))
			continue;
		if (events->waiting_count >= EVENTS_MAX) {
			free(event.path);
			continue;
		}
		ARRAY_ADD(events->waiting, events->waiting_count, events->waiting_capacity) = event;
	}
	ring_set_read(ring, end);
}

/* At equal times a fork comes before an exec, and an exec before mappings. */
static int event_compare(const void *a, const void *b)
{
	static const int rank[] = {
		[MAP_EVENT_FORK] = 0, [MAP_EVENT_THREAD] = 0, [MAP_EVENT_EXEC] = 1,
		[MAP_EVENT_MAP] = 2, [MAP_EVENT_OPEN] = 2,
		[MAP_EVENT_CONNECT] = 2, [MAP_EVENT_CONNECTED] = 3,
	};
	const struct map_event *x = a, *y = b;

	return ORDER_BY(RISING(x, y, time), rank[x->kind] - rank[y->kind]);
}

bool map_events_read(struct map_events *events, bool is_last,
                     void (*on_event)(void *state, const struct map_event *event), void *state)
{
	nsec_t until = monotonic_now();
	uint8_t *record;
	size_t done = 0;

	if (!events)
		return false;
	until = is_last ? NSEC_NEVER : until - events->settle;
	record = xmalloc(RECORD_MAX);
	for (size_t i = 0; i < events->count; i++) {
		ring_read(events, &events->ring[i], record);
		if (events->silent[i].head)
			ring_read(events, &events->silent[i], record);
	}
	free(record);
	array_sort(events->waiting, events->waiting_count, sizeof(*events->waiting), event_compare);
	while (done < events->waiting_count && events->waiting[done].time <= until) {
		on_event(state, &events->waiting[done]);
		free(events->waiting[done++].path);
	}
	if (done > 0)
		memmove(events->waiting, events->waiting + done,
		        (events->waiting_count - done) * sizeof(*events->waiting));
	events->waiting_count -= done;
	return events->waiting_count > 0;
}

struct map_events *map_events_close(struct map_events *events)
{
	if (!events)
		return NULL;
	opens_end(events);
	for (size_t i = 0; i < events->count; i++) {
		ring_unmap(events, &events->ring[i]);
		(void)close(events->fd[i]);
	}
	for (size_t i = 0; i < events->waiting_count; i++)
		free(events->waiting[i].path);
	free(events->waiting);
	free(events->fd);
	free(events->ring);
	free(events->cpu);
	for (size_t way = 0; way < OPENS_WAYS; way++)
		free(events->opens[way].fd);
	free(events->silent);
	free(events->silent_fd);
	free(events);
	return NULL;
}
