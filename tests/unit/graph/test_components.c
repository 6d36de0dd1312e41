/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "graph/walk/components.h"
#include "suites.h"

START_TEST(nothing_has_no_component)
{
	ck_assert_uint_eq(components_find(0, NULL, 0, NULL), 0);
}
END_TEST

START_TEST(nodes_without_arcs_stand_alone)
{
	uint32_t component[3];

	ck_assert_uint_eq(components_find(3, NULL, 0, component), 3);
	ck_assert_uint_ne(component[0], component[1]);
	ck_assert_uint_ne(component[0], component[2]);
	ck_assert_uint_ne(component[1], component[2]);
}
END_TEST

START_TEST(arcs_to_oneself_and_parallel_ones_change_nothing)
{
	static const struct arc arcs[] = {{0, 0}, {0, 1}, {0, 1}, {1, 1}};
	uint32_t component[2];

	ck_assert_uint_eq(components_find(2, arcs, ARRAY_SIZE(arcs), component), 2);
	ck_assert_uint_eq(component[1], 0);
	ck_assert_uint_eq(component[0], 1);
}
END_TEST

/* Two triangles, joined by one arc, and what leads to and from them. */
START_TEST(a_known_graph_falls_apart_as_known)
{
	static const struct arc arcs[] = {
		{0, 1}, {1, 2}, {2, 0}, /* first triangle */
		{2, 3}, /* one way only */
		{3, 4}, {4, 5}, {5, 3}, /* second */
		{6, 0}, {5, 7},
	};
	uint32_t component[8];

	ck_assert_uint_eq(components_find(8, arcs, ARRAY_SIZE(arcs), component), 4);
	ck_assert_uint_eq(component[0], component[1]);
	ck_assert_uint_eq(component[0], component[2]);
	ck_assert_uint_eq(component[3], component[4]);
	ck_assert_uint_eq(component[3], component[5]);
	/* no arc leads to a higher number */
	ck_assert_uint_lt(component[7], component[3]);
	ck_assert_uint_lt(component[3], component[0]);
	ck_assert_uint_lt(component[0], component[6]);
}
END_TEST

/* An arc back to an open node of the same search, met after a finished one, in one component. */
START_TEST(two_circles_that_share_a_node_are_one)
{
	static const struct arc arcs[] = {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {2, 3}};
	uint32_t component[4];

	ck_assert_uint_eq(components_find(4, arcs, ARRAY_SIZE(arcs), component), 2);
	ck_assert_uint_eq(component[0], component[1]);
	ck_assert_uint_eq(component[1], component[2]);
	ck_assert_uint_ne(component[2], component[3]);
}
END_TEST

enum { LONG = 100000 };

START_TEST(a_long_circle_is_one_component)
{
	_cleanup_(freep) struct arc *arcs = xcalloc(LONG, sizeof(*arcs));
	_cleanup_(freep) uint32_t *component = xcalloc(LONG, sizeof(*component));

	for (uint32_t i = 0; i < LONG; i++)
		arcs[i] = (struct arc){i, (i + 1) % LONG};
	ck_assert_uint_eq(components_find(LONG, arcs, LONG, component), 1);
	for (size_t i = 0; i < LONG; i++)
		ck_assert(component[i] == 0);
}
END_TEST

START_TEST(a_long_chain_is_as_many_as_nodes)
{
	_cleanup_(freep) struct arc *arcs = xcalloc(LONG, sizeof(*arcs));
	_cleanup_(freep) uint32_t *component = xcalloc(LONG, sizeof(*component));

	for (uint32_t i = 0; i + 1 < LONG; i++)
		arcs[i] = (struct arc){i, i + 1};
	ck_assert_uint_eq(components_find(LONG, arcs, LONG - 1, component), LONG);
	for (uint32_t i = 0; i < LONG; i++)
		ck_assert(component[i] == LONG - 1 - i);
}
END_TEST

enum { SMALL = 12 };

/* What can be reached: each from each over each. */
static void reach_close(bool reach[SMALL][SMALL])
{
	for (size_t over = 0; over < SMALL; over++)
		for (size_t from = 0; from < SMALL; from++)
			for (size_t to = 0; to < SMALL; to++)
				reach[from][to] |= reach[from][over] && reach[over][to];
}

static void check_against_reach(const struct arc *arcs, size_t arc_count)
{
	bool reach[SMALL][SMALL] = {{false}};
	uint32_t component[SMALL];

	for (size_t i = 0; i < arc_count; i++)
		reach[arcs[i].from][arcs[i].to] = true;
	for (size_t node = 0; node < SMALL; node++)
		reach[node][node] = true;
	reach_close(reach);
	(void)components_find(SMALL, arcs, arc_count, component);
	for (size_t a = 0; a < SMALL; a++) {
		for (size_t b = 0; b < SMALL; b++) {
			bool is_one = reach[a][b] && reach[b][a];

			ck_assert((component[a] == component[b]) == is_one);
			if (reach[a][b])
				ck_assert(component[a] >= component[b]);
		}
	}
}

/* Against the definition, from graphs with few arcs to such with many. */
START_TEST(components_agree_with_the_definition)
{
	srandom(1);
	for (unsigned round = 0; round < 4000; round++) {
		struct arc arcs[3 * SMALL];
		size_t arc_count = round % ARRAY_SIZE(arcs);

		for (size_t i = 0; i < arc_count; i++)
			arcs[i] = (struct arc){(uint32_t)(random() % SMALL),
			                       (uint32_t)(random() % SMALL)};
		check_against_reach(arcs, arc_count);
	}
}
END_TEST

Suite *components_suite(void)
{
	Suite *suite = suite_create("components");
	TCase *tests = tcase_create("components");

	tcase_add_test(tests, nothing_has_no_component);
	tcase_add_test(tests, nodes_without_arcs_stand_alone);
	tcase_add_test(tests, arcs_to_oneself_and_parallel_ones_change_nothing);
	tcase_add_test(tests, a_known_graph_falls_apart_as_known);
	tcase_add_test(tests, two_circles_that_share_a_node_are_one);
	tcase_add_test(tests, a_long_circle_is_one_component);
	tcase_add_test(tests, a_long_chain_is_as_many_as_nodes);
	tcase_add_test(tests, components_agree_with_the_definition);
	suite_add_tcase(suite, tests);
	return suite;
}
