/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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

/* The pipes of a pager, each with its end for reading first. */
struct pager_pipes {
	int begin[2]; /* a byte: the pager is to begin; the end: there is nothing to show */
	int text[2];
	int exec[2];  /* an error number if the program cannot be executed, then the end */
};

static void ends_close(const int *ends)
{
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static bool pipes_open(struct pager_pipes *pipes)
{
	if (pipe2(pipes->begin, O_CLOEXEC) < 0)
		return false;
	if (pipe2(pipes->text, O_CLOEXEC) == 0) {
		if (pipe2(pipes->exec, O_CLOEXEC) == 0)
			return true;
		ends_close(pipes->text);
	}
	ends_close(pipes->begin);
	return false;
}

/* Until pager_begin(). Signals of the terminal are meant for the report meanwhile. */
static void pager_await(int begin_fd)
{
	void (*on_interrupt)(int number) = signal(SIGINT, SIG_IGN);
	void (*on_quit)(int number) = signal(SIGQUIT, SIG_IGN);
	char word;
	ssize_t got;

	do
		got = read(begin_fd, &word, 1);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		_exit(0);
	(void)signal(SIGINT, on_interrupt);
	(void)signal(SIGQUIT, on_quit);
}

/* Runs in the child. Sends the reason to exec_fd if the pager cannot be started. */
static _Noreturn void pager_run(const char *name, int input, int exec_fd)
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

static void pager_close(struct pager *pager)
{
	(void)close(pager->begin_fd);
	(void)close(pager->text_fd);
	(void)close(pager->exec_fd);
	pager->pid = 0;
}

void pager_prepare(struct pager *ret)
{
	const char *name = pager_choose();
	struct pager_pipes pipes;

	*ret = (struct pager){.is_prepared = true};
	if (!name || !pipes_open(&pipes))
		return;
	(void)fflush(stdout);
	ret->pid = fork();
	if (ret->pid == 0) {
		(void)close(pipes.begin[1]); /* its end is to be seen */
		pager_await(pipes.begin[0]);
		pager_run(name, pipes.text[0], pipes.exec[1]);
	}
	(void)close(pipes.begin[0]);
	(void)close(pipes.text[0]);
	(void)close(pipes.exec[1]);
	ret->begin_fd = pipes.begin[1];
	ret->text_fd = pipes.text[1];
	ret->exec_fd = pipes.exec[0];
	if (ret->pid < 0)
		pager_close(ret);
}

/* Whether the program runs; waits until that is known. Else the process has ended. */
static bool pager_start(const struct pager *pager)
{
	const char word = 'b';
	int error, status;
	ssize_t got;

	/* somebody may have killed it meanwhile */
	if (waitpid(pager->pid, &status, WNOHANG) != 0 || write(pager->begin_fd, &word, 1) != 1)
		return false;
	do
		got = read(pager->exec_fd, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	if (got == 0)
		return true;
	(void)waitpid(pager->pid, &status, 0);
	return false;
}

void pager_begin(struct pager *pager)
{
	if (!pager->is_prepared)
		pager_prepare(pager);
	if (pager->pid == 0)
		return;
	(void)fflush(stdout);
	pager->terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (pager->terminal < 0)
		return;
	if (!pager_start(pager)) {
		(void)close(pager->terminal);
		pager_close(pager);
		return;
	}
	(void)dup2(pager->text_fd, STDOUT_FILENO);
	/* these signals are meant for the pager: if this process ended first, the pager would
	   lose the terminal */
	pager->on_interrupt = signal(SIGINT, SIG_IGN);
	pager->on_quit = signal(SIGQUIT, SIG_IGN);
	pager->has_begun = true;
}

static void pager_end_text(struct pager *pager)
{
	if (fflush(stdout) != 0 || ferror(stdout)) { /* the user has left the pager, which is no
	                                                error */
		__fpurge(stdout);
		clearerr(stdout);
	}
	(void)dup2(pager->terminal, STDOUT_FILENO);
	(void)close(pager->terminal);
}

void pager_end(struct pager *pager)
{
	pid_t pid = pager->pid;
	int status;

	if (pid == 0)
		return;
	if (pager->has_begun)
		pager_end_text(pager);
	pager_close(pager);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!pager->has_begun)
		return;
	(void)signal(SIGINT, pager->on_interrupt);
	(void)signal(SIGQUIT, pager->on_quit);
	pager->has_begun = false;
}
