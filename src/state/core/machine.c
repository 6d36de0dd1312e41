/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "base/text/parse.h"
#include "ftwait/stream.h"
#include "graph/timeline/open_wait.h"
#include "held_wait.h"
#include "queue_tracker.h"
#include "tracker.h"
#include "words/kernel/kernel_numbers.h"

#define TRACKER_DECLARATION(id, name) extern const struct tracker name##_tracker;
TRACKERS(TRACKER_DECLARATION)

#define STORES_EACH(tracker, store)                                                           \
	for ((store) = (tracker)->stores; (store) && (store)->kind; (store)++)

#define TRACKER_ROW(id, name) [TRACKER_##id] = &name##_tracker,
const struct tracker *const trackers[TRACKER_COUNT] = {TRACKERS(TRACKER_ROW)};

#define TRACKER_NAME(id, name) [TRACKER_##id] = #name,
const char *const tracker_names[TRACKER_COUNT] = {TRACKERS(TRACKER_NAME)};

static void *store_of(const struct machine *machine, enum tracker_id id, const struct store *store)
{
	return (char *)machine->own[id] + store->at;
}

/* Calls the function for each of its pools, and the other for each of its maps. */
static void tracker_pass_stores(struct machine *machine, enum tracker_id id,
                                void (*take_pool)(struct object_pool *pool),
                                void (*take_map)(struct map *map))
{
	const struct store *store;

	STORES_EACH(trackers[id], store)
		if (store->kind == STORE_POOL)
			take_pool(store_of(machine, id, store));
		else
			take_map(store_of(machine, id, store));
}

/* Events of the CPU were lost. */
static void tracker_forget(struct machine *machine, enum tracker_id id, struct cpu *cpu)
{
	const struct tracker *tracker = trackers[id];

	if (tracker->forgets_cpu)
		memset(tracker_cpu(machine, cpu, id), 0, tracker->cpu_bytes);
	if (tracker->reset_cpu)
		tracker->reset_cpu(machine, cpu);
	if (tracker->forgets_tasks)
		TRACKER_TASK_EACH(machine, id, track, const void, object)
			tracker_drop_task(machine, id, track);
	if (!tracker->keeps_stores)
		tracker_pass_stores(machine, id, object_pool_clear, map_clear);
	if (tracker->forget)
		tracker->forget(machine);
}

/* For events of a kind that no tracker wants. */
static void on_nothing(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	(void)machine;
	(void)cpu;
	(void)event;
}

void machine_wake_tracker(struct machine *machine, enum tracker_id id)
{
	const struct tracker *tracker = trackers[id];
	const struct handler_row *row;

	machine->hooks.awake |= tracker_bit(id);
	for (size_t kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		if (tracker->conclude.causes & 1u << kind)
			machine->hooks.concluding[kind] |= tracker_bit(id);
	HANDLERS_EACH(tracker, row)
		machine->handler[row->kind] = row->handle;
	for (size_t other = 0; other < TRACKER_COUNT; other++)
		if (trackers[other]->also_with & tracker_bit(id) &&
		    !(machine->hooks.awake & tracker_bit((enum tracker_id)other)))
			machine_wake_tracker(machine, (enum tracker_id)other);
}

/* The first event of its tracker: the tracker takes part from now on. */
static void on_first_event(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	const struct handler_row *row;

	for (size_t id = 0; id < TRACKER_COUNT; id++)
		HANDLERS_EACH(trackers[id], row)
			if (row->kind == event->kind)
				machine_wake_tracker(machine, (enum tracker_id)id);
	ASSUME(machine->handler[event->kind] != on_first_event);
	machine->handler[event->kind](machine, cpu, event);
}

/* Enters the hooks of the tracker, as bits, in the masks of the trackers that have them. */
static void hooks_add(struct tracker_hooks *hooks, const struct tracker *tracker, tracker_set bit)
{
	ASSUME(bit && (bit & (bit - 1)) == 0);
	for (size_t level = 0; level < LEVEL_COUNT; level++) {
		if (tracker->explain.levels & 1u << level)
			hooks->explaining[level] |= bit;
		if (tracker->refine.call &&
		    (level == LEVEL_SOFT || !(tracker->refine.flags & ONLY_SOFT)))
			hooks->refining[level] |= bit;
	}
	for (size_t role = 0; role < KERNEL_THREAD_COUNT; role++)
		if (!tracker->explains_roles || tracker->explains_roles & 1u << role)
			hooks->explaining_role[role] |= bit;
	hooks->explaining_marked |= tracker->explain.flags & ONLY_MARKED ? bit : 0;
	for (size_t kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		if (!tracker->refine.causes || tracker->refine.causes & 1u << kind)
			hooks->refining_cause[kind] |= bit;
	hooks->refining_kept |= tracker->refine.flags & ONLY_KEPT ? bit : 0;
	hooks->refining_placed |= tracker->refine.flags & AND_PLACED ? bit : 0;
	hooks->refining_unwoken |= tracker->refine.flags & AND_UNWOKEN ? bit : 0;
	hooks->concluding_kept |= tracker->conclude.flags & ONLY_KEPT ? bit : 0;
	hooks->waking |= tracker->wake ? bit : 0;
	hooks->waking_kept |= tracker->wakes_kept ? bit : 0;
	hooks->changing |= tracker->change ? bit : 0;
	hooks->sleeping |= tracker->sleep ? bit : 0;
	if (tracker->sleeps_with) {
		ASSUME(!hooks->sleeping_with); /* one set serves all trackers that have it */
		hooks->sleeping_with = tracker->sleeps_with;
		hooks->sleeping_more = bit;
	}
	hooks->stopping |= tracker->stop ? bit : 0;
}

static void machine_bind(struct machine *machine, enum tracker_id id)
{
	const struct tracker *tracker = trackers[id];
	size_t task_bytes = tracker->task_bytes;
	const struct handler_row *row;
	const struct store *store;

	HANDLERS_EACH(tracker, row) {
		ASSUME(machine->handler[row->kind] == on_nothing);
		machine->handler[row->kind] = on_first_event;
	}
	hooks_add(&machine->hooks, tracker, tracker_bit(id));
	if (machine->interval_kinds & tracker->follows) {
		machine->hooks.following |= tracker_bit(id);
		task_bytes += tracker->follow_bytes;
	}
	machine->own[id] = xcalloc(1, tracker->own_bytes);
	STORES_EACH(tracker, store)
		if (store->kind == STORE_POOL)
			object_pool_init(store_of(machine, id, store), &store->pool);
		else
			map_init(store_of(machine, id, store));
	sparse_array_init(&machine->of_tasks[id], task_bytes);
	machine->cpu_offset[id] = (uint32_t)machine->cpu_words;
	machine->cpu_words += (tracker->cpu_bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t);
	if (tracker->begin)
		tracker->begin(machine);
}

/* The inode of the socket that the descriptor is of; 0: it is of none. */
static uint64_t socket_inode(const char *path)
{
	size_t length = strlen(STREAM_DESCRIPTOR_SOCKET);
	uint64_t inode;

	return strncmp(path, STREAM_DESCRIPTOR_SOCKET, length) == 0 &&
	       parse_number_at(path + length, 10, &inode) ? inode : 0;
}

static void machine_take_names(struct machine *machine)
{
	const struct recording_notes *notes = &machine->setup.source->notes;
	struct timeline *timeline = machine->timeline;

	for (size_t i = 0; i < notes->devices.count; i++)
		device_names_add(&timeline->devices, &timeline->names,
		                 machine_device(machine, notes->devices.item[i].dev),
		                 notes->devices.item[i].name, notes->devices.item[i].mapped);
	for (size_t i = 0; i < notes->paths.count; i++)
		file_names_add(&timeline->files, &timeline->names,
		               machine_device(machine, notes->paths.item[i].dev),
		               notes->paths.item[i].inode, notes->paths.item[i].path);
	for (size_t i = 0; i < notes->programs.count; i++)
		program_log_add(&timeline->programs, &(struct program_line){
			.tgid = machine_process_id(machine, notes->programs.item[i].tgid),
			.text = intern_adds(&timeline->names, notes->programs.item[i].text),
			.begin = notes->programs.item[i].begin,
			.read = notes->programs.item[i].read,
		});
	program_log_close(&timeline->programs);
	for (size_t i = 0; i < notes->descriptors.count; i++)
		descriptor_log_add(&timeline->descriptors, &(struct descriptor_look){
			.process = machine_process_id(machine, notes->descriptors.item[i].tgid),
			.number = notes->descriptors.item[i].number,
			.from = notes->descriptors.item[i].from,
			.to = notes->descriptors.item[i].to,
			.path = intern_adds(&timeline->names, notes->descriptors.item[i].path),
			.socket = socket_inode(notes->descriptors.item[i].path),
		});
	descriptor_log_close(&timeline->descriptors);
}

struct machine *machine_new(const struct machine_setup *setup)
{
	struct machine *machine = xcalloc(1, sizeof(*machine));

	machine->setup = *setup;
	machine->over_since = NSEC_NEVER;
	machine->timeline = setup->timeline;
	machine_take_names(machine);
	machine->health = setup->health;
	machine->signals = signal_names_of(setup->source->arch);
	for (size_t i = 0; i < setup->interval_sink_count; i++)
		machine->interval_kinds |= setup->interval_sinks[i].kinds;
	for (size_t i = 0; i < setup->sink_count; i++)
		machine->span_kinds |= setup->sinks[i].kinds ? setup->sinks[i].kinds : ~0u;
	machine->cpu = xcalloc(CPUS_MAX, sizeof(struct cpu *));
	id_table_init(&machine->track_by_tid);
	map_init(&machine->known_by_tid);
	map_init(&machine->is_target);
	map_init(&machine->first_thread);
	machine_find_targets(machine);
	for (size_t i = 0; i < setup->source->notes.tasks.count; i++) {
		const struct known_task *known = &setup->source->notes.tasks.item[i];

		map_put(&machine->known_by_tid, (uint64_t)known->tid, (uint32_t)i);
		machine->found.has_snapshot |= known->state != '\0';
		if (known->tgid > 0 && known->tgid != known->tid)
			map_put(&machine->first_thread, (uint32_t)known->tgid, 0);
	}
	for (size_t kind = 0; kind < EVENT_KIND_COUNT; kind++)
		machine->handler[kind] = on_nothing;
	for (size_t id = 0; id < TRACKER_COUNT; id++)
		machine_bind(machine, (enum tracker_id)id);
	for (size_t id = 0; id < TRACKER_COUNT; id++)
		if (trackers[id]->is_always ||
		    (trackers[id]->is_for_daemons &&
		     (setup->source->notes.pids.count > 0 || !setup->source->notes.command.pid)))
			machine_wake_tracker(machine, (enum tracker_id)id);
	return machine;
}

struct machine *machine_free(struct machine *machine)
{
	struct held_wait *held, *next;

	if (!machine)
		return NULL;
	for (uint32_t track = 0; track < machine->track_end; track++)
		free(machine->task[track].held);
	for (held = machine->held_free; held; held = next) {
		next = held->next;
		free(held);
	}
	for (size_t id = 0; id < TRACKER_COUNT; id++) {
		if (trackers[id]->end)
			trackers[id]->end(machine);
		tracker_pass_stores(machine, (enum tracker_id)id, object_pool_release, map_release);
		free(machine->own[id]);
		sparse_array_release(&machine->of_tasks[id]);
	}
	id_table_release(&machine->track_by_tid);
	map_release(&machine->known_by_tid);
	map_release(&machine->is_target);
	map_release(&machine->first_thread);
	MACHINE_CPU_EACH(machine, cpu)
		free(cpu);
	free(machine->cpu);
	free(machine->unseen_cpus);
	free(machine->task);
	free(machine);
	return NULL;
}

static struct cpu *machine_add_cpu(struct machine *machine, uint32_t number)
{
	struct cpu *cpu = xcalloc(1, sizeof(*cpu) + machine->cpu_words * sizeof(cpu->own[0]));

	ASSUME(number < CPUS_MAX && !machine->cpu[number]);
	cpu->number = number;
	cpu->current = TRACK_NONE;
	cpu->idle = TRACK_NONE;
	if (number >= machine->cpu_count)
		machine->cpu_count = number + 1;
	machine->cpu[number] = cpu;
	TRACKERS_CALL(reset_cpu, machine, cpu);
	return cpu;
}

static inline __attribute__((always_inline)) struct cpu *machine_cpu(struct machine *machine,
                                                                    uint32_t number)
{
	if (number < machine->cpu_count && machine->cpu[number])
		return machine->cpu[number];
	number = number < CPUS_MAX ? number : CPUS_MAX - 1;
	return machine->cpu[number] ? machine->cpu[number] : machine_add_cpu(machine, number);
}

void machine_begin(struct machine *machine, nsec_t time)
{
	ASSUME(!machine->has_begun);
	machine->has_begun = true;
	machine->begin = time;
	if (machine->timeline->hosts.count)
		machine->timeline->hosts.host[machine->setup.host].begin = time;
	else
		machine->timeline->begin = time;
	machine->now = time;
}

void machine_sample(struct machine *machine, const struct event *event)
{
	ASSUME(machine->has_begun);
	if (event->time > machine->now)
		machine->now = event->time;
	TRACKERS_CALL(sample, machine, machine_cpu(machine, event->cpu), event);
}

/* Ends with a jump to the handler, so that most events need no stack here. */
void machine_event(struct machine *machine, const struct event *event)
{
	struct cpu *cpu;

	ASSUME(machine->has_begun);
	if (event->time < machine->now)
		machine->health->late_events++;
	else
		machine->now = event->time;
	cpu = machine_cpu(machine, event->cpu);
	cpu->event_count++;
	cpu->last = cpu->latest;
	cpu->latest = machine->now;
	if (event->tid == cpu->current_tid && cpu->current != TRACK_NONE &&
	    cpu_stays_in_task(cpu, event))
		machine->handler[event->kind](machine, cpu, event);
	else
		cpu_event_elsewhere(machine, cpu, event);
}

void machine_gap(struct machine *machine, uint32_t number, nsec_t begin, nsec_t end,
                 bool has_switches)
{
	struct cpu *cpu;

	ASSUME(machine->has_begun);
	machine->now = nsec_max(machine->now, nsec_min(begin, end));
	machine->gap_end = nsec_max(machine->gap_end, end);
	cpu = machine_cpu(machine, number);
	for (size_t id = 0; id < TRACKER_COUNT; id++)
		tracker_forget(machine, (enum tracker_id)id, cpu);
	if (!has_switches)
		return;
	if (cpu->current != TRACK_NONE)
		cpu_drop_current(machine, cpu);
	cpu->latest = machine->now;
	cpu->is_after_gap = true;
	if (end == NSEC_NEVER)
		tasks_lose_cpu(machine, cpu);
}

uint32_t machine_word(struct machine *machine, struct text text)
{
	struct named_word wanted = {.length = text.length};
	struct named_word *known;

	if (text.length == 0)
		return 0;
	if (text.length > sizeof(wanted.bytes))
		return intern_add(&machine->timeline->names, text.at, text.length);
	memcpy(wanted.bytes, text.at, text.length);
	known = &machine->word[hash_mix(wanted.bytes[0], wanted.bytes[1]) & (WORDS_NAMED - 1)];
	if (known->length != wanted.length || known->bytes[0] != wanted.bytes[0] ||
	    known->bytes[1] != wanted.bytes[1]) {
		wanted.name = intern_add(&machine->timeline->names, text.at, text.length);
		*known = wanted;
	}
	return known->name;
}

uint32_t machine_function(struct machine *machine, uint64_t address)
{
	struct named_function *known =
		&machine->function[address * 0x9e3779b97f4a7c15u >> 32 & (FUNCTIONS_NAMED - 1)];
	const char *name;

	if (known->address == address && address)
		return known->name;
	name = machine->setup.symbol ? machine->setup.symbol(machine->setup.symbols, address)
	                             : NULL;
	*known = (struct named_function){
		address, name ? intern_adds(&machine->timeline->names, name) : 0};
	return known->name;
}

const char *machine_function_within(const struct machine *machine, uint64_t address)
{
	return machine->setup.symbol_within
	               ? machine->setup.symbol_within(machine->setup.symbols, address)
	               : NULL;
}

/*
 * What the end of the trace cuts, or a look at it before the end: the last span of each task, and
 * open objects.
 */

/* Reports to the health which live objects the tracker's pools have forgotten. */
static void tracker_report_forgotten(struct machine *machine, enum tracker_id id)
{
	const struct store *store;

	STORES_EACH(trackers[id], store) {
		const struct object_pool *pool = store_of(machine, id, store);

		if (!store->pool.kind || pool->forgotten == 0)
			continue;
		machine->health->objects_forgotten += pool->forgotten;
		health_note(machine->health,
		            "more than %" PRIu32 " %s at once: forgot the oldest %" PRIu64,
		            pool->setup.limit, pool->setup.kind, pool->forgotten);
	}
}

/* Whether its sleep is of interest although nothing happens in it. */
static bool known_sleep_matters(const struct machine *machine, const struct known_task *known)
{
	const struct track asked = {.tid = known->tid, .tgid = known->tgid};

	return known->tid > 0 && (known->state == 'D' || (known->state == 'S' &&
	                                                  machine_is_target(machine, &asked)));
}

/* Adds tracks for tasks that the snapshots at both ends of the recording show asleep, and that no
   event names, if their sleep is of interest. If the recorder was killed there is no second one,
   and they slept as long as there are events. */
static void machine_add_sleepers(struct machine *machine)
{
	const struct recording_notes *notes = &machine->setup.source->notes;

	ASSUME(machine->has_ended);
	for (size_t i = 0; i < notes->tasks.count; i++) {
		const struct known_task *known = &notes->tasks.item[i];
		uint32_t track;

		if (!(known->is_still_so || notes->lacks_end) ||
		    !known_sleep_matters(machine, known) ||
		    id_table_get(&machine->track_by_tid, (uint64_t)known->tid) != ID_TABLE_NONE)
			continue;
		track = machine_track(machine, /* cpu= */ NULL, known->tid);
		/* it still sleeps where it slept, unless it moved on between the snapshot and the
		   first event */
		if (track != TRACK_NONE && machine->task[track].kind == SEGMENT_WAIT &&
		    known->place && known->end_place &&
		    strcmp(known->place, known->end_place) == 0)
			TRACKERS_CALL(stay, machine, track, known->place);
	}
}

/* Has effect if the task still is in the wait that the recorder saw, or goes on with it. Without a
   time it was seen when the recording ended. */
static void task_be_seen(struct machine *machine, uint32_t track, const struct open_wait *wait)
{
	const struct task_state *task = track == TRACK_NONE ? NULL : &machine->task[track];

	if (!task || task->kind != SEGMENT_WAIT ||
	    (wait->seen > 0 && task->since > wait->seen &&
	     !(task->may_be_again && open_wait_goes_on(machine->timeline, track, wait->seen))))
		return;
	if (wait->place)
		TRACKERS_CALL(stay, machine, track, wait->place);
	TRACKERS_CALL(seen, machine, track, wait);
}

void machine_see(struct machine *machine, const struct open_wait *wait)
{
	if (wait->tid > 0 && wait->seen > 0)
		task_be_seen(machine, machine_task_of(machine, wait->tid), wait);
}

/* The tids of all tasks that events name, also of those that have ended: the table of tids knows no
   more of them. */
static void machine_map_tids(const struct machine *machine, struct map *ret)
{
	map_init(ret);
	MACHINE_TRACK_EACH(machine, track)
		map_put(ret, (uint32_t)machine->timeline->track[track].tid, track);
}

static void machine_take_open_waits(struct machine *machine)
{
	const struct recording_notes *notes = &machine->setup.source->notes;
	struct map tids;

	if (notes->open_waits.count == 0)
		return;
	machine_map_tids(machine, &tids);
	for (size_t i = 0; i < notes->open_waits.count; i++) {
		const struct open_wait *wait = &notes->open_waits.item[i];
		uint64_t tid = (uint64_t)wait->tid;

		/* also if no event names the task, unless it has ended since */
		if (wait->tid > 0 && (map_get(&tids, tid) == MAP_NONE ||
		                      id_table_get(&machine->track_by_tid, tid) != ID_TABLE_NONE))
			task_be_seen(machine, machine_track(machine, /* cpu= */ NULL, wait->tid),
			             wait);
	}
	map_release(&tids);
}

/* Whether the recorder saw it waiting when the recording ended, in the wait that it is in. */
static bool task_is_seen_at_end(const struct machine *machine, uint32_t track)
{
	const struct recording_notes *notes = &machine->setup.source->notes;

	ASSUME(machine->has_ended && machine->over_since != NSEC_NEVER);
	for (size_t i = 0; i < notes->open_waits.count; i++)
		if (notes->open_waits.item[i].seen == 0 &&
		    machine_task_of(machine, notes->open_waits.item[i].tid) == track)
			return true;
	return false;
}

/* Calls cpu_end_stopper() for each CPU without an event at t. The caller knows that no event before
   t is still to come. */
static void machine_end_stoppers(struct machine *machine, nsec_t t)
{
	ASSUME(t >= machine->now);
	MACHINE_CPU_EACH(machine, cpu)
		if (cpu->latest < t) {
			cpu->last = cpu->latest;
			cpu_end_stopper(machine, cpu);
		}
}

/* Processes that are older than the trace have the parents that the recorder saw, also if they have
   ended. */
static void machine_take_parents(struct machine *machine)
{
	const struct recording_notes *notes = &machine->setup.source->notes;
	struct track *tracks = machine->timeline->track;
	struct map old; /* track by tid */

	_Static_assert(MAP_NONE == TRACK_NONE, "a tid that is not there has no track");
	if (notes->processes.count == 0)
		return;
	map_init(&old);
	MACHINE_TRACK_EACH(machine, track)
		if (tracks[track].tid > 0 && tracks[track].generation == 0 &&
		    tracks[track].born == NSEC_NEVER)
			map_put(&old, (uint64_t)tracks[track].tid, track);
	for (size_t i = 0; i < notes->processes.count; i++) {
		const struct known_process *known = &notes->processes.item[i];
		uint32_t track = map_get(&old, (uint64_t)known->tgid);

		if (known->read != NSEC_NEVER && track != MAP_NONE && known->parent != known->tgid)
			tracks[track].old_parent = map_get(&old, (uint64_t)known->parent);
	}
	map_release(&old);
}

void machine_weigh(const struct machine *machine, struct health *health)
{
	MACHINE_TRACK_EACH(machine, track) {
		struct explained_time time = track_time(&machine->timeline->track[track]);

		if (machine->task[track].is_idle)
			continue;
	ASSUME(time.explained <= time.all);
		health->task_ns += time.all;
		health->explained_ns += time.explained;
	}
}

void machine_end(struct machine *machine, nsec_t end)
{
	if (!machine->has_begun)
		return;
	ASSUME(!machine->has_ended);
	end = nsec_max(end, machine->now);
	machine_end_stoppers(machine, end);
	/* what can be decided only once no more events come */
	MACHINE_TRACK_EACH(machine, track) {
		task_end_tentative(machine, track);
		if (machine->task[track].kind == SEGMENT_RUNNABLE)
			queue_take(machine, track, end);
		/* a task that was taken for dead may have had events since */
		if (machine->task[track].kind == SEGMENT_DEAD)
			task_bury(machine, track);
	}
	TRACKERS_CALL(close, machine, end);
	machine->has_ended = true;
	/* only if the data of all CPUs last until then, tasks are known to be still off the CPU */
	if (machine->over_since != NSEC_NEVER)
		MACHINE_TRACK_EACH(machine, track)
			if (!task_is_seen_at_end(machine, track))
				task_lose_rest(machine, track);
	machine_add_sleepers(machine);
	machine_take_parents(machine);
	machine_take_open_waits(machine);
	MACHINE_TRACK_EACH(machine, track)
		task_close(machine, track, end);
	machine_weigh(machine, machine->health);
	unseen_cpus_close(machine);
	for (size_t id = 0; id < TRACKER_COUNT; id++)
		tracker_report_forgotten(machine, (enum tracker_id)id);
	if (machine->timeline->hosts.count) {
		machine->timeline->hosts.host[machine->setup.host].end = end;
	} else {
		machine->timeline->begin = machine->begin;
		machine->timeline->end = end;
	}
}

void machine_reach(struct machine *machine, nsec_t time)
{
	machine->now = nsec_max(machine->now, time);
	machine_end_stoppers(machine, machine->now);
	/* what a task does first adds to its last wait; later nothing does, however long it runs */
	MACHINE_CPU_EACH(machine, cpu)
		if (cpu->current != TRACK_NONE &&
		    machine->task[cpu->current].kind == SEGMENT_RUN &&
		    machine->task[cpu->current].since + HELD_RUN_MAX < machine->now)
			wait_release(machine, cpu->current);
}

void machine_know_process(struct machine *machine, int32_t tid, int32_t tgid)
{
	uint32_t track = machine_task_of(machine, tid);

	if (track == TRACK_NONE || machine->timeline->track[track].tgid > 0)
		return;
	machine->timeline->track[track].tgid = tgid;
	machine->task[track].is_threaded = tgid != tid;
}

void machine_expect(struct machine *machine, const struct event_kinds *described)
{
	bool has_afterwords = machine->setup.has_afterwords; /* it may be set by a stack */

	machine_setup_expect(&machine->setup, described);
	machine->setup.has_afterwords |= has_afterwords;
}

void machine_meet_known(struct machine *machine, bool sleepers_only)
{
	const struct recording_notes *notes = &machine->setup.source->notes;
	struct map met;

	machine_map_tids(machine, &met);
	for (size_t i = 0; i < notes->tasks.count; i++) {
		const struct known_task *known = &notes->tasks.item[i];
		int32_t tid = known->tid;

		if (tid > 0 && map_get(&met, (uint32_t)tid) == MAP_NONE &&
		    (!sleepers_only || known_sleep_matters(machine, known)))
			(void)machine_track(machine, /* cpu= */ NULL, tid);
	}
	map_release(&met);
}

uint32_t machine_task_of(const struct machine *machine, int64_t tid)
{
	return id_table_get(&machine->track_by_tid, (uint64_t)tid);
}

bool machine_look(struct machine *machine, uint32_t track, struct span *ret,
                  struct cause_note *note)
{
	bool is_there = task_look(machine, track, machine->now, ret, note);

	ASSUME(!is_there || (ret->is_open && ret->end == machine->now));
	if (is_there && ret->kind == SEGMENT_RUNNABLE &&
	    (queue_is_refuted(machine, track) ||
	     task_is_unseen(machine, &machine->task[track], machine->now)))
		ret->kind = SEGMENT_UNKNOWN;
	return is_there;
}

void machine_look_at_cpus(struct machine *machine)
{
	MACHINE_CPU_EACH(machine, cpu)
		if (cpu->current == cpu->idle)
			cpu_emit_idle(machine, cpu, machine->now, /* is_open= */ true);
}

void machine_show_open(struct machine *machine, bool as_end)
{
	ASSUME(machine->has_begun);
	MACHINE_TRACK_EACH(machine, track)
		task_show(machine, track, machine->now, /* with_cause= */ as_end);
	machine->timeline->ends_here = as_end;
}

void machine_hide_open(struct machine *machine)
{
	machine->timeline->ends_here = false;
	MACHINE_TRACK_EACH(machine, track)
		timeline_hide_open(machine->timeline, track);
}

/* Kinds bound to one CPU, which end at its losses; others may have gone on where events were
   lost. */
#define KINDS_OF_A_CPU                                                                        \
	(INTERVAL_MASK(INTERVAL_IRQ) | INTERVAL_MASK(INTERVAL_SOFTIRQ) |                      \
	 INTERVAL_MASK(INTERVAL_IPI) | INTERVAL_MASK(INTERVAL_TIMER) |                        \
	 INTERVAL_MASK(INTERVAL_CPU) | INTERVAL_MASK(INTERVAL_IDLE))

void machine_emit_interval(struct machine *machine, struct interval *interval)
{
	uint32_t mask = INTERVAL_MASK(interval->kind);
	nsec_t last = 0;

	if (!(machine->interval_kinds & mask))
		return;
	for (size_t i = PHASE_COUNT; i-- > 0;)
		if (interval->phase[i] != NSEC_NEVER)
			interval->begin = interval->phase[i];
	for (size_t i = 0; i < PHASE_COUNT; i++) {
		if (interval->phase[i] == NSEC_NEVER)
			continue;
		ASSUME(interval->phase[i] >= last);
		last = interval->phase[i];
	}
	ASSUME(machine->begin <= interval->begin && last <= interval->end &&
	       interval->begin <= interval->end);
	interval->is_doubtful = !(mask & KINDS_OF_A_CPU) && interval->begin < machine->gap_end;
	for (size_t i = 0; i < machine->setup.interval_sink_count; i++) {
		const struct interval_sink *sink = &machine->setup.interval_sinks[i];

		if (sink->kinds & mask)
			sink->on_interval(sink->state, interval);
	}
}
