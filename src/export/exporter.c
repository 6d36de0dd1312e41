/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ftwait/exporter.h"

#include <string.h>

extern const struct exporter perfetto_exporter;

const struct exporter *const exporters[] = {&perfetto_exporter, NULL};

const struct exporter *exporter_find(const char *name)
{
	for (const struct exporter *const *at = exporters; *at; at++)
		if (strcmp((*at)->name, name) == 0)
			return *at;
	return NULL;
}
