/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/data/map.h"
#include "suites.h"

START_TEST(any_key_is_allowed)
{
	struct map map;

	map_init(&map);
	map_put(&map, 0, 1);
	map_put(&map, UINT64_MAX, 2);
	map_put(&map, 0, 3);
	ck_assert_uint_eq(map.count, 2);
	ck_assert_uint_eq(map_get(&map, 0), 3);
	ck_assert_uint_eq(map_get(&map, UINT64_MAX), 2);
	ck_assert_uint_eq(map_get(&map, 7), MAP_NONE);
	ck_assert_uint_eq(map_take(&map, 7), MAP_NONE);
	map_release(&map);
}
END_TEST

/* Against a plain array, over many insertions and removals of keys that collide. */
START_TEST(map_agrees_with_a_model)
{
	enum { KEYS = 512 };
	uint32_t model[KEYS];
	struct map map;
	size_t count = 0;

	map_init(&map);
	for (size_t i = 0; i < KEYS; i++)
		model[i] = MAP_NONE;
	srandom(1);
	for (int step = 0; step < 200000; step++) {
		size_t at = (size_t)random() % KEYS;
		uint64_t key = (uint64_t)at << 55 | at;

		if (random() % 2) {
			count += model[at] == MAP_NONE;
			model[at] = (uint32_t)random() & 0xffff;
			map_put(&map, key, model[at]);
		} else {
			count -= model[at] != MAP_NONE;
			ck_assert(map_take(&map, key) == model[at]);
			model[at] = MAP_NONE;
		}
		ck_assert(map.count == count);
		at = (size_t)random() % KEYS;
		ck_assert(map_get(&map, (uint64_t)at << 55 | at) == model[at]);
	}
	map_clear(&map);
	ck_assert_uint_eq(map.count, 0);
	ck_assert_uint_eq(map_get(&map, 0), MAP_NONE);
	map_release(&map);
}
END_TEST

/* The index of the name, which is added if it is not there; all names share three hashes. */
static uint32_t name_index(struct map *map, const char **name, uint32_t *count, const char *wanted)
{
	uint64_t hash = UINT64_MAX - 1 + strlen(wanted) % 3;
	uint32_t index;

	MAP_HASH_EACH(map, hash, index)
		if (strcmp(name[index], wanted) == 0)
			return index;
	map_put(map, hash, *count);
	name[*count] = wanted;
	return (*count)++;
}

START_TEST(keys_with_the_same_hash_are_told_apart)
{
	static const char *const names[] = {"a", "b", "ab", "", "abc", "cd", "xyz", "abcd"};
	const char *known[ARRAY_SIZE(names)];
	uint32_t count = 0;
	struct map map;

	map_init(&map);
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 0; i < ARRAY_SIZE(names); i++)
			ck_assert_uint_eq(name_index(&map, known, &count, names[i]), i);
	ck_assert_uint_eq(count, ARRAY_SIZE(names));
	map_release(&map);
}
END_TEST

Suite *map_suite(void)
{
	Suite *suite = suite_create("map");
	TCase *tests = tcase_create("map");

	tcase_add_test(tests, any_key_is_allowed);
	tcase_add_test(tests, map_agrees_with_a_model);
	tcase_add_test(tests, keys_with_the_same_hash_are_told_apart);
	suite_add_tcase(suite, tests);
	return suite;
}
