/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why runs may differ for another reason than what is compared, in words. */
#pragma once

#include "run_account.h"
#include "ftwait/report.h"

struct doubts {
	char **text; /* phrases, printable UTF-8; owned */
	size_t count, capacity;
};

/* All zero: none. */
void doubts_add(struct doubts *doubts, const char *text);
/* Adds doubts about single runs: events were lost, too little is explained ... */
void doubts_add_unfit(struct doubts *doubts, const struct diff_side *side);
/* Adds doubts about runs of the side that are one and the same recording as another run, of that or
   the other side: they prove nothing. `other` may be NULL. */
void doubts_add_repeated(struct doubts *doubts, const struct diff_side *side,
                         const struct diff_side *other);
/* Adds doubts about runs that were not made alike: other events, another kernel, another machine,
   another program than the first run of the first side. Both sides have runs; `more` may be
   NULL. */
void doubts_add_odd(struct doubts *doubts, const struct intern *names,
                    const struct diff_side *first, const struct diff_side *more);
/* Prints them, each after the word `before`; on a screen only the first ones. */
void doubts_print(const struct doubts *doubts, const char *before, const struct output *to);
/* Puts them as a list of data, which text does not show. */
void doubts_field(const struct doubts *doubts, const char *key, const struct output *to);
void doubts_release(struct doubts *doubts);
