/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile.h"

#include <errno.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/data/array.h"
#include "ftwait/stream.h"
#include "source/source_notes.h"

/*
 * What each CPU's buffer reported when recording ended (option CPUSTAT): collected as the options
 * come, and assigned to the streams once these are known. The options are the text of
 * per_cpu/cpuN/stats, one or several. The main buffer's come first; those of another buffer follow
 * a line "Buffer: NAME".
 */

#define FIGURES_MAX 65536u

static uint64_t figure(struct text_line line)
{
	uint64_t number = 0;

	line_skip_blanks(&line);
	for (; line.at < line.end && *line.at >= '0' && *line.at <= '9' && number < UINT64_MAX / 16;
	     line.at++)
		number = number * 10 + (uint64_t)(*line.at - '0');
	return number;
}

static void begin_cpu(struct datfile *datfile, uint64_t cpu)
{
	struct datfile_opening *opening = datfile->opening;

	if (opening->figure_count >= FIGURES_MAX || cpu >= DATFILE_CPUS_MAX)
		return;
	LIST_ADD(opening->figures, struct cpu_figures) = (struct cpu_figures){
		.buffer = opening->figures_buffer ? opening->figures_buffer : "",
		.cpu = (unsigned)cpu,
	};
}

/* Each of these counts events that are not in the trace. */
static const struct {
	const char *word;
	bool is_drop; /* newer events gave way, instead of older ones */
} losses[] = {
	{"overrun:", false}, {"commit overrun:", true}, {"dropped events:", true},
	{STREAM_STATISTICS_TAKEN, true},
};

static void take_line(struct datfile *datfile, struct text_line line, bool *has_cpu)
{
	struct datfile_opening *opening = datfile->opening;

	if (line_skip(&line, "Buffer:")) {
		line_skip_blanks(&line);
		if (text_store_has_room(&datfile->text, line_length(line)))
			opening->figures_buffer =
				text_store_add(&datfile->text, line.at, line_length(line));
		return;
	}
	if (line_skip(&line, "CPU:")) {
		begin_cpu(datfile, figure(line));
		*has_cpu = opening->figure_count > 0;
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(losses) && *has_cpu; i++) {
		struct cpu_figures *figures = &opening->figures[opening->figure_count - 1];
		struct text_line rest = line;

		if (!line_skip(&rest, losses[i].word))
			continue;
		figures->overrun += figure(rest);
		if (losses[i].is_drop)
			figures->dropped += figure(rest);
	}
}

void datfile_spread_figures(struct datfile *datfile)
{
	for (size_t i = 0; i < datfile->opening->figure_count; i++) {
		const struct cpu_figures *figures = &datfile->opening->figures[i];
		size_t buffer = datfile_find_buffer(datfile, figures->buffer);
		size_t stream = buffer == SIZE_MAX ? SIZE_MAX
		                : datfile_find_stream(datfile, figures->cpu, buffer);
		struct source_stream *of;

		if (stream == SIZE_MAX)
			continue;
		of = LIST_AT(datfile->source.streams, struct source_stream, stream);
		of->overrun = figures->overrun;
		of->dropped = figures->dropped;
	}
}

/* Microseconds that option DATE may have. */
#define DATE_MAX (REALTIME_MAX / 1000)

enum option_id {
	OPTION_DATE = 1, OPTION_CPUSTAT = 2, OPTION_BUFFER = 3, OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5, OPTION_OFFSET = 7, OPTION_CPUCOUNT = 8, OPTION_VERSION = 9,
	OPTION_TRACEID = 11, OPTION_TIME_SHIFT = 12, OPTION_TSC2NSEC = 14, OPTION_HEADER_INFO = 16,
	OPTION_CMDLINES = 21, OPTION_BUFFER_TEXT = 22,
};

static bool is_word_byte(char c)
{
	return c > ' ' && c != '[' && c != ']' && c < 0x7f;
}

const char *datfile_clock(struct datfile *datfile, struct text_line text)
{
	const char *open = memchr(text.at, '[', line_length(text));
	const char *begin = open ? open + 1 : text.at, *at = begin;

	while (at < text.end && is_word_byte(*at))
		at++;
	if (at == begin || at - begin > 32 || (open && (at == text.end || *at != ']')))
		return NULL;
	return text_store_add(&datfile->text, begin, (size_t)(at - begin));
}

static void option_cpustat(struct datfile *datfile, const struct option_text *option)
{
	const char *at = option->text.at;
	struct text_line line;
	bool has_cpu = false;

	while (line_next(&at, option->text.end, &line))
		take_line(datfile, line, &has_cpu);
}

static void option_clock(struct datfile *datfile, const struct option_text *option)
{
	const char *clock = datfile_clock(datfile, option->text);

	if (clock)
		datfile->source.clock = clock;
}

/* Takes the last word off "Linux NODE RELEASE MACHINE"; NULL if there is none. */
static const char *last_word(struct datfile *datfile, struct text_line *text)
{
	struct text_line word = *text;

	while (word.end > word.at && (word.end[-1] == ' ' || word.end[-1] == '\n'))
		word.end--;
	for (word.at = word.end; word.at > text->at && word.at[-1] != ' ';)
		word.at--;
	text->end = word.at;
	return word.at < word.end ? text_store_add(&datfile->text, word.at, line_length(word))
	                          : NULL;
}

static void option_uname(struct datfile *datfile, const struct option_text *option)
{
	struct noted_machine *machine = &datfile->source.notes.machine;
	struct text_line text = option->text;

	datfile->source.arch = last_word(datfile, &text);
	datfile->source.kernel = last_word(datfile, &text);
	machine->host = last_word(datfile, &text);
	if (text.at == text.end) /* that was the system's name */
		machine->host = NULL;
}

/* A C integer: sign, decimal or 0x; 0 if it is anything else. Far beyond a time it is cut. */
static int64_t option_integer(const struct option_text *option)
{
	const char *at = option->text.at, *end = option->text.end;
	bool is_negative = at < end && *at == '-';
	bool is_hex;
	uint64_t sum = 0;

	at += at < end && (*at == '-' || *at == '+');
	is_hex = end - at > 2 && at[0] == '0' && (at[1] | 32) == 'x';
	at += is_hex ? 2 : 0;
	for (; at < end && sum < PAGE_TIME_MAX / 16; at++) {
		unsigned digit = (unsigned)(*at - '0');

		if (is_hex && (*at | 32) >= 'a' && (*at | 32) <= 'f')
			digit = (unsigned)((*at | 32) - 'a' + 10);
		if (digit >= (is_hex ? 16u : 10u))
			break;
		sum = sum * (is_hex ? 16 : 10) + digit;
	}
	return is_negative ? -(int64_t)sum : (int64_t)sum;
}

static void option_offset(struct datfile *datfile, const struct option_text *option)
{
	datfile->clock.offset = option_integer(option);
}

/* `trace-cmd record --date`: microseconds to add to a stamp to get the time of day. */
static void option_date(struct datfile *datfile, const struct option_text *option)
{
	int64_t date = option_integer(option);

	if (date > 0 && (uint64_t)date <= DATE_MAX)
		datfile->opening->date = (nsec_t)date * 1000;
}

/* An old patched writer put a table of tasks under this id; that has another size. */
static void option_cpu_count(struct datfile *datfile, const struct option_text *option)
{
	uint32_t count;

	if (option->size != 4)
		return;
	count = load_u32(option->bytes, datfile->is_swapped);
	if (count <= DATFILE_CPUS_MAX)
		datfile->opening->option_cpus = count;
}

static void option_version(struct datfile *datfile, const struct option_text *option)
{
	found_notes_take_version(&datfile->found, option->text);
}

/* A multiplier, a shift, and an offset, which is not used: libtracecmd, which everybody compares
   with, ignores it too, and trace-cmd writes 0. */
static void option_tsc(struct datfile *datfile, const struct option_text *option)
{
	uint32_t mult, shift;

	if (option->size < 16)
		return;
	mult = load_u32(option->bytes, datfile->is_swapped);
	shift = load_u32(option->bytes + 4, datfile->is_swapped);
	if (shift >= 64)
		return;
	datfile->clock.mult = mult;
	datfile->clock.shift = shift;
}

static void option_trace_id(struct datfile *datfile, const struct option_text *option)
{
	if (option->size >= 8)
		datfile->source.notes.machine.trace_id =
			load_u64(option->bytes, datfile->is_swapped);
}

static void option_time_shift(struct datfile *datfile, const struct option_text *option)
{
	struct source *source = &datfile->source;
	int r;

	time_shift_release(&datfile->clock.host);
	source->notes.machine.host_trace_id = 0;
	r = time_shift_read(&datfile->clock.host, option->bytes, option->size, datfile->is_swapped);
	if (r == -ERANGE)
		DATFILE_DAMAGE(datfile,
		               "damaged: what leads to the clock of the host (option TIME_SHIFT) "
		               "compares clocks of different units, as trace-cmd writes it without "
		               "-C; times are those of the virtual machine");
	else if (r < 0)
		DATFILE_DAMAGE(datfile,
		               "damaged: what leads to the clock of the host (option TIME_SHIFT) "
		               "makes no sense; times are those of the virtual machine");
	source->notes.machine.host_trace_id = datfile->clock.host.host_id;
}

static void option_buffer(struct datfile *datfile, const struct option_text *option)
{
	struct datfile_opening *opening = datfile->opening;

	if (opening->buffer_option_count >= DATFILE_BUFFERS_MAX ||
	    !text_store_has_room(&datfile->text, option->size))
		return;
	LIST_ADD(opening->buffer_options, struct buffer_option) = (struct buffer_option){
		.bytes = (uint8_t *)text_store_add(&datfile->text, option->bytes, option->size),
		.size = option->size,
	};
}

static void option_buffer_text(struct datfile *datfile, const struct option_text *option)
{
	(void)option;
	datfile->opening->has_text_buffer = true;
}

/* The offset of the section with the same number. */
static void option_section(struct datfile *datfile, const struct option_text *option)
{
	if (datfile->version == 7 && option->size == 8)
		datfile->opening->section_at[option->id - OPTION_HEADER_INFO] =
			load_u64(option->bytes, datfile->is_swapped);
}

static const struct {
	enum option_id id;
	void (*take)(struct datfile *datfile, const struct option_text *option);
} option_kinds[] = {
	{OPTION_CPUSTAT, option_cpustat},
	{OPTION_TRACECLOCK, option_clock},
	{OPTION_UNAME, option_uname},
	{OPTION_OFFSET, option_offset},
	{OPTION_DATE, option_date},
	{OPTION_CPUCOUNT, option_cpu_count},
	{OPTION_VERSION, option_version},
	{OPTION_TSC2NSEC, option_tsc},
	{OPTION_TRACEID, option_trace_id},
	{OPTION_TIME_SHIFT, option_time_shift},
	{OPTION_BUFFER, option_buffer},
	{OPTION_BUFFER_TEXT, option_buffer_text},
};

void datfile_take_option(struct datfile *datfile, const struct option_text *option)
{
	for (size_t i = 0; i < ARRAY_SIZE(option_kinds); i++)
		if (option_kinds[i].id == option->id && option->size > 0)
			option_kinds[i].take(datfile, option);
	if (option->id >= OPTION_HEADER_INFO && option->id <= OPTION_CMDLINES)
		option_section(datfile, option);
}

int datfile_read_options(struct datfile *datfile, struct cursor *cursor, enum options_end end,
                         uint64_t *ret_next)
{
	while (end == OPTIONS_TO_ZERO || cursor_left(cursor) > 0) {
		struct option_text option = {.id = cursor_u16(cursor)};

		if (end == OPTIONS_TO_ZERO && option.id == 0)
			break;
		option.size = cursor_u32(cursor);
		option.bytes = cursor_take(cursor, option.size);
		if (!option.bytes)
			break;
		option.text.at = (const char *)option.bytes;
		option.text.end = option.text.at + strnlen(option.text.at, option.size);
		if (end == OPTIONS_TO_NEXT && option.id == 0) {
			*ret_next = option.size >= 8 ? load_u64(option.bytes, datfile->is_swapped)
			                             : 0;
			/* if more follows in the section, a damaged option hides it */
			return cursor_left(cursor) == 0 ? 0 : -EINVAL;
		}
		datfile_take_option(datfile, &option);
	}
	return end == OPTIONS_TO_NEXT && !cursor->error ? -ENODATA : cursor->error;
}
