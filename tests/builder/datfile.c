/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "event_kind.h"
#include "ftwait/stream.h"
#include "old_kind.h"

#define DATFILE_LIMIT (1u << 30)

enum option_id {
	OPTION_DONE = 0,
	OPTION_DATE = 1,
	OPTION_BUFFER = 3,
	OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_CPUCOUNT = 8,
	OPTION_VERSION = 9,
	OPTION_TRACEID = 11,
	OPTION_TIME_SHIFT = 12,
	OPTION_TSC2NSEC = 14,
	OPTION_HEADER_INFO = 16,
	OPTION_FTRACE_EVENTS = 17,
	OPTION_EVENT_FORMATS = 18,
	OPTION_KALLSYMS = 19,
	OPTION_PRINTK = 20,
	OPTION_CMDLINES = 21,
};

struct datfile {
	const struct schedule *schedule;
	const struct machine *machine;
	struct buffer *to;
};

static void bufferp(struct buffer *buffer)
{
	buffer_release(buffer);
}
#define _cleanup_buffer_ __attribute__((cleanup(bufferp)))

static void datfile_put(struct datfile *file, uint64_t value, unsigned size)
{
	uint8_t bytes[8];

	machine_store(file->machine, bytes, value, size);
	buffer_append(file->to, bytes, size);
}

/* A string with its closing NUL. */
static void datfile_puts(struct datfile *file, const char *text)
{
	buffer_append(file->to, text, strlen(text) + 1);
}

static void datfile_put_sized(struct datfile *file, const struct buffer *text, unsigned size)
{
	datfile_put(file, text->length, size);
	buffer_append(file->to, text->text, text->length);
}

static void stream_put_block(struct datfile *file, enum stream_block_type type, unsigned cpu,
                             unsigned buffer, const struct buffer *payload)
{
	datfile_put(file, STREAM_BLOCK_MARK, 4);
	datfile_put(file, type, 4);
	datfile_put(file, cpu, 4);
	datfile_put(file, buffer, 4);
	datfile_put_sized(file, payload, 8);
}

void header_page_print(const struct machine *machine, struct buffer *to)
{
	unsigned bytes = machine->long_bytes;

	buffer_printf(to,
	              "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	              "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
	              "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	              "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:0;\n",
	              bytes, 8 + bytes, machine->page_bytes - 8 - bytes);
}

static void datfile_put_headers(struct datfile *file)
{
	_cleanup_buffer_ struct buffer page = {0}, event = {0};

	buffer_init(&page, BUFFER_LIMIT_DEFAULT);
	buffer_init(&event, BUFFER_LIMIT_DEFAULT);
	header_page_print(file->machine, &page);
	buffer_puts(&event, "# compressed entry header\n"
	                    "\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
	                    "\tarray       :   32 bits\n\n\tpadding     : type == 29\n"
	                    "\ttime_extend : type == 30\n\ttime_stamp : type == 31\n"
	                    "\tdata max type_len  == 28\n");
	datfile_puts(file, "header_page");
	datfile_put_sized(file, &page, 8);
	datfile_puts(file, "header_event");
	datfile_put_sized(file, &event, 8);
}

static bool system_is_first(size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (event_kinds[i].system &&
		    strcmp(event_kinds[i].system, event_kinds[at].system) == 0)
			return false;
	return true;
}

/* The event as the schedule's kernel has it, if it is of that system; else NULL. */
static const struct kernel_event *kind_of_system(const struct datfile *file, size_t at,
                                                 const char *system)
{
	if (!event_kinds[at].system || strcmp(event_kinds[at].system, system) != 0)
		return NULL;
	return old_kind_find(file->schedule->kernel, &event_kinds[at]);
}

static void datfile_put_system(struct datfile *file, const char *system)
{
	uint32_t count = 0;

	for (size_t i = 0; i < event_kind_count; i++)
		count += kind_of_system(file, i, system) != NULL;
	datfile_puts(file, system);
	datfile_put(file, count, 4);
	for (size_t i = 0; i < event_kind_count; i++) {
		_cleanup_buffer_ struct buffer text = {0};
		const struct kernel_event *found = kind_of_system(file, i, system);
		struct kernel_event kind;

		if (!found)
			continue;
		kind = *found;
		buffer_init(&text, BUFFER_LIMIT_DEFAULT);
		if (file->schedule->states == STATES_INDEX &&
		    strcmp(kind.name, "sched_switch") == 0)
			kind.print = event_kind_switch_4_14;
		event_kind_print_format(&kind, file->machine->long_bytes, &text);
		datfile_put_sized(file, &text, 8);
	}
}

static void datfile_put_formats(struct datfile *file)
{
	uint32_t systems = 0;

	for (size_t i = 0; i < event_kind_count; i++)
		systems += event_kinds[i].system && system_is_first(i);
	datfile_put(file, systems, 4);
	for (size_t i = 0; i < event_kind_count; i++)
		if (event_kinds[i].system && system_is_first(i))
			datfile_put_system(file, event_kinds[i].system);
}

static void datfile_put_symbols(struct datfile *file)
{
	_cleanup_buffer_ struct buffer text = {0};
	const struct schedule *schedule = file->schedule;
	int digits = (int)file->machine->long_bytes * 2;

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < schedule->symbol_count; i++) {
		if (schedule->symbols[i].is_string)
			continue;
		buffer_printf(&text, "%0*llx %c %s\n", digits,
		              (unsigned long long)schedule->symbols[i].address,
		              schedule->symbols[i].is_function ? 't' : 'd',
		              schedule->symbols[i].name);
	}
	datfile_put_sized(file, &text, 4);
}

/* As in printk_formats of tracefs. */
static void datfile_put_strings(struct datfile *file)
{
	_cleanup_buffer_ struct buffer text = {0};
	const struct schedule *schedule = file->schedule;

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < schedule->symbol_count; i++)
		if (schedule->symbols[i].is_string)
			buffer_printf(&text, "0x%llx : \"%s\"\n",
			              (unsigned long long)schedule->symbols[i].address,
			              schedule->symbols[i].name);
	datfile_put_sized(file, &text, 4);
}

static void datfile_put_cmdlines(struct datfile *file)
{
	_cleanup_buffer_ struct buffer text = {0};

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < file->schedule->task_count; i++)
		buffer_printf(&text, "%d %s\n", file->schedule->tasks[i].tid,
		              file->schedule->tasks[i].comm);
	datfile_put_sized(file, &text, 8);
}

static void datfile_put_option(struct datfile *file, enum option_id id, const char *text,
                               size_t length)
{
	datfile_put(file, id, 2);
	datfile_put(file, length, 4);
	buffer_append(file->to, text, length);
}

static void datfile_put_scale(struct datfile *file)
{
	if (file->schedule->scale_mult == 0)
		return;
	datfile_put(file, OPTION_TSC2NSEC, 2);
	datfile_put(file, 16, 4);
	datfile_put(file, file->schedule->scale_mult, 4);
	datfile_put(file, file->schedule->scale_shift, 4);
	datfile_put(file, 0, 8);
}

static void datfile_put_host_clock(struct datfile *file)
{
	const struct schedule *schedule = file->schedule;

	if (schedule->trace_id) {
		datfile_put(file, OPTION_TRACEID, 2);
		datfile_put(file, 8, 4);
		datfile_put(file, schedule->trace_id, 8);
	}
	if (schedule->host_trace_id == 0)
		return;
	datfile_put(file, OPTION_TIME_SHIFT, 2);
	datfile_put(file, 16 + 28 * schedule->cpu_count, 4);
	datfile_put(file, schedule->host_trace_id, 8);
	datfile_put(file, 0, 4);
	datfile_put(file, schedule->cpu_count, 4);
	for (uint32_t cpu = 0; cpu < schedule->cpu_count; cpu++) {
		datfile_put(file, 1, 4);
		datfile_put(file, 0, 8);
		datfile_put(file, schedule->host_offset, 8);
		datfile_put(file, 1, 8);
	}
}

static void datfile_put_text_options(struct datfile *file)
{
	const struct schedule *schedule = file->schedule;
	_cleanup_buffer_ struct buffer text = {0};

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&text, "local global counter [%s]\n", schedule->clock);
	datfile_put_option(file, OPTION_TRACECLOCK, text.text, text.length + 1);
	datfile_put_scale(file);
	datfile_put_host_clock(file);
	buffer_clear(&text);
	buffer_printf(&text, "Linux builder %s %s", schedule->kernel, schedule->arch);
	datfile_put_option(file, OPTION_UNAME, text.text, text.length + 1);
	if (schedule->date)
		datfile_put_option(file, OPTION_DATE, schedule->date,
		                   strlen(schedule->date) + 1);
	if (schedule->note.length)
		datfile_put_option(file, OPTION_VERSION, schedule->note.text,
		                   schedule->note.length + 1);
}

static void datfile_align(struct datfile *file)
{
	while (file->to->length % file->machine->page_bytes)
		buffer_putc(file->to, '\0');
}

/*
 * Writes the pages of every CPU of a buffer. Their offset and size go into rows of `stride` bytes,
 * one for each CPU, the first at `table`.
 */
static void datfile_put_pages(struct datfile *file, unsigned buffer, size_t table, size_t stride)
{
	for (unsigned cpu = 0; cpu < file->schedule->cpu_count; cpu++) {
		char *place;
		size_t begin;

		datfile_align(file);
		begin = file->to->length;
		pages_build(file->schedule, buffer, cpu, file->to);
		place = file->to->text + table + cpu * stride;
		machine_store(file->machine, place, begin, 8);
		machine_store(file->machine, place + 8, file->to->length - begin, 8);
	}
}

static void datfile_put_head(struct datfile *file)
{
	buffer_append(file->to, "\x17\x08\x44tracing", 10);
	datfile_puts(file, file->machine->version == 6 ? "6" : "7");
	buffer_putc(file->to, file->machine->is_big_endian ? 1 : 0);
	buffer_putc(file->to, (char)file->machine->long_bytes);
	datfile_put(file, file->machine->page_bytes, 4);
}

/* Writes an option for each further buffer, in order; ret[i] is where the offset of buffer i
   goes. */
static void datfile_put_buffer_names(struct datfile *file, size_t *ret)
{
	for (unsigned i = 1; i < file->schedule->buffer_count; i++) {
		datfile_put(file, OPTION_BUFFER, 2);
		datfile_put(file, 8 + strlen(file->schedule->buffers[i]) + 1, 4);
		ret[i] = file->to->length;
		datfile_put(file, 0, 8);
		datfile_puts(file, file->schedule->buffers[i]);
	}
}

/* Returns where the rows begin, which datfile_put_pages() fills in. */
static size_t datfile_put_table(struct datfile *file)
{
	size_t table;

	buffer_append(file->to, "flyrecord", 10);
	table = file->to->length;
	for (unsigned i = 0; i < file->schedule->cpu_count; i++) {
		datfile_put(file, 0, 8);
		datfile_put(file, 0, 8);
	}
	return table;
}

static void datfile_put_descriptions_v6(struct datfile *file)
{
	datfile_put_headers(file);
	datfile_put(file, 0, 4); /* formats of ftrace itself */
	datfile_put_formats(file);
	datfile_put_symbols(file);
	datfile_put_strings(file);
	datfile_put_cmdlines(file);
	datfile_put(file, file->schedule->cpu_count, 4);
}

static void datfile_build_v6(struct datfile *file)
{
	size_t name[SCHEDULE_BUFFERS_MAX], table[SCHEDULE_BUFFERS_MAX];

	datfile_put_descriptions_v6(file);
	buffer_append(file->to, "options  ", 10);
	datfile_put_text_options(file);
	datfile_put_buffer_names(file, name);
	datfile_put(file, OPTION_DONE, 2);
	for (unsigned i = 0; i < file->schedule->buffer_count; i++) {
		if (i > 0)
			machine_store(file->machine, file->to->text + name[i], file->to->length, 8);
		table[i] = datfile_put_table(file);
	}
	for (unsigned i = 0; i < file->schedule->buffer_count; i++)
		datfile_put_pages(file, i, table[i], 16);
}

static void put_no_formats(struct datfile *file)
{
	datfile_put(file, 0, 4);
}

/* Id, flags, description, size; the size is filled in at the end of the section. */
static void datfile_put_section_head(struct datfile *file, enum option_id id)
{
	datfile_put(file, id, 2);
	datfile_put(file, 0, 2);
	datfile_put(file, 0, 4);
	datfile_put(file, 0, 8);
}

/* Returns where the section lies. */
static size_t datfile_put_section(struct datfile *file, enum option_id id,
                                  void (*put)(struct datfile *))
{
	size_t begin = file->to->length, body;

	datfile_put_section_head(file, id);
	body = file->to->length;
	put(file);
	machine_store(file->machine, file->to->text + body - 8, file->to->length - body, 8);
	return begin;
}

struct buffer_places {
	size_t offset; /* of the option's text, where the offset of its section goes */
	size_t table;
};

static struct buffer_places put_buffer_option(struct datfile *file, const char *name)
{
	struct buffer_places places;
	size_t size = 8 + strlen(name) + 1 + strlen(file->schedule->clock) + 1 + 4 + 4 +
	              20 * (size_t)file->schedule->cpu_count;

	datfile_put(file, OPTION_BUFFER, 2);
	datfile_put(file, size, 4);
	places.offset = file->to->length;
	datfile_put(file, 0, 8);
	datfile_puts(file, name);
	datfile_puts(file, file->schedule->clock);
	datfile_put(file, file->machine->page_bytes, 4);
	datfile_put(file, file->schedule->cpu_count, 4);
	places.table = file->to->length + 4;
	for (unsigned cpu = 0; cpu < file->schedule->cpu_count; cpu++) {
		datfile_put(file, cpu, 4);
		datfile_put(file, 0, 8);
		datfile_put(file, 0, 8);
	}
	return places;
}

static void put_buffer_section(struct datfile *file, unsigned buffer,
                               const struct buffer_places *places)
{
	size_t begin = file->to->length;

	machine_store(file->machine, file->to->text + places->offset, begin, 8);
	datfile_put_section_head(file, OPTION_BUFFER);
	datfile_put_pages(file, buffer, places->table, 20);
	machine_store(file->machine, file->to->text + begin + 8, file->to->length - begin - 16, 8);
}

/* Sections, then the options that point at them, then the buffers' sections with the pages. */
static void datfile_build_v7(struct datfile *file)
{
	static const struct {
		enum option_id id;
		void (*put)(struct datfile *);
	} sections[] = {
		{OPTION_HEADER_INFO, datfile_put_headers}, {OPTION_FTRACE_EVENTS, put_no_formats},
		{OPTION_EVENT_FORMATS, datfile_put_formats}, {OPTION_KALLSYMS, datfile_put_symbols},
		{OPTION_PRINTK, datfile_put_strings}, {OPTION_CMDLINES, datfile_put_cmdlines},
	};
	size_t count = sizeof(sections) / sizeof(sections[0]), offset[8], options, body;
	struct buffer_places places[SCHEDULE_BUFFERS_MAX];

	datfile_puts(file, "none");
	datfile_puts(file, "");
	options = file->to->length;
	datfile_put(file, 0, 8);
	for (size_t i = 0; i < count; i++)
		offset[i] = datfile_put_section(file, sections[i].id, sections[i].put);
	machine_store(file->machine, file->to->text + options, file->to->length, 8);
	datfile_put_section_head(file, OPTION_DONE);
	body = file->to->length;
	datfile_put_text_options(file);
	for (size_t i = 0; i < count; i++) {
		datfile_put(file, sections[i].id, 2);
		datfile_put(file, 8, 4);
		datfile_put(file, offset[i], 8);
	}
	datfile_put(file, OPTION_CPUCOUNT, 2);
	datfile_put(file, 4, 4);
	datfile_put(file, file->schedule->cpu_count, 4);
	for (unsigned i = 0; i < file->schedule->buffer_count; i++)
		places[i] = put_buffer_option(file, file->schedule->buffers[i]);
	datfile_put(file, OPTION_DONE, 2);
	datfile_put(file, 8, 4);
	datfile_put(file, 0, 8);
	machine_store(file->machine, file->to->text + body - 8, file->to->length - body, 8);
	for (unsigned i = 0; i < file->schedule->buffer_count; i++)
		put_buffer_section(file, i, &places[i]);
}

void datfile_build(const struct schedule *schedule, struct buffer *to)
{
	struct datfile file = {.schedule = schedule, .machine = &schedule->machine, .to = to};

	datfile_put_head(&file);
	if (schedule->machine.version == 6)
		datfile_build_v6(&file);
	else
		datfile_build_v7(&file);
}

/* A block of the stream. What `put` writes is its payload. */
static void stream_put(struct datfile *file, enum stream_block_type type,
                       void (*put)(struct datfile *))
{
	_cleanup_buffer_ struct buffer payload = {0};
	struct datfile inner = {file->schedule, file->machine, &payload};

	buffer_init(&payload, DATFILE_LIMIT);
	if (put)
		put(&inner);
	stream_put_block(file, type, 0, 0, &payload);
}

static void stream_put_head(struct datfile *file)
{
	datfile_put_head(file);
	datfile_put_descriptions_v6(file);
}

static void stream_put_names(struct datfile *file)
{
	for (size_t i = 0; i < file->schedule->task_count; i++)
		buffer_printf(file->to, "%d %s\n", file->schedule->tasks[i].tid,
		              file->schedule->tasks[i].comm);
}

/* All pages of the items, and that the recorder got as far as `reached`. */
static void stream_put_part(struct datfile *file, const struct schedule_item *items, size_t count,
                            nsec_t reached)
{
	struct schedule part = *file->schedule;
	_cleanup_buffer_ struct buffer pages = {0}, time = {0};
	struct datfile inner = {file->schedule, file->machine, &time};

	buffer_init(&pages, DATFILE_LIMIT);
	buffer_init(&time, BUFFER_LIMIT_DEFAULT);
	part.items = (struct schedule_item *)(uintptr_t)items;
	part.item_count = count;
	for (unsigned cpu = 0; cpu < part.cpu_count; cpu++) {
		buffer_clear(&pages);
		pages_build(&part, 0, cpu, &pages);
		if (pages.length > 0)
			stream_put_block(file, STREAM_PAGES, cpu, 0, &pages);
	}
	datfile_put(&inner, reached, 8);
	stream_put_block(file, STREAM_REACHED, 0, 0, &time);
}

void stream_build(const struct schedule *schedule, nsec_t every, bool is_ended, struct buffer *to)
{
	struct datfile file = {.schedule = schedule, .machine = &schedule->machine, .to = to};
	size_t first = 0, i;
	nsec_t end = 0;

	assert(schedule->machine.version == 6 && every > 0);
	buffer_append(to, STREAM_MAGIC, STREAM_MAGIC_BYTES);
	stream_put(&file, STREAM_HEAD, stream_put_head);
	stream_put(&file, STREAM_OPTIONS, datfile_put_text_options);
	stream_put(&file, STREAM_CMDLINES, stream_put_names);
	for (i = 0; i < schedule->item_count; i++) {
		if (schedule->items[i].type != SCHEDULE_EVENT)
			continue;
		if (end == 0)
			end = schedule->items[i].time + every;
		for (; schedule->items[i].time >= end; end += every) {
			stream_put_part(&file, schedule->items + first, i - first, end);
			first = i;
		}
	}
	stream_put_part(&file, schedule->items + first, i - first, end);
	if (is_ended)
		stream_put(&file, STREAM_END, NULL);
}

static int descriptor_from_bytes(const struct buffer *bytes, int *ret_fd)
{
	int fd = memfd_create("trace.dat", MFD_CLOEXEC);
	size_t done = 0;

	if (fd < 0)
		return -errno;
	while (done < bytes->length) {
		ssize_t written = pwrite(fd, bytes->text + done, bytes->length - done,
		                         (off_t)done);

		if (written < 0) {
			int r = -errno;

			(void)close(fd);
			return r;
		}
		done += (size_t)written;
	}
	*ret_fd = fd;
	return 0;
}

int datfile_from_text(const char *text, const struct machine *machine, int *ret_fd,
                      struct buffer *why)
{
	__attribute__((cleanup(schedule_freep))) struct schedule *schedule = NULL;
	_cleanup_buffer_ struct buffer bytes = {0};
	int r = schedule_parse(text, strlen(text), machine, &schedule, why);

	if (r < 0)
		return r;
	buffer_init(&bytes, DATFILE_LIMIT);
	datfile_build(schedule, &bytes);
	return descriptor_from_bytes(&bytes, ret_fd);
}
