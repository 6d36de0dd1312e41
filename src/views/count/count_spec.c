/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count_spec.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "sentences/say.h"

static bool text_take(const char *part, const char *key, char **ret)
{
	size_t length = strlen(key);

	if (strncmp(part, key, length) != 0 || !part[length])
		return false;
	free(*ret);
	*ret = xstrdup(part + length);
	return true;
}

/* Takes "by=...", "sum=..." or "per=...". */
static bool part_take(struct count_spec *spec, const char *part)
{
	static const char per[] = "per=";

	if (text_take(part, "by=", &spec->by) || text_take(part, "sum=", &spec->sum))
		return true;
	return strncmp(part, per, sizeof(per) - 1) == 0 &&
	       parse_time(part + sizeof(per) - 1, &spec->per) == 0 && spec->per > 0;
}

bool count_spec_read(const char *text, struct count_spec *ret, struct buffer *why)
{
	_cleanup_(freep) char *parts = xstrdup(text);
	char *part, *rest = parts;

	*ret = (struct count_spec){.by = xstrdup("event")};
	ret->event = xstrdup(strsep(&rest, ","));
	if (!*ret->event) {
		say(why, NULL, "{foreign}: which event? \"*\" counts all", FOREIGN(text));
		return false;
	}
	while ((part = strsep(&rest, ",")))
		if (!part_take(ret, part)) {
			say(why, NULL,
			    "{foreign}: not by=KEY, sum=FIELD or per=TIME, as in "
			    "block_rq_issue,by=task,sum=bytes", FOREIGN(part));
			return false;
		}
	return true;
}

void count_spec_release(struct count_spec *spec)
{
	free(spec->event);
	free(spec->by);
	free(spec->sum);
	*spec = (struct count_spec){0};
}
