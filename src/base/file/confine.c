/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "confine.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/sanitized.h"
#include "base/text/parse.h"
#include "base/xalloc.h"

/* Bytes of this process's address space; 0: not known. */
static uint64_t address_space(void)
{
	_cleanup_(closep) int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	char text[64] = "";
	uint64_t pages;

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0 ||
	    !parse_number_at(text, 10, &pages))
		return 0;
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void child_confine(uint64_t memory)
{
	const struct rlimit core = {0, 0};
	static const int ending[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGINT, SIGTERM,
	                             SIGPIPE, SIGPROF, SIGALRM};
	struct rlimit space;
	sigset_t none;
	/* a sealed process opens nothing for writing, and what is written there fails as well */
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	xalloc_before_line(NULL);
	xalloc_before_end(NULL);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		(void)signal(ending[i], SIG_DFL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)setrlimit(RLIMIT_CORE, &core);
	if (!IS_ADDRESS_SANITIZED) {
		space.rlim_cur = space.rlim_max = (rlim_t)(address_space() + memory);
		(void)setrlimit(RLIMIT_AS, &space);
	}
	for (int fd = 0; fd <= 2 && null >= 0; fd++)
		(void)dup2(null, fd);
}
