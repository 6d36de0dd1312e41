/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of block devices by number: "vda", "sda1", "dm-0 (vg-root)". A number that had several
 * names while the recording was made has only what they share, which may be nothing. A struct that
 * is all zero is empty. Bytes that a terminal might obey are escaped.
 *
 * Two machines may have devices of the same number. Those of the first machine keep theirs; those
 * of the others get numbers of a major that no device has, 4095.
 */
#pragma once

#include <stdint.h>

#include "base/text/format.h"
#include "base/data/intern.h"
#include "base/data/map.h"

struct device_names {
	struct map by_dev; /* index in device; no slots until there is one */
	struct device_name *device;
	size_t count, capacity;
	/* devices of other machines than the first, by their number here */
	struct map foreign_by_dev; /* no slots until there is one */
	struct foreign_device *foreign;
	size_t foreign_count, foreign_capacity;
};

void device_names_release(struct device_names *devices);
/* Returns the number here of the device that has the number `dev` on `host`; 0 stays 0. */
uint32_t device_names_number(struct device_names *devices, uint32_t host, uint32_t dev);
/* Its number on its own machine. */
uint32_t device_names_own(const struct device_names *devices, uint32_t number);
/* The machine that has it. */
uint32_t device_names_host(const struct device_names *devices, uint32_t number);
/* A name of the device `dev` (major << 20 | minor). `mapped`: the device mapper's name; NULL:
   none. */
void device_names_add(struct device_names *devices, struct intern *names, uint32_t dev,
                      const char *name, const char *mapped);
/* The id in names of the device's name; 0: not known. */
uint32_t device_names_find(const struct device_names *devices, uint32_t dev);
