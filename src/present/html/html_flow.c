/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html_flow.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "ftwait/record.h"
#include "words/cause/aim_kind.h"
#include "words/cause/cause_kind.h"
#include "words/cause/cause_words.h"
#include "words/cause/unknown_words.h"

#define PIECE_BYTES 16384
#define LEVEL       4 /* level of zlib: takes a third of the time of the default level, for 2 %
                         more bytes */
#define LINE_BYTES  57 /* 76 characters of base64 */

static void *zlib_alloc(void *state, unsigned count, unsigned size)
{
	(void)state;
	return xcalloc(count, size);
}

static void zlib_free(void *state, void *memory)
{
	(void)state;
	free(memory);
}

void html_block_init(struct html_block *block)
{
	int r;

	memset(block, 0, sizeof(*block));
	buffer_init(&block->packed, SIZE_MAX / 2);
	block->stream.zalloc = zlib_alloc;
	block->stream.zfree = zlib_free;
	r = deflateInit(&block->stream, LEVEL);
	assert(r == Z_OK); /* deflate() fails only without memory, when the program has ended
	                      already */
	(void)r;
}

void html_block_release(struct html_block *block)
{
	(void)deflateEnd(&block->stream);
	buffer_release(&block->packed);
}

static void block_pack(struct html_block *block, int flush)
{
	unsigned char piece[PIECE_BYTES];

	block->stream.next_in = block->gathered;
	block->stream.avail_in = (uInt)block->gathered_count;
	do {
		block->stream.next_out = piece;
		block->stream.avail_out = PIECE_BYTES;
		(void)deflate(&block->stream, flush);
		buffer_append(&block->packed, piece, PIECE_BYTES - block->stream.avail_out);
	} while (block->stream.avail_out == 0);
	block->gathered_count = 0;
}

void html_block_byte(struct html_block *block, uint8_t byte)
{
	if (block->gathered_count == HTML_BLOCK_GATHER)
		block_pack(block, Z_NO_FLUSH);
	block->gathered[block->gathered_count++] = byte;
}

void html_block_number(struct html_block *block, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		html_block_byte(block, (uint8_t)(number | 0x80));
	html_block_byte(block, (uint8_t)number);
}

static void html_block_text(struct html_block *block, const char *text)
{
	while (*text)
		html_block_byte(block, (uint8_t)*text++);
}

static void base64_put(FILE *out, const unsigned char *byte, size_t count)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char line[(LINE_BYTES + 2) / 3 * 4 + 2], *at = line;

	for (size_t i = 0; i < count; i += 3) {
		unsigned left = count - i < 3 ? (unsigned)(count - i) : 3;
		unsigned group = (unsigned)byte[i] << 16 |
		                 (left > 1 ? (unsigned)byte[i + 1] << 8 : 0) |
		                 (left > 2 ? (unsigned)byte[i + 2] : 0);

		*at++ = digits[group >> 18];
		*at++ = digits[group >> 12 & 63];
		*at++ = left > 1 ? digits[group >> 6 & 63] : '=';
		*at++ = left > 2 ? digits[group & 63] : '=';
	}
	*at++ = '\n';
	(void)fwrite(line, 1, (size_t)(at - line), out);
}

void html_block_put(struct html_block *block, const char *name, FILE *out)
{
	const unsigned char *bytes;

	block_pack(block, Z_FINISH);
	bytes = (const unsigned char *)block->packed.text;
	(void)fprintf(out, "<script type=\"text/plain\" id=\"data-%s\">\n", name);
	for (size_t at = 0; at < block->packed.length; at += LINE_BYTES) {
		size_t left = block->packed.length - at;

		base64_put(out, bytes + at, left < LINE_BYTES ? left : LINE_BYTES);
	}
	(void)fputs("</script>\n", out);
}

void html_list_init(struct html_list *list, enum json_layout layout)
{
	list->file = xopen_memstream(&list->text, &list->length);
	json_init(&list->json, list->file);
	json_array_begin(&list->json, layout);
}

void html_list_release(struct html_list *list)
{
	json_release(&list->json);
	(void)fclose(list->file);
	free(list->text);
}

void html_list_put(struct html_list *list, const char *name, struct html_block *block)
{
	json_array_end(&list->json);
	(void)fflush(list->file);
	html_block_byte(block, '"');
	html_block_text(block, name);
	html_block_text(block, "\":");
	html_block_text(block, list->text);
}

#define VERSION 1

enum task_flag {
	TASK_ASKED    = 1 << 0,
	TASK_ON_PATH  = 1 << 1,
	TASK_KERNEL   = 1 << 2,
	TASK_COMMAND  = 1 << 3,
	TASK_RECORDER = 1 << 4,
};

static const char *const column_names[HTML_COLUMNS] = {
	[HTML_LENGTHS] = "lengths",     [HTML_STATES] = "states",
	[HTML_CAUSE_COLUMN] = "causes", [HTML_CPUS] = "cpus",
	[HTML_STACK_COLUMN] = "stacks", [HTML_MIXES] = "mixes",
	[HTML_PATH] = "path",           [HTML_OBJECT_COLUMN] = "objects",
};

static const char *const list_names[HTML_LISTS] = {
	[HTML_TASKS] = "tasks",   [HTML_NAMES] = "names",     [HTML_CAUSES] = "causes",
	[HTML_STACKS] = "stacks", [HTML_OBJECTS] = "objects",
};

/* The name and the drawing style of a state. */
static const struct state_look {
	const char *key, *label, *class;
} looks[FLOW_WAIT] = {
	[FLOW_RUNNING] = {"running", "running", "running"},
	[FLOW_RUNNABLE] = {"runnable", "runnable", "runnable"},
	[FLOW_FOR_WORK] = {"work-less", "idle", "work-less"},
	[FLOW_STOPPED] = {"stopped", "stopped", "stopped"},
	[FLOW_UNKNOWN] = {"unknown", WORDS_NOT_RECORDED, "unknown"},
	[FLOW_ABSENT] = {"absent", "not there", "absent"},
	[FLOW_MIXED] = {"mixed", "several short states", "mixed"},
};

void html_flow_init(struct html_flow *flow)
{
	*flow = (struct html_flow){0};
	for (size_t i = 0; i < HTML_COLUMNS; i++)
		html_block_init(&flow->column[i]);
	for (size_t i = 0; i < HTML_LISTS; i++)
		html_list_init(&flow->list[i], JSON_INLINE);
	intern_init(&flow->object_names);
}

void html_flow_release(struct html_flow *flow)
{
	for (size_t i = 0; i < HTML_COLUMNS; i++)
		html_block_release(&flow->column[i]);
	for (size_t i = 0; i < HTML_LISTS; i++)
		html_list_release(&flow->list[i]);
	intern_release(&flow->object_names);
	free(flow->row_left);
}

static uint64_t since_origin(const struct html_flow *flow, nsec_t t)
{
	return t > flow->window.origin ? t - flow->window.origin : 0;
}

static void number_put(struct html_flow *flow, enum html_column column, uint64_t number)
{
	html_block_number(&flow->column[column], number);
}

/* 0 for none. */
static void reference_put(struct html_flow *flow, enum html_column column, uint32_t number)
{
	number_put(flow, column, number == FLOW_NONE ? 0 : (uint64_t)number + 1);
}

static void index_put(struct json_writer *json, uint32_t number)
{
	json_put_i64(json, number == FLOW_NONE ? -1 : (int64_t)number);
}

static void flow_begin(void *state, const struct flow_window *window)
{
	struct html_flow *flow = state;

	flow->window = *window;
	flow->path_end = window->path_begin;
	flow->object_begin = window->origin;
	flow->has_begun = true;
}

static void flow_task(void *state, const struct flow_task *task)
{
	struct html_flow *flow = state;
	struct json_writer *json = &flow->list[HTML_TASKS].json;
	unsigned flags = (task->is_asked ? TASK_ASKED : 0u) |
	                 (task->is_on_path ? TASK_ON_PATH : 0u) |
	                 (task->is_kernel ? TASK_KERNEL : 0u) |
	                 (task->is_command ? TASK_COMMAND : 0u) |
	                 (task->is_recorder ? TASK_RECORDER : 0u);

	json_array_begin(json, JSON_INLINE);
	json_put_i64(json, task->task.tid);
	json_put_i64(json, task->task.tgid);
	json_put_string(json, task->task.comm);
	json_put_u64(json, flags);
	if (task->priority == PRIORITY_UNKNOWN)
		json_put_null(json);
	else
		json_put_i64(json, task->priority);
	index_put(json, task->parent);
	if (task->task.host)
		json_put_u64(json, task->task.machine);
	json_array_end(json);
}

static void flow_name(void *state, uint32_t task, nsec_t at, const char *comm)
{
	struct html_flow *flow = state;
	struct json_writer *json = &flow->list[HTML_NAMES].json;

	json_array_begin(json, JSON_INLINE);
	json_put_u64(json, task);
	json_put_u64(json, since_origin(flow, at));
	json_put_string(json, comm);
	json_array_end(json);
}

static void flow_row(void *state, const struct flow_row *row)
{
	struct html_flow *flow = state;
	struct json_writer *json = &flow->list[HTML_OBJECTS].json;

	json_object_begin(json, JSON_INLINE);
	json_member_string(json, "kind", row->kind);
	json_member_string(json, "label", row->label);
	json_member_u64(json, "count", row->count);
	if (row->machine != FLOW_NONE)
		json_member_u64(json, "machine", row->machine);
	json_object_end(json);
	ARRAY_ADD(flow->row_left, flow->row_count, flow->row_capacity) = row->count;
}

static void flow_cause(void *state, const struct flow_cause *cause)
{
	struct html_flow *flow = state;
	struct json_writer *json = &flow->list[HTML_CAUSES].json;
	_cleanup_(buffer_release) struct buffer words = buffer_of(BUFFER_LIMIT_DEFAULT);

	cause_text_append(&words, cause->cause);
	aim_behind_append(&words, &cause->aim, cause->cause);
	json_array_begin(json, JSON_INLINE);
	json_put_u64(json, FLOW_WAIT + (unsigned)cause->cause->kind);
	json_put_u64(json, cause->cause->confidence);
	json_put_string(json, words.text);
	index_put(json, cause->waker);
	index_put(json, cause->originator);
	json_put_string(json, cause->cause->purpose);
	if (cause->clock_bound)
		json_put_u64(json, cause->clock_bound);
	json_array_end(json);
}

static void stack_put(struct json_writer *json, const char *frames)
{
	json_put_string(json, frames ? frames : "");
}

static void flow_place(void *state, const struct flow_place *place)
{
	struct html_flow *flow = state;
	struct json_writer *json = &flow->list[HTML_STACKS].json;

	flow->has_stacks = true;
	json_array_begin(json, JSON_INLINE);
	stack_put(json, place->kernel);
	stack_put(json, place->user);
	stack_put(json, place->waker);
	json_array_end(json);
}

static void flow_segments_begin(void *state, size_t count)
{
	struct html_flow *flow = state;

	number_put(flow, HTML_LENGTHS, count);
	flow->is_first = true;
}

static void flow_segment(void *state, const struct flow_segment *segment)
{
	struct html_flow *flow = state;
	unsigned code = segment->state;

	if (flow->is_first)
		number_put(flow, HTML_LENGTHS, since_origin(flow, segment->begin));
	flow->is_first = false;
	number_put(flow, HTML_LENGTHS, segment->end - segment->begin);
	html_block_byte(&flow->column[HTML_STATES],
	                (uint8_t)(code | (segment->is_doubtful ? HTML_DOUBTFUL : 0u) |
	                          (segment->is_open ? HTML_OPEN : 0u)));
	if (code != FLOW_RUNNING && code != FLOW_ABSENT && code != FLOW_MIXED)
		reference_put(flow, HTML_CAUSE_COLUMN, segment->cause);
	if (code == FLOW_RUNNING || code == FLOW_RUNNABLE)
		number_put(flow, HTML_CPUS, segment->cpu);
	if (code >= FLOW_WAIT)
		reference_put(flow, HTML_STACK_COLUMN, segment->place);
}

static void flow_mix(void *state, const struct flow_mix *mix)
{
	struct html_flow *flow = state;
	unsigned entries = 0;

	for (unsigned i = 0; i < FLOW_STATE_COUNT; i++)
		entries += mix->time[i] > 0;
	number_put(flow, HTML_MIXES, mix->segments);
	number_put(flow, HTML_MIXES, entries);
	for (unsigned i = 0; i < FLOW_STATE_COUNT; i++) {
		if (mix->time[i] == 0)
			continue;
		number_put(flow, HTML_MIXES, i);
		number_put(flow, HTML_MIXES, mix->time[i]);
	}
}

static void flow_part(void *state, const struct flow_part *part)
{
	struct html_flow *flow = state;

	number_put(flow, HTML_PATH, part->end - part->begin);
	number_put(flow, HTML_PATH, part->state);
	flow->path_end = part->end;
	if (part->state == FLOW_MIXED)
		return;
	number_put(flow, HTML_PATH, part->task);
	reference_put(flow, HTML_PATH, part->cause);
}

static void flow_part_mix(void *state, const struct flow_part_mix *mix)
{
	struct html_flow *flow = state;

	number_put(flow, HTML_PATH, mix->parts);
	number_put(flow, HTML_PATH, mix->count);
	for (size_t i = 0; i < mix->count; i++) {
		number_put(flow, HTML_PATH, mix->share[i].task);
		number_put(flow, HTML_PATH, mix->share[i].state);
		number_put(flow, HTML_PATH, mix->share[i].time);
	}
}

static void flow_object(void *state, const struct flow_object *object)
{
	struct html_flow *flow = state;
	nsec_t begin;

	while (flow->row < flow->row_count && flow->row_left[flow->row] == 0) {
		flow->row++;
		flow->object_begin = flow->window.origin;
	}
	if (flow->row < flow->row_count)
		flow->row_left[flow->row]--;
	begin = nsec_max(object->begin, flow->object_begin);
	number_put(flow, HTML_OBJECT_COLUMN, begin - flow->object_begin);
	flow->object_begin = begin;
	number_put(flow, HTML_OBJECT_COLUMN, object->started > begin ? object->started - begin : 0);
	number_put(flow, HTML_OBJECT_COLUMN, object->end - object->started);
	reference_put(flow, HTML_OBJECT_COLUMN, object->task);
	number_put(flow, HTML_OBJECT_COLUMN, object->bytes);
	number_put(flow, HTML_OBJECT_COLUMN, intern_adds(&flow->object_names, object->name));
}

const struct flow_hooks html_flow_hooks = {
	.begin = flow_begin,
	.task = flow_task,
	.name = flow_name,
	.row = flow_row,
	.cause = flow_cause,
	.place = flow_place,
	.segments_begin = flow_segments_begin,
	.segment = flow_segment,
	.mix = flow_mix,
	.part = flow_part,
	.part_mix = flow_part_mix,
	.object = flow_object,
};

static void states_put(struct json_writer *json)
{
	json_member_array(json, "states", JSON_LINES);
	for (unsigned i = 0; i < FLOW_STATE_COUNT; i++) {
		const struct cause_kind_row *wait =
			i >= FLOW_WAIT ? &cause_kinds[i - FLOW_WAIT] : NULL;

		json_object_begin(json, JSON_INLINE);
		json_member_string(json, "key", wait ? wait->name : looks[i].key);
		json_member_string(json, "label", wait ? wait->name : looks[i].label);
		json_member_string(json, "class", wait ? wait->look.class : looks[i].class);
		json_object_end(json);
	}
	json_array_end(json);
}

static void path_put(const struct html_flow *flow, struct json_writer *json)
{
	json_key(json, "path");
	if (!json_object_if(json, flow->has_begun && flow->window.path_of != FLOW_NONE))
		return;
	json_member_u64(json, "task", flow->window.path_of);
	json_member_u64(json, "begin", since_origin(flow, flow->window.path_begin));
	json_member_u64(json, "end", since_origin(flow, flow->path_end));
	json_member_string(json, "why", flow->window.path_why);
	json_object_end(json);
}

/* Writes how many were joined, and below what length; null if none were. */
static void mixed_put(struct json_writer *json, const char *key, uint64_t count, nsec_t below)
{
	json_key(json, key);
	if (!json_object_if(json, count > 0))
		return;
	json_member_u64(json, "count", count);
	json_member_u64(json, "shorter_ns", below);
	json_object_end(json);
}

static void gaps_put(const struct html_flow *flow, const struct health *health,
                     struct json_writer *json)
{
	json_member_array(json, "gaps", JSON_INLINE);
	for (size_t i = 0; i < health->gap_count; i++) {
		const struct health_gap *gap = &health->gaps[i];

		json_array_begin(json, JSON_INLINE);
		json_put_u64(json, since_origin(flow, gap->begin));
		json_put_u64(json, since_origin(flow, gap->end));
		json_put_u64(json, gap->cpu);
		json_put_known(json, gap->events != LOST_UNCOUNTED, gap->events);
		json_array_end(json);
	}
	json_array_end(json);
}

/* A trigger that fired before the first record is beside the picture. */
static void trigger_put(const struct html_flow *flow, const struct trace_summary *trace,
                        struct json_writer *json)
{
	const struct trigger_note *trigger = trace->trigger;

	if (!trigger || trigger->at < flow->window.origin)
		return;
	json_member_object(json, "trigger", JSON_INLINE);
	json_member_u64(json, "at", since_origin(flow, trigger->at));
	json_member_string(json, "why", trigger->text ? trigger->text : trigger->condition);
	json_object_end(json);
}

static void object_names_put(const struct html_flow *flow, struct json_writer *json)
{
	json_member_array(json, "object_names", JSON_INLINE);
	for (size_t i = 0; i < flow->object_names.count; i++)
		json_put_string(json, intern_text(&flow->object_names, (uint32_t)i));
	json_array_end(json);
}

/* Writes each machine's name and the number of its first CPU, if there are several machines. */
static void machines_put(const struct hosts *hosts, struct json_writer *json)
{
	if (hosts->count == 0)
		return;
	json_member_array(json, "machines", JSON_INLINE);
	for (uint32_t i = 0; i < hosts->count; i++) {
		json_array_begin(json, JSON_INLINE);
		json_put_string(json, hosts->host[i].name);
		json_put_u64(json, hosts->host[i].cpu_first);
		json_array_end(json);
	}
	json_array_end(json);
}

/* Writes all members of the object except the lists, which follow. */
static void meta_put(const struct html_flow *flow, const struct trace_summary *trace,
                     const struct health *health, FILE *out)
{
	struct json_writer json;
	char origin[24];

	(void)snprintf(origin, sizeof(origin), "%" PRIu64, flow->window.origin);
	json_init(&json, out);
	json_object_begin(&json, JSON_LINES);
	json_member_u64(&json, "version", VERSION);
	/* a string, as numbers of JavaScript are not exact above 2^53 */
	json_member_string(&json, "origin", origin);
	json_member_u64(&json, "begin", since_origin(flow, flow->window.begin));
	json_member_u64(&json, "end", since_origin(flow, flow->window.end));
	json_member_string(&json, "file", trace->file_count ? trace->files[0] : NULL);
	json_member_u64(&json, "cpus", trace->cpus);
	machines_put(&health->hosts, &json);
	states_put(&json);
	path_put(flow, &json);
	mixed_put(&json, "merged", flow->window.mixed, flow->window.mixed_below);
	mixed_put(&json, "merged_path", flow->window.path_mixed, flow->window.path_mixed_below);
	gaps_put(flow, health, &json);
	trigger_put(flow, trace, &json);
	object_names_put(flow, &json);
	json_member_u64(&json, "objects_left_out", flow->window.objects_left_out);
	json_object_end(&json);
	json_release(&json);
}

static void meta_block_put(struct html_flow *flow, const struct trace_summary *trace,
                           const struct health *health, FILE *out)
{
	struct html_block block;
	char *text = NULL;
	size_t length = 0;
	FILE *file = xopen_memstream(&text, &length);

	meta_put(flow, trace, health, file);
	(void)fclose(file);
	html_block_init(&block);
	*strrchr(text, '}') = '\0'; /* the object stays open: the lists become its members */
	html_block_text(&block, text);
	for (size_t i = 0; i < HTML_LISTS; i++) {
		html_block_byte(&block, ',');
		html_list_put(&flow->list[i], list_names[i], &block);
	}
	html_block_text(&block, "}");
	html_block_put(&block, "meta", out);
	html_block_release(&block);
	free(text);
}

void html_flow_put(struct html_flow *flow, const struct trace_summary *trace,
                   const struct health *health, FILE *out)
{
	if (!flow->has_begun) {
		flow->window.origin = flow->window.begin = trace->begin;
		flow->window.end = trace->end;
	}
	meta_block_put(flow, trace, health, out);
	for (size_t i = 0; i < HTML_COLUMNS; i++)
		if (i != HTML_STACK_COLUMN || flow->has_stacks)
			html_block_put(&flow->column[i], column_names[i], out);
}
