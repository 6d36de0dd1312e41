/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUSTAT options: the text of per_cpu/cpuN/stats, one or several. The main buffer's come first;
 * those of another buffer follow a line "Buffer: NAME".
 */
#include "datfile_figures.h"

#include <string.h>

#include "base/data/array.h"
#include "source/file/datfile_streams.h"
#include "ftwait/stream.h"

#define FIGURES_MAX 65536u

static const char *after_word(const char *line, const char *end, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(end - line) < length || memcmp(line, word, length) != 0)
		return NULL;
	for (line += length; line < end && *line == ' '; line++)
		;
	return line;
}

static uint64_t figure(const char *at, const char *end)
{
	uint64_t number = 0;

	for (; at < end && *at >= '0' && *at <= '9' && number < UINT64_MAX / 16; at++)
		number = number * 10 + (uint64_t)(*at - '0');
	return number;
}

static void begin_cpu(struct datfile *datfile, uint64_t cpu)
{
	struct datfile_opening *opening = datfile->opening;

	if (opening->figure_count >= FIGURES_MAX || cpu >= DATFILE_CPUS_MAX)
		return;
	ARRAY_GROW(opening->figures, opening->figure_count, opening->figure_capacity);
	opening->figures[opening->figure_count++] = (struct cpu_figures){
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

static void take_line(struct datfile *datfile, const char *line, const char *end, bool *has_cpu)
{
	struct datfile_opening *opening = datfile->opening;
	const char *rest = after_word(line, end, "Buffer:");

	if (rest) {
		if (text_store_has_room(&datfile->text, (size_t)(end - rest)))
			opening->figures_buffer =
				text_store_add(&datfile->text, rest, (size_t)(end - rest));
		return;
	}
	rest = after_word(line, end, "CPU:");
	if (rest) {
		begin_cpu(datfile, figure(rest, end));
		*has_cpu = opening->figure_count > 0;
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		struct cpu_figures *figures;

		rest = after_word(line, end, losses[i].word);
		if (!rest || !*has_cpu)
			continue;
		figures = &opening->figures[opening->figure_count - 1];
		figures->overrun += figure(rest, end);
		if (losses[i].is_drop)
			figures->dropped += figure(rest, end);
	}
}

void datfile_take_figures(struct datfile *datfile, const char *text, size_t length)
{
	const char *end = text + length;
	bool has_cpu = false;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		take_line(datfile, text, newline ? newline : end, &has_cpu);
		text = newline ? newline + 1 : end;
	}
}

void datfile_spread_figures(struct datfile *datfile)
{
	for (size_t i = 0; i < datfile->opening->figure_count; i++) {
		const struct cpu_figures *figures = &datfile->opening->figures[i];
		size_t buffer = datfile_find_buffer(datfile, figures->buffer);
		size_t stream = buffer == SIZE_MAX ? SIZE_MAX
		                : datfile_find_stream(datfile, figures->cpu, buffer);

		if (stream != SIZE_MAX) {
			datfile->streams[stream].overrun = figures->overrun;
			datfile->streams[stream].dropped = figures->dropped;
		}
	}
}
