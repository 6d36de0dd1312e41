/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Block requests from queueing over issue to completion, by device and first sector. Explains a
 * wake-up made in the interrupt in which a request completed, or passed on to another CPU by it.
 *
 * The submitter is the task that queued the first bio of the request, else the one that inserted or
 * issued it. If the queueing was seen, an issue from an interrupt or by a kernel worker does not
 * change the submitter.
 *
 * If a kernel worker submits it in a work item, the item is noted: before it was queued the worker
 * had nothing to do with the request. One item is known by name: it submits what a cgroup's I/O
 * limit has held back, and is the first event of such a request.
 *
 * A request without data has no sector: kernels record 0 or -1, one of them at the issue and the
 * other at the completion. If a task asks for a flush, three things complete as one request:
 *
 *	block_bio_queue    FWS 0 + 0     the task asks
 *	block_rq_issue     FF  0 + 0     what the block layer sends for all requesters
 *	block_rq_complete  FF -1 + 0     the device is done: in flight no more
 *	block_rq_complete  WS  0 + 0     the task's own, with which it ends
 *
 * A request that completes in parts moves on with each: it is found at its first remaining sector.
 *
 * Stacked devices that make bios of bios (dm, md) have no requests: an upper bio counts as one from
 * its queueing to its end, and as issued since its first part went to a lower device.
 *
 *	block_bio_queue     253,4 0 + 256
 *	block_bio_remap     8,0 900 + 128 <- (253,4) 0
 *	block_split         253,4 128 / 128    dm: found there now; md: 0 / 128, two to end
 *	block_bio_complete  253,4 128 + 128    all of it has ended
 */
#include <string.h>

#include "base/assume.h"
#include "state/trackers.h"

/* The most requests completed in one interrupt that are remembered. */
#define COMPLETED_MAX 8

#define NO_SECTOR UINT64_MAX
/* A request that was not seen to be issued may have been merged into another: it counts only if its
   task went to sleep at once. */
#define AT_ONCE_NS 5000000
/* A task sets its state, and looks once more for what it waits for, before it sleeps. */
#define GOING_TO_SLEEP_NS 1000
/* The most devices for which the task that asked for a flush around a write is remembered. */
#define FLUSHERS_MAX 4096

struct request {
	uint64_t dev, sector;
	struct disk_interval disk; /* with its sector when it was seen first; bytes: 0: not known */
	uint64_t done;  /* bytes of it that have completed */
	uint32_t submitter;  /* track; TRACK_NONE: not known */
	nsec_t submitted;
	nsec_t queued; /* as bio or inserted, by any task; NSEC_NEVER: not seen */
	nsec_t issued; /* NSEC_NEVER: not seen */
	nsec_t sent; /* stacked device: when the first part went to a lower one; NSEC_NEVER: not
	                seen */
	uint32_t cpu;  /* where it was last seen */
	uint32_t work; /* as in union cause_members: the item in which it was submitted */
	uint64_t queued_sectors; /* of the bio */
	bool is_in_flight; /* it is counted in requests.in_flight */
	bool is_derived;   /* of a stacked device: its queueing may follow */
	bool is_held_back; /* by an I/O limit */
	bool is_flushed;   /* a flush: the device is done with it, its own end is to come */
};

struct requests {
	struct object_pool by_place; /* struct request, until it completes */
	struct map in_flight; /* by dev: number in flight, if any; while intervals are wanted */
	struct map flusher; /* by dev: track of the task that last asked for a flush around a
	                       write */
	bool has_flushes; /* issues of flushes were seen */
};

/* Per CPU: a ring of the last completed requests; the place of the upper bio of which a part was
   last sent to a lower device. */
struct cpu_completed {
	struct sighting request[COMPLETED_MAX];
	unsigned next;
	uint64_t sent_dev, sent_sector;
};

OWN_DATA(requests_of, struct requests, BLOCK)

static struct object_pool *requests_pool(const struct machine *machine)
{
	return &requests_of(machine)->by_place;
}

static uint64_t place_of(uint64_t dev, uint64_t sector)
{
	return sector ^ dev * 0xff51afd7ed558ccdu;
}

static uint64_t sector_of(const struct event *event)
{
	return event->block.sectors || event->block.sector ? event->block.sector : NO_SECTOR;
}

/* A flush has no sector, which kernels record as 0 or -1. */
static uint64_t sector_shown(uint64_t sector)
{
	return sector == NO_SECTOR ? 0 : sector;
}

/* The request at that place; NULL also if two places have one hash. */
static struct request *request_at(const struct machine *machine, uint64_t dev, uint64_t sector)
{
	struct request *request =
		object_pool_find(requests_pool(machine), place_of(dev, sector));

	ASSUME(!request || object_pool_key(request) == place_of(request->dev, request->sector));
	return request && request->dev == dev && request->sector == sector ? request : NULL;
}

/* The request at the event's place. */
static struct request *request_find(const struct machine *machine, const struct event *event)
{
	return request_at(machine, event->block.dev, sector_of(event));
}

/* Requests in flight on its device, without itself. */
static uint32_t request_others(const struct machine *machine, const struct request *request)
{
	uint32_t all = map_get(&requests_of(machine)->in_flight, request->dev);

	ASSUME(all == MAP_NONE || all >= request->is_in_flight);
	return all == MAP_NONE ? 0 : all - request->is_in_flight;
}

/* The request is on the device from now on. */
static void request_enter(struct machine *machine, struct request *request)
{
	struct map *in_flight = &requests_of(machine)->in_flight;

	ASSUME(!request->is_in_flight);
	if (!machine_wants(machine, INTERVAL_DISK))
		return;
	request->disk.depth = request_others(machine, request) + 1;
	request->is_in_flight = true;
	map_put(in_flight, request->dev, request->disk.depth);
}

/* The request is no longer on the device, if it was. */
static void request_leave(const struct machine *machine, struct request *request)
{
	struct map *in_flight = &requests_of(machine)->in_flight;
	uint32_t all = request->is_in_flight ? map_take(in_flight, request->dev) : MAP_NONE;

	request->is_in_flight = false;
	if (all != MAP_NONE && all > 1)
		map_put(in_flight, request->dev, all - 1);
}

/* The request that was at the place, or the oldest one if the pool is full, is no longer in
   flight. */
static struct request *request_put(const struct machine *machine, uint64_t dev, uint64_t sector)
{
	struct object_pool *pool = requests_pool(machine);
	uint64_t place = place_of(dev, sector);
	bool may_be_in_flight = machine_wants(machine, INTERVAL_DISK);
	struct request *former = may_be_in_flight ? object_pool_find(pool, place) : NULL;

	if (may_be_in_flight && !former && object_pool_count(pool) == OBJECTS_MAX)
		former = object_pool_at(pool, pool->oldest);
	if (former)
		request_leave(machine, former);
	return object_pool_put(pool, place);
}

/* A request at the event's place, of which nothing else is known. */
static struct request request_of_event(const struct event *event)
{
	return (struct request){
		.dev = event->block.dev,
		.sector = sector_of(event),
		.disk = {
			.dev = (uint32_t)event->block.dev,
			.sector = sector_shown(event->block.sector),
			.originator = TRACK_NONE,
		},
		.submitter = TRACK_NONE,
		.submitted = NSEC_NEVER,
		.queued = NSEC_NEVER,
		.issued = NSEC_NEVER,
		.sent = NSEC_NEVER,
	};
}

static struct request *request_add(const struct machine *machine, const struct event *event)
{
	struct request *request = request_put(machine, event->block.dev, sector_of(event));

	*request = request_of_event(event);
	return request;
}

/* Whether the current task submits what an I/O limit has released. */
static bool is_held_back(const struct machine *machine, const struct cpu *cpu)
{
	const struct cause_note *work = work_current(machine, cpu);

	return work && strcmp(intern_text(&machine->timeline->names, work->name),
	                      "blk_throtl_dispatch_work_fn") == 0;
}

static void request_fill(struct machine *machine, const struct cpu *cpu, struct request *request,
                         const struct event *event)
{
	ASSUME(request->submitter == TRACK_NONE || machine_owns(machine, request->submitter));
	if (event->block.rwbs.length)
		request->disk.rwbs = machine_word(machine, event->block.rwbs);
	if (request->submitter != TRACK_NONE || cpu->level != LEVEL_TASK ||
	    cpu->current == cpu->idle)
		return;
	request->submitter = cpu->current;
	request->submitted = machine->now;
	if (request->disk.originator == TRACK_NONE)
		request->disk.originator = work_queuer(machine, cpu);
	request->work = work_note_current(machine, cpu);
	request->is_held_back = is_held_back(machine, cpu);
}

/* A request may be made of several bios, one after the other on the device: it has a file only if
   all of them are for that file. */
static void request_check_file(const struct machine *machine, struct request *request,
                               uint64_t sectors)
{
	struct requested_file *of = &request->disk.of;
	uint64_t covered = request->queued_sectors;

	ASSUME(request_at(machine, request->dev, request->sector) == request);
	while (of->file && covered < sectors) {
		const struct request *bio =
			request_at(machine, request->dev, request->sector + covered);

		if (!bio || bio->queued_sectors == 0 || bio->disk.of.file != of->file) {
			*of = (struct requested_file){0};
			return;
		}
		of->is_sync &= bio->disk.of.is_sync;
		covered += bio->queued_sectors;
	}
}

/* Insertion and issue: a queueing seen before counts as this request's. */
static void on_block_issue(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct request *request = request_find(machine, event);

	cpu_note_act(machine, cpu);
	/* a request that has been issued already is an older one, whose completion was not seen */
	if (!request || request->issued != NSEC_NEVER)
		request = request_add(machine, event);
	/* a flush whose queueing was not seen is of the task that asked for one around a write,
	   whichever task issues it */
	if (request->sector == NO_SECTOR && request->submitter == TRACK_NONE) {
		request->submitter = map_get(&requests_of(machine)->flusher, request->dev);
		request->submitted = machine->now;
	}
	request_fill(machine, cpu, request, event);
	request->cpu = cpu->number;
	request->disk.bytes = request->done + event->block.sectors * 512;
	request_check_file(machine, request, event->block.sectors);
	if (event->kind == EVENT_BLOCK_ISSUE) {
		requests_of(machine)->has_flushes |= request->sector == NO_SECTOR;
		request->issued = machine->now;
		request_enter(machine, request);
	} else if (request->queued == NSEC_NEVER) {
		request->queued = machine->now;
	}
}

/* A request that was only queued may have been merged into another, or be a bio of a stacked
   device: no more events name it. */
static bool request_is_issued(const void *request)
{
	return ((const struct request *)request)->issued != NSEC_NEVER;
}

/* event: the completion; NULL: the trace ends before it. */
static void request_emit(struct machine *machine, const struct request *request,
                         const struct cpu *cpu, const struct event *event, nsec_t end)
{
	struct interval interval = {
		.kind = INTERVAL_DISK,
		.cpu = cpu ? cpu->number : request->cpu,
		.begin = end,
		.end = end,
		.phase = {request->queued, request->issued},
		.is_open = !event,
		.task = request->submitter,
		.other = cpu ? cpu_doer(cpu) : TRACK_NONE,
		.disk = request->disk,
	};

	ASSUME(request->queued == NSEC_NEVER || request->queued <= end);
	if (event && !interval.disk.bytes)
		interval.disk.bytes = event->block.sectors * 512;
	if (event)
		interval.disk.error = event->block.error;
	interval.disk.left = request_others(machine, request);
	machine_emit_interval(machine, &interval);
}

static void requests_close(struct machine *machine, nsec_t end)
{
	const struct request *request;

	OBJECT_POOL_EACH(requests_pool(machine), request)
		if (request_is_issued(request))
			request_emit(machine, request, NULL, NULL, end);
}

static void on_block_requeue(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct request *request = request_find(machine, event);

	(void)cpu;
	if (!request)
		return;
	request_leave(machine, request);
	ASSUME(!request->is_in_flight);
	request->issued = NSEC_NEVER;
}

static void on_block_queue(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct request *request = request_find(machine, event);
	struct map *flusher = &requests_of(machine)->flusher;

	cpu_note_act(machine, cpu);
	/* a flush that is on its way: it ends with the flush that was requested first */
	if (sector_of(event) == NO_SECTOR && request && request->is_in_flight)
		return;
	if (request && request->is_flushed && machine_wants(machine, INTERVAL_DISK))
		request_emit(machine, request, NULL, event, machine->now);
	/* a task asks for a flush around a write ("FWFS"): earlier writes of all tasks, and this
	   one, are to reach the medium */
	if (event->block.rwbs.length && event->block.rwbs.at[0] == 'F' && event->block.sectors &&
	    cpu_is_in_task(cpu) && flusher->count < FLUSHERS_MAX)
		map_put(flusher, event->block.dev, cpu->current);
	if (!request || !request->is_derived || request->issued != NSEC_NEVER) {
		request = request_add(machine, event);
		request->disk.of = file_of_request(machine, cpu, event);
	}
	request->is_derived = false;
	request->queued = machine->now;
	request->queued_sectors = event->block.sectors;
	request_fill(machine, cpu, request, event);
}

/* An upper bio has ended, and with it all that was sent to lower devices. */
static void request_end_upper(struct machine *machine, const struct cpu *cpu,
                              const struct event *event)
{
	struct request *upper =
		request_at(machine, event->block.from_dev, event->block.from_sector);

	if (!upper || upper->sent == NSEC_NEVER || upper->issued != NSEC_NEVER)
		return;
	upper->issued = upper->sent;
	upper->disk.bytes = upper->done + event->block.sectors * 512;
	if (machine_wants(machine, INTERVAL_DISK))
		request_emit(machine, upper, cpu, event, machine->now);
	request_leave(machine, upper);
	(void)object_pool_take(requests_pool(machine), place_of(upper->dev, upper->sector));
}

/* A part of an upper bio goes to a lower device. */
static void request_send(struct machine *machine, struct cpu *cpu, struct request *upper)
{
	struct cpu_completed *here = tracker_cpu(machine, cpu, TRACKER_BLOCK);

	ASSUME(upper->issued == NSEC_NEVER);
	here->sent_dev = upper->dev;
	here->sent_sector = upper->sector;
	if (upper->sent != NSEC_NEVER)
		return;
	upper->sent = machine->now;
	request_enter(machine, upper);
}

/* The part of the upper bio that was sent last is no longer in it: the bio begins at that sector
   now, and is found there. */
static void request_leave_part(struct machine *machine, struct cpu *cpu, uint64_t sector)
{
	struct cpu_completed *here = tracker_cpu(machine, cpu, TRACKER_BLOCK);
	const struct request *upper = request_at(machine, here->sent_dev, here->sent_sector);
	struct request rest;

	if (!upper || upper->sent == NSEC_NEVER || sector <= upper->sector)
		return;
	rest = *upper;
	(void)object_pool_take(requests_pool(machine), place_of(rest.dev, rest.sector));
	rest.done += (sector - rest.sector) * 512;
	rest.sector = sector;
	*request_put(machine, rest.dev, rest.sector) = rest;
	here->sent_sector = sector;
}

/* An upper bio was made into another part of itself, or into a lower bio. The submitter of either
   is that of the upper bio, whichever task sends it. */
static void request_derive(struct machine *machine, struct cpu *cpu, const struct request *from,
                           const struct event *event)
{
	struct request part = *from;

	ASSUME(from->issued == NSEC_NEVER);
	part.dev = event->block.dev;
	part.sector = event->block.sector;
	part.disk.dev = (uint32_t)part.dev;
	part.disk.sector = sector_shown(part.sector);
	part.disk.bytes = 0;
	part.done = 0;
	part.disk.depth = 0;
	part.is_in_flight = false;
	part.sent = NSEC_NEVER;
	if (from->dev != part.dev) {
		part.queued_sectors = event->block.sectors;
		part.disk.of.is_part = true;
		if (part.disk.originator == TRACK_NONE)
			part.disk.originator = from->submitter;
		part.submitter = TRACK_NONE;
		part.submitted = NSEC_NEVER;
		part.queued = machine->now;
		part.work = 0;
		part.is_held_back = false;
		part.is_derived = true;
		request_fill(machine, cpu, &part, event);
	} else if (part.sector > from->sector &&
	           part.sector - from->sector < from->queued_sectors) {
		part.queued_sectors -= part.sector - from->sector;
	}
	*request_put(machine, part.dev, part.sector) = part;
}

/* The second part of a bio that was too large was queued with the first. */
static void on_block_derive(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	uint64_t dev = event->block.from_dev, sector = event->block.from_sector;
	struct request *from;

	if (event->block.dev == 0) {
		request_end_upper(machine, cpu, event);
		return;
	}
	if (event->block.dev == dev && event->block.sector == sector) {
		request_leave_part(machine, cpu, sector);
		return;
	}
	from = request_at(machine, dev, sector);
	if (!from || from->issued != NSEC_NEVER)
		return;
	if (from->dev != event->block.dev)
		request_send(machine, cpu, from);
	request_derive(machine, cpu, from, event);
}

/* Completes the part of the request that the event names. Returns whether anything is left. */
static bool request_is_left(struct machine *machine, struct request *request,
                            const struct event *event)
{
	uint64_t bytes = event->block.sectors * 512;
	struct request rest = *request;

	ASSUME(!request->is_flushed || !request->is_in_flight);
	/* the device has completed a flush that a task asked for: the end of the request itself
	   follows */
	if (request->sector == NO_SECTOR && event->block.sector == NO_SECTOR &&
	    request->queued != NSEC_NEVER) {
		request_leave(machine, request);
		request->is_flushed = true;
		return true;
	}
	if (request->issued == NSEC_NEVER || bytes == 0 ||
	    request->done + bytes >= request->disk.bytes)
		return false;
	(void)object_pool_take(requests_pool(machine), place_of(rest.dev, rest.sector));
	rest.done += bytes;
	rest.sector += event->block.sectors;
	*request_put(machine, rest.dev, rest.sector) = rest;
	return true;
}

/* What is known of the request that completes, or is waited for; without what is left of it. */
static void request_describe(const struct request *request, enum confidence confidence,
                             uint64_t bytes, struct cause_note *ret)
{
	cause_note_init(ret, CAUSE_DISK, confidence);
	ret->as.disk.dev = (uint32_t)request->dev;
	ret->as.disk.sector = sector_shown(request->sector);
	ret->as.disk.bytes = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
	ret->as.disk.rwbs = request->disk.rwbs;
	ret->as.disk.queue_time = time_between(request->submitted, request->issued);
	ret->originator = request->submitter;
	ret->origin = request->submitter == TRACK_NONE ? NSEC_NEVER : request->submitted;
	ret->file = request->disk.of.file;
	ret->is_sync = request->disk.of.is_sync;
}

static void on_block_complete(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct cpu_completed *completed = tracker_cpu(machine, cpu, TRACKER_BLOCK);
	struct request *request = request_find(machine, event);
	struct request unseen; /* if nothing but its completion was seen */
	const struct request *done;
	struct sighting *seen;
	struct cause_note note;

	/* a flush that is still to be issued: an earlier one has ended, and was emitted */
	if (request && request->sector == NO_SECTOR && request->issued == NSEC_NEVER &&
	    requests_of(machine)->has_flushes)
		request = NULL;
	if (request && request_is_left(machine, request, event))
		return;
	if (!request) {
		unseen = request_of_event(event);
		unseen.disk.rwbs = machine_word(machine, event->block.rwbs);
	}
	done = request ? request : &unseen;
	/* a completion without data is the end of a request that was recorded with its data */
	if (machine_wants(machine, INTERVAL_DISK) && (request || event->block.sectors))
		request_emit(machine, done, cpu, event, machine->now);
	request_describe(done, request ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM,
	                 event->block.sectors * 512, &note);
	note.as.disk.rwbs = machine_word(machine, event->block.rwbs);
	note.as.disk.device_time = time_between(done->issued, machine->now);
	note.as.disk.work = done->work;
	note.as.disk.is_held_back = done->is_held_back;
	if (request) {
		request_leave(machine, request);
		(void)object_pool_take(requests_pool(machine),
		                       place_of(request->dev, request->sector));
	}
	seen = &completed->request[completed->next++ % COMPLETED_MAX];
	cpu_sight(cpu, seen, &note);
	seen->time = machine->now;
}

/* Whether all requests that completed in this interrupt, and that may have ended the wait as well
   as the chosen one, are for the same file. */
static bool completed_share_file(const struct cpu_completed *completed, const struct wake *wake,
                                 const struct cause_note *chosen)
{
	ASSUME(chosen->file != 0);
	for (unsigned back = 1; back <= COMPLETED_MAX && back <= completed->next; back++) {
		const struct sighting *seen =
			&completed->request[(completed->next - back) % COMPLETED_MAX];

		if (!cpu_sees(wake->cpu, seen))
			break;
		if (seen->note.file != chosen->file &&
		    (chosen->originator != wake->wakee || seen->note.originator == wake->wakee))
			return false;
	}
	return true;
}

/*
 * If several requests completed, the one that the sleeper submitted is the cause, otherwise the
 * last. Not asked in task context: a task that completes requests, such as a loop device's worker,
 * is a true waker.
 */
static bool block_explain(const struct machine *machine, const struct wake *wake,
                          struct cause_note *ret)
{
	const struct cpu_completed *completed = tracker_cpu(machine, wake->cpu, TRACKER_BLOCK);
	bool is_found = false;

	ASSUME(wake->level != LEVEL_TASK);
	for (unsigned back = 1; back <= COMPLETED_MAX && back <= completed->next; back++) {
		const struct sighting *seen =
			&completed->request[(completed->next - back) % COMPLETED_MAX];
		bool is_own;

		if (!cpu_sees(wake->cpu, seen))
			break;
		is_own = seen->note.originator == wake->wakee && wake->wakee != TRACK_NONE;
		if (!is_found || is_own) {
			*ret = seen->note;
			ret->as.disk.wake_time = time_between(seen->time, machine->now);
		}
		is_found = true;
		if (is_own)
			break;
	}
	if (is_found && ret->file && !completed_share_file(completed, wake, ret))
		ret->file = ret->is_sync = 0;
	/* a wait that began after the submission was for the device alone */
	if (is_found && ret->as.disk.is_held_back && wake->wakee != TRACK_NONE &&
	    machine->task[wake->wakee].since >= ret->origin)
		ret->as.disk.is_held_back = false;
	return is_found;
}

/* The sleeper's own request that completed last on any CPU as it slept, or was about to; false:
   none did. */
static bool block_find_own(const struct machine *machine, const struct wake *wake,
                           struct cause_note *ret)
{
	nsec_t since = machine->task[wake->wakee].since;
	nsec_t latest = since > GOING_TO_SLEEP_NS ? since - GOING_TO_SLEEP_NS : 0;
	bool is_found = false;

	MACHINE_CPU_EACH(machine, cpu) {
		const struct cpu_completed *completed = tracker_cpu(machine, cpu, TRACKER_BLOCK);

		for (unsigned i = 0; i < COMPLETED_MAX && i < completed->next; i++) {
			const struct sighting *seen = &completed->request[i];

			if (seen->note.originator != wake->wakee || seen->time < latest)
				continue;
			latest = seen->time;
			*ret = seen->note;
			is_found = true;
		}
	}
	ret->confidence = CONFIDENCE_MEDIUM;
	ret->as.disk.wake_time = is_found ? time_between(latest, machine->now) : 0;
	return is_found;
}

/*
 * Without sched_waking, the interrupt that ended a wait may be from a CPU on which a device's did
 * (ipi_tracker.c). In state D the task waits for something of the kernel, so most likely for its
 * own request.
 */
static void block_refine(const struct machine *machine, const struct wake *wake,
                         struct cause_note *cause)
{
	const struct task_state *task = &machine->task[wake->wakee];
	struct cause_note own = *cause;

	if (!wake->event || wake->event->kind != EVENT_SCHED_WAKEUP || machine->found.has_waking ||
	    wake->level != LEVEL_HARD || task->kind != SEGMENT_WAIT || task->detail != 'D' ||
	    !block_find_own(machine, wake, &own))
		return;
	own.purpose = cause->purpose;
	*cause = own;
}

const struct tracker block_tracker = {
	.handlers = HANDLERS(
		{EVENT_BLOCK_QUEUE, on_block_queue},
		{EVENT_BLOCK_INSERT, on_block_issue},
		{EVENT_BLOCK_ISSUE, on_block_issue},
		{EVENT_BLOCK_REQUEUE, on_block_requeue},
		{EVENT_BLOCK_COMPLETE, on_block_complete},
		{EVENT_BLOCK_DERIVE, on_block_derive}),
	.explain = {block_explain, IN_IRQ, 0},
	.refine = {block_refine, 1u << CAUSE_INTERRUPT, 0},
	.own_bytes = sizeof(struct requests),
	.stores = STORES(
		POOL_AT(offsetof(struct requests, by_place),
		        struct request, OBJECTS_MAX, "requests", request_is_issued),
		MAP_AT(offsetof(struct requests, in_flight)),
		MAP_AT(offsetof(struct requests, flusher))),
	.cpu_bytes = sizeof(struct cpu_completed),
	.close = requests_close,
};

/*
 * A task sleeps in state D, and a request that it has submitted has not completed: the task most
 * likely waits for that request. No event says so before the request completes, which never happens
 * on a device that hangs. This tracker explains the sleep only if no other tracker does, and if the
 * place of the sleep does not contradict it.
 */

/* Whether that sleep is likely to be for the request: a read, a synchronous write, a flush. */
static bool request_may_hold(const struct machine *machine, const struct request *request,
                             nsec_t slept)
{
	ASSUME(slept <= machine->now);
	return request->submitted != NSEC_NEVER && request->submitted <= slept &&
	       (request_is_issued(request) || request->sent != NSEC_NEVER ||
	        slept - request->submitted <= AT_ONCE_NS) &&
	       strpbrk(intern_text(&machine->timeline->names, request->disk.rwbs), "RSF");
}

/* Fills in the request that the sleeping task has submitted itself and is likely to wait for, which
   has not completed; false: there is none. */
static bool pending_find(const struct machine *machine, uint32_t track, struct cause_note *ret)
{
	const struct request *request, *last = NULL;
	nsec_t slept = machine->task[track].since;

	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	OBJECT_POOL_EACH(requests_pool(machine), request)
		if (request->submitter == track && request_may_hold(machine, request, slept) &&
		    (!last || request->submitted > last->submitted))
			last = request;
	if (!last)
		return false;
	request_describe(last, last->issued != NSEC_NEVER ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW,
	                 last->disk.bytes ? last->disk.bytes - last->done
	                                  : last->queued_sectors * 512, ret);
	return true;
}

static const uint8_t disk_purposes[] = {
	PURPOSE_NONE, PURPOSE_PAGE, PURPOSE_PAGE_READ, PURPOSE_PAGE_LOCK, PURPOSE_READAHEAD,
	PURPOSE_BUFFER, PURPOSE_BIT, PURPOSE_WRITEBACK, PURPOSE_SYNC, PURPOSE_FSYNC,
	PURPOSE_DIRECT_IO, PURPOSE_BIO, PURPOSE_FLUSH, PURPOSE_DISCARD, PURPOSE_BLOCK_TAG,
	PURPOSE_BLOCK_LIMIT, PURPOSE_BLOCK_THROTTLE, PURPOSE_BLOCK_FREEZE, PURPOSE_BLOCK_REQUEST,
	PURPOSE_DM, PURPOSE_MD, PURPOSE_COMPLETION,
};

static void pending_disk_refine(const struct machine *machine, const struct wake *wake,
                                struct cause_note *cause)
{
	const struct task_state *task = &machine->task[wake->wakee];
	struct cause_note pending;

	if (wake->event || cause->kind != CAUSE_UNKNOWN || cause->name ||
	    task->kind != SEGMENT_WAIT || task->detail != 'D' ||
	    !memchr(disk_purposes, cause->purpose, sizeof(disk_purposes)) ||
	    !pending_find(machine, wake->wakee, &pending))
		return;
	pending.purpose = cause->purpose;
	*cause = pending;
}

const struct tracker pending_disk_tracker = {
	.also_with = TRACKER_BIT(BLOCK),
	.refine = {pending_disk_refine, 1u << CAUSE_UNKNOWN, AND_UNWOKEN},
};
