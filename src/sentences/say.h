/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sentence is one call: its words stand together in the source, and can be searched for there.
 *
 *	say(&line, timeline, "{task} answered {count} request{|s}[, {count} of them late]",
 *	    TASK(track), COUNT(all), WHEN(late, COUNT(late)));
 *
 *	sh[17] answered 3 requests, 1 of them late
 *
 * In a sentence stand:
 *
 *	{task}          a word of that kind: the next argument, TASK(). Argument and placeholder
 *	                must agree: tests/lint/sentences.sh compares them in the source, and say()
 *	                asserts it
 *	{one|many}      a text by the latest {count}, {number} or {many} before it: "request{|s}"
 *	{,}             ", ", unless the buffer is empty: for elements of lists
 *	[a|b|c]         the first of these clauses of which no word is absent. If each has an absent
 *	                word: nothing. The words of the others are passed over, and what follows the
 *	                absent word of a clause need not be valid. Clauses may contain clauses.
 *	                Outside of clauses a bar is one
 *
 * All arguments are evaluated, whether they are said or not: WHEN() guards a pointer that may be
 * NULL.
 *
 * Names of programs, which may be hostile, are cleaned by the words TASK(), NAME() and FOREIGN();
 * TEXT() is for texts of our own, or cleaned ones. Nothing is allocated but the text of the buffer.
 */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/realtime.h"
#include "ftwait/report.h"
#include "graph/timeline/timeline.h"
#include "prose.h"

enum word_kind {
	WORD_END,    /* 0: of the words of a sentence */
	WORD_ABSENT, /* whatever it should be */
	WORD_IF,
	WORD_MANY,
	WORD_TEXT,
	WORD_TASK,
	WORD_RANKED,
	WORD_LENT,
	WORD_NAME,
	WORD_FOREIGN,
	WORD_CPU,
	WORD_MACHINE,
	WORD_DEVICE,
	WORD_CAUSE,
	WORD_TIME,
	WORD_SECONDS,
	WORD_INSTANT,
	WORD_PATH,
	WORD_COUNT,
	WORD_NUMBER,
	WORD_DECIMAL,
	WORD_HUNDREDTHS,
	WORD_SHARE,
	WORD_RATIO,
	WORD_SIZE,
	WORD_KIND_COUNT,
};

/* A word of a sentence; what it points to is borrowed. */
struct word {
	enum word_kind kind;
	uint32_t id;  /* a track, a name id, a CPU, a machine, or a device */
	int priority; /* of WORD_RANKED */
	union {
		nsec_t time;
		uint64_t count;
		double number;
		const char *text;
		const struct task *task; /* of WORD_TASK; NULL: it is the track `id` */
		const struct cause *cause;
		const struct rank *rank; /* of WORD_LENT */
	};
	nsec_t end;                      /* of WORD_PATH */
	const struct instant_form *form; /* of WORD_INSTANT */
};

#define ABSENT ((struct word){.kind = WORD_ABSENT})
/* The word, if the condition holds; else it is not evaluated, and absent. */
#define WHEN(is, word) ((is) ? (word) : ABSENT)
/* {if}: says nothing; absent if the condition does not hold. */
#define IF(is) ((struct word){.kind = (is) ? WORD_IF : WORD_ABSENT})
/* {many}: says nothing; {one|many} goes by it. */
#define MANY(n) ((struct word){.kind = WORD_MANY, .count = (n)})
/* A text of our own; absent if it is NULL or empty. */
#define TEXT(of) word_of_text(of)
/* "sh[17]": a track; absent if it is TRACK_NONE. */
#define TASK(track)  word_of_track(track)
#define TASK_OF(who) ((struct word){.kind = WORD_TASK, .task = (who)})
/* "hog[5] (RT 50)": a track of that priority, or of its last own one. */
#define RANKED_AT(track, p) ((struct word){.kind = WORD_RANKED, .id = (track), .priority = (p)})
#define RANKED(track)       RANKED_AT(track, PRIORITY_UNKNOWN)
/* "lo[5] (RT 1, lent RT 3 by hi[7], which waits for its lock)"; the lender may be TRACK_NONE. */
#define LENT(track, of) ((struct word){.kind = WORD_LENT, .id = (track), .rank = (of)})
/* "sh": a name id. */
#define NAME(name) ((struct word){.kind = WORD_NAME, .id = (name)})
/* Any other text that is not our own, as a path: cleaned; absent if it is NULL. */
#define FOREIGN(of) word_of_foreign(of)
/* "3", with several machines "db:3" */
#define CPU(number) ((struct word){.kind = WORD_CPU, .id = (number)})
/* "db:", to precede what only has a name on its machine; nothing where there is one machine. */
#define MACHINE(number) ((struct word){.kind = WORD_MACHINE, .id = (number)})
/* "vda", "254,0" */
#define DEVICE(dev) ((struct word){.kind = WORD_DEVICE, .id = (dev)})
/* "disk 254,0 (read 4.0 KiB)" */
#define CAUSE(of) ((struct word){.kind = WORD_CAUSE, .cause = (of)})
/* "3.011 ms" */
#define TIME(ns) ((struct word){.kind = WORD_TIME, .time = (ns)})
/* "12.345678": since the trace began. */
#define SECONDS(instant) ((struct word){.kind = WORD_SECONDS, .time = (instant)})
/* The same, or a time of day, as the user likes it. */
#define INSTANT(as, t) ((struct word){.kind = WORD_INSTANT, .form = (as), .time = (t)})
/* "--critical-path=17 --from 0.000115 --to 0.000950": the options that show the path of a stretch
   of the task, whose instants are rounded outwards to microseconds. */
#define PATH(track, from, to)                                                                      \
	((struct word){.kind = WORD_PATH, .id = (track), .time = (from), .end = (to)})
/* "1,234,567" and "1234567" */
#define COUNT(n)  ((struct word){.kind = WORD_COUNT, .count = (n)})
#define NUMBER(n) ((struct word){.kind = WORD_NUMBER, .count = (n)})
/* "7.1" and "7.12" */
#define DECIMAL(x)    ((struct word){.kind = WORD_DECIMAL, .number = (x)})
#define HUNDREDTHS(x) ((struct word){.kind = WORD_HUNDREDTHS, .number = (x)})
/* "98 %" and "97.5 %", of a part of 1. */
#define SHARE(part) ((struct word){.kind = WORD_SHARE, .number = (part)})
#define RATIO(part) ((struct word){.kind = WORD_RATIO, .number = (part)})
/* "1.5 KiB" */
#define SIZE(bytes) ((struct word){.kind = WORD_SIZE, .count = (bytes)})

struct word word_of_text(const char *text);
struct word word_of_foreign(const char *text);
struct word word_of_track(uint32_t track);

/* More than any sentence has. */
#define WORDS_MAX 32
/* The words of one sentence, behind one that is not said: so there may be none. What is not given
   is WORD_END. */
#define WORDS(...) ((const struct word[WORDS_MAX + 2]){ABSENT, __VA_ARGS__} + 1)
/* Appends the sentence, or a part of one. The timeline may be NULL if no word is a track, a name,
   or the like. */
#define say(buffer, timeline, sentence, ...)                                                       \
	say_words((buffer), (timeline), (sentence), WORDS(__VA_ARGS__))
/* Puts the sentence as a line of its own, a detail among others. */
#define say_to(output, timeline, sentence, ...)                                                    \
	say_words_to((output), (timeline), (sentence), WORDS(__VA_ARGS__),                         \
		     (struct fact){.rank = FACT_DETAIL})
/* The same as what FACT(FACT_REASON, .next = "--lock") says it is. Figure, task, stretch and
   options that are not given are those of the words: of the first that is said of each kind. */
#define FACT(...) ((struct fact){.rank = __VA_ARGS__})
#define say_fact(output, timeline, of, sentence, ...)                                              \
	say_words_to((output), (timeline), (sentence), WORDS(__VA_ARGS__), (of))

/* ", 2 more": ends a list that shows that many of its elements; nothing if these are all. */
void say_more(struct buffer *list, size_t count, size_t shown);
void say_words(struct buffer *to, const struct timeline *timeline, const char *sentence,
	       const struct word *words);
void say_words_to(const struct output *to, const struct timeline *timeline, const char *sentence,
		  const struct word *words, struct fact fact);
