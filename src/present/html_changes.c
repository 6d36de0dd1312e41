/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html_changes.h"

void html_changes_init(struct html_changes *changes)
{
	intern_init(&changes->texts);
	html_list_init(&changes->about, JSON_INLINE);
	html_list_init(&changes->paths, JSON_LINES);
}

void html_changes_release(struct html_changes *changes)
{
	html_list_release(&changes->about);
	html_list_release(&changes->paths);
	intern_release(&changes->texts);
}

static void verdict_write(struct json_writer *json, const struct significance *verdict)
{
	json_array_begin(json, JSON_INLINE);
	if (verdict->is_tested)
		json_put_real(json, verdict->p);
	else
		json_put_null(json);
	json_put_bool(json, verdict->is_sure);
	json_put_string(json, verdict->change);
	json_array_end(json);
}

void html_changes_begin(struct html_changes *changes, const struct compared_sides *comparison)
{
	struct json_writer *json = &changes->about.json;

	json_put_string(json, comparison->root);
	json_put_u64(json, comparison->old_runs);
	json_put_u64(json, comparison->new_runs);
	json_put_bool(json, comparison->can_be_sure);
	verdict_write(json, &comparison->whole);
}

void html_changes_add(struct html_changes *changes, const struct compared_path *path)
{
	struct json_writer *json = &changes->paths.json;

	json_array_begin(json, JSON_INLINE);
	json_put_u64(json, path->old.total);
	json_put_u64(json, path->old.count);
	json_put_u64(json, path->new.total);
	json_put_u64(json, path->new.count);
	verdict_write(json, &path->verdict);
	json_array_begin(json, JSON_INLINE);
	for (size_t i = 0; i < path->count; i++)
		json_put_u64(json, intern_adds(&changes->texts, path->frame[i].text));
	json_array_end(json);
	json_array_end(json);
}

void html_changes_put(struct html_changes *changes, FILE *out)
{
	struct html_list texts;
	struct html_block block;

	html_list_init(&texts, JSON_LINES);
	for (uint32_t i = 0; i < changes->texts.count; i++)
		json_put_string(&texts.json, intern_text(&changes->texts, i));
	html_block_init(&block);
	html_block_byte(&block, '{');
	html_list_put(&changes->about, "about", &block);
	html_block_byte(&block, ',');
	html_list_put(&changes->paths, "paths", &block);
	html_block_byte(&block, ',');
	html_list_put(&texts, "texts", &block);
	html_block_byte(&block, '}');
	html_block_put(&block, "changes", out);
	html_block_release(&block);
	html_list_release(&texts);
}
