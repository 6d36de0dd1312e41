/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_decoder.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/byte_order.h"
#include "base/xalloc.h"

#define BY_ID_UNKNOWN  0
#define BY_ID_UNWANTED 1
#define BY_ID_FIRST    2

static const struct decoder_row *const decoder_tables[] = {
	sched_event_rows, irq_event_rows, timer_event_rows, block_event_rows,
	net_event_rows,   work_event_rows, lock_event_rows, memory_event_rows,
	syscall_event_rows, place_event_rows, NULL,
};

static const struct decoder_row *row_find(const char *system, struct text name)
{
	for (size_t table = 0; decoder_tables[table]; table++)
		for (const struct decoder_row *row = decoder_tables[table]; row->name; row++)
			if (text_is(name, row->name) && strcmp(row->system, system) == 0)
				return row;
	return NULL;
}

static int load_kind_of(const struct event_field *field, const struct field_row *row)
{
	uint32_t size = field->size;

	if (row->is_rest)
		return field->is_array ? LOAD_REST : -EINVAL;
	if (row->is_text) {
		if (field->is_data_loc || field->is_rel_loc)
			return field->size != 4          ? -EINVAL
			       : field->is_data_loc ? LOAD_DATA_LOC
			                            : LOAD_REL_LOC;
		return field->is_array ? LOAD_TEXT : -EINVAL;
	}
	if (field->is_array != (row->elements != 0) || field->is_data_loc || field->is_rel_loc)
		return -EINVAL;
	if (row->elements)
		size /= row->elements;
	switch (size) {
	case 1:
		return field->is_signed ? LOAD_S8 : LOAD_U8;
	case 2:
		return field->is_signed ? LOAD_S16 : LOAD_U16;
	case 4:
		return field->is_signed ? LOAD_S32 : LOAD_U32;
	case 8:
		return field->is_signed ? LOAD_S64 : LOAD_U64;
	default:
		return -EINVAL;
	}
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static int entry_add_load(struct decoder_entry *entry, const struct event_format *format,
                          const struct field_row *row)
{
	const struct event_field *field = event_format_find(format, row->name);
	int kind = field ? load_kind_of(field, row) : -ENOENT;

	if (kind < 0)
		return row->is_needed ? kind : 0;
	assert(entry->load_count < DECODER_LOADS_MAX);
	entry->load[entry->load_count++] = (struct load){
		.offset = (uint16_t)field->offset,
		.size = (uint16_t)field->size,
		.target = (uint16_t)row->target,
		.kind = (uint8_t)kind,
	};
	if (kind == LOAD_REST)
		entry->length_min = max_u32(entry->length_min, field->offset);
	else
		entry->length_min = max_u32(entry->length_min, field->offset + field->size);
	return 0;
}

static int load_compare(const void *a, const void *b)
{
	const struct load *x = a, *y = b;

	return x->kind != y->kind ? x->kind - y->kind : x->offset - y->offset;
}

static void entry_sort_loads(struct decoder_entry *entry)
{
	qsort(entry->load, entry->load_count, sizeof(entry->load[0]), load_compare);
	while (entry->s32_count < entry->load_count &&
	       entry->load[entry->s32_count].kind == LOAD_S32)
		entry->s32_count++;
	entry->text_end = entry->s32_count;
	while (entry->text_end < entry->load_count &&
	       entry->load[entry->text_end].kind == LOAD_TEXT)
		entry->text_end++;
}

static int entry_resolve(struct decoder_entry *entry, const struct event_format *format,
                         const struct decoder_row *row)
{
	static const struct field_row common[] = {
		FIELD_NUMBER("common_pid", tid),
		FIELD_NUMBER_IF_ANY("common_flags", flags),
	};
	int r;

	*entry = (struct decoder_entry){
		.row = row, .kind = row->kind, .length_min = sizeof(uint16_t)};
	for (size_t i = 0; i < ARRAY_SIZE(common); i++) {
		r = entry_add_load(entry, format, &common[i]);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < ARRAY_SIZE(row->field) && row->field[i].name; i++) {
		r = entry_add_load(entry, format, &row->field[i]);
		if (r < 0)
			return r;
	}
	if (row->kind == EVENT_SCHED_SWITCH)
		state_letters_parse(format->print_format, &entry->letters);
	entry_sort_loads(entry);
	return 0;
}

static void decoder_add_format(struct decoder *decoder, const struct format_text *text)
{
	const struct decoder_row *row;
	struct event_format format;
	struct text name;
	uint32_t id;

	if (event_format_parse_head(text->text, text->length, &name, &id) < 0) {
		decoder->formats_bad++;
		return;
	}
	row = row_find(text->system, name);
	if (decoder->by_id[id] == BY_ID_UNKNOWN)
		decoder->by_id[id] = BY_ID_UNWANTED;
	if (!row || decoder->by_id[id] != BY_ID_UNWANTED)
		return;
	decoder->entry = xreallocarray(decoder->entry, decoder->entry_count + 1,
	                               sizeof(*decoder->entry));
	if (event_format_parse(text->text, text->length, &format) < 0 ||
	    entry_resolve(&decoder->entry[decoder->entry_count], &format, row) < 0) {
		decoder->formats_bad++;
		decoder->by_id[id] = BY_ID_UNKNOWN;
		return;
	}
	decoder->by_id[id] = (uint16_t)(decoder->entry_count++ + BY_ID_FIRST);
	decoder->has_kind[row->kind] = true;
}

struct decoder *decoder_new(const struct source *source)
{
	struct decoder *decoder = xcalloc(1, sizeof(*decoder));

	decoder->by_id = xcalloc(DECODER_IDS, sizeof(*decoder->by_id));
	decoder->is_swapped = source->is_big_endian != byte_order_is_big();
	for (size_t i = 0; i < source->format_count; i++)
		decoder_add_format(decoder, &source->formats[i]);
	return decoder;
}

struct decoder *decoder_free(struct decoder *decoder)
{
	if (!decoder)
		return NULL;
	free(decoder->by_id);
	free(decoder->entry);
	free(decoder);
	return NULL;
}

/* A dynamic text: its place is in the record, so it is checked record by record. */
static struct text load_dynamic(const struct load *load, const struct record *record,
                                bool is_swapped)
{
	uint32_t where = load_u32(record->payload + load->offset, is_swapped);
	uint32_t offset = where & 0xffff, length = where >> 16;

	if (load->kind == LOAD_REL_LOC)
		offset += load->offset + 4u;
	if (offset > record->length || length > record->length - offset)
		return (struct text){"", 0};
	return (struct text){(const char *)record->payload + offset, length};
}

static inline void load_text(const struct load *load, const struct record *record,
                             struct event *event)
{
	*(struct text *)(void *)((char *)event + load->target) =
		(struct text){(const char *)record->payload + load->offset, load->size};
}

static inline void load_s32(const struct load *load, const struct record *record,
                            bool is_swapped, struct event *event)
{
	*(int64_t *)(void *)((char *)event + load->target) =
		(int32_t)load_u32(record->payload + load->offset, is_swapped);
}

static inline __attribute__((always_inline)) void
load_field(const struct load *load, const struct record *record, bool is_swapped,
           struct event *event)
{
	const uint8_t *at = record->payload + load->offset;
	void *target = (char *)event + load->target;
	uint64_t number;

	switch ((enum load_kind)load->kind) {
	case LOAD_U8:
		number = *at;
		break;
	case LOAD_S8:
		number = (uint64_t)(int8_t)*at;
		break;
	case LOAD_U16:
		number = load_u16(at, is_swapped);
		break;
	case LOAD_S16:
		number = (uint64_t)(int16_t)load_u16(at, is_swapped);
		break;
	case LOAD_U32:
		number = load_u32(at, is_swapped);
		break;
	case LOAD_S32:
		number = (uint64_t)(int32_t)load_u32(at, is_swapped);
		break;
	case LOAD_U64:
	case LOAD_S64:
		number = load_u64(at, is_swapped);
		break;
	case LOAD_TEXT:
		load_text(load, record, event);
		return;
	case LOAD_REST:
		*(struct text *)target = (struct text){
			(const char *)at, (uint32_t)(record->length - load->offset)};
		return;
	case LOAD_DATA_LOC:
	case LOAD_REL_LOC:
	default:
		*(struct text *)target = load_dynamic(load, record, is_swapped);
		return;
	}
	*(uint64_t *)target = number;
}

/* Specialised by the byte order of the trace: `is_swapped` is a constant to the compiler. */
static inline __attribute__((always_inline)) void
entry_load(const struct decoder_entry *entry, const struct record *record, bool is_swapped,
           struct event *ret)
{
	unsigned i;

	for (i = 0; i < entry->s32_count; i++)
		load_s32(&entry->load[i], record, is_swapped, ret);
	for (; i < entry->text_end; i++)
		load_text(&entry->load[i], record, ret);
	for (; i < entry->load_count; i++)
		load_field(&entry->load[i], record, is_swapped, ret);
}

enum decode_result decoder_decode(const struct decoder *decoder, const struct record *record,
                                  uint32_t cpu, struct event *ret)
{
	const struct decoder_entry *entry;
	uint16_t slot;

	if (record->length < sizeof(uint16_t))
		return DECODE_FAILED;
	slot = decoder->by_id[load_u16(record->payload, decoder->is_swapped)];
	if (slot < BY_ID_FIRST)
		return slot == BY_ID_UNWANTED ? DECODE_OTHER : DECODE_FAILED;
	entry = &decoder->entry[slot - BY_ID_FIRST];
	if (record->length < entry->length_min)
		return DECODE_FAILED;
	ret->time = record->time;
	ret->cpu = cpu;
	ret->kind = entry->kind;
	ret->flags = 0;
	/* what a kernel does not record is 0; the switch, by far the commonest, lacks nothing */
	if (ret->kind != EVENT_SCHED_SWITCH) {
		memset(&ret->sched_switch, 0, sizeof(*ret) - offsetof(struct event, sched_switch));
		ret->memory.what = entry->row->what;
	}
	if (decoder->is_swapped)
		entry_load(entry, record, /* is_swapped= */ true, ret);
	else
		entry_load(entry, record, /* is_swapped= */ false, ret);
	if (ret->kind == EVENT_SCHED_SWITCH) {
		struct sched_switch_event *event = &ret->sched_switch;

		event->was_running = event->raw_state & entry->letters.preempted;
		event->letter =
			(unsigned char)state_letters_get(&entry->letters, event->raw_state);
	}
	return DECODE_EVENT;
}
