/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_pane.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

void top_pane_open(struct top_pane *pane, const char *title, const char *text)
{
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
		(void)screen_put(screen, rows - 1, 0, columns, SCREEN_DIM, keys);
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
