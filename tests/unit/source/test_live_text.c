/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of ftrace that is read while it is written. */
#include "source/text/text_source.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "decode/event_decoder.h"
#include "decode/symbols.h"
#include "live_follower.h"
#include "merge/merger.h"
#include "source_drain.h"
#include "suites.h"

#define IDLE(cpu, time) "  <idle>-0  [00" cpu "] d..2. " time ": cpu_idle: state=1 cpu_id=" cpu "\n"
#define EVENTS_MAX 64

/* What came out, and when it was said that nothing older comes. */
struct heard {
	struct source *source;
	nsec_t reached;
	unsigned calls, calls_max; /* 0: any number */
	unsigned pauses_max;
	uint64_t records, late, lost, undecoded;
	nsec_t time[EVENTS_MAX];
	uint32_t cpu[EVENTS_MAX];
	enum event_kind kind[EVENTS_MAX];
	uint64_t notes_then; /* the source's, at the last call */
};

static struct buffer why;

static bool on_reached(void *state, nsec_t reached)
{
	struct heard *heard = state;

	ck_assert_uint_gt(reached, heard->reached);
	heard->reached = reached;
	heard->notes_then = heard->source->health.note_count;
	return ++heard->calls != heard->calls_max;
}

static bool on_pause(void *state)
{
	struct heard *heard = state;

	return heard->pauses_max == 0 || --heard->pauses_max > 0;
}

static int open_text(int fd, struct heard *heard)
{
	const struct live_source_setup setup = {
		.fd = fd,
		.control_fd = -1,
		.on_reached = on_reached,
		.on_pause = on_pause,
		.state = heard,
	};

	buffer_clear(&why);
	return text_open_live(&setup, &heard->source, &why);
}

static void hear(struct heard *heard)
{
	struct decoder *decoder = decoder_new(heard->source);
	struct merger *merger = merger_new(heard->source);
	struct merged_run run;
	struct event event;

	while (merger_next(merger, &run)) {
		heard->lost += run.lost_events;
		decoder_read_formats(decoder, heard->source);
		for (size_t i = 0; run.records && i < run.count; i++) {
			uint64_t at = heard->records++;

			heard->late += run.records[i].time < heard->reached;
			event.kind = EVENT_KIND_COUNT;
			heard->undecoded += decoder_decode(decoder, &run.records[i], run.cpu,
			                                   &event) == DECODE_FAILED;
			if (at >= EVENTS_MAX)
				continue;
			heard->time[at] = run.records[i].time;
			heard->cpu[at] = run.cpu;
			heard->kind[at] = event.kind;
		}
	}
	merger_free(merger);
	decoder_free(decoder);
}

/* All of it, in pieces of that size. */
static void hear_text(const char *text, size_t piece, struct heard *heard)
{
	struct feeder feeder = {.bytes = text, .size = strlen(text), .piece = piece};

	feeder_begin(&feeder, NULL);
	ck_assert_msg(open_text(feeder.from, heard) == 0, "%s", why.text);
	hear(heard);
	feeder_end(&feeder);
}

static void begin(void)
{
	buffer_init(&why, 1000);
}

static void end(void)
{
	buffer_release(&why);
}

/* Of lines that are a little out of order, of CPUs and kinds that come later, and of a loss. */
static const char mixed[] =
	"# tracer: nop\n"
	IDLE("1", "5.000100")
	IDLE("0", "5.010000")
	IDLE("0", "5.100000")
	IDLE("1", "5.099000")
	IDLE("0", "5.300000")
	"CPU:3 [LOST 7 EVENTS]\n"
	"  make-77  [003] d..2. 5.400000: sched_wakeup: comm=cc1 pid=78 prio=120 target_cpu=000\n"
	"  make-77  [003] d..2. 5.400000: foo_event: x=1\n"
	"  make-77  [003] d..2. 5.500000: workqueue_execute_start: work struct 00001234: "
	"function late_work\n"
	IDLE("0", "5.900000");

static const size_t pieces[] = {1, 7, SIZE_MAX};

START_TEST(text_is_read_once)
{
	static const uint32_t cpus[] = {1, 0, 1, 0, 0, 3, 3, 3, 0};
	struct heard heard = {0};

	hear_text(mixed, pieces[_i], &heard);
	ck_assert_uint_eq(heard.records, ARRAY_SIZE(cpus));
	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++) {
		ck_assert_uint_eq(heard.cpu[i], cpus[i]);
		ck_assert(i == 0 || heard.time[i] > heard.time[i - 1]);
	}
	ck_assert_int_eq(heard.kind[5], EVENT_SCHED_WAKEUP);
	ck_assert_int_eq(heard.kind[7], EVENT_WORK_START);
	ck_assert_uint_eq(heard.undecoded, 0);
	ck_assert_uint_eq(heard.late, 0);
	ck_assert_uint_eq(heard.lost, 7);
	ck_assert_uint_eq(heard.source->cpu_count, 4);
	ck_assert(!heard.source->health.damaged);
	(void)source_close(heard.source);
}
END_TEST

START_TEST(time_is_reached_while_it_comes)
{
	struct feeder feeder = {.bytes = mixed, .size = strlen(mixed), .stays_open = true};
	struct heard heard = {.pauses_max = 2};

	feeder_begin(&feeder, NULL);
	ck_assert_int_eq(open_text(feeder.from, &heard), 0);
	hear(&heard);
	ck_assert_uint_eq(heard.reached, 5900000000u - TEXT_LATE_NS);
	ck_assert_uint_eq(heard.records, 9);
	ck_assert(!heard.source->health.damaged);
	(void)source_close(heard.source);
	feeder_end(&feeder);
}
END_TEST

START_TEST(caller_ends_it)
{
	struct heard heard = {.calls_max = 2};

	hear_text(mixed, SIZE_MAX, &heard);
	ck_assert_uint_eq(heard.calls, 2);
	ck_assert_uint_lt(heard.records, 9);
	(void)source_close(heard.source);
}
END_TEST

/* Columns and marks may come long after the first events, as where tracing was quiet. */
START_TEST(facts_are_found_as_they_come)
{
	struct heard heard = {0};

	hear_text("  make-77  [000] 5.000000: foo_event: x=1\n"
	          "  make-77  [000] 9.000000: foo_event: x=1\n"
	          "  make-77  (   77) [000] d..2. 12.000000: tracing_mark_write: "
	          "trace_event_clock_sync: parent_ts=12.000000\n"
	          "  make-77  (   77) [000] d..2. 12.100000: tracing_mark_write: "
	          "trace_event_clock_sync: realtime_ts=1697542281337\n"
	          "  make-77  (   77) [000] d..2. 15.000000: foo_event: x=1\n",
	          SIZE_MAX, &heard);
	ck_assert_ptr_nonnull(heard.source->clock);
	ck_assert_str_eq(heard.source->clock, "mono");
	ck_assert_uint_eq(heard.source->notes.realtime.count, 1);
	ck_assert(!heard.source->lacks_contexts);
	for (size_t i = 0; i < heard.source->health.note_count; i++)
		ck_assert_ptr_null(strstr(heard.source->health.notes[i], "has no column"));
	(void)source_close(heard.source);
}
END_TEST

START_TEST(functions_are_named_as_they_come)
{
	struct heard heard = {0};
	struct symbols *symbols;
	uint64_t address;
	bool is_named = false;

	hear_text(mixed, SIZE_MAX, &heard);
	symbols = symbols_new(heard.source);
	for (address = UINT64_C(0xffffffff81000000); address < UINT64_C(0xffffffff81000100);
	     address++) {
		const char *name = symbols_find(symbols, address);

		if (!name)
			continue;
		ck_assert_str_eq(name, "late_work");
		ck_assert_str_eq(symbols_find_within(symbols, address + 8), "late_work");
		is_named = true;
	}
	ck_assert(is_named);
	symbols_free(symbols);
	(void)source_close(heard.source);
}
END_TEST

START_TEST(unread_lines_are_counted_as_they_come)
{
	const struct input_health *health;
	struct heard heard = {0};

	hear_text(IDLE("0", "5.000000") IDLE("0", "6.000000")
	          "  a-1 [000] d..2. 6.100000: sched_wakeup: what=is this\n"
	          "not an event\n"
	          IDLE("0", "7.000000")
	          "  a-1 [000] d..2. 7.100000: sched_wakeup: what=is this\n"
	          IDLE("0", "8.000000") "  a-1 [0", SIZE_MAX, &heard);
	ck_assert_uint_eq(heard.undecoded, 2);
	ck_assert_uint_gt(heard.notes_then, 1);
	health = &heard.source->health;
	ck_assert(health->damaged);
	ck_assert_ptr_nonnull(strstr(health->damage, "cut short"));
	ck_assert_ptr_nonnull(strstr(health->notes[1], "2 lines look like events"));
	ck_assert_ptr_nonnull(strstr(health->notes[health->note_count - 1], "ignored: 1"));
	(void)source_close(heard.source);
}
END_TEST

START_TEST(cpus_have_a_limit)
{
	struct heard heard = {0};

	hear_text(IDLE("0", "5.000000")
	          "  <idle>-0 [1024] d..2. 5.000001: cpu_idle: state=1 cpu_id=1024\n"
	          IDLE("0", "6.000000"), SIZE_MAX, &heard);
	ck_assert_uint_eq(heard.records, 2);
	ck_assert_ptr_nonnull(strstr(heard.source->health.damage, "CPUs from number 1024 on"));
	(void)source_close(heard.source);
}
END_TEST

/* What is queued is bounded although the time stands still. */
START_TEST(standing_time_is_reached)
{
	static const char line[] = IDLE("0", "5.000000");
	struct feeder feeder = {
		.bytes = line,
		.size = strlen(line),
		.rounds = 3 * TEXT_ROUND_BYTES / (sizeof(line) - 1),
		.more = line,
		.more_size = strlen(line),
	};
	struct heard heard = {0};

	feeder_begin(&feeder, NULL);
	ck_assert_int_eq(open_text(feeder.from, &heard), 0);
	hear(&heard);
	ck_assert_uint_eq(heard.records, feeder.rounds + 1);
	ck_assert_uint_ge(heard.calls, 2);
	(void)source_close(heard.source);
	feeder_end(&feeder);
}
END_TEST

START_TEST(text_without_events_is_refused)
{
	struct feeder feeder = {.bytes = "some text\n", .size = 10};
	struct heard heard = {0};

	feeder_begin(&feeder, NULL);
	ck_assert_int_eq(open_text(feeder.from, &heard), -ENODATA);
	ck_assert_str_eq(why.text, "it is ftrace text: without events");
	feeder_end(&feeder);
	feeder.stays_open = true;
	heard.pauses_max = 2;
	feeder_begin(&feeder, NULL);
	ck_assert_int_eq(open_text(feeder.from, &heard), -EINTR);
	feeder_end(&feeder);
}
END_TEST

/* As PowerShell writes it. */
START_TEST(wide_characters_are_read)
{
	static const char text[] = IDLE("0", "5.000000") IDLE("1", "6.000000");
	char wide[2 + 2 * sizeof(text)] = {(char)0xff, (char)0xfe};
	struct feeder feeder = {.bytes = wide, .size = 2 * sizeof(text), .piece = 3};
	struct heard heard = {0};

	for (size_t i = 0; text[i]; i++)
		wide[2 + 2 * i] = text[i];
	feeder_begin(&feeder, NULL);
	ck_assert_int_eq(open_text(feeder.from, &heard), 0);
	hear(&heard);
	ck_assert_uint_eq(heard.records, 2);
	ck_assert_uint_eq(heard.cpu[1], 1);
	(void)source_close(heard.source);
	feeder_end(&feeder);
}
END_TEST

Suite *live_text_suite(void)
{
	Suite *suite = suite_create("live_text");
	TCase *all = tcase_create("all");

	tcase_add_checked_fixture(all, begin, end);
	tcase_add_loop_test(all, text_is_read_once, 0, ARRAY_SIZE(pieces));
	tcase_add_test(all, time_is_reached_while_it_comes);
	tcase_add_test(all, caller_ends_it);
	tcase_add_test(all, facts_are_found_as_they_come);
	tcase_add_test(all, functions_are_named_as_they_come);
	tcase_add_test(all, unread_lines_are_counted_as_they_come);
	tcase_add_test(all, cpus_have_a_limit);
	tcase_add_test(all, standing_time_is_reached);
	tcase_add_test(all, text_without_events_is_refused);
	tcase_add_test(all, wide_characters_are_read);
	suite_add_tcase(suite, all);
	return suite;
}
