/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "descriptors.h"

#include <assert.h>
#include <stdlib.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "ftwait/stream.h"

#define NUMBER_MAX 65536u /* of descriptors that have files */
/* Bits of clone_flags and of unshare(), include/uapi/linux/sched.h. */
#define FLAG_CLONE_FILES  0x400u
#define FLAG_CLONE_THREAD 0x10000u

/* A number since something has happened to it. */
struct descriptor {
	nsec_t since;
	uint32_t look;    /* as in struct descriptor_use */
	bool is_opened;   /* by a call that was seen */
	bool is_new_socket; /* the call has made it */
	bool is_changing; /* a call that ends it has begun, and not ended */
};

struct process {
	int32_t id;
	nsec_t since;  /* what holds for a number without a struct descriptor; NSEC_NEVER: in a call
	                  that changes many */
	bool is_split; /* what happens to its descriptors is not seen */
	nsec_t shared; /* when others may have got any of its descriptors last */
	uint32_t reach; /* more than the highest number that was looked at */
	struct descriptor *descriptor; /* by number */
	size_t count, capacity;
};

struct descriptors {
	struct map by_id; /* of a process -> index */
	struct process *process;
	size_t count, capacity;
	uint32_t ring; /* path of rings, id in names */
	nsec_t since;  /* all calls have been seen since then */
};

struct descriptors *descriptors_new(const struct machine *machine)
{
	struct descriptors *all;

	/* of what a ring of pages has lost, no time is known */
	if (descriptor_log_is_empty(&machine->timeline->descriptors) ||
	    machine->setup.source->notes.keeps_newest)
		return NULL;
	all = xcalloc(1, sizeof(*all));
	map_init(&all->by_id);
	all->ring = intern_adds(&machine->timeline->names, STREAM_DESCRIPTOR_RING);
	return all;
}

static struct descriptor_use use_of(const struct descriptor *descriptor)
{
	return descriptor->is_changing
	               ? (struct descriptor_use){0}
	               : (struct descriptor_use){descriptor->since, descriptor->look};
}

/* The number has stood for the same file up to now. */
static bool descriptor_settle(struct machine *machine, struct descriptor *descriptor, nsec_t end)
{
	struct descriptor_log *log = &machine->timeline->descriptors;
	bool is_seen = descriptor_log_settle(log, use_of(descriptor), end);

	if (descriptor->is_opened)
		log->opens_unseen += !is_seen;
	descriptor->is_opened = false;
	return is_seen;
}

/* All numbers of the process are others from `since` on. */
static void process_begin(struct machine *machine, struct process *process, nsec_t since)
{
	for (size_t i = 0; i < process->count; i++)
		(void)descriptor_settle(machine, &process->descriptor[i], machine->now);
	free(process->descriptor);
	process->descriptor = NULL;
	process->count = process->capacity = 0;
	process->since = since;
}

static void descriptor_begin(struct machine *machine, const struct process *process,
                             uint32_t number, struct descriptor *ret)
{
	*ret = (struct descriptor){
		.since = process->since,
		.is_changing = process->since == NSEC_NEVER,
	};
	if (!ret->is_changing)
		ret->look = descriptor_log_find(&machine->timeline->descriptors, process->id,
		                                number, process->since).look;
}

/* NULL: the number has no file. */
static struct descriptor *descriptor_at(struct machine *machine, struct process *process,
                                        uint64_t number)
{
	if (number >= NUMBER_MAX || process->is_split)
		return NULL;
	while (process->count <= number) {
		ARRAY_GROW(process->descriptor, process->count, process->capacity);
		assert(process->descriptor);
		descriptor_begin(machine, process, (uint32_t)process->count,
		                 &process->descriptor[process->count]);
		process->count++;
	}
	return &process->descriptor[number];
}

/* What the recorder has seen of the process. */
static void process_find_looks(const struct machine *machine, const struct descriptors *all,
                               struct process *process)
{
	const struct descriptor_log *log = &machine->timeline->descriptors;
	size_t count, first = descriptor_log_of(log, process->id, &count);

	for (size_t i = first; i < first + count; i++) {
		process->is_split |= log->look[i].path == all->ring;
		if (log->look[i].number >= process->reach && log->look[i].number < NUMBER_MAX)
			process->reach = log->look[i].number + 1;
	}
}

/* Valid until the next one is added. */
static struct process *process_of(struct machine *machine, struct descriptors *all, int32_t id)
{
	uint32_t at = map_get(&all->by_id, (uint32_t)id);
	struct process *process;

	if (at != MAP_NONE)
		return &all->process[at];
	map_put(&all->by_id, (uint32_t)id, (uint32_t)all->count);
	ARRAY_ADD(all->process, all->count, all->capacity) = (struct process){
		.id = id,
		.since = nsec_max(nsec_max(machine->begin, machine->gap_end), all->since),
	};
	process = &all->process[all->count - 1];
	process_find_looks(machine, all, process);
	return process;
}

static int32_t process_id(const struct machine *machine, uint32_t track)
{
	return machine_process_id(machine, track_process(machine, track));
}

void descriptors_forget(struct machine *machine, struct descriptors *all)
{
	for (size_t i = 0; i < all->count; i++)
		process_begin(machine, &all->process[i], nsec_max(machine->now, machine->gap_end));
	all->since = machine->now;
}

void descriptors_free(struct descriptors *all)
{
	if (!all)
		return;
	for (size_t i = 0; i < all->count; i++)
		free(all->process[i].descriptor);
	free(all->process);
	map_release(&all->by_id);
	free(all);
}

/* The number is about to stand for another file, or none. */
static struct descriptor_use number_end(struct machine *machine, struct process *process,
                                        uint64_t number)
{
	struct descriptor *descriptor = descriptor_at(machine, process, number);
	struct descriptor_use use;

	if (!descriptor)
		return (struct descriptor_use){0};
	use = use_of(descriptor);
	(void)descriptor_settle(machine, descriptor, machine->now);
	descriptor->is_changing = true;
	return use;
}

static struct descriptor *number_begin(struct machine *machine, struct process *process,
                                       uint64_t number)
{
	struct descriptor *descriptor = descriptor_at(machine, process, number);
	struct descriptor_use use;

	if (!descriptor || process->since == NSEC_NEVER)
		return NULL;
	use = descriptor_log_find(&machine->timeline->descriptors, process->id, (uint32_t)number,
	                          machine->now);
	*descriptor = (struct descriptor){.since = use.since, .look = use.look};
	return descriptor;
}

static void process_split(struct machine *machine, struct process *process)
{
	process_begin(machine, process, machine->now);
	process->is_split = true;
}

/* The call may be of any process, and end what any number stood for. */
static void forget_if_stray(struct machine *machine, struct descriptors *all, uint32_t track,
                            const struct descriptor_call *call)
{
	if (call->act > DESCRIPTOR_OPEN && machine->timeline->track[track].tgid <= 0)
		descriptors_forget(machine, all);
}

static struct descriptor_use number_use(struct machine *machine, struct process *process,
                                        uint64_t number)
{
	const struct descriptor *descriptor = descriptor_at(machine, process, number);

	return descriptor ? use_of(descriptor) : (struct descriptor_use){0};
}

/* Its socket gets another other end now, or may do so. NULL: the number is not followed. */
static void connect_note(struct machine *machine, const struct process *process,
                         const struct descriptor *descriptor)
{
	struct descriptor_log *log = &machine->timeline->descriptors;
	struct descriptor_use use = {0};

	if (descriptor)
		use = (struct descriptor_use){descriptor->since, descriptor->look};
	if (descriptor_log_path(log, use) == 0) {
		/* nobody else has a new one */
		if (!descriptor || !descriptor->is_new_socket ||
		    descriptor->since <= process->shared)
			descriptor_log_connect(log, 0, machine->now);
	} else if (descriptor_log_socket(log, use)) {
		descriptor_log_connect(log, descriptor_log_socket(log, use), machine->now);
	}
}

static struct descriptor_use connect_begin(struct machine *machine, struct process *process,
                                           uint64_t number)
{
	struct descriptor *descriptor = descriptor_at(machine, process, number);
	struct descriptor_use use = number_use(machine, process, number);

	if (descriptor && descriptor_log_settle(&machine->timeline->descriptors, use, machine->now))
		descriptor->is_opened = false;
	connect_note(machine, process, descriptor);
	if (descriptor)
		descriptor->is_changing = true;
	return use;
}

/* Returns what it was for: the socket as it is from now on. */
static struct descriptor_use connect_end(struct machine *machine, struct process *process,
                                         uint64_t number)
{
	struct descriptor *descriptor = descriptor_at(machine, process, number);
	struct descriptor before;

	connect_note(machine, process, descriptor);
	/* another thread may have closed it meanwhile */
	if (!descriptor || !descriptor->is_changing)
		return (struct descriptor_use){0};
	before = *descriptor;
	descriptor = number_begin(machine, process, number);
	if (!descriptor)
		return (struct descriptor_use){0};
	descriptor->is_opened = before.is_opened;
	descriptor->is_new_socket = before.is_new_socket;
	return use_of(descriptor);
}

struct descriptor_use descriptors_enter(struct machine *machine, struct descriptors *all,
                                        uint32_t track, const struct descriptor_call *call)
{
	struct process *process = process_of(machine, all, process_id(machine, track));

	forget_if_stray(machine, all, track, call);
	switch ((enum descriptor_act)call->act) {
	case DESCRIPTOR_REPLACE:
		(void)number_end(machine, process, call->argument[1]);
		/* fall through */
	case DESCRIPTOR_SHARE:
	case DESCRIPTOR_DUPLICATE:
		process->shared = machine->now;
		/* fall through */
	case DESCRIPTOR_USE:
	case DESCRIPTOR_USE_OPEN:
		return number_use(machine, process, call->argument[0]);
	case DESCRIPTOR_USE_SECOND:
		return number_use(machine, process, call->argument[1]);
	case DESCRIPTOR_CLOSE:
		return number_end(machine, process, call->argument[0]);
	case DESCRIPTOR_CONNECT:
		return connect_begin(machine, process, call->argument[0]);
	case DESCRIPTOR_RANGE:
		process_begin(machine, process, NSEC_NEVER);
		break;
	case DESCRIPTOR_UNSHARE:
		if (call->argument[0] & FLAG_CLONE_FILES)
			process_split(machine, process);
		break;
	case DESCRIPTOR_SPLIT:
		process_split(machine, process);
		break;
	case DESCRIPTOR_NONE:
	case DESCRIPTOR_SOCKET:
	case DESCRIPTOR_OPEN:
		break;
	}
	return (struct descriptor_use){0};
}

/* A call has opened the number. */
static struct descriptor_use number_open(struct machine *machine, struct process *process,
                                         uint32_t track, const struct descriptor_call *call,
                                         uint64_t number)
{
	struct descriptor_log *log = &machine->timeline->descriptors;
	bool is_asked = process->reach > 0 || machine->timeline->track[track].is_target;
	struct descriptor *descriptor = descriptor_at(machine, process, number);

	if (descriptor)
		(void)descriptor_settle(machine, descriptor, machine->now);
	descriptor = number_begin(machine, process, number);
	log->opens += is_asked;
	if (!descriptor) {
		log->opens_unseen += is_asked;
		return (struct descriptor_use){0};
	}
	descriptor->is_opened = is_asked;
	descriptor->is_new_socket = call->act == DESCRIPTOR_SOCKET;
	return use_of(descriptor);
}

struct descriptor_use descriptors_leave(struct machine *machine, struct descriptors *all,
                                        uint32_t track, const struct descriptor_call *call,
                                        int64_t result)
{
	struct process *process = process_of(machine, all, process_id(machine, track));
	struct descriptor *descriptor;

	forget_if_stray(machine, all, track, call);
	switch ((enum descriptor_act)call->act) {
	case DESCRIPTOR_DUPLICATE:
		process->shared = machine->now;
		/* fall through */
	case DESCRIPTOR_USE_OPEN:
	case DESCRIPTOR_SOCKET:
	case DESCRIPTOR_OPEN:
		if (result >= 0)
			return number_open(machine, process, track, call, (uint64_t)result);
		break;
	case DESCRIPTOR_CONNECT:
		return connect_end(machine, process, call->argument[0]);
	case DESCRIPTOR_CLOSE:
		/* another thread may have opened the number meanwhile */
		descriptor = descriptor_at(machine, process, call->argument[0]);
		if (descriptor && descriptor->is_changing)
			(void)number_begin(machine, process, call->argument[0]);
		break;
	case DESCRIPTOR_REPLACE:
		process->shared = machine->now;
		/* what another thread has opened meanwhile may have been replaced */
		descriptor = descriptor_at(machine, process, call->argument[1]);
		if (descriptor && descriptor->is_opened)
			machine->timeline->descriptors.opens_unseen++;
		(void)number_begin(machine, process, call->argument[1]);
		break;
	case DESCRIPTOR_SHARE:
		process->shared = machine->now;
		break;
	case DESCRIPTOR_RANGE:
		if (!process->is_split)
			process_begin(machine, process, machine->now);
		break;
	case DESCRIPTOR_NONE:
	case DESCRIPTOR_USE:
	case DESCRIPTOR_USE_SECOND:
	case DESCRIPTOR_UNSHARE:
	case DESCRIPTOR_SPLIT:
		break;
	}
	return (struct descriptor_use){0};
}

/* The child has the same files under the same numbers, as far as that is certain. */
static void process_copy(struct machine *machine, struct process *child, struct process *parent,
                         nsec_t entered)
{
	if (parent->reach == 0 || !descriptor_at(machine, parent, parent->reach - 1))
		return;
	child->reach = child->reach > parent->reach ? child->reach : parent->reach;
	for (uint32_t number = 0; number < parent->count; number++) {
		struct descriptor *from = &parent->descriptor[number];
		struct descriptor *to = descriptor_at(machine, child, number);

		if (to && !from->is_changing &&
		    descriptor_log_settle(&machine->timeline->descriptors, use_of(from), entered))
			*to = (struct descriptor){.since = from->since, .look = from->look};
	}
}

void descriptors_fork(struct machine *machine, struct descriptors *all, uint32_t track,
                      uint64_t flags, nsec_t entered)
{
	uint32_t by = machine->timeline->track[track].parent;
	bool is_thread = flags & FLAG_CLONE_THREAD;
	struct process *child, *parent;

	if (!is_thread) {
		child = process_of(machine, all, process_id(machine, track));
		child->is_split = false;
		process_begin(machine, child, machine->now);
	}
	if (by == TRACK_NONE)
		return;
	(void)process_of(machine, all, process_id(machine, by));
	child = process_of(machine, all, process_id(machine, track));
	parent = process_of(machine, all, process_id(machine, by));
	if (is_thread != ((flags & FLAG_CLONE_FILES) != 0)) {
		process_split(machine, parent);
		process_split(machine, child);
	}
	if (is_thread)
		return;
	parent->shared = machine->now;
	if (parent->is_split)
		process_split(machine, child);
	else
		process_copy(machine, child, parent, entered);
}

void descriptors_exec(struct machine *machine, struct descriptors *all, uint32_t track)
{
	struct process *process = process_of(machine, all, process_id(machine, track));

	process_begin(machine, process, machine->now);
	process->is_split = false;
}

void descriptors_bury(struct machine *machine, struct descriptors *all, uint32_t track)
{
	int32_t id = process_id(machine, track);

	if (machine_process_id(machine, machine->timeline->track[track].tid) == id &&
	    map_get(&all->by_id, (uint32_t)id) != MAP_NONE)
		process_begin(machine, process_of(machine, all, id), machine->now);
}
