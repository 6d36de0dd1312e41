/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A judgement as a section of a report: whether the rules are kept in a sentence, what broke the
   others, the table of all. */
#pragma once

#include "ftwait/report.h"
#include "judgement.h"

void check_report(const struct judgement *judgement, const struct output *to);
/* "173.8 ms", "118", "20.0 %": a value or limit of the rule. */
void rule_value_append(struct buffer *to, const struct rule *rule, double value);
/* "it is 118, 18 % over the limit (median of 10 runs)"; the rule must be broken. */
void broken_rule_append(struct buffer *to, const struct judged_rule *judged);
/* "svc[12] in b.dat, 4.2 ms at 1.234567: svc waited 4.1 ms (98 %) for disk vda"; appends nothing if
   no case speaks against the rule. */
void worst_case_append(struct buffer *to, const struct judged_rule *judged);
