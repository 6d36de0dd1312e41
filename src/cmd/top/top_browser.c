/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_browser.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/text/shell_quote.h"
#include "cmd/commands.h"

#define STATUS_NOT_RUN 127 /* as a shell says it */

/* The option that asks for the row, and its value. */
static const char *selected_option(const struct top_selected *selected, struct buffer *value)
{
	switch (selected->by) {
	case TOP_BY_TASK:
		buffer_put_i64(value, selected->tid);
		return "--tid";
	case TOP_BY_CGROUP:
		list_glob_append(value, selected->name);
		return "--cgroup";
	case TOP_BY_COMM:
	default:
		list_glob_append(value, selected->name);
		return "--comm";
	}
}

static _Noreturn void browser_run(pid_t parent, int end_fd, const char *file,
                                  const struct top_selected *selected)
{
	_cleanup_(buffer_release) struct buffer value = buffer_of(BUFFER_LIMIT_DEFAULT);
	const char *argv[] = {"ftwait", "browse", file, NULL, NULL, NULL};

	if (selected) {
		argv[3] = selected_option(selected, &value);
		argv[4] = value.text;
	}
	(void)fcntl(end_fd, F_SETFD, 0); /* it is open until the browser ends */
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() == parent)
		(void)execv("/proc/self/exe", (char *const *)(uintptr_t)argv);
	_exit(STATUS_NOT_RUN);
}

int top_browser_begin(struct piped_child *browser, const char *file,
                      const struct top_selected *selected)
{
	pid_t parent = getpid();
	int r = piped_child_fork(browser);

	if (r == 0 && browser->pid == 0)
		browser_run(parent, browser->fd, file, selected);
	return r;
}

bool top_browser_poll(struct piped_child *browser, struct buffer *said)
{
	int status;

	if (!piped_child_poll(browser, &status))
		return false;
	closep(&browser->fd);
	if (WIFSIGNALED(status))
		buffer_printf(said, "signal %d has ended the browser", WTERMSIG(status));
	else if (WEXITSTATUS(status) != STATUS_FINE)
		buffer_printf(said, "the browser failed: status %d", WEXITSTATUS(status));
	return true;
}

void top_browser_end(struct piped_child *browser, bool at_once)
{
	int status;

	if (at_once && browser->pid)
		(void)kill(browser->pid, SIGTERM);
	if (piped_child_await(browser, &status))
		closep(&browser->fd);
}
