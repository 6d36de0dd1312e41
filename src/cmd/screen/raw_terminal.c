/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "raw_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "cmd/terminal.h"

#define ROWS_UNKNOWN    24
#define COLUMNS_UNKNOWN 80
#define SIZE_MAX_SANE   10000

#define PIECE_BYTES     256 /* that a terminal which is ready takes without delay */
#define RESTORE_WAIT_MS 200 /* for a terminal that is not ready */

/* The alternate screen (xterm; others ignore it), no cursor (VT220), no wrap behind the last column
   (VT100). */
static const char enter_bytes[] = "\033[?1049h\033[?25l\033[?7l";
/* Where there is no alternate screen, the cursor is to be below the last drawing. */
static const char leave_bytes[] = "\033[m\033[?7h\033[999;1H\r\n\033[?25h\033[?1049l";

enum terminal_state {
	TERMINAL_OFF,
	TERMINAL_ON,
	TERMINAL_AWAY, /* given back while the process is stopped */
};

/* Global, as a handler can use only global objects. Only the main thread takes signals
   (base/thread.h). */
static struct {
	volatile sig_atomic_t state;
	volatile sig_atomic_t is_resized, is_resumed, ended_by;
	pid_t process; /* that began it; children may inherit the handlers */
	int keyboard, screen, wake;
	bool owns_keyboard;
	struct termios before, raw, flowing; /* `flowing`: `raw` without flow control by Ctrl-S */
} terminal = {.keyboard = -1, .screen = -1, .wake = -1};

static void on_wish_to_end(int number, siginfo_t *origin, void *context);
static void on_fatal(int number, siginfo_t *origin, void *context);
static void on_stop(int number, siginfo_t *origin, void *context);
static void on_continue(int number, siginfo_t *origin, void *context);
static void on_resize(int number, siginfo_t *origin, void *context);

static struct caught_signal {
	int number;
	void (*handler)(int number, siginfo_t *origin, void *context);
	int flags;
	bool is_taken;
	struct sigaction before;
} caught[] = {
	/* without SA_RESTART a handler of the process decides what is interrupted */
	{.number = SIGINT, .handler = on_wish_to_end},
	{.number = SIGTERM, .handler = on_wish_to_end},
	{.number = SIGHUP, .handler = on_wish_to_end},
	{.number = SIGQUIT, .handler = on_wish_to_end},
	{.number = SIGABRT, .handler = on_fatal},
	{.number = SIGSEGV, .handler = on_fatal},
	{.number = SIGBUS, .handler = on_fatal},
	{.number = SIGFPE, .handler = on_fatal},
	{.number = SIGILL, .handler = on_fatal},
	{.number = SIGSYS, .handler = on_fatal},
	{.number = SIGTRAP, .handler = on_fatal},
	{.number = SIGPIPE, .handler = on_fatal},
	{.number = SIGALRM, .handler = on_fatal},
	{.number = SIGUSR1, .handler = on_fatal},
	{.number = SIGUSR2, .handler = on_fatal},
	{.number = SIGVTALRM, .handler = on_fatal},
	{.number = SIGPROF, .handler = on_fatal},
	{.number = SIGPOLL, .handler = on_fatal},
	{.number = SIGPWR, .handler = on_fatal},
	{.number = SIGXCPU, .handler = on_fatal},
	{.number = SIGXFSZ, .handler = on_fatal},
	{.number = SIGTSTP, .handler = on_stop, .flags = (int)(SA_NODEFER | SA_RESTART)},
	{.number = SIGCONT, .handler = on_continue, .flags = SA_RESTART},
	{.number = SIGWINCH, .handler = on_resize, .flags = SA_RESTART},
};

static void news_wake(void)
{
	uint64_t one = 1;

	/* if the counter is full, the reader wakes anyway */
	(void)!write(terminal.wake, &one, sizeof(one));
}

/* A process in the background must not change the terminal. */
static bool is_in_foreground(void)
{
	pid_t group = tcgetpgrp(terminal.keyboard);

	return group < 0 || group == getpgrp(); /* < 0: it is not the terminal of its session */
}

/* In handlers too: only calls that are safe there (signal-safety(7)). */
static void terminal_leave(enum terminal_state state)
{
	struct pollfd room = {.fd = terminal.screen, .events = POLLOUT};
	bool was_on = terminal.state == TERMINAL_ON;

	terminal.state = (sig_atomic_t)state;
	if (!was_on || terminal.process != getpid())
		return;
	/* Ctrl-S may have stopped the output: without flow control it goes on */
	(void)tcsetattr(terminal.keyboard, TCSANOW, &terminal.flowing);
	if (poll(&room, 1, RESTORE_WAIT_MS) > 0)
		(void)!write(terminal.screen, leave_bytes, sizeof(leave_bytes) - 1);
	(void)tcsetattr(terminal.keyboard, TCSANOW, &terminal.before);
}

static void terminal_enter(void)
{
	/* stops, as the kernel stops a process that writes from the background */
	if (!is_in_foreground())
		(void)raise(SIGTTOU);
	/* a signal may have ended it meanwhile; in a group without a shell it did not stop */
	if (terminal.state == TERMINAL_OFF || !is_in_foreground())
		return;
	(void)tcsetattr(terminal.keyboard, TCSANOW, &terminal.raw);
	if (terminal.state == TERMINAL_AWAY)
		(void)!write(terminal.screen, enter_bytes, sizeof(enter_bytes) - 1);
	terminal.state = TERMINAL_ON;
	terminal.is_resumed = terminal.is_resized = 1;
	news_wake();
}

static struct caught_signal *caught_find(int number)
{
	size_t at = 0;

	while (caught[at].number != number)
		at++;
	return &caught[at];
}

/* Ends the process as if there were no handler. */
static void signal_end(int number)
{
	struct sigaction action = {.sa_handler = SIG_DFL};

	(void)sigaction(number, &action, NULL);
	(void)sigemptyset(&action.sa_mask);
	(void)sigaddset(&action.sa_mask, number);
	(void)raise(number);
	(void)sigprocmask(SIG_UNBLOCK, &action.sa_mask, NULL);
}

/* Calls the handler that the process had before; false: it had none. */
static bool handler_before_call(int number, siginfo_t *origin, void *context)
{
	const struct sigaction *before = &caught_find(number)->before;

	if (before->sa_flags & SA_SIGINFO)
		before->sa_sigaction(number, origin, context);
	else if (before->sa_handler != SIG_DFL)
		before->sa_handler(number);
	else
		return false;
	return true;
}

static void on_wish_to_end(int number, siginfo_t *origin, void *context)
{
	int error = errno;
	bool is_first = terminal.ended_by == 0;

	terminal_leave(TERMINAL_OFF);
	if (is_first)
		terminal.ended_by = number;
	news_wake();
	if (!handler_before_call(number, origin, context) && !is_first)
		signal_end(number);
	errno = error;
}

static void on_fatal(int number, siginfo_t *origin, void *context)
{
	int error = errno;

	(void)origin;
	(void)context;
	terminal_leave(TERMINAL_OFF);
	signal_end(number);
	errno = error;
}

static void on_stop(int number, siginfo_t *origin, void *context)
{
	int error = errno;
	struct sigaction stop = {.sa_handler = SIG_DFL}, mine;

	(void)origin;
	(void)context;
	if (terminal.state == TERMINAL_ON)
		terminal_leave(TERMINAL_AWAY);
	(void)sigaction(number, &stop, &mine);
	(void)raise(number); /* stops here, and goes on with on_continue() */
	(void)sigaction(number, &mine, NULL);
	/* it did not stop: its group has no shell that could continue it */
	if (terminal.state == TERMINAL_AWAY)
		terminal_enter();
	errno = error;
}

/* After SIGSTOP, too, as the shell has set its own terminal attributes. */
static void on_continue(int number, siginfo_t *origin, void *context)
{
	int error = errno;

	if (terminal.state != TERMINAL_OFF)
		terminal_enter();
	(void)handler_before_call(number, origin, context);
	errno = error;
}

static void on_resize(int number, siginfo_t *origin, void *context)
{
	int error = errno;

	(void)number;
	(void)origin;
	(void)context;
	terminal.is_resized = 1;
	news_wake();
	errno = error;
}

/* Signals that end the process are taken from its own handlers only if these are called, too. */
static bool is_to_be_taken(const struct caught_signal *signal)
{
	bool has_handler = signal->before.sa_flags & SA_SIGINFO ||
	                   (signal->before.sa_handler != SIG_DFL &&
	                    signal->before.sa_handler != SIG_IGN);

	if (!has_handler && signal->before.sa_handler == SIG_IGN)
		return signal->number == SIGWINCH || signal->number == SIGCONT;
	return !has_handler || signal->handler != on_fatal;
}

static void signals_take(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(caught); i++) {
		struct caught_signal *signal = &caught[i];
		struct sigaction action = {.sa_sigaction = signal->handler};

		if (sigaction(signal->number, NULL, &signal->before) < 0 || !is_to_be_taken(signal))
			continue;
		action.sa_flags = SA_SIGINFO | signal->flags |
		                  (signal->handler == on_wish_to_end
		                           ? signal->before.sa_flags & (int)SA_RESTART
		                           : 0);
		(void)sigemptyset(&action.sa_mask);
		signal->is_taken = sigaction(signal->number, &action, NULL) == 0;
	}
}

static void signals_give_back(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(caught); i++) {
		if (caught[i].is_taken)
			(void)sigaction(caught[i].number, &caught[i].before, NULL);
		caught[i].is_taken = false;
	}
}

static bool keyboard_find(void)
{
	terminal.keyboard = STDIN_FILENO;
	terminal.owns_keyboard = isatty(STDIN_FILENO) != 1;
	if (terminal.owns_keyboard)
		terminal.keyboard = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return terminal.keyboard >= 0 && tcgetattr(terminal.keyboard, &terminal.before) == 0;
}

static void descriptors_close(void)
{
	if (terminal.owns_keyboard && terminal.keyboard >= 0)
		(void)close(terminal.keyboard);
	if (terminal.wake >= 0)
		(void)close(terminal.wake);
	terminal.keyboard = terminal.wake = -1;
}

bool raw_terminal_begin(void)
{
	static bool is_registered;

	if (terminal.state != TERMINAL_OFF || !terminal_has_escapes(stdout))
		return false;
	terminal.screen = STDOUT_FILENO;
	terminal.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!keyboard_find() || terminal.wake < 0) {
		descriptors_close();
		return false;
	}
	terminal.raw = terminal.before;
	terminal.raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
	terminal.raw.c_lflag |= ISIG;
	terminal.raw.c_cc[VMIN] = 1;
	terminal.raw.c_cc[VTIME] = 0;
	terminal.flowing = terminal.raw;
	terminal.flowing.c_iflag &= ~(tcflag_t)IXON;
	if (!is_registered)
		is_registered = atexit(raw_terminal_end) == 0;
	xalloc_before_line(raw_terminal_end);
	terminal.is_resized = terminal.is_resumed = terminal.ended_by = 0;
	terminal.process = getpid();
	terminal.state = TERMINAL_AWAY;
	signals_take();
	terminal_enter();
	return true;
}

void raw_terminal_end(void)
{
	terminal_leave(TERMINAL_OFF);
	xalloc_before_line(NULL);
	signals_give_back();
	descriptors_close();
}

int raw_terminal_keyboard(void)
{
	return terminal.keyboard;
}

int raw_terminal_news_fd(void)
{
	return terminal.wake;
}

struct raw_terminal_news raw_terminal_news(void)
{
	eventfd_t unused;
	struct raw_terminal_news news;

	/* first, as what comes behind it wakes again */
	(void)eventfd_read(terminal.wake, &unused);
	news.ended_by = terminal.ended_by;
	news.is_resized = terminal.is_resized;
	terminal.is_resized = 0;
	news.is_resumed = terminal.is_resumed;
	terminal.is_resumed = 0;
	return news;
}

static size_t size_of_environment(const char *name, size_t unknown)
{
	const char *text = getenv(name);
	uint64_t size;

	if (!text || parse_u64(text, &size) < 0 || size == 0 || size > SIZE_MAX_SANE)
		return unknown;
	return (size_t)size;
}

void raw_terminal_size(size_t *ret_rows, size_t *ret_columns)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
		*ret_rows = size.ws_row ? size.ws_row : ROWS_UNKNOWN;
		*ret_columns = size.ws_col ? size.ws_col : COLUMNS_UNKNOWN;
		return;
	}
	*ret_rows = size_of_environment("LINES", ROWS_UNKNOWN);
	*ret_columns = size_of_environment("COLUMNS", COLUMNS_UNKNOWN);
}

bool raw_terminal_is_ready(void)
{
	struct pollfd room = {.fd = terminal.screen, .events = POLLOUT};

	return terminal.state == TERMINAL_ON && poll(&room, 1, 0) > 0;
}

/* In pieces, each after poll(), which every signal interrupts: nothing of a drawing follows when a
   handler has given the terminal back. */
bool raw_terminal_write(const char *bytes, size_t length)
{
	while (length > 0 && terminal.state == TERMINAL_ON) {
		struct pollfd room = {.fd = terminal.screen, .events = POLLOUT};
		ssize_t written;

		if (poll(&room, 1, -1) <= 0 || terminal.state != TERMINAL_ON)
			continue;
		written = write(terminal.screen, bytes,
		                length < PIECE_BYTES ? length : PIECE_BYTES);
		if (written < 0 && errno != EINTR && errno != EAGAIN)
			return false;
		if (written > 0) {
			bytes += written;
			length -= (size_t)written;
		}
	}
	return true;
}
