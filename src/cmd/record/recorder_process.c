/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/xalloc.h"
#include "cmd/commands.h"
#include "record_run.h"
#include "recorder/instance/stale_instances.h"
#include "recorder/instance/tracing_access.h"
#include "recorder/machine/child.h"

#define PIPE_BYTES (1 << 20)
#define PAUSE_MS   100
#define END_MS     15000 /* removing an instance takes some seconds on a busy machine */

/* In the new process. The pipe is given by its path, as standard output may be COMMAND's. */
static _Noreturn void recorder_run(const struct recorder_setup *setup,
                                   const struct recorder_process *recorder, int to, pid_t parent)
{
	struct record_options options = *setup->options;
	_cleanup_(freep) char *path = xasprintf("/proc/self/fd/%d", to);
	int status = STATUS_FAILED;

	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* it is the parent's business */
	if (signal(SIGUSR2, SIG_IGN) != SIG_IGN)
		child_restore_signal(SIGUSR2);
	if (setup->is_apart)
		(void)setpgid(0, 0);
	if (recorder->messages)
		(void)dup2(fileno(recorder->messages), STDERR_FILENO);
	options.output = path;
	if (getppid() == parent)
		status = record_run(&options, setup->argv);
	_exit(status);
}

bool recorder_process_start(const struct recorder_setup *setup, struct recorder_process *ret)
{
	pid_t parent = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return message_fail(false, "%s: cannot make a pipe: %s", setup->name,
		                    strerror(errno));
	/* only saves waking up; users may be refused */
	(void)fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
	(void)fflush(stdout);
	ret->messages = setup->keeps_messages ? tmpfile() : NULL;
	ret->fd = ends[0];
	ret->pid = fork();
	if (ret->pid == 0) {
		(void)close(ends[0]);
		recorder_run(setup, ret, ends[1], parent);
	}
	(void)close(ends[1]);
	if (ret->pid < 0) {
		message_error("%s: cannot start the recorder: %s", setup->name, strerror(errno));
		(void)close(ends[0]);
		return false;
	}
	return true;
}

nsec_t recorder_process_cpu_time(const struct recorder_process *recorder)
{
	struct timespec time;
	clockid_t clock;

	if (recorder->pid == 0 || clock_getcpuclockid(recorder->pid, &clock) != 0 ||
	    clock_gettime(clock, &time) < 0)
		return 0;
	return (nsec_t)time.tv_sec * 1000000000u + (nsec_t)time.tv_nsec;
}

/* Takes what it still writes, so that it does not fail. False: nothing comes for so long, though
   it has not ended. */
static bool recorder_drain(int fd, int patience_ms)
{
	struct pollfd output = {.fd = fd, .events = POLLIN};
	char bytes[4096];

	for (;;) {
		int ready = poll(&output, 1, patience_ms);
		ssize_t got = ready > 0 ? read(fd, bytes, sizeof(bytes)) : -1;

		if (ready == 0)
			return false;
		if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
			return true;
	}
}

/* A killed recorder leaves its instance, with its buffers. What cannot be removed now is removed by
   the next recorder. */
static void leftovers_remove(void)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(4096);
	_cleanup_(freep) char *tracefs = NULL;

	if (tracing_mount_find(&tracefs, &why) == 0)
		(void)stale_instances_remove(tracefs, NULL, NULL);
}

static int recorder_reap(struct recorder_process *recorder)
{
	int status = 0;

	(void)close(recorder->fd);
	while (waitpid(recorder->pid, &status, 0) < 0 && errno == EINTR)
		;
	recorder->pid = 0;
	if (WIFSIGNALED(status))
		leftovers_remove();
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_FAILED;
}

void recorder_process_print(struct recorder_process *recorder)
{
	char bytes[4096];
	size_t got;

	if (!recorder->messages)
		return;
	rewind(recorder->messages);
	while ((got = fread(bytes, 1, sizeof(bytes), recorder->messages)) > 0)
		(void)fwrite(bytes, 1, got, stderr);
	(void)fclose(recorder->messages);
	recorder->messages = NULL;
}

void recorder_process_ask_to_end(const struct recorder_process *recorder)
{
	if (recorder->pid == 0)
		return;
	(void)kill(recorder->pid, SIGTERM);
	(void)kill(recorder->pid, SIGCONT);
}

int recorder_process_wait(struct recorder_process *recorder, void (*on_pause)(void *state),
                          void *state)
{
	while (!recorder_drain(recorder->fd, PAUSE_MS))
		on_pause(state);
	return recorder_reap(recorder);
}

bool recorder_process_explains(int open_error, int status)
{
	return open_error == -ENODATA && status != STATUS_FINE;
}

int recorder_process_stop(struct recorder_process *recorder)
{
	if (recorder->pid == 0)
		return STATUS_FINE;
	recorder_process_ask_to_end(recorder);
	if (!recorder_drain(recorder->fd, END_MS))
		(void)kill(recorder->pid, SIGKILL);
	return recorder_reap(recorder);
}
