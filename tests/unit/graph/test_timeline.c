/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/data/array.h"
#include "graph/aims/awaited.h"
#include "graph/logs/task_names.h"
#include "graph/timeline/timeline.h"
#include "suites.h"

#define CALLS 3 /* any number that a place may have */
#define MS    1000000

static struct timeline timeline;
static uint32_t track;

static void timeline_setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	track = timeline_add_track(&timeline, 100);
}

static void timeline_teardown(void)
{
	timeline_release(&timeline);
}

static void check_span(const struct span *span, const struct span *added)
{
	ck_assert_uint_eq(span->track, added->track);
	ck_assert_uint_eq(span->begin, added->begin);
	ck_assert_uint_eq(span->end, added->end);
	ck_assert_uint_eq(span->kind, added->kind);
	ck_assert_uint_eq(span->detail, added->detail);
	ck_assert_uint_eq(span->cpu, added->cpu);
	ck_assert_uint_eq(span->is_open, added->is_open);
	ck_assert_uint_eq(span->is_doubtful, added->is_doubtful);
	ck_assert_uint_eq(span->is_quiet, added->is_quiet);
	ck_assert_uint_eq(span->is_again, added->is_again);
	ck_assert(!span->place == !added->place);
	if (added->place) {
		ck_assert_uint_eq(span->place->frames, added->place->frames);
		ck_assert_uint_eq(span->place->call, added->place->call);
	}
	ck_assert_int_eq(!span->cause, !added->cause);
	if (span->cause)
		ck_assert_mem_eq(span->cause, added->cause, sizeof(*span->cause));
}

START_TEST(spans_come_back_as_they_were_added)
{
	static const struct sleep_place slept = {.frames = 1, .call = CALLS};
	static const struct sleep_place stopped = {.frames = 2};
	struct cause_note disk, limit, stop;
	struct span spans[] = {
		{.begin = 10, .end = 20, .kind = SEGMENT_RUN, .cpu = 3},
		{.begin = 20, .end = 50, .kind = SEGMENT_WAIT, .detail = 'D' | WAIT_FOR_WORK,
		 .cpu = 3, .is_quiet = true, .cause = &disk,
		 .place = &slept},
		{.begin = 50, .end = 60, .kind = SEGMENT_RUNNABLE, .detail = RUNNABLE_UNTHROTTLED,
		 .cpu = 32767, .is_doubtful = true, .cause = &limit},
		{.begin = 60, .end = 60, .kind = SEGMENT_RUN, .cpu = 1},
		{.begin = 60, .end = 80, .kind = SEGMENT_STOPPED, .detail = 't', .cause = &stop,
		 .place = &stopped},
		{.begin = 80, .end = 90, .kind = SEGMENT_UNKNOWN},
		{.begin = 90, .end = 95, .kind = SEGMENT_WAIT, .detail = 'S', .is_open = true,
		 .is_again = true},
	};

	cause_note_init(&disk, CAUSE_DISK, CONFIDENCE_HIGH);
	cause_note_init(&limit, CAUSE_TIMER, CONFIDENCE_MEDIUM);
	cause_note_init(&stop, CAUSE_SIGNAL, CONFIDENCE_LOW);
	for (size_t i = 0; i < ARRAY_SIZE(spans); i++) {
		spans[i].track = track;
		timeline_add_span(&timeline, &spans[i]);
	}
	ck_assert_uint_eq(timeline.track[track].segment_count, ARRAY_SIZE(spans));
	for (size_t i = 0; i < ARRAY_SIZE(spans); i++) {
		struct span span = timeline_span(&timeline, track, i);

		check_span(&span, &spans[i]);
	}
}
END_TEST

static void check_samples(nsec_t begin, nsec_t end, size_t first, size_t count)
{
	const struct track *of = &timeline.track[track];
	size_t found = 77;
	const struct run_sample *sample = timeline_samples(of, begin, end, &found);

	ck_assert_uint_eq(found, count);
	if (count)
		ck_assert_ptr_eq(sample, &of->sample[first]);
	else
		ck_assert_ptr_null(sample);
}

/* Those at the begin are in it, those at the end are not. */
/* Wherever the last search ended, and however uneven the segments: some have no length, and one is
   as long as all others. */
START_TEST(a_segment_is_found_from_anywhere)
{
	nsec_t end = 10;
	const struct track *found;
	unsigned random = 1;

	for (unsigned i = 0; i < 500; i++) {
		struct span span = {
			.track = track,
			.begin = end,
			.kind = i % 2 ? SEGMENT_RUN : SEGMENT_RUNNABLE,
		};

		random = random * 1103515245 + 12345;
		end += i == 170 ? 5000 : i % 7 ? random >> 16 & 15 : 0;
		span.end = end;
		timeline_add_span(&timeline, &span);
	}
	found = &timeline.track[track];
	ck_assert_uint_gt(found->segment_count, 400);
	for (unsigned i = 0; i < 20000; i++) {
		size_t at = SIZE_MAX;
		nsec_t t;

		random = random * 1103515245 + 12345;
		t = (random >> 12) % (end + 20);
		for (size_t next = 0; next < found->segment_count; next++)
			if (found->segment[next].begin < t)
				at = next;
		ck_assert_uint_eq(timeline_find(&timeline.track[track], t), at);
	}
}
END_TEST

START_TEST(samples_of_a_stretch)
{
	static const nsec_t times[] = {0, 10, 20, 20, 30};

	check_samples(0, 100, 0, 0);
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		ck_assert_ptr_nonnull(timeline_add_sample(&timeline, track, times[i]));
	ck_assert_uint_eq(timeline.sample_count, ARRAY_SIZE(times));
	check_samples(0, 100, 0, 5);
	check_samples(0, 0, 0, 0);
	check_samples(0, 10, 0, 1);
	check_samples(10, 20, 1, 1);
	check_samples(10, 21, 1, 3);
	check_samples(11, 20, 0, 0);
	check_samples(20, 20, 0, 0);
	check_samples(21, 30, 0, 0);
	check_samples(30, NSEC_NEVER, 4, 1);
	check_samples(31, NSEC_NEVER, 0, 0);
}
END_TEST

START_TEST(samples_are_in_order_and_of_a_history)
{
	ck_assert_ptr_nonnull(timeline_add_sample(&timeline, track, 20));
	ck_assert_ptr_null(timeline_add_sample(&timeline, track, 19));
	ck_assert_uint_eq(timeline.track[track].sample_count, 1);
	timeline.keep_segments = false;
	ck_assert_ptr_null(timeline_add_sample(&timeline, track, 30));
}
END_TEST

/* A wait of 10 with a cause of its own each 10 of time, slept at place `at`. */
static void add_waits(unsigned from, unsigned to)
{
	for (unsigned at = from; at < to; at++) {
		struct sleep_place place = {.frames = at + 1};
		struct cause_note note;

		cause_note_init(&note, CAUSE_DISK, CONFIDENCE_HIGH);
		/* every other one happened at a time of its own */
		note.origin = at % 2 ? at : NSEC_NEVER;
		note.name = at % 2 ? at : 7;
		timeline_add_span(&timeline, &(struct span){.track = track,
		                                            .begin = at * 10,
		                                            .end = (at + 1) * 10,
		                                            .kind = SEGMENT_WAIT,
		                                            .cause = &note,
		                                            .place = &place});
	}
}

static void check_waits(unsigned from, unsigned to)
{
	const struct track *kept = &timeline.track[track];

	ck_assert_uint_eq(kept->segment_count, to - from);
	ck_assert_uint_eq(timeline.place_count, to - from);
	for (unsigned at = from; at < to; at++) {
		struct span span = timeline_span(&timeline, track, at - from);

		ck_assert_uint_eq(span.begin, at * 10);
		ck_assert_uint_eq(span.end, (at + 1) * 10);
		ck_assert_uint_eq(span_frames(&span), at + 1);
		ck_assert_uint_eq(span.cause->name, at % 2 ? at : 7);
	}
}

START_TEST(the_older_half_is_forgotten)
{
	unsigned kept = 0;

	timeline_limit(&timeline, 5000);
	add_waits(0, 1);
	timeline.track[track].hint = 0;
	for (unsigned round = 1, at = 1; round < 8; round++) {
		size_t before = timeline.bytes;
		unsigned until = at;

		while (!timeline_is_full(&timeline)) {
			ck_assert_uint_ge(timeline.bytes, before);
			add_waits(until, until + 1);
			until++;
		}
		ck_assert_ptr_nonnull(timeline_add_sample(&timeline, track, until * 10));
		kept = (unsigned)(timeline.half / 10);
		ck_assert_uint_gt(kept, at - 1);
		ck_assert_uint_lt(kept, until);
		timeline_trim(&timeline);
		at = until;
		ck_assert_uint_le(timeline.bytes, timeline.bytes_max * 2 / 3);
		ck_assert_uint_eq(timeline.track[track].segments_gone, kept);
		ck_assert(timeline.track[track].is_trimmed);
		check_waits(kept, until);
		/* a link to what is gone leads nowhere */
		ck_assert_ptr_null(timeline_linked_cause(&timeline, timeline.causes_gone));
		ck_assert_ptr_nonnull(timeline_linked_cause(&timeline, timeline.causes_gone + 1));
	}
}
END_TEST

/* Sleeps of 10 each 10 of time that are for one request. */
static void add_sleeps(unsigned from, unsigned to, uint32_t request)
{
	for (unsigned at = from; at < to; at++) {
		struct cause_note note;

		cause_note_init(&note, CAUSE_TIMER, CONFIDENCE_HIGH);
		note.as.timer.is_own = true;
		note.as.timer.request = request;
		note.originator = at; /* so that each takes room */
		timeline_add_span(&timeline, &(struct span){.track = track,
		                                            .begin = at * 10,
		                                            .end = (at + 1) * 10,
		                                            .kind = SEGMENT_WAIT,
		                                            .cause = &note});
	}
}

static const struct cause_note *request_of(size_t at)
{
	struct span span = timeline_span(&timeline, track, at);

	return timeline_linked_cause(&timeline, span.cause->as.timer.request);
}

/* A request outlives the half of the history in which it was sent, as long as sleeps are for it,
   and all of these see how it ends. */
START_TEST(links_outlive_the_older_half)
{
	struct cause_note note, *request;
	uint32_t link;
	unsigned at = 1, sleeps = 0;

	timeline_limit(&timeline, 5000);
	cause_note_init(&note, CAUSE_NET, CONFIDENCE_HIGH);
	note.origin = 5;
	note.as.net.is_unanswered = true;
	note.as.net.peer = 77;
	link = timeline_note_cause(&timeline, &note) + 1;
	for (unsigned round = 0; round < 3; round++) {
		while (!timeline_is_full(&timeline)) {
			add_sleeps(at, at + 1, link);
			at++;
		}
		timeline_trim(&timeline);
		ck_assert_uint_gt(timeline.causes_gone, link);
		request = timeline_amend_linked(&timeline, link);
		ck_assert_ptr_nonnull(request);
		ck_assert_uint_eq(request->as.net.peer, 77);
		request->as.net.is_unanswered = round != 1;
		for (size_t i = 0; i < timeline.track[track].segment_count; i++, sleeps++)
			ck_assert_ptr_eq(request_of(i), request);
		ck_assert_uint_eq(timeline.old_count, 1);
	}
	ck_assert_uint_gt(sleeps, 3);
	/* none is for it any more */
	for (unsigned round = 0; round < 2; round++) {
		while (!timeline_is_full(&timeline)) {
			add_sleeps(at, at + 1, 0);
			at++;
		}
		timeline_trim(&timeline);
	}
	ck_assert_ptr_null(timeline_linked_cause(&timeline, link));
	ck_assert_uint_eq(timeline.old_count, 0);
}
END_TEST

/* A tracker may keep a link for longer than the history has its cause. */
START_TEST(a_forgotten_reason_of_work_is_none)
{
	struct cause_note note;
	uint32_t link;
	unsigned at = 1;

	timeline_limit(&timeline, 5000);
	cause_note_init(&note, CAUSE_DISK, CONFIDENCE_HIGH);
	note.origin = 5;
	link = timeline_note_cause(&timeline, &note) + 1;
	cause_note_init(&note, CAUSE_WORK, CONFIDENCE_HIGH);
	note.as.work.reason = link;
	struct span span = {
		.track = track, .kind = SEGMENT_WAIT, .detail = 'S', .cause = &note};
	ck_assert(!span_is_ended_by_work_of_others(&timeline, &span));
	for (unsigned round = 0; round < 2; round++) {
		for (; !timeline_is_full(&timeline); at++)
			add_sleeps(at, at + 1, 0);
		timeline_trim(&timeline);
	}
	ck_assert_ptr_null(timeline_linked_cause(&timeline, link));
	ck_assert(span_is_ended_by_work_of_others(&timeline, &span));
}
END_TEST

/* A chain of work items and what they were queued for is kept as far as walks go along it. */
START_TEST(a_chain_of_links_is_kept_in_part)
{
	struct cause_note note;
	uint32_t link = 0;
	unsigned length = 0;

	timeline_limit(&timeline, 5000);
	for (unsigned i = 0; i < 3 * CAUSE_LINK_DEPTH; i++) {
		cause_note_init(&note, CAUSE_WORK, CONFIDENCE_HIGH);
		note.origin = i;
		note.as.work.reason = link;
		link = timeline_note_cause(&timeline, &note) + 1;
	}
	for (unsigned at = 1; !timeline_is_full(&timeline); at++)
		add_sleeps(at, at + 1, link);
	timeline_trim(&timeline);
	for (const struct cause_note *of = request_of(0); of;
	     of = timeline_linked_cause(&timeline, of->as.work.reason))
		ck_assert_uint_eq(of->origin, 3 * CAUSE_LINK_DEPTH - 1 - length++);
	ck_assert_uint_eq(length, CAUSE_LINK_DEPTH);
}
END_TEST

static void set_rank(nsec_t time, int16_t priority, int16_t own, uint32_t lender)
{
	timeline_set_rank(&timeline, track, time,
	                  &(struct rank){.lender = lender, .priority = priority, .own = own});
}

static void check_rank(nsec_t time, int priority, int own, uint32_t lender)
{
	struct rank rank = track_rank(&timeline.track[track], time);

	ck_assert_int_eq(rank.priority, priority);
	ck_assert_int_eq(rank.own, own);
	ck_assert_uint_eq(rank.lender, lender);
	ck_assert(rank_is_lent(&rank) == (priority != own));
}

START_TEST(ranks_are_those_of_the_moment)
{
	check_rank(0, PRIORITY_UNKNOWN, PRIORITY_UNKNOWN, TRACK_NONE);
	/* the only one costs nothing */
	set_rank(5, 120, 120, TRACK_NONE);
	ck_assert_ptr_null(timeline.track[track].rank);
	check_rank(0, 120, 120, TRACK_NONE);
	set_rank(10, 49, 120, 3);
	set_rank(20, 120, 120, TRACK_NONE);
	set_rank(20, 110, 110, TRACK_NONE);
	for (nsec_t half = 0; half <= 15; half += 15) {
		if (half == 0)
			check_rank(9, 120, 120, TRACK_NONE);
		check_rank(10, 49, 120, 3);
		check_rank(19, 49, 120, 3);
		check_rank(20, 110, 110, TRACK_NONE);
		check_rank(1000, 110, 110, TRACK_NONE);
		timeline.half = 15;
		timeline_trim(&timeline);
	}
	ck_assert_uint_eq(timeline.track[track].rank_count, 3);
	timeline.half = 20;
	timeline_trim(&timeline);
	ck_assert_uint_eq(timeline.track[track].rank_count, 1);
	check_rank(20, 110, 110, TRACK_NONE);
	ck_assert_int_eq(timeline.track[track].priority, 110);
}
END_TEST

START_TEST(what_is_open_is_shown_for_a_while)
{
	uint32_t other = timeline_add_track(&timeline, 101);

	add_waits(0, 3);
	timeline_show_open(&timeline, &(struct span){.track = track, .begin = 30, .end = 35,
	                                             .kind = SEGMENT_RUN});
	timeline_show_open(&timeline, &(struct span){.track = other, .begin = 12, .end = 35,
	                                             .kind = SEGMENT_RUN});
	ck_assert_uint_eq(timeline.track[track].segment_count, 4);
	ck_assert(timeline_span(&timeline, track, 3).is_open);
	ck_assert_uint_eq(timeline_span(&timeline, track, 3).end, 35);
	ck_assert_uint_eq(timeline.track[other].begin, 12);
	timeline_hide_open(&timeline, track);
	timeline_hide_open(&timeline, other);
	timeline_hide_open(&timeline, other);
	check_waits(0, 3);
	ck_assert_uint_eq(timeline.track[track].end, 30);
	ck_assert_uint_eq(timeline.track[other].begin, NSEC_NEVER);
	ck_assert_uint_eq(timeline.track[other].segment_count, 0);
	add_waits(3, 4);
	check_waits(0, 4);
}
END_TEST

static void check_name_at(nsec_t time, const char *name)
{
	ck_assert_str_eq(intern_text(&timeline.names,
	                             timeline_name_at(&timeline.track[track], time)), name);
}

static void add_name(nsec_t time, const char *name)
{
	timeline_add_name(&timeline, track, time, name, strlen(name));
}

/* A name that was read later than an event tells of another one. */
START_TEST(a_name_of_later_gives_way)
{
	add_name(20, "read");
	check_name_at(0, "read");
	add_name(10, "before");
	check_name_at(20, "before");
	add_name(15, "read");
	check_name_at(14, "before");
	check_name_at(15, "read");

	track = timeline_add_track(&timeline, 101);
	add_name(20, "read");
	add_name(10, "read");
	add_name(15, "after");
	check_name_at(14, "read");
	check_name_at(15, "after");
}
END_TEST

static void add_active(nsec_t begin, nsec_t end, enum segment_kind kind)
{
	timeline_add_span(&timeline, &(struct span){
		.track = track,
		.begin = begin,
		.end = end,
		.kind = kind,
	});
}

static void check_main_name(const char *name)
{
	timeline_settle_names(&timeline);
	check_name_at(NSEC_NEVER, name);
	ck_assert_str_eq(intern_text(&timeline.names, track_name(&timeline.track[track])), name);
}

/* ms: a subshell runs and waits for 40, in one run at last, and executes a program for 10. */
START_TEST(a_task_is_named_by_what_it_did)
{
	add_name(0, "sh");
	add_active(0, 20 * MS, SEGMENT_WAIT);
	add_name(40 * MS, "true");
	add_active(20 * MS, 50 * MS, SEGMENT_RUN);
	check_main_name("sh");
	check_name_at(40 * MS, "true");
	ck_assert_uint_eq(timeline.track[track].last_name,
	                  timeline_name_at(&timeline.track[track], 40 * MS));
	/* not much longer any more */
	add_active(50 * MS, 51 * MS, SEGMENT_RUN);
	check_main_name("true");
}
END_TEST

/* A child stands in a run queue before it executes its program: it did nothing there. */
START_TEST(a_queue_gives_no_name)
{
	add_name(0, "make");
	add_active(0, 90 * MS, SEGMENT_RUNNABLE);
	add_name(91 * MS, "cc1");
	add_active(90 * MS, 92 * MS, SEGMENT_RUN);
	check_main_name("cc1");
}
END_TEST

/* The first name is most of it, and the last name is less than the one between. */
START_TEST(a_name_counts_against_all_later_ones)
{
	add_name(0, "sh");
	add_active(0, 96 * MS, SEGMENT_RUN);
	add_active(96 * MS, 100 * MS, SEGMENT_RUNNABLE);
	add_name(100 * MS, "env");
	add_active(100 * MS, 120 * MS, SEGMENT_RUN);
	add_name(120 * MS, "true");
	add_active(120 * MS, 121 * MS, SEGMENT_RUN);
	check_main_name("sh");
	add_active(121 * MS, 125 * MS, SEGMENT_RUN);
	check_main_name("env");
	add_active(125 * MS, 129 * MS, SEGMENT_RUN);
	check_main_name("true");
}
END_TEST

/* Less than 5 ms prove nothing: a child may need them before it executes its program. */
START_TEST(a_short_life_has_its_last_name)
{
	add_name(0, "sh");
	add_active(0, 4 * MS, SEGMENT_RUN);
	add_name(4 * MS, "true");
	add_active(4 * MS, 4 * MS + 1, SEGMENT_RUN);
	check_main_name("true");
}
END_TEST

Suite *timeline_suite(void)
{
	Suite *suite = suite_create("timeline");
	TCase *spans = tcase_create("spans");

	tcase_add_checked_fixture(spans, timeline_setup, timeline_teardown);
	tcase_add_test(spans, spans_come_back_as_they_were_added);
	tcase_add_test(spans, a_segment_is_found_from_anywhere);
	tcase_add_test(spans, samples_of_a_stretch);
	tcase_add_test(spans, samples_are_in_order_and_of_a_history);
	tcase_add_test(spans, the_older_half_is_forgotten);
	tcase_add_test(spans, links_outlive_the_older_half);
	tcase_add_test(spans, a_forgotten_reason_of_work_is_none);
	tcase_add_test(spans, a_chain_of_links_is_kept_in_part);
	tcase_add_test(spans, ranks_are_those_of_the_moment);
	tcase_add_test(spans, what_is_open_is_shown_for_a_while);
	tcase_add_test(spans, a_name_of_later_gives_way);
	tcase_add_test(spans, a_task_is_named_by_what_it_did);
	tcase_add_test(spans, a_queue_gives_no_name);
	tcase_add_test(spans, a_name_counts_against_all_later_ones);
	tcase_add_test(spans, a_short_life_has_its_last_name);
	suite_add_tcase(suite, spans);
	return suite;
}
