/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_decoder.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "catalog/tracepoint.h"

void event_loads_add(struct event_loads *loads, struct load load)
{
	uint32_t end = load.offset + (load.kind == LOAD_REST ? 0u : load.size);

	assert(loads->count < EVENT_LOADS_MAX);
	loads->load[loads->count++] = load;
	if (loads->length_min < end)
		loads->length_min = end;
}

ORDER_FUNCTION(load_compare, struct load, RISING(x, y, kind), RISING(x, y, offset))

static bool event_loads_have_shape(const struct event_loads *loads, const struct shape_row *row)
{
	if (loads->count != row->count)
		return false;
	for (unsigned i = 0; i < row->count; i++)
		if (loads->load[i].kind != row->load[i].kind ||
		    loads->load[i].target != row->load[i].target)
			return false;
	return true;
}

/* Bytes of a number; 0: it is text. */
static unsigned number_bytes(enum load_kind kind)
{
	static const uint8_t bytes[] = {
		[LOAD_U8] = 1,  [LOAD_S8] = 1,  [LOAD_U16] = 2, [LOAD_S16] = 2, [LOAD_U32] = 4,
		[LOAD_S32] = 4, [LOAD_U64] = 8, [LOAD_S64] = 8, [LOAD_REST] = 0,
	};

	return bytes[kind];
}

static bool number_is_signed(enum load_kind kind)
{
	return kind == LOAD_S8 || kind == LOAD_S16 || kind == LOAD_S32 || kind == LOAD_S64;
}

/* The eight bytes begin with the number, or end where the shortest record may end. */
static struct number_load number_load_of(const struct event_loads *loads, const struct load *load,
                                         bool is_big)
{
	unsigned bytes = number_bytes((enum load_kind)load->kind);
	unsigned last = loads->length_min - (unsigned)sizeof(uint64_t);
	unsigned offset = load->offset < last ? load->offset : last;
	unsigned before = load->offset - offset;
	unsigned after = (unsigned)sizeof(uint64_t) - before - bytes;

	return (struct number_load){
		.offset = (uint16_t)offset,
		.target = load->target,
		.up = (uint8_t)(8 * (is_big ? before : after)),
		.down = (uint8_t)(64 - 8 * bytes),
	};
}

static void loads_add_numbers(struct event_loads *loads, bool is_big, bool is_signed)
{
	for (unsigned i = 0; i < loads->count; i++) {
		enum load_kind kind = (enum load_kind)loads->load[i].kind;

		if (number_bytes(kind) && number_is_signed(kind) == is_signed)
			loads->number[loads->number_count++] =
				number_load_of(loads, &loads->load[i], is_big);
	}
}

/* Fills the lists for the general loops. */
static void loads_split(struct event_loads *loads, bool is_big)
{
	/* every record of a kernel has that many bytes: it begins with the id, the flags and the
	   pid */
	if (loads->length_min < sizeof(uint64_t))
		loads->length_min = sizeof(uint64_t);
	loads->number_count = 0;
	loads_add_numbers(loads, is_big, /* is_signed= */ true);
	loads->signed_count = loads->number_count;
	loads_add_numbers(loads, is_big, /* is_signed= */ false);
	loads->text_count = 0;
	for (unsigned i = 0; i < loads->count; i++)
		if (!number_bytes((enum load_kind)loads->load[i].kind))
			loads->text[loads->text_count++] = loads->load[i];
}

void event_loads_finish(struct event_loads *loads, bool is_big)
{
	qsort(loads->load, loads->count, sizeof(loads->load[0]), load_compare);
	loads->shape = SHAPE_GENERAL;
	for (unsigned shape = SHAPE_GENERAL + 1; shape < SHAPE_COUNT; shape++)
		if (event_loads_have_shape(loads, &shape_rows[shape]))
			loads->shape = (uint8_t)shape;
	loads_split(loads, is_big);
}

static_assert(TRACEPOINT_FIELDS_MAX + 2 <= EVENT_LOADS_MAX, "and the common ones");

#define BY_ID_UNKNOWN  0
#define BY_ID_UNWANTED 1
#define BY_ID_FIRST    2

static const struct tracepoint *tracepoint_find(const char *system, struct text name)
{
	TRACEPOINT_EACH(row)
		if (text_is(name, row->name) && strcmp(row->system, system) == 0)
			return row;
	return NULL;
}

static int load_kind_of(const struct event_field *field, const struct field_row *row)
{
	uint32_t size = field->size;

	if (row->is_rest)
		/* "char buf" of size 0: from kernels that do not write "char buf[]" yet */
		return field->is_array || field->size == 0 ? LOAD_REST : -EINVAL;
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

/* Returns 1; 0: the format does not have the field in that form, and it is not needed. */
static int entry_add_load(struct decoder_entry *entry, const struct event_format *format,
                          const struct field_row *row)
{
	const struct event_field *field = event_format_find(format, row->name);
	int kind = field ? load_kind_of(field, row) : -ENOENT;

	if (kind < 0)
		return row->is_needed ? kind : 0;
	event_loads_add(&entry->loads, (struct load){
		.offset = (uint16_t)field->offset,
		.size = (uint16_t)field->size,
		.target = (uint16_t)row->target,
		.kind = (uint8_t)kind,
	});
	return 1;
}

static bool kind_is_wake(enum event_kind kind)
{
	return kind == EVENT_SCHED_WAKING || kind == EVENT_SCHED_WAKEUP ||
	       kind == EVENT_SCHED_WAKEUP_NEW;
}

/* Two rows may be of one field: as text, and as the address of a text. */
static void entry_note_address(struct decoder_entry *entry, const struct field_row *text,
                               const struct field_row *address)
{
	if (!text->is_text || address->is_text || strcmp(text->name, address->name) != 0)
		return;
	entry->text_target = (uint16_t)text->target;
	entry->address_target = (uint16_t)address->target;
}

static int entry_resolve(struct decoder_entry *entry, const struct event_format *format,
                         const struct tracepoint *row, const struct source *source)
{
	static const struct field_row common[] = {
		FIELD_NUMBER("common_pid", tid),
		FIELD_NUMBER_IF_ANY("common_flags", flags),
	};
	int r;

	*entry = (struct decoder_entry){
		.kind = row->kind,
		.what = row->what,
		.loads.length_min = sizeof(uint16_t),
	};
	for (size_t i = 0; i < ARRAY_SIZE(common); i++) {
		r = entry_add_load(entry, format, &common[i]);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < ARRAY_SIZE(row->field) && row->field[i].name; i++) {
		r = entry_add_load(entry, format, &row->field[i]);
		if (r < 0)
			return r;
		if (r > 0 && i > 0)
			entry_note_address(entry, &row->field[i - 1], &row->field[i]);
	}
	if (row->kind == EVENT_SCHED_SWITCH) {
		state_letters_parse(format->print_format, source->kernel, &entry->letters);
		entry->has_priority = event_format_find(format, "prev_prio") &&
		                      event_format_find(format, "next_prio");
	}
	if (kind_is_wake(row->kind))
		entry->has_priority = event_format_find(format, "prio");
	if (row->kind == EVENT_NET_DROP)
		value_names_parse(format->print_format, "reason", &entry->reasons);
	entry->has_more = row->what || row->kind == EVENT_SCHED_SWITCH ||
	                  row->kind == EVENT_NET_DROP || entry->text_target ||
	                  (kind_is_wake(row->kind) && !entry->has_priority);
	event_loads_finish(&entry->loads, source->is_big_endian);
	return 0;
}

/* Parses the table once for all formats: a damaged file may have many formats that need it. */
static void decoder_share_strings(struct decoder *decoder, struct decoder_entry *entry,
                                  const struct source *source)
{
	entry->strings = &decoder->strings;
	if (decoder->has_strings)
		return;
	kernel_strings_parse(source->strings, &decoder->strings);
	decoder->has_strings = true;
}

static void decoder_add_format(struct decoder *decoder, const struct format_text *text,
                               const struct source *source)
{
	const struct tracepoint *row;
	struct event_format format;
	struct text name;
	uint32_t id;

	if (event_format_parse_head(text->text, text->length, &name, &id) < 0) {
		decoder->formats_bad++;
		return;
	}
	row = tracepoint_find(text->system, name);
	if (decoder->by_id[id] == BY_ID_UNKNOWN)
		decoder->by_id[id] = BY_ID_UNWANTED;
	if (!row || decoder->by_id[id] != BY_ID_UNWANTED)
		return;
	decoder->entry = xreallocarray(decoder->entry, decoder->entry_count + 1,
	                               sizeof(*decoder->entry));
	if (event_format_parse(text->text, text->length, &format) < 0 ||
	    entry_resolve(&decoder->entry[decoder->entry_count], &format, row, source) < 0) {
		decoder->formats_bad++;
		decoder->by_id[id] = BY_ID_UNKNOWN;
		return;
	}
	if (decoder->entry[decoder->entry_count].text_target)
		decoder_share_strings(decoder, &decoder->entry[decoder->entry_count], source);
	decoder->by_id[id] = (uint16_t)(decoder->entry_count++ + BY_ID_FIRST);
	decoder->described.has[row->kind] = true;
	if (!source->notes.recorded || tracepoint_is_listed(row, source->notes.recorded))
		decoder->recorded.has[row->kind] = true;
	else if (row->part_of)
		decoder->partial.has[row->kind] = true;
}

bool decoder_hide_parts(const struct decoder *decoder, struct event_kinds *seen)
{
	bool is_any = false;

	for (size_t kind = 0; kind < EVENT_KIND_COUNT; kind++)
		if (decoder->partial.has[kind] && seen->has[kind]) {
			seen->has[kind] = false;
			is_any = true;
		}
	return is_any;
}

struct decoder *decoder_new(const struct source *source)
{
	struct decoder *decoder = xcalloc(1, sizeof(*decoder));

	decoder->by_id = xcalloc(DECODER_IDS, sizeof(*decoder->by_id));
	decoder->is_swapped = source->is_big_endian != byte_order_is_big();
	decoder_read_formats(decoder, source);
	return decoder;
}

void decoder_read_formats(struct decoder *decoder, const struct source *source)
{
	while (decoder->formats_read < source->format_count)
		decoder_add_format(decoder, &source->formats[decoder->formats_read++], source);
}

struct decoder *decoder_free(struct decoder *decoder)
{
	if (!decoder)
		return NULL;
	for (size_t i = 0; i < decoder->entry_count; i++) {
		value_names_release(&decoder->entry[i].reasons);
	}
	kernel_strings_release(&decoder->strings);
	free(decoder->by_id);
	free(decoder->entry);
	free(decoder);
	return NULL;
}

/* Sets what the raw state means. In most traces it is soon known how to read states. */
static void switch_read_state(struct state_letters *letters, struct sched_switch_event *event)
{
	if (state_letters_are_open(letters))
		state_letters_learn(letters, event->raw_state, event->prev_tid == 0);
	event->was_running = event->raw_state & letters->preempted;
	event->letter = (unsigned char)state_letters_get_again(letters, event->raw_state);
}

enum state_form decoder_state_form(const struct decoder *decoder)
{
	for (size_t i = 0; i < decoder->entry_count; i++)
		if (decoder->entry[i].kind == EVENT_SCHED_SWITCH)
			return decoder->entry[i].letters.form;
	return STATE_BY_BIT;
}

/* Completes the members that no load fills. */
static __attribute__((noinline)) enum decode_result entry_complete(struct decoder_entry *entry,
                                                                   struct event *event)
{
	if (entry->what)
		event->memory.what = entry->what;
	if (event->kind == EVENT_SCHED_SWITCH) {
		switch_read_state(&entry->letters, &event->sched_switch);
		if (!entry->has_priority) {
			event->sched_switch.prev_priority = PRIORITY_UNKNOWN;
			event->sched_switch.next_priority = PRIORITY_UNKNOWN;
		}
	} else if (kind_is_wake(event->kind)) {
		event->wake.priority = PRIORITY_UNKNOWN;
	} else if (event->kind == EVENT_NET_DROP) {
		event->drop.name = value_names_get(&entry->reasons, event->drop.reason);
	}
	if (entry->text_target) {
		const uint64_t *address = (const void *)((char *)event + entry->address_target);
		struct text *text = (void *)((char *)event + entry->text_target);

		*text = kernel_strings_get(entry->strings, *address);
	}
	return DECODE_EVENT;
}

/* The fast path of entry_complete(): a switch from a state that occurred before, in a trace of
   which the letters of states are known. Returns false if the slow path is needed. */
static inline bool entry_complete_switch(struct decoder_entry *entry, struct event *event)
{
	const struct state_letters *letters = &entry->letters;
	struct sched_switch_event *sw = &event->sched_switch;

	if (event->kind != EVENT_SCHED_SWITCH || !entry->has_priority ||
	    state_letters_are_open(letters) || !state_letters_know(letters, sw->raw_state))
		return false;
	sw->was_running = sw->raw_state & letters->preempted;
	sw->letter = (unsigned char)state_letters_known(letters, sw->raw_state);
	return true;
}

/* Decodes a record of any kind. */
static __attribute__((noinline)) enum decode_result
entry_decode(struct decoder_entry *entry, const struct record *record, struct event *ret)
{
	general_run(&entry->loads, record, /* is_swapped= */ false, ret);
	return entry->has_more ? entry_complete(entry, ret) : DECODE_EVENT;
}

static __attribute__((noinline)) enum decode_result
entry_decode_swapped(struct decoder_entry *entry, const struct record *record, struct event *ret)
{
	event_loads_run(&entry->loads, record, /* is_swapped= */ true, ret);
	return entry->has_more ? entry_complete(entry, ret) : DECODE_EVENT;
}

/* The common events need no call here, so no registers are saved for one. */
enum decode_result decoder_decode(struct decoder *decoder, const struct record *record,
                                  uint32_t cpu, struct event *ret)
{
	struct decoder_entry *entry;
	uint16_t slot;

	if (record->length < sizeof(uint16_t))
		return DECODE_FAILED;
	slot = decoder->by_id[load_u16(record->payload, decoder->is_swapped)];
	if (slot < BY_ID_FIRST)
		return slot == BY_ID_UNWANTED ? DECODE_OTHER : DECODE_FAILED;
	entry = &decoder->entry[slot - BY_ID_FIRST];
	if (record->length < entry->loads.length_min)
		return DECODE_FAILED;
	ret->time = record->time;
	ret->cpu = cpu;
	ret->kind = entry->kind;
	if (decoder->is_swapped)
		return entry_decode_swapped(entry, record, ret);
	if (!shapes_run(&entry->loads, record, /* is_swapped= */ false, ret))
		return entry_decode(entry, record, ret);
	if (entry->has_more && !entry_complete_switch(entry, ret))
		return entry_complete(entry, ret);
	return DECODE_EVENT;
}
