/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/text/buffer.h"
#include "cmd/completion_answer.h"
#include "cmd/completion_values.h"
#include "suites.h"

#define WORDS_MAX 16

/* What stands at the last word of a line of words with blanks between. */
static void request_read(struct completion_request *ret, char *line)
{
	char *words[WORDS_MAX];
	size_t count = 0;

	for (char *at = line; at; count++) {
		ck_assert_uint_lt(count, WORDS_MAX);
		words[count] = at;
		at = strchr(at, ' ');
		if (at)
			*at++ = '\0';
	}
	completion_request_read(ret, words, count, count - 1);
}

static const struct {
	const char *line;
	enum completion_ask ask;
	enum option_values values;
	const char *kept, *text, *recording;
} requests[] = {
	{"ftwait rep", COMPLETION_COMMANDS, VALUES_BY_TYPE, "", "rep", NULL},
	{"ftwait nonsense --x", COMPLETION_NOTHING, VALUES_BY_TYPE, NULL, NULL, NULL},
	{"ftwait report --fo", COMPLETION_OPTIONS, VALUES_BY_TYPE, "", "--fo", NULL},
	{"ftwait report -", COMPLETION_OPTIONS, VALUES_BY_TYPE, "", "-", NULL},
	{"ftwait report --format j", COMPLETION_VALUES, VALUES_FIXED, "", "j", NULL},
	{"ftwait report --format=j", COMPLETION_VALUES, VALUES_FIXED, "--format=", "j", NULL},
	{"ftwait report --kind=disk,so", COMPLETION_VALUES, VALUES_FIXED, "--kind=disk,", "so",
	 NULL},
	{"ftwait report --json=x", COMPLETION_NOTHING, VALUES_BY_TYPE, NULL, NULL, NULL},
	{"ftwait report --output a,b", COMPLETION_VALUES, VALUES_FILES, "", "a,b", NULL},
	{"ftwait report -oa", COMPLETION_VALUES, VALUES_FILES, "-o", "a", NULL},
	{"ftwait report -at1,2", COMPLETION_VALUES, VALUES_TIDS, "-at1,", "2", NULL},
	{"ftwait report x.dat --tid 1", COMPLETION_VALUES, VALUES_TIDS, "", "1", "x.dat"},
	{"ftwait report -i y --waits --tid 1", COMPLETION_VALUES, VALUES_TIDS, "", "1", "y"},
	{"ftwait report --input=y z --tid 1", COMPLETION_VALUES, VALUES_TIDS, "", "1", "y"},
	{"ftwait report --format text 'y\\z' --tid 1", COMPLETION_VALUES, VALUES_TIDS, "", "1",
	 "y\\z"},
	{"ftwait report --critical-path=a", COMPLETION_VALUES, VALUES_TASKS, "--critical-path=",
	 "a", NULL},
	{"ftwait report --critical-path a", COMPLETION_VALUES, VALUES_RECORDINGS, "", "a", NULL},
	{"ftwait report --comm=\"a,$b", COMPLETION_VALUES, VALUES_COMMS, "--comm=a,", "$b", NULL},
	{"ftwait report -- --fo", COMPLETION_VALUES, VALUES_RECORDINGS, "", "--fo", NULL},
	{"ftwait record -d 1 ma", COMPLETION_VALUES, VALUES_PROGRAMS, "", "ma", NULL},
	{"ftwait record -- make --fo", COMPLETION_VALUES, VALUES_PROGRAMS, "", "--fo", NULL},
	{"ftwait help re", COMPLETION_VALUES, VALUES_COMMANDS, "", "re", NULL},
};

START_TEST(lines_are_understood)
{
	struct completion_request request;
	char *line = strdup(requests[_i].line);

	request_read(&request, line);
	ck_assert_int_eq(request.ask, requests[_i].ask);
	ck_assert_int_eq(request.values, requests[_i].values);
	ck_assert_pstr_eq(request.kept, requests[_i].kept);
	ck_assert_pstr_eq(request.text, requests[_i].text);
	ck_assert_pstr_eq(request.recording, requests[_i].recording);
	completion_request_release(&request);
	free(line);
}
END_TEST

/* What bash is told, for pieces with blanks between; all that there is in one line. */
static const struct {
	const char *pieces, *answer;
} answers[] = {
	{"2 ftwait report --stri", "words  --strict"},
	{"4 ftwait report --format = sp", "words --format= speedscope"},
	{"3 ftwait report --color = ", "words --color= auto always never"},
	{"2 ftwait report --format=sp", "words --format= --format=speedscope"},
	{"3 ftwait report --kind disk,so", "words disk, disk,softirq"},
	{"3 ftwait report --kind 'disk,so", "words 'disk, disk,softirq"},
	{"3 ftwait report --by x", "words "},
	{"3 ftwait record -d 10", "words  10s 10ms 10us 10ns 10m 10h"},
	{"3 ftwait record -b 8", "words  8K 8M 8G"},
	{"3 ftwait record -e bl", "words  block"},
	{"4 ftwait report --disk --sort x", "words "},
	{"4 ftwait report --disk --sort d", "words  device"},
	{"3 ftwait report --sort de --disk", "words  device"},
	{"4 ftwait record -- make -j", "programs 3"},
	{"2 ftwait help rec", "words  record"},
	{"3 ftwait record --trigger re", "words  retransmit\\>"},
	{"3 ftwait record --trigger hu", "words  hung"},
	{"3 ftwait record --trigger 'wait>5", "words  wait>5s wait>5ms wait>5us wait>5ns wait>5m "
	                                      "wait>5h"},
	{"3 ftwait record --trigger 'wait>5m", "words  wait>5ms wait>5m"},
	{"3 ftwait record --trigger 'wait>x", "words "},
	{"3 ftwait record --trigger 'retransmit>7", "words  retransmit>7/s"},
	{"3 ftwait record --trigger 'retransmit>7s", "words "},
	{"3 ftwait record --trigger 'mark=x", "words "},
	{"3 ftwait record --trigger 'kind=di", "words  kind=disk"},
	/* ~ stands for a blank in a word */
	{"3 ftwait record --trigger 'wait>5s~ki", "words 'wait>5s  wait>5s kind="},
	{"3 ftwait record --trigger 'wait>5s~kind='di", "words 'wait>5s  'wait>5s 'kind=disk"},
	{"3 ftwait record --trigger hung\\~kind=di", "words hung\\  hung\\ kind=disk"},
	{"3 ftwait record --trigger 'wait>5s~op", "words 'wait>5s "},
	{"3 ftwait record --trigger 'disk>5s~na", "words 'disk>5s "},
	{"3 ftwait record --trigger 'dev=vda~w", "words 'dev=vda  dev=vda wait>"},
	{"3 ftwait record --trigger 'open>5s~wait>5", "words 'open>5s "},
	{"3 ftwait record --trigger 'comm=x~comm=", "words 'comm=x "},
	{"3 ftwait record --trigger 'retransmit>7/s~", "words 'retransmit>7/s "},
	{"3 ftwait record --trigger 'mark=\"a~hu", "words 'mark=\"a "},
	{"3 ftwait record --trigger 'event:a:b~if~hu", "words 'event:a:b if "},
	{"4 ftwait record --trigger = hung~na", "words --trigger=hung  hung name="},
	{"2 ftwait shot not-a-number", "words "},
};

START_TEST(bash_is_answered)
{
	char *line = strdup(answers[_i].pieces), *text = NULL, *words[WORDS_MAX];
	size_t length, count = 0;
	FILE *out = open_memstream(&text, &length);

	for (char *at = line; at; count++) {
		words[count] = at;
		at = strchr(at, ' ');
		if (at)
			*at++ = '\0';
		for (char *c = words[count]; *c; c++)
			*c = *c == '~' ? ' ' : *c;
	}
	ck_assert_int_eq(completion_answer(out, COMPLETION_BASH, words, count), 0);
	(void)fclose(out);
	ck_assert_uint_gt(length, 0);
	text[length - 1] = '\0';
	for (char *at = text; *at; at++)
		*at = *at == '\n' ? ' ' : *at;
	ck_assert_str_eq(text, answers[_i].answer);
	free(text);
	free(line);
}
END_TEST

START_TEST(wrong_questions_are_refused)
{
	char *none[] = {NULL}, *beyond[] = {"2", "ftwait", "report"}, *text[] = {"x", "ftwait", ""};

	ck_assert_int_ne(completion_answer(stdout, COMPLETION_BASH, none, 0), 0);
	ck_assert_int_ne(completion_answer(stdout, COMPLETION_BASH, beyond, 3), 0);
	ck_assert_int_ne(completion_answer(stdout, COMPLETION_BASH, text, 3), 0);
}
END_TEST

/* An option that takes a value tells of what kind, and what is not hidden is offered. */
START_TEST(every_option_is_known)
{
	for (size_t c = 0; c < command_count; c++) {
		struct completion_request request;
		struct candidate_list list;
		char *words[] = {"ftwait", strdup(commands[c].name), "--"};
		struct option_row row;

		completion_request_read(&request, words, 3, 2);
		completion_values(&request, &list);
		for (size_t i = 0; option_row_at(commands[c].options, i, &row); i++) {
			size_t at = 0;

			if (row.type == OPTION_HEADING || row.is_hidden)
				continue;
			ck_assert_msg(!row.argument ||
			              option_values_of(&row) != VALUES_BY_TYPE, "--%s", row.name);
			while (at < list.count && strcmp(list.item[at].text + 2, row.name) != 0)
				at++;
			ck_assert_msg(at < list.count, "--%s is not offered", row.name);
		}
		candidate_list_release(&list);
		completion_request_release(&request);
		free(words[1]);
	}
}
END_TEST

Suite *completion_suite(void)
{
	Suite *suite = suite_create("completion");
	TCase *tests = tcase_create("completion");

	tcase_add_loop_test(tests, lines_are_understood, 0, ARRAY_SIZE(requests));
	tcase_add_loop_test(tests, bash_is_answered, 0, ARRAY_SIZE(answers));
	tcase_add_test(tests, wrong_questions_are_refused);
	tcase_add_test(tests, every_option_is_known);
	suite_add_tcase(suite, tests);
	return suite;
}
