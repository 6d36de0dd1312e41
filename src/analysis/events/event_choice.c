/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_choice.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/suggest.h"
#include "base/xalloc.h"
#include "sentences/say.h"

#define NAME_BYTES_MAX 256

void event_choice_init(struct event_choice *choice, const char *name, const char *first,
                       const char *second)
{
	*choice = (struct event_choice){.name = name, .field = {first, second}};
	tally_init(&choice->formats, sizeof(*choice->format), sizeof(uint64_t), TALLY_NO_LIMIT);
}

void event_choice_release(struct event_choice *choice)
{
	tally_release(&choice->formats);
}

/* `name`: "system:event" */
static bool name_is_meant(const struct event_choice *choice, const char *name)
{
	const char *colon = strchr(name, ':');

	return fnmatch(choice->name, name, 0) == 0 ||
	       (colon && fnmatch(choice->name, colon + 1, 0) == 0);
}

static void format_choose(const struct event_choice *choice, const struct raw_format *format,
                          struct chosen_format *ret)
{
	char name[NAME_BYTES_MAX];

	(void)snprintf(name, sizeof(name), "%s:%s", format->system, format->name);
	ret->is_meant = name_is_meant(choice, name);
	for (size_t i = 0; i < CHOICE_FIELDS && ret->is_meant; i++)
		if (choice->field[i])
			ret->field[i] = event_format_find(&format->format, choice->field[i]);
}

const struct chosen_format *event_choice_find(struct event_choice *choice,
                                              const struct raw_event *event)
{
	uint64_t key = (uintptr_t)event->format;
	struct chosen_format *chosen = tally_get(&choice->formats, key);

	if (!event->format)
		return NULL;
	if (!chosen) {
		chosen = tally_of(&choice->formats, key);
		format_choose(choice, event->format, chosen);
	}
	return chosen->is_meant ? chosen : NULL;
}

/* Names that a user may have meant; owned. */
struct names {
	char **name;
	size_t count, capacity;
};

static void names_release(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->name[i]);
	free(names->name);
}

/* Passes each format that the recording describes, of all machines, until one is taken. Returns
   whether one was. */
static bool each_format(const struct asked_events *events,
                        bool (*take)(void *state, const char *name, const struct format_text *text),
                        void *state)
{
	uint32_t hosts = events->question->timeline->hosts.count;

	for (uint32_t host = 0; host < (hosts ? hosts : 1); host++) {
		const struct source *source = raw_reading_source(events->reading, host);

		EACH_OF(source->formats, source->format_count, const struct format_text, text) {
			char name[NAME_BYTES_MAX];
			struct text own;
			uint32_t id;

			if (event_format_parse_head(text->text, text->length, &own, &id) < 0)
				continue;
			(void)snprintf(name, sizeof(name), "%s:%.*s", text->system,
			               (int)own.length, own.at);
			if (take(state, name, text))
				return true;
		}
	}
	return false;
}

struct search {
	const struct event_choice *choice;
	struct names events; /* all that are described */
	struct names fields; /* of one that is meant */
	char *meant;         /* its name */
	const char *lacking; /* the field that it does not have */
};

static void fields_note(struct search *search, const char *name, const struct event_format *format,
                        const char *lacking)
{
	if (search->meant)
		return;
	search->meant = xstrdup(name);
	search->lacking = lacking;
	EACH_OF(format->field, format->field_count, const struct event_field, field)
		if (!raw_field_is_common(field))
			ARRAY_ADD(search->fields.name, search->fields.count,
			          search->fields.capacity) =
				xstrndup(field->name.at, field->name.length);
}

static bool search_take(void *state, const char *name, const struct format_text *text)
{
	struct search *search = state;
	_cleanup_(freep) struct event_format *format = NULL;

	if (!name_is_meant(search->choice, name)) {
		ARRAY_ADD(search->events.name, search->events.count, search->events.capacity) =
			xstrdup(strchr(search->choice->name, ':') ? name : strchr(name, ':') + 1);
		return false;
	}
	format = xcalloc(1, sizeof(*format));
	if (event_format_parse(text->text, text->length, format) < 0)
		return false;
	for (size_t i = 0; i < CHOICE_FIELDS; i++) {
		const char *field = search->choice->field[i];

		if (field && !event_format_find(format, field)) {
			fields_note(search, name, format, field);
			return false;
		}
	}
	return true;
}

static const char *names_suggest(const struct names *names, const char *word)
{
	return suggest(word, (const char *const *)names->name, names->count);
}

static void explain_field(const struct search *search, struct buffer *why)
{
	_cleanup_(buffer_release) struct buffer has = buffer_of(BUFFER_LIMIT_DEFAULT);
	const char *near = names_suggest(&search->fields, search->lacking);

	for (size_t i = 0; i < search->fields.count && !near; i++)
		say(&has, NULL, "{,}{foreign}", FOREIGN(search->fields.name[i]));
	say(why, NULL,
	    "{foreign} has no field \"{foreign}\"; [did you mean \"{foreign}\"?|it has "
	    "{text}|it has none]",
	    FOREIGN(search->meant), FOREIGN(search->lacking), FOREIGN(near), TEXT(has.text));
}

bool event_choice_exists(const struct event_choice *choice, const struct asked_events *events,
                         struct buffer *why)
{
	struct search search = {.choice = choice};
	/* of a recording without any event, too */
	bool is_any = strcmp(choice->name, "*") == 0 && !choice->field[0] && !choice->field[1];
	bool exists = is_any || each_format(events, search_take, &search);
	const char *near = exists ? NULL : names_suggest(&search.events, choice->name);

	if (!exists && search.meant)
		explain_field(&search, why);
	if (!exists && !search.meant) {
		say(why, NULL,
		    "no event \"{foreign}\" is recorded[; did you mean \"{foreign}\"?]",
		    FOREIGN(choice->name), FOREIGN(near));
		(void)record_hint_append(why, near ? " Else record it: " : "; to record it: ",
		                         &events->question->resolved->recorded, choice->name,
		                         /* stacks= */ false, "");
	}
	names_release(&search.events);
	names_release(&search.fields);
	free(search.meant);
	return exists;
}
