/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "base/data/array.h"
#include "suites.h"
#include "views/chains/chain_levels.h"
#include "words/cause/unknown_words.h"

static struct timeline timeline;
static struct chain_tree chains;
static struct chain_levels levels;
static struct cause_note by_task, on_disk, on_lock, also_disk;

static struct cause_note note_of(enum cause_kind kind)
{
	struct cause_note note;

	cause_note_init(&note, kind, CONFIDENCE_HIGH);
	return note;
}

static void levels_setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	chain_tree_init(&chains, &timeline, CHAIN_NODES_MAX);
	by_task = note_of(CAUSE_TASK);
	on_disk = note_of(CAUSE_DISK);
	on_disk.as.disk.dev = 254u << 20;
	also_disk = on_disk;
	on_lock = note_of(CAUSE_LOCK);
	on_lock.name = intern_adds(&timeline.names, "mmap_lock");
}

static void levels_teardown(void)
{
	chain_levels_release(&levels);
	chain_tree_release(&chains);
	timeline_release(&timeline);
}

/* A link of the chain tree, in which nothing is spent yet. */
static uint32_t link_add(uint32_t parent, const char *comm, enum part_state state,
                         const struct cause_note *cause)
{
	struct chain_node *node = tally_add(&chains.nodes);

	node->parent = parent;
	node->comm = intern_adds(&timeline.names, comm);
	node->state = (uint8_t)state;
	node->depth = (uint16_t)(chains.node[parent].depth + 1);
	node->cause = shared_cause_of(cause);
	return tally_number(&chains.nodes, node);
}

static uint32_t end_add(uint32_t link, nsec_t total, nsec_t at)
{
	struct chain_node *node = &chains.node[link];

	node->count = 1;
	node->total = node->max = total;
	node->max_at = at;
	return link;
}

/* The nodes as "depth label total[/children][?]", those of `skipped` without what is below. */
struct page {
	FILE *out;
	struct tree tree;
	const char *skipped;
	enum cause_kind last_kind;
};

static void page_begin(void *state, const struct tree *tree)
{
	struct page *page = state;

	page->tree = *tree;
}

static bool page_node(void *state, unsigned depth, const struct tree_node *node)
{
	struct page *page = state;

	(void)fprintf(page->out, "%u %s %lu", depth, node->label,
	              (unsigned long)node->figures.total);
	if (node->child_count)
		(void)fprintf(page->out, "/%zu", node->child_count);
	(void)fputs(node->is_exact ? "\n" : " ?\n", page->out);
	page->last_kind = node->cause ? node->cause->kind : CAUSE_UNKNOWN;
	return !page->skipped || strcmp(page->skipped, node->label) != 0;
}

static void page_end(void *state)
{
	(void)state;
}

static const struct tree_hooks nodes = {
	.begin = page_begin, .node = page_node, .end = page_end,
};
static const struct presenter by_nodes = {.tree = &nodes};

static void levels_begin(const char *open_words)
{
	static const struct asked asked; /* nobody asks for links */
	static struct resolved resolved;
	static const struct question question = {.asked = &asked, .resolved = &resolved};

	(void)snprintf(resolved.open_words, sizeof(resolved.open_words), "%s", open_words);
	chain_levels_init(&levels, &chains, &question);
}

static void check_page(struct page *page, const char *expected)
{
	const struct output to = {&by_nodes, page};
	char *text = NULL;
	size_t length;

	page->out = open_memstream(&text, &length);
	chain_levels_show(&levels, &(struct tree){.title = "WHO"}, &to);
	(void)fclose(page->out);
	ck_assert_str_eq(text, expected);
	ck_assert_str_eq(page->tree.title, "WHO");
	free(text);
}

START_TEST(common_beginnings_meet)
{
	uint32_t db = link_add(CHAIN_ROOT, "db", PART_WAITING, &by_task);
	uint32_t held = link_add(CHAIN_ROOT, "db", PART_WAITING, &on_lock);
	uint32_t ends[] = {
		end_add(link_add(db, "worker", PART_WAITING, &on_disk), 70, 6),
		end_add(link_add(held, "worker", PART_WAITING, &on_disk), 30, 7),
		end_add(link_add(db, "worker", PART_RUNNING, NULL), 10, 5),
		end_add(link_add(CHAIN_ROOT, "db", PART_RUNNABLE, NULL), 4, 8),
		/* another to the chain tree, the same in words */
		end_add(link_add(db, "worker", PART_WAITING, &also_disk), 1, 9),
	};
	struct page page = {0};

	levels_begin(WORDS_STILL_WAITING);
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		chain_levels_add(&levels, ends[i], NULL);
	check_page(&page, "0 db 115/4 ?\n"
	                  "1 worker 71/1 ?\n"
	                  "2 disk 254,0 71 ?\n"
	                  "1 lock mmap_lock 30/1\n"
	                  "2 worker 30/1\n"
	                  "3 disk 254,0 30\n"
	                  "1 worker running 10\n"
	                  "1 runnable 4\n");
	ck_assert_uint_eq(page.tree.total, 115);
	ck_assert_uint_eq(page.tree.root_count, 1);
	ck_assert_uint_eq(page.tree.chains_left_out, 0);
}
END_TEST

/* What a task waits for itself is below it, also where that is a task that tells no more. */
START_TEST(an_end_names_what_ended_it)
{
	uint32_t db = link_add(CHAIN_ROOT, "db", PART_WAITING, &by_task);
	struct page page = {0};

	(void)end_add(link_add(db, "worker", PART_RUNNING, NULL), 10, 0);
	(void)end_add(db, 5, 0);
	levels_begin(WORDS_STILL_WAITING);
	chain_levels_add(&levels, db + 1, NULL);
	chain_levels_add(&levels, db, NULL);
	check_page(&page, "0 db 15/2 ?\n"
	                  "1 worker running 10\n"
	                  "1 task 5\n");
	ck_assert_int_eq(page.last_kind, CAUSE_TASK);
}
END_TEST

START_TEST(equal_totals_go_by_name)
{
	uint32_t b = end_add(link_add(CHAIN_ROOT, "b", PART_WAITING, NULL), 5, 0);
	uint32_t a = end_add(link_add(CHAIN_ROOT, "a", PART_WAITING, NULL), 5, 0);
	struct page page = {.skipped = "b"};

	levels_begin(WORDS_STILL_WAITING);
	chain_levels_add(&levels, b, NULL);
	chain_levels_add(&levels, a, NULL);
	check_page(&page, "0 a 5/1\n"
	                  "1 still waiting at the end 5\n"
	                  "0 b 5/1\n");
}
END_TEST

/* A task of that name, which gets all votes of the link, or so many of all. */
static uint32_t task_add(const char *comm, int32_t tid)
{
	uint32_t track = timeline_add_track(&timeline, tid);

	timeline_add_name(&timeline, track, 0, comm, strlen(comm));
	return track;
}

static uint32_t link_vote(uint32_t link, uint32_t track, uint64_t own, uint64_t all)
{
	chains.node[link].voter = (struct voter){track, own, own, all};
	return link;
}

/* git behind git: the time below a link votes, not how often it was; the waiter is not itself. */
START_TEST(tasks_of_one_name_are_distinguished)
{
	uint32_t first = task_add("git", 11), second = task_add("git", 12);
	uint32_t pack = task_add("pack", 13), third = task_add("git", 14);
	uint32_t git = link_vote(link_add(CHAIN_ROOT, "git", PART_WAITING, &by_task), first, 9, 9);
	uint32_t by_git = link_vote(link_add(git, "git", PART_WAITING, &by_task), second, 3, 4);
	uint32_t by_pack = link_vote(link_add(by_git, "pack", PART_WAITING, &by_task), pack, 1, 1);
	struct page page = {0};

	(void)end_add(link_vote(link_add(by_pack, "git", PART_RUNNING, NULL), third, 60, 60), 60,
	              0);
	(void)end_add(link_vote(link_add(git, "git", PART_RUNNING, NULL), TRACK_NONE, 0, 9), 9, 0);
	levels_begin(WORDS_STILL_WAITING);
	chain_levels_add(&levels, by_pack + 1, NULL);
	chain_levels_add(&levels, by_pack + 2, NULL);
	check_page(&page, "0 git[11] 69/2 ?\n"
	                  "1 git[12] and others 60/1\n"
	                  "2 pack 60/1\n"
	                  "3 git[14] running 60\n"
	                  "1 other git tasks running 9\n");
}
END_TEST

START_TEST(a_window_cuts_waits)
{
	uint32_t a = end_add(link_add(CHAIN_ROOT, "a", PART_WAITING, NULL), 5, 0);
	struct page page = {0};

	levels_begin("went on after 0.264000 s (the window's end)");
	chain_levels_add(&levels, a, NULL);
	check_page(&page, "0 a 5/1\n"
	                  "1 went on after 0.264000 s (the window's end) 5\n");
}
END_TEST

/* One wait of 6 ns had two parts: the root is told as its waits were. */
START_TEST(a_waiter_is_known_by_its_waits)
{
	uint32_t disk = end_add(link_add(CHAIN_ROOT, "a", PART_WAITING, &on_disk), 4, 10);
	uint32_t lock = end_add(link_add(CHAIN_ROOT, "a", PART_WAITING, &on_lock), 2, 10);
	const struct figures waits = {.total = 6, .count = 1, .longest = 6, .longest_at = 10};
	struct page page = {0};

	levels_begin(WORDS_STILL_WAITING);
	chain_levels_add(&levels, disk, &waits);
	chain_levels_add(&levels, lock, &waits);
	check_page(&page, "0 a 6/2\n"
	                  "1 disk 254,0 4\n"
	                  "1 lock mmap_lock 2\n");
	ck_assert_uint_eq(levels.tree.level[1].figures.count, 1);
	ck_assert_uint_eq(levels.tree.level[1].figures.longest, 6);
}
END_TEST

START_TEST(levels_are_bounded)
{
	uint32_t a = end_add(link_add(CHAIN_ROOT, "a", PART_RUNNING, NULL), 2, 0), link = a;
	struct page page = {.skipped = "a"};

	for (size_t i = 1; i < CHAIN_DEPTH_MAX; i++)
		link = link_add(link, "a", PART_WAITING, &on_disk);
	(void)end_add(link, 1, 0);
	levels_begin(WORDS_STILL_WAITING);
	chain_levels_add(&levels, link, NULL);
	ck_assert_uint_eq(levels.tree.count, 1 + 2 * CHAIN_DEPTH_MAX);
	for (size_t i = 1; i < CHAIN_LEVELS_CHAINS_MAX + 7; i++)
		chain_levels_add(&levels, a, NULL);
	check_page(&page, "0 a 199999/1 ?\n");
	ck_assert_uint_eq(levels.chain_count, CHAIN_LEVELS_CHAINS_MAX);
	ck_assert_uint_eq(page.tree.chains_left_out, 7);
	ck_assert_uint_eq(page.tree.total_left_out, 14);
	/* Shares are of everything, also of what is left out. */
	ck_assert_uint_eq(page.tree.total, 1 + 2 * (CHAIN_LEVELS_CHAINS_MAX + 6));
}
END_TEST

Suite *chain_levels_suite(void)
{
	Suite *suite = suite_create("chain_levels");
	TCase *tests = tcase_create("chain_levels");

	tcase_add_checked_fixture(tests, levels_setup, levels_teardown);
	tcase_add_test(tests, common_beginnings_meet);
	tcase_add_test(tests, an_end_names_what_ended_it);
	tcase_add_test(tests, equal_totals_go_by_name);
	tcase_add_test(tests, tasks_of_one_name_are_distinguished);
	tcase_add_test(tests, a_window_cuts_waits);
	tcase_add_test(tests, a_waiter_is_known_by_its_waits);
	tcase_add_test(tests, levels_are_bounded);
	suite_add_tcase(suite, tests);
	return suite;
}
