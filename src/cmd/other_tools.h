/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What users of other tools type: names of tools of bcc, perf and others, and the option of
 * `ftwait report` that shows the same.
 */
#pragma once

#include "option_parser.h"

/* Ends with a name of NULL. */
extern const struct option_synonym other_tools[];
