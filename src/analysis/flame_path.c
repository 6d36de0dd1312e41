/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flame_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/cleanup.h"
#include "words/link_words.h"

void flame_path_init(struct flame_path *path)
{
	*path = (struct flame_path){0};
	buffer_init(&path->text, BUFFER_LIMIT_DEFAULT);
}

void flame_path_release(struct flame_path *path)
{
	buffer_release(&path->text);
	free(path->frame);
	free(path->offset);
}

void flame_path_clear(struct flame_path *path)
{
	buffer_clear(&path->text);
	path->count = 0;
}

void flame_path_add_piece(struct flame_path *path, enum path_frame_kind kind, const char *text,
                          size_t length)
{
	ARRAY_GROW(path->offset, path->count, path->offset_capacity);
	ARRAY_GROW(path->frame, path->count, path->capacity);
	path->offset[path->count] = path->text.length;
	path->frame[path->count++].kind = kind;
	buffer_append(&path->text, text, length);
	buffer_putc(&path->text, '\0');
}

void flame_path_add(struct flame_path *path, enum path_frame_kind kind, const char *text)
{
	flame_path_add_piece(path, kind, text, strlen(text));
}

void flame_path_add_end(struct flame_path *path, const struct chain_link *link)
{
	_cleanup_(buffer_release) struct buffer end = {0};

	buffer_init(&end, BUFFER_LIMIT_DEFAULT);
	if (link_end_append(&end, link))
		flame_path_add_piece(path, SHOWN_CAUSE, end.text, end.length);
}

void flame_path_show(struct flame_path *path, const struct figures *figures,
                     const struct output *to)
{
	for (size_t i = 0; i < path->count; i++)
		path->frame[i].text = path->text.text + path->offset[i];
	output_path(to, &(struct path){path->frame, path->count, *figures});
}
