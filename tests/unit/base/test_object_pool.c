/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/data/object_pool.h"

#include <stdlib.h>

#include "memory_peak.h"
#include "suites.h"

struct object {
	uint64_t value;
	bool is_alive;
};

static bool object_is_alive(const void *object)
{
	return ((const struct object *)object)->is_alive;
}

static struct object *put(struct object_pool *pool, uint64_t key)
{
	struct object *object = object_pool_put(pool, key);

	object->value = key + 1000;
	object->is_alive = true;
	return object;
}

static void pool_begin(struct object_pool *pool, uint32_t limit)
{
	object_pool_init(pool, &(struct object_pool_setup){
				       .object_bytes = sizeof(struct object),
				       .limit = limit,
				       .is_alive = object_is_alive,
			       });
}

START_TEST(what_was_put_is_found_until_it_is_taken)
{
	struct object_pool pool;
	const struct object *taken;

	pool_begin(&pool, 3);
	ck_assert_ptr_null(object_pool_find(&pool, 0));
	ck_assert_ptr_null(object_pool_take(&pool, 0));
	put(&pool, 0);
	put(&pool, UINT64_MAX);
	ck_assert_uint_eq(((struct object *)object_pool_find(&pool, 0))->value, 1000);
	ck_assert_uint_eq(object_pool_count(&pool), 2);
	taken = object_pool_take(&pool, 0);
	ck_assert_uint_eq(taken->value, 1000);
	ck_assert_ptr_null(object_pool_find(&pool, 0));
	ck_assert_uint_eq(object_pool_count(&pool), 1);
	/* in the place of the one that was taken */
	ck_assert_uint_eq(((struct object *)object_pool_put(&pool, 7))->value, 0);
	object_pool_clear(&pool);
	ck_assert_ptr_null(object_pool_find(&pool, 7));
	ck_assert_uint_eq(((struct object *)object_pool_put(&pool, 7))->value, 0);
	ck_assert_uint_eq(pool.forgotten, 0);
	object_pool_release(&pool);
}
END_TEST

START_TEST(the_oldest_makes_room)
{
	struct object_pool pool;

	pool_begin(&pool, 3);
	for (uint64_t key = 1; key <= 3; key++)
		put(&pool, key);
	ck_assert_ptr_nonnull(object_pool_find(&pool, 1)); /* to look is not to renew */
	put(&pool, 2);                                     /* 1 3 2 */
	put(&pool, 4);                                     /* 3 2 4 */
	ck_assert_ptr_null(object_pool_find(&pool, 1));
	put(&pool, 5);                                     /* 2 4 5 */
	ck_assert_ptr_null(object_pool_find(&pool, 3));
	ck_assert_uint_eq(pool.forgotten, 2);
	(void)object_pool_take(&pool, 4);
	put(&pool, 6);                                     /* 2 5 6 */
	ck_assert_ptr_nonnull(object_pool_find(&pool, 2));
	ck_assert_uint_eq(pool.forgotten, 2);
	object_pool_release(&pool);
}
END_TEST

START_TEST(only_what_is_alive_is_forgotten)
{
	struct object_pool pool;

	pool_begin(&pool, 2);
	put(&pool, 1)->is_alive = false;
	put(&pool, 2);
	put(&pool, 3);
	ck_assert_ptr_null(object_pool_find(&pool, 1));
	ck_assert_uint_eq(pool.forgotten, 0);
	put(&pool, 4);
	ck_assert_uint_eq(pool.forgotten, 1);
	object_pool_release(&pool);
}
END_TEST

/* Against a plain array of when each key was put last. */
START_TEST(pool_agrees_with_a_model)
{
	enum { KEYS = 300, LIMIT = 100 };
	uint64_t put_at[KEYS] = {0}, forgotten = 0;
	struct object_pool pool;
	uint32_t count = 0;

	pool_begin(&pool, LIMIT);
	srandom(1);
	for (uint64_t step = 1; step < 200000; step++) {
		size_t at = (size_t)random() % KEYS, oldest = KEYS;

		if (random() % 3 == 0) {
			ck_assert(!object_pool_take(&pool, at) == !put_at[at]);
			count -= put_at[at] != 0;
			put_at[at] = 0;
			continue;
		}
		for (size_t i = 0; i < KEYS; i++)
			if (put_at[i] && (oldest == KEYS || put_at[i] < put_at[oldest]))
				oldest = i;
		if (put_at[at] == 0 && count == LIMIT) {
			put_at[oldest] = 0;
			forgotten++;
		} else {
			count += put_at[at] == 0;
		}
		put_at[at] = step;
		put(&pool, at);
		at = (size_t)random() % KEYS;
		ck_assert(!object_pool_find(&pool, at) == !put_at[at]);
		ck_assert(object_pool_count(&pool) == count);
	}
	ck_assert_uint_eq(pool.forgotten, forgotten);
	ck_assert_uint_gt(forgotten, 1000);
	object_pool_release(&pool);
}
END_TEST

/* As timers that are armed and expire: what there is at once counts, not what there was. */
START_TEST(memory_is_for_those_at_once)
{
	size_t before = memory_peak_mib();
	struct object_pool pool;

	pool_begin(&pool, 1u << 18);
	for (uint64_t key = 0; key < 5000000; key++) {
		put(&pool, key);
		if (key >= 1000)
			(void)object_pool_take(&pool, key - 1000);
	}
	ck_assert_uint_eq(object_pool_count(&pool), 1000);
	ck_assert_uint_eq(pool.forgotten, 0);
	object_pool_release(&pool);
	memory_check(before, 2u);
}
END_TEST

Suite *object_pool_suite(void)
{
	Suite *suite = suite_create("object_pool");
	TCase *tests = tcase_create("object_pool");

	tcase_add_test(tests, what_was_put_is_found_until_it_is_taken);
	tcase_add_test(tests, the_oldest_makes_room);
	tcase_add_test(tests, only_what_is_alive_is_forgotten);
	tcase_add_test(tests, pool_agrees_with_a_model);
	tcase_add_test(tests, memory_is_for_those_at_once);
	suite_add_tcase(suite, tests);
	return suite;
}
