/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "seen_process.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "text_file.h"

/* A blank in a path is "\040". */
static void path_decode(char *path)
{
	char *to = path;

	for (const char *at = path; *at; to++) {
		unsigned value;

		if (at[0] == '\\' && sscanf(at + 1, "%3o", &value) == 1 && value < 256) {
			*to = (char)value;
			at += strnlen(at, 4);
		} else {
			*to = *at++;
		}
	}
	*to = '\0';
}

/* "36 35 98:0 /root /mnt2 rw,noatime master:1 - ext3 /dev/root rw" */
static bool mount_parse(const char *text, struct mount *ret)
{
	uint32_t major, minor;
	const char *type = strstr(text, " - ");

	if (!type ||
	    sscanf(text, "%" SCNd64 " %*d %" SCNu32 ":%" SCNu32 " %*s %4095s", &ret->id, &major,
		   &minor, ret->point) != 4 ||
	    sscanf(type, " - %63s", ret->type) != 1 || major >= 1u << 12 || minor >= 1u << 20)
		return false;
	ret->device = major << 20 | minor;
	path_decode(ret->point);
	return true;
}

/* Calls `is_meant` for each mount; the last one that is meant counts, as it covers earlier ones. */
static bool find(const char *mountinfo,
		 bool (*is_meant)(const struct mount *mount, const void *what), const void *what,
		 struct mount *ret)
{
	char line[2 * PATH_MAX];
	struct mount mount;
	bool is_found = false;

	while (*mountinfo)
		if (text_line_next(&mountinfo, line, sizeof(line)) && mount_parse(line, &mount) &&
		    is_meant(&mount, what)) {
			*ret = mount;
			is_found = true;
		}
	return is_found;
}

static bool has_id(const struct mount *mount, const void *what)
{
	return mount->id == *(const int64_t *)what;
}

bool mount_find(const char *mountinfo, int64_t id, struct mount *ret)
{
	return find(mountinfo, has_id, &id, ret);
}

static bool has_device(const struct mount *mount, const void *what)
{
	return mount->device == *(const uint32_t *)what;
}

bool mount_find_device(const char *mountinfo, uint32_t device, struct mount *ret)
{
	return find(mountinfo, has_device, &device, ret);
}

/* The path, and the longest mount point so far that is above it. */
struct path_search {
	const char *path;
	size_t *longest;
};

static bool is_above(const struct mount *mount, const void *what)
{
	const struct path_search *search = what;
	size_t length = strlen(mount->point);

	if (length == 1)
		length = 0; /* "/" */
	if (strncmp(search->path, mount->point, length) != 0 ||
	    (search->path[length] != '/' && search->path[length] != '\0') ||
	    length < *search->longest)
		return false;
	*search->longest = length;
	return true;
}

bool mount_find_path(const char *mountinfo, const char *path, struct mount *ret)
{
	size_t longest = 0;
	const struct path_search search = {path, &longest};

	return find(mountinfo, is_above, &search, ret);
}

bool mount_is_served(const struct mount *mount)
{
	/* "fuse", "fuse.sshfs", "nfs4" */
	static const char *const begins[] = {
		"fuse", "nfs", "cifs", "smb", "9p", "ceph", "afs", "virtiofs", "autofs", "lustre",
	};

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (strncmp(mount->type, begins[i], strlen(begins[i])) == 0)
			return strcmp(mount->type, "fusectl") != 0 &&
			       strcmp(mount->type, "nfsd") != 0;
	return false;
}

bool maps_line_parse(const char *line, struct maps_line *ret)
{
	char flags[5];
	int path_at = 0;

	*ret = (struct maps_line){0};
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n",
	           &ret->begin, &ret->end, flags, &ret->offset, &ret->device_major,
	           &ret->device_minor, &ret->inode, &path_at) < 7 ||
	    path_at == 0 || ret->end <= ret->begin)
		return false;
	ret->is_executable = strchr(flags, 'x') != NULL;
	ret->path = line + path_at;
	return true;
}

#define MAPS_BYTES_MAX   (4u << 20)
#define MOUNTS_BYTES_MAX (4u << 20)
#define LINE_BYTES_MAX (2 * PATH_MAX)

void seen_process_init(struct seen_process *view, struct peek *peek)
{
	*view = (struct seen_process){.peek = peek};
	buffer_init(&view->mounts, MOUNTS_BYTES_MAX);
	buffer_init(&view->first, MOUNTS_BYTES_MAX);
	buffer_init(&view->maps, MAPS_BYTES_MAX);
}

void seen_process_release(struct seen_process *view)
{
	buffer_release(&view->mounts);
	buffer_release(&view->first);
	buffer_release(&view->maps);
}

void seen_process_of(struct seen_process *view, int32_t tgid)
{
	if (view->tgid == tgid)
		return;
	view->tgid = tgid;
	view->has_mounts = view->has_maps = false;
	buffer_clear(&view->mounts);
	buffer_clear(&view->maps);
}

static const char *mounts_read(struct buffer *text, bool *has_text, int32_t tgid)
{
	if (!*has_text)
		(void)text_file_read(PROC_PATH("/proc/%d/mountinfo", tgid), text);
	*has_text = true;
	return text->text;
}

static const char *mounts_of(struct seen_process *view)
{
	return mounts_read(&view->mounts, &view->has_mounts, view->tgid);
}

static const char *mounts_of_first(struct seen_process *view)
{
	return mounts_read(&view->first, &view->has_first, 1);
}

bool seen_process_mount(struct seen_process *view, int64_t id, struct mount *ret)
{
	return mount_find(mounts_of(view), id, ret) || mount_find(mounts_of_first(view), id, ret);
}

bool seen_process_mount_of_path(struct seen_process *view, const char *path, struct mount *ret)
{
	return mount_find_path(mounts_of(view), path, ret);
}

static bool mount_of_device(struct seen_process *view, uint32_t device, struct mount *ret)
{
	return mount_find_device(mounts_of(view), device, ret) ||
	       mount_find_device(mounts_of_first(view), device, ret);
}

bool auxv_is_64_bit(const uint32_t word[2])
{
	const uint16_t one = 1;

	return word[*(const uint8_t *)&one == 1 ? 1 : 0] == 0;
}

bool seen_process_is_64_bit(struct seen_process *view)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(sizeof(uint32_t[2]));
	uint32_t word[2];

	if (peek_bytes(view->peek, view->tgid, PROC_PATH("/proc/%d/auxv", view->tgid), 0,
	               sizeof(word), &text) < 0 ||
	    text.length < sizeof(word))
		return sizeof(long) == 8;
	memcpy(word, text.text, sizeof(word));
	return auxv_is_64_bit(word);
}

/* The mapping that has the address, without its path. */
static bool mapping_find(struct seen_process *view, uint64_t address, struct maps_line *ret)
{
	char text[LINE_BYTES_MAX];

	if (!view->has_maps)
		(void)peek_text(view->peek, view->tgid, PROC_PATH("/proc/%d/maps", view->tgid),
		                &view->maps);
	view->has_maps = true;
	for (const char *line = view->maps.text; *line;) {
		struct maps_line mapping;

		if (!text_line_next(&line, text, sizeof(text)) ||
		    !maps_line_parse(text, &mapping) || mapping.begin > address ||
		    mapping.end <= address)
			continue;
		*ret = mapping;
		ret->path = NULL; /* text is gone on return */
		return true;
	}
	return false;
}

static bool mapping_is_local(struct seen_process *view, const struct maps_line *mapping)
{
	struct mount mount;

	if (mapping->inode == 0 && mapping->device_major == 0 && mapping->device_minor == 0)
		return true;
	return mapping->device_major < 1u << 12 && mapping->device_minor < 1u << 20 &&
	       mount_of_device(view, mapping->device_major << 20 | mapping->device_minor, &mount) &&
	       !mount_is_served(&mount);
}

bool seen_process_memory(struct seen_process *view, uint64_t address, size_t size,
			 struct buffer *to)
{
	struct maps_line mapping;

	if (!mapping_find(view, address, &mapping) || !mapping_is_local(view, &mapping))
		return false;
	if (size > mapping.end - address)
		size = (size_t)(mapping.end - address);
	return peek_bytes(view->peek, view->tgid, PROC_PATH("/proc/%d/mem", view->tgid),
	                  address, size, to) == 0 && to->length > 0;
}

size_t seen_process_copy(struct seen_process *view, uint64_t address, void *to, size_t size)
{
	_cleanup_(buffer_release) struct buffer memory = buffer_of(size);

	if (!seen_process_memory(view, address, size, &memory))
		return 0;
	memcpy(to, memory.text, memory.length);
	return memory.length;
}
