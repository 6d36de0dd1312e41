/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_screen.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "keys.h"
#include "present/text/text_fold.h"
#include "top_words.h"

/* Which columns of `ftwait top` a terminal has room for, and where. */

/* From left to right. */
enum top_column {
	TOP_COLUMN_WAITING,
	TOP_COLUMN_QUEUED,
	TOP_COLUMN_RUNNING,
	TOP_COLUMN_WAITS,
	TOP_COLUMN_LONGEST,
	TOP_COLUMN_NAME,
	TOP_COLUMN_FOR,
	TOP_COLUMN_BEHIND,
	TOP_COLUMN_COUNT,
};

struct top_columns {
	size_t at[TOP_COLUMN_COUNT];
	size_t width[TOP_COLUMN_COUNT]; /* 0: left out */
};

#define WAITS_COLUMNS  6  /* "99,999" */
#define NAME_COLUMNS   11
#define NAME_NARROW    7  /* on a terminal of less than NARROW columns */
#define NARROW         28
#define FOR_COLUMNS    12
#define BEHIND_COLUMNS 8

static size_t column_least(enum top_column column, size_t columns)
{
	static const size_t least[TOP_COLUMN_COUNT] = {
		[TOP_COLUMN_WAITING] = TOP_TIME_COLUMNS, [TOP_COLUMN_QUEUED] = TOP_TIME_COLUMNS,
		[TOP_COLUMN_RUNNING] = TOP_TIME_COLUMNS, [TOP_COLUMN_WAITS] = WAITS_COLUMNS,
		[TOP_COLUMN_LONGEST] = TOP_TIME_COLUMNS, [TOP_COLUMN_NAME] = NAME_COLUMNS,
		[TOP_COLUMN_FOR] = FOR_COLUMNS,          [TOP_COLUMN_BEHIND] = BEHIND_COLUMNS,
	};

	return column == TOP_COLUMN_NAME && columns < NARROW ? NAME_NARROW : least[column];
}

/* The widest useful column of names: a comm has 15 bytes, with the tid 25; paths are longer. */
static size_t name_most(enum top_by by)
{
	static const size_t most[] = {
		[TOP_BY_COMM] = 15, [TOP_BY_TASK] = 25, [TOP_BY_CGROUP] = 60,
	};

	assert(by < ARRAY_SIZE(most));
	return most[by];
}

/* Widens a column by at most `room`, up to `most`; returns what is left of the room. */
static size_t column_widen(size_t *width, size_t room, size_t share, size_t most)
{
	size_t more = *width < most ? most - *width : 0;

	if (more > share)
		more = share;
	if (*width == 0)
		more = 0;
	*width += more;
	return room - more;
}

/* Divides the room that is left among the texts: the cause has most to say. */
static void texts_widen(struct top_columns *fit, size_t room, enum top_by by)
{
	size_t *width = fit->width, name_share = width[TOP_COLUMN_FOR] ? room / 2 : room;
	size_t behind_share = room / 4;
	size_t behind_most = name_most(by == TOP_BY_TASK ? TOP_BY_TASK : TOP_BY_COMM);

	room = column_widen(&width[TOP_COLUMN_NAME], room, name_share, name_most(by));
	room = column_widen(&width[TOP_COLUMN_BEHIND], room, behind_share, behind_most);
	if (width[TOP_COLUMN_FOR])
		width[TOP_COLUMN_FOR] += room;
}

/*
 * The columns depend only on the width of the terminal and on what rows are, not on what is in
 * them: they do not move from shot to shot.
 */
static struct top_columns top_columns_fit(size_t columns, enum top_by by)
{
	/* most important first */
	static const enum top_column order[] = {
		TOP_COLUMN_WAITING, TOP_COLUMN_NAME,  TOP_COLUMN_FOR,    TOP_COLUMN_LONGEST,
		TOP_COLUMN_BEHIND,  TOP_COLUMN_WAITS, TOP_COLUMN_QUEUED, TOP_COLUMN_RUNNING,
	};
	struct top_columns fit = {0};
	size_t taken = 0, at = 0;

	_Static_assert(ARRAY_SIZE(order) == TOP_COLUMN_COUNT, "all of them");
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		size_t least = column_least(order[i], columns) + (taken > 0);

		if (taken + least > columns)
			break;
		fit.width[order[i]] = least - (taken > 0);
		taken += least;
	}
	texts_widen(&fit, columns - taken, by);
	for (size_t i = 0; i < TOP_COLUMN_COUNT; i++) {
		fit.at[i] = at;
		if (fit.width[i])
			at += fit.width[i] + 1;
	}
	return fit;
}

#define NOWHERE SIZE_MAX

#define LABEL_COLUMNS 60 /* from so many columns on the lines on one thing have labels */
#define SHORT_COLUMNS 40 /* below it is in short */
#define FOOT_COLUMNS  79 /* of the keys in full, but for help */

#define LINE_MAX_BYTES 4096

struct top_screen {
	struct top_view view;
	struct top_pane pane;
	bool is_utf8, is_paused;
	bool is_editing; /* the filter */
	struct buffer said;
	size_t first;    /* in view.shown, of the rows on the screen */
	size_t page;     /* rows that the last drawing had room for */
};

static const char help[] =
	"Each row is what tasks of one name did in the last interval:\n"
	"  WAITING  off the CPU, unable to run; without sleeps that the task chose\n"
	"  QUEUED   able to run, but not running\n"
	"  RUNNING  on a CPU\n"
	"  WAITS    how many waits that was\n"
	"  LONGEST  the longest of them\n"
	"  FOR      what most of the waiting was for, and how many waits\n"
	"  BEHIND   the task that most of that was spent behind\n"
	"LONGEST above is the longest wait of all that has not ended.\n"
	"\n"
	"q, F10       quit\n"
	"p, blank     pause: the screen stays, the recording goes on\n"
	"s, >, <      sort by the next column, or the one before\n"
	"/            filter by name, cause, task behind; Enter keeps it, Esc drops it\n"
	"t            rows are tasks, control groups, or names of tasks\n"
	"up, down, PgUp, PgDn, Home, End\n"
	"             select a row; the selection stays on it. Esc ends it\n"
	"Enter        what the row waited for, in chains; Enter there browses it\n"
	"+, -         longer or shorter intervals\n"
	"w            save the last 30 s as a recording, ftwait-HHMMSS.dat\n"
	"Ctrl-L       draw all again\n"
	"h, ?, F1     this help\n";

struct top_screen *top_screen_new(enum top_sort sort, bool is_utf8)
{
	struct top_screen *top = xcalloc(1, sizeof(*top));

	top_view_init(&top->view);
	top_pane_init(&top->pane);
	buffer_init(&top->said, LINE_MAX_BYTES);
	top->is_utf8 = is_utf8;
	top_view_set_sort(&top->view, sort);
	return top;
}

void top_screen_freep(struct top_screen **top)
{
	if (!*top)
		return;
	top_view_release(&(*top)->view);
	top_pane_release(&(*top)->pane);
	buffer_release(&(*top)->said);
	free(*top);
	*top = NULL;
}

void top_screen_take(struct top_screen *top, const struct top_shot *shot)
{
	if (!top->is_paused)
		top_view_take(&top->view, shot);
}

bool top_screen_selected(const struct top_screen *top, struct top_selected *ret)
{
	if (!top->view.has_selection)
		return false;
	*ret = (struct top_selected){top->view.selected, top->view.selected_tid, top->view.by};
	return true;
}

bool top_screen_is_paused(const struct top_screen *top)
{
	return top->is_paused;
}

void top_screen_say(struct top_screen *top, const char *text)
{
	buffer_clear(&top->said);
	buffer_puts_clean(&top->said, text, strlen(text));
}

void top_screen_show(struct top_screen *top, const char *title, const char *text)
{
	top_pane_open(&top->pane, title, text, "browse it");
}

/* Keys */

static void filter_edit(struct top_screen *top, int key)
{
	char text[TOP_FILTER_MAX];
	size_t length = strlen(top->view.filter);

	memcpy(text, top->view.filter, sizeof(text));
	if (key == KEY_ENTER) {
		top->is_editing = false;
	} else if (key == KEY_ESCAPE) {
		top->is_editing = false;
		top_view_set_filter(&top->view, "");
	} else if (key == KEY_BACKSPACE && length > 0) {
		text[length - 1] = '\0';
		top_view_set_filter(&top->view, text);
	} else if (key >= ' ' && key < 0x7f && length + 1 < sizeof(text)) {
		text[length] = (char)key;
		text[length + 1] = '\0';
		top_view_set_filter(&top->view, text);
	}
}

static void sort_move(struct top_screen *top, unsigned by)
{
	top_view_set_sort(&top->view,
	                  (enum top_sort)(((unsigned)top->view.sort + by) % TOP_SORT_COUNT));
}

/* The first key of these selects the first row that is on the screen. */
static void selection_move(struct top_screen *top, int key)
{
	struct top_view *view = &top->view;
	size_t at = view->selected_at, page = top->page ? top->page : 1;

	if (key == KEY_HOME)
		at = 0;
	else if (key == KEY_END)
		at = view->shown_count;
	else if (!view->has_selection)
		at = top->first;
	else if (key == KEY_UP)
		at -= at > 0;
	else if (key == KEY_DOWN)
		at++;
	else if (key == KEY_PAGE_UP)
		at -= at < page ? at : page;
	else
		at += page;
	top_view_select(view, at);
}

static enum top_request chain_request(struct top_screen *top)
{
	if (!top->view.has_selection)
		top_view_select(&top->view, top->first);
	return top->view.has_selection ? TOP_REQUEST_CHAIN : TOP_REQUEST_NONE;
}

/* Keys that only change the screen. */
static void own_key(struct top_screen *top, int key)
{
	switch (key) {
	case 'p':
	case ' ':
		top->is_paused = !top->is_paused;
		break;
	case 's':
	case '>':
		sort_move(top, 1);
		break;
	case '<':
		sort_move(top, TOP_SORT_COUNT - 1);
		break;
	case '/':
		top->is_editing = true;
		break;
	case 'h':
	case '?':
	case KEY_F1:
		top_pane_open(&top->pane, "ftwait top: help", help, NULL);
		break;
	case KEY_UP:
	case KEY_DOWN:
	case KEY_PAGE_UP:
	case KEY_PAGE_DOWN:
	case KEY_HOME:
	case KEY_END:
		selection_move(top, key);
		break;
	case KEY_ESCAPE:
		top_view_unselect(&top->view);
		break;
	default:
		break;
	}
}

static enum top_request main_key(struct top_screen *top, int key)
{
	switch (key) {
	case 'q':
	case KEY_F10:
		return TOP_REQUEST_QUIT;
	case 't':
		return TOP_REQUEST_BY_NEXT;
	case 'w':
		return TOP_REQUEST_SAVE;
	case '+':
		return TOP_REQUEST_LONGER;
	case '-':
		return TOP_REQUEST_SHORTER;
	case KEY_ENTER:
		return chain_request(top);
	default:
		own_key(top, key);
		return TOP_REQUEST_NONE;
	}
}

enum top_request top_screen_key(struct top_screen *top, int key)
{
	if (key == KEY_NONE)
		return TOP_REQUEST_NONE;
	if (!top->is_editing) /* what is typed hides it */
		buffer_clear(&top->said);
	if (key == KEY_CTRL_C)
		return TOP_REQUEST_QUIT;
	if (key == KEY_CTRL_L)
		return TOP_REQUEST_REDRAW;
	if (top->pane.is_open && key == KEY_F10)
		return TOP_REQUEST_QUIT;
	if (top->pane.is_open && key == 'w')
		return TOP_REQUEST_SAVE;
	if (top->pane.is_open && top->pane.enter && key == KEY_ENTER)
		return TOP_REQUEST_BROWSE;
	if (top->pane.is_open)
		top_pane_key(&top->pane, key);
	else if (top->is_editing)
		filter_edit(top, key);
	else
		return main_key(top, key);
	return TOP_REQUEST_NONE;
}

/* Drawing */

/* Lines of the screen, from above; NOWHERE: left out. */
struct top_lines {
	size_t title, rate, queue, longest, requests, message, head, rows, row_count, foot;
};

static size_t line_take(size_t *next, bool is_wanted)
{
	return is_wanted ? (*next)++ : NOWHERE;
}

static struct top_lines lines_fit(size_t rows, bool has_requests)
{
	size_t next = 0;
	struct top_lines lines = {0};

	lines.title = line_take(&next, rows >= 6);
	lines.rate = line_take(&next, rows >= 8);
	lines.queue = line_take(&next, rows >= 9);
	lines.longest = line_take(&next, true);
	lines.requests = line_take(&next, has_requests && rows >= 14);
	lines.message = line_take(&next, rows >= 12);
	lines.head = line_take(&next, rows >= 3);
	lines.rows = next;
	lines.foot = rows >= 7 ? rows - 1 : NOWHERE;
	lines.row_count = rows - next - (rows >= 7);
	return lines;
}

/* Draws a text of so many columns at most; what it is cut to ends with the ellipsis. Returns the
   columns it took. */
static size_t text_draw(struct screen *screen, size_t row, size_t column, size_t columns,
                        unsigned style, enum text_form form, const char *text)
{
	_cleanup_(buffer_release) struct buffer whole = buffer_of(LINE_MAX_BYTES);
	_cleanup_(buffer_release) struct buffer cut = buffer_of(LINE_MAX_BYTES);

	buffer_puts(&whole, text);
	text_make_ascii(whole.text);
	text_cut_append(&cut, whole.text, form, columns, "~");
	return screen_put(screen, row, column, columns, style, cut.text);
}

/* The path of a control group: what distinguishes it is its end. */
static size_t path_draw(struct screen *screen, size_t row, size_t column, size_t columns,
                        unsigned style, const char *path)
{
	_cleanup_(buffer_release) struct buffer shown = buffer_of(LINE_MAX_BYTES);

	buffer_puts(&shown, path);
	text_make_ascii(shown.text);
	shown.length = strlen(shown.text);
	if (columns == 0 || shown.length <= columns)
		return screen_put(screen, row, column, columns, style, shown.text);
	shown.text[shown.length - columns] = '~';
	return screen_put(screen, row, column, columns, style, shown.text + shown.length - columns);
}

/* A line of the head, from its begin. */
static void head_draw(const struct top_screen *top, struct screen *screen, size_t row, size_t place)
{
	(void)text_draw(screen, row, 0, screen_columns(screen), SCREEN_NORMAL, TEXT_WORDS,
	                top_view_text(&top->view, place));
}

/* The clock, and whether the screen is paused, are at the right if there is room for both. */
static void title_draw(const struct top_screen *top, struct screen *screen, size_t row)
{
	const char *title = top_view_text(&top->view, top->view.title);
	const char *clock = top_view_text(&top->view, top->view.clock);
	size_t columns = screen_columns(screen), paused = top->is_paused ? strlen("paused  ") : 0;
	size_t right = paused + strlen(clock);

	if (strlen(title) + 2 + right > columns) {
		clock = "";
		right = top->is_paused ? strlen("paused") : 0;
	}
	if (right > columns)
		return;
	if (top->is_paused)
		(void)screen_put(screen, row, columns - right, strlen("paused"), SCREEN_REVERSE,
		                 "paused");
	(void)screen_put(screen, row, columns - strlen(clock), columns, SCREEN_NORMAL, clock);
	if (right > 0)
		right++;
	if (columns > right)
		(void)text_draw(screen, row, 0, columns - right, SCREEN_BOLD, TEXT_WORDS, title);
}

/* Losses make the rest doubtful. A narrow screen has room for one half, the kinds or the
   losses. */
static void rate_draw(const struct top_screen *top, struct screen *screen, size_t row)
{
	const char *text = top_view_text(&top->view, top->view.rate), *kinds;

	if (screen_columns(screen) < LABEL_COLUMNS && !top->view.has_lost) {
		kinds = strstr(text, "| ");
		text = kinds ? kinds + strlen("| ") : text;
	}
	(void)text_draw(screen, row, 0, screen_columns(screen),
	                top->view.has_lost ? SCREEN_BOLD | SCREEN_RED : SCREEN_NORMAL, TEXT_WORDS,
	                text);
}

/* As much of the trend as there is room for behind the text. */
static void queue_draw(const struct top_screen *top, struct screen *screen, size_t row)
{
	const struct top_view *view = &top->view;
	const char *text = top_view_text(view, view->queue);
	size_t columns = screen_columns(screen), taken = strlen(text) + strlen(" ||");
	struct top_shot shot = {.trend_count = view->trend_count};
	_cleanup_(buffer_release) struct buffer trend = {0};

	head_draw(top, screen, row, view->queue);
	if (taken >= columns)
		return;
	buffer_init(&trend, LINE_MAX_BYTES);
	memcpy(shot.trend, view->trend, sizeof(shot.trend));
	top_trend_append(&trend, &shot, columns - taken, top->is_utf8);
	(void)screen_put(screen, row, strlen(text) + 1, columns, SCREEN_NORMAL, trend.text);
}

static void longest_draw(const struct top_screen *top, struct screen *screen, size_t row)
{
	static const char label[] = "LONGEST  ";
	const struct top_view *view = &top->view;
	size_t columns = screen_columns(screen), at = 0;
	/* without a title nothing else shows it */
	bool is_paused = top->is_paused && row == 0;

	if (columns >= LABEL_COLUMNS)
		at = screen_put(screen, row, 0, columns, SCREEN_BOLD, label);
	(void)text_draw(screen, row, at, columns - at, SCREEN_NORMAL, TEXT_WORDS,
	                top_view_text(view, columns < SHORT_COLUMNS ? view->longest_short
	                                                            : view->longest));
	if (is_paused)
		screen_add_style(screen, row, 0, columns, SCREEN_REVERSE);
}

static void requests_draw(const struct top_screen *top, struct screen *screen, size_t row)
{
	size_t columns = screen_columns(screen), at = 0;

	if (columns >= LABEL_COLUMNS)
		at = screen_put(screen, row, 0, columns, SCREEN_BOLD, "REQUESTS  ");
	(void)text_draw(screen, row, at, columns - at, SCREEN_NORMAL, TEXT_WORDS,
	                top_view_text(&top->view, top->view.requests));
}

static void figure_draw(struct screen *screen, size_t row, const struct top_columns *fit,
                        enum top_column column, unsigned style, const char *text)
{
	size_t width = fit->width[column], length = strlen(text);

	if (width > 0)
		(void)screen_put(screen, row,
		                 fit->at[column] + (length < width ? width - length : 0), width,
		                 style, text);
}

static void table_head_draw(const struct top_screen *top, struct screen *screen, size_t row,
                            const struct top_columns *fit)
{
	static const struct {
		const char *head; /* NULL: by what rows are */
		int sort;         /* -1: by no order */
	} heads[TOP_COLUMN_COUNT] = {
		[TOP_COLUMN_WAITING] = {"WAITING", TOP_SORT_WAITING},
		[TOP_COLUMN_QUEUED] = {"QUEUED", TOP_SORT_QUEUED},
		[TOP_COLUMN_RUNNING] = {"RUNNING", TOP_SORT_RUNNING},
		[TOP_COLUMN_WAITS] = {"WAITS", TOP_SORT_WAITS},
		[TOP_COLUMN_LONGEST] = {"LONGEST", TOP_SORT_LONGEST},
		[TOP_COLUMN_NAME] = {NULL, TOP_SORT_NAME},
		[TOP_COLUMN_FOR] = {"FOR", -1},
		[TOP_COLUMN_BEHIND] = {"BEHIND", -1},
	};

	for (size_t i = 0; i < TOP_COLUMN_COUNT; i++) {
		const char *head = heads[i].head ? heads[i].head : top_name_head(top->view.by);
		bool is_sort = heads[i].sort == (int)top->view.sort;
		unsigned style = is_sort ? SCREEN_BOLD | SCREEN_REVERSE : SCREEN_BOLD;

		if (i < TOP_COLUMN_NAME)
			figure_draw(screen, row, fit, (enum top_column)i, style, head);
		else
			(void)screen_put(screen, row, fit->at[i], fit->width[i], style, head);
	}
}

static void time_draw(struct screen *screen, size_t row, const struct top_columns *fit,
                      enum top_column column, unsigned style, nsec_t time)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(LINE_MAX_BYTES);

	top_time_append(&text, time);
	figure_draw(screen, row, fit, column, style, text.text);
}

/* "99,999", "123k", "12M": never wider than the column. */
static void waits_draw(struct screen *screen, size_t row, const struct top_columns *fit,
                       unsigned style, uint64_t waits)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(LINE_MAX_BYTES);

	if (waits < 100000) {
		buffer_puts(&text, COUNT_TEXT(waits));
	} else {
		bool is_million = waits >= 10000000;

		buffer_put_u64(&text, is_million ? waits / 1000000 : waits / 1000);
		buffer_putc(&text, is_million ? 'M' : 'k');
	}
	figure_draw(screen, row, fit, TOP_COLUMN_WAITS, style, text.text);
}

static void row_draw(const struct top_screen *top, struct screen *screen, size_t row,
                     const struct top_columns *fit, size_t at)
{
	const struct top_view *view = &top->view;
	const struct top_view_row *it = top_view_row(view, at);
	unsigned style = it->is_kernel ? SCREEN_DIM : SCREEN_NORMAL;
	const struct {
		enum top_column column;
		enum text_form form;
		size_t text;
	} texts[] = {
		{TOP_COLUMN_NAME, TEXT_NAME, it->name},
		{TOP_COLUMN_FOR, TEXT_CAUSE,
		 fit->width[TOP_COLUMN_BEHIND] ? it->waited_for_beside : it->waited_for},
		{TOP_COLUMN_BEHIND, TEXT_NAME, it->behind},
	};

	time_draw(screen, row, fit, TOP_COLUMN_WAITING, style, it->waiting);
	time_draw(screen, row, fit, TOP_COLUMN_QUEUED, style, it->queued);
	time_draw(screen, row, fit, TOP_COLUMN_RUNNING, style, it->running);
	waits_draw(screen, row, fit, style, it->waits);
	time_draw(screen, row, fit, TOP_COLUMN_LONGEST, style, it->longest);
	for (size_t i = view->by == TOP_BY_CGROUP ? 1 : 0; i < ARRAY_SIZE(texts); i++)
		(void)text_draw(screen, row, fit->at[texts[i].column], fit->width[texts[i].column],
		                style, texts[i].form, top_view_text(view, texts[i].text));
	if (view->by == TOP_BY_CGROUP)
		(void)path_draw(screen, row, fit->at[TOP_COLUMN_NAME], fit->width[TOP_COLUMN_NAME],
		                style, top_view_text(view, it->name));
	if (view->is_selected_shown && view->selected_at == at)
		screen_add_style(screen, row, 0, screen_columns(screen), SCREEN_REVERSE);
}

/* Moves the rows that are on the screen so that the selected one is among them. */
static void rows_scroll(struct top_screen *top, size_t page)
{
	const struct top_view *view = &top->view;
	size_t last = view->shown_count > page ? view->shown_count - page : 0;

	top->page = page;
	if (!view->has_selection)
		top->first = 0;
	if (view->is_selected_shown && view->selected_at < top->first)
		top->first = view->selected_at;
	if (view->is_selected_shown && view->selected_at >= top->first + page)
		top->first = view->selected_at - page + 1;
	if (top->first > last)
		top->first = last;
}

static void rows_draw(struct top_screen *top, struct screen *screen, const struct top_lines *lines)
{
	struct top_columns fit = top_columns_fit(screen_columns(screen), top->view.by);

	rows_scroll(top, lines->row_count);
	if (lines->head != NOWHERE)
		table_head_draw(top, screen, lines->head, &fit);
	if (top->view.row_count == 0 && lines->row_count > 0)
		head_draw(top, screen, lines->rows, top->view.none);
	for (size_t i = 0; i < lines->row_count && top->first + i < top->view.shown_count; i++)
		row_draw(top, screen, lines->rows + i, &fit, top->first + i);
}

/* Appends what is to be said, if anything. `is_brief`: it would hide a row. */
static void message_append(const struct top_screen *top, bool is_brief, struct buffer *to)
{
	const struct top_view *view = &top->view;

	if (top->is_editing)
		buffer_printf(to, "filter: %s_", view->filter);
	else if (top->said.length > 0)
		buffer_puts(to, top->said.text);
	else if (is_brief)
		return;
	else if (*top_view_text(view, view->note))
		buffer_puts(to, top_view_text(view, view->note));
	else if (*view->filter)
		buffer_printf(to, "filter: %s (%zu of %zu rows)", view->filter, view->shown_count,
		              view->row_count);
}

static void message_put(struct screen *screen, size_t row, const char *text)
{
	size_t columns = screen_columns(screen);

	for (size_t column = 0; column < columns; column++)
		(void)screen_put(screen, row, column, 1, SCREEN_NORMAL, " ");
	(void)text_draw(screen, row, 0, columns, SCREEN_BOLD, TEXT_WORDS, text);
}

/* Over the last line of what else is shown. */
static void said_draw(const struct top_screen *top, struct screen *screen)
{
	if (top->said.length > 0)
		message_put(screen, screen_rows(screen) - 1, top->said.text);
}

/* It has a line of its own only where that costs no row; else it stands over the last line. */
static void message_draw(const struct top_screen *top, struct screen *screen,
                         const struct top_lines *lines)
{
	size_t row = lines->message != NOWHERE ? lines->message : screen_rows(screen) - 1;
	_cleanup_(buffer_release) struct buffer text = buffer_of(2 * LINE_MAX_BYTES);

	message_append(top, lines->message == NOWHERE && lines->foot == NOWHERE, &text);
	if (text.length > 0)
		message_put(screen, row, text.text);
}

/* A narrow screen begins with the key that shows all others. */
static void foot_draw(struct screen *screen, size_t row)
{
	static const char *const wide[] = {
		"q quit", "p pause", "s sort", "/ filter", "t tasks|cgroups", "Enter chain",
		"w save", "h help",
	};
	static const char *const narrow[] = {
		"q quit", "h help", "/ filter", "s sort", "t tasks", "w save", "p pause",
	};
	size_t column = 0, columns = screen_columns(screen);
	bool is_wide = columns >= FOOT_COLUMNS;
	size_t count = is_wide ? ARRAY_SIZE(wide) : ARRAY_SIZE(narrow);

	for (size_t i = 0; i < count; i++) {
		const char *key = is_wide ? wide[i] : narrow[i];

		if (column + strlen(key) > columns)
			break;
		column += screen_put(screen, row, column, columns, SCREEN_DIM, key) + 2;
	}
}

void top_screen_draw(struct top_screen *top, struct screen *screen)
{
	bool has_requests = *top_view_text(&top->view, top->view.requests);
	struct top_lines lines = lines_fit(screen_rows(screen), has_requests);

	if (top->pane.is_open) {
		top_pane_draw(&top->pane, screen);
		said_draw(top, screen);
		return;
	}
	screen_begin(screen);
	if (!top->view.has_shot) {
		(void)text_draw(screen, 0, 0, screen_columns(screen), SCREEN_NORMAL, TEXT_WORDS,
		                "ftwait top: the first interval has not ended yet");
		said_draw(top, screen);
		return;
	}
	if (lines.title != NOWHERE)
		title_draw(top, screen, lines.title);
	if (lines.rate != NOWHERE)
		rate_draw(top, screen, lines.rate);
	if (lines.queue != NOWHERE)
		queue_draw(top, screen, lines.queue);
	longest_draw(top, screen, lines.longest);
	if (lines.requests != NOWHERE)
		requests_draw(top, screen, lines.requests);
	rows_draw(top, screen, &lines);
	if (lines.foot != NOWHERE)
		foot_draw(screen, lines.foot);
	message_draw(top, screen, &lines);
}
