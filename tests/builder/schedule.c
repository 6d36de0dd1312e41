/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schedule.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/parse.h"
#include "schedule_event.h"
#include "schedule_note.h"

#define LINE_WORDS_MAX 64
#define PAYLOAD_LIMIT  (1u << 30)

void machine_store(const struct machine *machine, void *to, uint64_t value, unsigned size)
{
	uint8_t *bytes = to;

	for (unsigned i = 0; i < size; i++)
		bytes[machine->is_big_endian ? size - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

struct schedule *schedule_free(struct schedule *schedule)
{
	if (!schedule)
		return NULL;
	for (size_t i = 0; i < schedule->task_count; i++) {
		free(schedule->tasks[i].name);
		free(schedule->tasks[i].comm);
	}
	for (size_t i = 0; i < schedule->symbol_count; i++)
		free(schedule->symbols[i].name);
	free(schedule->tasks);
	free(schedule->symbols);
	free(schedule->items);
	free(schedule->kernel);
	free(schedule->arch);
	free(schedule->clock);
	free(schedule->date);
	for (unsigned i = 0; i < schedule->buffer_count; i++)
		free(schedule->buffers[i]);
	buffer_release(&schedule->payload);
	buffer_release(&schedule->note);
	free(schedule);
	return NULL;
}

void schedule_freep(struct schedule **schedule)
{
	schedule_free(*schedule);
}

static struct schedule *schedule_new(const struct machine *machine)
{
	struct schedule *schedule = xcalloc(1, sizeof(*schedule));

	schedule->machine = (struct machine){
		.long_bytes = 8, .page_bytes = 4096, .version = 6};
	if (machine) {
		schedule->machine = *machine;
		schedule->is_machine_fixed = true;
	}
	schedule->kernel = xstrdup("6.1.0-0-amd64");
	schedule->arch = xstrdup("x86_64");
	schedule->clock = xstrdup("mono");
	schedule->cpu_count = 4;
	schedule->buffers[schedule->buffer_count++] = xstrdup("");
	schedule->unit = 1;
	buffer_init(&schedule->payload, PAYLOAD_LIMIT);
	buffer_init(&schedule->note, BUFFER_LIMIT_DEFAULT);
	return schedule;
}

/* "\x20" -> a space, in place. */
static void comm_unescape(char *comm)
{
	char *to = comm;

	for (const char *from = comm; *from; to++) {
		char hex[5] = "0x";
		uint64_t byte;

		if (from[0] == '\\' && from[1] == 'x' && isxdigit((unsigned char)from[2]) &&
		    isxdigit((unsigned char)from[3])) {
			memcpy(hex + 2, from + 2, 2);
			if (parse_u64(hex, &byte) == 0)
				*to = (char)byte;
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

/* NAME=TID[/COMM] */
static int task_add(struct schedule *schedule, char *word)
{
	char *equals = strrchr(word, '='), *slash;
	struct schedule_task task = {0};
	int r;

	if (!equals)
		return -EINVAL;
	*equals = '\0';
	slash = strchr(equals + 1, '/');
	if (slash)
		*slash = '\0';
	r = parse_pid(equals + 1, &task.tid);
	if (r < 0)
		return r;
	task.name = xstrdup(word);
	task.comm = xstrdup(slash ? slash + 1 : word);
	comm_unescape(task.comm);
	ARRAY_GROW(schedule->tasks, schedule->task_count, schedule->task_capacity);
	schedule->tasks[schedule->task_count++] = task;
	return 0;
}

static int tasks_line(struct schedule *schedule, char **words, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		int r = task_add(schedule, words[i]);

		if (r < 0)
			return r;
	}
	return 0;
}

static int comm_line(struct schedule *schedule, char **words, size_t count)
{
	struct schedule_task *task = count == 3 ? schedule_find_task(schedule, words[1]) : NULL;

	if (!task)
		return -EINVAL;
	free(task->comm);
	task->comm = xstrdup(words[2]);
	comm_unescape(task->comm);
	return 0;
}

static int cpus_line(struct schedule *schedule, char **words, size_t count)
{
	uint64_t cpus;

	if (count != 2 || parse_u64(words[1], &cpus) < 0 || cpus > SCHEDULE_CPUS_MAX)
		return -EINVAL;
	schedule->cpu_count = (unsigned)cpus;
	return 0;
}

/* endian, long, page, version: ignored where the caller has fixed the machine. */
static int machine_line(struct schedule *schedule, char **words, size_t count)
{
	struct machine *machine = &schedule->machine;
	uint64_t value = 0;

	if (count != 2 || schedule->item_count)
		return -EINVAL;
	if (schedule->is_machine_fixed)
		return 0;
	if (strcmp(words[0], "endian") == 0) {
		machine->is_big_endian = strcmp(words[1], "big") == 0;
		return machine->is_big_endian || strcmp(words[1], "little") == 0 ? 0 : -EINVAL;
	}
	if (parse_u64(words[1], &value) < 0 || value > SCHEDULE_PAGE_MAX)
		return -EINVAL;
	if (strcmp(words[0], "long") == 0)
		machine->long_bytes = (unsigned)value;
	else if (strcmp(words[0], "page") == 0)
		machine->page_bytes = (uint32_t)value;
	else
		machine->version = (unsigned)value;
	return (machine->long_bytes == 4 || machine->long_bytes == 8) &&
	                       machine->page_bytes >= 256 &&
	                       (machine->version == 6 || machine->version == 7)
	               ? 0
	               : -EINVAL;
}

static int text_line(struct schedule *schedule, char **words, size_t count)
{
	char **to = strcmp(words[0], "kernel") == 0 ? &schedule->kernel
	          : strcmp(words[0], "arch") == 0   ? &schedule->arch
	          : strcmp(words[0], "date") == 0   ? &schedule->date
	                                            : &schedule->clock;

	if (count != 2)
		return -EINVAL;
	free(*to);
	*to = xstrdup(words[1]);
	return 0;
}

static int states_line(struct schedule *schedule, char **words, size_t count)
{
	static const char *const names[] = {
		[STATES_BITS] = "bits", [STATES_INDEX] = "index", [STATES_SHIFTED] = "shifted"};

	for (size_t i = 0; count == 2 && i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i], words[1]) == 0) {
			schedule->states = (enum schedule_states)i;
			return 0;
		}
	}
	return -EINVAL;
}

static int scale_line(struct schedule *schedule, char **words, size_t count)
{
	uint64_t mult, shift;

	if (count != 3 || parse_u64(words[1], &mult) < 0 || mult > UINT32_MAX ||
	    parse_u64(words[2], &shift) < 0 || shift > UINT32_MAX)
		return -EINVAL;
	schedule->scale_mult = (uint32_t)mult;
	schedule->scale_shift = (uint32_t)shift;
	return 0;
}

static int trace_id_line(struct schedule *schedule, char **words, size_t count)
{
	return count == 2 ? parse_u64(words[1], &schedule->trace_id) : -EINVAL;
}

static int host_clock_line(struct schedule *schedule, char **words, size_t count)
{
	if (count != 3 || parse_u64(words[1], &schedule->host_trace_id) < 0)
		return -EINVAL;
	return parse_u64(words[2], &schedule->host_offset);
}

static int unit_line(struct schedule *schedule, char **words, size_t count)
{
	static const struct {
		const char *name;
		nsec_t factor;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}};

	for (size_t i = 0; count == 2 && i < ARRAY_SIZE(units); i++) {
		if (strcmp(units[i].name, words[1]) == 0) {
			schedule->unit = units[i].factor;
			return 0;
		}
	}
	return -EINVAL;
}

static int mark_line(struct schedule *schedule, char **words, size_t count)
{
	struct schedule_item item = {
		.type = strcmp(words[0], "lost") == 0 ? SCHEDULE_LOST : SCHEDULE_PAGE};

	if (count < 2 || schedule_place_parse(schedule, words[1], &item) < 0)
		return -EINVAL;
	if (count > 2 && parse_u64(words[2], &item.lost) < 0)
		return -EINVAL;
	ARRAY_GROW(schedule->items, schedule->item_count, schedule->item_capacity);
	schedule->items[schedule->item_count++] = item;
	return 0;
}

static const struct {
	const char *word;
	int (*read)(struct schedule *schedule, char **words, size_t count);
} line_kinds[] = {
	{"tasks", tasks_line},     {"comm", comm_line},       {"cpus", cpus_line},
	{"endian", machine_line},  {"long", machine_line},    {"page", machine_line},
	{"version", machine_line}, {"kernel", text_line},     {"arch", text_line},
	{"clock", text_line},      {"unit", unit_line},       {"lost", mark_line},
	{"newpage", mark_line},    {"scale", scale_line},     {"states", states_line},
	{"date", text_line},       {"trace-id", trace_id_line}, {"host-clock", host_clock_line},
};

static int schedule_line(struct schedule *schedule, char **words, size_t count,
                         struct buffer *why)
{
	if (isdigit((unsigned char)words[0][0]))
		return schedule_event_line(schedule, words, count, why);
	for (size_t i = 0; i < ARRAY_SIZE(line_kinds); i++) {
		if (strcmp(line_kinds[i].word, words[0]) == 0) {
			int r = line_kinds[i].read(schedule, words, count);

			if (r < 0)
				buffer_printf(why, "not a good \"%s\" line", words[0]);
			return r;
		}
	}
	if (schedule_is_note(words[0])) {
		int r = schedule_note_line(schedule, words, count);

		if (r < 0)
			buffer_printf(why, "not a good \"%s\" line", words[0]);
		return r;
	}
	buffer_printf(why, "\"%s\" begins no line of a schedule", words[0]);
	return -EINVAL;
}

static size_t line_split(char *line, char **words)
{
	size_t count = 0;
	char *rest = line;

	for (char *word; count < LINE_WORDS_MAX && (word = strsep(&rest, " \t\r"));)
		if (*word)
			words[count++] = word;
	return count;
}

int schedule_parse(const char *text, size_t length, const struct machine *machine,
                   struct schedule **ret, struct buffer *why)
{
	struct schedule *schedule = schedule_new(machine);
	char *copy = xstrndup(text, length);
	char *rest = copy;
	unsigned number = 0;
	int r = 0;

	for (char *line; r >= 0 && (line = strsep(&rest, "\n"));) {
		char *words[LINE_WORDS_MAX];
		char *comment = strchr(line, '#');
		size_t count;

		number++;
		if (comment)
			*comment = '\0';
		count = line_split(line, words);
		if (count)
			r = schedule_line(schedule, words, count, why);
		if (r < 0)
			buffer_printf(why, " (line %u)", number);
	}
	free(copy);
	if (r < 0) {
		schedule_free(schedule);
		return r;
	}
	*ret = schedule;
	return 0;
}
