/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <event-parse.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/suggest.h"
#include "base/xalloc.h"
#include "decode/event_format.h"
#include "plain_text.h"
#include "text_shared.h"

/*
 * Formats are parsed when the first event of theirs is to be written, and symbols are read when the
 * first address is to be named: a report of a few kinds of events need not wait for a thousand
 * others, nor fail by them. Filters know events by name, so they have a handle of their own, with
 * all formats but without their print formats, which is where the library mostly crashes.
 */

/* The library does not check offsets and lengths: what it reads behind a record is in here, and 0.
   The largest are those of a field, and of the place that it gives for another. */
#define PADDED_BYTES (TEXT_PAYLOAD_MAX + 5 * 65536)

/* Seconds of CPU time after which an item that has made no progress hangs, at least. */
#define HANG_SECONDS 2
/* Seconds of real time in which a batch must be done. */
#define BATCH_SECONDS 60

/* Tasks with names that filters may ask for; the library gets slow if there are very many. */
#define COMMS_MAX 65536
#define CPUS_MAX  65536

#define FILTER_WORDS_MAX 4096 /* bytes of what the library says of a wrong filter */

enum symbols_state {
	SYMBOLS_UNUSED,
	SYMBOLS_MISSED, /* an address is to be named */
	SYMBOLS_LOADED, /* or there are none */
};

struct text_child {
	const struct text_setup *setup;
	struct text_shared *shared;
	struct tep_handle *tep;       /* has formats that were needed so far */
	struct tep_handle *filtering; /* has fields of all formats; NULL: there is no filter */
	enum symbols_state symbols_state; /* of tep */
	struct tep_event_filter **filter;
	size_t filter_count, filter_capacity;
	int passing; /* an event that may pass the filters */
	size_t passing_count; /* 1: there is no other one */
	bool filter_has_comm;
	size_t comm_count;
	uint8_t *is_loaded, *is_stack; /* by format */
	uint8_t *is_shown;  /* by CPU: the last event that is no stack passed the filter */
	uint8_t *payload;   /* PADDED_BYTES, zero from `dirty` on */
	uint32_t dirty;
	struct trace_seq seq;
};

static volatile const struct text_shared *watched;
static volatile sig_atomic_t progress;

static void stage_begin(struct text_child *child, enum text_stage stage)
{
	child->shared->stage = stage;
	progress++;
}

/* Each HANG_SECONDS. Symbols of a slow machine may take longer; BATCH_SECONDS bounds that. */
static void on_tick(int signal_number)
{
	static sig_atomic_t last;

	(void)signal_number;
	if (progress == last && watched->stage != TEXT_IDLE && watched->stage != TEXT_LOADS_SYMBOLS)
		_exit(TEXT_HUNG);
	last = progress;
}

static bool child_skips(const struct text_child *child, enum text_stage stage)
{
	return child->setup->skipped_stages & 1u << stage;
}

static void symbols_load(struct text_child *child)
{
	uint32_t stage = child->shared->stage;

	if (child->symbols_state == SYMBOLS_LOADED || !child->setup->symbols)
		return;
	child->symbols_state = SYMBOLS_LOADED;
	stage_begin(child, TEXT_LOADS_SYMBOLS);
	tep_reset_function_resolver(child->tep);
	(void)tep_parse_kallsyms(child->tep, child->setup->symbols);
	stage_begin(child, stage);
}

/* The library asks here for the name of an address as long as no symbols are loaded. It cannot be
   replaced while it is asked: the event is printed again. */
static char *symbol_miss(void *data, unsigned long long *address, char **module)
{
	struct text_child *child = data;

	(void)address;
	(void)module;
	child->symbols_state = SYMBOLS_MISSED;
	return NULL;
}

/* Whether kallsyms has the word as a symbol. */
static bool symbol_is_known(const struct text_child *child, const char *word)
{
	_cleanup_(freep) char *key = xasprintf(" %s", word);
	size_t length = strlen(key);

	for (const char *at = child->setup->symbols; (at = strstr(at, key)); at += length)
		if (at[length] == '\n' || at[length] == '\t' || at[length] == '\0')
			return true;
	return false;
}

/* Whether these arguments of a print format have the name of a symbol, whose address the library
   takes for its value: "vmemmap_base", "jiffies". */
static bool arguments_have_symbol(const struct text_child *child, const struct tep_print_arg *arg)
{
	bool has = false;

	for (; arg && !has; arg = arg->next) {
		switch ((int)arg->type) {
		case TEP_PRINT_ATOM:
			has = arg->atom.atom && (arg->atom.atom[0] == '_' ||
			                         isalpha((unsigned char)arg->atom.atom[0])) &&
			      symbol_is_known(child, arg->atom.atom);
			break;
		case TEP_PRINT_FLAGS:
			has = arguments_have_symbol(child, arg->flags.field);
			break;
		case TEP_PRINT_SYMBOL:
			has = arguments_have_symbol(child, arg->symbol.field);
			break;
		case TEP_PRINT_HEX:
		case TEP_PRINT_HEX_STR:
			has = arguments_have_symbol(child, arg->hex.field) ||
			      arguments_have_symbol(child, arg->hex.size);
			break;
		case TEP_PRINT_INT_ARRAY:
			has = arguments_have_symbol(child, arg->int_array.count);
			break;
		case TEP_PRINT_TYPE:
			has = arguments_have_symbol(child, arg->typecast.item);
			break;
		case TEP_PRINT_OP:
			has = arguments_have_symbol(child, arg->op.left) ||
			      arguments_have_symbol(child, arg->op.right);
			break;
		case TEP_PRINT_FUNC:
			has = arguments_have_symbol(child, arg->func.args);
			break;
		default:
			break;
		}
	}
	return has;
}

static struct tep_handle *handle_new(const struct source *source)
{
	struct tep_handle *tep = tep_alloc();

	if (!tep)
		abort();
	tep_set_file_bigendian(tep, source->is_big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, (int)source->long_bytes);
	tep_set_page_size(tep, (int)source->page_bytes);
	tep_set_cpus(tep, (int)source->cpu_count);
	return tep;
}

static void child_load(struct text_child *child)
{
	const struct source *source = child->setup->source;

	child->tep = handle_new(source);
#ifndef FTWAIT_STATIC /* which loads nothing */
	if (!child_skips(child, TEXT_LOADS_PLUGINS)) {
		stage_begin(child, TEXT_LOADS_PLUGINS);
		(void)tep_load_plugins(child->tep);
	}
#endif
	if (source->strings && !child_skips(child, TEXT_LOADS_STRINGS)) {
		stage_begin(child, TEXT_LOADS_STRINGS);
		(void)tep_parse_printk_formats(child->tep, source->strings);
	}
	if (child->setup->symbols && !child_skips(child, TEXT_LOADS_SYMBOLS))
		(void)tep_set_function_resolver(child->tep, symbol_miss, child);
	else
		child->symbols_state = SYMBOLS_LOADED;
}

/* Gives the format to the filter's handle, if our own reader accepts it. */
static void filter_load_format(struct text_child *child, size_t index, struct event_format *format)
{
	const struct format_text *text = &child->setup->source->formats[index];
	_cleanup_(buffer_release) struct buffer fields = buffer_of(BUFFER_LIMIT_DEFAULT);
	size_t length = text->length;

	if ((child->setup->skip[index] & TEXT_SKIP_LOAD) ||
	    event_format_parse(text->text, text->length, format) < 0)
		return;
	if (format->print_format.length)
		length = (size_t)(format->print_format.at - text->text);
	buffer_append(&fields, text->text, length);
	buffer_puts(&fields, format->print_format.length ? " \"\"\n" : "");
	child->is_stack[index] = strcmp(text->system, "ftrace") == 0 &&
	                         (text_is(format->name, "kernel_stack") ||
	                          text_is(format->name, "user_stack"));
	child->shared->format = (uint32_t)index;
	stage_begin(child, TEXT_LOADS_FORMAT);
	(void)tep_parse_event(child->filtering, fields.text, fields.length, text->system);
}

/* The library's words begin with the filter, and a line that points into it. */
static enum text_exit filter_fail(struct text_child *child, const char *words)
{
	const char *line = strrchr(words, '\n');

	(void)snprintf(child->shared->filter_error, sizeof(child->shared->filter_error), "%s",
	               line ? line + 1 : words);
	return TEXT_BAD_FILTER;
}

/* The library takes a condition on a field that an event does not have for one that is never
   true. */
static bool filter_may_pass(struct tep_event_filter *filter, int event)
{
	_cleanup_(freep) char *text = tep_filter_make_string(filter, event);

	return !text || strcmp(text, "FALSE") != 0;
}

/* Notes the events that may pass. Returns how many; of several events some may have one field, and
   others another. */
static size_t filter_note_events(struct text_child *child, struct tep_event_filter *filter)
{
	size_t count = 0;

	for (int i = 0; i < filter->filters; i++) {
		int event = filter->event_filters[i].event_id;

		if (!filter_may_pass(filter, event))
			continue;
		count++;
		if (child->passing_count == 0 || child->passing != event)
			child->passing_count++;
		child->passing = event;
	}
	return count;
}

static bool filter_has_field(const struct text_child *child, const struct tep_event_filter *filter,
                             const char *name)
{
	bool has = strcmp(name, "COMM") == 0 || strcmp(name, "CPU") == 0;

	for (int i = 0; i < filter->filters && !has; i++) {
		struct tep_event *event =
			tep_find_event(child->filtering, filter->event_filters[i].event_id);

		has = event && tep_find_any_field(event, name);
	}
	return has;
}

/* Behind what is in quotes, or else behind the character. */
static const char *filter_skip(const char *at)
{
	char quote = *at++;

	if (quote != '"' && quote != '\'')
		return at;
	while (*at && *at != quote)
		at += *at == '\\' && at[1] ? 2 : 1;
	return *at ? at + 1 : at;
}

/* A field in the filter that none of its events has, to be freed; NULL: there is none. */
static char *filter_missing_field(const struct text_child *child,
                                  const struct tep_event_filter *filter, const char *text)
{
	const char *at = strchr(text, ':');

	while (at && *at) {
		size_t length = 0;
		char *name;

		while (isalnum((unsigned char)at[length]) || at[length] == '_')
			length++;
		if (length > 0 && !isdigit((unsigned char)*at)) {
			name = xstrndup(at, length);
			if (!filter_has_field(child, filter, name))
				return name;
			free(name);
		}
		at = length > 0 ? at + length : filter_skip(at);
	}
	return NULL;
}

static enum text_exit filter_refuse_field(struct text_child *child,
                                          const struct tep_event_filter *filter,
                                          const char *missing)
{
	_cleanup_(buffer_release) struct buffer words = buffer_of(FILTER_WORDS_MAX);
	const char **names = NULL, *near;
	size_t count = 0, capacity = 0;

	for (int i = 0; i < filter->filters; i++) {
		struct tep_event *event =
			tep_find_event(child->filtering, filter->event_filters[i].event_id);
		const struct tep_format_field *field = event ? event->format.fields : NULL;

		if (event && filter->filters == 1)
			buffer_puts(&words, event->name);
		for (; field; field = field->next)
			ARRAY_ADD(names, count, capacity) = field->name;
	}
	near = suggest(missing, names, count);
	buffer_printf(&words, "%s \"%s\"", words.length ? " has no field"
	                                               : "no event of that name has a field",
	              missing);
	if (near)
		buffer_printf(&words, "; did you mean \"%s\"?", near);
	free(names);
	return filter_fail(child, words.text);
}

static enum text_exit filter_add(struct text_child *child, const char *text)
{
	struct tep_event_filter *filter = tep_filter_alloc(child->filtering);
	_cleanup_(freep) char *missing = NULL;
	char words[FILTER_WORDS_MAX] = "";
	enum tep_errno error;

	if (!filter)
		abort();
	error = tep_filter_add_filter_str(filter, text);
	if (error < 0) {
		(void)tep_filter_strerror(filter, error, words, sizeof(words));
		return filter_fail(child, words);
	}
	missing = filter_missing_field(child, filter, text);
	if (missing)
		return filter_refuse_field(child, filter, missing);
	if (filter_note_events(child, filter) == 0)
		return filter_fail(child, "no such event has all of these fields");
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): filters are pointers, that size is meant */
	ARRAY_ADD(child->filter, child->filter_count, child->filter_capacity) = filter;
	return TEXT_DONE;
}

/* The first ";" that is not in quotes, or the end. */
static const char *filter_end(const char *at)
{
	while (*at && *at != ';')
		at = filter_skip(at);
	return at;
}

static enum text_exit filters_read(struct text_child *child)
{
	const char *at = child->setup->filter;
	struct event_format *format = xmalloc(sizeof(*format));
	enum text_exit r = TEXT_DONE;

	child->filtering = handle_new(child->setup->source);
	child->is_shown = xcalloc(CPUS_MAX, 1);
	child->filter_has_comm = strstr(at, "COMM") != NULL;
	for (size_t i = 0; i < child->setup->source->format_count; i++)
		filter_load_format(child, i, format);
	free(format);
	stage_begin(child, TEXT_READS_FILTER);
	while (*at && r == TEXT_DONE) {
		const char *end = filter_end(at);
		char *one = xstrndup(at, (size_t)(end - at));

		if (one[strspn(one, " \t\n")] != '\0')
			r = filter_add(child, one);
		free(one);
		at = *end ? end + 1 : end;
	}
	if (r == TEXT_DONE && child->filter_count == 0)
		r = filter_fail(child, "it is empty");
	child->shared->only_event = child->passing_count == 1 ? (uint32_t)child->passing
	                                                      : UINT32_MAX;
	return r;
}

/* The library takes the name of an event's task from a table by pid. */
static void comm_note(struct text_child *child, const struct text_request *request,
                      struct tep_record *record)
{
	int pid;
	const char *known;

	if (!child->filter_has_comm || request->comm[0] == '\0')
		return;
	pid = tep_data_pid(child->filtering, record);
	known = tep_data_comm_from_pid(child->filtering, pid);
	if ((known && strcmp(known, request->comm) == 0) || child->comm_count == COMMS_MAX)
		return;
	child->comm_count += !tep_is_pid_registered(child->filtering, pid);
	(void)tep_override_comm(child->filtering, request->comm, pid);
}

static bool filters_pass(struct text_child *child, const struct text_request *request,
                         struct tep_record *record)
{
	uint8_t *is_shown = &child->is_shown[request->cpu % CPUS_MAX];
	bool is_known = request->format != PLAIN_FORMAT_NONE;
	bool passes = false;

	if (is_known && (child->setup->skip[request->format] & TEXT_SKIP_MATCH)) {
		passes = true;
	} else if (is_known) {
		comm_note(child, request, record);
		for (size_t i = 0; i < child->filter_count && !passes; i++)
			passes = tep_filter_match(child->filter[i], record) == FILTER_MATCH;
		if (child->is_stack[request->format])
			return passes || *is_shown;
	}
	*is_shown = passes;
	return passes;
}

/* The event's format in the library; NULL: it does not take it. */
static struct tep_event *text_event(struct text_child *child, uint32_t format,
                                    struct tep_record *record)
{
	const struct format_text *text = &child->setup->source->formats[format];
	struct tep_event *event;

	if (child->is_loaded[format])
		return tep_find_event_by_record(child->tep, record);
	child->is_loaded[format] = true;
	(void)tep_parse_event(child->tep, text->text, text->length, text->system);
	event = tep_find_event_by_record(child->tep, record);
	if (event && child->symbols_state != SYMBOLS_LOADED &&
	    arguments_have_symbol(child, event->print_fmt.args))
		symbols_load(child);
	return event;
}

/* Writes the text to child->seq. */
static bool text_print(struct text_child *child, uint32_t format, struct tep_record *record)
{
	if (!text_event(child, format, record))
		return false;
	trace_seq_reset(&child->seq);
	tep_print_event(child->tep, &child->seq, record, "%s", TEP_PRINT_INFO);
	if (child->symbols_state == SYMBOLS_MISSED) {
		symbols_load(child);
		trace_seq_reset(&child->seq);
		tep_print_event(child->tep, &child->seq, record, "%s", TEP_PRINT_INFO);
	}
	if (child->seq.state != TRACE_SEQ__GOOD)
		abort();
	return true;
}

static enum text_answer text_write(struct text_child *child, struct text_exchange *exchange,
                                   struct text_request *request, struct tep_record *record)
{
	size_t length;

	if (request->format == PLAIN_FORMAT_NONE)
		return TEXT_REFUSED;
	if (child->setup->skip[request->format] & TEXT_SKIP_TEXT)
		return TEXT_FAILED;
	if (!text_print(child, request->format, record))
		return TEXT_REFUSED;
	length = child->seq.len;
	if (length > 0 && child->seq.buffer[length - 1] == '\n')
		length--;
	if (length > EVENT_TEXT_MAX)
		length = EVENT_TEXT_MAX;
	if (exchange->text_end > sizeof(exchange->text) - length)
		return TEXT_FAILED;
	request->text = exchange->text_end;
	request->text_length = (uint32_t)length;
	memcpy(exchange->text + request->text, child->seq.buffer, length);
	exchange->text_end += (uint32_t)length;
	return TEXT_WRITTEN;
}

static struct tep_record record_lay_out(struct text_child *child, const uint8_t *payload,
                                        const struct text_request *request)
{
	struct tep_record record = {
		.ts = request->time,
		.size = (int)request->length,
		.record_size = (int)request->length,
		.data = child->payload,
		.cpu = (int)request->cpu,
		.ref_count = 1,
	};

	memcpy(child->payload, payload + request->payload, request->length);
	if (request->length < child->dirty)
		memset(child->payload + request->length, 0, child->dirty - request->length);
	child->dirty = request->length;
	return record;
}

static void exchange_answer(struct text_child *child, struct text_exchange *exchange)
{
	while (exchange->next < exchange->count) {
		struct text_request *request = &exchange->request[exchange->next];
		struct tep_record record = record_lay_out(child, exchange->payload, request);
		enum text_answer answer;

		stage_begin(child, TEXT_MATCHES);
		if (child->filtering && !filters_pass(child, request, &record)) {
			answer = TEXT_LEFT_OUT;
		} else {
			stage_begin(child, TEXT_WRITES);
			answer = text_write(child, exchange, request, &record);
		}
		request->answer = answer;
		exchange->next++;
	}
	stage_begin(child, TEXT_IDLE);
}

static void child_watch(struct text_child *child)
{
	const struct itimerval each = {{HANG_SECONDS, 0}, {HANG_SECONDS, 0}};

	watched = child->shared;
	(void)signal(SIGPROF, on_tick);
	(void)setitimer(ITIMER_PROF, &each, NULL);
}

static bool child_say(int answers, uint8_t word)
{
	return write(answers, &word, 1) == 1;
}

enum text_exit text_child_serve(const struct text_setup *setup, int requests, int answers)
{
	struct text_child child = {.setup = setup, .shared = setup->shared};
	uint8_t batch;

	child.is_loaded = xcalloc(setup->source->format_count, 1);
	child.is_stack = xcalloc(setup->source->format_count, 1);
	child.payload = xcalloc(1, PADDED_BYTES);
	child_watch(&child);
	(void)alarm(BATCH_SECONDS);
	tep_set_loglevel(TEP_LOG_NONE);
	trace_seq_init(&child.seq);
	child_load(&child);
	if (setup->filter && filters_read(&child) != TEXT_DONE)
		return TEXT_BAD_FILTER;
	stage_begin(&child, TEXT_IDLE);
	(void)alarm(0);
	/* nothing is freed: the process ends, and the library's cleanup may crash */
	if (!child_say(answers, TEXT_READY))
		return TEXT_DONE;
	while (read(requests, &batch, 1) == 1 && batch < EVENT_TEXT_BATCHES) {
		child.shared->batch_at = batch;
		(void)alarm(BATCH_SECONDS);
		exchange_answer(&child, &child.shared->exchange[batch]);
		(void)alarm(0);
		if (!child_say(answers, batch))
			break;
	}
	return TEXT_DONE;
}
