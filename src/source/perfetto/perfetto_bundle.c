/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/data/order.h"
#include "perfetto_rows.h"
#include "source/text/text_value.h"

#define INTERNED_SYMBOLS 26
#define SYMBOL_IID       1
#define SYMBOL_NAME      2

static void symbol_add(struct perfetto_values *values, uint64_t key, struct text_line name)
{
	bool is_taken;

	if (!name.at || values->symbol_count >= UINT32_MAX / 2)
		return;
	(void)map_take(&values->symbol_by_iid, key);
	map_put(&values->symbol_by_iid, key, (uint32_t)values->symbol_count);
	LIST_ADD(values->symbol, uint64_t) = text_symbols_take(&values->symbols, &name, &is_taken);
}

bool perfetto_values_intern(struct perfetto_values *values, uint32_t round, struct wire data)
{
	struct wire_field field, part[SYMBOL_NAME + 1];
	bool has_some = false;

	while (wire_next(&data, &field)) {
		uint64_t iid;

		if (field.number != INTERNED_SYMBOLS || field.type != WIRE_BYTES)
			continue;
		(void)wire_read(wire_of(&field), part, ARRAY_SIZE(part));
		iid = part[SYMBOL_IID].value;
		if (iid <= UINT32_MAX)
			symbol_add(values, (uint64_t)round << 32 | iid,
			           wire_line(wire_of(&part[SYMBOL_NAME])));
		has_some = true;
	}
	return has_some;
}

/* The state that prev_state of sched_switch means, in the bits of text. */
static uint64_t perfetto_values_state(const struct perfetto_values *values, uint64_t bits)
{
	static const uint8_t new_states[] = {0x1, 0x2, 0x4, 0x8, 0x20, 0x10, 0x40, 0x80};
	uint64_t state = 0;

	if (bits == 0)
		return 0;
	if (values->has_old_states) {
		if ((bits & 0xff) == 0 && bits != 0x200) /* TASK_STATE_MAX, of several kernels */
			return TEXT_STATE_PREEMPTED;
		if (bits == 0x402) /* TASK_NOLOAD: idle */
			return 0x80;
		if (bits & 0x40) /* TASK_DEAD */
			return 0x20;
		bits = (bits & 0x3f) | (bits == 0x200 ? 0x40 : 0);
	}
	for (unsigned i = 0; i < ARRAY_SIZE(new_states); i++)
		if (bits & 1u << i)
			state |= new_states[i];
	return state ? state : bits & 0x100 ? TEXT_STATE_PREEMPTED : 0x1;
}

/* Perfetto keeps numbers of devices as programs see them. */
static uint64_t device_of(uint64_t dev)
{
	return (dev >> 8 & 0xfff) << 20 | (dev & 0xff) | (dev >> 12 & 0xfff00);
}

/* Old versions of Perfetto kept addresses as they are. A number without a name means nothing. */
static uint64_t function_of(const struct perfetto_values *values, uint32_t round, uint64_t value,
                            bool is_inside)
{
	uint32_t at;
	uint64_t address;

	if (value > UINT32_MAX)
		return value;
	at = map_get(&values->symbol_by_iid, (uint64_t)round << 32 | value);
	address = at == MAP_NONE ? 0 : values->symbol[at];
	return is_inside && address ? address + TEXT_SYMBOL_INSIDE : address;
}

/* Whether the kernel declares the field as a pointer to an object. */
static bool field_is_pointer(const struct text_field *field)
{
	static const char *const names[] = {"hrtimer", "timer", "work", "skbaddr", "lock_addr"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (word_is((struct text_line){field->name, field->name + field->name_bytes},
		            names[i]))
			return true;
	return false;
}

static uint64_t object_of(struct perfetto_values *values, uint32_t round, uint64_t value)
{
	if (value == 0 || value > UINT32_MAX)
		return value;
	values->has_objects = true;
	return (uint64_t)round << 32 | value;
}

static uint64_t value_of(struct perfetto_values *values, uint32_t round,
                         const struct text_field *field, uint64_t value)
{
	switch (field->type) {
	case 'S':
		return perfetto_values_state(values, value);
	case 'V':
		return device_of(value);
	case 'f':
	case 'c':
		return function_of(values, round, value, field->type == 'c');
	case 'x':
		return field_is_pointer(field) ? object_of(values, round, value) : value;
	case 'b':
		return value != 0;
	default:
		return value;
	}
}

/* Puts the field of a message into the record that is being filled, if it has the right type. */
static void perfetto_values_put(struct perfetto_values *values, struct text_layout *layout,
		uint32_t round, const struct text_field *to, const struct wire_field *from)
{
	if (text_field_is_text(to) != (from->type == WIRE_BYTES))
		return;
	if (from->type == WIRE_BYTES)
		text_layout_put_text(layout, to, wire_line(wire_of(from)));
	else
		text_layout_put(layout, to, value_of(values, round, to, from->value));
}

enum {
	BUNDLE_CPU = 1, BUNDLE_EVENT = 2, BUNDLE_LOST = 3, BUNDLE_COMPACT = 4, BUNDLE_CLOCK = 5,
	BUNDLE_DESCRIPTOR = 11,
	EVENT_TIME = 1, EVENT_PID = 2, EVENT_FLAGS = 5,
	SWITCH_NEXT_COMM = 5, SWITCH_NEXT_PID = 6, SWITCH_NEXT_PRIO = 7,
	COMPACT_STRING = 5, COMPACT_SWITCH_TIME = 1, COMPACT_WAKING_TIME = 7,
	NAMED_PID = 2, /* of wake-ups, and the previous task of a switch */
	SYS_ENTER_ARGUMENTS = 2,
	GENERIC_FIELD = 2, GENERIC_FIELD_NAME = 1,
	TIME_MAX_BIT = 62,
};

/* An event, or a row of the columns of compact_sched. */
struct perfetto_item {
	nsec_t time;
	uint32_t order, what, flags;
	int32_t tid;
	bool is_compact;
	struct wire content;   /* of the event; compact: the name */
	int64_t pid, prio, third; /* compact: the third is prev_state, or target_cpu */
};

/* The columns of compact_sched; the order is that of the fields. */
struct compact {
	struct wire time, a, b, c, comm;
};

void perfetto_reader_init(struct perfetto_reader *reader)
{
	*reader = (struct perfetto_reader){.layout = text_layout_new()};
	perfetto_rows_init(&reader->rows, reader->layout);
	text_symbols_init(&reader->values.symbols);
	map_init(&reader->values.symbol_by_iid);
}

void perfetto_reader_release(struct perfetto_reader *reader)
{
	perfetto_rows_release(&reader->rows);
	text_symbols_release(&reader->values.symbols);
	map_release(&reader->values.symbol_by_iid);
	free(reader->values.symbol);
	(void)text_layout_free(reader->layout);
	free(reader->item);
}

bool perfetto_bundle_parse(struct wire content, uint32_t sequence, struct perfetto_bundle *ret)
{
	struct wire_field field[BUNDLE_CLOCK + 1];
	bool is_good = wire_read(content, field, ARRAY_SIZE(field));

	*ret = (struct perfetto_bundle){
		.sequence = sequence,
		.content = content,
		.cpu = (uint32_t)field[BUNDLE_CPU].value,
		.has_lost = field[BUNDLE_LOST].value != 0,
		.clock = (uint32_t)field[BUNDLE_CLOCK].value,
	};
	return is_good && field[BUNDLE_CPU].value < TEXT_CPUS_MAX;
}

/* The last byte of each number is below 128. */
static uint64_t numbers_count(struct wire column)
{
	uint64_t count = 0;

	while (column.at < column.end)
		count += !(*column.at++ & 0x80);
	return count;
}

uint64_t perfetto_bundle_count(const struct perfetto_bundle *bundle)
{
	struct wire content = bundle->content;
	struct wire_field field, column;
	uint64_t count = 0;

	while (wire_next(&content, &field)) {
		struct wire compact = wire_of(&field);

		count += field.number == BUNDLE_EVENT;
		while (field.number == BUNDLE_COMPACT && wire_next(&compact, &column))
			if (column.type == WIRE_BYTES && (column.number == COMPACT_SWITCH_TIME ||
			                                  column.number == COMPACT_WAKING_TIME))
				count += numbers_count(wire_of(&column));
	}
	return count;
}

static struct perfetto_item *item_add(struct perfetto_reader *reader, uint32_t what)
{
	struct perfetto_item *item;

	ARRAY_GROW(reader->item, reader->item_count, reader->item_capacity);
	item = &reader->item[reader->item_count];
	*item = (struct perfetto_item){.what = what, .order = (uint32_t)reader->item_count++};
	return item;
}

static void event_add(struct perfetto_reader *reader, struct wire content)
{
	struct perfetto_item *item = item_add(reader, 0);
	struct wire_field field;

	while (wire_next(&content, &field)) {
		if (field.type == WIRE_BYTES) {
			item->what = field.number;
			item->content = wire_of(&field);
		} else if (field.number == EVENT_TIME) {
			item->time = field.value;
		} else if (field.number == EVENT_PID) {
			item->tid = (int32_t)field.value;
		} else if (field.number == EVENT_FLAGS) {
			item->flags = (uint32_t)field.value;
		}
	}
	if (!content.is_bad && item->what && item->time >> TIME_MAX_BIT == 0 && item->tid >= 0)
		return;
	reader->bad++;
	reader->item_count--;
}

/* Turns columns into items: the time of each is relative to the one before. */
static void columns_add(struct perfetto_reader *reader, uint32_t what, struct compact column,
                        struct wire flags, const struct wire_field *string, size_t count)
{
	uint64_t since = 0, a = 0, b = 0, c = 0, comm = 0, flag = 0;
	nsec_t time = 0;

	while (column.time.at < column.time.end) {
		bool is_switch = what == PERFETTO_SWITCH;
		struct perfetto_item *item;
		bool is_whole = wire_number(&column.time, &since) &&
		                wire_number(&column.a, &a) && wire_number(&column.b, &b) &&
		                wire_number(&column.c, &c) && wire_number(&column.comm, &comm);

		if (flags.at < flags.end)
			(void)wire_number(&flags, &flag);
		time += is_whole ? since : 0;
		if (!is_whole || time >> TIME_MAX_BIT || comm >= count) {
			reader->bad++;
			return;
		}
		item = item_add(reader, what);
		item->time = time;
		item->flags = (uint32_t)flag;
		item->is_compact = true;
		item->content = wire_of(&string[comm]);
		item->pid = (int64_t)(is_switch ? b : a);
		item->prio = (int64_t)c;
		item->third = (int64_t)(is_switch ? a : b);
	}
}

/* switch: time 1, prev_state 2, next_pid 3, next_prio 4, comm 6; waking: time 7, pid 8,
   target_cpu 9, prio 10, comm 11, flags 12 */
static void compact_add(struct perfetto_reader *reader, struct wire content)
{
	struct wire column[13] = {0};
	struct wire_field field, *string = NULL;
	size_t count = 0, capacity = 0;

	while (wire_next(&content, &field)) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == COMPACT_STRING)
			ARRAY_ADD(string, count, capacity) = field;
		else if (field.number < ARRAY_SIZE(column))
			column[field.number] = wire_of(&field);
	}
	columns_add(reader, PERFETTO_SWITCH,
	            (struct compact){column[1], column[2], column[3], column[4], column[6]},
	            (struct wire){0}, string, count);
	columns_add(reader, PERFETTO_WAKING,
	            (struct compact){column[7], column[8], column[9], column[10], column[11]},
	            column[12], string, count);
	free(string);
}

ORDER_FUNCTION(item_compare, struct perfetto_item, RISING(x, y, time), RISING(x, y, order))

static void items_sort(struct perfetto_reader *reader)
{
	for (size_t i = 1; i < reader->item_count; i++)
		if (reader->item[i].time < reader->item[i - 1].time) {
			qsort(reader->item, reader->item_count, sizeof(*reader->item),
			      item_compare);
			return;
		}
}

static void cpu_set_comm(struct perfetto_cpu *cpu, struct text_line comm)
{
	size_t length = line_length(comm);

	memset(cpu->comm, 0, sizeof(cpu->comm));
	memcpy(cpu->comm, comm.at, length < sizeof(cpu->comm) ? length : sizeof(cpu->comm) - 1);
}

/* The CPU runs the next task of the compact switch from then on. */
static void cpu_set(struct perfetto_cpu *cpu, const struct perfetto_item *item)
{
	cpu->tid = (int32_t)item->pid;
	cpu->prio = (int32_t)item->prio;
	cpu_set_comm(cpu, wire_line(item->content));
}

/* What a switch says of the task that the CPU runs from then on. */
static void cpu_follow(struct perfetto_cpu *cpu, nsec_t time, struct wire content)
{
	struct wire_field field[SWITCH_NEXT_PRIO + 1];

	(void)wire_read(content, field, ARRAY_SIZE(field));
	*cpu = (struct perfetto_cpu){
		.tid = (int32_t)field[SWITCH_NEXT_PID].value,
		.prio = (int32_t)field[SWITCH_NEXT_PRIO].value,
		.left_at = time,
		.left = (int32_t)field[NAMED_PID].value,
	};
	if (field[SWITCH_NEXT_COMM].bytes > 0)
		cpu_set_comm(cpu, wire_line(wire_of(&field[SWITCH_NEXT_COMM])));
}

/* Puts the next arguments of a system call; they may be packed or not. */
static void arguments_fill(struct perfetto_reader *reader, const struct text_field *to,
                           const struct wire_field *field, unsigned *count)
{
	struct wire numbers = wire_of(field);
	uint64_t value;

	if (field->type == WIRE_NUMBER)
		text_layout_put_argument(reader->layout, to, (*count)++, field->value);
	while (field->type == WIRE_BYTES && numbers.at < numbers.end &&
	       wire_number(&numbers, &value))
		text_layout_put_argument(reader->layout, to, (*count)++, value);
}

static void event_fill(struct perfetto_reader *reader, uint32_t round,
                       const struct perfetto_row *row, struct perfetto_item *item)
{
	unsigned arguments = 0;
	struct wire_field field;

	while (wire_next(&item->content, &field)) {
		const struct text_field *to =
			field.number < PERFETTO_FIELDS_MAX ? row->field[field.number] : NULL;

		if (to && to->type == 'a')
			arguments_fill(reader, to, &field, &arguments);
		else if (to)
			perfetto_values_put(&reader->values, reader->layout, round, to, &field);
	}
	reader->bad += item->content.is_bad;
}

/* A field of a GenericFtraceEvent: its name 1, and a value of any number beyond. */
static void generic_fill_field(struct perfetto_reader *reader, uint32_t round,
                               const struct perfetto_row *row, struct wire content)
{
	const struct text_field *to = NULL;
	struct wire_field part;

	while (wire_next(&content, &part))
		if (part.number == GENERIC_FIELD_NAME && part.type == WIRE_BYTES)
			to = perfetto_rows_field(&reader->rows, row, wire_line(wire_of(&part)));
		else if (to)
			perfetto_values_put(&reader->values, reader->layout, round, to, &part);
	reader->bad += content.is_bad;
}

static void generic_fill(struct perfetto_reader *reader, uint32_t round,
                         const struct perfetto_row *row, struct perfetto_item *item)
{
	struct wire_field field;

	while (wire_next(&item->content, &field))
		if (field.number == GENERIC_FIELD && field.type == WIRE_BYTES)
			generic_fill_field(reader, round, row, wire_of(&field));
	reader->bad += item->content.is_bad;
}

static void compact_fill(struct perfetto_reader *reader, const struct perfetto_row *row,
                         const struct perfetto_item *item, struct perfetto_cpu *cpu)
{
	struct text_line comm = wire_line(item->content);
	struct text_layout *layout = reader->layout;

	if (item->what == PERFETTO_WAKING) {
		text_layout_put_text(layout, row->field[1], comm);
		text_layout_put(layout, row->field[2], (uint64_t)item->pid);
		text_layout_put(layout, row->field[3], (uint64_t)item->prio);
		text_layout_put(layout, row->field[5], (uint64_t)item->third);
		return;
	}
	text_layout_put_text(layout, row->field[1], line_of(cpu->comm));
	text_layout_put(layout, row->field[2], (uint64_t)cpu->tid);
	text_layout_put(layout, row->field[3], (uint64_t)cpu->prio);
	text_layout_put(layout, row->field[4],
	                perfetto_values_state(&reader->values, (uint64_t)item->third));
	text_layout_put_text(layout, row->field[5], comm);
	text_layout_put(layout, row->field[6], (uint64_t)item->pid);
	text_layout_put(layout, row->field[7], (uint64_t)item->prio);
	cpu_set(cpu, item);
}

/* The task that the CPU runs before item `at`: the next event that names its task has it. */
static void cpu_guess(const struct perfetto_reader *reader, size_t at, struct perfetto_cpu *cpu)
{
	for (; at < reader->item_count; at++) {
		if (!reader->item[at].is_compact) {
			*cpu = (struct perfetto_cpu){.tid = reader->item[at].tid};
			return;
		}
		if (reader->item[at].what == PERFETTO_SWITCH)
			return;
	}
}

/* Counts an event that is not read, by its name. */
static void unknown_take(struct perfetto_reader *reader, struct text_head *head,
                         const struct perfetto_item *item, perfetto_take take, void *state)
{
	const uint8_t *record;
	char name[32];
	size_t bytes;

	if (!head->rest.at) {
		int length = snprintf(name, sizeof(name), "perfetto_%u:", item->what);

		head->rest = (struct text_line){name, name + length};
	}
	if (text_layout_read(reader->layout, head, &reader->values.symbols, &record, &bytes))
		take(state, head, record, bytes);
	head->rest = (struct text_line){0};
}

/* Which task runs before a compact event; false: that is not known. */
static bool compact_place(struct perfetto_reader *reader, size_t at, struct perfetto_cpu *cpu)
{
	const struct perfetto_item *item = &reader->item[at];

	if (cpu->tid < 0)
		cpu_guess(reader, at, cpu);
	if (cpu->tid >= 0)
		return true;
	reader->unplaced++;
	if (item->what == PERFETTO_SWITCH)
		cpu_set(cpu, item);
	return false;
}

static void item_fill(struct perfetto_reader *reader, uint32_t round,
                      const struct perfetto_row *row, struct perfetto_item *item,
                      struct perfetto_cpu *cpu)
{
	struct wire content = item->content;

	if (item->is_compact) {
		compact_fill(reader, row, item, cpu);
		return;
	}
	if (item->what == PERFETTO_GENERIC)
		generic_fill(reader, round, row, item);
	else
		event_fill(reader, round, row, item);
	if (item->what == PERFETTO_SWITCH)
		cpu_follow(cpu, item->time, content);
}

/* Older versions kept only the number of a system call. */
static bool item_lacks_arguments(const struct perfetto_item *item)
{
	struct wire_field field[SYS_ENTER_ARGUMENTS + 1];

	if (item->what != PERFETTO_SYS_ENTER)
		return false;
	(void)wire_read(item->content, field, ARRAY_SIZE(field));
	return !field[SYS_ENTER_ARGUMENTS].number;
}

static void item_take(struct perfetto_reader *reader, const struct perfetto_bundle *bundle,
                      size_t at, struct perfetto_cpu *cpu, perfetto_take take, void *state)
{
	static const char bare_call[] = "sys_enter_without_arguments:";
	struct perfetto_item *item = &reader->item[at];
	const struct perfetto_row *row =
		item->what == PERFETTO_GENERIC
			? perfetto_rows_named(&reader->rows, item->content)
			: perfetto_rows_find(&reader->rows, bundle->sequence, item->what);
	struct text_head head = {.tgid = -1, .cpu = bundle->cpu, .time = item->time, .step = 1};
	const uint8_t *record;
	size_t bytes;

	if (item->is_compact && !compact_place(reader, at, cpu))
		return;
	head.tid = item->is_compact ? cpu->tid : item->tid;
	head.flags = (uint8_t)item->flags;
	if (row) {
		head.rest = (struct text_line){row->name, row->name + row->name_bytes};
		text_context_see(&reader->context, &head);
	}
	if (item_lacks_arguments(item))
		head.rest = (struct text_line){bare_call, bare_call + sizeof(bare_call) - 1};
	if (!row || row->row == SIZE_MAX || head.rest.at == bare_call) {
		unknown_take(reader, &head, item, take, state);
		return;
	}
	text_layout_begin(reader->layout, row->row, &head);
	item_fill(reader, bundle->part.round, row, item, cpu);
	text_layout_end(reader->layout, &record, &bytes);
	take(state, &head, record, bytes);
}

/* The task that an event names: that is woken, or that leaves the CPU. */
static uint64_t item_names(const struct perfetto_item *item)
{
	struct wire_field field[NAMED_PID + 1];

	(void)wire_read(item->content, field, ARRAY_SIZE(field));
	return field[NAMED_PID].value;
}

/* Exports write a wake-up before that of a new task, as Perfetto shows no other. The kernel records
   none, and no task that exists is woken for the first time. */
static bool item_is_for_new_task(const struct perfetto_reader *reader, size_t at)
{
	const struct perfetto_item *item = &reader->item[at], *next = item + 1;

	return at + 1 < reader->item_count && item->what == PERFETTO_WAKING &&
	       next->what == PERFETTO_WAKEUP_NEW && !item->is_compact && item->time == next->time &&
	       item_names(item) == item_names(next);
}

/* Exports write a wake-up that came before the sleep again, at the time at which its task leaves
   the CPU; it may come in a later bundle. No other wake-up comes then. */
static bool item_is_repeated(const struct perfetto_reader *reader,
                             const struct perfetto_bundle *bundle, size_t at,
                             const struct perfetto_cpu *cpu)
{
	const struct perfetto_item *item = &reader->item[at];

	if (item->what != PERFETTO_WAKING || item->is_compact)
		return false;
	if (bundle->part.is_late)
		return reader->item[reader->item_count - 1].time >= bundle->part.late;
	return item->time == cpu->left_at && item_names(item) == (uint32_t)cpu->left;
}

nsec_t perfetto_bundle_load(struct perfetto_reader *reader, const struct perfetto_bundle *bundle)
{
	struct wire content = bundle->content;
	struct wire_field field;

	reader->item_count = 0;
	while (wire_next(&content, &field))
		if (field.type == WIRE_BYTES && field.number == BUNDLE_EVENT)
			event_add(reader, wire_of(&field));
		else if (field.type == WIRE_BYTES && field.number == BUNDLE_COMPACT)
			compact_add(reader, wire_of(&field));
		else if (field.type == WIRE_BYTES && field.number == BUNDLE_DESCRIPTOR)
			perfetto_rows_describe(&reader->rows, bundle->sequence, wire_of(&field));
	items_sort(reader);
	return reader->item_count ? reader->item[0].time : NSEC_NEVER;
}

void perfetto_bundle_take(struct perfetto_reader *reader, const struct perfetto_bundle *bundle,
                          struct perfetto_cpu *cpu, perfetto_take take, void *state)
{
	if (bundle->part.is_late || bundle->has_lost)
		cpu->tid = -1;
	for (size_t i = 0; i < reader->item_count; i++) {
		nsec_t time = reader->item[i].time;

		if ((time < bundle->part.late) != bundle->part.is_late)
			continue;
		if (!item_is_for_new_task(reader, i) &&
		    !item_is_repeated(reader, bundle, i, cpu))
			item_take(reader, bundle, i, cpu, take, state);
		cpu->last = time;
	}
}
