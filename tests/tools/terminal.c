/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal COLUMNS COMMAND...: runs the command with its standard output on a terminal of so many
 * columns (0: it tells none, as a serial line), and copies what it writes to ours. The exit status
 * is the command's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int complain(const char *what)
{
	(void)fprintf(stderr, "terminal: %s: %s\n", what, strerror(errno));
	return 1;
}

/* Returns the terminal's own side, and the other one, which obeys nothing and changes nothing. */
static int terminal_open(unsigned columns, int *ret_other)
{
	struct winsize size = {.ws_row = columns ? 24 : 0, .ws_col = (unsigned short)columns};
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), other;
	struct termios plain;

	if (fd < 0 || grantpt(fd) < 0 || unlockpt(fd) < 0)
		return -1;
	other = open(ptsname(fd), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (other < 0 || tcgetattr(other, &plain) < 0)
		return -1;
	cfmakeraw(&plain);
	if (tcsetattr(other, TCSANOW, &plain) < 0 || ioctl(other, TIOCSWINSZ, &size) < 0)
		return -1;
	*ret_other = other;
	return fd;
}

/*
 * Until the command has closed its side, which reads as an error. The first error can come before
 * the last data: the kernel's n_tty_read() looks for data, then whether the other side is closed,
 * and what was written and closed between the two is lost to that read (6 of 300,000 here), not to
 * the next.
 */
static void copy_all(int from)
{
	char chunk[65536];
	ssize_t got;

	for (unsigned errors = 0; errors < 2;) {
		got = read(from, chunk, sizeof(chunk));
		if (got <= 0)
			errors++;
		else if (write(STDOUT_FILENO, chunk, (size_t)got) != got)
			exit(complain("write"));
	}
}

int main(int argc, char **argv)
{
	int fd, other = -1, status;
	pid_t child;

	if (argc < 3) {
		(void)fputs("usage: terminal COLUMNS COMMAND...\n", stderr);
		return 2;
	}
	fd = terminal_open((unsigned)strtoul(argv[1], NULL, 10), &other);
	if (fd < 0)
		return complain("no terminal");
	child = fork();
	if (child < 0)
		return complain("fork");
	if (child == 0) {
		(void)dup2(other, STDOUT_FILENO);
		(void)execvp(argv[2], argv + 2);
		_exit(complain(argv[2]));
	}
	(void)close(other);
	copy_all(fd);
	if (waitpid(child, &status, 0) != child)
		return complain("wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
