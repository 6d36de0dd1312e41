/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/data/array.h"
#include "ftwait/stream.h"
#include "source/source_notes.h"
#include "source/stream/stream_walk.h"
#include "source/stream_lines.h"
#include "source/text/text_line.h"
#include "user_maps.h"
#include "words/command_line.h"

/*
 * The lines of option VERSION about processes: their parents, their control groups, the hierarchies
 * of these, and their command lines (ftwait/stream.h). Malformed lines, and those beyond the limits
 * of ftwait/source.h, are ignored.
 */

#define PATH_MAX_BYTES 4096

/* "ID [ID...]": all of them are numbers, or none is taken. */
static void notes_take_hierarchies(struct found_notes *found, struct text_line line)
{
	struct recording_notes *notes = &found->source->notes;
	uint32_t hierarchy[SOURCE_HIERARCHIES_MAX];
	size_t count = 0;

	while (line.at < line.end) {
		int64_t id = word_number(line_word(&line), INT32_MAX);

		if (id < 0 || count == SOURCE_HIERARCHIES_MAX)
			return;
		hierarchy[count++] = (uint32_t)id;
	}
	memcpy(notes->hierarchies.item, hierarchy, count * sizeof(*hierarchy));
	notes->hierarchies.count = count;
}

/* "N ID PATH": groups are numbered as they come. */
static void notes_take_cgroup(struct found_notes *found, struct text_line line)
{
	int64_t number = word_number(line_word(&line), SOURCE_CGROUPS_MAX - 1);
	int64_t hierarchy = word_number(line_word(&line), INT32_MAX);
	size_t length = line_length(line);

	if (number < 0 || (size_t)number != found->cgroup_count || hierarchy < 0 || length == 0 ||
	    length > PATH_MAX_BYTES || *line.at != '/' ||
	    !text_store_has_room(found->text, length + 1))
		return;
	ARRAY_GROW(found->cgroups, found->cgroup_count, found->cgroup_capacity);
	found->cgroups[found->cgroup_count++] = (struct source_cgroup){
		.hierarchy = (uint32_t)hierarchy,
		.path = text_store_add(found->text, line.at, length),
	};
}

/* "TGID PARENT N" */
static void take_process(struct found_notes *found, struct text_line line, bool is_late)
{
	int64_t tgid = word_number(line_word(&line), INT32_MAX);
	int64_t parent = word_number(line_word(&line), INT32_MAX);
	struct text_line word = line_word(&line);
	int64_t cgroup = word_number(word, SOURCE_CGROUPS_MAX - 1);

	if (tgid <= 0 || parent < 0 || (cgroup < 0 && !word_is(word, "-")) ||
	    cgroup >= (int64_t)found->cgroup_count ||
	    found->process_count == SOURCE_PROCESSES_MAX)
		return;
	ARRAY_GROW(found->processes, found->process_count, found->process_capacity);
	found->processes[found->process_count++] = (struct known_process){
		.tgid = (int32_t)tgid,
		.parent = (int32_t)parent,
		.cgroup = cgroup < 0 ? SOURCE_CGROUP_NONE : (uint32_t)cgroup,
		.read = is_late ? NSEC_NEVER : found->tasks_read,
	};
}

static void notes_take_process(struct found_notes *found, struct text_line line)
{
	take_process(found, line, /* is_late= */ false);
}

static void notes_take_end_process(struct found_notes *found, struct text_line line)
{
	take_process(found, line, /* is_late= */ true);
}

/* "TGID BEGIN READ TEXT" */
static void notes_take_program(struct found_notes *found, struct text_line line)
{
	int64_t tgid = word_number(line_word(&line), INT32_MAX);
	int64_t begin = word_number(line_word(&line), INT64_MAX);
	int64_t read = word_number(line_word(&line), INT64_MAX);
	size_t length = line_length(line);

	if (tgid <= 0 || begin < 0 || read < begin || !command_line_is_valid(line.at, length) ||
	    found->program_count == SOURCE_PROGRAMS_MAX ||
	    !text_store_has_room(found->text, length + 1))
		return;
	ARRAY_GROW(found->programs, found->program_count, found->program_capacity);
	found->programs[found->program_count++] = (struct source_program){
		.tgid = (int32_t)tgid,
		.begin = (nsec_t)begin,
		.read = (nsec_t)read,
		.text = text_store_add(found->text, line.at, length),
	};
}

/* "GLOB" */
static void notes_take_target_cgroup(struct found_notes *found, struct text_line line)
{
	struct recording_notes *notes = &found->source->notes;
	size_t length = line_length(line);

	if (length == 0 || length > PATH_MAX_BYTES ||
	    notes->target_cgroups.count == SOURCE_TARGET_CGROUPS_MAX ||
	    !text_store_has_room(found->text, length + 1))
		return;
	notes->target_cgroups.item[notes->target_cgroups.count++] =
		text_store_add(found->text, line.at, length);
}

/*
 * Names of block devices and of files, from the lines `device` and `path` of option VERSION
 * (ftwait/stream.h). Lines that are malformed, or more than there is room for, are ignored.
 */

/* Of devices: a disk has at most 31 bytes, a partition a few more; a mapped device has 127. */
#define NAME_BYTES_MAX 128

/* The text, unescaped, as a string of the source; NULL if it is empty, longer than `most`, or there
   is no room. */
static const char *take_name(struct found_notes *found, struct text_line text, size_t most)
{
	char name[PATH_MAX + 1];
	size_t length = line_unescape(text, name, most + 1);

	if (length == 0 || length > most || !text_store_has_room(found->text, length + 1))
		return NULL;
	return text_store_add(found->text, name, length);
}

/* "MAJOR:MINOR NAME [MAPPED]" */
static void notes_take_device(struct found_notes *found, struct text_line line)
{
	struct source_device device = {.dev = word_device(line_word(&line))};

	if (!device.dev || found->device_count == SOURCE_DEVICES_MAX)
		return;
	device.name = take_name(found, line_word(&line), NAME_BYTES_MAX);
	if (!device.name)
		return;
	device.mapped = take_name(found, line, NAME_BYTES_MAX);
	ARRAY_GROW(found->devices, found->device_count, found->device_capacity);
	found->devices[found->device_count++] = device;
}

/* "MAJOR:MINOR INODE PATH" */
static void notes_take_path(struct found_notes *found, struct text_line line)
{
	struct source_path path = {.dev = word_device(line_word(&line))};
	int64_t inode = word_number(line_word(&line), INT64_MAX);

	if (!path.dev || inode <= 0 || found->path_count == SOURCE_PATHS_MAX)
		return;
	path.inode = (uint64_t)inode;
	path.path = take_name(found, line, PATH_MAX);
	if (!path.path)
		return;
	ARRAY_GROW(found->paths, found->path_count, found->path_capacity);
	found->paths[found->path_count++] = path;
}

#define TASKS_MAX (1u << 20)
#define STEAL_NS_MAX INT64_MAX
#define CPU_MAX      65535
#define NOTE_MAX     400
/* More than a month: sums of such do not overflow. */
#define CPU_WEIGHT_MAX 999 /* per mille */
#define CPU_LIMIT_NS_MAX (INT64_C(1) << 52)
#define TICK_HZ_MAX  1000000
/* of several lines together */
#define LISTEN_MAX   (4 * STREAM_LISTEN_MAX)
#define PLACE_MAX    4096
#define RECORDED_MAX 8192
#define MACHINE_DIGITS 32
#define COMM_MAX  63 /* kworkers have more than 15 in /proc */

static int32_t word_tid(struct text_line word)
{
	return (int32_t)word_number(word, INT32_MAX);
}

/* The task of that id, new or known; NULL if there is no room for more. */
static struct known_task *notes_task(struct found_notes *found, int32_t tid)
{
	uint32_t at = map_get(&found->task_index, (uint32_t)tid);
	struct known_task *task;

	if (at != MAP_NONE)
		return &found->tasks[at];
	if (found->task_count >= TASKS_MAX || !text_store_has_room(found->text, COMM_MAX + 1))
		return NULL;
	ARRAY_GROW(found->tasks, found->task_count, found->task_capacity);
	map_put(&found->task_index, (uint32_t)tid, (uint32_t)found->task_count);
	assert(found->tasks);
	task = &found->tasks[found->task_count++];
	*task = (struct known_task){.tid = tid, .tgid = -1};
	return task;
}

static const char *notes_comm(struct found_notes *found, struct text_line comm)
{
	size_t length = (size_t)(comm.end - comm.at);

	return text_store_add(found->text, comm.at, length > COMM_MAX ? COMM_MAX : length);
}

/* "PID COMM" lines. The kernel prints "<...>" for a task whose name it has forgotten. */
void notes_take_cmdlines(struct found_notes *found, const char *text, size_t length)
{
	const char *at = text, *end = text + length;
	struct text_line line;

	while (line_next(&at, end, &line)) {
		int32_t tid = word_tid(line_word(&line));
		struct known_task *task;

		if (tid <= 0 || line.at == line.end || word_is(line, "<...>"))
			continue;
		task = notes_task(found, tid);
		if (task && !task->comm)
			task->comm = notes_comm(found, line);
	}
}

/* "TID TGID STATE K COMM" */
static void take_task(struct found_notes *found, struct text_line line)
{
	int32_t tid = word_tid(line_word(&line));
	int32_t tgid = word_tid(line_word(&line));
	struct text_line state = line_word(&line);
	struct text_line kind = line_word(&line);
	struct known_task *task = tid > 0 ? notes_task(found, tid) : NULL;

	if (!task || state.at == state.end)
		return;
	task->tgid = tgid;
	task->read = found->tasks_read;
	task->state = *state.at == '-' ? '\0' : *state.at;
	task->is_kernel = word_is(kind, "k");
	if (line.at < line.end)
		task->comm = notes_comm(found, line);
}

/* "NS" */
static void take_read(struct found_notes *found, struct text_line line)
{
	int64_t time = word_number(line_word(&line), INT64_MAX);

	found->tasks_read = time > 0 ? (nsec_t)time : 0;
}

static void take_still(struct found_notes *found, struct text_line line)
{
	int32_t tid = word_tid(line_word(&line));
	uint32_t at = map_get(&found->task_index, (uint32_t)tid);

	if (at != MAP_NONE)
		found->tasks[at].is_still_so = true;
}

/* "TID FUNCTION[;FUNCTION...]" */
static void take_place(struct found_notes *found, struct text_line line, bool is_end)
{
	int32_t tid = word_tid(line_word(&line));
	uint32_t at = map_get(&found->task_index, (uint32_t)tid);
	size_t length = (size_t)(line.end - line.at);
	struct known_task *task;

	if (at == MAP_NONE || length == 0 || length > PLACE_MAX ||
	    !text_store_has_room(found->text, length + 1))
		return;
	task = &found->tasks[at];
	*(is_end ? &task->end_place : &task->place) =
		text_store_add(found->text, line.at, length);
}

static void take_begin_place(struct found_notes *found, struct text_line line)
{
	take_place(found, line, /* is_end= */ false);
}

static void take_end_place(struct found_notes *found, struct text_line line)
{
	take_place(found, line, /* is_end= */ true);
}

/* "TID SINCE SEEN STATE CALL FUNCTIONS KIND..." */
static void take_waits(struct found_notes *found, struct text_line line)
{
	struct open_wait wait;

	if (found->open_wait_count == OPEN_WAITS_MAX ||
	    !open_wait_line_read(line, found->text, &wait))
		return;
	ARRAY_GROW(found->open_waits, found->open_wait_count, found->open_wait_capacity);
	found->open_waits[found->open_wait_count++] = wait;
}

static void take_pids(struct found_notes *found, struct text_line line)
{
	while (line.at < line.end) {
		const char *comma = memchr(line.at, ',', (size_t)(line.end - line.at));
		struct text_line word = {line.at, comma ? comma : line.end};
		int32_t pid = word_tid(word);

		line.at = comma ? comma + 1 : line.end;
		if (pid <= 0 || found->pid_count >= TASKS_MAX)
			continue;
		ARRAY_GROW(found->pids, found->pid_count, found->pid_capacity);
		found->pids[found->pid_count++] = pid;
	}
}

/* "PORT [PORT...]": all of them are ports, or none is taken. */
static void take_listen(struct found_notes *found, struct text_line line)
{
	struct text_line rest = line;
	size_t count = 0;

	for (; rest.at < rest.end; count++)
		if (word_number(line_word(&rest), UINT16_MAX) <= 0)
			return;
	if (count + found->listening_count > LISTEN_MAX)
		return;
	while (line.at < line.end) {
		ARRAY_GROW(found->listening, found->listening_count,
		           found->listening_capacity);
		found->listening[found->listening_count++] =
			(uint16_t)word_number(line_word(&line), UINT16_MAX);
	}
}

/* "KIND MAJOR:MINOR INODE BEGIN END MODE PROCESS" */
static void take_locked(struct found_notes *found, struct text_line line)
{
	struct text_line kind = line_word(&line);
	uint32_t dev = word_device(line_word(&line));
	int64_t inode = word_number(line_word(&line), INT64_MAX);
	int64_t begin = word_number(line_word(&line), INT64_MAX);
	int64_t end = word_number(line_word(&line), INT64_MAX);
	struct text_line mode = line_word(&line);
	int32_t owner = word_tid(line_word(&line));

	if (inode <= 0 || begin < 0 || end < begin || owner <= 0 ||
	    found->lock_count == STREAM_LOCKS_MAX)
		return;
	ARRAY_GROW(found->locks, found->lock_count, found->lock_capacity);
	found->locks[found->lock_count++] = (struct source_lock){
		.inode = (uint64_t)inode,
		.begin = (uint64_t)begin,
		.end = (uint64_t)end,
		.dev = dev,
		.owner = owner,
		.is_flock = word_is(kind, "flock"),
		.is_write = word_is(mode, "w"),
	};
}

static void take_command(struct found_notes *found, struct text_line line)
{
	int32_t pid = word_tid(line_word(&line));

	found->source->notes.command.pid = pid > 0 ? pid : 0;
}

static void take_argument(struct found_notes *found, struct text_line line)
{
	char word[STREAM_ARGUMENT_BYTES_MAX];

	if (found->command_count >= STREAM_ARGUMENTS_MAX ||
	    line_length(line) > 4 * sizeof(word) ||
	    !text_store_has_room(found->text, sizeof(word) + 1))
		return;
	ARRAY_GROW(found->command, found->command_count, found->command_capacity);
	found->command[found->command_count++] =
		text_store_add(found->text, word,
		               line_unescape(line, word, sizeof(word)));
}

/* "KEY [TEXT]": a later one replaces one of the same key. */
static void take_label(struct found_notes *found, struct text_line line)
{
	struct text_line key = line_word(&line);
	char value[LABEL_VALUE_MAX + 1];
	struct label *label = found->label, *end = label + found->label_count;

	if (!label_key_is_valid(key.at, line_length(key)) ||
	    line_length(line) > 4 * sizeof(value) ||
	    !text_store_has_room(found->text, LABEL_KEY_MAX + sizeof(value) + 2))
		return;
	while (label < end && !word_is(key, label->key))
		label++;
	if (label == end) {
		if (found->label_count == LABELS_MAX)
			return;
		found->label_count++;
		label->key = text_store_add(found->text, key.at, line_length(key));
	}
	label->value = text_store_add(found->text, value,
	                              line_unescape(line, value, sizeof(value)));
}

static void take_trigger(struct found_notes *found, struct text_line line)
{
	trigger_line_take(&found->source->notes.trigger, found->text, line);
}

static void take_triggered(struct found_notes *found, struct text_line line)
{
	trigger_text_take(&found->source->notes.trigger, found->text, line);
}

static void take_triggered_for(struct found_notes *found, struct text_line line)
{
	trigger_aim_take(&found->source->notes.trigger, found->text, line);
}

static void take_text(struct found_notes *found, struct text_line line, const char **ret)
{
	size_t length = (size_t)(line.end - line.at);

	if (length > 0 && length <= RECORDED_MAX && !*ret &&
	    text_store_has_room(found->text, length + 1))
		*ret = text_store_add(found->text, line.at, length);
}

static void take_boot(struct found_notes *found, struct text_line line)
{
	take_text(found, line_word(&line), &found->source->notes.machine.boot_id);
}

static bool line_is_hex(struct text_line line)
{
	for (const char *at = line.at; at < line.end; at++)
		if (!(*at >= '0' && *at <= '9') && !(*at >= 'a' && *at <= 'f'))
			return false;
	return true;
}

static void take_build_id(struct found_notes *found, struct text_line line)
{
	if (line_is_hex(line))
		take_text(found, line, &found->source->notes.machine.kernel_build_id);
}

/* 32 digits, lower-case hex. */
static void take_machine(struct found_notes *found, struct text_line line)
{
	if (line_length(line) == MACHINE_DIGITS && line_is_hex(line))
		take_text(found, line, &found->source->notes.machine.machine_id);
}

/* The kernel itself allows no more than 16 s. */
#define ERROR_MAX (INT64_C(1) << 40)

/* "NS REAL WITHIN [ERROR]": the lines come in order of time. */
static void take_realtime(struct found_notes *found, struct text_line line)
{
	struct realtime *realtime = &found->source->notes.realtime;
	int64_t time = word_number(line_word(&line), REALTIME_MAX);
	int64_t real = word_number(line_word(&line), REALTIME_MAX);
	int64_t within = word_number(line_word(&line), REALTIME_MAX);
	int64_t error = word_number(line_word(&line), ERROR_MAX);
	struct realtime_pair pair = {(nsec_t)time, (nsec_t)real, (nsec_t)within,
	                             error > 0 ? (nsec_t)error : 0};

	if (time < 0 || real <= 0 || within < 0 || realtime->count == REALTIME_PAIRS_MAX ||
	    (realtime->count > 0 && pair.time <= realtime->pair[realtime->count - 1].time))
		return;
	realtime->pair[realtime->count++] = pair;
}

static void take_recorded(struct found_notes *found, struct text_line line)
{
	take_text(found, line, &found->source->notes.recorded);
}

static void take_asked(struct found_notes *found, struct text_line line)
{
	take_text(found, line, &found->source->notes.asked);
}

static void take_ring(struct found_notes *found, struct text_line line)
{
	if (line_length(line) == 0)
		found->source->notes.keeps_newest = true;
}

static void take_exit(struct found_notes *found, struct text_line line)
{
	int64_t status = word_number(line_word(&line), UINT16_MAX);

	if (status < 0)
		return;
	found->source->notes.command.has_status = true;
	found->source->notes.command.status = (int)status;
}

static void take_recorder(struct found_notes *found, struct text_line line)
{
	int32_t tid = word_tid(line_word(&line));

	for (size_t i = 0; i < RECORDER_THREADS_MAX && tid > 0; i++)
		if (found->source->notes.recorder[i] == 0) {
			found->source->notes.recorder[i] = tid;
			return;
		}
}

static void take_guest(struct found_notes *found, struct text_line line)
{
	(void)line;
	found->source->notes.machine.is_guest = true;
}

static void take_note(struct found_notes *found, struct text_line line)
{
	int length = line.end - line.at < NOTE_MAX ? (int)(line.end - line.at) : NOTE_MAX;

	if (text_store_has_room(found->text, NOTE_MAX + 1))
		source_note(found->source, found->text, "%.*s", length, line.at);
}

static void take_damage(struct found_notes *found, struct text_line line)
{
	int length = line.end - line.at < NOTE_MAX ? (int)(line.end - line.at) : NOTE_MAX;

	if (text_store_has_room(found->text, NOTE_MAX + 1))
		source_damage(found->source, found->text, "%.*s", length, line.at);
	else
		found->source->health.damaged = true;
	found->source->notes.lacks_end |= line_begins(line, STREAM_CUT_TEXT);
}

/* "CPU NS". A value too large for the sum of all CPUs is not a time that passed. */
static void take_steal(struct found_notes *found, struct text_line line)
{
	struct recording_notes *notes = &found->source->notes;
	int64_t cpu = word_number(line_word(&line), CPU_MAX);
	int64_t steal = word_number(line_word(&line), STEAL_NS_MAX);

	if (cpu < 0 || steal < 0 || notes->machine.steal_ns > STEAL_NS_MAX - (nsec_t)steal)
		return;
	notes->machine.has_steal = true;
	notes->machine.steal_ns += (nsec_t)steal;
}

/* "QUOTA PERIOD THROTTLED PERIODS WHOLE SINCE PATH" */
static void take_cpu_limit(struct found_notes *found, struct text_line line)
{
	struct recording_notes *notes = &found->source->notes;
	int64_t quota = word_number(line_word(&line), CPU_LIMIT_NS_MAX);
	int64_t period = word_number(line_word(&line), CPU_LIMIT_NS_MAX);
	int64_t throttled = word_number(line_word(&line), CPU_LIMIT_NS_MAX);
	int64_t periods = word_number(line_word(&line), UINT32_MAX);
	struct text_line whole = line_word(&line);
	struct text_line seen = line_word(&line);
	bool is_seen = !word_is(seen, "-");
	int64_t since = is_seen ? word_number(seen, INT64_MAX) : 0;
	size_t length = (size_t)(line.end - line.at);

	if (quota <= 0 || period <= 0 || throttled < 0 || periods < 0 || since < 0 || length == 0 ||
	    length > PLACE_MAX || notes->cpu_limits.count == SOURCE_CPU_LIMITS_MAX ||
	    !text_store_has_room(found->text, length + 1))
		return;
	notes->cpu_limits.item[notes->cpu_limits.count++] = (struct source_cpu_limit){
		.quota = (nsec_t)quota,
		.period = (nsec_t)period,
		.throttled = (nsec_t)throttled,
		.periods = (uint64_t)periods,
		.is_whole = word_is(whole, "w"),
		.is_seen = is_seen,
		.since = (nsec_t)since,
		.path = text_store_add(found->text, line.at, length),
	};
}

/* "PER_MILLE BY" */
static void take_cpu_weight(struct found_notes *found, struct text_line line)
{
	int64_t weight = word_number(line_word(&line), CPU_WEIGHT_MAX);
	size_t length = (size_t)(line.end - line.at);

	if (weight < 0 || length == 0 || length > PLACE_MAX ||
	    !text_store_has_room(found->text, length + 1))
		return;
	found->source->notes.cpu_weight.per_mille = (uint32_t)weight;
	found->source->notes.cpu_weight.by = text_store_add(found->text, line.at, length);
}

static void take_file(struct found_notes *found, struct text_line line)
{
	user_maps_take_file(&found->user_maps, found->text, line);
}

static void take_maps(struct found_notes *found, struct text_line line)
{
	user_maps_take_maps(&found->user_maps, line);
}

static void take_map(struct found_notes *found, struct text_line line)
{
	user_maps_take_map(&found->user_maps, line);
}

static void take_jit(struct found_notes *found, struct text_line line)
{
	user_maps_take_jit(&found->user_maps, found->text, line);
}

static void take_variable(struct found_notes *found, struct text_line line)
{
	user_maps_take_variable(&found->user_maps, found->text, line);
}

static void take_tick(struct found_notes *found, struct text_line line)
{
	int64_t hz = word_number(line, TICK_HZ_MAX);

	if (hz >= 0)
		found->source->notes.tick_hz = (uint32_t)hz;
}

static const struct {
	const char *word;
	void (*take)(struct found_notes *found, struct text_line line);
} version_lines[] = {
	{"command", take_command}, {"argument", take_argument}, {"label", take_label},
	{"trigger", take_trigger}, {"triggered", take_triggered},
	{"triggered-for", take_triggered_for},
	{"listen", take_listen}, {"locked", take_locked},
	{"pids", take_pids},   {"task", take_task},
	{"read", take_read},
	{"hierarchies", notes_take_hierarchies},
	{"cgroup", notes_take_cgroup},
	{"process", notes_take_process},
	{"end-process", notes_take_end_process},
	{"program", notes_take_program},
	{"target-cgroup", notes_take_target_cgroup},
	{"still", take_still},     {"guest", take_guest}, {"steal", take_steal},
	{"note", take_note},       {"place", take_begin_place},
	{"damage", take_damage},   {"exit", take_exit},
	{"cpu-limit", take_cpu_limit}, {"ring", take_ring},
	{"cpu-weight", take_cpu_weight},
	{"recorded", take_recorded}, {"asked", take_asked},
	{"end-place", take_end_place}, {"waits", take_waits},
	{"file", take_file},       {"maps", take_maps},   {"map", take_map},
	{"boot", take_boot},       {"machine", take_machine}, {"realtime", take_realtime},
	{"variable", take_variable},
	{"jit", take_jit},         {"tick", take_tick},   {"recorder", take_recorder},
	{"device", notes_take_device}, {"path", notes_take_path},
	{"build-id", take_build_id},
};

void notes_take_version(struct found_notes *found, const char *text, size_t length)
{
	const char *at = text, *end = text + length;
	size_t word_bytes = sizeof(STREAM_VERSION_WORD) - 1;
	struct text_line line;

	if (length < word_bytes || memcmp(text, STREAM_VERSION_WORD, word_bytes) != 0)
		return;
	found->is_of_ftwait = true;
	found->tasks_read = 0;
	user_maps_part(&found->user_maps);
	while (line_next(&at, end, &line)) {
		struct text_line word = line_word(&line);

		for (size_t i = 0; i < ARRAY_SIZE(version_lines); i++)
			if (word_is(word, version_lines[i].word))
				version_lines[i].take(found, line);
	}
}
