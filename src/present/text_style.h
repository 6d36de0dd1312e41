/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The styles of text. Styles are escape sequences, or empty if no colour is wanted. Tree lines and
   the mark of a cut are in UTF-8 if the locale has it, else in ASCII. */
#pragma once

#include "ftwait/report.h"

struct text_style {
	const char *title, *faint, *warning, *plain; /* plain ends the other styles */
	const char *branch, *last_branch, *trunk, *no_trunk; /* tree lines, all of one width */
	const char *ellipsis;
};

struct text_style text_style_of(const struct presenter_options *options);
