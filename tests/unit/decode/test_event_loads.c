/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/event_decoder.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "suites.h"

#define RECORD_BYTES 24

/* The number at the place, byte by byte. */
static uint64_t number_at(const uint8_t *at, unsigned bytes, bool is_signed, bool is_big)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < bytes; i++)
		number = number << 8 | at[is_big ? i : bytes - 1 - i];
	if (is_signed && bytes < 8 && number >> (8 * bytes - 1))
		number |= UINT64_MAX << (8 * bytes);
	return number;
}

/* Of all sizes, at all places of the record, its last byte too. */
START_TEST(numbers_are_loaded)
{
	static const struct {
		enum load_kind kind;
		unsigned bytes;
		bool is_signed;
	} kinds[] = {
		{LOAD_U8, 1, false}, {LOAD_S8, 1, true}, {LOAD_U16, 2, false}, {LOAD_S16, 2, true},
		{LOAD_U32, 4, false}, {LOAD_S32, 4, true}, {LOAD_U64, 8, false},
		{LOAD_S64, 8, true},
	};
	bool is_big = _i;
	uint8_t payload[RECORD_BYTES];

	for (unsigned i = 0; i < RECORD_BYTES; i++)
		payload[i] = (uint8_t)(i * 37 + 0x71);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (unsigned at = 0; at + kinds[i].bytes <= RECORD_BYTES; at++) {
			struct event_loads loads = {0};
			unsigned bytes = at + kinds[i].bytes < 8 ? 8 : at + kinds[i].bytes;
			/* so that what is read beyond it is seen by the sanitizer */
			uint8_t *record_bytes = malloc(bytes);
			struct record record = {.payload = record_bytes, .length = bytes};
			struct event event;

			memcpy(record_bytes, payload, bytes);
			event_loads_add(&loads, (struct load){
							.offset = (uint16_t)at,
							.size = (uint16_t)kinds[i].bytes,
							.target = offsetof(struct event, wake.tid),
							.kind = (uint8_t)kinds[i].kind,
						});
			event_loads_finish(&loads, is_big);
			ck_assert_uint_eq(loads.length_min, bytes);
			event_loads_run(&loads, &record, is_big != byte_order_is_big(), &event);
			ck_assert_uint_eq((uint64_t)event.wake.tid,
			                  number_at(payload + at, kinds[i].bytes,
			                            kinds[i].is_signed, is_big));
			free(record_bytes);
		}
	}
}
END_TEST

Suite *event_loads_suite(void)
{
	Suite *suite = suite_create("event_loads");
	TCase *tcase = tcase_create("event_loads");

	tcase_add_loop_test(tcase, numbers_are_loaded, false, true + 1);
	suite_add_tcase(suite, tcase);
	return suite;
}
