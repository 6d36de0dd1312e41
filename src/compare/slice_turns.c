/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slice_turns.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/data/map.h"
#include "base/xalloc.h"
#include "words/atrace_mark.h"

/* The open slices of a thread. */
struct slice_stack {
	uint32_t depth; /* may exceed SLICE_DEPTH_MAX: deeper slices are counted only */
	struct {
		nsec_t begin;
		bool is_asked; /* its name matches, and its thread is asked for */
	} open[SLICE_DEPTH_MAX];
};

/* An open slice that may end in another thread. */
struct open_slice {
	struct atrace_mark mark;
	struct turn turn; /* without its end */
	bool is_asked;
};

struct slice_search {
	const struct mark_list *list;
	const char *name;
	void (*add)(void *to, const struct turn *turn);
	void *to;
	struct map stack_by_track;
	struct slice_stack *stack;
	size_t stack_count, stack_capacity;
	struct open_slice *open;
	size_t open_count, open_capacity;
};

static bool name_fits(const struct slice_search *search, struct text text)
{
	char *name = xstrndup(text.at, text.length);
	bool fits = strncmp(name, search->name, strlen(search->name)) == 0 ||
	            fnmatch(search->name, name, 0) == 0;

	free(name);
	return fits;
}

static bool slice_is_asked(const struct slice_search *search, const struct mark *mark,
                           const struct atrace_mark *parsed)
{
	return mark_list_asks(search->list, mark) && name_fits(search, parsed->name);
}

static struct slice_stack *stack_of(struct slice_search *search, uint32_t track)
{
	uint32_t index = map_get(&search->stack_by_track, track);

	if (index == MAP_NONE) {
		index = (uint32_t)search->stack_count;
		map_put(&search->stack_by_track, track, index);
		ARRAY_GROW(search->stack, search->stack_count, search->stack_capacity);
		search->stack[search->stack_count++].depth = 0;
	}
	return &search->stack[index];
}

static void slice_begin(struct slice_search *search, const struct mark *mark,
                        const struct atrace_mark *parsed)
{
	struct slice_stack *stack = stack_of(search, mark->track);

	if (stack->depth < SLICE_DEPTH_MAX) {
		stack->open[stack->depth].begin = mark->at;
		stack->open[stack->depth].is_asked = slice_is_asked(search, mark, parsed);
	}
	stack->depth++;
}

/* An end without a begin belongs to a slice that began before the recording. */
static void slice_end(struct slice_search *search, const struct mark *mark)
{
	struct slice_stack *stack = stack_of(search, mark->track);

	if (stack->depth == 0 || --stack->depth >= SLICE_DEPTH_MAX)
		return;
	if (stack->open[stack->depth].is_asked && mark_list_asks(search->list, mark))
		search->add(search->to, &(struct turn){mark->track, stack->open[stack->depth].begin,
		                                       mark->at});
}

static bool texts_are_equal(struct text a, struct text b)
{
	return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

static struct open_slice *slice_find(struct slice_search *search, const struct atrace_mark *mark)
{
	for (size_t i = search->open_count; i-- > 0;) {
		struct open_slice *open = &search->open[i];

		if (open->mark.tgid == mark->tgid && texts_are_equal(open->mark.name, mark->name) &&
		    texts_are_equal(open->mark.cookie, mark->cookie))
			return open;
	}
	return NULL;
}

static void slice_begin_loose(struct slice_search *search, const struct mark *mark,
                              const struct atrace_mark *parsed)
{
	if (search->open_count == SLICES_OPEN_MAX || !name_fits(search, parsed->name))
		return;
	ARRAY_GROW(search->open, search->open_count, search->open_capacity);
	search->open[search->open_count++] = (struct open_slice){
		.mark = *parsed,
		.turn = {mark->track, mark->at, 0},
		.is_asked = mark_list_asks(search->list, mark),
	};
}

static void slice_end_loose(struct slice_search *search, const struct mark *mark,
                            const struct atrace_mark *parsed)
{
	struct open_slice *open = slice_find(search, parsed);

	if (!open)
		return;
	open->turn.end = mark->at;
	if (open->is_asked && question_contains(search->list->question, mark->at))
		search->add(search->to, &open->turn);
	*open = search->open[--search->open_count];
}

static void search_take(struct slice_search *search, const struct mark *mark)
{
	const char *text = intern_text(&search->list->texts, mark->text);
	struct atrace_mark parsed;

	if (mark->track == TRACK_NONE ||
	    !atrace_mark_parse((struct text){text, (uint32_t)strlen(text)}, &parsed))
		return;
	if (parsed.kind == 'B')
		slice_begin(search, mark, &parsed);
	else if (parsed.kind == 'E')
		slice_end(search, mark);
	else if (parsed.kind == 'S')
		slice_begin_loose(search, mark, &parsed);
	else if (parsed.kind == 'F')
		slice_end_loose(search, mark, &parsed);
}

void slice_turns_find(const struct mark_list *list, const char *name,
                      void (*add)(void *to, const struct turn *turn), void *to)
{
	struct slice_search search = {.list = list, .name = name, .add = add, .to = to};

	map_init(&search.stack_by_track);
	for (size_t i = 0; i < list->count; i++)
		search_take(&search, &list->mark[i]);
	map_release(&search.stack_by_track);
	free(search.stack);
	free(search.open);
}
