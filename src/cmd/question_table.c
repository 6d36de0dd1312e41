/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "question_table.h"

#include "base/data/array.h"

const struct common_question common_questions[] = {
	{"where did the time go", "--summary"},
	{"why did this one take so long", "--critical-path=TID|COMM"},
	{"the same as a picture", "--timeline"},
	{"which task waited for which other one", "--chains"},
	{"where do tasks sleep, what wakes them", "--off-cpu"},
	{"what do tasks run, by function", "--on-cpu"},
	{"how long are waits of which kind", "--waits --histogram --by kind"},
	{"which task had the CPU meanwhile", "--sched"},
	{"which task or service costs which one what", "--blame"},
	{"what does it cost, to compare with others", "--costs"},
	{"how late do timers wake tasks", "--timers"},
	{"which cycles of a periodic task came late", "--cycles --comm NAME"},
	{"which disk request was slow", "--disk"},
	{"which connection or request was slow", "--net"},
	{"which lock is contended", "--lock"},
	{"what do system calls cost", "--syscall"},
	{"which tasks wait for memory", "--memory"},
	{"how much time do interrupts take", "--irq"},
	{"what wakes an idle CPU", "--wakeups"},
	{"which processes began, ended, were killed", "--processes"},
	{"what happened between two times or marks", "--from TIME|MARK --to TIME|MARK"},
};
const size_t common_question_count = ARRAY_SIZE(common_questions);

void question_table_print(FILE *out)
{
	(void)fputs("What \"ftwait report FILE\" answers with which option:\n\n", out);
	for (size_t i = 0; i < common_question_count; i++) {
		const struct common_question *row = &common_questions[i];

		(void)fprintf(out, "  %-42s  %s\n", row->question, row->options);
	}
}
