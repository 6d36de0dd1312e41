/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * typist PROGRAM ARG...: starts an interactive shell on a terminal of its own and types the lines
 * of standard input there: the first one when it prompts with "READY", each further one when the
 * one before has printed "DONE". Shows what stood on the terminal. Fails where the shell is silent
 * for too long.
 */
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 20000
#define SEEN_BYTES  65536
#define LINE_MAX_BYTES 1000

struct terminal {
	int fd;
	pid_t shell;
	char seen[SEEN_BYTES]; /* since the last line was typed */
	size_t length;
};

/* Reads until the word stands there; false where it does not come. */
static bool terminal_await(struct terminal *terminal, const char *word)
{
	struct pollfd poll_fd = {.fd = terminal->fd, .events = POLLIN};

	while (!memmem(terminal->seen, terminal->length, word, strlen(word))) {
		size_t room = sizeof(terminal->seen) - terminal->length;
		ssize_t got;

		if (room == 0 || poll(&poll_fd, 1, PATIENCE_MS) <= 0)
			return false;
		got = read(terminal->fd, terminal->seen + terminal->length, room);
		if (got <= 0)
			return false;
		(void)fwrite(terminal->seen + terminal->length, 1, (size_t)got, stdout);
		terminal->length += (size_t)got;
	}
	return true;
}

static bool terminal_type(struct terminal *terminal, const char *line)
{
	terminal->length = 0;
	return write(terminal->fd, line, strlen(line)) == (ssize_t)strlen(line) &&
	       terminal_await(terminal, "DONE");
}

int main(int argc, char **argv)
{
	static struct terminal terminal;
	const struct winsize size = {.ws_row = 50, .ws_col = 200};
	char line[LINE_MAX_BYTES];
	bool is_fine;

	if (argc < 2)
		return 2;
	terminal.shell = forkpty(&terminal.fd, NULL, NULL, &size);
	if (terminal.shell < 0)
		return 1;
	if (terminal.shell == 0) {
		(void)execvp(argv[1], argv + 1);
		_exit(127);
	}
	is_fine = terminal_await(&terminal, "READY");
	while (is_fine && fgets(line, sizeof(line), stdin))
		is_fine = terminal_type(&terminal, line);
	(void)kill(terminal.shell, SIGKILL);
	(void)waitpid(terminal.shell, NULL, 0);
	return is_fine ? 0 : 1;
}
