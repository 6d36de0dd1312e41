/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "page_census.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "recorder/file/datfile_head.h"
#include "recorder/programs/symbol_lists.h"

#define ARGUMENTS_MAX 64
#define NAME_BYTES    64

/* Skips flags, width, precision and length of a conversion, up to its letter. */
static const char *conversion_letter(const char *at, unsigned *argument)
{
	while (*at && strchr("-+ #0123456789.*hlLqjzt", *at)) {
		*argument += *at == '*';
		at++;
	}
	return at;
}

/*
 * Reads the strings at `at`, which begins with a quote, up to the comma after them. Sets a bit of
 * *ret_functions for each argument that is shown as a function. Returns NULL if the strings do not
 * end.
 */
static const char *print_read_strings(const char *at, uint64_t *ret_functions)
{
	unsigned argument = 0;
	bool is_in_string = false;

	for (; *at && (is_in_string || *at != ','); at++) {
		if (*at == '"')
			is_in_string = !is_in_string;
		else if (is_in_string && *at == '\\' && at[1])
			at++;
		else if (is_in_string && *at == '%' && at[1] == '%')
			at++;
		else if (is_in_string && *at == '%') {
			at = conversion_letter(at + 1, &argument);
			if (*at == '\0')
				break;
			if (*at == 'p' && at[1] && strchr("sSfFB", at[1]) &&
			    argument < ARGUMENTS_MAX)
				*ret_functions |= UINT64_C(1) << argument;
			argument++;
		}
	}
	return *at == ',' ? at : NULL;
}

/* Finds the end of the argument at `at`: its comma or the end of the text. */
static const char *argument_end(const char *at)
{
	unsigned depth = 0;
	bool is_in_string = false;

	for (; *at; at++) {
		if (*at == '"')
			is_in_string = !is_in_string;
		else if (is_in_string && *at == '\\' && at[1])
			at++;
		else if (!is_in_string && strchr("([{", *at))
			depth++;
		else if (!is_in_string && strchr(")]}", *at))
			depth -= depth > 0;
		else if (!is_in_string && depth == 0 && *at == ',')
			break;
	}
	return at;
}

/* "(void *)REC->caller[0]" gives "caller". */
static bool argument_field(const char *at, const char *end, char name[static NAME_BYTES])
{
	static const char record[] = "REC->";
	const char *field = memmem(at, (size_t)(end - at), record, sizeof(record) - 1);
	size_t length = 0;

	if (!field)
		return false;
	field += sizeof(record) - 1;
	while (field + length < end &&
	       (isalnum((unsigned char)field[length]) || field[length] == '_'))
		length++;
	if (length == 0 || length >= NAME_BYTES)
		return false;
	memcpy(name, field, length);
	name[length] = '\0';
	return true;
}

/* The number after `key` in the line. */
static bool line_number(const char *line, const char *key, uint32_t *ret)
{
	const char *end = strchr(line, '\n'), *at = strstr(line, key);
	uint32_t number = 0;

	if (!at || (end && at > end))
		return false;
	at += strlen(key);
	if (!isdigit((unsigned char)*at))
		return false;
	for (; isdigit((unsigned char)*at) && number < 1u << 24; at++)
		number = number * 10 + (uint32_t)(*at - '0');
	*ret = number;
	return true;
}

/*
 * Finds the field of that name in the text of a format, which ends with NUL: its offset and size;
 * the size is 0 for an array. False if there is none. The declaration of the field is
 * "\tfield:TYPE NAME;\toffset:16;\tsize:8;", or has NAME[8].
 */
static bool function_fields_named(const char *format, const char *name, struct function_field *ret)
{
	const char *id = strstr(format, "ID: ");
	size_t length = strlen(name);

	for (const char *line = format; (line = strstr(line, "\tfield:")); line++) {
		const char *end = strchr(line, ';'), *at = end;
		bool is_array;

		if (!end)
			return false;
		is_array = end[-1] == ']';
		while (is_array && at > line && *at != '[')
			at--;
		if ((size_t)(at - line) <= length || memcmp(at - length, name, length) != 0 ||
		    !strchr(" *", *(at - length - 1)))
			continue;
		if (!id || !line_number(id, "ID: ", &ret->id) ||
		    !line_number(end, "\toffset:", &ret->offset) ||
		    !line_number(end, "\tsize:", &ret->size))
			return false;
		if (is_array)
			ret->size = 0;
		return true;
	}
	return false;
}

void function_fields_find(const char *format, size_t length,
                          void (*on_field)(void *state, const struct function_field *field),
                          void *state)
{
	_cleanup_(freep) char *text = xasprintf("%.*s", (int)length, format);
	const char *id = strstr(text, "ID: "), *at = strstr(text, "\nprint fmt: \"");
	struct function_field field = {0};
	char name[NAME_BYTES], before[NAME_BYTES] = "";
	uint64_t functions = 0;

	if (strncmp(text, "name: user_stack\n", 17) == 0 || !id || !at ||
	    !line_number(id, "ID: ", &field.id))
		return;
	at = print_read_strings(strchr(at, '"'), &functions);
	for (unsigned i = 0; at && *at && i < ARGUMENTS_MAX; i++) {
		const char *end = argument_end(at + 1);

		/* each element of a stack is an argument */
		if (argument_field(at + 1, end, name) &&
		    ((functions >> i & 1) || strcmp(name, "location") == 0) &&
		    strcmp(name, before) != 0 && function_fields_named(text, name, &field)) {
			on_field(state, &field);
			memcpy(before, name, sizeof(before));
		}
		at = end;
	}
	if (strncmp(text, "name: contention_begin\n", 23) == 0 &&
	    function_fields_named(text, "lock_addr", &field)) {
		field.is_object = true;
		on_field(state, &field);
	}
}

#define CENSUS_FRAMES_MAX 64 /* the kernel takes 8 */

static void on_field(void *state, const struct function_field *field)
{
	struct page_census *census = state;

	ARRAY_ADD(census->field, census->field_count, census->field_capacity) = *field;
}

/* If the format is that of event `name`, finds its field `field` and, unless NULL, its field
   `more`. */
static void event_find(const char *text, const char *name, const char *field, const char *more,
                       struct census_event *ret)
{
	_cleanup_(freep) char *first = xasprintf("name: %s\n", name);
	struct function_field found = {0}, array = {0};

	if (strncmp(text, first, strlen(first)) != 0 ||
	    !function_fields_named(text, field, &found) ||
	    (more && !function_fields_named(text, more, &array)))
		return;
	*ret = (struct census_event){found.id, found.offset, array.offset};
}

static void on_format(void *state, const char *text, size_t length)
{
	struct page_census *census = state;
	_cleanup_(freep) char *copy = xstrndup(text, length);
	struct function_field thread;

	function_fields_find(text, length, on_field, state);
	event_find(copy, "user_stack", "tgid", "caller", &census->user_stack);
	event_find(copy, "sched_process_exec", "pid", NULL, &census->exec);
	event_find(copy, "sys_enter_futex", "common_pid", "uaddr", &census->futex);
	event_find(copy, "sys_enter", "id", "args", &census->call);
	if (census->call.id && function_fields_named(copy, "common_pid", &thread) &&
	    thread.id == census->call.id)
		census->call_thread_at = thread.offset;
}

ORDER_FUNCTION(field_compare, struct function_field, RISING(x, y, id))

int page_census_init(struct page_census *census, const void *head, size_t size)
{
	struct datfile_head parts;
	int r;

	*census = (struct page_census){.first = NSEC_NEVER};
	map_init(&census->first_field);
	map_init(&census->addresses);
	map_init(&census->objects);
	census->records = xcalloc(PAGE_BATCH_RECORDS, sizeof(*census->records));
	r = datfile_head_parse(head, size, &parts);
	if (r < 0)
		return r;
	census->layout = (struct page_layout){
		.page_bytes = parts.page_bytes,
		.commit_offset = 8,
		.commit_bytes = parts.long_bytes,
		.data_offset = (uint8_t)(8 + parts.long_bytes),
		.is_big_endian = byte_order_is_big(),
	};
	datfile_head_formats(head, size, on_format, census);
	if (census->field_count)
		qsort(census->field, census->field_count, sizeof(*census->field), field_compare);
	for (size_t i = census->field_count; i-- > 0;)
		map_put(&census->first_field, census->field[i].id, (uint32_t)i);
	return 0;
}

void page_census_release(struct page_census *census)
{
	map_release(&census->first_field);
	map_release(&census->addresses);
	map_release(&census->objects);
	free(census->records);
	free(census->field);
	free(census->events_of);
	*census = (struct page_census){0};
}

static void census_add_address(struct page_census *census, struct map *set, uint64_t address)
{
	/* a stack may end with a marker of all ones */
	if (address == 0 || address == UINT32_MAX || address == UINT64_MAX ||
	    map_get(set, address) != MAP_NONE)
		return;
	if (set->count >= CENSUS_ADDRESSES_MAX)
		census->is_incomplete = true;
	else
		map_put(set, address, 0);
}

static uint32_t record_u32(const struct record *record, size_t at)
{
	return load_u32(record->payload + at, false);
}

static uint64_t record_long(const struct page_census *census, const struct record *record,
                            size_t at)
{
	return census->layout.commit_bytes == 4 ? record_u32(record, at)
	                                        : load_u64(record->payload + at, false);
}

static void census_add_field(struct page_census *census, const struct function_field *field,
                             const struct record *record)
{
	struct map *set = field->is_object ? &census->objects : &census->addresses;
	unsigned bytes = census->layout.commit_bytes;
	size_t at = field->offset, end = record->length;

	if (field->size > 0 && end > at + field->size)
		end = at + field->size;
	for (; at + bytes <= end; at += bytes) {
		uint64_t address = record_long(census, record, at);

		census_add_address(census, set, address);
		/* in a stack: a return address may be the first address of the next function */
		if (field->size == 0 && address > 0)
			census_add_address(census, set, address - 1);
	}
}

static void census_report_stack(const struct page_census *census, const struct record *record)
{
	unsigned bytes = census->layout.commit_bytes;
	size_t at = census->user_stack.more_at, count = 0;
	uint64_t stack[CENSUS_FRAMES_MAX];

	for (; at + bytes <= record->length && count < CENSUS_FRAMES_MAX; at += bytes) {
		stack[count] = record_long(census, record, at);
		if (stack[count] == 0)
			break;
		count++;
	}
	census->listener.on_user_stack(census->listener.state,
	                               (int32_t)record_u32(record, census->user_stack.at), stack,
	                               count);
}

/* Numbers of system calls are those of this program's ABI; of others, reports look in the files. */
static bool is_futex_call(uint64_t number)
{
#ifdef __NR_futex_time64
	if (number == __NR_futex_time64)
		return true;
#endif
#ifdef __NR_futex
	return number == __NR_futex;
#else
	return false;
#endif
}

static void census_report_call(const struct page_census *census, uint32_t id,
                               const struct record *record)
{
	const struct census_event *event = id == census->futex.id ? &census->futex : &census->call;
	size_t thread_at = event == &census->futex ? event->at : census->call_thread_at;
	unsigned bytes = census->layout.commit_bytes;

	if (record->length < event->more_at + bytes || record->length < thread_at + 4 ||
	    (event == &census->call &&
	     (record->length < event->at + bytes ||
	      !is_futex_call(record_long(census, record, event->at)))))
		return;
	census->listener.on_futex(census->listener.state, (int32_t)record_u32(record, thread_at),
	                          record_long(census, record, event->more_at));
}

static void census_report(const struct page_census *census, uint32_t id,
                          const struct record *record)
{
	const struct census_listener *listener = &census->listener;

	if (listener->on_futex && (id == census->call.id || id == census->futex.id))
		census_report_call(census, id, record);
	else if (listener->on_user_stack && id == census->user_stack.id &&
	         record->length >= census->user_stack.at + sizeof(uint32_t))
		census_report_stack(census, record);
	else if (listener->on_exec && id == census->exec.id &&
	         record->length >= census->exec.at + sizeof(uint32_t))
		listener->on_exec(listener->state,
		                  (int32_t)record_u32(record, census->exec.at), record->time);
}

static void census_add_record(struct page_census *census, const struct record *record)
{
	uint32_t id, at;

	if (record->length < sizeof(uint16_t))
		return;
	id = load_u16(record->payload, false);
	if (id != 0 && census->listener.state)
		census_report(census, id, record);
	at = map_get(&census->first_field, id);
	for (; at < census->field_count && census->field[at].id == id; at++)
		census_add_field(census, &census->field[at], record);
}

static void census_add_page(struct page_census *census, const uint8_t *page)
{
	struct page_reader reader;
	size_t count;

	page_reader_begin(&reader, &census->layout, page, census->layout.page_bytes);
	if (reader.lost_events == LOST_UNCOUNTED)
		census->is_lost_more = true;
	else
		census->lost += reader.lost_events;
	while ((count = page_reader_next(&reader, census->records, PAGE_BATCH_RECORDS)) > 0) {
		census->events += count;
		census->first = nsec_min(census->first, census->records[0].time);
		if (census->last < census->records[count - 1].time)
			census->last = census->records[count - 1].time;
		for (size_t i = 0; i < count; i++)
			census_add_record(census, &census->records[i]);
	}
}

uint64_t page_census_events_of(const struct page_census *census, unsigned cpu)
{
	return cpu < census->cpu_count ? census->events_of[cpu] : 0;
}

void page_census_add(struct page_census *census, unsigned cpu, const void *pages, size_t size)
{
	uint64_t before = census->events;
	const uint8_t *page = pages;

	if (census->layout.page_bytes == 0)
		return;
	ARRAY_REACH(census->events_of, census->cpu_count, census->cpu_capacity, cpu);
	for (; size >= census->layout.page_bytes; size -= census->layout.page_bytes) {
		census_add_page(census, page);
		page += census->layout.page_bytes;
	}
	census->events_of[cpu] += census->events - before;
}

static uint64_t *set_sort(const struct map *set, size_t *ret_count)
{
	uint64_t *address = xmalloc((set->count + 1) * sizeof(*address));
	size_t count = 0;

	for (size_t i = 0; i <= set->mask && set->count > 0; i++)
		if (set->slot[i].value != MAP_NONE)
			address[count++] = set->slot[i].key;
	addresses_sort(address, count);
	*ret_count = count;
	return address;
}

uint64_t *page_census_addresses(const struct page_census *census, size_t *ret_count)
{
	return set_sort(&census->addresses, ret_count);
}

uint64_t *page_census_objects(const struct page_census *census, size_t *ret_count)
{
	return set_sort(&census->objects, ret_count);
}
