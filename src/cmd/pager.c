/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Characters with a meaning for the shell; without any of them the text is a program's name. */
#define SHELL_CHARACTERS "|&;<>()$`\\\"' \t\n*?[#~=%"
#define STATUS_NOT_FOUND 127

/* NULL: none is wanted. */
static const char *pager_choose(void)
{
	const char *term = getenv("TERM"), *name = getenv("FTWAIT_PAGER");

	if (isatty(STDOUT_FILENO) != 1 || !term || !*term || strcmp(term, "dumb") == 0)
		return NULL;
	if (!name)
		name = getenv("PAGER");
	if (!name)
		name = "less";
	return *name && strcmp(name, "cat") != 0 ? name : NULL;
}

/* Runs in the child; never returns. Sends the reason to exec_fd if the pager cannot be started. */
static void pager_run(const char *name, int input, int exec_fd)
{
	int error;

	(void)signal(SIGPIPE, SIG_DFL);
	(void)signal(SIGXFSZ, SIG_DFL);
	(void)setenv("LESS", "FRX", /* overwrite= */ 0);
	(void)setenv("LV", "-c", /* overwrite= */ 0);
	if (dup2(input, STDIN_FILENO) >= 0) {
		if (name[strcspn(name, SHELL_CHARACTERS)])
			(void)execl("/bin/sh", "sh", "-c", name, (char *)NULL);
		else
			(void)execlp(name, name, (char *)NULL);
	}
	error = errno;
	if (write(exec_fd, &error, sizeof(error)) < 0)
		_exit(STATUS_NOT_FOUND);
	_exit(STATUS_NOT_FOUND);
}

/* Whether the program runs; waits until that is known. */
static bool pager_has_started(pid_t pid, int exec_fd)
{
	int error, status;
	ssize_t got;

	do
		got = read(exec_fd, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	if (got == 0)
		return true;
	(void)waitpid(pid, &status, 0);
	return false;
}

/* Returns the pager's pid; 0: it does not run. */
static pid_t pager_start(const char *name, int input)
{
	int exec[2];
	pid_t pid;

	if (pipe2(exec, O_CLOEXEC) < 0)
		return 0;
	pid = fork();
	if (pid == 0)
		pager_run(name, input, exec[1]);
	(void)close(exec[1]);
	if (pid > 0 && !pager_has_started(pid, exec[0]))
		pid = 0;
	(void)close(exec[0]);
	return pid > 0 ? pid : 0;
}

void pager_begin(struct pager *ret)
{
	const char *name = pager_choose();
	int text[2];

	*ret = (struct pager){.terminal = -1};
	if (!name || pipe2(text, O_CLOEXEC) < 0)
		return;
	(void)fflush(stdout);
	ret->terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (ret->terminal >= 0)
		ret->pid = pager_start(name, text[0]);
	if (ret->pid > 0) {
		(void)dup2(text[1], STDOUT_FILENO);
		/* these signals are meant for the pager: if this process ended first, the pager
		   would lose the terminal */
		ret->on_interrupt = signal(SIGINT, SIG_IGN);
		ret->on_quit = signal(SIGQUIT, SIG_IGN);
	} else if (ret->terminal >= 0) {
		(void)close(ret->terminal);
	}
	(void)close(text[0]);
	(void)close(text[1]);
}

void pager_end(struct pager *pager)
{
	int status;

	if (pager->pid == 0)
		return;
	if (fflush(stdout) != 0 || ferror(stdout)) { /* the user has left the pager, which is no
	                                                error */
		__fpurge(stdout);
		clearerr(stdout);
	}
	(void)dup2(pager->terminal, STDOUT_FILENO);
	(void)close(pager->terminal);
	while (waitpid(pager->pid, &status, 0) < 0 && errno == EINTR)
		;
	(void)signal(SIGINT, pager->on_interrupt);
	(void)signal(SIGQUIT, pager->on_quit);
	pager->pid = 0;
}
