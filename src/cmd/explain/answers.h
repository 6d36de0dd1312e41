/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few sentences of a report that answer a question. A presenter of its own takes the sentences
 * of the views with their facts (ftwait/fact.h), and of views that have hardly any the first rows;
 * when the report ends it chooses among them, and writes at most ANSWERS_MAX as text or JSON. It
 * decides nothing about the recording: each sentence is one that the view prints.
 */
#pragma once

#include "cmd/options/report_options.h"
#include "ftwait/report.h"

#define ANSWERS_MAX 5
/* About 2,000 tokens, at 3.5 bytes each. */
#define ANSWERS_BYTES_MAX 7000

/* What the presenter gets as presenter_options.own. */
struct explaining {
	const char *question;   /* as given; NULL: none */
	const char *view;       /* name of the view that was asked for */
	bool is_json;
	const struct report_options *options; /* the filters that a further command needs */
	bool is_unanswered;     /* set: it has no task that is asked for, so nothing was written */
};

extern const struct presenter answer_presenter;

/* The views that are asked beside the summary: it says which of them knows more of its first
   answer. NULL-ended. */
extern const char *const answer_views[];
