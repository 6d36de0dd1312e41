/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of the asked tasks that were unanswered while the path of the one task led elsewhere;
   see summary_answers.c. */
#pragma once

#include "explanation.h"

struct summary_answers;

struct summary_answers *summary_answers_new(const struct question *question);
void summary_answers_free(struct summary_answers *answers);
void summary_answers_add(struct summary_answers *answers, const struct interval *interval);
/* Call once the question is resolved. */
void summary_answers_resolve(struct summary_answers *answers);
/* Prints the client whose requests were unanswered longest, if that is long and not on the path;
   returns whether it has printed. */
bool summary_answers_report(const struct summary_answers *answers,
                            const struct explanation *explanation, const struct output *to);
