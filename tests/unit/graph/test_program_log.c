/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/logs/process_log.h"

#include "graph/logs/task_names.h"
#include "suites.h"

static struct timeline timeline;

static void log_setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
}

static void log_teardown(void)
{
	timeline_release(&timeline);
}

static void add_line(int32_t tgid, nsec_t begin, nsec_t read, const char *text)
{
	program_log_add(&timeline.programs, &(struct program_line){
		.tgid = tgid,
		.text = intern_adds(&timeline.names, text),
		.begin = begin,
		.read = read,
	});
}

static uint32_t add_track(int32_t tid, nsec_t born, const char *comm)
{
	uint32_t track = timeline_add_track(&timeline, tid);

	timeline.track[track].tgid = tid;
	timeline.track[track].born = born;
	timeline_add_name(&timeline, track, 0, comm, strlen(comm));
	return track;
}

static void check_program(uint32_t track, nsec_t time, const char *text)
{
	ck_assert_str_eq(intern_text(&timeline.names, timeline_program_at(&timeline, track, time)),
	                 text);
}

static void check_label(uint32_t track, nsec_t time, const char *label)
{
	struct task task = timeline_task(&timeline, track, time);

	if (!label)
		ck_assert_ptr_null(task.program);
	else
		ck_assert_str_eq(task.program ? task.program : "(none)", label);
}

START_TEST(an_exec_has_the_line_that_was_read_after_it)
{
	uint32_t older, track;

	add_line(7, 300, 350, "third");
	add_line(7, 0, 10, "older");
	add_line(7, 100, 150, "first");
	add_line(8, 0, 10, "other");
	program_log_close(&timeline.programs);
	older = add_track(7, NSEC_NEVER, "sh");
	check_program(older, 0, "older");
	/* the event of an exec comes after its begin */
	program_log_exec(&timeline.programs, older, 7, 120);
	check_program(older, 119, "older");
	check_program(older, 120, "first");
	/* a program without a line */
	program_log_exec(&timeline.programs, older, 7, 200);
	program_log_exec(&timeline.programs, older, 7, 300);
	check_program(older, 199, "first");
	check_program(older, 200, "");
	check_program(older, NSEC_NEVER, "third");

	/* the tid is another task's now */
	track = add_track(7, 400, "sh");
	check_program(track, NSEC_NEVER, "");
	program_log_exec(&timeline.programs, track, 7, 200000000);
	check_program(track, NSEC_NEVER, "");
}
END_TEST

START_TEST(a_child_begins_with_the_program_of_its_parent)
{
	uint32_t parent, child, stranger;

	add_line(7, 0, 10, "sh job");
	add_line(9, 60, 70, "sleep 1");
	program_log_close(&timeline.programs);
	parent = add_track(7, NSEC_NEVER, "sh");
	child = add_track(9, 50, "sh");
	program_log_fork(&timeline.programs, child, 50,
	                 timeline_program_at(&timeline, parent, 50));
	check_program(child, 50, "sh job");
	program_log_exec(&timeline.programs, child, 9, 61);
	check_program(child, 60, "sh job");
	check_program(child, 61, "sleep 1");
	stranger = add_track(10, 50, "sh");
	program_log_fork(&timeline.programs, stranger, 50, 0);
	check_program(stranger, NSEC_NEVER, "");
}
END_TEST

START_TEST(without_lines_nothing_is_known)
{
	uint32_t track = add_track(7, NSEC_NEVER, "sh");

	program_log_close(&timeline.programs);
	ck_assert(program_log_is_empty(&timeline.programs));
	ck_assert_uint_eq(timeline_program_at(&timeline, track, 5), 0);
	timeline_label_programs(&timeline);
	check_label(track, 5, NULL);
}
END_TEST

static uint32_t add_older(int32_t tgid, const char *comm, const char *line)
{
	if (line)
		add_line(tgid, 0, 1, line);
	return add_track(tgid, NSEC_NEVER, comm);
}

static void label_all(void)
{
	program_log_close(&timeline.programs);
	timeline_label_programs(&timeline);
}

START_TEST(scripts_tell_interpreters_apart)
{
	uint32_t web = add_older(1, "python3", "python3 -u /srv/manage.py run");
	uint32_t jobs = add_older(2, "python3", "/usr/bin/python3 /srv/manage.py jobs");
	uint32_t same = add_older(3, "python3", "/usr/bin/python3 /srv/manage.py jobs");
	uint32_t alone = add_older(4, "perl", "perl a.pl");
	uint32_t login = add_older(5, "bash", "-bash");
	uint32_t script = add_older(6, "bash", "bash -x /root/build.sh all\\040the\\012\\012rest \\...");
	uint32_t renamed = add_older(7, "worker", "python3 x.py");
	uint32_t unknown = add_older(8, "python3", NULL);

	label_all();
	check_label(web, 0, "manage.py run");
	check_label(jobs, 0, "manage.py jobs");
	check_label(same, 0, "manage.py jobs");
	check_label(alone, 0, NULL);
	check_label(login, 0, NULL);
	check_label(script, 0, "build.sh");
	check_label(renamed, 0, NULL);
	check_label(unknown, 0, NULL);
}
END_TEST

START_TEST(files_tell_compilers_apart)
{
	uint32_t a = add_older(1, "cc1", "/lib/cc1 -quiet x86_64-linux-gnu -o /tmp/1.s src/a/main.c");
	uint32_t b = add_older(2, "cc1", "/lib/cc1 -quiet x86_64-linux-gnu -o /tmp/2.s src/b/main.c");
	uint32_t c = add_older(3, "cc1", "/lib/cc1 -quiet x86_64-linux-gnu -o /tmp/3.s other.c");
	uint32_t d = add_older(4, "cc1", "/lib/cc1 -quiet x86_64-linux-gnu \\...");

	label_all();
	check_label(a, 0, "a/main.c");
	check_label(b, 0, "b/main.c");
	check_label(c, 0, "other.c");
	/* what would tell it apart may be left out */
	check_label(d, 0, NULL);
}
END_TEST

START_TEST(a_label_is_cut_and_clean)
{
	uint32_t script = add_older(1, "a_long_name", "/bin/a_long_name \\040x\\033[31m\\012yz");
	uint32_t path = add_older(2, "a_long_name", "a_long_name /deep/caf\xc3\xa9" "bcdefghijklmnop/");
	uint32_t empty = add_older(3, "a_long_name", "a_long_name \\ / -");
	uint32_t nginx = add_older(4, "nginx", "nginx:\\040worker\\040process");
	uint32_t master = add_older(5, "nginx", "nginx:\\040master\\040process\\040/usr/sbin/nginx");

	label_all();
	check_label(script, 0, "x\\x1b[31m yz");
	check_label(path, 0, "caf\xc3\xa9" "bcdefghijk..");
	check_label(empty, 0, "/");
	check_label(nginx, 0, "worker process");
	check_label(master, 0, "master process /usr/..");
}
END_TEST

/* The kernel puts the interpreter before a script, whose name the task has. */
START_TEST(a_script_may_name_its_task)
{
	uint32_t a = add_older(1, "manage.py", "/usr/bin/python3 ./manage.py run");
	uint32_t b = add_older(2, "manage.py", "/usr/bin/python3 ./manage.py jobs");

	label_all();
	check_label(a, 0, "run");
	check_label(b, 0, "jobs");
}
END_TEST

/* The name of the whole life is that of the first program, and so is the label. */
START_TEST(a_name_stands_for_the_program_that_gave_it)
{
	uint32_t track = add_older(1, "sh", "sh a.sh");
	uint32_t other = add_older(2, "sh", "sh b.sh");

	add_line(1, 100, 110, "true x");
	add_line(3, 0, 1, "true y");
	add_track(3, NSEC_NEVER, "true");
	program_log_close(&timeline.programs);
	program_log_exec(&timeline.programs, track, 1, 101);
	timeline_add_name(&timeline, track, 101, "true", 4);
	timeline_label_programs(&timeline);
	check_label(track, 50, "a.sh");
	check_label(track, 200, "x");
	check_label(track, NSEC_NEVER, "x");
	timeline.track[track].main_name = intern_adds(&timeline.names, "sh");
	check_label(track, NSEC_NEVER, "a.sh");
	check_label(other, NSEC_NEVER, "b.sh");
}
END_TEST

Suite *program_log_suite(void)
{
	Suite *suite = suite_create("program_log");
	TCase *log = tcase_create("log"), *labels = tcase_create("labels");

	tcase_add_checked_fixture(log, log_setup, log_teardown);
	tcase_add_test(log, an_exec_has_the_line_that_was_read_after_it);
	tcase_add_test(log, a_child_begins_with_the_program_of_its_parent);
	tcase_add_test(log, without_lines_nothing_is_known);
	suite_add_tcase(suite, log);
	tcase_add_checked_fixture(labels, log_setup, log_teardown);
	tcase_add_test(labels, scripts_tell_interpreters_apart);
	tcase_add_test(labels, files_tell_compilers_apart);
	tcase_add_test(labels, a_label_is_cut_and_clean);
	tcase_add_test(labels, a_script_may_name_its_task);
	tcase_add_test(labels, a_name_stands_for_the_program_that_gave_it);
	suite_add_tcase(suite, labels);
	return suite;
}
