/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/source_notes.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "suites.h"

START_TEST(test_texts_stay)
{
	struct text_store store = {0};
	char *kept[300];
	char *long_text = xmalloc(70000);

	memset(long_text, 'x', 70000);
	for (size_t i = 0; i < 300; i++) {
		long_text[0] = (char)i;
		kept[i] = text_store_add(&store, long_text, i * 233);
	}
	for (size_t i = 0; i < 300; i++) {
		ck_assert_int_eq(kept[i][i * 233], '\0');
		ck_assert(i == 0 || kept[i][0] == (char)i);
		ck_assert(i == 0 || kept[i][i * 233 - 1] == 'x');
	}
	text_store_release(&store);
	free(long_text);
}
END_TEST

START_TEST(test_room)
{
	struct text_store store = {0};

	ck_assert(text_store_has_room(&store, 1000));
	ck_assert(!text_store_has_room(&store, TEXT_STORE_MAX));
	(void)text_store_add(&store, "abc", 3);
	ck_assert(!text_store_has_room(&store, TEXT_STORE_MAX - 4));
	ck_assert(text_store_has_room(&store, TEXT_STORE_MAX - 5));
	store.total = TEXT_STORE_MAX + 5;
	ck_assert(!text_store_has_room(&store, 0));
	text_store_release(&store);
}
END_TEST

Suite *text_store_suite(void)
{
	Suite *suite = suite_create("text_store");
	TCase *all = tcase_create("all");

	tcase_add_test(all, test_texts_stay);
	tcase_add_test(all, test_room);
	suite_add_tcase(suite, all);
	return suite;
}
