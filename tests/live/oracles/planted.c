/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "planted.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define LOST_NS 300000u /* less is no cause */
#define RIVALS  16384u  /* times that the rival runs, at most */
#define GAP     30000u  /* of the rival: longer it had no CPU */
#define SYNCED  (1u << 20) /* bytes that a unit writes that syncs: few are synced at once */
#define SECTION 10000u  /* what each unit does with the mutex */

static const char *const words[PLANTED_CAUSES] = {"-", "lock", "disk", "cpu", "gc"};

static pthread_mutex_t needed = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t world = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t goes_on = PTHREAD_COND_INITIALIZER;
static bool is_stopped; /* under `world` */
static atomic_int lock_asked, sweep_asked, is_over, is_at_work;
static uint64_t random_state = 1;

static struct {
	const char *mode;
	uint64_t part;
	int file, direct, rival; /* the rival runs for each byte that it gets */
	pid_t rival_pid;
	pthread_t keeper, sweeper;
} planted;

/* Shared with the rival. */
static struct rival_log {
	size_t count;
	struct {
		uint64_t begin, end;
	} run[RIVALS];
} *rival_log;

static uint64_t random_next(void)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return random_state >> 33;
}

void random_begin(uint64_t seed)
{
	random_state = seed;
}

uint64_t random_below(uint64_t count)
{
	return random_next() % count;
}

static void *keep(void *unused)
{
	(void)prctl(PR_SET_NAME, "keeper");
	(void)truth_pin(OTHER_CPU);
	while (!atomic_load(&is_over)) {
		if (atomic_exchange(&lock_asked, 0)) {
			(void)pthread_mutex_lock(&needed);
			atomic_store(&lock_asked, -1); /* it has the mutex */
			truth_sleep(PLANTED_NS);
			(void)pthread_mutex_unlock(&needed);
		}
		truth_sleep(PLANTED_IDLE);
	}
	return unused;
}

static void world_stop(bool stop)
{
	(void)pthread_mutex_lock(&world);
	is_stopped = stop;
	if (!stop)
		(void)pthread_cond_broadcast(&goes_on);
	(void)pthread_mutex_unlock(&world);
}

static void *sweep(void *unused)
{
	(void)prctl(PR_SET_NAME, "sweeper");
	(void)truth_pin(OTHER_CPU);
	while (!atomic_load(&is_over)) {
		if (atomic_exchange(&sweep_asked, 0)) {
			world_stop(true);
			atomic_store(&sweep_asked, -1);
			truth_spin(PLANTED_NS);
			world_stop(false);
		}
		truth_sleep(PLANTED_IDLE);
	}
	return unused;
}

static void safe_point(void)
{
	(void)pthread_mutex_lock(&world);
	while (is_stopped)
		(void)pthread_cond_wait(&goes_on, &world);
	(void)pthread_mutex_unlock(&world);
}

/* Asks a helper, and sleeps until it has begun: else the unit might be over before. */
static void ask_helper(atomic_int *asked)
{
	atomic_store(asked, 1);
	while (atomic_load(asked) != -1)
		truth_sleep(PLANTED_IDLE);
	atomic_store(asked, 0);
}

/* Notes when it had the CPU: between two looks at the clock it had not. */
static void rival_spin(void)
{
	uint64_t begin = truth_now(), end = begin + PLANTED_NS, last = begin, now = begin;

	while (now < end && rival_log->count < RIVALS) {
		now = truth_now();
		if (now - last < GAP && now < end)
			last = now;
		else {
			rival_log->run[rival_log->count].begin = begin;
			rival_log->run[rival_log->count++].end = last;
			begin = last = now;
		}
	}
}

static _Noreturn void rival_run(int from)
{
	char byte;

	(void)prctl(PR_SET_NAME, "rival");
	(void)truth_pin(WORK_CPU);
	(void)setpriority(PRIO_PROCESS, 0, -20); /* else it may run once the unit is over */
	while (read(from, &byte, 1) == 1)
		rival_spin();
	_exit(0);
}

static void rival_begin(void)
{
	int ends[2];

	rival_log = truth_shared(sizeof(*rival_log));
	truth_must(pipe(ends) == 0, "pipe");
	planted.rival_pid = fork();
	truth_must(planted.rival_pid >= 0, "fork");
	if (planted.rival_pid == 0) {
		(void)close(ends[1]);
		rival_run(ends[0]);
	}
	(void)close(ends[0]);
	planted.rival = ends[1];
}

static int file_open(void)
{
	char path[] = "/var/tmp/ftwait-rare.XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);

	truth_must(fd >= 0, path);
	(void)unlink(path);
	return fd;
}

void planted_begin(void)
{
	rival_begin();
	planted.file = file_open();
	planted.direct = file_open();
	/* not all file systems can: then what is synced is copied first */
	(void)fcntl(planted.direct, F_SETFL, O_DIRECT);
	planted.keeper = truth_thread(keep, NULL);
	planted.sweeper = truth_thread(sweep, NULL);
}

void planted_end(void)
{
	atomic_store(&is_over, 1);
	(void)close(planted.rival);
	(void)pthread_join(planted.keeper, NULL);
	(void)pthread_join(planted.sweeper, NULL);
	while (waitpid(planted.rival_pid, NULL, 0) > 0)
		;
}

bool planted_mode(const char *mode, uint64_t part)
{
	bool is_known = strcmp(mode, "none") == 0 || strcmp(mode, "mix") == 0;

	for (size_t cause = PLANTED_LOCK; cause < PLANTED_CAUSES; cause++)
		is_known |= strcmp(mode, words[cause]) == 0;
	planted.mode = mode;
	planted.part = part;
	return is_known;
}

static enum planted_cause cause_choose(void)
{
	bool is_slow = random_below(10000) < planted.part;
	enum planted_cause cause = (enum planted_cause)(1 + random_below(PLANTED_CAUSES - 1));

	if (!is_slow || strcmp(planted.mode, "none") == 0)
		return PLANTED_NONE;
	if (strcmp(planted.mode, "mix") == 0)
		return cause;
	for (cause = PLANTED_LOCK; strcmp(planted.mode, words[cause]) != 0;)
		cause++;
	return cause;
}

void planted_choose(struct planted_unit *unit)
{
	*unit = (struct planted_unit){.cause = cause_choose()};
	unit->work = 60000 + random_below(60000);
	if (unit->cause && atomic_exchange(&is_at_work, 1))
		unit->cause = PLANTED_NONE;
}

static uint64_t since(uint64_t begin)
{
	return truth_now() - begin;
}

/* Past the page cache, as the copy to there would be time of the CPU. */
static void file_sync(void)
{
	static const char block[SYNCED] __attribute__((aligned(4096)));

	truth_must(pwrite(planted.direct, block, sizeof(block), 0) == (ssize_t)sizeof(block), "pwrite");
	(void)fdatasync(planted.direct);
}

void planted_work(struct planted_unit *unit)
{
	static const char bytes[512];
	uint64_t begin;

	if (unit->cause == PLANTED_CPU)
		truth_must(write(planted.rival, "x", 1) == 1, "the rival is gone");
	truth_spin(unit->work);
	truth_must(write(planted.file, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes), "write");
	begin = truth_now();
	if (unit->cause == PLANTED_DISK)
		file_sync();
	unit->lost[PLANTED_DISK] = since(begin);
	if (unit->cause == PLANTED_LOCK)
		ask_helper(&lock_asked);
	if (unit->cause == PLANTED_GC)
		ask_helper(&sweep_asked);
	begin = truth_now();
	(void)pthread_mutex_lock(&needed);
	unit->lost[PLANTED_LOCK] = since(begin);
	truth_spin(SECTION);
	(void)pthread_mutex_unlock(&needed);
	begin = truth_now();
	safe_point();
	unit->lost[PLANTED_GC] = since(begin);
}

void planted_done(struct planted_unit *unit)
{
	if (unit->cause)
		atomic_store(&is_at_work, 0);
}

/* What the rival ran within the unit. */
static uint64_t lost_to_rival(const struct planted_unit *unit)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < rival_log->count; i++) {
		uint64_t begin = rival_log->run[i].begin, end = rival_log->run[i].end;

		begin = begin > unit->begin ? begin : unit->begin;
		end = end < unit->end ? end : unit->end;
		lost += end > begin ? end - begin : 0;
	}
	return lost;
}

static enum planted_cause lost_most(struct planted_unit *unit)
{
	enum planted_cause most = PLANTED_NONE;
	uint64_t half = (unit->end - unit->begin) / 2;

	unit->lost[PLANTED_NONE] = half > LOST_NS ? half : LOST_NS;
	unit->lost[PLANTED_CPU] = lost_to_rival(unit);
	for (int cause = PLANTED_LOCK; cause < PLANTED_CAUSES; cause++)
		if (unit->lost[cause] > unit->lost[most])
			most = (enum planted_cause)cause;
	return most;
}

void planted_print(FILE *to, struct planted_unit *unit, size_t count)
{
	for (size_t i = 0; i < count; i++)
		(void)fprintf(to, "%ju %ju %s\n", (uintmax_t)unit[i].begin, (uintmax_t)unit[i].end,
		              words[lost_most(&unit[i])]);
}
