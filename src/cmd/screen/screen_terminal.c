/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen_terminal.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/text/buffer.h"
#include "cmd/terminal.h"
#include "raw_terminal.h"

/* How long after an escape byte more may come that makes it a sequence. */
#define ESCAPE_NS 60000000u

void screen_terminal_init(struct screen_terminal *terminal)
{
	*terminal = (struct screen_terminal){.epoll_fd = epoll_create1(EPOLL_CLOEXEC)};
}

void screen_terminal_watch(const struct screen_terminal *terminal, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

	(void)epoll_ctl(terminal->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

bool screen_terminal_begin(struct screen_terminal *terminal)
{
	size_t rows, columns;

	if (!raw_terminal_begin())
		return false;
	if (!terminal->screen) {
		raw_terminal_size(&rows, &columns);
		terminal->screen = screen_new(rows, columns, terminal_has_utf8());
	}
	screen_terminal_watch(terminal, raw_terminal_keyboard());
	screen_terminal_watch(terminal, raw_terminal_news_fd());
	return true;
}

/* The keyboard may stay open, so it is not left out by itself. */
void screen_terminal_lend(struct screen_terminal *terminal)
{
	(void)epoll_ctl(terminal->epoll_fd, EPOLL_CTL_DEL, raw_terminal_keyboard(), NULL);
	(void)epoll_ctl(terminal->epoll_fd, EPOLL_CTL_DEL, raw_terminal_news_fd(), NULL);
	raw_terminal_end();
}

void screen_terminal_end(struct screen_terminal *terminal)
{
	if (terminal->screen)
		raw_terminal_end();
	screen_freep(&terminal->screen);
	closep(&terminal->epoll_fd);
}

bool screen_terminal_take_news(struct screen_terminal *terminal)
{
	struct raw_terminal_news news = raw_terminal_news();
	size_t rows, columns;

	if (news.is_resized || news.is_resumed) {
		raw_terminal_size(&rows, &columns);
		screen_resize(terminal->screen, rows, columns);
		screen_forget(terminal->screen);
	}
	return news.ended_by == 0;
}

int screen_terminal_key(struct screen_terminal *terminal)
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
		terminal->escape_at = monotonic_now();
		key = key_decode(&terminal->keys, byte);
		if (key != KEY_NONE)
			return key;
	}
	if (key_is_pending(&terminal->keys) &&
	    monotonic_now() - terminal->escape_at > ESCAPE_NS)
		return key_timeout(&terminal->keys);
	return KEY_NONE;
}

bool screen_terminal_is_ready(void)
{
	return raw_terminal_is_ready();
}

void screen_terminal_flush(struct screen_terminal *terminal)
{
	_cleanup_(buffer_release) struct buffer bytes = buffer_of(SCREEN_BYTES_MAX);

	screen_flush(terminal->screen, &bytes);
	(void)raw_terminal_write(bytes.text, bytes.length);
}
