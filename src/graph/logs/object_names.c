/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "object_names.h"

#include <assert.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"

#define FOREIGN_FIRST (UINT32_C(4095) << 20)
#define FOREIGN_MAX   ((UINT32_C(1) << 20) - 1)

/* Bytes that a terminal might obey take four each. */
#define SHOWN_BYTES_MAX 2048

void device_names_release(struct device_names *devices)
{
	tally_release(&devices->tally);
	tally_release(&devices->foreign);
}

uint32_t device_names_number(struct device_names *devices, uint32_t host, uint32_t dev)
{
	const uint64_t *key;

	if (host == 0 || dev == 0)
		return dev;
	if (!devices->foreign.row_bytes)
		tally_init(&devices->foreign, sizeof(*key), sizeof(*key), FOREIGN_MAX);
	key = tally_of(&devices->foreign, (uint64_t)host << 32 | dev);
	return FOREIGN_FIRST + (key ? tally_number(&devices->foreign, key) : FOREIGN_MAX);
}

/* The machine that has it, and its number there as the lower half. */
static uint64_t device_key(const struct device_names *devices, uint32_t number)
{
	return number >= FOREIGN_FIRST && number - FOREIGN_FIRST < devices->foreign_count
	               ? devices->foreign_key[number - FOREIGN_FIRST]
	               : number;
}

uint32_t device_names_own(const struct device_names *devices, uint32_t number)
{
	return (uint32_t)device_key(devices, number);
}

uint32_t device_names_host(const struct device_names *devices, uint32_t number)
{
	return (uint32_t)(device_key(devices, number) >> 32);
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

	if (!devices->tally.row_bytes)
		tally_init(&devices->tally, sizeof(added), sizeof(added), TALLY_NO_LIMIT);
	device = tally_get(&devices->tally, dev);
	if (!device)
		device = tally_make(&devices->tally, dev, &added);
	if (device->name != added.name)
		device->name = 0;
	if (device->mapped != added.mapped)
		device->mapped = 0;
	device->shown = shown_name(device, names);
}

uint32_t device_names_find(const struct device_names *devices, uint32_t dev)
{
	const struct device_name *device = devices->count ? tally_get(&devices->tally, dev) : NULL;

	return device ? device->shown : 0;
}

/* The file; NULL: it is not known. */
static struct file_name *file_find(const struct file_names *files, uint32_t dev, uint64_t inode)
{
	return files->count ? tally_find(&files->tally, &(struct file_name){inode, dev, 0}) : NULL;
}

/* The file, which is added if it is not known. */
static struct file_name *file_put(struct file_names *files, uint32_t dev, uint64_t inode)
{
	if (!files->tally.row_bytes)
		tally_init(&files->tally, sizeof(*files->file), offsetof(struct file_name, path),
		           TALLY_NO_LIMIT);
	return tally_row(&files->tally, &(struct file_name){inode, dev, 0});
}

void file_names_add(struct file_names *files, struct intern *names, uint32_t dev, uint64_t inode,
                    const char *path)
{
	struct file_name *file = file_put(files, dev, inode);

	if (file && !file->path)
		file->path = intern_adds(names, path);
}

uint32_t file_names_find(const struct file_names *files, uint32_t dev, uint64_t inode)
{
	const struct file_name *file = file_find(files, dev, inode);

	return file ? file->path : 0;
}

uint16_t file_names_number(struct file_names *files, uint32_t dev, uint64_t inode)
{
	const struct file_name *file = files->count < FILE_NUMBER_MAX
	                                       ? file_put(files, dev, inode)
	                                       : file_find(files, dev, inode);
	uint32_t number = file ? tally_number(&files->tally, file) : FILE_NUMBER_MAX;

	return number < FILE_NUMBER_MAX ? (uint16_t)(number + 1) : 0;
}

const struct file_name *file_names_at(const struct file_names *files, uint16_t number)
{
	return number > 0 && number <= files->count ? &files->file[number - 1] : NULL;
}

void user_variables_init(struct user_variables *variables)
{
	tally_init(&variables->tally, sizeof(*variables->variable),
	           offsetof(struct user_variable, name), USER_VARIABLES_MAX);
}

const struct user_variable *user_variables_find(const struct user_variables *variables,
                                                int32_t tgid, uint64_t address)
{
	return tally_find(&variables->tally,
	                  &(struct user_variable){.address = address, .tgid = tgid});
}

const struct user_variable *user_variables_add(struct user_variables *variables,
                                               const struct user_variable *added)
{
	struct user_variable *variable = tally_row(&variables->tally, added);

	ASSUME(!variable || (variable->address == added->address && variable->tgid == added->tgid));
	assert(!variable || (!variable->name && !variable->futex)); /* it was not there */
	if (variable)
		*variable = *added;
	return variable;
}

/* The most words that are remembered; of others only the calls of each wait count. */
#define WORDS_MAX (1u << 16)

static uint64_t word_key(uint64_t process, uint64_t address)
{
	return hash_mix(process, address >> 3);
}

void futex_signs_add(struct map *signs, uint64_t process, uint64_t address, uint32_t sign)
{
	uint32_t known = futex_signs_find(signs, process, address);

	if ((known & sign) != sign && (known || signs->count < WORDS_MAX))
		map_put(signs, word_key(process, address), known | sign);
}

uint32_t futex_signs_find(const struct map *signs, uint64_t process, uint64_t address)
{
	uint32_t known = map_get(signs, word_key(process, address));

	return known == MAP_NONE ? 0 : known;
}
