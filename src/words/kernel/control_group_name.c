/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "control_group_name.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"

#define ID_SHOWN 12 /* digits of a container's id that are shown */
#define ID_LEAST 32 /* digits that make an id of a container */
#define POD_SHOWN 11 /* bytes of "pod1234abcd-..." that are shown */

/* A component of a path, of `length` bytes. */
struct component {
	const char *at;
	size_t length;
};

static bool component_ends(struct component component, const char *end)
{
	size_t length = strlen(end);

	return component.length > length &&
	       memcmp(component.at + component.length - length, end, length) == 0;
}

static bool component_is_unit(struct component component)
{
	static const char *const ends[] = {".service", ".scope", ".slice", ".socket", ".mount"};

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (component_ends(component, ends[i]))
			return true;
	return false;
}

/* The number of hexadecimal digits at the begin of a text of that length. */
static size_t hex_digits(const char *text, size_t length)
{
	size_t count = 0;

	while (count < length && isxdigit((unsigned char)text[count]))
		count++;
	return count;
}

static bool component_is_id(struct component component)
{
	return component.length >= ID_LEAST &&
	       hex_digits(component.at, component.length) == component.length;
}

/* "docker-0123...scope", "cri-containerd-0123...scope": the id follows the last dash. */
static void unit_append(struct buffer *to, struct component unit)
{
	static const char end[] = ".scope";
	const char *dash = memrchr(unit.at, '-', unit.length);
	size_t before = dash ? (size_t)(dash + 1 - unit.at) : 0;

	if (dash && component_ends(unit, end) &&
	    component_is_id((struct component){
		    dash + 1, unit.length - before - (sizeof(end) - 1)}))
		buffer_append(to, unit.at, before + ID_SHOWN);
	else
		buffer_append(to, unit.at, unit.length);
}

/* Goes back from the begin of a component, *at, to the one before it; false: there is none. */
static bool component_before(const char *path, const char **at, struct component *ret)
{
	const char *end = *at;

	while (end > path && end[-1] == '/')
		end--;
	*at = end;
	while (*at > path && (*at)[-1] != '/')
		(*at)--;
	*ret = (struct component){*at, (size_t)(end - *at)};
	return ret->length > 0;
}

/* A group without a unit: its last component, with that before it if it is an id. */
static void plain_append(struct buffer *to, const char *path)
{
	const char *at = path + strlen(path);
	struct component last, parent;

	if (!component_before(path, &at, &last)) {
		buffer_puts(to, "/");
		return;
	}
	if (!component_is_id(last)) {
		buffer_append(to, last.at, last.length);
		return;
	}
	if (component_before(path, &at, &parent)) {
		bool is_pod = parent.length > POD_SHOWN && memcmp(parent.at, "pod", 3) == 0;

		buffer_append(to, parent.at, is_pod ? POD_SHOWN : parent.length);
		buffer_putc(to, '/');
	}
	buffer_append(to, last.at, ID_SHOWN);
}

void control_group_name_append(struct buffer *to, const char *path)
{
	const char *at = path + strlen(path), *end = at;
	struct component component;

	while (component_before(path, &at, &component)) {
		if (!component_is_unit(component))
			continue;
		unit_append(to, component);
		buffer_append(to, component.at + component.length,
		              (size_t)(end - component.at) - component.length);
		return;
	}
	plain_append(to, path);
}

bool control_group_matches(const char *path, const char *glob)
{
	_cleanup_(freep) char *part = xstrdup(path);
	const char *last;

	if (fnmatch(glob, part, 0) == 0)
		return true;
	for (char *slash = strrchr(part, '/'); slash; slash = strrchr(part, '/')) {
		last = slash + 1;
		if (*last && (fnmatch(glob, part, 0) == 0 || fnmatch(glob, last, 0) == 0))
			return true;
		*slash = '\0';
	}
	return false;
}
