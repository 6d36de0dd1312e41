/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The styles of text: escape sequences if colour is wanted, else empty; tree lines and the mark of
 * a cut in UTF-8 if the locale has it, else in ASCII.
 */
#pragma once

#include "ftwait/report.h"

struct text_style {
	const char *title, *faint, *warning, *plain; /* plain ends the others */
	const char *branch, *last_branch, *trunk, *no_trunk; /* tree lines, all of one width */
	const char *ellipsis;
};

struct text_style text_style_of(const struct presenter_options *options);
