/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to do about waits for disks, and for locks and barriers. */
#include "advice.h"

#include "analysis/tables/machine_time.h"
#include "base/cleanup.h"
#include "base/data/order.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"
#include "tally/tally.h"
#include "views/disk/disk_request.h"
#include "views/lock/lock_contention.h"

/* Advice on a disk that was always busy, or in whose queue requests spent the time, and the tasks
   that sent them. */

#define DEVICES_MAX 64   /* later devices are ignored */

struct disk_use {
	struct keyed_sum of; /* by device; total: of the times of all requests in it, though they
	                        may overlap */
	uint32_t dev;
	struct coverage busy;
	struct keyed_sums by_task; /* by track and direction: the same sum; extra: bytes */
	struct keyed_sums queued;  /* by track: time in the queue; extra: time in all */
	nsec_t longest_queued, longest_at, longest_end; /* of asked tasks, the request that was
	                                                   queued longest; 0: none */
	uint32_t longest_of;
};

struct disk_uses {
	const struct question *question;
	struct keyed_sums use; /* struct disk_use */
};

static void disk_uses_end(void *state)
{
	struct disk_uses *uses = state;

	TALLY_ROWS(&uses->use.tally, struct disk_use, use) {
		coverage_release(&use->busy);
		keyed_sums_release(&use->by_task);
		keyed_sums_release(&use->queued);
	}
}

static struct disk_use *disk_use_of(struct disk_uses *uses, uint32_t dev)
{
	struct disk_use *use = keyed_sums_find(&uses->use, dev);

	if (use || uses->use.count == DEVICES_MAX)
		return use;
	use = keyed_sums_of(&uses->use, dev);
	use->dev = dev;
	keyed_sums_init(&use->by_task, sizeof(struct keyed_sum), KEYED_SUMS_HEAVY);
	keyed_sums_init(&use->queued, sizeof(struct keyed_sum), KEYED_SUMS_HEAVY);
	return use;
}

static void longest_queued_take(struct disk_use *use, const struct interval *interval,
                                uint32_t task, nsec_t queued, nsec_t end)
{
	if (queued <= use->longest_queued)
		return;
	use->longest_queued = queued;
	use->longest_at = interval->begin;
	use->longest_end = end;
	use->longest_of = task;
}

static void disk_uses_on_interval(void *state, const struct interval *interval)
{
	struct disk_uses *uses = state;
	const struct timeline *timeline = uses->question->timeline;
	nsec_t issued = interval->phase[PHASE_STARTED], end = interval->end;
	uint32_t task = disk_request_task(timeline, interval);
	struct disk_use *use;

	if (question_may_be_windowed(uses->question))
		end = nsec_min(end, uses->question->resolved->end);
	if (issued == NSEC_NEVER || issued >= end || !(use = disk_use_of(uses, interval->disk.dev)))
		return;
	coverage_add(&use->busy, issued, end, NULL, NULL);
	use->of.total += end - issued;
	keyed_sums_add(&use->by_task, &(struct keyed_sum){
		.key = (uint64_t)task << 2 | disk_request_direction(timeline, interval),
		.total = end - issued,
		.count = 1,
		.extra = interval->disk.bytes,
	});
	keyed_sums_add(&use->queued, &(struct keyed_sum){
		.key = task,
		.total = issued - interval->begin,
		.count = 1,
		.extra = end - interval->begin,
	});
	if (task != TRACK_NONE && question_asks_track(uses->question, task))
		longest_queued_take(use, interval, task, issued - interval->begin, end);
}

/* The task and direction that used most of the device's time; NULL: none stands out. `others`: only
   tasks that are not asked for count. */
static const struct keyed_sum *use_most(const struct disk_uses *uses, const struct disk_use *use,
                                        bool others)
{
	const bool *is_asked = uses->question->resolved->is_asked;
	const struct keyed_sum *most =
		ORDER_MOST(it, (const struct keyed_sum *)use->by_task.element, use->by_task.count,
	                   it->key >> 2 != TRACK_NONE && !(others && is_asked[it->key >> 2]),
	                   it->total);

	return most && nsec_ratio(most->total, use->of.total) >= PART_MOST ? most : NULL;
}

static void user_append(const struct disk_uses *uses, const struct disk_use *use,
                        const struct keyed_sum *user, struct buffer *to)
{
	static const char *const words[DISK_DIRECTIONS] = {"reads", "writes", "flushes"};

	say(to, uses->question->timeline, "{share} of that for {text} of {task} ({size})",
	    SHARE(nsec_ratio(user->total, use->of.total)), TEXT(words[user->key & 3]),
	    TASK((uint32_t)(user->key >> 2)), SIZE(user->extra));
}

/* The time that requests of asked tasks stood in the queue, as a part of all their time. */
static double queue_part(const struct disk_uses *uses, const struct disk_use *use)
{
	nsec_t queued = 0, all = 0;

	TALLY_ROWS(&use->queued.tally, const struct keyed_sum, sum) {
		if (sum->key == TRACK_NONE || !uses->question->resolved->is_asked[sum->key])
			continue;
		queued += sum->total;
		all += sum->extra;
	}
	return nsec_ratio(queued, all);
}

/* How long the disk's machine was recorded. */
static nsec_t use_time(const struct disk_uses *uses, const struct disk_use *use)
{
	return machine_time(uses->question,
	                    device_names_host(&uses->question->timeline->devices, use->dev));
}

/* Advice if the asked tasks' requests are in the queue while requests of other tasks use the
   device, or if it was always busy. */
static bool advise_disk(const struct disk_uses *uses, const struct disk_use *use, struct buffer *to)
{
	const struct question *question = uses->question;
	double busy = nsec_ratio(use->busy.total, use_time(uses, use));
	double queued = queue_part(uses, use);
	const struct keyed_sum *other = use_most(uses, use, /* others= */ true);
	bool is_queue = other && queued >= PART_MOST;
	const struct keyed_sum *user = is_queue ? other : use_most(uses, use, /* others= */ false);
	_cleanup_(buffer_release) struct buffer used = {0};

	if (user)
		user_append(uses, use, user, &used);
	if (is_queue)
		say(to, question->timeline,
		    "requests to disk {device} were queued for {share} of their time, while it was "
		    "busy, {text}: defer these, or limit them (ionice, io.max).",
		    DEVICE(use->dev), SHARE(queued), TEXT(used.text));
	else if (busy >= PART_ALWAYS)
		say(to, question->timeline,
		    "disk {device} was busy for {share} of the time, [{text}|with requests of many "
		    "tasks]: [{if}defer these, or limit them (ionice, io.max).|fewer or larger "
		    "requests, or another disk, would help.]",
		    DEVICE(use->dev), SHARE(busy), TEXT(used.text),
		    IF(user && !question->resolved->is_asked[user->key >> 2]));
	return is_queue || busy >= PART_ALWAYS;
}

double disk_uses_advise(const struct advising *of, struct buffer *to)
{
	const struct disk_uses *uses = of->state;
	const struct disk_use *most = NULL;
	double part = 0;

	TALLY_ROWS(&uses->use.tally, const struct disk_use, use) {
		nsec_t waited = 0; /* by the asked tasks, for that disk */

		EACH_OF(of->list->cost, of->list->count, const struct cost, cost)
			if (cost->kind == COST_WAIT && cost->cause.note->kind == CAUSE_DISK &&
			    cost->cause.note->as.disk.dev == use->dev)
				waited += cost->total;
		if (nsec_ratio(waited, of->reported) < PART_WORTH ||
		    nsec_ratio(waited, of->reported) <= part)
			continue;
		part = nsec_ratio(waited, of->reported);
		most = use;
	}
	if (!most || !advise_disk(uses, most, to))
		return 0;
	if (most->longest_queued) { /* the task may have done something else meanwhile */
		of->fact->view = "disk";
		of->fact->proof.task = timeline_task(uses->question->timeline, most->longest_of,
		                                     most->longest_at);
		of->fact->proof.begin = most->longest_at;
		of->fact->proof.end = most->longest_end;
	}
	return part;
}

double disk_uses_busiest(const void *state, uint32_t machine, struct buffer *to)
{
	const struct disk_uses *uses = state;
	const struct device_names *devices = &uses->question->timeline->devices;
	const struct disk_use *most =
		ORDER_MOST(it, (const struct disk_use *)uses->use.element, uses->use.count,
	                   device_names_host(devices, it->dev) == machine,
	                   it->busy.total);

	if (!most)
		return 0;
	buffer_puts(to, TIMELINE_DEVICE_TEXT(uses->question->timeline, most->dev));
	return nsec_ratio(most->busy.total, use_time(uses, most));
}

const struct gatherer disk_uses = {
	.state_bytes = sizeof(struct disk_uses),
	.sum_count = 1,
	.sum_bytes = sizeof(struct disk_use),
	.on_interval = disk_uses_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_DISK),
	.end = disk_uses_end,
};

/*
 * Advice on a lock that tasks waited for, and its owner meanwhile; or on a barrier, and the task
 * that reached it last. A futex counts as a barrier if its calls show that, and tasks waited for it
 * again and again.
 */

#define OWNERS_KEPT 8    /* for each lock; the owner with the least time makes room */

struct lock_owner {
	uint32_t track;
	nsec_t owned; /* time that other tasks waited for this owner */
	nsec_t stopped; /* part of it in which a signal or a tracer stopped the owner */
	uint32_t rounds; /* for a barrier: number of rounds in which this task was last */
	bool only_released; /* it began to live only when a task already waited for the lock */
};

struct lock_use {
	struct keyed_sum waits; /* by hash of the lock */
	bool is_set;
	struct lock lock;
	struct lock_tenures tenures;
	struct futex_tally tally;
	nsec_t shortest, longest;
	nsec_t longest_at; /* the longest wait, when it began, and whose it was */
	uint32_t longest_of;
	uint32_t rounds; /* for a barrier: number of rounds that asked tasks waited for */
	nsec_t stopped; /* the sum of all owners */
	nsec_t free;    /* part of the waits in which nobody had the lock any more */
	struct lock_owner owner[OWNERS_KEPT];
	size_t owner_count;
};

struct lock_uses {
	const struct question *question;
	struct keyed_sums use; /* struct lock_use */
};

static struct lock_use *lock_use_of(struct lock_uses *uses, const struct lock *lock)
{
	struct lock_use *use = keyed_sums_of(&uses->use, lock_hash(lock));

	if (!use->is_set)
		use->lock = *lock;
	use->is_set = true;
	return use;
}

static void use_add_owned(struct lock_use *use, const struct lock_owner *own)
{
	struct lock_owner *least = &use->owner[0];

	use->stopped += own->stopped;
	for (size_t i = 0; i < use->owner_count; i++) {
		if (use->owner[i].track == own->track) {
			use->owner[i].owned += own->owned;
			use->owner[i].stopped += own->stopped;
			use->owner[i].rounds += own->rounds;
			use->owner[i].only_released |= own->only_released;
			return;
		}
		if (use->owner[i].owned < least->owned)
			least = &use->owner[i];
	}
	if (use->owner_count < OWNERS_KEPT)
		least = &use->owner[use->owner_count++];
	*least = *own;
}

/* Adds to which owners the wait for the lock went. */
static void use_add_owners(struct lock_use *use, const struct timeline *timeline,
                           const struct contention *contention, bool is_round)
{
	nsec_t end = contention->begin + contention->length;
	struct lock_tenure part[LOCK_OWNERS];
	uint32_t count = lock_contention_owners(contention, &use->tenures, part);

	use->rounds += is_round && count > 0;
	use->free += lock_contention_free(contention);
	for (uint32_t i = 0; i < count; i++) {
		struct track *owner = part[i].owner == TRACK_NONE
		                              ? NULL
		                              : &timeline->track[part[i].owner];

		if (!owner)
			continue;
		use_add_owned(use, &(struct lock_owner){
			.track = part[i].owner,
			.owned = part[i].end - part[i].begin,
			.stopped = owner->was_stopped
			                   ? track_time_in(owner, 1u << SEGMENT_STOPPED,
			                                   part[i].begin, part[i].end)
			                   : 0,
			.rounds = part[i].end == end && is_round,
			/* a task had begun to wait for the lock before the owner was forked */
			.only_released = owner->born != NSEC_NEVER && owner->born > part[i].begin,
		});
	}
}

static void uses_add_contention(struct lock_uses *uses, const struct interval *interval)
{
	const struct question *question = uses->question;
	struct contention contention = lock_contention_of(question->timeline, interval);
	struct lock_tenure last = lock_contention_tenure(&contention);
	struct lock_use *use = lock_use_of(uses, &contention.lock);
	bool is_round = futex_tally_add(&use->tally, contention.signs, last.begin, last.end);

	/* As long as it is not known which tasks are asked for, all tasks that may be count. A lock
	   that was not acquired is reported separately (hangs.h). */
	if (contention.has_slept && !contention.is_open &&
	    question_asks_track(question, contention.waiter)) {
		use->waits.count++;
		use->waits.total += contention.length;
		if (use->waits.count == 1 || contention.length < use->shortest)
			use->shortest = contention.length;
		if (contention.length > use->longest) {
			use->longest = contention.length;
			use->longest_at = contention.begin;
			use->longest_of = contention.waiter;
		}
		use_add_owners(use, question->timeline, &contention, is_round);
	}
	if (lock_contention_shows_tenure(&contention))
		lock_tenures_add(&use->tenures, &last);
}

static void lock_uses_on_interval(void *state, const struct interval *interval)
{
	struct lock_uses *uses = state;
	struct interval part = *interval;

	if (interval->kind == INTERVAL_TENURE) {
		const struct lock lock = lock_of_interval(uses->question->timeline, interval);
		const struct lock_tenure tenure = lock_tenure_of(interval);

		lock_tenures_add(&lock_use_of(uses, &lock)->tenures, &tenure);
	} else if (lock_contention_clip(uses->question, &part)) {
		uses_add_contention(uses, &part);
	}
}

/* The time of the asked tasks, without the time that they chose to sleep. */
static nsec_t time_not_chosen(const struct summary *summary)
{
	nsec_t sum = 0;

	SUMMARY_EACH(summary, times) {
		nsec_t chosen = times->unknown +
		                explanation_taken(summary->explanation, times->track).chosen;

		if (chosen < times->time)
			sum += times->time - chosen;
	}
	return sum;
}

static bool use_is_of_barrier(const struct lock_use *use)
{
	return use->lock.kind == LOCK_FUTEX &&
	       futex_tally_kind(&use->tally) == FUTEX_KIND_BARRIER;
}

static bool use_is_of_lock(const struct lock_use *use)
{
	if (use->lock.kind != LOCK_FUTEX)
		return lock_kind_has_owner((enum lock_kind)use->lock.kind);
	return (use_is_of_barrier(use) ||
	        futex_tally_kind(&use->tally) == FUTEX_KIND_LOCK) &&
	       use->waits.count >= LOCK_WAITS_LEAST && use->longest < use->waits.total / 2;
}

/* Of locks: what to do about their owners. */
static void advice_owner_append(const struct timeline *timeline, const struct lock_use *use,
                                struct buffer *to)
{
	double is_free = nsec_ratio(use->free, use->waits.total), owned;
	const struct lock_owner *most =
		ORDER_MOST(it, use->owner, use->owner_count, true, it->owned + 1);

	owned = most ? nsec_ratio(most->owned, use->waits.total) : 0;
	if (!most || is_free > PART_MOST)
		say(to, NULL,
		    "[{if}; its owner is not known.|, {share} of that when it was free again: try "
		    "for it more often, or wait for it in the kernel.]",
		    IF(!most), SHARE(is_free));
	else if (owned < PART_MOST)
		say(to, NULL,
		    ", while various tasks held it[, which were stopped for {time} of that: stop "
		    "no task that holds the lock.|: hold it for less time, or use more than one "
		    "lock.]",
		    WHEN(nsec_ratio(use->stopped, use->waits.total) >= PART_MOST,
		         TIME(use->stopped)));
	/* one process freezes a file system, and another one may thaw it: the only percpu-rwsem for
	   which that is so */
	else if (use->lock.kind == LOCK_PERCPU_RWSEM && most->only_released)
		say(to, timeline, ": a frozen file system, until {task} thawed it (fsfreeze -u).",
		    TASK(most->track));
	else
		say(to, timeline,
		    ", {share} of that while {task} held it[, which was stopped for {time} of "
		    "that: do not stop it while it holds the lock.|: let it hold the lock for less "
		    "time, or less often.]", SHARE(owned), TASK(most->track),
		    WHEN(nsec_ratio(most->stopped, most->owned) >= PART_MOST, TIME(most->stopped)));
}

/* Appends which task reached the barrier last, if it was mostly the same task. */
static void last_append(const struct timeline *timeline, const struct lock_use *use,
                        struct buffer *to)
{
	const struct lock_owner *most =
		ORDER_MOST(it, use->owner, use->owner_count, true, it->rounds + 1u);
	bool is_one = most && most->rounds >= PART_MOST * use->rounds;

	say(to, timeline,
	    ", where [{task} arrived last {number} of {number} times: give it less of the "
	    "work.|the last to arrive varied: let them meet less often.]",
	    WHEN(is_one, TASK(most->track)), WHEN(is_one, NUMBER(most->rounds)),
	    NUMBER(use->rounds));
}

double lock_uses_advise(const struct advising *of, struct buffer *to)
{
	const struct lock_uses *uses = of->state;
	const struct lock_use *most =
		ORDER_MOST(it, (const struct lock_use *)uses->use.element, uses->use.count,
	                   use_is_of_lock(it), it->waits.total);
	double part = most ? nsec_ratio(most->waits.total, time_not_chosen(of->summary)) : 0;
	const struct timeline *timeline = uses->question->timeline;
	_cleanup_(buffer_release) struct buffer name = {0};
	struct lock lock;
	nsec_t mean;

	if (!most || part < PART_WORTH)
		return 0;
	lock = most->lock;
	if (use_is_of_barrier(most))
		lock.kind = LOCK_BARRIER;
	lock_append(&name, timeline, &lock);
	mean = most->waits.total / most->waits.count;
	*of->fact = FACT(FACT_CAUSE, .figure = FIGURE_TIME, .time = most->waits.total,
	                 .proof = {timeline_task(timeline, most->longest_of, most->longest_at),
	                           most->longest_at, most->longest_at + most->longest});
	say(to, NULL,
	    "waits [{if}at|for] {text} took {time}[, {count} of {time} [{if}each|on average]]",
	    IF(lock.kind == LOCK_BARRIER), TEXT(name.text), TIME(most->waits.total),
	    WHEN(most->waits.count > 1, COUNT(most->waits.count)), TIME(mean),
	    IF(most->longest - most->shortest <= mean / DIVISOR_SAME));
	if (lock.kind == LOCK_BARRIER)
		last_append(timeline, most, to);
	else
		advice_owner_append(timeline, most, to);
	return part;
}

const struct gatherer lock_uses = {
	.state_bytes = sizeof(struct lock_uses),
	.sum_count = 1,
	.sum_bytes = sizeof(struct lock_use),
	.on_interval = lock_uses_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_LOCK) | INTERVAL_MASK(INTERVAL_TENURE),
};
