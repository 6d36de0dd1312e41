/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample_paths.h"

#include <assert.h>
#include <string.h>

static enum path_frame_kind kind_take(char **text)
{
	static const char letters[] = {
		[SHOWN_TASK] = 't', [SHOWN_CAUSE] = 'c', [SHOWN_KERNEL] = 'k',
		[SHOWN_USER] = 'u', [SHOWN_MARK] = 'm',
	};
	const char *letter;

	if ((*text)[0] == '\0' || (*text)[1] != ':')
		return SHOWN_TASK;
	letter = memchr(letters, (*text)[0], sizeof(letters));
	assert(letter);
	*text += 2;
	return (enum path_frame_kind)(letter - letters);
}

struct path sample_path(struct sample_path *to, char *text, size_t size, const char *notation,
                        nsec_t total, uint64_t count)
{
	size_t frames = 0;
	char *rest = text, *piece;

	assert(strlen(notation) < size);
	memcpy(text, notation, strlen(notation) + 1);
	while ((piece = strsep(&rest, ";"))) {
		assert(frames < SAMPLE_PATH_FRAMES);
		to->frame[frames].kind = kind_take(&piece);
		to->frame[frames++].text = piece;
	}
	return (struct path){to->frame, frames, {.total = total, .count = count}};
}
