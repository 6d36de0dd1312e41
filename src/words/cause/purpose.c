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

bool purpose_is_lock(unsigned purpose)
{
	switch (purpose) {
	case PURPOSE_MUTEX:
	case PURPOSE_RTNL:
	case PURPOSE_MMAP_LOCK:
	case PURPOSE_RWSEM:
	case PURPOSE_PERCPU_RWSEM:
	case PURPOSE_RT_MUTEX:
	case PURPOSE_RT_LOCK:
	case PURPOSE_FILE_LOCK:
	case PURPOSE_FLOCK:
	case PURPOSE_POSIX_LOCK:
		return true;
	default:
		return false;
	}
}
