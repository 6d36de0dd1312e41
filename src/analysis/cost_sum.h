/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row of what views pass to callers that compare runs: its identity, which other runs have, too,
   and its figures. Texts are borrowed from the view. */
#pragma once

#include "cost_kind.h"
#include "ftwait/aim.h"
#include "ftwait/nsec.h"

struct cost_sum {
	enum cost_kind kind;
	const char *cause; /* name of the kind of cause; NULL: none */
	const char *name;  /* of what was waited for; NULL: it has none */
	const char *task;  /* name of the tasks that spent the time; NULL or "": of none */
	const char *what;  /* what the view divides by besides: a control group, a system call, a
	                      chain; NULL: nothing */
	struct brief_aim aim; /* what the time was waited for, whatever ended the waits */
	uint64_t count;    /* how often */
	nsec_t total;
};

typedef void cost_taker(void *state, const struct cost_sum *sum);
