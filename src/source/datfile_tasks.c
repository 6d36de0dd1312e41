/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile_tasks.h"

#include <assert.h>
#include <string.h>

#include "base/data/array.h"
#include "datfile_names.h"
#include "datfile_processes.h"
#include "ftwait/stream.h"
#include "open_wait_line.h"
#include "source_notes.h"
#include "source/text/text_line.h"
#include "trigger_line.h"
#include "source/file/user_maps.h"

#define TASKS_MAX (1u << 20)
#define STEAL_NS_MAX INT64_MAX
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
static struct known_task *datfile_task(struct datfile *datfile, int32_t tid)
{
	uint32_t at = map_get(&datfile->opening->task_index, (uint32_t)tid);
	struct known_task *task;

	if (at != MAP_NONE)
		return &datfile->tasks[at];
	if (datfile->task_count >= TASKS_MAX || !text_store_has_room(&datfile->text, COMM_MAX + 1))
		return NULL;
	ARRAY_GROW(datfile->tasks, datfile->task_count, datfile->task_capacity);
	map_put(&datfile->opening->task_index, (uint32_t)tid, (uint32_t)datfile->task_count);
	assert(datfile->tasks);
	task = &datfile->tasks[datfile->task_count++];
	*task = (struct known_task){.tid = tid, .tgid = -1};
	return task;
}

static const char *datfile_comm(struct datfile *datfile, struct text_line comm)
{
	size_t length = (size_t)(comm.end - comm.at);

	return text_store_add(&datfile->text, comm.at, length > COMM_MAX ? COMM_MAX : length);
}

/* "PID COMM" lines. The kernel prints "<...>" for a task whose name it has forgotten. */
void datfile_take_cmdlines(struct datfile *datfile, const char *text, size_t length)
{
	const char *at = text, *end = text + length;
	struct text_line line;

	while (line_next(&at, end, &line)) {
		int32_t tid = word_tid(line_word(&line));
		struct known_task *task;

		if (tid <= 0 || line.at == line.end || word_is(line, "<...>"))
			continue;
		task = datfile_task(datfile, tid);
		if (task && !task->comm)
			task->comm = datfile_comm(datfile, line);
	}
}

/* "TID TGID STATE K COMM" */
static void take_task(struct datfile *datfile, struct text_line line)
{
	int32_t tid = word_tid(line_word(&line));
	int32_t tgid = word_tid(line_word(&line));
	struct text_line state = line_word(&line);
	struct text_line kind = line_word(&line);
	struct known_task *task = tid > 0 ? datfile_task(datfile, tid) : NULL;

	if (!task || state.at == state.end)
		return;
	task->tgid = tgid;
	task->read = datfile->opening->tasks_read;
	task->state = *state.at == '-' ? '\0' : *state.at;
	task->is_kernel = word_is(kind, "k");
	if (line.at < line.end)
		task->comm = datfile_comm(datfile, line);
}

/* "NS" */
static void take_read(struct datfile *datfile, struct text_line line)
{
	int64_t time = word_number(line_word(&line), INT64_MAX);

	datfile->opening->tasks_read = time > 0 ? (nsec_t)time : 0;
}

static void take_still(struct datfile *datfile, struct text_line line)
{
	int32_t tid = word_tid(line_word(&line));
	uint32_t at = map_get(&datfile->opening->task_index, (uint32_t)tid);

	if (at != MAP_NONE)
		datfile->tasks[at].is_still_so = true;
}

/* "TID FUNCTION[;FUNCTION...]" */
static void take_place(struct datfile *datfile, struct text_line line, bool is_end)
{
	int32_t tid = word_tid(line_word(&line));
	uint32_t at = map_get(&datfile->opening->task_index, (uint32_t)tid);
	size_t length = (size_t)(line.end - line.at);
	struct known_task *task;

	if (at == MAP_NONE || length == 0 || length > PLACE_MAX ||
	    !text_store_has_room(&datfile->text, length + 1))
		return;
	task = &datfile->tasks[at];
	*(is_end ? &task->end_place : &task->place) =
		text_store_add(&datfile->text, line.at, length);
}

static void take_begin_place(struct datfile *datfile, struct text_line line)
{
	take_place(datfile, line, /* is_end= */ false);
}

static void take_end_place(struct datfile *datfile, struct text_line line)
{
	take_place(datfile, line, /* is_end= */ true);
}

/* "TID SINCE SEEN STATE CALL FUNCTIONS KIND..." */
static void take_waits(struct datfile *datfile, struct text_line line)
{
	struct open_wait wait;

	if (datfile->open_wait_count == OPEN_WAITS_MAX ||
	    !open_wait_line_read(line, &datfile->text, &wait))
		return;
	ARRAY_GROW(datfile->open_waits, datfile->open_wait_count, datfile->open_wait_capacity);
	datfile->open_waits[datfile->open_wait_count++] = wait;
}

static void take_pids(struct datfile *datfile, struct text_line line)
{
	while (line.at < line.end) {
		const char *comma = memchr(line.at, ',', (size_t)(line.end - line.at));
		struct text_line word = {line.at, comma ? comma : line.end};
		int32_t pid = word_tid(word);

		line.at = comma ? comma + 1 : line.end;
		if (pid <= 0 || datfile->pid_count >= TASKS_MAX)
			continue;
		ARRAY_GROW(datfile->pids, datfile->pid_count, datfile->pid_capacity);
		datfile->pids[datfile->pid_count++] = pid;
	}
}

/* "PORT [PORT...]": all of them are ports, or none is taken. */
static void take_listen(struct datfile *datfile, struct text_line line)
{
	struct text_line rest = line;
	size_t count = 0;

	for (; rest.at < rest.end; count++)
		if (word_number(line_word(&rest), UINT16_MAX) <= 0)
			return;
	if (count + datfile->listening_count > LISTEN_MAX)
		return;
	while (line.at < line.end) {
		ARRAY_GROW(datfile->listening, datfile->listening_count,
		           datfile->listening_capacity);
		datfile->listening[datfile->listening_count++] =
			(uint16_t)word_number(line_word(&line), UINT16_MAX);
	}
}

static void take_command(struct datfile *datfile, struct text_line line)
{
	int32_t pid = word_tid(line_word(&line));

	datfile->source.command_pid = pid > 0 ? pid : 0;
}

static void take_argument(struct datfile *datfile, struct text_line line)
{
	char word[STREAM_ARGUMENT_BYTES_MAX];

	if (datfile->command_count >= STREAM_ARGUMENTS_MAX ||
	    line_length(line) > 4 * sizeof(word) ||
	    !text_store_has_room(&datfile->text, sizeof(word) + 1))
		return;
	ARRAY_GROW(datfile->command, datfile->command_count, datfile->command_capacity);
	datfile->command[datfile->command_count++] =
		text_store_add(&datfile->text, word,
		               line_unescape(line, word, sizeof(word)));
}

/* "KEY [TEXT]": a later one replaces one of the same key. */
static void take_label(struct datfile *datfile, struct text_line line)
{
	struct text_line key = line_word(&line);
	char value[LABEL_VALUE_MAX + 1];
	struct label *label = datfile->label, *end = label + datfile->label_count;

	if (!label_key_is_valid(key.at, line_length(key)) ||
	    line_length(line) > 4 * sizeof(value) ||
	    !text_store_has_room(&datfile->text, LABEL_KEY_MAX + sizeof(value) + 2))
		return;
	while (label < end && !word_is(key, label->key))
		label++;
	if (label == end) {
		if (datfile->label_count == LABELS_MAX)
			return;
		datfile->label_count++;
		label->key = text_store_add(&datfile->text, key.at, line_length(key));
	}
	label->value = text_store_add(&datfile->text, value,
	                              line_unescape(line, value, sizeof(value)));
}

static void take_trigger(struct datfile *datfile, struct text_line line)
{
	trigger_line_take(&datfile->source.trigger, &datfile->text, line);
}

static void take_triggered(struct datfile *datfile, struct text_line line)
{
	trigger_text_take(&datfile->source.trigger, &datfile->text, line);
}

static void take_triggered_for(struct datfile *datfile, struct text_line line)
{
	trigger_aim_take(&datfile->source.trigger, &datfile->text, line);
}

static void take_text(struct datfile *datfile, struct text_line line, const char **ret)
{
	size_t length = (size_t)(line.end - line.at);

	if (length > 0 && length <= RECORDED_MAX && !*ret &&
	    text_store_has_room(&datfile->text, length + 1))
		*ret = text_store_add(&datfile->text, line.at, length);
}

static void take_boot(struct datfile *datfile, struct text_line line)
{
	take_text(datfile, line_word(&line), &datfile->source.boot_id);
}

static bool line_is_hex(struct text_line line)
{
	for (const char *at = line.at; at < line.end; at++)
		if (!(*at >= '0' && *at <= '9') && !(*at >= 'a' && *at <= 'f'))
			return false;
	return true;
}

static void take_build_id(struct datfile *datfile, struct text_line line)
{
	if (line_is_hex(line))
		take_text(datfile, line, &datfile->source.kernel_build_id);
}

/* 32 digits, lower-case hex. */
static void take_machine(struct datfile *datfile, struct text_line line)
{
	if (line_length(line) == MACHINE_DIGITS && line_is_hex(line))
		take_text(datfile, line, &datfile->source.machine_id);
}

/* The kernel itself allows no more than 16 s. */
#define ERROR_MAX (INT64_C(1) << 40)

/* "NS REAL WITHIN [ERROR]": the lines come in order of time. */
static void take_realtime(struct datfile *datfile, struct text_line line)
{
	struct realtime *realtime = &datfile->source.realtime;
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

static void take_recorded(struct datfile *datfile, struct text_line line)
{
	take_text(datfile, line, &datfile->source.recorded);
}

static void take_asked(struct datfile *datfile, struct text_line line)
{
	take_text(datfile, line, &datfile->source.asked);
}

static void take_ring(struct datfile *datfile, struct text_line line)
{
	if (line_length(line) == 0)
		datfile->source.keeps_newest = true;
}

static void take_exit(struct datfile *datfile, struct text_line line)
{
	int64_t status = word_number(line_word(&line), UINT16_MAX);

	if (status < 0)
		return;
	datfile->source.has_command_status = true;
	datfile->source.command_status = (int)status;
}

static void take_recorder(struct datfile *datfile, struct text_line line)
{
	int32_t tid = word_tid(line_word(&line));

	for (size_t i = 0; i < RECORDER_THREADS_MAX && tid > 0; i++)
		if (datfile->source.recorder[i] == 0) {
			datfile->source.recorder[i] = tid;
			return;
		}
}

static void take_guest(struct datfile *datfile, struct text_line line)
{
	(void)line;
	datfile->source.is_guest = true;
}

static void take_note(struct datfile *datfile, struct text_line line)
{
	int length = line.end - line.at < NOTE_MAX ? (int)(line.end - line.at) : NOTE_MAX;

	if (text_store_has_room(&datfile->text, NOTE_MAX + 1))
		source_note(&datfile->source, &datfile->text, "%.*s", length, line.at);
}

static void take_damage(struct datfile *datfile, struct text_line line)
{
	int length = line.end - line.at < NOTE_MAX ? (int)(line.end - line.at) : NOTE_MAX;

	if (text_store_has_room(&datfile->text, NOTE_MAX + 1))
		source_damage(&datfile->source, &datfile->text, "%.*s", length, line.at);
	else
		datfile->source.damaged = true;
}

/* "CPU NS". A value too large for the sum of all CPUs is not a time that passed. */
static void take_steal(struct datfile *datfile, struct text_line line)
{
	struct source *source = &datfile->source;
	int64_t cpu = word_number(line_word(&line), DATFILE_CPUS_MAX - 1);
	int64_t steal = word_number(line_word(&line), STEAL_NS_MAX);

	if (cpu < 0 || steal < 0 || source->steal_ns > STEAL_NS_MAX - (nsec_t)steal)
		return;
	source->has_steal = true;
	source->steal_ns += (nsec_t)steal;
}

/* "QUOTA PERIOD THROTTLED PERIODS WHOLE SINCE PATH" */
static void take_cpu_limit(struct datfile *datfile, struct text_line line)
{
	struct source *source = &datfile->source;
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
	    length > PLACE_MAX || source->cpu_limit_count == SOURCE_CPU_LIMITS_MAX ||
	    !text_store_has_room(&datfile->text, length + 1))
		return;
	source->cpu_limits[source->cpu_limit_count++] = (struct source_cpu_limit){
		.quota = (nsec_t)quota,
		.period = (nsec_t)period,
		.throttled = (nsec_t)throttled,
		.periods = (uint64_t)periods,
		.is_whole = word_is(whole, "w"),
		.is_seen = is_seen,
		.since = (nsec_t)since,
		.path = text_store_add(&datfile->text, line.at, length),
	};
}

/* "PER_MILLE BY" */
static void take_cpu_weight(struct datfile *datfile, struct text_line line)
{
	int64_t weight = word_number(line_word(&line), CPU_WEIGHT_MAX);
	size_t length = (size_t)(line.end - line.at);

	if (weight < 0 || length == 0 || length > PLACE_MAX ||
	    !text_store_has_room(&datfile->text, length + 1))
		return;
	datfile->source.cpu_weight = (uint32_t)weight;
	datfile->source.cpu_weight_by = text_store_add(&datfile->text, line.at, length);
}

static void take_file(struct datfile *datfile, struct text_line line)
{
	user_maps_take_file(&datfile->user_maps, &datfile->text, line);
}

static void take_maps(struct datfile *datfile, struct text_line line)
{
	user_maps_take_maps(&datfile->user_maps, line);
}

static void take_map(struct datfile *datfile, struct text_line line)
{
	user_maps_take_map(&datfile->user_maps, line);
}

static void take_jit(struct datfile *datfile, struct text_line line)
{
	user_maps_take_jit(&datfile->user_maps, &datfile->text, line);
}

static void take_variable(struct datfile *datfile, struct text_line line)
{
	user_maps_take_variable(&datfile->user_maps, &datfile->text, line);
}

static void take_tick(struct datfile *datfile, struct text_line line)
{
	int64_t hz = word_number(line, TICK_HZ_MAX);

	if (hz >= 0)
		datfile->source.tick_hz = (uint32_t)hz;
}

static const struct {
	const char *word;
	void (*take)(struct datfile *datfile, struct text_line line);
} version_lines[] = {
	{"command", take_command}, {"argument", take_argument}, {"label", take_label},
	{"trigger", take_trigger}, {"triggered", take_triggered},
	{"triggered-for", take_triggered_for},
	{"listen", take_listen},
	{"pids", take_pids},   {"task", take_task},
	{"read", take_read},
	{"hierarchies", datfile_take_hierarchies},
	{"cgroup", datfile_take_cgroup},
	{"process", datfile_take_process},
	{"end-process", datfile_take_end_process},
	{"program", datfile_take_program},
	{"target-cgroup", datfile_take_target_cgroup},
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
	{"device", datfile_take_device}, {"path", datfile_take_path},
	{"build-id", take_build_id},
};

void datfile_take_version(struct datfile *datfile, const char *text, size_t length)
{
	const char *at = text, *end = text + length;
	size_t word_bytes = sizeof(STREAM_VERSION_WORD) - 1;
	struct text_line line;

	if (length < word_bytes || memcmp(text, STREAM_VERSION_WORD, word_bytes) != 0)
		return;
	datfile->is_of_ftwait = true;
	datfile->opening->tasks_read = 0;
	user_maps_part(&datfile->user_maps);
	while (line_next(&at, end, &line)) {
		struct text_line word = line_word(&line);

		for (size_t i = 0; i < ARRAY_SIZE(version_lines); i++)
			if (word_is(word, version_lines[i].word))
				version_lines[i].take(datfile, line);
	}
}
