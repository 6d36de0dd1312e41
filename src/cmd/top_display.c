/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_display.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/text/buffer.h"
#include "base/monotonic.h"
#include "base/xalloc.h"
#include "live/keys.h"
#include "live/screen.h"
#include "cmd/top/raw_terminal.h"
#include "terminal.h"

/* How long after an escape byte more may come that makes it a sequence. */
#define ESCAPE_NS 60000000u

struct top_display {
	struct screen *screen;
	struct top_screen *top;
	enum top_sort sort;
	struct key_decoder keys;
	nsec_t escape_at; /* when the last byte came */
	int epoll_fd;     /* of the keyboard and of news */
};

static void display_watch(const struct top_display *display, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

	(void)epoll_ctl(display->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

struct top_display *top_display_new(enum top_sort sort)
{
	struct top_display *display = xcalloc(1, sizeof(*display));

	display->sort = sort;
	display->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	return display;
}

bool top_display_begin(struct top_display *display)
{
	bool is_utf8 = terminal_has_utf8();
	size_t rows, columns;

	if (!raw_terminal_begin())
		return false;
	raw_terminal_size(&rows, &columns);
	display->screen = screen_new(rows, columns, is_utf8);
	display->top = top_screen_new(display->sort, is_utf8);
	display_watch(display, raw_terminal_keyboard());
	display_watch(display, raw_terminal_news_fd());
	return true;
}

bool top_display_is_on(const struct top_display *display)
{
	return display && display->screen;
}

struct top_display *top_display_end(struct top_display *display)
{
	if (!display)
		return NULL;
	if (top_display_is_on(display))
		raw_terminal_end();
	screen_freep(&display->screen);
	top_screen_freep(&display->top);
	(void)close(display->epoll_fd);
	free(display);
	return NULL;
}

int top_display_fd(const struct top_display *display)
{
	return display ? display->epoll_fd : -1;
}

struct top_screen *top_display_screen(struct top_display *display)
{
	return display->top;
}

/* A slow line that has not sent the last drawing yet gets the next one instead. */
static void display_draw(struct top_display *display)
{
	struct buffer bytes;

	if (!raw_terminal_is_ready())
		return;
	buffer_init(&bytes, SCREEN_BYTES_MAX);
	top_screen_draw(display->top, display->screen);
	screen_flush(display->screen, &bytes);
	(void)raw_terminal_write(bytes.text, bytes.length);
	buffer_release(&bytes);
}

void top_display_take(struct top_display *display, const struct top_shot *shot)
{
	top_screen_take(display->top, shot);
	display_draw(display);
}

void top_display_say(struct top_display *display, const char *text)
{
	top_screen_say(display->top, text);
	display_draw(display);
}

/* False: the terminal asks for the end. */
static bool display_take_news(struct top_display *display)
{
	struct raw_terminal_news news = raw_terminal_news();
	size_t rows, columns;

	if (news.is_resized || news.is_resumed) {
		raw_terminal_size(&rows, &columns);
		screen_resize(display->screen, rows, columns);
		screen_forget(display->screen);
	}
	return news.ended_by == 0;
}

/* The next key; KEY_NONE: none so far; -1: the terminal is gone. */
static int display_key(struct top_display *display)
{
	struct pollfd keyboard = {.fd = raw_terminal_keyboard(), .events = POLLIN};
	unsigned char byte;
	ssize_t got;
	int key;

	while (poll(&keyboard, 1, 0) > 0) {
		got = read(keyboard.fd, &byte, 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -1;
		display->escape_at = monotonic_now();
		key = key_decode(&display->keys, byte);
		if (key != KEY_NONE)
			return key;
	}
	if (key_is_pending(&display->keys) && monotonic_now() - display->escape_at > ESCAPE_NS)
		return key_timeout(&display->keys);
	return KEY_NONE;
}

enum top_request top_display_next(struct top_display *display)
{
	enum top_request request;
	int key;

	if (!display_take_news(display))
		return TOP_REQUEST_QUIT;
	while ((key = display_key(display)) != KEY_NONE) {
		if (key < 0)
			return TOP_REQUEST_QUIT;
		request = top_screen_key(display->top, key);
		if (request == TOP_REQUEST_REDRAW)
			screen_forget(display->screen);
		else if (request != TOP_REQUEST_NONE)
			return request;
	}
	display_draw(display);
	return TOP_REQUEST_NONE;
}
