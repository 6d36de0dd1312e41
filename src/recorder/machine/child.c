/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"

/* One call if the kernel has it (5.9); else one for each possible descriptor. */
void guard_process_close_from(int first)
{
	long limit = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0)
		return;
#endif
	for (int fd = first; fd < limit && fd < 65536; fd++)
		(void)close(fd);
}

int guard_process_begin(int fd)
{
	sigset_t all;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	if (chdir("/") < 0 || dup2(fd, STDIN_FILENO) < 0)
		return -errno;
	return 0;
}

#define PATH_DEFAULT "/usr/local/bin:/usr/bin:/bin"

static int file_check(const char *path)
{
	struct stat file;

	if (stat(path, &file) < 0)
		return -errno;
	if (S_ISDIR(file.st_mode))
		return -EACCES;
	return access(path, X_OK) < 0 ? -errno : 0;
}

int child_find(const char *file, char **ret)
{
	const char *path = getenv("PATH");
	int error = -ENOENT;

	if (strchr(file, '/')) {
		error = file_check(file);
		*ret = error == 0 ? xstrdup(file) : NULL;
		return error;
	}
	path = path ? path : PATH_DEFAULT;
	while (*file) {
		size_t length = strcspn(path, ":");
		_cleanup_(freep) char *full = xasprintf("%.*s/%s", length ? (int)length : 1,
		                                        length ? path : ".", file);
		int r = file_check(full);

		if (r == 0) {
			*ret = TAKE_PTR(full);
			return 0;
		}
		if (r == -EACCES)
			error = r;
		if (path[length] == '\0')
			break;
		path += length + 1;
	}
	*ret = NULL;
	return error;
}

int child_check(const char *file)
{
	_cleanup_(freep) char *program = NULL;

	return child_find(file, &program);
}

static int own_ignored; /* child_restore_signal(); 0: none */

void child_restore_signal(int number)
{
	own_ignored = number;
}

/*
 * The recorder's handlers would swallow a signal until exec() resets them. Ignored signals stay
 * ignored, except SIGPIPE, which the recorder ignores for itself.
 */
static void signals_reset(void)
{
	for (int number = 1; number <= SIGRTMAX; number++) {
		struct sigaction action;

		if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN &&
		    action.sa_handler != SIG_DFL)
			(void)signal(number, SIG_DFL);
	}
	(void)signal(SIGPIPE, SIG_DFL);
	if (own_ignored > 0)
		(void)signal(own_ignored, SIG_DFL);
}

/* Runs in the child; never returns. The program was found before, as failed attempts to execute it
   in the folders of PATH would be recorded; NULL: it was not. */
static void child_run(int gate_fd, int exec_fd, const char *program, char **argv)
{
	char go;
	int error;

	signals_reset();
	if (read(gate_fd, &go, 1) != 1)
		_exit(CHILD_STATUS_NOT_FOUND);
	if (program)
		(void)execv(program, argv);
	(void)execvp(argv[0], argv); /* a script without #!, or an error to report */
	error = errno;
	if (write(exec_fd, &error, sizeof(error)) < 0)
		_exit(CHILD_STATUS_NOT_EXECUTABLE);
	_exit(error == ENOENT ? CHILD_STATUS_NOT_FOUND : CHILD_STATUS_NOT_EXECUTABLE);
}

static void pair_close(int pair[2])
{
	(void)close(pair[0]);
	(void)close(pair[1]);
}

int child_start(struct child *ret, char **argv, int output_fd)
{
	_cleanup_(freep) char *program = NULL;
	int gate[2], exec[2] = {-1, -1};
	pid_t pid;

	(void)child_find(argv[0], &program);
	if (pipe2(gate, O_CLOEXEC) < 0)
		return -errno;
	pid = pipe2(exec, O_CLOEXEC) < 0 ? -1 : fork();
	if (pid < 0) {
		int error = errno;

		pair_close(gate);
		pair_close(exec);
		return -error;
	}
	if (pid == 0) {
		(void)close(gate[1]);
		if (output_fd >= 0)
			(void)dup2(output_fd, STDOUT_FILENO);
		child_run(gate[0], exec[1], program, argv);
	}
	(void)close(gate[0]);
	(void)close(exec[1]);
	*ret = (struct child){.pid = pid, .gate_fd = gate[1], .exec_fd = exec[0]};
	return 0;
}

static void child_note_end(struct child *child, int status)
{
	child->is_ended = true;
	child->wait_status = status;
	child->exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void child_wait(struct child *child)
{
	int status;

	while (waitpid(child->pid, &status, 0) < 0)
		if (errno != EINTR)
			return;
	child->is_reaped = true;
	child_note_end(child, status);
}

void child_reap(struct child *child)
{
	if (child->is_ended && !child->is_reaped)
		child_wait(child);
}

int child_release(struct child *child)
{
	ssize_t got;
	int error;

	got = write(child->gate_fd, "", 1);
	(void)close(child->gate_fd);
	if (got == 1) {
		do {
			got = read(child->exec_fd, &error, sizeof(error));
		} while (got < 0 && errno == EINTR);
	}
	(void)close(child->exec_fd);
	if (got != (ssize_t)sizeof(error))
		return 0;
	child_wait(child);
	return -error;
}

void child_cancel(struct child *child)
{
	if (child->pid == 0)
		return;
	(void)close(child->gate_fd);
	(void)close(child->exec_fd);
	child_wait(child);
}

/* As waitpid(2) has it. */
static int wait_status_of(const siginfo_t *info)
{
	if (info->si_code == CLD_EXITED)
		return (info->si_status & 0xff) << 8;
	return info->si_status | (info->si_code == CLD_DUMPED ? 0x80 : 0);
}

bool child_poll(struct child *child)
{
	siginfo_t info = {0};

	if (child->pid == 0 || child->is_ended)
		return child->is_ended;
	if (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    info.si_pid == child->pid)
		child_note_end(child, wait_status_of(&info));
	return child->is_ended;
}
