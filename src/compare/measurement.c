/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measurement.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hangs/hangs.h"
#include "analysis/paths/chain_words.h"
#include "analysis/paths/path_task.h"
#include "analysis/tables/cost_kind.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/shell_quote.h"
#include "base/xalloc.h"
#include "graph/aims/aim.h"
#include "graph/walk/chain_tree.h"
#include "sentences/say.h"
#include "stats/rank_test.h"
#include "words/cause/cause_kind.h"

/*
 * Which events show that a wait had a cause. Where none of them were recorded, the recording shows
 * the wait under another cause, so that a rule about this one would be kept for the wrong reason.
 */

/* The groups that show aims that are no causes. Places where tasks sleep show most of them. */
static const struct showing_group showing_aim[AIM_KIND_COUNT] = {
	[AIM_ANSWER] = {"net", EVENT_LIST(EVENT_NET_RECEIVE, EVENT_NAPI_POLL, EVENT_SOCKET_STATE,
	                                  EVENT_SOCKET_RECEIVE, EVENT_SOCKET_SEND,
	                                  EVENT_SOCKET_TAKE, EVENT_SOCKET_READY, EVENT_STACK,
	                                  EVENT_BLOCKED_REASON)},
	[AIM_PIPE] = {"syscalls", EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_STACK,
	                                     EVENT_BLOCKED_REASON)},
	[AIM_CONDITION] = {"syscalls", EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_FUTEX_ENTER)},
	[AIM_BARRIER] = {"syscalls", EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_FUTEX_ENTER)},
	[AIM_SEMAPHORE] = {"syscalls", EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_STACK,
	                                          EVENT_BLOCKED_REASON)},
};

/* Whether the object can only be a lock of a file: then no system call is needed to see it. */
static bool is_lock_of_file(const char *object)
{
	static const char *const begins[] = {"/", "flock ", "fcntl lock ", "lease ", "of "};

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (strncmp(object, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static bool is_shown(const struct showing_group *group, const struct resolved *resolved)
{
	return event_kinds_have_any(&resolved->seen, group->kinds) ||
	       recorded_has(&resolved->recorded, group->name);
}

/*
 * Appends the groups of events that can show what the rule is about, and that the recording has no
 * events of, nor says that it recorded: "lock,syscalls"; nothing if there are none. Returns whether
 * all groups that can show it are lacking, so that nothing of it would be seen.
 */
static bool lacking_groups_append(struct buffer *to, const struct rule *rule,
                                  const struct resolved *resolved)
{
	bool is_seen = false;
	size_t count = rule->cause == CAUSE_LOCK && rule->object && is_lock_of_file(rule->object)
	                       ? 1
	                       : SHOWING_GROUPS_MAX;

	for (size_t i = 0; (rule->cause >= 0 || i == 0) && i < count; i++) {
		const struct showing_group *group = rule->cause < 0
			? &showing_aim[rule->aim]
			: &cause_kinds[rule->cause].shown_by[i];

		if (!group->name)
			continue;
		if (is_shown(group, resolved)) {
			is_seen = true;
			continue;
		}
		buffer_puts(to, to->length ? "," : "");
		buffer_puts(to, group->name);
	}
	return to->length > 0 && !is_seen;
}

/* The options that ask for the same tasks again, for commands that are shown. */

static void list_append(struct buffer *to, const char *option, const char *const *text,
                        size_t count)
{
	_cleanup_(buffer_release) struct buffer list = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++) {
		buffer_puts(&list, i > 0 ? "," : "");
		buffer_puts(&list, text[i]);
	}
	buffer_printf(to, " %s ", option);
	shell_quote_append(to, list.text);
}

/* Appends " --all", " -p 12,13", " --comm 'svc*'", " --cgroup /a": those that were given, quoted
   for a shell. */
static void asked_options_append(struct buffer *to, const struct asked *asked)
{
	if (asked->is_all)
		buffer_puts(to, " --all");
	for (size_t i = 0; i < asked->pids.count; i++)
		buffer_printf(to, "%s%" PRId32, i > 0 ? "," : " -p ", asked->pids.number[i]);
	list_append(to, "--comm", asked->comms, asked->comm_count);
	list_append(to, "--cgroup", asked->cgroups, asked->cgroup_count);
}

/* One run, while it is measured. */
struct taking {
	struct measurement *measurement;
	const struct question *question;
	struct tail *tail; /* NULL: of no use */
	const char *path;
	bool has_tasks;
	nsec_t whole, total; /* of the tasks' time, or the number of units; of what counts */
	uint64_t count;
	/* the longest that counts; TRACK_NONE: there is none */
	uint32_t track;
	nsec_t begin, end;
};

void measurement_init(struct measurement *measurement, const struct rule *rule)
{
	*measurement = (struct measurement){.rule = rule};
}

static void worst_release(struct worst_case *worst)
{
	free(worst->task);
	free(worst->chain);
	free(worst->command);
	*worst = (struct worst_case){0};
}

void measurement_release(struct measurement *measurement)
{
	worst_release(&measurement->worst);
	free(measurement->value);
	free(measurement->lack);
	free(measurement->partly);
}

static void value_add(struct measurement *measurement, double value)
{
	ARRAY_ADD(measurement->value, measurement->count, measurement->capacity) = value;
}

static bool is_of_runs(const struct measurement *measurement)
{
	return measurement->rule->measure != MEASURE_WAIT &&
	       measurement->rule->measure != MEASURE_DELAY;
}

static bool rule_names(const struct rule *rule, const struct question *question, uint32_t track)
{
	const struct timeline *timeline = question->timeline;

	return question->resolved->is_asked[track] && !track_is_of_recorder(question, track) &&
	       (!rule->tasks || track_is_called(timeline, &timeline->track[track], rule->tasks));
}

static bool is_object(const struct rule *rule, const char *name)
{
	return !rule->object || (name && fnmatch(rule->object, name, 0) == 0);
}

/* Whether the part is of the cause, and the object, that the rule is about. */
static bool cause_fits(const struct rule *rule, const struct question *question,
                       const struct own_time *time)
{
	uint32_t name;

	if (rule->cause < 0)
		return rule->aim == AIM_NONE;
	if (!time->cause || !cause_is_of_kinds(time->cause, 1u << rule->cause))
		return false;
	name = cost_object(question->timeline, time->cause);
	return is_object(rule, name ? intern_text(&question->timeline->names, name) : NULL);
}

/* Whether the part is a wait for what the rule is about, whatever ended it: a lock that a task did
   not get in time is no reason to keep a rule about locks. */
static bool aim_fits(const struct rule *rule, const struct question *question,
                     const struct own_time *time)
{
	struct brief_aim aim;

	if (rule->aim == AIM_NONE || time->kind == COST_KERNEL || time->kind == COST_RECORDER)
		return false;
	aim = brief_aim_of_segment(question->timeline, time->track, time->segment);
	return aim.kind == rule->aim && is_object(rule, aim.name);
}

/* A wait in D that did not end is one, although its purpose is not known. */
static bool is_open_in_d(const struct question *question, const struct own_time *time)
{
	const struct track *track = &question->timeline->track[time->track];

	return time->kind == COST_OPEN && track->segment[time->segment].detail == 'D';
}

static bool time_counts(const struct taking *taking, const struct own_time *time)
{
	const struct rule *rule = taking->measurement->rule;
	bool is_kind = rule->kinds & 1u << time->kind;

	if (rule->measure == MEASURE_WAIT && rule->cause < 0)
		is_kind |= is_open_in_d(taking->question, time);
	return (is_kind && cause_fits(rule, taking->question, time)) ||
	       aim_fits(rule, taking->question, time);
}

static void longest_take(struct taking *taking, uint32_t track, nsec_t begin, nsec_t end)
{
	if (taking->track != TRACK_NONE && end - begin <= taking->end - taking->begin)
		return;
	taking->track = track;
	taking->begin = begin;
	taking->end = end;
}

static void take_time(void *state, const struct own_time *time)
{
	struct taking *taking = state;
	nsec_t length = time->end - time->begin;
	bool counts = time_counts(taking, time);

	/* what was not recorded may have been anything */
	if (time->kind != COST_UNSEEN || counts)
		taking->whole += length;
	if (length == 0 || !counts)
		return;
	taking->count++;
	taking->total += length;
	if (!is_of_runs(taking->measurement))
		value_add(taking->measurement, (double)length);
	longest_take(taking, time->track, time->begin, time->end);
}

/* Whether waits of threads of the kernel are at rest: not where the rule names the tasks. */
static bool kernel_rests(const struct taking *taking)
{
	const struct rule *rule = taking->measurement->rule;

	return rule->kinds & 1u << COST_KERNEL ||
	       (!rule->tasks && question_asks_programs(taking->question));
}

static void take_tasks(struct taking *taking)
{
	const struct question *question = taking->question;
	bool has_programs = kernel_rests(taking);

	for (uint32_t track = 0; track < question->timeline->track_count; track++) {
		if (!rule_names(taking->measurement->rule, question, track))
			continue;
		taking->has_tasks = true;
		own_time_visit(question, track, has_programs, take_time, taking);
	}
}

static bool asks_tasks(const struct taking *taking)
{
	for (uint32_t track = 0; track < taking->question->timeline->track_count; track++)
		if (rule_names(taking->measurement->rule, taking->question, track))
			return true;
	return false;
}

static void take_path(struct taking *taking)
{
	const struct question *question = taking->question;
	const struct rule *rule = taking->measurement->rule;
	uint32_t only = rule->tasks ? TRACK_NONE : path_task_only(question);

	for (uint32_t track = 0; track < question->timeline->track_count; track++) {
		struct path_window window;

		if (rule->tasks ? !rule_names(rule, question, track) : track != only)
			continue;
		taking->has_tasks = true;
		window = path_task_window(question, track);
		longest_take(taking, track, window.begin, window.end);
	}
}

static const char *name_of(const struct tail_units *units, uint32_t id)
{
	return id ? intern_text(&units->timeline->names, id) : NULL;
}

/* Whether a unit waited for what the rule is about: by the aim of its own wait, or by what the wait
   came to. */
static bool wait_fits(const struct rule *rule, const struct tail_units *units,
                      const struct tail_part *part)
{
	const struct tail_key *key = &units->key[part->key].key;
	const struct brief_aim aim = brief_aim_of_key(units->timeline, &key->aim);
	const struct tail_leaf *leaf =
		part->leaf_count ? &units->leaf[units->leaf_time[part->first_leaf].leaf] : NULL;

	if (rule->kinds & 1u << COST_ASLEEP)
		return aim.kind == AIM_TIME;
	if (rule->aim != AIM_NONE && aim.kind == rule->aim && is_object(rule, aim.name))
		return true;
	if (rule->cause >= 0 && key->cause == (uint32_t)rule->cause + 1)
		return is_object(rule, name_of(units, key->behind));
	return leaf && rule->cause >= 0 && leaf->cause == (uint32_t)rule->cause + 1 &&
	       is_object(rule, name_of(units, leaf->name));
}

/* Whether that is what the unit is slow by. */
static bool vote_fits(const struct rule *rule, const struct tail_units *units,
                      const struct tail_unit *unit, uint32_t vote)
{
	static const uint32_t kinds[] = {
		[TAIL_RAN] = 1u << COST_RUNNING,   [TAIL_QUEUE] = 1u << COST_QUEUE,
		[TAIL_LIMIT] = 1u << COST_LIMIT,   [TAIL_STOPPED] = 1u << COST_STOPPED,
		[TAIL_UNKNOWN] = 1u << COST_UNKNOWN,
	};
	uint32_t what;

	if (rule->kinds == 0)
		return true;
	if (vote == TAIL_SEVERAL)
		return false;
	what = units->key[vote].key.what;
	if (what == TAIL_WAIT)
		return wait_fits(rule, units, tail_unit_part(units, unit, vote));
	return what < ARRAY_SIZE(kinds) && rule->kinds & kinds[what];
}

/* Of which tasks the tail is; rules about the same ones often follow each other. */
static void tail_be_of(struct tail *tail, const char *tasks)
{
	if (tasks != tail->tasks && (!tasks || !tail->tasks || strcmp(tasks, tail->tasks) != 0))
		tail_find(tail, tasks);
}

/* Requests that took far longer than the others, by that. */
static void take_tail(struct taking *taking)
{
	const struct tail_answer *answer = &taking->tail->answer;
	const struct rule *rule = taking->measurement->rule;

	tail_be_of(taking->tail, rule->tasks);
	taking->has_tasks = answer->count >= TAIL_ENOUGH;
	taking->whole = answer->count;
	for (size_t i = 0; i < answer->far; i++) {
		size_t number = answer->order[answer->count - 1 - i];
		const struct tail_unit *unit = &taking->tail->units.unit[number];

		if (!vote_fits(rule, answer->units, unit, answer->vote[number]))
			continue;
		taking->total++;
		longest_take(taking, unit->track, unit->begin, unit->end);
	}
}

/* The text, which the caller frees; NULL: it is empty. */
static char *text_of(struct buffer *text)
{
	if (text->length == 0)
		buffer_release(text);
	return text->text;
}

/* The command that shows the case; has_path: by its path, else by the whole report. */
static char *command_of(const struct taking *taking, bool has_path)
{
	struct buffer command = {0};

	buffer_puts(&command, "ftwait report ");
	shell_quote_append(&command, taking->path);
	asked_options_append(&command, taking->question->asked);
	if (has_path)
		say(&command, taking->question->timeline, " {path}",
		    PATH(taking->track, taking->begin, taking->end));
	return text_of(&command);
}

/* The task of what is longest, and its chain. */
static void worst_describe(struct worst_case *worst, const struct taking *taking)
{
	struct timeline *timeline = taking->question->timeline;
	struct buffer task = {0}, chain = {0};
	struct chain_tree tree;

	prose_task_append(&task, timeline, taking->track);
	chain_tree_init(&tree, timeline, CHAIN_NODES_MAX);
	chain_tree_add(&tree, taking->track, taking->begin, taking->end);
	if (worst->length)
		(void)heaviest_chain_append(taking->question, &tree, worst->length, &chain);
	chain_tree_release(&tree);
	worst->at = taking->begin - timeline->begin;
	worst->task = text_of(&task);
	worst->chain = text_of(&chain);
}

/* Whether the value speaks more against the rule than those of earlier runs. has_any: something
   counts in this run; that nothing does speaks only against rules that ask for more. */
static bool is_worse(const struct taking *taking, double value, bool has_any)
{
	const struct measurement *measurement = taking->measurement;
	const struct rule *rule = measurement->rule;
	double than = measurement->worst.value;

	if (!has_any && rule_is_kept(rule, value))
		return false;
	if (!measurement->worst.path)
		return true;
	switch (rule->comparison) {
	case COMPARE_LESS:
	case COMPARE_AT_MOST:
		return value > than;
	case COMPARE_AT_LEAST:
	case COMPARE_MORE:
		return value < than;
	case COMPARE_EQUAL:
		break;
	}
	return fabs(value - rule->limit) > fabs(than - rule->limit);
}

static void worst_take(struct taking *taking, double value)
{
	struct worst_case *worst = &taking->measurement->worst;
	bool has_any = taking->track != TRACK_NONE;

	if (!is_worse(taking, value, has_any))
		return;
	worst_release(worst);
	*worst = (struct worst_case){
		.path = taking->path,
		.value = value,
		.length = has_any ? taking->end - taking->begin : 0,
		.command = command_of(taking, has_any),
	};
	if (has_any)
		worst_describe(worst, taking);
}

/* The tasks that hang, of those that the rule names. */
struct hung_count {
	struct taking *taking;
	bool *is_counted; /* by track */
	size_t count;
	char *first, *chain; /* the first one, and what it waits for; owned until taken */
};

/* Returns whether it is the first one, which is to be described. */
static bool count_track(struct hung_count *hung, uint32_t track)
{
	struct buffer task = {0};

	if (hung->is_counted[track] ||
	    !rule_names(hung->taking->measurement->rule, hung->taking->question, track))
		return false;
	hung->is_counted[track] = true;
	if (hung->count++ > 0)
		return false;
	prose_task_append(&task, hung->taking->question->timeline, track);
	hung->first = text_of(&task);
	return true;
}

static void count_hung(void *state, uint32_t track, const char *text)
{
	struct hung_count *hung = state;

	if (count_track(hung, track))
		hung->chain = xstrdup(text);
}

static void worst_hung(struct hung_count *hung)
{
	const struct taking *taking = hung->taking;
	struct worst_case *worst = &taking->measurement->worst;

	if (!is_worse(taking, (double)hung->count, hung->count > 0)) {
		free(hung->first);
		free(hung->chain);
		return;
	}
	worst_release(worst);
	*worst = (struct worst_case){
		.path = taking->path,
		.value = (double)hung->count,
		.task = hung->first,
		.chain = hung->chain,
		.command = command_of(taking, /* has_path= */ false),
	};
}

/* Counts what the summary says of tasks that hang: those that the recorder saw, those that only
   the events suggest, and likely circles of such. */
static void take_hung(struct taking *taking)
{
	const struct question *question = taking->question;
	_cleanup_(freep) bool *is_counted =
		xcalloc(question->timeline->track_count, sizeof(*is_counted));
	struct hangs hangs;
	struct hung_count hung = {.taking = taking, .is_counted = is_counted};

	hangs_find(&hangs, question, /* partners= */ NULL);
	hangs_visit(&hangs, count_hung, &hung);
	taking->has_tasks = asks_tasks(taking);
	if (taking->has_tasks) {
		value_add(taking->measurement, (double)hung.count);
		worst_hung(&hung);
	}
	hangs_release(&hangs);
}

/* The rule would be kept where its events were not recorded. */
static bool has_events(const struct taking *taking)
{
	struct measurement *measurement = taking->measurement;
	const struct resolved *resolved = taking->question->resolved;
	_cleanup_(buffer_release) struct buffer groups = {0};
	_cleanup_(buffer_release) struct buffer hint = {0};
	struct buffer line = {0};
	char **why;
	bool is_lacking = lacking_groups_append(&groups, measurement->rule, resolved);

	why = is_lacking ? &measurement->lack : &measurement->partly;
	if (groups.length == 0 || *why)
		return !is_lacking;
	(void)record_hint_append(&hint, " (", &resolved->recorded, groups.text,
	                         /* stacks= */ false, " records them)");
	say(&line, NULL, "{foreign} has no events of {text}, which can show it[{if}, too]{text}",
	    FOREIGN(taking->path), TEXT(groups.text), IF(!is_lacking), TEXT(hint.text));
	*why = text_of(&line);
	return !is_lacking;
}

static bool has_called(const struct timeline *timeline, const char *glob)
{
	for (uint32_t track = 0; track < timeline->track_count; track++)
		if (track_is_called(timeline, &timeline->track[track], glob))
			return true;
	return false;
}

/* Keeps the phrase about the first such run: one without such a task has no waits either, and did
   not keep the rule: perhaps the program did not run. */
static void lack_say(const struct taking *taking)
{
	const struct rule *rule = taking->measurement->rule;
	const struct question *question = taking->question;
	struct buffer line = {0};

	if (taking->measurement->lack)
		return;
	say(&line, NULL, "{foreign} [{if}has {count} request{|s}[ of {foreign}]: too few for a "
	                 "tail, {count} or more"
	                 "|{if}has no time of these tasks"
	                 "|{if}has a task {foreign} that is not asked for[{if}: add --all]"
	                 "|has no task {foreign}"
	                 "|{if}is of several tasks: name one, like \"path svc\""
	                 "|has no task that is asked for]",
	    FOREIGN(taking->path), IF(rule->measure == MEASURE_TAIL), COUNT(taking->whole),
	    FOREIGN(rule->tasks), COUNT(TAIL_ENOUGH), IF(taking->has_tasks),
	    IF(rule->tasks && has_called(question->timeline, rule->tasks)), FOREIGN(rule->tasks),
	    IF(!question_has_filter(question)), FOREIGN(rule->tasks),
	    IF(rule->measure == MEASURE_PATH && asks_tasks(taking)));
	taking->measurement->lack = text_of(&line);
}

static void add_run(struct taking *taking)
{
	struct measurement *measurement = taking->measurement;
	double value = 0;

	switch (measurement->rule->measure) {
	case MEASURE_PATH:
		value = (double)(taking->end - taking->begin);
		break;
	case MEASURE_COUNT:
		value = (double)taking->count;
		break;
	case MEASURE_TIME:
		value = (double)taking->total;
		break;
	case MEASURE_TAIL:
	case MEASURE_SHARE:
		if (taking->whole == 0) {
			lack_say(taking);
			return;
		}
		value = nsec_ratio(taking->total, taking->whole);
		break;
	case MEASURE_WAIT:
	case MEASURE_DELAY:
		worst_take(taking, (double)(taking->end - taking->begin));
		return;
	case MEASURE_HUNG:
		return;
	}
	value_add(measurement, value);
	worst_take(taking, value);
}

void measurement_take(struct measurement *measurement, const struct question *question,
                      struct tail *tail, const char *path)
{
	struct taking taking = {
		.measurement = measurement,
		.question = question,
		.tail = tail,
		.path = path,
		.track = TRACK_NONE,
	};

	if (!has_events(&taking))
		return;
	if (measurement->rule->measure == MEASURE_HUNG)
		take_hung(&taking);
	else if (measurement->rule->measure == MEASURE_PATH)
		take_path(&taking);
	else if (measurement->rule->measure == MEASURE_TAIL)
		take_tail(&taking);
	else
		take_tasks(&taking);
	if (taking.has_tasks)
		add_run(&taking);
	else
		lack_say(&taking);
}

static double statistic_of(enum statistic statistic, struct sample sample)
{
	switch (statistic) {
	case STATISTIC_P99:
		return sample_quantile(sample, 0.99);
	case STATISTIC_MAX:
		return sample_quantile(sample, 1);
	case STATISTIC_MEDIAN:
		break;
	}
	return sample_median(sample);
}

bool measurement_value(const struct measurement *measurement, double *ret, struct buffer *why)
{
	if (measurement->lack)
		return buffer_fail(why, false, "%s", measurement->lack);
	*ret = statistic_of(measurement->rule->statistic,
	                    (struct sample){measurement->value, measurement->count});
	return true;
}
