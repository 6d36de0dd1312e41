/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html_icicle.h"

void html_icicle_init(struct html_icicle *icicle, nsec_t trace_begin)
{
	*icicle = (struct html_icicle){.trace_begin = trace_begin};
	frame_table_init(&icicle->frames);
	html_list_init(&icicle->titles, JSON_LINES);
	html_list_init(&icicle->paths, JSON_LINES);
}

void html_icicle_release(struct html_icicle *icicle)
{
	html_list_release(&icicle->titles);
	html_list_release(&icicle->paths);
	frame_table_release(&icicle->frames);
}

void html_icicle_begin(struct html_icicle *icicle, const char *title)
{
	json_put_string(&icicle->titles.json, title);
	icicle->graphs++;
}

void html_icicle_add(struct html_icicle *icicle, const struct path *path)
{
	struct json_writer *json = &icicle->paths.json;
	nsec_t at = path->figures.longest_at;

	if (path->figures.total == 0)
		return;
	json_array_begin(json, JSON_INLINE);
	json_put_u64(json, icicle->graphs - 1);
	json_put_u64(json, path->figures.total);
	json_put_u64(json, path->figures.count);
	json_put_u64(json, path->figures.longest);
	if (at == NSEC_NEVER || at < icicle->trace_begin)
		json_put_null(json);
	else
		json_put_u64(json, at - icicle->trace_begin);
	json_array_begin(json, JSON_INLINE);
	for (size_t i = 0; i < path->count; i++)
		json_put_u64(json, frame_table_add(&icicle->frames, &path->frame[i]));
	json_array_end(json);
	json_array_end(json);
}

static void frames_write(const struct html_icicle *icicle, struct json_writer *json)
{
	static const char *const kinds[] = {
		[SHOWN_TASK] = "task", [SHOWN_CAUSE] = "cause", [SHOWN_KERNEL] = "kernel",
		[SHOWN_USER] = "user", [SHOWN_MARK] = "mark",
	};

	for (size_t i = 0; i < icicle->frames.count; i++) {
		json_array_begin(json, JSON_INLINE);
		json_put_string(json, frame_table_text(&icicle->frames, i));
		json_put_string(json, kinds[icicle->frames.frame[i].kind]);
		json_array_end(json);
	}
}

void html_icicle_put(struct html_icicle *icicle, FILE *out)
{
	struct html_list frames;
	struct html_block block;

	html_list_init(&frames, JSON_LINES);
	frames_write(icicle, &frames.json);
	html_block_init(&block);
	html_block_byte(&block, '{');
	html_list_put(&icicle->titles, "titles", &block);
	html_block_byte(&block, ',');
	html_list_put(&icicle->paths, "paths", &block);
	html_block_byte(&block, ',');
	html_list_put(&frames, "frames", &block);
	html_block_byte(&block, '}');
	html_block_put(&block, "icicle", out);
	html_block_release(&block);
	html_list_release(&frames);
}
