/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that name a file, with the path, as kernels record it that have the file
 * syscall_user_buf_size (seen in 7.2). Those that are given data, such as write(), are left out on
 * purpose: such a kernel would record these, too.
 */
#include "tracepoint.h"

#define CALL(name_, use_, ...)                                                                \
	{                                                                              \
		.system = "syscalls", .name = "sys_enter_" name_, .group = "paths",    \
		.use = use_, .kind = EVENT_SYSCALL_PATH, .is_optional = true,          \
		.needs_strings = true,                                                 \
		.field = {FIELD_NUMBER("__syscall_nr", path.number), __VA_ARGS__},     \
	}
/* of a file, and of two */
#define ONE(name, use, argument) \
	CALL(name, use, FIELD_TEXT_IF_ANY("__" argument "_val", path.path))
#define TWO(name, use, first, second)                                                         \
	CALL(name, use, FIELD_TEXT_IF_ANY("__" first "_val", path.path),               \
	     FIELD_TEXT_IF_ANY("__" second "_val", path.to))

const struct tracepoint path_tracepoints[] = {
	ONE("open", "files that are opened", "filename"),
	ONE("openat", "files that are opened", "filename"),
	ONE("openat2", "files that are opened", "filename"),
	ONE("creat", "files that are made", "pathname"),
	ONE("execve", "programs, also those that are not there", "filename"),
	ONE("execveat", "programs, also those that are not there", "filename"),
	ONE("newfstatat", "files that are looked up", "filename"),
	ONE("statx", "files that are looked up", "filename"),
	ONE("access", "files that are looked up", "filename"),
	ONE("faccessat", "files that are looked up", "filename"),
	ONE("faccessat2", "files that are looked up", "filename"),
	ONE("readlink", "links that are read", "path"),
	ONE("readlinkat", "links that are read", "pathname"),
	ONE("statfs", "file systems that are looked up", "pathname"),
	ONE("unlink", "files that are removed", "pathname"),
	ONE("unlinkat", "files that are removed", "pathname"),
	ONE("rmdir", "folders that are removed", "pathname"),
	ONE("mkdir", "folders that are made", "pathname"),
	ONE("mkdirat", "folders that are made", "pathname"),
	TWO("rename", "files that are renamed", "oldname", "newname"),
	TWO("renameat", "files that are renamed", "oldname", "newname"),
	TWO("renameat2", "files that are renamed", "oldname", "newname"),
	TWO("link", "links that are made", "oldname", "newname"),
	TWO("linkat", "links that are made", "oldname", "newname"),
	TWO("symlink", "links that are made", "oldname", "newname"),
	TWO("symlinkat", "links that are made", "oldname", "newname"),
	ONE("truncate", "files that are cut", "path"),
	ONE("chmod", "files whose owner or mode changes", "filename"),
	ONE("fchmodat", "files whose owner or mode changes", "filename"),
	ONE("chown", "files whose owner or mode changes", "filename"),
	ONE("fchownat", "files whose owner or mode changes", "filename"),
	ONE("utimensat", "files whose times change", "filename"),
	ONE("chdir", "folders that are entered", "filename"),
	TWO("mount", "file systems that are mounted", "dev_name", "dir_name"),
	ONE("umount", "file systems that are unmounted", "name"),
	{0},
};
