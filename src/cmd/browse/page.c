/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "page.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "ftwait/report.h"
#include "live/keys.h"

void page_init(struct page *page)
{
	*page = (struct page){.cursor = SIZE_MAX};
	buffer_init(&page->filter, 200);
}

void page_release(struct page *page)
{
	free(page->bytes);
	free(page->line);
	free(page->shown);
	buffer_release(&page->filter);
}

static const struct page_line *line_shown(const struct page *page, size_t at)
{
	return &page->line[page->shown[at]];
}

static bool has_link(const struct page *page, size_t at)
{
	return at < page->shown_count && line_shown(page, at)->next;
}

/* The next line with a link; SIZE_MAX: none. */
static size_t link_from(const struct page *page, size_t at)
{
	while (at < page->shown_count && !has_link(page, at))
		at++;
	return at < page->shown_count ? at : SIZE_MAX;
}

static size_t link_before(const struct page *page, size_t at)
{
	while (at-- > 0)
		if (has_link(page, at))
			return at;
	return SIZE_MAX;
}

static size_t top_most(const struct page *page)
{
	return page->shown_count > page->rows ? page->shown_count - page->rows : 0;
}

static bool is_on_screen(const struct page *page, size_t at)
{
	return at != SIZE_MAX && at >= page->top && at - page->top < page->rows;
}

/* Scrolls as far as the line needs. */
static void reveal(struct page *page, size_t at)
{
	if (at == SIZE_MAX || page->rows == 0)
		return;
	if (at < page->top)
		page->top = at;
	else if (at - page->top >= page->rows)
		page->top = at - page->rows + 1;
}

static bool fits_filter(const struct page *page, const struct page_line *line)
{
	return page->filter.length == 0 || strcasestr(line->text, page->filter.text);
}

static void lines_choose(struct page *page)
{
	free(page->shown);
	page->shown = xcalloc(page->count + 1, sizeof(*page->shown));
	page->shown_count = 0;
	for (size_t i = 0; i < page->count; i++)
		if (fits_filter(page, &page->line[i]))
			page->shown[page->shown_count++] = i;
}

/* Cuts the bytes of a line into what is behind it, and its text. */
static void line_add(struct page *page, char *line)
{
	struct page_line *added = &ARRAY_ADD(page->line, page->count, page->capacity);
	char *end = *line == LINK_BEGIN ? strchr(line, LINK_END) : NULL;

	*added = (struct page_line){.text = line};
	if (!end)
		return;
	*end = '\0';
	added->next = line + 1;
	added->text = end + 1;
}

/* How many links there are before the line. */
static size_t links_before(const struct page *page, size_t at)
{
	size_t count = 0;

	for (size_t i = 0; i < at && i < page->shown_count; i++)
		count += has_link(page, i);
	return count;
}

static size_t link_number(const struct page *page, size_t number)
{
	size_t at = link_from(page, 0), last = at;

	while (at != SIZE_MAX && number-- > 0) {
		last = at;
		at = link_from(page, at + 1);
	}
	return at != SIZE_MAX ? at : last;
}

void page_take(struct page *page, const char *text, size_t length)
{
	bool is_first = !page->bytes;
	size_t number = page->cursor == SIZE_MAX ? 0 : links_before(page, page->cursor);
	char *line;

	free(page->bytes);
	page->bytes = xmalloc(length + 1);
	memcpy(page->bytes, text, length);
	page->bytes[length] = '\0';
	for (size_t i = 0; i < length; i++) /* a report has none */
		if (page->bytes[i] == '\0')
			page->bytes[i] = '?';
	page->count = 0;
	line = page->bytes;
	while (*line) {
		char *end = strchr(line, '\n');

		if (end)
			*end = '\0';
		line_add(page, line);
		line = end ? end + 1 : line + strlen(line);
	}
	lines_choose(page);
	page->cursor = link_number(page, number);
	if (is_first)
		page->top = 0;
	else
		reveal(page, page->cursor);
}

void page_set_filter(struct page *page, const char *text)
{
	size_t line = page->cursor == SIZE_MAX ? 0 : page->shown[page->cursor], at = 0;

	buffer_clear(&page->filter);
	buffer_puts(&page->filter, text);
	lines_choose(page);
	while (at < page->shown_count && page->shown[at] < line)
		at++;
	page->cursor = link_from(page, at);
	if (page->cursor == SIZE_MAX)
		page->cursor = link_before(page, page->shown_count);
	page->top = 0;
	reveal(page, page->cursor);
}

bool page_step(struct page *page, bool is_back)
{
	size_t to = page->cursor == SIZE_MAX ? SIZE_MAX
	            : is_back                ? link_before(page, page->cursor)
	                                     : link_from(page, page->cursor + 1);

	if (to == SIZE_MAX)
		return false;
	page->cursor = to;
	reveal(page, to);
	return true;
}

/* A key for one line: to the next link if that is on the screen, or comes onto it with the next
   line; else the text moves. */
static void line_down(struct page *page)
{
	size_t from = is_on_screen(page, page->cursor) ? page->cursor + 1 : page->top;
	size_t next = link_from(page, from);

	if (next == SIZE_MAX || !is_on_screen(page, next)) {
		if (page->top >= top_most(page))
			return;
		page->top++;
	}
	if (is_on_screen(page, next))
		page->cursor = next;
}

static void line_up(struct page *page)
{
	size_t from = is_on_screen(page, page->cursor) ? page->cursor : page->top + page->rows;
	size_t before = link_before(page, from < page->shown_count ? from : page->shown_count);

	if (before == SIZE_MAX || !is_on_screen(page, before)) {
		if (page->top == 0)
			return;
		page->top--;
	}
	if (is_on_screen(page, before))
		page->cursor = before;
}

static void pages_move(struct page *page, bool is_down)
{
	size_t step = page->rows > 1 ? page->rows - 1 : 1, most = top_most(page), link;

	if (is_down)
		page->top = page->top + step < most ? page->top + step : most;
	else
		page->top = page->top > step ? page->top - step : 0;
	link = link_from(page, page->top);
	if (is_on_screen(page, link))
		page->cursor = link;
}

bool page_key(struct page *page, int key)
{
	switch (key) {
	case KEY_DOWN:
	case 'j':
		line_down(page);
		return true;
	case KEY_UP:
	case 'k':
		line_up(page);
		return true;
	case KEY_PAGE_DOWN:
	case ' ':
		pages_move(page, true);
		return true;
	case KEY_PAGE_UP:
		pages_move(page, false);
		return true;
	case KEY_HOME:
		page->top = 0;
		page->cursor = link_from(page, 0);
		return true;
	case KEY_END:
		page->top = top_most(page);
		page->cursor = link_before(page, page->shown_count);
		return true;
	default:
		return false;
	}
}

const char *page_next(const struct page *page)
{
	return is_on_screen(page, page->cursor) ? line_shown(page, page->cursor)->next : NULL;
}

void page_draw(struct page *page, struct screen *screen, size_t row, size_t rows)
{
	size_t columns = screen_columns(screen);

	page->rows = rows;
	if (page->top > top_most(page))
		page->top = top_most(page);
	for (size_t i = 0; i < rows && page->top + i < page->shown_count; i++) {
		const struct page_line *line = line_shown(page, page->top + i);
		bool is_here = page->top + i == page->cursor && line->next;

		(void)screen_put(screen, row + i, 0, columns, SCREEN_NORMAL, is_here ? ">" : " ");
		(void)screen_put(screen, row + i, PAGE_GUTTER,
		                 columns > PAGE_GUTTER ? columns - PAGE_GUTTER : 0, SCREEN_NORMAL,
		                 line->text);
		if (is_here)
			screen_add_style(screen, row + i, 0, columns, SCREEN_REVERSE);
	}
}
