/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "say.h"

#include <assert.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/format.h"
#include "graph/timeline/timeline_tasks.h"
#include "words/cause/cause_words.h"
#include "words/task_words.h"
#include "words/time_scale.h"

/* The names of the kinds in sentences. */
static const char *const names[WORD_KIND_COUNT] = {
	[WORD_IF] = "if",        [WORD_MANY] = "many",    [WORD_TEXT] = "text",
	[WORD_TASK] = "task",    [WORD_RANKED] = "ranked", [WORD_NAME] = "name",
	[WORD_LENT] = "lent",    [WORD_DEVICE] = "device", [WORD_CAUSE] = "cause",
	[WORD_TIME] = "time",    [WORD_SECONDS] = "seconds", [WORD_INSTANT] = "instant",
	[WORD_PATH] = "path",    [WORD_COUNT] = "count",  [WORD_NUMBER] = "number",
	[WORD_CPU] = "cpu",      [WORD_RATIO] = "ratio",  [WORD_DECIMAL] = "decimal",
	[WORD_SHARE] = "share",  [WORD_SIZE] = "size",    [WORD_FOREIGN] = "foreign",
	[WORD_MACHINE] = "machine", [WORD_HUNDREDTHS] = "hundredths",
};

/* The first word of each kind that was said; NULL: none was. */
struct heard {
	const struct word *time, *count, *number, *task, *path;
};

/* A sentence while it is said. */
struct speech {
	struct buffer *to;
	const struct timeline *timeline;
	const struct word *word; /* the next one */
	uint64_t count;          /* by which {one|many} is chosen */
	unsigned depth;          /* of clauses */
	bool is_mute;            /* the clause will be dropped */
	struct heard heard;
};

struct word word_of_text(const char *text)
{
	return (struct word){.kind = text && *text ? WORD_TEXT : WORD_ABSENT, .text = text};
}

struct word word_of_foreign(const char *text)
{
	return (struct word){.kind = text ? WORD_FOREIGN : WORD_ABSENT, .text = text};
}

struct word word_of_track(uint32_t track)
{
	return (struct word){.kind = track == TRACK_NONE ? WORD_ABSENT : WORD_TASK, .id = track};
}

static void ranked_say(struct buffer *to, const struct timeline *timeline, const struct word *word)
{
	prose_task_append(to, timeline, word->id);
	buffer_puts(to, " (");
	if (word->priority == PRIORITY_UNKNOWN)
		priority_append(to, track_rank(&timeline->track[word->id], timeline->end).own);
	else
		priority_append(to, word->priority);
	buffer_putc(to, ')');
}

static void lent_say(struct buffer *to, const struct timeline *timeline, const struct word *word)
{
	prose_task_append(to, timeline, word->id);
	buffer_puts(to, " (");
	priority_append(to, word->rank->own);
	buffer_puts(to, ", lent ");
	priority_append(to, word->rank->priority);
	if (word->rank->lender != TRACK_NONE) {
		buffer_puts(to, " by ");
		prose_task_append(to, timeline, word->rank->lender);
		buffer_puts(to, ", which waits for its lock");
	}
	buffer_putc(to, ')');
}

static void path_say(struct buffer *to, const struct timeline *timeline, const struct word *word)
{
	buffer_puts(to, "--critical-path=");
	prose_tid_append(to, timeline, word->id);
	buffer_printf(to, " --from %s --to %s", INSTANT_TEXT(word->time - timeline->begin),
	              INSTANT_TEXT(word->end - timeline->begin + 999));
}

static void word_say(struct buffer *to, const struct timeline *timeline, const struct word *word)
{
	switch (word->kind) {
	case WORD_END:
	case WORD_ABSENT:
	case WORD_IF:
	case WORD_MANY:
	case WORD_KIND_COUNT:
		return;
	case WORD_TEXT:
		buffer_puts(to, word->text);
		return;
	case WORD_TASK:
		if (word->task)
			task_text_append(to, word->task);
		else
			prose_task_append(to, timeline, word->id);
		return;
	case WORD_RANKED:
		ranked_say(to, timeline, word);
		return;
	case WORD_LENT:
		lent_say(to, timeline, word);
		return;
	case WORD_NAME:
		prose_name_append(to, timeline, word->id);
		return;
	case WORD_FOREIGN:
		buffer_puts_clean(to, word->text, strlen(word->text));
		return;
	case WORD_CPU:
		prose_cpu_append(to, timeline, word->id);
		return;
	case WORD_MACHINE:
		prose_machine_append(to, timeline, word->id);
		return;
	case WORD_DEVICE:
		buffer_puts(to, TIMELINE_DEVICE_TEXT(timeline, word->id));
		return;
	case WORD_CAUSE:
		cause_text_append(to, word->cause);
		return;
	case WORD_TIME:
		buffer_puts(to, DURATION_TEXT(word->time));
		return;
	case WORD_SECONDS:
		buffer_puts(to, INSTANT_TEXT(word->time - timeline->begin));
		return;
	case WORD_INSTANT:
		buffer_puts(to, INSTANT_OF(word->form, word->time));
		return;
	case WORD_PATH:
		path_say(to, timeline, word);
		return;
	case WORD_COUNT:
		buffer_puts(to, COUNT_TEXT(word->count));
		return;
	case WORD_NUMBER:
		buffer_put_u64(to, word->count);
		return;
	case WORD_DECIMAL:
		buffer_printf(to, "%.1f", word->number);
		return;
	case WORD_HUNDREDTHS:
		buffer_printf(to, "%.2f", word->number);
		return;
	case WORD_SHARE:
		buffer_printf(to, "%.0f %%", 100 * word->number);
		return;
	case WORD_RATIO:
		buffer_puts(to, RATIO_TEXT(word->number));
		return;
	case WORD_SIZE:
		buffer_puts(to, SIZE_TEXT(word->count));
		return;
	}
}

/* Where a word of that kind is kept; NULL: nowhere. */
static const struct word **heard_place(struct heard *heard, enum word_kind kind)
{
	if (kind == WORD_TIME)
		return &heard->time;
	if (kind == WORD_COUNT || kind == WORD_NUMBER)
		return &heard->count;
	if (kind == WORD_SHARE || kind == WORD_RATIO || kind == WORD_DECIMAL)
		return &heard->number;
	if (kind == WORD_TASK || kind == WORD_RANKED || kind == WORD_LENT)
		return &heard->task;
	return kind == WORD_PATH ? &heard->path : NULL;
}

static void word_hear(struct heard *heard, const struct word *word)
{
	const struct word **place = heard_place(heard, word->kind);

	if (place && !*place)
		*place = word;
}

/* Says the next word, which has the name of `length` bytes in the sentence. Returns false if it is
   absent. */
static bool next_say(struct speech *speech, const char *name, size_t length)
{
	const struct word *word = speech->word;

	assert(word->kind != WORD_END);
	assert(word->kind == WORD_ABSENT || (strlen(names[word->kind]) == length &&
					     memcmp(names[word->kind], name, length) == 0));
	(void)name;
	(void)length;
	speech->word++;
	if (word->kind == WORD_COUNT || word->kind == WORD_NUMBER || word->kind == WORD_MANY)
		speech->count = word->count;
	if (!speech->is_mute) {
		word_hear(&speech->heard, word);
		word_say(speech->to, speech->timeline, word);
	}
	speech->is_mute |= speech->depth && word->kind == WORD_ABSENT;
	return word->kind != WORD_ABSENT;
}

/* Says what stands in braces, from `at` on, and sets *is_whole to false if it is absent. Returns
   what follows. */
static const char *braces_say(struct speech *speech, const char *at, bool *is_whole)
{
	const char *end = strchr(at, '}'), *bar;

	assert(end);
	bar = memchr(at, '|', (size_t)(end - at));
	if (*at == ',')
		buffer_puts(speech->to, speech->to->length ? ", " : "");
	else if (!bar)
		*is_whole &= next_say(speech, at, (size_t)(end - at));
	else if (speech->count == 1)
		buffer_append(speech->to, at, (size_t)(bar - at));
	else
		buffer_append(speech->to, bar + 1, (size_t)(end - bar - 1));
	return end + 1;
}

static const char *clauses_say(struct speech *speech, const char *at);

/* Says the text from `at` to the end of its clause. Sets *ret_is_whole to whether no word of it was
   absent, but for those of clauses in it. Returns the end. */
static const char *clause_say(struct speech *speech, const char *at, bool *ret_is_whole)
{
	const char *marks = speech->depth ? "{[|]" : "{[";

	*ret_is_whole = true;
	while (*at && !(speech->depth && (*at == '|' || *at == ']'))) {
		size_t plain = strcspn(at, marks);

		buffer_append(speech->to, at, plain);
		at += plain;
		if (*at == '{')
			at = braces_say(speech, at + 1, ret_is_whole);
		else if (*at ==
			 '[') /* NOLINTNEXTLINE(misc-no-recursion): a literal nests as deep */
			at = clauses_say(speech, at + 1);
	}
	return at;
}

/* Says the first whole one of the clauses from `at` on, up to the closing bracket. Returns what
   follows. */
static const char *clauses_say(struct speech *speech, const char *at) /* NOLINT: recursion */
{
	bool is_said = false, is_whole, was_mute = speech->is_mute;

	speech->depth++;
	do {
		size_t before = speech->to->length;
		struct heard heard = speech->heard;

		speech->is_mute = was_mute || is_said;
		at = clause_say(speech, at, &is_whole);
		assert(*at);
		if (is_said || !is_whole) {
			buffer_truncate(speech->to, before);
			speech->heard = heard;
		}
		is_said |= is_whole;
	} while (*at++ == '|');
	speech->depth--;
	speech->is_mute = was_mute;
	return at;
}

static struct heard speak(struct buffer *to, const struct timeline *timeline, const char *sentence,
                          const struct word *words)
{
	struct speech speech = {.to = to, .timeline = timeline, .word = words};
	bool is_whole;

	sentence = clause_say(&speech, sentence, &is_whole);
	assert(!*sentence && speech.word->kind == WORD_END);
	(void)sentence;
	return speech.heard;
}

void say_words(struct buffer *to, const struct timeline *timeline, const char *sentence,
	       const struct word *words)
{
	(void)speak(to, timeline, sentence, words);
}

void say_more(struct buffer *list, size_t count, size_t shown)
{
	say(list, NULL, "[{,}{number} more]", WHEN(count > shown, NUMBER(count - shown)));
}

/* Fills in what is not given. */
static void fact_hear(struct fact *fact, const struct timeline *timeline, const struct heard *heard)
{
	if (fact->figure == FIGURE_NONE && heard->time) {
		fact->figure = FIGURE_TIME;
		fact->time = heard->time->time;
	} else if (fact->figure == FIGURE_NONE && heard->count) {
		fact->figure = FIGURE_COUNT;
		fact->count = heard->count->count;
	} else if (fact->figure == FIGURE_NONE && heard->number) {
		fact->figure = FIGURE_NUMBER;
		fact->number = heard->number->number;
	}
	if (!fact->has_task && heard->task) {
		fact->has_task = true;
		fact->task = heard->task->kind == WORD_TASK && heard->task->task
		                     ? *heard->task->task
		                     : timeline_task(timeline, heard->task->id, NSEC_NEVER);
	}
	if (heard->path && fact->begin == fact->end) {
		fact->begin = heard->path->time;
		fact->end = heard->path->end;
	}
}

void say_words_to(const struct output *to, const struct timeline *timeline, const char *sentence,
		  const struct word *words, struct fact fact)
{
	_cleanup_(buffer_release) struct buffer line = {0}, path = {0};
	struct heard heard = speak(&line, timeline, sentence, words);

	fact_hear(&fact, timeline, &heard);
	if (heard.path && !fact.next) {
		path_say(&path, timeline, heard.path);
		fact.next = path.text;
	}
	prose_put_fact(to, line.text, &fact);
}
