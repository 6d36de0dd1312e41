/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sentence of a view says, for those who take only a few sentences of a report (ftwait
 * explain): a view knows what matters, so it decides that where it says the sentence.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "nsec.h"
#include "task.h"

/* What a sentence is among the others of its view, least first. */
enum fact_rank {
	FACT_ASIDE,  /* about the report: a hint, a remark, a list of options */
	FACT_DETAIL,
	FACT_REASON, /* something that holds tasks up, or what would help */
	FACT_CHAIN,  /* who waited for whom, of the answer before it */
	FACT_CAUSE,  /* why what the answer before it says is so */
	FACT_ANSWER, /* what a reader wants to know first */
};

enum fact_doubt {
	FACT_SEEN,     /* it follows from events */
	FACT_INFERRED, /* a part that is worth a word does not */
	FACT_GUESSED,
};

enum fact_figure {
	FIGURE_NONE,
	FIGURE_TIME,
	FIGURE_COUNT,
	FIGURE_NUMBER, /* a part of 1, or another number */
};

/* All is valid while the sentence is passed. */
struct fact {
	enum fact_rank rank;
	enum fact_doubt doubt;
	/* The options of report that show what is behind it: "--lock"; NULL: those that showed the
	   sentence. */
	const char *next;
	/* The first figure of the sentence: a time if it has one, else a count, else a part. */
	enum fact_figure figure;
	union {
		nsec_t time;
		uint64_t count;
		double number;
	};
	const char *view; /* that says it, where it is about time of one kind: its evidence is of
	                     that kind; NULL: any */
	/* What most of the time is that it is about, as parts of a path have it (part_state_name(),
	   cause_kind_name()); NULL: any. Its evidence is of that. */
	const char *part, *kind;
	const char *comm; /* of the tasks that had that time; NULL: any */
	bool has_task; /* the first task that the sentence names */
	struct task task;
	nsec_t begin, end; /* the stretch that it is about; both 0: not known */
	/* The stretch that gives the evidence of a sentence that sums up several, and its task:
	   the longest wait in it, without `view`; else, or if the task did not wait, the longest
	   part that the sentence is about. begin == end: there is none. */
	struct {
		struct task task;
		nsec_t begin, end;
	} proof;
};

/* Whether options of report that show what is behind something leave it open in which window, and
   of which tasks: then those that were asked for are meant. */
static inline bool link_has_window(const char *options)
{
	return strstr(options, "--from ") || strstr(options, "--to ") || strstr(options, "--at ");
}

static inline bool link_has_tasks(const char *options)
{
	return strstr(options, "--tid ") || strstr(options, "--comm ") ||
	       strstr(options, "--pid ") || strstr(options, "--cgroup ") ||
	       strstr(options, "--critical-path=");
}
