/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "svg_graph.h"

#include <inttypes.h>
#include <string.h>

#include "base/data/array.h"
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

/*
 * The script of a flame graph: a page of plain JavaScript, which loads nothing. The picture is
 * complete without it. The script relies on the output of svg_graph.c, and has the usual functions
 * of flame graphs: a click zooms, Ctrl-F or / searches, Escape goes back.
 */

/* The script has single quotes and no tabs, so that it can be read here, too. */
static const char *const lines[] = {
	"'use strict';\n",
	"{\n",
	"  const svg = document.currentScript.closest('svg');\n",
	"  const left = 10, width = 1180, column = 7.25;\n",
	"  const all = (element, selector) => [...element.querySelectorAll(selector)];\n",
	"  const graphs = all(svg, '.graph').map(graph => ({\n",
	"    details: graph.querySelector('.details'), matched: graph.querySelector('.matched'),\n",
	"    frames: all(graph, '.frame').map(element => {\n",
	"      const [name, figures] = element.querySelector('title').textContent.split('\\n');\n",
	"      const [rect, text] = all(element, 'rect, text');\n",
	"      return {element, rect, text, name, figures, level: -rect.getAttribute('y'),\n",
	"        begin: +element.dataset.b, total: +element.dataset.w};\n",
	"    })}));\n",
	"\n",
	"  function cut(name, room) {\n",
	"    const columns = [...name].flatMap(c => c > '\\x7f' ? ['', c] : c); // may be wide\n",
	"    if (columns.length > room)\n",
	"      name = columns.slice(0, room - 2).join('') + '..';\n",
	"    return room < 3 ? '' : name;\n",
	"  }\n",
	"\n",
	"  // What the frame lies in fills the whole width, what lies beside it has none.\n",
	"  function zoom(frames, to) {\n",
	"    const share = time => Math.min(1, Math.max(0, (time - to.begin) / to.total));\n",
	"    for (const {element, rect, text, name, level, begin, total} of frames) {\n",
	"      const x = left + width * share(begin);\n",
	"      const wide = left + width * share(begin + total) - x;\n",
	"      element.style.display = wide > 0 ? '' : 'none';\n",
	"      element.classList.toggle('below', level < to.level);\n",
	"      rect.setAttribute('x', x.toFixed(2));\n",
	"      rect.setAttribute('width', wide.toFixed(2));\n",
	"      text.setAttribute('x', (x + 3).toFixed(2));\n",
	"      text.textContent = cut(name, Math.floor((wide - 6) / column));\n",
	"    }\n",
	"  }\n",
	"\n",
	"  // What stands in a name is just that text, all else a regular expression.\n",
	"  function search(words) {\n",
	"    const plain = frame => frame.name.toLowerCase().includes(words.toLowerCase());\n",
	"    let is_match = plain;\n",
	"    if (!graphs.some(graph => graph.frames.some(plain)))\n",
	"      try {\n",
	"        const pattern = new RegExp(words, 'i');\n",
	"        is_match = frame => pattern.test(frame.name);\n",
	"      } catch { /* it is none */ }\n",
	"    for (const {frames: [root, ...frames], matched} of graphs) {\n",
	"      let end = 0, time = 0; // those within others that match are in their time\n",
	"      for (const frame of frames) {\n",
	"        const is_found = words && !frame.element.matches('.folded') && is_match(frame);\n",
	"        frame.element.classList.toggle('found', !!is_found);\n",
	"        if (is_found && frame.begin >= end) {\n",
	"          time += frame.total;\n",
	"          end = frame.begin + frame.total;\n",
	"        }\n",
	"      }\n",
	"      matched.textContent =\n",
	"        words && `'${words}': ${(100 * time / root.total).toFixed(1)} % matched`;\n",
	"    }\n",
	"  }\n",
	"\n",
	"  const ask = () => search(prompt('Search for a text or a regular expression:') ?? '');\n",
	"  const reset = () => {\n",
	"    search('');\n",
	"    graphs.forEach(({frames}) => zoom(frames, frames[0]));\n",
	"  };\n",
	"  const hit = ({target}, {frames}) => frames.find(\n",
	"    ({element}) => element === target.parentNode);\n",
	"  for (const graph of graphs) {\n",
	"    svg.addEventListener('click', event => {\n",
	"      const frame = hit(event, graph);\n",
	"      if (frame)\n",
	"        zoom(graph.frames, frame);\n",
	"    });\n",
	"    svg.addEventListener('mouseover', event => {\n",
	"      const frame = hit(event, graph);\n",
	"      graph.details.textContent = frame ? `${frame.name}: ${frame.figures}` : '';\n",
	"    });\n",
	"  }\n",
	"  all(svg, '.button').forEach((button, i) => {\n",
	"    button.style.display = 'inline';\n",
	"    button.addEventListener('click', [ask, reset][i]);\n",
	"  });\n",
	"  if (svg === document.documentElement && graphs.length) {\n",
	"    // of a picture that is higher than the window the roots are seen first\n",
	"    const {bottom} = graphs[0].frames[0].rect.getBoundingClientRect();\n",
	"    scrollTo(0, bottom + 30 - innerHeight);\n",
	"    addEventListener('keydown', event => {\n",
	"      const is_command = event.ctrlKey || event.metaKey;\n",
	"      const is_find = event.key === '/' || is_command && event.key === 'f';\n",
	"      if (!is_find && event.key !== 'Escape')\n",
	"        return;\n",
	"      event.preventDefault();\n",
	"      (is_find ? ask : reset)();\n",
	"    });\n",
	"  }\n",
	"}\n",
};

void svg_script_put(FILE *out)
{
	(void)fputs("<script><![CDATA[\n", out);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		(void)fputs(lines[i], out);
	(void)fputs("]]></script>\n", out);
}
