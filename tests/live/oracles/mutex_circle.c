/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mutex_circle COUNT: so many threads each hold a mutex and want the next one's, the last the
 * first's: forever; one thread wants its own a second time. Prints "NAME TID ADDRESS" of each, the
 * mutex that it holds, before it wants another.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "truth.h"

#define COUNT_MAX     8
#define ALARM_SECONDS 20u

static pthread_mutex_t locks[COUNT_MAX];
static pthread_barrier_t all_hold;
static uintptr_t count;

static void *member_run(void *position)
{
	uintptr_t index = (uintptr_t)position;
	char name[] = {'m', 'e', 'm', 'b', 'e', 'r', (char)('0' + index), '\0'};

	(void)prctl(PR_SET_NAME, name);
	(void)pthread_mutex_lock(&locks[index]);
	(void)printf("%s %d 0x%" PRIxPTR "\n", name, truth_tid(), (uintptr_t)&locks[index]);
	(void)fflush(stdout);
	(void)pthread_barrier_wait(&all_hold);
	(void)pthread_mutex_lock(&locks[(index + 1) % count]);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread = 0;

	count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	truth_must(count > 0 && count <= COUNT_MAX, "COUNT of 1 to 8");
	(void)alarm(ALARM_SECONDS);
	(void)pthread_barrier_init(&all_hold, NULL, (unsigned int)count);
	for (uintptr_t index = 0; index < count; index++)
		(void)pthread_mutex_init(&locks[index], NULL);
	for (uintptr_t index = 0; index < count; index++)
		thread = truth_thread(member_run, (void *)index);
	(void)pthread_join(thread, NULL);
	return EXIT_FAILURE;
}
