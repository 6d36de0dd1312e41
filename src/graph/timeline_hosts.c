/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline_hosts.h"

#include <stdio.h>

const char *timeline_own_name(const struct timeline *timeline, uint32_t name)
{
	return hosts_own_name(&timeline->hosts, intern_text(&timeline->names, name));
}

const char *timeline_device_text(const struct timeline *timeline, uint32_t dev,
                                 char to[static DEVICE_NAME_BYTES])
{
	const struct device_names *devices = &timeline->devices;
	uint32_t name = device_names_find(devices, dev);
	const char *text = name ? intern_text(&timeline->names, name)
	                        : TIMELINE_DEVICE_NUMBERS(timeline, dev);
	const char *host = hosts_name(&timeline->hosts, device_names_host(devices, dev));

	if (name && !host)
		return text;
	(void)snprintf(to, DEVICE_NAME_BYTES, "%s%s%s", host ? host : "", host ? ":" : "", text);
	return to;
}
