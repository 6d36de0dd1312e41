/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completes file names. Only bash needs this: zsh and fish complete them better themselves. */
#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "completion_values.h"

/* Length of the folder that the text names, "/" included. */
static size_t folder_bytes(const char *text)
{
	const char *slash = strrchr(text, '/');

	return slash ? (size_t)(slash + 1 - text) : 0;
}

static bool entry_is_folder(DIR *folder, const struct dirent *entry)
{
	struct stat status;

	return fstatat(dirfd(folder), entry->d_name, &status, 0) == 0 && S_ISDIR(status.st_mode);
}

/* "run.dat", and names derived from it: "run.dat.gz", "run.dat.old". */
static bool name_is_of_recording(const char *name)
{
	return fnmatch("*.dat", name, 0) == 0 || fnmatch("*.dat.*", name, 0) == 0;
}

/* Whether a name is suitable. */
typedef bool (*name_filter)(const char *name);

static bool any_name(const char *name)
{
	(void)name;
	return true;
}

static bool no_name(const char *name)
{
	(void)name;
	return false;
}

/* Whether the entry is shown; hidden ones only if the typed text asks for them. */
static bool entry_is_shown(const struct dirent *entry, const char *beginning)
{
	if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
		return false;
	return entry->d_name[0] != '.' || *beginning == '.';
}

/* Adds the entries of a folder; returns how many of them are not folders. */
static size_t add_entries(const struct completion_request *request, name_filter is_wanted,
                          struct candidate_list *to)
{
	size_t bytes = folder_bytes(request->text), files = 0;
	_cleanup_(freep) char *place = bytes ? xstrndup(request->text, bytes) : xstrdup(".");
	_cleanup_(closedirp) DIR *folder = opendir(place);
	const struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		_cleanup_(freep) char *text = NULL;
		size_t before = to->count;
		bool is_folder;

		if (!entry_is_shown(entry, request->text + bytes))
			continue;
		is_folder = entry_is_folder(folder, entry);
		if (!is_folder && !is_wanted(entry->d_name))
			continue;
		text = xasprintf("%.*s%s%s", (int)bytes, request->text, entry->d_name,
		                 is_folder ? "/" : "");
		candidate_add(to, text, NULL);
		files += !is_folder && to->count > before;
	}
	return files;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(((const struct candidate *)a)->text, ((const struct candidate *)b)->text);
}

void completion_files(const struct completion_request *request, struct candidate_list *ret)
{
	name_filter wanted = request->values == VALUES_FOLDERS      ? no_name
	                     : request->values == VALUES_RECORDINGS ? name_is_of_recording
	                                                            : any_name;

	*ret = (struct candidate_list){.beginning = request->text};
	if (add_entries(request, wanted, ret) == 0 && wanted == name_is_of_recording) {
		candidate_list_release(ret);
		ret->beginning = request->text;
		(void)add_entries(request, any_name, ret);
	}
	array_sort(ret->item, ret->count, sizeof(*ret->item), compare_texts);
}
