/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "suites.h"
#include "words/kernel/control_group_name.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

START_TEST(names_are_short)
{
	static const struct {
		const char *path, *name;
	} cases[] = {
		{"/", "/"},
		{"/system.slice/nginx.service", "nginx.service"},
		{"/system.slice/db.service/workers/1", "db.service/workers/1"},
		{"/user.slice/user-1000.slice/session-3.scope", "session-3.scope"},
		{"/user.slice/user-1000.slice/user@1000.service/app.slice/x.scope", "x.scope"},
		{"/system.slice/docker-" ID ".scope", "docker-0123456789ab"},
		{"/system.slice/docker-" ID ".scope/init", "docker-0123456789ab/init"},
		{"/kubepods.slice/kubepods-burstable.slice/cri-containerd-" ID ".scope",
		 "cri-containerd-0123456789ab"},
		{"/docker/" ID, "docker/0123456789ab"},
		{"/kubepods/burstable/pod01234567-89ab-cdef-0123-456789abcdef/" ID,
		 "pod01234567/0123456789ab"},
		{"/" ID, "0123456789ab"},
		{"/a/b", "b"},
		{"/a/b/", "b"},
		{"/a//", "a"},
		/* neither a unit nor an id, if only by its end */
		{"/a/.service", ".service"},
		{"/a/0123456789abcdef", "0123456789abcdef"},
		{"/a/x-.scope", "x-.scope"},
		{"", "/"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buffer name;

		buffer_init(&name, 200);
		control_group_name_append(&name, cases[i].path);
		ck_assert_str_eq(name.text, cases[i].name);
		buffer_release(&name);
	}
}
END_TEST

START_TEST(globs_match_groups_and_what_is_in_them)
{
	static const struct {
		const char *path, *glob;
		bool does_match;
	} cases[] = {
		{"/system.slice/nginx.service", "nginx.service", true},
		{"/system.slice/nginx.service", "nginx*", true},
		{"/system.slice/nginx.service", "/system.slice/nginx.service", true},
		{"/system.slice/nginx.service", "system.slice", true},
		{"/system.slice/nginx.service", "/system.slice", true},
		{"/system.slice/nginx.service", "/system.slice/*", true},
		{"/system.slice/nginx.service", "*", true},
		{"/system.slice/nginx.service", "nginx", false},
		{"/system.slice/nginx.service", "slice/nginx.service", false},
		{"/system.slice/nginx.service", "/nginx.service", false},
		{"/system.slice/nginx.service", "/", false},
		{"/system.slice/nginx.service", "", false},
		{"/", "/", true},
		{"/", "*", true},
		{"/", "system.slice", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(control_group_matches(cases[i].path, cases[i].glob) ==
		                      cases[i].does_match,
		              "%s in %s", cases[i].glob, cases[i].path);
}
END_TEST

Suite *control_group_name_suite(void)
{
	Suite *suite = suite_create("control_group_name");
	TCase *tests = tcase_create("control_group_name");

	tcase_add_test(tests, names_are_short);
	tcase_add_test(tests, globs_match_groups_and_what_is_in_them);
	suite_add_tcase(suite, tests);
	return suite;
}
