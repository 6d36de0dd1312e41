/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/browse/question_parts.h"

#include "base/cleanup.h"
#include "base/data/array.h"
#include "suites.h"

static const struct {
	const char *options;
	const char *view, *window, *tasks, *rest, *label;
} questions[] = {
	{"", "", "", "", "", "summary"},
	{"--summary", " --summary", "", "", "", "summary"},
	{"--waits --sort wait --kind timer --comm sleep", " --waits", "", " --comm sleep",
	 " --sort wait --kind timer", "waits sleep wait timer"},
	{"--critical-path=17 --from 0.1 --to 0.2", " --critical-path=17", " --from 0.1 --to 0.2",
	 " --tid 17", "", "critical-path 17 at 0.1"},
	{"--critical-path=db:17", " --critical-path=db:17", "", " --tid db:17", "",
	 "critical-path db:17"},
	{"--critical-path=server", " --critical-path=server", "", " --comm server", "",
	 "critical-path server"},
	/* a value that is no task */
	{"--syscall=openat --tid 4", " --syscall=openat", "", " --tid 4", "", "syscall 4"},
	{"--sched --pid 3 -p 4 --cgroup /a --all", " --sched", "", " --pid 3 -p 4 --cgroup /a --all", "",
	 "sched 3 4 /a all"},
	{"--tail --per mark --top 5 --min 1ms --cpu 2", " --tail", "", "",
	 " --per mark --top 5 --min 1ms --cpu 2", "tail mark 5 1ms 2"},
	{"--cycles --period 10ms --by task --wait 3 --filter 'sched: x < 1'", " --cycles", "", "",
	 " --period 10ms --by task --wait 3 --filter 'sched: x < 1'", "cycles 10ms task 3 sched: x < 1"},
	{"--waits --at trigger", " --waits", " --at trigger", "", "", "waits at trigger"},
	{"--waits --evidence", " --waits", "", "", " --evidence", "waits evidence"},
	/* names that a shell would obey */
	{"--waits --comm 'a b'\\''c' --comm $'\\x1b[2J'", " --waits", "",
	 " --comm 'a b'\\''c' --comm $'\\x1b[2J'", "", "waits a b'c \033[2J"},
	{"--waits --comm '--from'", " --waits", "", " --comm --from", "", "waits --from"},
	/* several views, an option at the end that lacks its value, words that are none */
	{"--waits --sched", " --waits --sched", "", "", "", "waits"},
	{"--waits --tid", " --waits", "", " --tid", "", "waits tid"},
	{"--nonsense word", "", "", "", " --nonsense word", "summary nonsense word"},
	{"--waitsome --wait", "", "", "", " --waitsome --wait", "summary waitsome wait"},
};

START_TEST(options_are_taken_apart_and_put_together)
{
	_cleanup_(question_parts_release) struct question_parts parts;
	_cleanup_(buffer_release) struct buffer label = buffer_of(1000), again = buffer_of(1000);
	struct question_parts second;

	ck_assert(question_parts_read(questions[_i].options, &parts));
	ck_assert_str_eq(parts.view.text, questions[_i].view);
	ck_assert_str_eq(parts.window.text, questions[_i].window);
	ck_assert_str_eq(parts.tasks.text, questions[_i].tasks);
	ck_assert_str_eq(parts.rest.text, questions[_i].rest);
	question_label_append(&label, &parts);
	ck_assert_str_eq(label.text, questions[_i].label);
	/* what is put together is the same question */
	question_join(&again, &parts, NULL);
	ck_assert(question_parts_read(again.text, &second));
	ck_assert_str_eq(second.view.text, parts.view.text);
	ck_assert_str_eq(second.window.text, parts.window.text);
	ck_assert_str_eq(second.tasks.text, parts.tasks.text);
	ck_assert_str_eq(second.rest.text, parts.rest.text);
	question_parts_release(&second);
}
END_TEST

START_TEST(what_is_no_list_of_words_is_empty)
{
	_cleanup_(question_parts_release) struct question_parts parts;

	ck_assert(!question_parts_read("--waits --comm 'a", &parts));
	ck_assert_str_eq(parts.view.text, "");
	ck_assert_str_eq(parts.tasks.text, "");
	ck_assert_ptr_null(question_view(&parts));
}
END_TEST

START_TEST(another_window_replaces_it)
{
	_cleanup_(question_parts_release) struct question_parts parts;
	_cleanup_(buffer_release) struct buffer window = buffer_of(100), joined = buffer_of(1000);

	ck_assert(question_parts_read("--critical-path=17 --from 1 --to 9 --top 3", &parts));
	buffer_puts(&window, " --from 2 --to 3");
	question_join(&joined, &parts, &window);
	/* the task of a path is not named twice */
	ck_assert_str_eq(joined.text, "--critical-path=17 --from 2 --to 3 --top 3");
}
END_TEST

START_TEST(an_option_is_taken_out)
{
	static const struct {
		const char *options, *option, *value, *rest;
		bool was_there;
	} takes[] = {
		{"--waits --sort wait --top 5", "--sort", "wait", " --top 5", true},
		{"--waits --top 5", "--sort", "", " --top 5", false},
		{"--waits --evidence --top 5", "--evidence", "", " --top 5", true},
		{"--waits --kind 'a b' --sort x", "--kind", "a b", " --sort x", true},
		{"--waits --sort", "--sort", "", "", true},
	};

	for (size_t i = 0; i < ARRAY_SIZE(takes); i++) {
		_cleanup_(question_parts_release) struct question_parts parts;
		_cleanup_(buffer_release) struct buffer value = buffer_of(100);

		ck_assert(question_parts_read(takes[i].options, &parts));
		ck_assert(question_take(&parts, takes[i].option, &value) == takes[i].was_there);
		ck_assert_str_eq(value.text, takes[i].value);
		ck_assert_str_eq(parts.rest.text, takes[i].rest);
		ck_assert_str_eq(question_view(&parts), "waits");
		ck_assert(!question_take(&parts, takes[i].option, NULL));
	}
}
END_TEST

Suite *question_parts_suite(void)
{
	Suite *suite = suite_create("question_parts");
	TCase *tests = tcase_create("question_parts");

	tcase_add_loop_test(tests, options_are_taken_apart_and_put_together, 0,
	                    ARRAY_SIZE(questions));
	tcase_add_test(tests, what_is_no_list_of_words_is_empty);
	tcase_add_test(tests, another_window_replaces_it);
	tcase_add_test(tests, an_option_is_taken_out);
	suite_add_tcase(suite, tests);
	return suite;
}
