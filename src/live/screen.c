/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/utf8.h"
#include "base/xalloc.h"
#include "keys.h"

#define TEXT_MAX   (16u << 20)
#define TITLE_MAX  1000
#define LEFT_STEP  8
#define LEFT_MAX   4000

static const char keys[] = "q close  arrows, PgUp, PgDn, Home, End scroll";

void top_pane_init(struct top_pane *pane)
{
	*pane = (struct top_pane){0};
	buffer_init(&pane->title, TITLE_MAX);
	buffer_init(&pane->text, TEXT_MAX);
}

void top_pane_release(struct top_pane *pane)
{
	buffer_release(&pane->title);
	buffer_release(&pane->text);
}

void top_pane_open(struct top_pane *pane, const char *title, const char *text, const char *enter)
{
	pane->enter = enter;
	buffer_clear(&pane->title);
	buffer_puts_clean(&pane->title, title, strlen(title));
	buffer_clear(&pane->text);
	while (*text) {
		size_t length = strcspn(text, "\n");

		buffer_puts_clean(&pane->text, text, length);
		buffer_putc(&pane->text, '\n');
		text += length + (text[length] == '\n');
	}
	pane->is_open = true;
	pane->top = pane->left = pane->page = 0;
}

/* The next line begins behind the line feed; NULL: there is none. */
static const char *line_next(const char *line)
{
	const char *end = strchr(line, '\n');

	return end && end[1] ? end + 1 : NULL;
}

static size_t lines_count(const struct top_pane *pane)
{
	size_t count = 0;

	for (const char *line = pane->text.text; line && *line; line = line_next(line))
		count++;
	return count;
}

/* The last line that can be the first one shown without blank lines below. */
static size_t top_most(const struct top_pane *pane)
{
	size_t count = lines_count(pane);

	return count > pane->page ? count - pane->page : 0;
}

static void line_draw(struct screen *screen, size_t row, const char *line, size_t left)
{
	char *text = xstrndup(line, strcspn(line, "\n"));
	const char *from = text;

	for (size_t i = 0; i < left && *from; i++)
		for (from++; utf8_is_continuation(*from); from++)
			;
	(void)screen_put(screen, row, 0, SIZE_MAX, SCREEN_NORMAL, from);
	free(text);
}

static void foot_draw(const struct top_pane *pane, struct screen *screen, size_t row)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(TITLE_MAX);

	if (pane->enter)
		buffer_printf(&line, "Enter %s  ", pane->enter);
	buffer_puts(&line, keys);
	(void)screen_put(screen, row, 0, screen_columns(screen), SCREEN_DIM, line.text);
}

void top_pane_draw(struct top_pane *pane, struct screen *screen)
{
	size_t rows = screen_rows(screen), columns = screen_columns(screen);
	size_t head = rows > 1, foot = rows > 3, row = head;
	const char *line = pane->text.text;

	pane->page = rows - head - foot;
	if (pane->top > top_most(pane))
		pane->top = top_most(pane);
	screen_begin(screen);
	if (head) {
		(void)screen_put(screen, 0, 0, columns, SCREEN_NORMAL, pane->title.text);
		screen_add_style(screen, 0, 0, columns, SCREEN_REVERSE);
	}
	for (size_t i = 0; i < pane->top && line; i++)
		line = line_next(line);
	for (; line && row < rows - foot; line = line_next(line))
		line_draw(screen, row++, line, pane->left);
	if (foot)
		foot_draw(pane, screen, rows - 1);
}

static void scroll_down(struct top_pane *pane, size_t lines)
{
	size_t most = top_most(pane);

	pane->top = most - pane->top > lines ? pane->top + lines : most;
}

static void scroll_up(struct top_pane *pane, size_t lines)
{
	pane->top = pane->top > lines ? pane->top - lines : 0;
}

void top_pane_key(struct top_pane *pane, int key)
{
	switch (key) {
	case 'q':
	case KEY_ESCAPE:
	case KEY_ENTER:
		pane->is_open = false;
		break;
	case KEY_DOWN:
		scroll_down(pane, 1);
		break;
	case KEY_UP:
		scroll_up(pane, 1);
		break;
	case KEY_PAGE_DOWN:
	case ' ':
		scroll_down(pane, pane->page);
		break;
	case KEY_PAGE_UP:
		scroll_up(pane, pane->page);
		break;
	case KEY_HOME:
		pane->top = pane->left = 0;
		break;
	case KEY_END:
		pane->top = top_most(pane);
		break;
	case KEY_RIGHT:
		pane->left = pane->left < LEFT_MAX ? pane->left + LEFT_STEP : pane->left;
		break;
	case KEY_LEFT:
		pane->left = pane->left > LEFT_STEP ? pane->left - LEFT_STEP : 0;
		break;
	default:
		break;
	}
}

/* A gap of so many unchanged cells is sent again, as moving the cursor takes as many bytes. */
#define GAP_MAX 4

/* Characters beyond ASCII that may be drawn. In a cell they have the numbers from CHARACTER_FIRST
   on. */
#define CHARACTER_FIRST 0x80

static const struct {
	const char *utf8;
	char ascii;
} characters[] = {
	{"▁", '_'}, {"▂", '.'}, {"▃", '-'}, {"▄", '='}, {"▅", '+'}, {"▆", '*'},
	{"▇", '%'}, {"█", '#'},
	{"▒", '='}, {"░", '-'}, {"·", '.'},
	{"│", '|'}, {"├", '|'}, {"└", '`'}, {"─", '-'}, {"…", '~'},
};

struct screen_cell {
	uint8_t character; /* ASCII, or a number of the table */
	uint8_t style;
};

static const struct screen_cell blank = {' ', SCREEN_NORMAL};

struct screen {
	size_t rows, columns;
	bool is_utf8;
	bool is_known;            /* the terminal shows `shown`; else anything */
	struct screen_cell *drawn, *shown; /* rows * columns */
};

/* Where the terminal is while bytes for it are made. */
struct screen_pen {
	struct buffer *to;
	bool is_placed;           /* `row` and `column` are those of the cursor */
	size_t row, column;
	unsigned style;
};

static bool cells_are_equal(struct screen_cell a, struct screen_cell b)
{
	return a.character == b.character && a.style == b.style;
}

static size_t clamp(size_t size, size_t max)
{
	return size < 1 ? 1 : size > max ? max : size;
}

static void cells_blank(struct screen_cell *cell, size_t count)
{
	for (size_t i = 0; i < count; i++)
		cell[i] = blank;
}

struct screen *screen_new(size_t rows, size_t columns, bool is_utf8)
{
	struct screen *screen = xcalloc(1, sizeof(*screen));

	screen->is_utf8 = is_utf8;
	screen_resize(screen, rows, columns);
	return screen;
}

void screen_freep(struct screen **screen)
{
	if (!*screen)
		return;
	free((*screen)->drawn);
	free((*screen)->shown);
	free(*screen);
	*screen = NULL;
}

void screen_resize(struct screen *screen, size_t rows, size_t columns)
{
	screen->rows = clamp(rows, SCREEN_ROWS_MAX);
	screen->columns = clamp(columns, SCREEN_COLUMNS_MAX);
	screen->drawn = xreallocarray(screen->drawn, screen->rows * screen->columns,
	                              sizeof(*screen->drawn));
	screen->shown = xreallocarray(screen->shown, screen->rows * screen->columns,
	                              sizeof(*screen->shown));
	screen_begin(screen);
	screen_forget(screen);
}

void screen_forget(struct screen *screen)
{
	screen->is_known = false;
}

size_t screen_rows(const struct screen *screen)
{
	return screen->rows;
}

size_t screen_columns(const struct screen *screen)
{
	return screen->columns;
}

void screen_begin(struct screen *screen)
{
	cells_blank(screen->drawn, screen->rows * screen->columns);
}

/* What a cell shows of the character at the begin of `text`; *ret_bytes: how long that is. */
static uint8_t character_of(const struct screen *screen, const char *text, size_t *ret_bytes)
{
	unsigned char first = (unsigned char)*text;

	*ret_bytes = utf8_sequence_bytes(text, strnlen(text, 4));
	if (*ret_bytes <= 1) {
		*ret_bytes = 1;
		return first >= 0x20 && first < 0x7f ? first : '?';
	}
	for (size_t i = 0; i < ARRAY_SIZE(characters); i++)
		if (strncmp(text, characters[i].utf8, *ret_bytes) == 0)
			return screen->is_utf8 ? (uint8_t)(CHARACTER_FIRST + i)
			                       : (uint8_t)characters[i].ascii;
	return '?';
}

/* Cuts a stretch of a row to what is on the screen. */
static size_t columns_inside(const struct screen *screen, size_t row, size_t column, size_t columns)
{
	if (row >= screen->rows || column >= screen->columns)
		return 0;
	return columns < screen->columns - column ? columns : screen->columns - column;
}

size_t screen_put(struct screen *screen, size_t row, size_t column, size_t columns, unsigned style,
                  const char *text)
{
	size_t room = columns_inside(screen, row, column, columns), taken = 0, bytes;

	for (; taken < room && *text; taken++, text += bytes)
		screen->drawn[row * screen->columns + column + taken] = (struct screen_cell){
			character_of(screen, text, &bytes), (uint8_t)style};
	return taken;
}

void screen_add_style(struct screen *screen, size_t row, size_t column, size_t columns,
                      unsigned style)
{
	size_t room = columns_inside(screen, row, column, columns);

	for (size_t i = 0; i < room; i++)
		screen->drawn[row * screen->columns + column + i].style |= (uint8_t)style;
}

static void pen_set_style(struct screen_pen *pen, unsigned style)
{
	static const struct {
		unsigned style;
		const char *parameter;
	} parameters[] = {
		{SCREEN_BOLD, "1"}, {SCREEN_DIM, "2"}, {SCREEN_REVERSE, "7"}, {SCREEN_RED, "31"},
	};
	bool is_first = true;
	unsigned has = pen->style;

	if (style == has)
		return;
	buffer_puts(pen->to, "\033[");
	/* no parameter resets all; as the first of several it must be written */
	if (has & ~style) {
		has = SCREEN_NORMAL;
		if (style != SCREEN_NORMAL) {
			buffer_putc(pen->to, '0');
			is_first = false;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(parameters); i++) {
		if (!(style & ~has & parameters[i].style))
			continue;
		if (!is_first)
			buffer_putc(pen->to, ';');
		buffer_puts(pen->to, parameters[i].parameter);
		is_first = false;
	}
	buffer_putc(pen->to, 'm');
	pen->style = style;
}

static void pen_put(struct screen_pen *pen, const struct screen *screen, struct screen_cell cell)
{
	pen_set_style(pen, cell.style);
	if (cell.character >= CHARACTER_FIRST)
		buffer_puts(pen->to, characters[cell.character - CHARACTER_FIRST].utf8);
	else
		buffer_putc(pen->to, (char)cell.character);
	/* behind the last column terminals differ: some are in the next line, others are not */
	if (++pen->column == screen->columns)
		pen->is_placed = false;
}

/* Whether the cells from the pen to that column can be sent again at less cost than a move. */
static bool gap_is_cheap(const struct screen_pen *pen, const struct screen_cell *row, size_t column)
{
	if (column - pen->column > GAP_MAX)
		return false;
	for (size_t i = pen->column; i < column; i++)
		if (row[i].style != pen->style || row[i].character >= CHARACTER_FIRST)
			return false;
	return true;
}

static void pen_move(struct screen_pen *pen, const struct screen *screen, size_t row, size_t column)
{
	const struct screen_cell *cells = screen->drawn + row * screen->columns;

	if (!pen->is_placed || pen->row != row || pen->column > column) {
		buffer_printf(pen->to, "\033[%zu", row + 1);
		if (column > 0)
			buffer_printf(pen->to, ";%zu", column + 1);
		buffer_putc(pen->to, 'H');
	} else if (gap_is_cheap(pen, cells, column)) {
		while (pen->column < column)
			pen_put(pen, screen, cells[pen->column]);
	} else {
		buffer_puts(pen->to, "\033[");
		if (column - pen->column > 1)
			buffer_printf(pen->to, "%zu", column - pen->column);
		buffer_putc(pen->to, 'C');
	}
	pen->is_placed = true;
	pen->row = row;
	pen->column = column;
}

static void row_flush(struct screen *screen, size_t row, struct screen_pen *pen)
{
	const struct screen_cell *drawn = screen->drawn + row * screen->columns;
	const struct screen_cell *shown = screen->shown + row * screen->columns;
	size_t end = screen->columns; /* behind it all is blank */

	while (end > 0 && cells_are_equal(drawn[end - 1], blank))
		end--;
	for (size_t column = 0; column < screen->columns; column++) {
		if (cells_are_equal(drawn[column], shown[column]))
			continue;
		pen_move(pen, screen, row, column);
		if (column >= end) {
			pen_set_style(pen, SCREEN_NORMAL);
			buffer_puts(pen->to, "\033[K");
			break;
		}
		pen_put(pen, screen, drawn[column]);
	}
}

void screen_flush(struct screen *screen, struct buffer *to)
{
	struct screen_pen pen = {.to = to};
	size_t count = screen->rows * screen->columns;

	if (!screen->is_known) {
		buffer_puts(to, "\033[m\033[H\033[2J");
		cells_blank(screen->shown, count);
		screen->is_known = true;
	}
	for (size_t row = 0; row < screen->rows; row++)
		row_flush(screen, row, &pen);
	pen_set_style(&pen, SCREEN_NORMAL);
	memcpy(screen->shown, screen->drawn, count * sizeof(*screen->shown));
}
