/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "svg_graph.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/format.h"
#include "svg_text.h"

/* By convention off-CPU flame graphs are blue, and the kernel's frames are orange. */
static const struct {
	uint8_t least[3], range[3]; /* for red, green and blue */
} palettes[] = {
	[SHOWN_TASK] = {{120, 165, 230}, {45, 40, 25}},
	[SHOWN_CAUSE] = {{95, 200, 175}, {50, 35, 50}},
	[SHOWN_KERNEL] = {{240, 135, 55}, {15, 65, 45}},
	[SHOWN_USER] = {{235, 200, 75}, {20, 50, 75}},
	[SHOWN_MARK] = {{212, 212, 212}, {0, 0, 0}},
};

/* The value within the range of a channel that a byte of the hash selects. */
static uint32_t channel(enum path_frame_kind kind, unsigned at, uint32_t byte)
{
	return palettes[kind].least[at] + palettes[kind].range[at] * (byte & 0xff) / 255;
}

/* FNV-1a. */
static uint32_t text_hash(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash ^ hash >> 15;
}

uint32_t flame_color(enum path_frame_kind kind, const char *text)
{
	uint32_t hash = text_hash(text);

	return channel(kind, 0, hash) << 16 | channel(kind, 1, hash >> 8) << 8 |
	       channel(kind, 2, hash >> 16);
}

uint32_t flame_color_of_kind(enum path_frame_kind kind)
{
	return channel(kind, 0, 127) << 16 | channel(kind, 1, 127) << 8 | channel(kind, 2, 127);
}

#define LEVEL_HEIGHT 17
#define FRAME_HEIGHT 16
#define TEXT_LEFT    3  /* offset of a text within its frame */
#define TEXT_DOWN    12 /* offset of its baseline */

unsigned svg_graph_height(const struct flame_layout *layout)
{
	return layout->levels * LEVEL_HEIGHT;
}

/* The position of an instant, in hundredths of a unit from the left end. It is computed in
   integers, so that every machine writes the same. */
static unsigned across(const struct flame_layout *layout, nsec_t time)
{
	nsec_t total = layout->total;

	for (; total >> 46; total >>= 1)
		time >>= 1;
	return (unsigned)(time * (SVG_ROOM * 100) / total);
}

static void name_append(struct buffer *to, const struct flame_frame *frame,
                        const struct intern *names)
{
	const char *text = intern_text(names, frame->name);

	if (frame->folded)
		buffer_printf(to, "(%s frame%s below 0.1 %%)", COUNT_TEXT(frame->folded),
		              format_plural(frame->folded));
	else
		buffer_puts_clean(to, text, strlen(text));
}

static void figures_append(struct buffer *to, const struct flame_frame *frame, nsec_t all)
{
	buffer_printf(to, "%s", DURATION_TEXT(frame->total));
	buffer_printf(to, ", %s", RATIO_TEXT((double)frame->total / (double)all));
	if (frame->count)
		buffer_printf(to, ", %s part%s", COUNT_TEXT(frame->count),
		              format_plural(frame->count));
	if (frame->self && frame->self != frame->total)
		buffer_printf(to, ", self %s", DURATION_TEXT(frame->self));
}

struct frame_text {
	struct buffer name, shown, line;
};

/* Appends as much of the frame's text as there is room for. */
static void label_append(struct frame_text *text, unsigned x, unsigned width, unsigned y)
{
	unsigned inset = 2 * TEXT_LEFT * 100;

	buffer_clear(&text->shown);
	svg_text_cut(&text->shown, text->name.text,
	             width > inset ? (width - inset) / SVG_COLUMN : 0);
	x += (SVG_MARGIN + TEXT_LEFT) * 100;
	buffer_printf(&text->line, "<text x=\"%u.%02u\" y=\"%u\">", x / 100, x % 100,
	              y + TEXT_DOWN);
	svg_text_append(&text->line, text->shown.text);
	buffer_puts(&text->line, "</text>");
}

static void frame_put(FILE *out, struct frame_text *text, const struct flame_layout *layout,
                      const struct flame_frame *frame, const struct intern *names, unsigned y)
{
	unsigned x = across(layout, frame->begin);
	unsigned width = across(layout, frame->begin + frame->total) - x;
	unsigned left = x + SVG_MARGIN * 100;

	buffer_clear(&text->name);
	buffer_clear(&text->line);
	name_append(&text->name, frame, names);
	buffer_printf(&text->line, "<g class=\"frame%s\" data-b=\"%" PRIu64 "\" data-w=\"%" PRIu64
	              "\"><title>", frame->folded ? " folded" : "", frame->begin, frame->total);
	svg_text_append(&text->line, text->name.text);
	buffer_putc(&text->line, '\n');
	figures_append(&text->line, frame, layout->total);
	buffer_printf(&text->line, "</title><rect x=\"%u.%02u\" y=\"%u\" width=\"%u.%02u\" "
	              "height=\"%u\" fill=\"#%06" PRIx32 "\"/>", left / 100, left % 100, y,
	              width / 100, width % 100, FRAME_HEIGHT,
	              flame_color(frame->kind, intern_text(names, frame->name)));
	label_append(text, x, width, y);
	buffer_puts(&text->line, "</g>\n");
	(void)fputs(text->line.text, out);
}

void svg_graph_put(FILE *out, const struct flame_layout *layout, const struct intern *names,
                   unsigned top)
{
	unsigned bottom = top + svg_graph_height(layout);
	struct frame_text text;

	buffer_init(&text.name, BUFFER_LIMIT_DEFAULT);
	buffer_init(&text.shown, BUFFER_LIMIT_DEFAULT);
	buffer_init(&text.line, 16 * BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < layout->count; i++) {
		const struct flame_frame *frame = &layout->frame[i];

		frame_put(out, &text, layout, frame, names,
		          bottom - (frame->level + 1) * LEVEL_HEIGHT);
	}
	buffer_release(&text.name);
	buffer_release(&text.shown);
	buffer_release(&text.line);
}
