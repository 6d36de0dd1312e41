/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of kernels before 5.10 where their fields differ from later ones, as machines of 32 and 64
 * bits lay them out.
 *
 * Source of the facts: builder/old_kind.h.
 */
#include <string.h>

#include "base/byte_order.h"
#include "base/data/array.h"
#include "builder/event_kind.h"
#include "builder/old_kind.h"
#include "decode/event_decoder.h"
#include "suites.h"

#define RECORD_BYTES 128

static const char *const releases[] = {"3.10.108", "3.18.140", "4.4.155", "4.9.0", "4.14.70",
                                       "4.19.13",  "5.4.0"};

static void put(uint8_t *record, const struct kind_layout *layout, const char *name, uint64_t value)
{
	const struct kind_field *field = kind_layout_find(layout, name);
	uint32_t half = (uint32_t)value;

	ck_assert_ptr_nonnull(field);
	if (field->size == sizeof(value))
		memcpy(record + field->offset, &value, sizeof(value));
	else
		memcpy(record + field->offset, &half, sizeof(half));
}

struct value {
	const char *field;
	uint64_t value;
};

/* Decodes a record of that event as that kernel has it, in which these fields have values and all
   others are 0. */
static struct event decode(const char *release, unsigned long_bytes, const char *name,
                           const struct value *values, size_t count)
{
	const struct kernel_event *kind = old_kind_find(release, event_kind_find(name));
	static uint8_t bytes[RECORD_BYTES];
	struct format_text format = {.system = kind ? kind->system : NULL};
	struct source source = {
		.is_big_endian = byte_order_is_big(),
		.long_bytes = long_bytes,
		.kernel = release,
		.formats = &format,
		.format_count = 1,
	};
	struct record record = {.time = 1, .payload = bytes};
	struct kind_layout layout;
	struct decoder *decoder;
	struct buffer text;
	struct event event;

	ck_assert_ptr_nonnull(kind);
	buffer_init(&text, 4096);
	event_kind_print_format(kind, long_bytes, &text);
	format.text = text.text;
	format.length = text.length;
	event_kind_lay_out(kind, long_bytes, &layout);
	memset(bytes, 0, sizeof(bytes));
	memcpy(bytes, &kind->id, sizeof(kind->id));
	for (size_t i = 0; i < count; i++)
		put(bytes, &layout, values[i].field, values[i].value);
	record.length = (uint32_t)layout.size;
	decoder = decoder_new(&source);
	ck_assert_int_eq(decoder_decode(decoder, &record, 0, &event), DECODE_EVENT);
	(void)decoder_free(decoder);
	buffer_release(&text);
	return event;
}

#define DECODE(name, ...)                                                                          \
	decode(releases[_i / 2], _i % 2 ? 8 : 4, name, (const struct value[]){__VA_ARGS__},        \
	       ARRAY_SIZE(((const struct value[]){__VA_ARGS__})))

/* By the bits of today, which a kernel may record as others. */
#define SWITCH(state) \
	DECODE("sched_switch", {"prev_pid", 7}, \
	       {"prev_state", old_kind_state(releases[_i / 2], state)}, {"next_pid", 9})

START_TEST(states_have_their_letters)
{
	struct event event = SWITCH(0x100);
	bool is_old = _i / 2 < 4; /* its exit is no part of the state of a task that ends */

	ck_assert_int_eq(event.sched_switch.prev_tid, 7);
	ck_assert_int_eq(event.sched_switch.next_tid, 9);
	ck_assert(event.sched_switch.was_running);
	event = SWITCH(2);
	ck_assert_int_eq((char)event.sched_switch.letter, 'D');
	ck_assert(!event.sched_switch.was_running);
	event = SWITCH(8);
	ck_assert_int_eq((char)event.sched_switch.letter, 't');
	event = SWITCH(0x20);
	ck_assert_int_eq((char)event.sched_switch.letter, is_old ? 'X' : 'Z');
	event = SWITCH(0x40);
	ck_assert_int_eq((char)event.sched_switch.letter, 'P');
	event = SWITCH(0x80);
	ck_assert_int_eq((char)event.sched_switch.letter, _i / 2 < 2 ? 'S' : 'I');
}
END_TEST

START_TEST(fields_between_are_skipped)
{
	struct event event = DECODE("sched_wakeup", {"pid", 7}, {"target_cpu", 3});
	const char *error = _i / 2 < 4 ? "errors" : "error";

	ck_assert_int_eq(event.kind, EVENT_SCHED_WAKEUP);
	ck_assert_int_eq(event.wake.tid, 7);
	ck_assert_int_eq(event.wake.cpu, 3);
	event = DECODE("block_rq_complete", {"dev", 8 << 20}, {"sector", 100}, {"nr_sector", 8},
	               {error, 0x8000002});
	ck_assert_int_eq(event.kind, EVENT_BLOCK_COMPLETE);
	ck_assert_uint_eq(event.block.sector, 100);
	ck_assert_uint_eq(event.block.sectors, 8);
	/* of old, the driver's own number, no error of the kernel */
	if (_i / 2 < 4)
		ck_assert_int_eq(event.block.error, 0);
	event = DECODE("signal_generate", {"sig", 9}, {"pid", 7}, {"result", 2});
	ck_assert_int_eq(event.signal.tid, 7);
	event = DECODE("reschedule_entry", {"vector", 253});
	ck_assert_int_eq(event.kind, EVENT_RESCHEDULE_ENTRY);
}
END_TEST

START_TEST(timers_work_and_calls_are_read)
{
	struct event event = DECODE("hrtimer_start", {"hrtimer", 0x80001234},
	                            {"function", 0x80005678}, {"expires", 5000000000});

	ck_assert_uint_eq(event.timer.timer, 0x80001234);
	ck_assert_uint_eq(event.timer.function, 0x80005678);
	event = DECODE("hrtimer_expire_entry", {"hrtimer", 0x80001234}, {"function", 0x80005678},
	               {"now", 5000000000});
	ck_assert_uint_eq(event.timer.function, 0x80005678);
	event = DECODE("timer_expire_entry", {"timer", 0x80001234}, {"function", 0x80005678});
	ck_assert_uint_eq(event.timer.function, 0x80005678);
	event = DECODE("timer_start", {"timer", 0x80001234}, {"function", 0x80005678});
	ck_assert_uint_eq(event.timer.timer, 0x80001234);
	event = DECODE("workqueue_queue_work", {"work", 0x80001234}, {"function", 0x80005678});
	ck_assert_uint_eq(event.work.work, 0x80001234);
	event = DECODE("workqueue_execute_end", {"work", 0x80001234});
	ck_assert_uint_eq(event.work.work, 0x80001234);
	event = DECODE("sys_enter", {"id", 240});
	ck_assert_int_eq(event.syscall.number, 240);
}
END_TEST

/* What a kernel has only from some release on. */
START_TEST(events_begin_with_a_release)
{
	const struct kernel_event *waking = event_kind_find("sched_waking");

	ck_assert_ptr_null(old_kind_find("4.2.0", waking));
	ck_assert_ptr_nonnull(old_kind_find("4.3.0", waking));
	ck_assert_ptr_eq(old_kind_find("6.1.0-0-amd64", waking), waking);
	ck_assert_ptr_eq(old_kind_find(NULL, waking), waking);
}
END_TEST

Suite *old_kernels_suite(void)
{
	static const int variants = 2 * (int)ARRAY_SIZE(releases);
	Suite *suite = suite_create("old_kernels");
	TCase *all = tcase_create("all");

	tcase_add_loop_test(all, states_have_their_letters, 0, variants);
	tcase_add_loop_test(all, fields_between_are_skipped, 0, variants);
	tcase_add_loop_test(all, timers_work_and_calls_are_read, 0, variants);
	tcase_add_test(all, events_begin_with_a_release);
	suite_add_tcase(suite, all);
	return suite;
}
