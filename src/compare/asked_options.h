/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that ask for the same tasks again, for commands that are shown. */
#pragma once

#include "analysis/analysis.h"

/* Appends " --all", " -p 12,13", " --comm 'svc*'", " --cgroup /a": those that were given, quoted
   for a shell. */
void asked_options_append(struct buffer *to, const struct asked *asked);
