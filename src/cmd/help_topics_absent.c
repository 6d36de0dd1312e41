/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recorder alone (make RECORDER=1) is for boards with little storage. */
#include "help_topics.h"

void help_topics_each(void (*each)(void *context, const char *name, const char *kind),
                      void *context)
{
	(void)each;
	(void)context;
}

bool help_topics_show(const char *name, bool has_pager)
{
	(void)name;
	(void)has_pager;
	return false;
}
