/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints that number files, by file system and inode: files whose data are read into the page
 * cache, and files that are synced. Most are of one file system each.
 */
#include "tracepoint.h"

#define SYNC(system_, event, kind_, use_)                                                      \
	{                                                                              \
		.system = system_, .name = event, .group = "files", .use = use_,       \
		.kind = kind_, .is_optional = true,                                    \
		.field = {                                                             \
			FIELD_NUMBER("dev", file.dev),                                 \
			FIELD_NUMBER("ino", file.inode),                               \
		},                                                                     \
	}
#define DIRTY(event)                                                                          \
	{                                                                              \
		.system = "writeback", .name = event, .group = "files",                \
		.use = "pages that are written, not read", .kind = EVENT_FILE_DIRTY,   \
		.is_optional = true, .field = {FIELD_NUMBER("ino", file.inode)},       \
	}

const struct tracepoint file_tracepoints[] = {
	{
		.system = "filemap", .name = "mm_filemap_add_to_page_cache", .group = "files",
		.use = "for which file a task reads from a disk", .kind = EVENT_FILE_ADD,
		.field = {
			FIELD_NUMBER("s_dev", file.dev),
			FIELD_NUMBER("i_ino", file.inode),
			FIELD_NUMBER_IF_ANY("order", file.order), /* since 6.1 */
		},
	},
	DIRTY("writeback_dirty_folio"),
	DIRTY("writeback_dirty_page"), /* before 5.18 */
	SYNC("ext4", "ext4_sync_file_enter", EVENT_FILE_SYNC, "which file a task syncs"),
	SYNC("ext4", "ext4_sync_file_exit", EVENT_FILE_SYNC_END, "until when"),
	SYNC("f2fs", "f2fs_sync_file_enter", EVENT_FILE_SYNC, "which file a task syncs"),
	SYNC("f2fs", "f2fs_sync_file_exit", EVENT_FILE_SYNC_END, "until when"),
	SYNC("xfs", "xfs_file_fsync", EVENT_FILE_SYNC_CALL,
	     "which file a task syncs, if system calls are recorded, too"),
	{0},
};
