/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schedule_event.h"

#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/parse.h"
#include "event_kind.h"
#include "old_kind.h"

#define REASON_BYTES_MAX 64
#define RECORD_BYTES_MAX 1024
#define COMM_BYTES       16
/* A return address lies somewhat behind its function's begin. */
#define RETURN_OFFSET    4

/* One record under construction. */
struct draft {
	struct schedule *schedule;
	const struct kernel_event *kind;
	struct kind_layout layout;
	unsigned cpu;
	const struct schedule_task *current;
	uint8_t bytes[RECORD_BYTES_MAX];
	uint32_t length;
	unsigned frames; /* of a stack */
	unsigned elements; /* of an array of numbers */
	uint32_t text_end; /* of a text that ends the record, without its newline; 0: none yet */
	/* the fields with the priorities of the event's tasks */
	struct {
		const struct kind_field *field;
		struct schedule_task *task;
	} ranked[2];
	unsigned ranked_count;
	struct buffer *why;
};

static const struct {
	char letter;
	uint64_t bits;
} flags[] = {{'i', 0x01}, {'r', 0x04}, {'h', 0x08}, {'s', 0x10}, {'p', 0x20}, {'n', 0x40},
             {'b', 0x80}},
  states[] = {{'R', 0}, {'+', 0x100}, {'S', 1}, {'D', 2}, {'T', 4}, {'t', 8}, {'X', 0x10},
              {'Z', 0x20}, {'P', 0x40}, {'I', 0x80}, {'|', 0}};

/* What a field holds if the line does not set it. */
static const struct {
	const char *field, *value;
} defaults[] = {
	{"prio", "120"},      {"prev_prio", "120"}, {"next_prio", "120"}, {"ret", "1"},
	{"rwbs", "R"},        {"nr_sector", "8"},   {"bytes", "4096"},    {"workqueue", "events"},
	{"budget", "64"},     {"work", "1"},        {"cmd", ""},          {"len", "100"},
};

struct schedule_task *schedule_find_task(struct schedule *schedule, const char *name)
{
	/* timelines name the same few tasks again and again, so begin where the last one was
	   found */
	for (size_t i = 0; i < schedule->task_count; i++) {
		size_t step = i % 2 ? i / 2 + 1 : schedule->task_count - i / 2;
		size_t at = (schedule->task_hint + step) % schedule->task_count;

		if (strcmp(schedule->tasks[at].name, name) == 0) {
			schedule->task_hint = at;
			return &schedule->tasks[at];
		}
	}
	return NULL;
}

static uint64_t symbol_address(struct schedule *schedule, const char *name, bool is_function,
                               bool is_string)
{
	bool is_wide = schedule->machine.long_bytes == 8;
	uint64_t base = is_function ? (is_wide ? 0xffffffff81000000 : 0xc1000000)
	                            : (is_wide ? 0xffff888000001000 : 0xd0001000);
	struct schedule_symbol symbol;

	for (size_t i = 0; i < schedule->symbol_count; i++)
		if (strcmp(schedule->symbols[i].name, name) == 0)
			return schedule->symbols[i].address;
	symbol = (struct schedule_symbol){.name = xstrdup(name),
	                                  .address = base + 0x100 * schedule->symbol_count,
	                                  .is_function = is_function,
	                                  .is_string = is_string};
	ARRAY_GROW(schedule->symbols, schedule->symbol_count, schedule->symbol_capacity);
	schedule->symbols[schedule->symbol_count++] = symbol;
	return symbol.address;
}

static void draft_store(struct draft *draft, const struct kind_field *field, uint64_t value)
{
	machine_store(&draft->schedule->machine, draft->bytes + field->offset, value, field->size);
}

/* A state as the schedule's kernel records it, see `states` in schedule.h. */
static uint64_t state_record(const struct schedule *schedule, uint64_t bits)
{
	enum schedule_states as = schedule->states;
	uint64_t state = bits & 0xff;
	unsigned index = 0;

	if (as == STATES_BITS)
		return old_kind_state(schedule->kernel, bits);
	if (bits != state) /* preempted */
		return as == STATES_INDEX ? 0x1000 : 0x100;
	for (; state; state >>= 1)
		index++;
	return as == STATES_INDEX ? index : 1ull << index;
}

static int state_parse(const struct schedule *schedule, const char *text, uint64_t *ret)
{
	uint64_t value = 0;

	if (isdigit((unsigned char)*text))
		return parse_u64(text, ret);
	for (; *text; text++) {
		size_t i;

		for (i = 0; i < ARRAY_SIZE(states) && states[i].letter != *text; i++)
			;
		if (i == ARRAY_SIZE(states))
			return -EINVAL;
		value |= states[i].bits;
	}
	*ret = state_record(schedule, value);
	return 0;
}

/* A text; or a mask that has the CPU of that number, below 32. */
static int draft_set_dynamic(struct draft *draft, const struct kind_field *field,
                             const char *text)
{
	const struct machine *machine = &draft->schedule->machine;
	bool is_mask = strstr(field->type, "long") != NULL;
	uint32_t size = is_mask ? machine->long_bytes : (uint32_t)strlen(text) + 1;

	if (size > RECORD_BYTES_MAX - draft->length)
		return -EINVAL;
	if (is_mask)
		machine_store(machine, draft->bytes + draft->length,
		              (uint64_t)1 << strtoul(text, NULL, 10), size);
	else
		memcpy(draft->bytes + draft->length, text, size);
	draft_store(draft, field, (uint64_t)size << 16 | draft->length);
	draft->length += size;
	return 0;
}

/* "Rescheduling_interrupts", with blanks. */
static const char *reason_blanks(const char *text, char reason[REASON_BYTES_MAX])
{
	size_t length = strlen(text);

	assert(length < REASON_BYTES_MAX);
	for (size_t i = 0; i <= length; i++)
		reason[i] = text[i] == '_' ? ' ' : text[i];
	return reason;
}

static int draft_set(struct draft *draft, const struct kind_field *field, const char *text)
{
	char reason[REASON_BYTES_MAX];
	uint64_t value;
	bool is_negative = *text == '-';
	int r;

	if (field->is_dynamic)
		return draft_set_dynamic(draft, field, text);
	if (field->is_text) {
		(void)strncpy((char *)draft->bytes + field->offset, text, field->size - 1);
		return 0;
	}
	if (field->is_pointer && !isdigit((unsigned char)*text)) {
		bool is_caller = strcmp(field->name, "caller") == 0 ||
		                 strcmp(field->name, "location") == 0;
		bool is_reason = strcmp(field->name, "reason") == 0;
		bool is_string = is_reason || strcmp(field->name, "action") == 0;
		bool is_function = is_caller || strcmp(field->name, "function") == 0;

		draft_store(draft, field,
		            symbol_address(draft->schedule,
		                           is_reason ? reason_blanks(text, reason) : text,
		                           is_function, is_string) +
		                    (is_caller ? RETURN_OFFSET : 0));
		return 0;
	}
	r = strcmp(field->name, "prev_state") == 0 ? state_parse(draft->schedule, text, &value)
	                                           : parse_u64(text + is_negative, &value);
	if (r < 0) {
		buffer_printf(draft->why, "\"%s\" is no value for %s", text, field->name);
		return r;
	}
	draft_store(draft, field, is_negative ? 0 - value : value);
	return 0;
}

/* From here on the task has the priority that the line gives. */
static void draft_note_priority(struct draft *draft, const struct kind_field *field,
                                const char *text)
{
	for (unsigned i = 0; i < draft->ranked_count; i++)
		if (draft->ranked[i].field == field)
			(void)snprintf(draft->ranked[i].task->priority,
			               sizeof(draft->ranked[i].task->priority), "%s", text);
}

static int draft_set_named(struct draft *draft, const char *prefix, const char *name,
                           const char *text)
{
	char whole[64];
	const struct kind_field *field;

	(void)snprintf(whole, sizeof(whole), "%s%s", prefix, name);
	field = kind_layout_find(&draft->layout, whole);
	if (!field) {
		buffer_printf(draft->why, "%s has no field %s", draft->kind->name, whole);
		return -EINVAL;
	}
	draft_note_priority(draft, field, text);
	return draft_set(draft, field, text);
}

/* Sets the event's priority field of the task, if it has one, to the last priority that a line
   gave. */
static int draft_fill_priority(struct draft *draft, const char *prefix, struct schedule_task *task)
{
	static const char *const names[] = {"prio", "newprio"};
	char whole[64];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct kind_field *field;

		(void)snprintf(whole, sizeof(whole), "%s%s", prefix, names[i]);
		field = kind_layout_find(&draft->layout, whole);
		if (!field || draft->ranked_count == ARRAY_SIZE(draft->ranked))
			continue;
		draft->ranked[draft->ranked_count].field = field;
		draft->ranked[draft->ranked_count++].task = task;
		return task->priority[0] ? draft_set(draft, field, task->priority) : 0;
	}
	return 0;
}

/* Sets target_cpu of a wake-up to the CPU that the task was last on, which each switch updates. */
static void draft_fill_cpu(struct draft *draft, const char *prefix, struct schedule_task *task)
{
	const struct kind_field *target = kind_layout_find(&draft->layout, "target_cpu");

	if (strcmp(draft->kind->name, "sched_switch") == 0) {
		task->has_run = true;
		task->cpu = draft->cpu;
	} else if (target && prefix && task->has_run) {
		draft_store(draft, target, task->cpu);
	}
}

/* comm and pid of a task into the fields of that prefix; prefix NULL: only the tid, into `name`. */
static int draft_set_task(struct draft *draft, const char *prefix, const char *name, char *word)
{
	struct schedule_task *task;
	char *state = prefix && strcmp(prefix, "prev_") == 0 ? strrchr(word, ':') : NULL;
	char tid[16], idle[COMM_BYTES];
	int r = 0;

	if (state) {
		*state = '\0';
		r = draft_set_named(draft, "", "prev_state", state + 1);
	}
	task = schedule_find_task(draft->schedule, word);
	if (!task && strcmp(word, "0") != 0) {
		buffer_printf(draft->why, "no task is named \"%s\"", word);
		return -EINVAL;
	}
	if (task)
		draft_fill_cpu(draft, prefix, task);
	(void)snprintf(tid, sizeof(tid), "%d", task ? task->tid : 0);
	(void)snprintf(idle, sizeof(idle), "swapper/%u", draft->cpu);
	if (r >= 0)
		r = draft_set_named(draft, prefix ? prefix : "", prefix ? "pid" : name, tid);
	if (r >= 0 && prefix)
		r = draft_set_named(draft, prefix, "comm", task ? task->comm : idle);
	if (r >= 0 && prefix && task)
		r = draft_fill_priority(draft, prefix, task);
	return r;
}

/* The event's row in event_kind.c names an argument for which the event's format has no field. */
static int row_is_wrong(struct draft *draft, const char *argument)
{
	buffer_printf(draft->why, "%s: argument \"%s\" in event_kind.c fits no field of the event",
	              draft->kind->name, argument);
	return -EINVAL;
}

static int draft_set_dev(struct draft *draft, const char *argument, char *word)
{
	char *comma = strchr(word, ',');
	const struct kind_field *field = kind_layout_find(&draft->layout, argument + 1);
	uint64_t major, minor;

	if (!field)
		return row_is_wrong(draft, argument);
	if (!comma)
		return -EINVAL;
	*comma = '\0';
	if (parse_u64(word, &major) < 0 || parse_u64(comma + 1, &minor) < 0)
		return -EINVAL;
	draft_store(draft, field, major << 20 | minor);
	return 0;
}

static int draft_set_sectors(struct draft *draft, char *word)
{
	char *plus = strchr(word, '+');
	const struct kind_field *bytes = kind_layout_find(&draft->layout, "bytes");
	uint64_t count;
	int r;

	if (!plus)
		return -EINVAL;
	*plus = '\0';
	if (parse_u64(plus + 1, &count) < 0)
		return -EINVAL;
	r = draft_set_named(draft, "", "sector", word);
	if (r >= 0)
		r = draft_set_named(draft, "", "nr_sector", plus + 1);
	if (r >= 0 && bytes)
		draft_store(draft, bytes, count * 512);
	return r;
}

static int draft_add_frame(struct draft *draft, const char *argument, const char *function)
{
	const struct kind_field *frames = kind_layout_find(&draft->layout, argument + 1);
	const struct kind_field *count = kind_layout_find(&draft->layout, "size");
	const struct machine *machine = &draft->schedule->machine;
	uint64_t address;
	unsigned at;

	if (!frames || !count)
		return row_is_wrong(draft, argument);
	address = symbol_address(draft->schedule, function, /* is_function= */ true,
	                         /* is_string= */ false) +
	          RETURN_OFFSET;
	at = draft->frames * machine->long_bytes;
	if (at + machine->long_bytes > frames->size)
		return -EINVAL;
	machine_store(machine, draft->bytes + frames->offset + at, address, machine->long_bytes);
	draft_store(draft, count, ++draft->frames);
	draft->length = frames->offset + at + machine->long_bytes;
	return 0;
}

static int draft_add_element(struct draft *draft, const char *argument, const char *word)
{
	const struct kind_field *field = kind_layout_find(&draft->layout, argument + 1);
	const struct machine *machine = &draft->schedule->machine;
	unsigned at = draft->elements++ * machine->long_bytes;
	uint64_t value;

	if (!field)
		return row_is_wrong(draft, argument);
	if (parse_u64(word, &value) < 0 || at + machine->long_bytes > field->size)
		return -EINVAL;
	machine_store(machine, draft->bytes + field->offset + at, value, machine->long_bytes);
	return 0;
}

/* The bytes of an address as the field keeps them. */
static void draft_set_address(struct draft *draft, const struct kind_field *field, bool is_v4,
                              const uint8_t *v6, unsigned port)
{
	uint8_t *to = draft->bytes + field->offset;

	if (field->size == 28) { /* struct sockaddr_in, sockaddr_in6 */
		machine_store(&draft->schedule->machine, to, is_v4 ? AF_INET : AF_INET6, 2);
		to[2] = (uint8_t)(port >> 8);
		to[3] = (uint8_t)port;
		memcpy(is_v4 ? to + 4 : to + 8, is_v4 ? v6 + 12 : v6, is_v4 ? 4 : 16);
	} else if (field->size == 16) {
		memcpy(to, v6, 16);
	} else if (is_v4) {
		memcpy(to, v6 + 12, 4);
	}
}

static int draft_set_end(struct draft *draft, const char *prefix, char *word)
{
	/* ends of the names: saddr, saddr_v6, src; daddr, daddr_v6, dst */
	static const char *const arrays[] = {"addr", "addr_v6", "rc", "st"};
	uint8_t v6[16] = {[10] = 0xff, [11] = 0xff};
	char *colon = strrchr(word, ':'), name[16];
	bool is_v4 = *word != '[';
	uint64_t port;

	if (!colon || parse_u64(colon + 1, &port) < 0)
		return -EINVAL;
	colon[is_v4 ? 0 : -1] = '\0';
	if (inet_pton(is_v4 ? AF_INET : AF_INET6, is_v4 ? word : word + 1,
	              is_v4 ? v6 + 12 : v6) != 1)
		return -EINVAL;
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		const struct kind_field *field;

		(void)snprintf(name, sizeof(name), "%s%s", prefix, arrays[i]);
		field = kind_layout_find(&draft->layout, name);
		if (field)
			draft_set_address(draft, field, is_v4, v6, (unsigned)port);
	}
	return draft_set_named(draft, prefix, "port", colon + 1);
}

/* Appends one more word of a text that ends the record. */
static int draft_add_text(struct draft *draft, const char *argument, const char *word)
{
	const struct kind_field *field = kind_layout_find(&draft->layout, argument + 1);
	size_t length = strlen(word);
	uint32_t at = draft->text_end;

	if (!field || !field->is_rest)
		return row_is_wrong(draft, argument);
	if (length + 3 > RECORD_BYTES_MAX - draft->length)
		return -EINVAL;
	/* the space takes the place of the newline of the word before */
	if (at)
		draft->bytes[at++] = ' ';
	else
		at = field->offset;
	memcpy(draft->bytes + at, word, length);
	draft->text_end = at + (uint32_t)length;
	draft->bytes[draft->text_end] = '\n';
	draft->bytes[draft->text_end + 1] = '\0';
	draft->length = draft->text_end + 2;
	return 0;
}

static int draft_argument(struct draft *draft, const char *argument, char *word)
{
	switch (argument[0]) {
	case '$':
		return draft_add_text(draft, argument, word);
	case '@':
		return draft_set_task(draft, argument + 1, NULL, word);
	case '#':
		return draft_set_task(draft, NULL, argument + 1, word);
	case '%':
		return draft_set_dev(draft, argument, word);
	case '~':
		return draft_set_end(draft, argument + 1, word);
	case '+':
		return draft_set_sectors(draft, word);
	case '&':
		return draft_add_frame(draft, argument, word);
	case '*':
		return draft_add_element(draft, argument, word);
	default:
		return draft_set_named(draft, "", argument, word);
	}
}

static int draft_defaults(struct draft *draft)
{
	const struct kind_field *target = kind_layout_find(&draft->layout, "target_cpu");
	const struct kind_field *comm = kind_layout_find(&draft->layout, "comm");
	int r = 0;

	for (size_t i = 0; r >= 0 && i < ARRAY_SIZE(defaults); i++) {
		const struct kind_field *field =
			kind_layout_find(&draft->layout, defaults[i].field);

		if (field && !field->is_dynamic && !field->is_pointer)
			r = draft_set(draft, field, defaults[i].value);
	}
	if (target)
		draft_store(draft, target, draft->cpu);
	if (comm && draft->current)
		r = draft_set(draft, comm, draft->current->comm);
	return r;
}

/* Strings that no argument has set still need a place. */
static int draft_close(struct draft *draft)
{
	for (size_t i = 0; i < draft->layout.count; i++) {
		const struct kind_field *field = &draft->layout.field[i];
		static const uint8_t none[4];

		if (field->is_dynamic && !memcmp(draft->bytes + field->offset, none, 4)) {
			int r = draft_set_dynamic(draft, field, "");

			if (r < 0)
				return r;
		}
	}
	draft->length = (draft->length + 3) & ~3u;
	return 0;
}

static int draft_arguments(struct draft *draft, char **words, size_t count)
{
	size_t position = 0;

	for (size_t i = 0; i < count; i++) {
		char *equals = strchr(words[i], '='), token[64];
		int r;

		(void)snprintf(token, sizeof(token), "%s", words[i]); /* reading cuts the word */
		if (strcmp(words[i], ">") == 0)
			continue;
		if (equals) {
			*equals = '\0';
			r = draft_set_named(draft, "", words[i], equals + 1);
		} else if (position < KIND_ARGUMENTS_MAX && draft->kind->arguments[position]) {
			r = draft_argument(draft, draft->kind->arguments[position], words[i]);
			position += !strchr("&$*", draft->kind->arguments[position][0]);
		} else {
			buffer_printf(draft->why, "%s: too many arguments, from \"%s\" on",
			              draft->kind->name, token);
			r = -EINVAL;
		}
		if (r < 0 && draft->why->length == 0)
			buffer_printf(draft->why, "%s: bad argument \"%s\"", draft->kind->name,
			              token);
		if (r < 0)
			return r;
	}
	return 0;
}

/* CURRENT[FLAGS] and the fields that every event has. */
static int draft_common(struct draft *draft, char *word)
{
	char *bracket = strrchr(word, '[');
	const struct machine *machine = &draft->schedule->machine;
	uint64_t bits = 0;

	if (bracket)
		*bracket++ = '\0';
	for (; bracket && *bracket && *bracket != ']'; bracket++)
		for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
			bits |= flags[i].letter == *bracket ? flags[i].bits : 0;
	draft->current = schedule_find_task(draft->schedule, word);
	if (!draft->current && strcmp(word, "0") != 0) {
		buffer_printf(draft->why, "no task is named \"%s\"", word);
		return -EINVAL;
	}
	machine_store(machine, draft->bytes, draft->kind->id, 2);
	machine_store(machine, draft->bytes + 2, bits, 1);
	machine_store(machine, draft->bytes + 4,
	              draft->current ? (uint64_t)draft->current->tid : 0, 4);
	return 0;
}

/* The number of the buffer of that name, added if it is new; SCHEDULE_BUFFERS_MAX: there is no
   room. */
static unsigned buffer_number(struct schedule *schedule, const char *name)
{
	unsigned number = 0;

	while (number < schedule->buffer_count && strcmp(schedule->buffers[number], name) != 0)
		number++;
	if (number == schedule->buffer_count && number < SCHEDULE_BUFFERS_MAX)
		schedule->buffers[schedule->buffer_count++] = xstrdup(name);
	return number;
}

int schedule_place_parse(struct schedule *schedule, char *word, struct schedule_item *item)
{
	char *at = strchr(word, '@');
	uint64_t cpu;

	if (at)
		*at = '\0';
	if (parse_u64(word, &cpu) < 0 || cpu >= schedule->cpu_count)
		return -EINVAL;
	item->cpu = (unsigned)cpu;
	item->buffer = at ? buffer_number(schedule, at + 1) : 0;
	return item->buffer < SCHEDULE_BUFFERS_MAX ? 0 : -EINVAL;
}

/* TIME[/CPU[@BUFFER]] */
static int stamp_parse(struct schedule *schedule, char *word, struct schedule_item *ret)
{
	char *slash = strchr(word, '/');
	uint64_t time;

	if (slash)
		*slash = '\0';
	if (parse_u64(word, &time) < 0 ||
	    __builtin_mul_overflow(time, schedule->unit, &ret->time))
		return -EINVAL;
	return slash ? schedule_place_parse(schedule, slash + 1, ret) : 0;
}

static int draft_fill(struct draft *draft, char **words, size_t count)
{
	int r = draft_common(draft, words[1]);

	if (r >= 0)
		r = draft_defaults(draft);
	if (r >= 0)
		r = draft_arguments(draft, words + 3, count - 3);
	return r >= 0 ? draft_close(draft) : r;
}

int schedule_event_line(struct schedule *schedule, char **words, size_t count,
                        struct buffer *why)
{
	struct schedule_item item = {.type = SCHEDULE_EVENT};
	struct draft draft = {.schedule = schedule, .why = why};
	int r;

	if (count < 3 || stamp_parse(schedule, words[0], &item) < 0) {
		buffer_puts(why, "not TIME/CPU[@BUFFER] CURRENT[FLAGS] EVENT, or no such CPU");
		return -EINVAL;
	}
	draft.kind = old_kind_find(schedule->kernel, event_kind_find(words[2]));
	if (!draft.kind) {
		buffer_printf(why, "the builder knows no event \"%s\" of that kernel", words[2]);
		return -EINVAL;
	}
	event_kind_lay_out(draft.kind, schedule->machine.long_bytes, &draft.layout);
	draft.cpu = item.cpu;
	draft.length = draft.layout.size;
	r = draft_fill(&draft, words, count);
	if (r < 0) {
		if (why->length == 0)
			buffer_printf(why, "%s: no room for its fields", words[2]);
		return r;
	}
	item.offset = schedule->payload.length;
	item.length = draft.length;
	buffer_append(&schedule->payload, draft.bytes, draft.length);
	ARRAY_GROW(schedule->items, schedule->item_count, schedule->item_capacity);
	schedule->items[schedule->item_count++] = item;
	return 0;
}
