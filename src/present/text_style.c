/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_style.h"

struct text_style text_style_of(const struct presenter_options *options)
{
	struct text_style style = {
		.title = "", .faint = "", .warning = "", .plain = "",
		.branch = "|- ", .last_branch = "`- ", .trunk = "|  ", .no_trunk = "   ",
		.ellipsis = "~",
	};

	if (options->color) {
		style.title = "\033[1m";
		style.faint = "\033[2m";
		style.warning = "\033[1;31m";
		style.plain = "\033[0m";
	}
	if (options->utf8) {
		style.branch = "├─ ";
		style.last_branch = "└─ ";
		style.trunk = "│  ";
		style.ellipsis = "…";
	}
	return style;
}
