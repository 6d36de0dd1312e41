/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The results of a check as CI systems read them. */
#pragma once

#include <stdio.h>

#include "compare/judgement.h"

/*
 * Writes JUnit's XML: a test case for each rule, and one first for whether the recordings are fit
 * to judge. A broken rule is a failure; what cannot be judged is an error, but where the recordings
 * are not fit, all rules are skipped. Format: the schema of the Jenkins xunit plugin, of which this
 * uses what all readers know (testsuite, testcase, failure, error, skipped).
 */
void junit_put(FILE *out, const struct judgement *judgement, const char *budget_path);
