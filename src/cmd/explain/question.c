/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "question.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/analysis.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/parse.h"
#include "base/text/shell_quote.h"
#include "base/xalloc.h"
#include "catalog/tracepoint.h"
#include "cmd/commands.h"
#include "words/cause/cause_kind.h"

#define COMM_BYTES 15 /* of a name, as the kernel keeps it */

/* Words that say nothing of what is asked. "slow" is what all questions are about. */
static const char fillers[] =
	" a about all an and are at behind by can cause causes did do does doing explain "
	"for from had has have how i in is it its long main meanwhile much most my of on "
	"one or problem reason reasons show slow slower slowly so some spend spent take "
	"taken takes tell than that the their them there these they this time to took up "
	"us wait waiting waits was waited we were what when where which who whom why "
	"with wrong you long go ";

/* What people call what a view is about, beside its own name. The first word that fits decides. */
static const struct topic {
	const char *words; /* each with a blank before and behind it */
	const char *view;
} topics[] = {
	{" summary overview bottleneck hang hangs hung stuck deadlock deadlocks deadlocked blocked "
	 "critical-path path timeline graph chain chains ", "summary"},
	{" tail requests slowest outlier outliers latency latencies p95 p99 percentile "
	 "server-latency spike spikes ", "tail"},
	{" disk disks io i/o storage block ssd nvme fsync sync writes writing reads reading files "
	 "paths filesystem ", "disk"},
	{" lock locks mutex mutexes futex futexes flock contention contended mmap_lock spinlock "
	 "critical-section ", "lock"},
	{" net network networks socket sockets tcp udp packet packets connection connections dns "
	 "remote retransmits retransmissions answer ", "net"},
	{" sched cpu cpus core cores queue queued queues run-queue runqueue scheduler scheduling "
	 "scheduled preempted preemption starved starvation runnable busy priority throttled "
	 "quota ", "sched"},
	{" memory mm reclaim swap swapping compaction fault faults oom ram ", "memory"},
	{" irq irqs interrupt interrupts softirq softirqs ipi work workqueue kworker kworkers ",
	 "irq"},
	{" syscall syscalls system-call call calls ", "syscall"},
	{" wakeups wakeup wake wakes woke woken idle power battery ", "wakeups"},
	{" timer timers late lateness ", "timers"},
	{" cycles cycle period periods periodic deadline deadlines frame frames missed misses "
	 "underrun underruns jitter ", "cycles"},
	{" processes process died dies dead killed kill kills crash crashed exit exited signal "
	 "signals began begun ended fork forks ", "processes"},
	{" cost costs ", "costs"},
	{" blame neighbour neighbours neighbor neighbors noisy service services cgroup cgroups "
	 "container containers group groups ", "blame"},
	{" off-cpu offcpu stack stacks sleep sleeps slept sleeping ", "off-cpu"},
	{" on-cpu oncpu profile function functions hot code ", "on-cpu"},
	{" advise advice improve improvement faster shorter help helps fix what-if ", "advise"},
	{" waits longest ", "waits"},
	{" events event raw ", "events"},
};

static bool list_has(const char *list, const char *word)
{
	_cleanup_(freep) char *key = xasprintf(" %s ", word);

	return strstr(list, key);
}

/* The view of the topic that has the word; NULL: none has. */
static const struct analysis *topic_find(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(topics); i++)
		if (list_has(topics[i].words, word))
			return analysis_find(topics[i].view);
	return NULL;
}

/* Whether sentences can be taken from the view as such. A view that needs a value, a picture and a
   path have none: there the summary answers. */
static bool view_answers(const struct analysis *view)
{
	return !view->needs_argument && !view->is_timeline && !view->is_of_path &&
	       topic_find(view->name) == view;
}

/* Takes the word if a table has it. */
static bool word_take(struct task_question *question, const char *word)
{
	const struct analysis *view = analysis_find(word);
	int cause = cause_kind_from_name(word);

	view = view && view_answers(view) ? view : topic_find(word);
	if (!view && cause >= 0 && cause_kinds[cause].view)
		view = analysis_find(cause_kinds[cause].view);
	if (!view && event_group_find(word))
		view = analysis_find("summary");
	if (view) {
		question->view = question->view ? question->view : view;
		return true;
	}
	if (cause < 0 && aim_kind_from_name(word) == AIM_NONE)
		return false;
	question->kind = cause >= 0 ? cause_kind_name((enum cause_kind)cause)
	                            : aim_kind_name(aim_kind_from_name(word));
	question->view = question->view ? question->view : analysis_find("waits");
	return true;
}

/* The word as tables have it: in small letters, without what stands around words in sentences. */
static char *word_plain(const char *word)
{
	char *plain = xstrdup(word);
	size_t length = strlen(plain);

	while (length > 0 && strchr("?!.,;:\"'", plain[length - 1]))
		plain[--length] = '\0';
	for (char *at = plain; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	return plain;
}

static void word_understand(struct task_question *question, const char *given)
{
	_cleanup_(freep) char *word = word_plain(given);
	int32_t number;
	char *name;

	if (!*word || (list_has(fillers, word) && !analysis_find(word)))
		return;
	if (word_take(question, word))
		return;
	if (parse_pid(word, &number) == 0) {
		ARRAY_ADD(question->pids.number, question->pids.count, question->pids.capacity) =
			number;
		return;
	}
	/* the name of a task keeps its letters, but for what ends the sentence */
	name = xstrndup(given, strlen(word) < COMM_BYTES ? strlen(word) : COMM_BYTES);
	ARRAY_ADD(question->tasks.text, question->tasks.count, question->tasks.capacity) = name;
}

/* Whether it is one of the questions of `ftwait help questions`: then its option says the view. */
static const struct analysis *common_find(const char *question)
{
	for (size_t i = 0; i < common_question_count; i++) {
		const char *option = common_questions[i].options + 2;
		_cleanup_(freep) char *name = xstrndup(option, strcspn(option, " =["));
		const struct analysis *view = analysis_find(name);

		if (strcasecmp(common_questions[i].question, question) == 0 && view)
			return view_answers(view) ? view : analysis_find("summary");
	}
	return NULL;
}

void question_understand(const char *const *words, size_t count, struct task_question *ret)
{
	_cleanup_(buffer_release) struct buffer all = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(freep) char *plain = NULL, *rest = NULL;
	char *word, *next = NULL;

	*ret = (struct task_question){0};
	for (size_t i = 0; i < count; i++)
		buffer_printf(&all, "%s%s", i ? " " : "", words[i]);
	plain = word_plain(all.text ? all.text : "");
	ret->view = common_find(plain);
	if (ret->view)
		return;
	rest = xstrdup(all.text ? all.text : "");
	for (word = strtok_r(rest, " \t\n", &next); word; word = strtok_r(NULL, " \t\n", &next))
		word_understand(ret, word);
}

void task_question_release(struct task_question *question)
{
	for (size_t i = 0; i < question->tasks.count; i++)
		free(question->tasks.text[i]);
	free(question->tasks.text);
	free(question->pids.number);
}

static void list_add(struct string_list *list, const char *text)
{
	char *own = xstrdup(text);

	ARRAY_ADD(list->text, list->count, list->capacity) = own;
}

static void pid_add(struct number_list *list, int32_t pid)
{
	ARRAY_GROW(list->host, list->count, list->host_capacity);
	list->host[list->count] = xstrdup("");
	ARRAY_ADD(list->number, list->count, list->capacity) = pid;
}

void question_ask(const struct task_question *question, struct report_options *options)
{
	for (size_t i = 0; i < question->tasks.count; i++)
		list_add(&options->comms, question->tasks.text[i]);
	for (size_t i = 0; i < question->pids.count; i++)
		pid_add(&options->pids, question->pids.number[i]);
	if (question->kind)
		list_add(&options->kinds, question->kind);
	for (size_t i = 0; analyses[i]; i++)
		options->views[i].is_given |= analyses[i] == question->view;
}

void question_words_append(struct buffer *to)
{
	for (size_t i = 0; i < ARRAY_SIZE(topics); i++)
		buffer_printf(to, "%s%s", i ? ", " : "", topics[i].view);
}
