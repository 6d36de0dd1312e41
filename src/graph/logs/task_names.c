/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_names.h"

#include <assert.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/text/utf8.h"
#include "base/xalloc.h"
#include "words/command_line.h"

size_t name_stem(const char *name)
{
	size_t length = strlen(name), stem = length;

	while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
		stem--;
	return stem < length ? stem : 0;
}

void name_folds_init(struct name_folds *folds, struct intern *names)
{
	*folds = (struct name_folds){.names = names};
	tally_init(&folds->members, sizeof(*folds->member), sizeof(folds->member->name),
	           TALLY_NO_LIMIT);
	tally_init(&folds->groups, sizeof(*folds->group), sizeof(folds->group->fold),
	           TALLY_NO_LIMIT);
	map_init(&folds->folds);
}

void name_folds_release(struct name_folds *folds)
{
	tally_release(&folds->members);
	tally_release(&folds->groups);
	map_release(&folds->folds);
	*folds = (struct name_folds){0};
}

void name_folds_add(struct name_folds *folds, uint32_t name, bool is_asked)
{
	_cleanup_(buffer_release) struct buffer fold = {0};
	const char *text = intern_text(folds->names, name);
	size_t stem = name_stem(text);
	struct name_member *member;
	struct name_group *group;

	if (!stem || tally_get(&folds->members, name))
		return;
	buffer_init(&fold, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&fold, "%.*s*", (int)stem, text);
	group = tally_of(&folds->groups, intern_add(folds->names, fold.text, fold.length));
	group->count[is_asked]++;
	member = tally_of(&folds->members, name);
	member->group = tally_number(&folds->groups, group);
	member->is_asked = is_asked;
}

bool name_folds_close(struct name_folds *folds)
{
	for (size_t i = 0; i < folds->member_count; i++) {
		const struct name_member *member = &folds->member[i];
		const struct name_group *group = &folds->group[member->group];

		ASSUME(member->group < folds->group_count);
		/* with enough names that are asked for, all names of the stem fold */
		if (group->count[true] < STEM_LEAST &&
		    (member->is_asked || group->count[false] < STEM_LEAST))
			continue;
		map_put(&folds->folds, member->name, (uint32_t)group->fold);
		map_put(&folds->folds, group->fold, (uint32_t)group->fold);
	}
	return folds->folds.count > 0;
}

#define COMM_BYTES   15u /* of a task's name, at most */
#define ROOM_LEAST   8u  /* columns for what follows a long name */
#define CUT          ".."

/* A name with a command line that may have given it. */
struct program_use {
	uint32_t comm, text; /* the key: ids in the timeline's names */
	bool gives_name;
	uint32_t skip;       /* number of words that say no more than the name; 0: the first word
	                        is a title that the program has set, such as "nginx: worker" */
	uint32_t label;      /* id in the timeline's names; 0: none */
};

struct program_uses {
	struct timeline *timeline;
	TALLY(tally, struct program_use, use, count);
	struct map unnamed; /* names of recorded processes whose command line is not known: a
	                       set */
};

/* Of one name's uses: the words, and how many uses have each. */
struct word_counts {
	struct intern words;
	struct tally of; /* struct word_count, by word */
};

struct word_count {
	uint64_t word;
	uint32_t uses, last; /* last: use + 1 that was counted last */
};

static bool word_gives_name(const char *word, const char *comm)
{
	const char *slash = strrchr(word, '/'), *base = slash ? slash + 1 : word;

	base += *word == '-'; /* of a login shell */
	return *comm && strncmp(base, comm, COMM_BYTES) == 0;
}

/* "nginx: worker process" */
static bool word_is_title(const char *word, const char *comm)
{
	size_t length = strlen(comm);

	return length > 0 && strncmp(word, comm, length) == 0 &&
	       strncmp(word + length, ": ", 2) == 0;
}

/* Whether the command line gives its program that name, and by how many words. */
static bool line_gives_name(const char *line, const char *comm, uint32_t *ret_skip)
{
	_cleanup_(buffer_release) struct buffer word = buffer_of(COMMAND_LINE_TEXT_MAX);
	bool is_cut;

	for (uint32_t at = 1; at <= 2 && command_line_next(&line, &word, &is_cut); at++) {
		*ret_skip = 0;
		if (at == 1 && word_is_title(word.text, comm))
			return true;
		*ret_skip = at;
		/* the kernel puts the interpreter before a script, whose name the task has */
		if (word_gives_name(word.text, comm))
			return true;
	}
	return false;
}

static void uses_add(struct program_uses *uses, const struct track *track, uint32_t text)
{
	const struct intern *names = &uses->timeline->names;

	for (uint32_t i = 0; text && i < track->name_count; i++) {
		uint32_t comm = track->name[i].name;
		size_t before = uses->count;
		struct program_use *use =
			tally_row(&uses->tally, &(struct program_use){.comm = comm, .text = text});

		if (uses->count > before)
			use->gives_name = line_gives_name(intern_text(names, text),
			                                  intern_text(names, comm), &use->skip);
	}
}

static void uses_collect(struct program_uses *uses)
{
	const struct timeline *timeline = uses->timeline;
	const struct program_log *log = &timeline->programs;

	for (uint32_t i = 0; i < timeline->track_count; i++) {
		const struct track *track = &timeline->track[i];
		const struct stay *stay = stay_log_at(&log->stays, i, NSEC_NEVER);

		if (track->is_target && timeline_program_at(timeline, i, NSEC_NEVER) == 0 &&
		    (track->tgid < 0 || track->tgid == track->tid))
			map_put(&uses->unnamed, track_name(track), 0);
		for (; stay; stay = stay_log_before(&log->stays, stay))
			uses_add(uses, track, stay->text);
		if (track->born == NSEC_NEVER)
			uses_add(uses, track, program_log_older(log, track_process_id(track)));
	}
}

static struct word_count *count_of(struct word_counts *counts, const struct buffer *word)
{
	return tally_of(&counts->of, intern_add(&counts->words, word->text, word->length));
}

static bool comm_is_interpreter(const char *comm)
{
	static const char *const names[] = {
		"python", "perl", "ruby", "node", "php", "lua", "tclsh", "Rscript", "java",
		"sh", "bash", "dash", "zsh", "ksh", "ash", "fish",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t length = strlen(names[i]);

		/* with a version, as python3.11 has */
		if (strncmp(comm, names[i], length) == 0 &&
		    comm[length + strspn(comm + length, "0123456789.")] == '\0')
			return true;
	}
	return false;
}

#define BLANKS " \t\n"

/* Appends the word shortly: of a path the last `parts` parts. */
static void word_shorten(struct buffer *to, const char *word, unsigned parts)
{
	const char *at = word, *end = word + strlen(word);
	bool is_path = word[strcspn(word, BLANKS)] == '\0';

	while (is_path && end - word > 1 && end[-1] == '/')
		end--;
	for (const char *slash = end - 1; is_path && slash > word && at == word; slash--)
		if (*slash == '/' && --parts == 0)
			at = slash + 1;
	while (at < end) {
		size_t length = strcspn(at, BLANKS);

		if (length > (size_t)(end - at))
			length = (size_t)(end - at);
		buffer_puts_clean(to, at, length);
		at += length;
		if (at < end && to->length)
			buffer_putc(to, ' ');
		at += at < end ? strspn(at, BLANKS) : 0;
	}
}

/* Words of a command line that may be its label. */
struct label_words {
	struct buffer first;  /* the first argument that is no option, nor the output of -o */
	struct buffer own;    /* the first such one that not all uses have; empty: none */
	bool has_gap;         /* words are left out before `own` */
};

static void label_words_find(const struct program_use *use, const char *line, size_t uses,
                             struct word_counts *counts, struct label_words *ret)
{
	_cleanup_(buffer_release) struct buffer word = buffer_of(COMMAND_LINE_TEXT_MAX);
	bool is_cut, is_output = false;

	for (uint32_t at = 0; command_line_next(&line, &word, &is_cut); at++) {
		bool is_after_o = is_output;

		is_output = strcmp(word.text, "-o") == 0;
		ret->has_gap |= is_cut && word.length == 0;
		if (at < use->skip || word.length == 0 || word.text[0] == '-' || is_after_o)
			continue;
		if (ret->first.length == 0)
			buffer_puts(&ret->first, word.text);
		if (count_of(counts, &word)->uses < uses) {
			buffer_puts(&ret->own, word.text);
			return;
		}
	}
}

static void label_compose(const struct label_words *words, const char *comm, unsigned parts,
                          struct buffer *to)
{
	size_t used = strlen(comm) + 1;
	size_t room = used + ROOM_LEAST < PROGRAM_LABEL_COLUMNS ? PROGRAM_LABEL_COLUMNS - used
	                                                        : ROOM_LEAST;

	if (words->own.length == 0 && words->first.length > 0 && !words->has_gap) {
		word_shorten(to, words->first.text, parts);
	} else if (words->own.length > 0) {
		if (comm_is_interpreter(comm) &&
		    strcmp(words->first.text, words->own.text) != 0) {
			word_shorten(to, words->first.text, parts);
			buffer_putc(to, ' ');
			word_shorten(to, words->own.text, parts);
		}
		if (to->length == 0 || utf8_columns(to->text) > room) {
			buffer_clear(to);
			word_shorten(to, words->own.text, parts);
		}
	}
	buffer_cut_columns(to, room, CUT);
}

/* Finds the label of one of the uses of a name. */
static void use_label(struct timeline *timeline, struct program_use *use, size_t uses,
                      struct word_counts *counts, unsigned parts)
{
	_cleanup_(buffer_release) struct buffer label = buffer_of(COMMAND_LINE_TEXT_MAX);
	const char *comm = intern_text(&timeline->names, use->comm);
	const char *line = intern_text(&timeline->names, use->text);
	struct label_words words = {0};

	buffer_init(&words.first, COMMAND_LINE_TEXT_MAX);
	buffer_init(&words.own, COMMAND_LINE_TEXT_MAX);
	if (use->skip > 0) {
		label_words_find(use, line, uses, counts, &words);
	} else {
		bool is_cut;

		(void)command_line_next(&line, &words.first, &is_cut);
		buffer_puts(&words.own, words.first.text + strlen(comm) + strlen(": "));
		buffer_clear(&words.first);
		buffer_puts(&words.first, words.own.text);
	}
	label_compose(&words, comm, parts, &label);
	use->label = intern_add(&timeline->names, label.text, label.length);
	buffer_release(&words.first);
	buffer_release(&words.own);
}

static void counts_fill(struct word_counts *counts, const struct timeline *timeline,
                        const struct program_use *use, size_t count)
{
	_cleanup_(buffer_release) struct buffer word = buffer_of(COMMAND_LINE_TEXT_MAX);
	bool is_cut;

	for (uint32_t i = 0; i < count; i++) {
		const char *line = intern_text(&timeline->names, use[i].text);

		while (command_line_next(&line, &word, &is_cut)) {
			struct word_count *of = count_of(counts, &word);

			of->uses += of->last != i + 1;
			of->last = i + 1;
		}
	}
}

/* The uses of one name. If several get one label, such as main.c, of paths more is shown. */
static void uses_label(struct timeline *timeline, struct program_use *use, size_t count)
{
	struct word_counts counts;
	struct map seen;

	intern_init(&counts.words);
	tally_init(&counts.of, sizeof(struct word_count), sizeof(uint64_t), TALLY_NO_LIMIT);
	map_init(&seen);
	counts_fill(&counts, timeline, use, count);
	for (size_t i = 0; i < count; i++) {
		uint32_t before;

		use_label(timeline, &use[i], count, &counts, 1);
		before = map_get(&seen, use[i].label);
		map_put(&seen, use[i].label, before == MAP_NONE ? 1 : before + 1);
	}
	for (size_t i = 0; i < count; i++) {
		if (map_get(&seen, use[i].label) > 1)
			use_label(timeline, &use[i], count, &counts, 2);
		if (use[i].label)
			program_log_set_label(&timeline->programs, use[i].comm, use[i].text,
			                      use[i].label);
	}
	map_release(&seen);
	intern_release(&counts.words);
	tally_release(&counts.of);
}

static int use_compare(const void *a, const void *b, void *state)
{
	const struct program_use *x = a, *y = b;

	(void)state;
	return ORDER_BY(FALLING(x, y, gives_name), RISING(x, y, comm), RISING(x, y, text));
}

void timeline_label_programs(struct timeline *timeline)
{
	struct program_uses uses = {.timeline = timeline};
	size_t count = 0;

	if (program_log_is_empty(&timeline->programs))
		return;
	tally_init(&uses.tally, sizeof(*uses.use), offsetof(struct program_use, gives_name),
	           TALLY_NO_LIMIT);
	map_init(&uses.unnamed);
	uses_collect(&uses);
	tally_sort(&uses.tally, use_compare, NULL);
	while (count < uses.count && uses.use[count].gives_name)
		count++;
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && uses.use[end].comm == uses.use[i].comm;)
			end++;
		if (end - i > 1 || map_get(&uses.unnamed, uses.use[i].comm) != MAP_NONE)
			uses_label(timeline, &uses.use[i], end - i);
	}
	map_release(&uses.unnamed);
	tally_release(&uses.tally);
}

/* How much longer, at least, a task is active under a name by which it is called although it has
   another one later, and how long at least. */
#define MAIN_NAME_TIMES 4
#define MAIN_NAME_NS    5000000

static uint32_t track_find_main_name(const struct track *track)
{
	uint32_t last = track->name_count - 1, name = 0;
	nsec_t end = nsec_min(track->name[last].active, track->active);

	assert(track->name_count > 1 && end <= track->active);
	for (uint32_t i = last; i-- > 0;) {
		nsec_t begin = nsec_min(track->name[i].active, end);

		/* `track->active - end`: under all later names */
		if (end - begin >= MAIN_NAME_NS &&
		    (end - begin) / MAIN_NAME_TIMES >= track->active - end)
			name = track->name[i].name;
		end = begin;
	}
	return name;
}

void timeline_settle_names(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->track_count; i++)
		if (timeline->track[i].name_count > 1)
			timeline->track[i].main_name = track_find_main_name(&timeline->track[i]);
}
