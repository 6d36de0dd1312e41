/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "device_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/cleanup.h"

/* Bytes that a terminal might obey take four each. */
#define SHOWN_BYTES_MAX 2048

/* Ids in names; 0: none. */
struct device_name {
	uint32_t name, mapped;
	uint32_t shown; /* both in one text */
};

void device_names_release(struct device_names *devices)
{
	if (devices->by_dev.slot)
		map_release(&devices->by_dev);
	free(devices->device);
}

static uint32_t shown_name(const struct device_name *device, struct intern *names)
{
	const char *name = intern_text(names, device->name);
	const char *mapped = intern_text(names, device->mapped);
	_cleanup_(buffer_release) struct buffer text = {0};

	if (!device->name)
		return 0;
	buffer_init(&text, SHOWN_BYTES_MAX);
	buffer_puts_clean(&text, name, strlen(name));
	if (device->mapped) {
		buffer_puts(&text, " (");
		buffer_puts_clean(&text, mapped, strlen(mapped));
		buffer_putc(&text, ')');
	}
	return intern_add(names, text.text, text.length);
}

void device_names_add(struct device_names *devices, struct intern *names, uint32_t dev,
                      const char *name, const char *mapped)
{
	struct device_name added = {
		.name = intern_adds(names, name),
		.mapped = mapped ? intern_adds(names, mapped) : 0,
	};
	struct device_name *device;
	uint32_t index;

	if (!devices->by_dev.slot)
		map_init(&devices->by_dev);
	index = map_get(&devices->by_dev, dev);
	if (index == MAP_NONE) {
		ARRAY_GROW(devices->device, devices->count, devices->capacity);
		map_put(&devices->by_dev, dev, (uint32_t)devices->count);
		device = &devices->device[devices->count++];
		*device = added;
	} else {
		device = &devices->device[index];
		if (device->name != added.name)
			device->name = 0;
		if (device->mapped != added.mapped)
			device->mapped = 0;
	}
	device->shown = shown_name(device, names);
}

uint32_t device_names_find(const struct device_names *devices, uint32_t dev)
{
	uint32_t index = devices->count ? map_get(&devices->by_dev, dev) : MAP_NONE;

	return index == MAP_NONE ? 0 : devices->device[index].shown;
}

const char *device_names_text(const struct device_names *devices, const struct intern *names,
                              uint32_t dev, char to[static FORMAT_BYTES])
{
	uint32_t name = device_names_find(devices, dev);

	return name ? intern_text(names, name) : format_device(dev, to);
}
