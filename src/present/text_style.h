/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How text is set off: escape sequences where colour is wanted, nothing otherwise; tree lines
 * and the mark of a cut in UTF-8 where the locale has it, in ASCII otherwise.
 */
#pragma once

#include "ftwait/report.h"

struct text_style {
	const char *title, *faint, *warning, *plain; /* plain ends the others */
	const char *branch, *last_branch, *trunk, *no_trunk; /* tree lines, all of one width */
	const char *ellipsis;
};

struct text_style text_style_of(const struct presenter_options *options);
