/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "debug_file.h"

#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/xalloc.h"

#define PATH_BYTES_MAX 4096
#define READ_BYTES     (256u << 10)
/* Limit on the size of a file of which a checksum is computed. */
#define CHECKED_BYTES_MAX (1u << 30)

static bool has_crc(int fd, uint32_t wanted)
{
	_cleanup_(freep) uint8_t *piece = xmalloc(READ_BYTES);
	uint32_t crc = 0;
	ssize_t got;

	for (off_t at = 0; at < CHECKED_BYTES_MAX; at += got) {
		got = pread(fd, piece, READ_BYTES, at);
		if (got <= 0)
			return got == 0 && crc == wanted;
		crc = (uint32_t)crc32(crc, piece, (uInt)got);
	}
	return false;
}

/* Whether the file is the program's debug file. `link` NULL: only the build id is compared. */
static bool is_wanted(const struct elf_image *file, const struct build_id *id,
                      const struct debug_link *link)
{
	if (id->length)
		return build_id_equal(id, &file->id);
	return link && has_crc(file->fd, link->crc);
}

static bool try_open(const struct file_tree *tree, const char *path, const struct build_id *id,
                     const struct debug_link *link, struct elf_image *ret)
{
	int fd = file_tree_open_file(tree, path);

	if (fd < 0 || !elf_image_open(ret, fd))
		return false;
	if (is_wanted(ret, id, link))
		return true;
	elf_image_close(ret);
	return false;
}

static void put_id_path(struct buffer *to, const char *folder, const struct build_id *id)
{
	buffer_clear(to);
	buffer_printf(to, "%s/.build-id/%02x/", folder, id->byte[0]);
	for (size_t i = 1; i < id->length; i++)
		buffer_printf(to, "%02x", id->byte[i]);
	buffer_puts(to, ".debug");
}

static bool open_by_id(const struct file_tree *tree, const struct build_id *id, struct buffer *path,
                       struct elf_image *ret)
{
	struct file_tree machine;
	bool is_open = false;

	if (id->length < 2)
		return false;
	put_id_path(path, "", id);
	if (try_open(tree, path->text, id, NULL, ret))
		return true;
	put_id_path(path, "/usr/lib/debug", id);
	if (try_open(tree, path->text, id, NULL, ret))
		return true;
	if (file_tree_open(&machine, "/") == 0)
		is_open = try_open(&machine, path->text, id, NULL, ret);
	file_tree_close(&machine);
	return is_open;
}

static bool open_by_link(const struct file_tree *tree, const char *program_path,
                         const struct build_id *id, const struct debug_link *link,
                         struct buffer *path, struct elf_image *ret)
{
	static const struct {
		const char *before, *between;
	} places[] = {{"", "/"}, {"", "/.debug/"}, {"/usr/lib/debug", "/"}};
	const char *slash = strrchr(program_path, '/');

	for (size_t i = 0; slash && i < ARRAY_SIZE(places); i++) {
		buffer_clear(path);
		buffer_puts(path, places[i].before);
		buffer_append(path, program_path, (size_t)(slash - program_path));
		buffer_puts(path, places[i].between);
		buffer_puts(path, link->name);
		if (!path->is_cut && try_open(tree, path->text, id, link, ret))
			return true;
	}
	return false;
}

bool debug_file_open(const struct file_tree *tree, const char *path, const struct build_id *id,
                     struct elf_image *program, struct elf_image *ret)
{
	struct debug_link link;
	struct buffer tried;
	bool is_open;

	buffer_init(&tried, PATH_BYTES_MAX);
	is_open = open_by_id(tree, id, &tried, ret) ||
	          (program && elf_image_debug_link(program, &link) &&
	           open_by_link(tree, path, id, &link, &tried, ret));
	buffer_release(&tried);
	return is_open;
}
