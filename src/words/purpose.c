/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "purpose.h"

const char *purpose_words(unsigned purpose)
{
	static const char *const words[PURPOSE_COUNT] = {
#define PURPOSE_WORDS(id, words_) [PURPOSE_##id] = (words_),
		PURPOSES(PURPOSE_WORDS)
#undef PURPOSE_WORDS
	};

	return purpose < PURPOSE_COUNT ? words[purpose] : NULL;
}
