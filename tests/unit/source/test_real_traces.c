/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every trace.dat in the folders that the environment variable FTWAIT_TRACES names (separated by
 * colons) must give the counts that the expected.json of its folder tells, if there is one, and
 * record for record what libtracecmd reads, where that can read the file. Without such folders
 * there is nothing to check, and a line says so. tests/run.sh unpacks what is packed there.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "reference/tracecmd_source.h"
#include "source_drain.h"
#include "suites.h"

static struct drained native_result, reference_result;
static unsigned opened, checked, compared;

/* All of folder/expected.json, or an empty text if there is none. */
static void read_expectations(const char *folder, struct buffer *ret)
{
	_cleanup_(freep) char *path = xasprintf("%s/expected.json", folder);
	_cleanup_(fclosep) FILE *file = fopen(path, "r");
	char block[4096];
	size_t got;

	buffer_init(ret, 16u << 20);
	while (file && (got = fread(block, 1, sizeof(block), file)) > 0)
		buffer_append(ret, block, got);
}

/*
 * The object of a file: the text from its key on. "x.v7-zlib.dat" holds what "x.dat" holds. This
 * is no JSON reader: it relies on the few shapes that such a file has.
 */
static const char *find_expectation(const struct buffer *all, const char *name)
{
	const char *variant = strstr(name, ".v7-");
	int length = (int)(variant ? variant - name : (ptrdiff_t)strlen(name) - 4);
	_cleanup_(freep) char *key = xasprintf("\"%.*s.dat\": {", length, name);

	return strstr(all->text, key);
}

static uint64_t find_number(const char *object, const char *key)
{
	_cleanup_(freep) char *quoted = xasprintf("\"%s\": ", key);
	const char *at = strstr(object, quoted);
	unsigned long long number = 0;

	ck_assert_msg(at && sscanf(at + strlen(quoted), "%llu", &number) == 1, "no %s", key);
	return number;
}

/* Steps to the next "key": number of a flat object; false at its end. */
static bool next_count(const char **at, char key[static 128], uint64_t *ret)
{
	unsigned long long number;
	int used = 0;

	*at += strspn(*at, "{, \n");
	if (sscanf(*at, "\"%127[^\"]\": %llu%n", key, &number, &used) != 2)
		return false;
	*at += used;
	*ret = number;
	return true;
}

/* Adds up the events of formats called `name`. */
static uint64_t count_events(const struct source *source, const char *name)
{
	uint64_t total = 0;

	for (size_t i = 0; i < source->format_count; i++) {
		const char *at = strstr(source->formats[i].text, "name: ");
		const char *id = strstr(source->formats[i].text, "ID: ");
		unsigned number;

		if (at && id && strncmp(at + 6, name, strlen(name)) == 0 &&
		    at[6 + strlen(name)] == '\n' && sscanf(id + 4, "%u", &number) == 1 &&
		    number < 65536)
			total += native_result.by_id[number];
	}
	return total;
}

static void check_counts(const struct source *source, const char *path, const char *expected)
{
	const char *at = strstr(expected, "\"counts\": {");
	uint64_t number, kinds = 0;
	char name[128];

	ck_assert_msg(native_result.records == find_number(expected, "events"), "%s: %llu records",
	              path, (unsigned long long)native_result.records);
	ck_assert_ptr_nonnull(at);
	for (at += 10; next_count(&at, name, &number); kinds++)
		ck_assert_msg(count_events(source, name) == number, "%s: %llu events %s, not %llu",
		              path, (unsigned long long)count_events(source, name), name,
		              (unsigned long long)number);
	ck_assert_uint_gt(kinds, 0);
	checked++;
}

static void compare_with_reference(const char *path)
{
	struct source *source = NULL;
	struct buffer why;

	if (!reference_is_built())
		return;
	buffer_init(&why, 1000);
	if (reference_open(path, &source, &why) == 0) {
		source_drain(source, 0, &reference_result);
		ck_assert_uint_eq(source->health.note_count, 0);
		ck_assert_msg(reference_result.sum == native_result.sum &&
		              reference_result.records == native_result.records,
		              "%s: libtracecmd reads other records", path);
		compared++;
		source_close(source);
	} else {
		ck_assert_msg(strstr(path, "zlib"), "%s: %s", path, why.text);
	}
	buffer_release(&why);
}

static void check_file(const char *folder, const char *name, const struct buffer *all)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", folder, name);
	bool is_described = all->length > 0;
	const char *expected = is_described ? find_expectation(all, name) : NULL;
	struct source *source = NULL;
	struct buffer why;

	ck_assert_msg(expected || !is_described, "%s is not in expected.json", path);
	buffer_init(&why, 1000);
	ck_assert_msg(source_open(path, &source, &why) == 0, "%s: %s", path, why.text);
	source_drain(source, 0, &native_result);
	if (expected)
		check_counts(source, path, expected);
	ck_assert_msg(!source->health.damaged, "%s: %s", path, source->health.notes[0]);
	opened++;
	source_close(source);
	buffer_release(&why);
	compare_with_reference(path);
}

static void check_folder(const char *folder)
{
	struct buffer all;
	DIR *entries = opendir(folder);
	struct dirent *entry;

	read_expectations(folder, &all);
	while (entries && (entry = readdir(entries))) {
		size_t length = strlen(entry->d_name);

		if (length > 4 && strcmp(entry->d_name + length - 4, ".dat") == 0)
			check_file(folder, entry->d_name, &all);
	}
	if (entries)
		closedir(entries);
	buffer_release(&all);
}

START_TEST(test_all_folders)
{
	const char *named = getenv("FTWAIT_TRACES");
	_cleanup_(freep) char *list = xstrdup(named ? named : "");
	char *at = list, *folder;

	while ((folder = strsep(&at, ":")))
		if (*folder)
			check_folder(folder);
	if (!named || !*named) {
		puts("SKIP real_traces: FTWAIT_TRACES names no folders");
		return;
	}
	printf("real_traces: %u files, %u as expected.json says, %u equal to libtracecmd's\n",
	       opened, checked, compared);
	ck_assert_msg(opened > 0, "FTWAIT_TRACES names no trace.dat");
}
END_TEST

Suite *real_traces_suite(void)
{
	Suite *suite = suite_create("real_traces");
	TCase *all = tcase_create("all");

	tcase_set_timeout(all, 300);
	tcase_add_test(all, test_all_folders);
	suite_add_tcase(suite, all);
	return suite;
}
