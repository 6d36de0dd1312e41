/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of block devices by number: "vda", "sda1", "dm-0 (vg-root)". A number that had several
 * names while the recording was made has only what they share, which may be nothing. A struct that
 * is all zero is empty. Bytes that a terminal might obey are escaped.
 */
#pragma once

#include <stdint.h>

#include "base/format.h"
#include "base/intern.h"
#include "base/map.h"

struct device_names {
	struct map by_dev; /* index in device; no slots until there is one */
	struct device_name *device;
	size_t count, capacity;
};

void device_names_release(struct device_names *devices);
/* A name of the device `dev` (major << 20 | minor). `mapped`: the device mapper's name; NULL:
   none. */
void device_names_add(struct device_names *devices, struct intern *names, uint32_t dev,
                      const char *name, const char *mapped);
/* The id in names of the device's name; 0: not known. */
uint32_t device_names_find(const struct device_names *devices, uint32_t dev);
/* The device's name; without one its numbers, in `to`. */
const char *device_names_text(const struct device_names *devices, const struct intern *names,
                              uint32_t dev, char to[static FORMAT_BYTES]);
/* The same of a timeline, in a buffer that lives as long as the block around it. */
#define TIMELINE_DEVICE_TEXT(timeline, dev)                                                \
	device_names_text(&(timeline)->devices, &(timeline)->names, dev,                   \
	                  (char[FORMAT_BYTES]){0})
