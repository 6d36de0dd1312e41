/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "found_notes.h"

#include <limits.h>
#include <string.h>

#include "base/data/array.h"
#include "ftwait/stream.h"
#include "source/stream/stream_walk.h"
#include "stream_lines.h"
#include "words/command_line.h"

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
#define PLACE_MAX    4096 /* also of paths of control groups */
#define RECORDED_MAX 8192
#define MACHINE_DIGITS 32
#define COMM_MAX  63 /* kworkers have more than 15 in /proc */
/* Of devices: a disk has at most 31 bytes, a partition a few more; a mapped device has 127. */
#define NAME_BYTES_MAX 128
/* The kernel itself allows no more than 16 s. */
#define ERROR_MAX (INT64_C(1) << 40)

struct version_line {
	const char *word;
	void (*take)(struct found_notes *found, struct text_line line);
	size_t to;   /* where a text goes: its offset in struct recording_notes, or known_task */
	bool is_end; /* of two words with the same lines, the one for the end of the recording */
};

/* The task of that id; NULL: none is known. */
static struct known_task *task_find(const struct found_notes *found, int32_t tid)
{
	uint32_t at = map_get(&found->task_index, (uint32_t)tid);

	return at == MAP_NONE ? NULL : LIST_AT(found->notes->tasks, struct known_task, at);
}

/* The same, new or known; NULL if there is no room for more. */
static struct known_task *task_add(struct found_notes *found, int32_t tid)
{
	struct known_task *task = task_find(found, tid);
	size_t count = found->notes->tasks.count;

	if (task || count >= TASKS_MAX || !text_store_has_room(found->text, COMM_MAX + 1))
		return task;
	map_put(&found->task_index, (uint32_t)tid, (uint32_t)count);
	task = &LIST_ADD(found->notes->tasks, struct known_task);
	*task = (struct known_task){.tid = tid, .tgid = -1};
	return task;
}

static const char *take_comm(struct found_notes *found, struct text_line comm)
{
	size_t length = line_length(comm);

	return text_store_add(found->text, comm.at, length > COMM_MAX ? COMM_MAX : length);
}

/* Reads lines of "PID COMM". The kernel prints "<...>" for a task whose name it no longer has. */
void found_notes_take_cmdlines(struct found_notes *found, const char *text, size_t length)
{
	const char *at = text, *end = text + length;
	struct text_line line;

	while (line_next(&at, end, &line)) {
		int32_t tid = word_tid(line_word(&line));
		struct known_task *task;

		if (tid <= 0 || line.at == line.end || word_is(line, "<...>"))
			continue;
		task = task_add(found, tid);
		if (task && !task->comm)
			task->comm = take_comm(found, line);
	}
}

/* "TID TGID STATE K COMM" */
static void take_task(struct found_notes *found, struct text_line line)
{
	int32_t tid = word_tid(line_word(&line));
	int32_t tgid = word_tid(line_word(&line));
	struct text_line state = line_word(&line);
	struct text_line kind = line_word(&line);
	struct known_task *task = tid > 0 ? task_add(found, tid) : NULL;

	if (!task || state.at == state.end)
		return;
	task->tgid = tgid;
	task->read = found->tasks_read;
	task->state = *state.at == '-' ? '\0' : *state.at;
	task->is_kernel = word_is(kind, "k");
	if (line.at < line.end)
		task->comm = take_comm(found, line);
}

/* "NS" */
static void take_read(struct found_notes *found, struct text_line line)
{
	int64_t time = word_number(line_word(&line), INT64_MAX);

	found->tasks_read = time > 0 ? (nsec_t)time : 0;
}

static void take_still(struct found_notes *found, struct text_line line)
{
	struct known_task *task = task_find(found, word_tid(line_word(&line)));

	if (task)
		task->is_still_so = true;
}

/* "TID FUNCTION[;FUNCTION...]" */
static void take_place(struct found_notes *found, struct text_line line)
{
	struct known_task *task = task_find(found, word_tid(line_word(&line)));
	const char *place = task ? text_store_line(found->text, line, PLACE_MAX) : NULL;

	if (place)
		*(const char **)((char *)task + found->kind->to) = place;
}

/* "TID SINCE SEEN STATE CALL FUNCTIONS KIND..." */
static void take_waits(struct found_notes *found, struct text_line line)
{
	struct open_wait wait;

	if (found->notes->open_waits.count < OPEN_WAITS_MAX &&
	    open_wait_line_read(line, found->text, &wait))
		LIST_ADD(found->notes->open_waits, struct open_wait) = wait;
}

static void take_pids(struct found_notes *found, struct text_line line)
{
	while (line.at < line.end) {
		int32_t pid = word_tid(line_part(&line, ','));

		if (pid > 0 && found->notes->pids.count < TASKS_MAX)
			LIST_ADD(found->notes->pids, int32_t) = pid;
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
	if (count + found->notes->listening.count > LISTEN_MAX)
		return;
	while (line.at < line.end)
		LIST_ADD(found->notes->listening, uint16_t) =
			(uint16_t)word_number(line_word(&line), UINT16_MAX);
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
	    found->notes->locks.count == STREAM_LOCKS_MAX)
		return;
	LIST_ADD(found->notes->locks, struct source_lock) = (struct source_lock){
		.inode = (uint64_t)inode,
		.begin = (uint64_t)begin,
		.end = (uint64_t)end,
		.dev = dev,
		.owner = owner,
		.is_flock = word_is(kind, "flock"),
		.is_write = word_is(mode, "w"),
	};
}

/* "ID [ID...]": all of them are numbers, or none is taken. */
static void take_hierarchies(struct found_notes *found, struct text_line line)
{
	uint32_t hierarchy[SOURCE_HIERARCHIES_MAX];
	size_t count = 0;

	while (line.at < line.end) {
		int64_t id = word_number(line_word(&line), INT32_MAX);

		if (id < 0 || count == SOURCE_HIERARCHIES_MAX)
			return;
		hierarchy[count++] = (uint32_t)id;
	}
	memcpy(found->notes->hierarchies.item, hierarchy, count * sizeof(*hierarchy));
	found->notes->hierarchies.count = count;
}

/* "N ID PATH": groups are numbered as they come. */
static void take_cgroup(struct found_notes *found, struct text_line line)
{
	int64_t number = word_number(line_word(&line), SOURCE_CGROUPS_MAX - 1);
	int64_t hierarchy = word_number(line_word(&line), INT32_MAX);
	const char *path;

	if (number < 0 || (size_t)number != found->notes->cgroups.count || hierarchy < 0 ||
	    !line_begins(line, "/"))
		return;
	path = text_store_line(found->text, line, PLACE_MAX);
	if (path)
		LIST_ADD(found->notes->cgroups, struct source_cgroup) =
			(struct source_cgroup){(uint32_t)hierarchy, path};
}

/* "TGID PARENT N" */
static void take_process(struct found_notes *found, struct text_line line)
{
	int64_t tgid = word_number(line_word(&line), INT32_MAX);
	int64_t parent = word_number(line_word(&line), INT32_MAX);
	struct text_line word = line_word(&line);
	int64_t cgroup = word_number(word, SOURCE_CGROUPS_MAX - 1);

	if (tgid <= 0 || parent < 0 || (cgroup < 0 && !word_is(word, "-")) ||
	    cgroup >= (int64_t)found->notes->cgroups.count ||
	    found->notes->processes.count == SOURCE_PROCESSES_MAX)
		return;
	LIST_ADD(found->notes->processes, struct known_process) = (struct known_process){
		.tgid = (int32_t)tgid,
		.parent = (int32_t)parent,
		.cgroup = cgroup < 0 ? SOURCE_CGROUP_NONE : (uint32_t)cgroup,
		.read = found->kind->is_end ? NSEC_NEVER : found->tasks_read,
	};
}

/* "TGID BEGIN READ TEXT" */
static void take_program(struct found_notes *found, struct text_line line)
{
	int64_t tgid = word_number(line_word(&line), INT32_MAX);
	int64_t begin = word_number(line_word(&line), INT64_MAX);
	int64_t read = word_number(line_word(&line), INT64_MAX);
	const char *text;

	if (tgid <= 0 || begin < 0 || read < begin ||
	    !command_line_is_valid(line.at, line_length(line)) ||
	    found->notes->programs.count == SOURCE_PROGRAMS_MAX)
		return;
	text = text_store_line(found->text, line, SIZE_MAX);
	if (text)
		LIST_ADD(found->notes->programs, struct source_program) = (struct source_program){
			(int32_t)tgid, (nsec_t)begin, (nsec_t)read, text};
}

/* "GLOB" */
static void take_target_cgroup(struct found_notes *found, struct text_line line)
{
	struct recording_notes *notes = found->notes;
	const char *glob = notes->target_cgroups.count < SOURCE_TARGET_CGROUPS_MAX
	                           ? text_store_line(found->text, line, PLACE_MAX) : NULL;

	if (glob)
		notes->target_cgroups.item[notes->target_cgroups.count++] = glob;
}

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

/* "N PATH" */
static void take_descriptor_path(struct found_notes *found, struct text_line line)
{
	int64_t number = word_number(line_word(&line), SOURCE_DESCRIPTORS_MAX - 1);

	if (number < 0)
		return;
	ARRAY_REACH(found->path, found->path_count, found->path_capacity, (size_t)number);
	found->path[number] = take_name(found, line, PATH_MAX);
}

/* "TGID NUMBER NS WITHIN N" */
static void take_descriptor(struct found_notes *found, struct text_line line)
{
	int64_t tgid = word_number(line_word(&line), INT32_MAX);
	int64_t number = word_number(line_word(&line), INT32_MAX);
	int64_t from = word_number(line_word(&line), INT64_MAX);
	int64_t within = word_number(line_word(&line), INT32_MAX);
	int64_t path = word_number(line, SOURCE_DESCRIPTORS_MAX - 1);

	if (tgid <= 0 || number < 0 || from <= 0 || within < 0 || path < 0 ||
	    (size_t)path >= found->path_count || !found->path[path] ||
	    found->notes->descriptors.count == SOURCE_DESCRIPTORS_MAX)
		return;
	LIST_ADD(found->notes->descriptors, struct source_descriptor) = (struct source_descriptor){
		.tgid = (int32_t)tgid,
		.number = (uint32_t)number,
		.from = (nsec_t)from,
		.to = (nsec_t)from + (nsec_t)within,
		.path = found->path[path],
	};
}

/* "MAJOR:MINOR NAME [MAPPED]" */
static void take_device(struct found_notes *found, struct text_line line)
{
	struct source_device device = {.dev = word_device(line_word(&line))};

	if (!device.dev || found->notes->devices.count == SOURCE_DEVICES_MAX)
		return;
	device.name = take_name(found, line_word(&line), NAME_BYTES_MAX);
	if (!device.name)
		return;
	device.mapped = take_name(found, line, NAME_BYTES_MAX);
	LIST_ADD(found->notes->devices, struct source_device) = device;
}

/* "MAJOR:MINOR INODE PATH" */
static void take_path(struct found_notes *found, struct text_line line)
{
	struct source_path path = {.dev = word_device(line_word(&line))};
	int64_t inode = word_number(line_word(&line), INT64_MAX);

	if (!path.dev || inode <= 0 || found->notes->paths.count == SOURCE_PATHS_MAX)
		return;
	path.inode = (uint64_t)inode;
	path.path = take_name(found, line, PATH_MAX);
	if (path.path)
		LIST_ADD(found->notes->paths, struct source_path) = path;
}

static void take_command(struct found_notes *found, struct text_line line)
{
	int32_t pid = word_tid(line_word(&line));

	found->notes->command.pid = pid > 0 ? pid : 0;
}

static void take_argument(struct found_notes *found, struct text_line line)
{
	char word[STREAM_ARGUMENT_BYTES_MAX];

	if (found->notes->command.count >= STREAM_ARGUMENTS_MAX ||
	    line_length(line) > 4 * sizeof(word) ||
	    !text_store_has_room(found->text, sizeof(word) + 1))
		return;
	*(const char **)source_list_add(&found->notes->command.word, sizeof(char *)) =
		text_store_add(found->text, word, line_unescape(line, word, sizeof(word)));
}

/* "KEY [TEXT]": a later one replaces one of the same key. */
static void take_label(struct found_notes *found, struct text_line line)
{
	struct label_list *labels = &found->notes->labels;
	struct text_line key = line_word(&line);
	char value[LABEL_VALUE_MAX + 1];
	struct label *label = found->label, *end = label + labels->count;

	if (!label_key_is_valid(key.at, line_length(key)) ||
	    line_length(line) > 4 * sizeof(value) ||
	    !text_store_has_room(found->text, LABEL_KEY_MAX + sizeof(value) + 2))
		return;
	while (label < end && !word_is(key, label->key))
		label++;
	if (label == end) {
		if (labels->count == LABELS_MAX)
			return;
		*labels = (struct label_list){found->label, labels->count + 1};
		label->key = text_store_add(found->text, key.at, line_length(key));
	}
	label->value = text_store_add(found->text, value,
	                              line_unescape(line, value, sizeof(value)));
}

/* The first one counts. */
static void take_text(struct found_notes *found, struct text_line line)
{
	const char **text = (const char **)((char *)found->notes + found->kind->to);

	if (!*text)
		*text = text_store_line(found->text, line, RECORDED_MAX);
}

static void take_boot(struct found_notes *found, struct text_line line)
{
	take_text(found, line_word(&line));
}

static void take_build_id(struct found_notes *found, struct text_line line)
{
	if (line_is_hex(line))
		take_text(found, line);
}

/* 32 digits, lower-case hex. */
static void take_machine(struct found_notes *found, struct text_line line)
{
	if (line_length(line) == MACHINE_DIGITS)
		take_build_id(found, line);
}

/* "NS REAL WITHIN [ERROR]": the lines come in order of time. */
static void take_realtime(struct found_notes *found, struct text_line line)
{
	struct realtime *realtime = &found->notes->realtime;
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

static void take_ring(struct found_notes *found, struct text_line line)
{
	if (line_length(line) == 0)
		found->notes->keeps_newest = true;
}

static void take_exit(struct found_notes *found, struct text_line line)
{
	int64_t status = word_number(line_word(&line), UINT16_MAX);

	if (status < 0)
		return;
	found->notes->command.has_status = true;
	found->notes->command.status = (int)status;
}

static void take_recorder(struct found_notes *found, struct text_line line)
{
	int32_t tid = word_tid(line_word(&line));

	for (size_t i = 0; i < RECORDER_THREADS_MAX && tid > 0; i++)
		if (found->notes->recorder[i] == 0) {
			found->notes->recorder[i] = tid;
			return;
		}
}

static void take_guest(struct found_notes *found, struct text_line line)
{
	(void)line;
	found->notes->machine.is_guest = true;
}

static int note_length(struct text_line line)
{
	return line_length(line) < NOTE_MAX ? (int)line_length(line) : NOTE_MAX;
}

static void take_note(struct found_notes *found, struct text_line line)
{
	if (text_store_has_room(found->text, NOTE_MAX + 1))
		source_note(found->source, found->text, "%.*s", note_length(line), line.at);
}

static void take_damage(struct found_notes *found, struct text_line line)
{
	if (text_store_has_room(found->text, NOTE_MAX + 1))
		source_damage(found->source, found->text, "%.*s", note_length(line), line.at);
	else
		found->source->health.damaged = true;
	found->notes->lacks_end |= line_begins(line, STREAM_CUT_TEXT);
}

/* "CPU NS". A value too large for the sum of all CPUs is not a time that passed. */
static void take_steal(struct found_notes *found, struct text_line line)
{
	struct noted_machine *machine = &found->notes->machine;
	int64_t cpu = word_number(line_word(&line), CPU_MAX);
	int64_t steal = word_number(line_word(&line), STEAL_NS_MAX);

	if (cpu < 0 || steal < 0 || machine->steal_ns > STEAL_NS_MAX - (nsec_t)steal)
		return;
	machine->has_steal = true;
	machine->steal_ns += (nsec_t)steal;
}

/* "QUOTA PERIOD THROTTLED PERIODS WHOLE SINCE PATH" */
static void take_cpu_limit(struct found_notes *found, struct text_line line)
{
	struct recording_notes *notes = found->notes;
	int64_t quota = word_number(line_word(&line), CPU_LIMIT_NS_MAX);
	int64_t period = word_number(line_word(&line), CPU_LIMIT_NS_MAX);
	int64_t throttled = word_number(line_word(&line), CPU_LIMIT_NS_MAX);
	int64_t periods = word_number(line_word(&line), UINT32_MAX);
	struct text_line whole = line_word(&line);
	struct text_line seen = line_word(&line);
	bool is_seen = !word_is(seen, "-");
	int64_t since = is_seen ? word_number(seen, INT64_MAX) : 0;
	const char *path;

	if (quota <= 0 || period <= 0 || throttled < 0 || periods < 0 || since < 0 ||
	    notes->cpu_limits.count == SOURCE_CPU_LIMITS_MAX)
		return;
	path = text_store_line(found->text, line, PLACE_MAX);
	if (!path)
		return;
	notes->cpu_limits.item[notes->cpu_limits.count++] = (struct source_cpu_limit){
		.quota = (nsec_t)quota,
		.period = (nsec_t)period,
		.throttled = (nsec_t)throttled,
		.periods = (uint64_t)periods,
		.is_whole = word_is(whole, "w"),
		.is_seen = is_seen,
		.since = (nsec_t)since,
		.path = path,
	};
}

/* "PER_MILLE BY" */
static void take_cpu_weight(struct found_notes *found, struct text_line line)
{
	int64_t weight = word_number(line_word(&line), CPU_WEIGHT_MAX);
	const char *by = weight < 0 ? NULL : text_store_line(found->text, line, PLACE_MAX);

	if (by)
		found->notes->cpu_weight = (struct noted_cpu_weight){(uint32_t)weight, by};
}

static void take_tick(struct found_notes *found, struct text_line line)
{
	int64_t hz = word_number(line, TICK_HZ_MAX);

	if (hz >= 0)
		found->notes->tick_hz = (uint32_t)hz;
}

#define TEXT_AT(member) .to = offsetof(struct recording_notes, member)

static const struct version_line version_lines[] = {
	{"command", .take = take_command}, {"argument", .take = take_argument},
	{"label", .take = take_label}, {"listen", .take = take_listen},
	{"locked", .take = take_locked}, {"pids", .take = take_pids}, {"task", .take = take_task},
	{"read", .take = take_read}, {"hierarchies", .take = take_hierarchies},
	{"cgroup", .take = take_cgroup}, {"process", .take = take_process},
	{"end-process", .take = take_process, .is_end = true}, {"program", .take = take_program},
	{"target-cgroup", .take = take_target_cgroup}, {"still", .take = take_still},
	{"guest", .take = take_guest}, {"steal", .take = take_steal}, {"note", .take = take_note},
	{"place", .take = take_place, .to = offsetof(struct known_task, place)},
	{"end-place", .take = take_place, .to = offsetof(struct known_task, end_place)},
	{"damage", .take = take_damage}, {"exit", .take = take_exit},
	{"cpu-limit", .take = take_cpu_limit}, {"ring", .take = take_ring},
	{"cpu-weight", .take = take_cpu_weight},
	{"recorded", .take = take_text, TEXT_AT(recorded)},
	{"asked", .take = take_text, TEXT_AT(asked)}, {"waits", .take = take_waits},
	{"boot", .take = take_boot, TEXT_AT(machine.boot_id)},
	{"build-id", .take = take_build_id, TEXT_AT(machine.kernel_build_id)},
	{"machine", .take = take_machine, TEXT_AT(machine.machine_id)},
	{"realtime", .take = take_realtime}, {"tick", .take = take_tick},
	{"recorder", .take = take_recorder}, {"device", .take = take_device},
	{"path", .take = take_path}, {"descriptor-path", .take = take_descriptor_path},
	{"descriptor", .take = take_descriptor},
};

static void version_line_take(struct found_notes *found, struct text_line word,
                              struct text_line line)
{
	if (user_maps_take(&found->user_maps, found->text, word, line) ||
	    trigger_line_take(&found->notes->trigger, found->text, word, line))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(version_lines); i++)
		if (word_is(word, version_lines[i].word)) {
			found->kind = &version_lines[i];
			found->kind->take(found, line);
		}
}

void found_notes_take_version(struct found_notes *found, struct text_line text)
{
	struct text_line line;

	if (!line_begins(text, STREAM_VERSION_WORD))
		return;
	found->is_of_ftwait = true;
	found->tasks_read = 0;
	user_maps_part(&found->user_maps);
	while (line_next(&text.at, text.end, &line)) {
		struct text_line word = line_word(&line);

		version_line_take(found, word, line);
	}
}

void found_notes_init(struct found_notes *found, struct source *source, struct text_store *text)
{
	*found = (struct found_notes){.source = source, .notes = &source->notes, .text = text};
	map_init(&found->task_index);
}

void found_notes_finish(struct found_notes *found)
{
	for (size_t i = 0; i < found->notes->tasks.count; i++) {
		struct known_task *task = LIST_AT(found->notes->tasks, struct known_task, i);

		task->comm = task->comm ? task->comm : "";
	}
	user_maps_finish(&found->user_maps, found->notes);
	if (found->user_maps.bad > 0)
		source_damage(found->source, found->text,
		              "damaged: %llu lines on what is in the memory of programs make no "
		              "sense", (unsigned long long)found->user_maps.bad);
	map_release(&found->task_index);
}

void found_notes_release(struct found_notes *found)
{
	static const size_t lists[] = {
		offsetof(struct recording_notes, tasks),
		offsetof(struct recording_notes, open_waits),
		offsetof(struct recording_notes, cgroups),
		offsetof(struct recording_notes, processes),
		offsetof(struct recording_notes, pids),
		offsetof(struct recording_notes, listening),
		offsetof(struct recording_notes, locks),
		offsetof(struct recording_notes, devices),
		offsetof(struct recording_notes, paths),
		offsetof(struct recording_notes, programs),
		offsetof(struct recording_notes, descriptors),
		offsetof(struct recording_notes, command.word),
	};

	map_release(&found->task_index);
	free(found->path);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		free(source_list_items((char *)found->notes + lists[i]));
	user_maps_release(&found->user_maps);
}
