/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One open file, what is known of it so far, and its streams of pages: shared by the readers of the
 * parts of a trace.dat or of the ftwait stream. Each reader of a part has its own file; they call
 * in one direction, from those that open a container down to those that store the findings:
 *
 * 	datfile_source, stream_source     open a container, own the datfile
 * 	datfile_source, datfile_salvage   version 7 and 6 after the magic; the latter also what
 * 	                                  is broken
 * 	datfile_source, datfile_section   pages of version 7, and what follows everything
 * 	datfile_section, datfile_header   one section; the parts of a head
 * 	datfile_options                   texts inside of those
 * 	found_notes                       what recorders note
 * 	datfile_streams                   buffers, streams, extents; reads their pages
 *
 * Everything in it belongs to the datfile. Offsets and sizes are bytes. Functions of all these
 * return -errno and append a phrase to `why` if they have that parameter; those without it note the
 * damage and continue.
 *
 * Source of the format: trace-cmd's Documentation/trace-cmd/trace-cmd.dat.v6.5.txt and .v7.5.txt;
 * what these leave out was found in real files (see tests/unit/source).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "base/text/buffer.h"
#include "ftwait/source.h"
#include "input_file.h"
#include "source/found_notes.h"
#include "source/source_notes.h"
#include "source/stream/page_reader.h"
#include "time_shift.h"
#include "unpack.h"

#define DATFILE_CPUS_MAX     65536u
#define DATFILE_BUFFERS_MAX  1024u
#define DATFILE_FORMATS_MAX  65536u
#define DATFILE_SECTION_MAX  (64u << 20) /* bytes of a section, packed or unpacked */
#define DATFILE_CHUNK_MAX    (8u << 20)  /* unpacked bytes of a chunk of pages */
#define DATFILE_UNPACKED_MAX (512u << 20) /* chunks of all streams together */
#define DATFILE_PAGE_MIN     1024u
#define DATFILE_PAGE_MAX     (4u << 20)
#define DATFILE_READ_BYTES   (256u << 10) /* of one stream at a time */
#define DATFILE_READ_TOTAL   (8u << 20)   /* of all streams together */
#define DATFILE_BATCH_MIN    16u         /* records of one stream at a time, at least */
#define DATFILE_BATCH_TOTAL  (1u << 18)  /* of all streams, as long as DATFILE_BATCH_MIN allows */
#define DATFILE_EXTENTS_MAX  (4u << 20)

/* A run of pages in the file, or of packed chunks of pages. */
struct extent {
	uint64_t offset, bytes;
	bool has_loss; /* the bytes after it are missing */
};

struct datfile_feed {
	struct datfile *datfile;
	size_t stream; /* index in source.streams */
	struct page_stream pages;
	struct extent *extents;
	size_t extent_count, extent_at;
	uint64_t done; /* bytes of extents[extent_at] */
	bool is_packed;
	bool is_noted; /* its damage was noted */
	bool is_beat_due; /* behind its records stands a heartbeat at `reached` */
	struct record beat;
	uint32_t chunks_left;
	uint8_t *block;
	size_t block_capacity;
};

struct datfile_buffer {
	const char *name;    /* "" for the main one */
	uint32_t page_bytes; /* 0: as in the file */
};

/* Option BUFFER as it was in the file; read when all options are known. */
struct buffer_option {
	const uint8_t *bytes; /* owned by the datfile's text */
	uint32_t size;
};

/* One CPU's figures from CPUSTAT, kept until the buffers are known. */
struct cpu_figures {
	const char *buffer;
	unsigned cpu;
	uint64_t overrun, dropped; /* as in struct source_stream */
};

/* The position of the text of kallsyms; packed_bytes 0: not packed. */
struct symbol_place {
	uint64_t offset;
	uint64_t bytes;
	bool is_packed; /* offset is that of the section's packed bytes */
	uint32_t packed_bytes;
	uint8_t *text;  /* unpacked on the first read */
};

/* What is known of the file only while it is opened. */
struct datfile_opening {
	uint64_t options_offset; /* version 7: the first options section */
	uint64_t header_end;     /* the first byte after the fixed part */
	uint64_t covered;        /* the first byte after all parts known so far */
	nsec_t date;             /* time of day at stamp 0, from option DATE; 0: no such option */
	struct map stream_index; /* stream_key() -> index in streams */
	size_t extent_count;
	uint64_t extent_bytes; /* sum over all: never above the size of the file */
	struct buffer_option *buffer_options;
	size_t buffer_option_count;
	uint64_t section_at[6];  /* version 7: offsets of sections 16 to 21; 0: none */
	const char *part, *system; /* of the head, that is read; of which the formats are */
	uint64_t *options_seen;  /* version 7: offsets of the options sections read */
	size_t options_seen_count;
	bool has_text_buffer;    /* from a latency tracer */
	struct cpu_figures *figures;
	size_t figure_count;
	const char *figures_buffer; /* the buffer of the following figures */
	unsigned header_cpus;       /* version 6: CPUs according to the header */
	unsigned option_cpus;       /* CPUCOUNT; 0: not known */
};

/* How the stamps in the pages become the times of the source. */
struct stamp_clock {
	struct time_shift host; /* leads to the clock of the machine's host, if it is set */
	int64_t offset;
	uint32_t mult, shift;   /* mult 0: stamps are nanoseconds */
};

/* What the streams' pages take while they are read. */
struct datfile_reading {
	uint8_t *packed;    /* the chunk that is unpacked next */
	size_t packed_capacity;
	size_t live_feeds;  /* streams that hold pages */
	size_t block_bytes; /* of all feeds */
};

struct datfile {
	struct source source; /* first: ops cast it back */
	input_opener *open; /* that opened it */
	struct input_file file;
	struct text_store text;
	unsigned version;
	bool is_swapped;
	enum packing packing;
	struct datfile_opening *opening; /* NULL: opening has ended */
	struct page_layout layout;
	nsec_t reached; /* of a stream: all records before that time are in it, as far as they were
	                   not lost; 0: not known */

	struct found_notes found;
	struct datfile_buffer *buffers;
	size_t buffer_count;
	struct datfile_feed *feeds; /* one for each of source.streams */
	size_t feed_count;
	struct symbol_place symbols;

	struct stamp_clock clock;
	uint64_t section_bytes; /* unpacked so far: limits decompression bombs */
	struct datfile_reading reading;
	char stream_name[96]; /* scratch */
};

#define DATFILE_DAMAGE(datfile, ...)                                                               \
	source_damage(&(datfile)->source, &(datfile)->text, __VA_ARGS__)

static inline bool page_size_is_sane(uint32_t bytes)
{
	return bytes >= DATFILE_PAGE_MIN && bytes <= DATFILE_PAGE_MAX && !(bytes & (bytes - 1));
}

/* Every stream holds a batch: the more streams, the smaller each batch. */
static inline size_t datfile_batch_records(size_t streams)
{
	size_t share = DATFILE_BATCH_TOTAL / (streams + 1);

	if (share > PAGE_BATCH_RECORDS)
		share = PAGE_BATCH_RECORDS;
	return share < DATFILE_BATCH_MIN ? DATFILE_BATCH_MIN : share;
}

/* Whether the stamps in the pages are the times of the source. */
static inline bool stamps_are_plain(const struct stamp_clock *clock)
{
	return clock->mult == 0 && clock->offset == 0 && clock->host.count == 0;
}

/* What an option says, or else the header. */
static inline unsigned datfile_known_cpus(const struct datfile *datfile)
{
	return datfile->opening->option_cpus ? datfile->opening->option_cpus
	                                     : datfile->opening->header_cpus;
}

/* Over [begin, end) of the file. */
static inline struct cursor datfile_cursor(const struct datfile *datfile, uint64_t begin,
                                           uint64_t end)
{
	struct cursor cursor;

	cursor_init_file(&cursor, &datfile->file, begin, end, datfile->is_swapped);
	return cursor;
}

/* The datfile that a source is. */
static inline const struct datfile *datfile_of(const struct source *source)
{
	return (const struct datfile *)source;
}

/* Marks the file up to `end` as known. */
static inline void datfile_cover(struct datfile *datfile, uint64_t end)
{
	if (end > datfile->opening->covered)
		datfile->opening->covered = end;
}

/*
 * datfile_streams.c: buffers, streams and the places of their pages, as they are found, and reading
 * them.
 */

/* Index of the buffer of that name or SIZE_MAX. */
size_t datfile_find_buffer(const struct datfile *datfile, const char *name);
/* Index of the buffer of that name, added if it is new; SIZE_MAX if there are too many. */
size_t datfile_add_buffer(struct datfile *datfile, const char *name, uint32_t page_bytes);
size_t datfile_find_stream(const struct datfile *datfile, unsigned cpu, size_t buffer);
/*
 * Adds [offset, offset + bytes) of the file as pages of that CPU; parts outside of the file, or
 * beyond what the file can hold in total, are left out and noted, and count as a loss. False: there
 * are too many streams, or the buffer is SIZE_MAX.
 */
bool datfile_add_pages(struct datfile *datfile, unsigned cpu, size_t buffer, uint64_t offset,
                       uint64_t bytes, bool is_packed);
/* Notes that pages are missing after what was added of that CPU so far. */
void datfile_lose_pages(struct datfile *datfile, unsigned cpu, size_t buffer);
void datfile_add_loss(struct datfile_feed *feed);
enum pull datfile_next_batch(struct source *source, size_t stream, struct record_batch *ret);

/* datfile_options.c: options, in both versions, and the names of clocks. */

struct option_text {
	uint16_t id;
	const uint8_t *bytes; /* borrowed */
	uint32_t size;
	struct text_line text; /* up to its first NUL: some writers pad after it */
};
/* Stores an option that it knows; skips unknown options and those of an odd size. */
void datfile_take_option(struct datfile *datfile, const struct option_text *option);
/* Version 6 has a list that ends with id 0, the stream one that ends with the cursor. */
enum options_end {
	OPTIONS_TO_ZERO,
	OPTIONS_TO_END,
	OPTIONS_TO_NEXT, /* version 7: the last one, of id 0, has the offset of the next section */
};
/* *ret_next, of OPTIONS_TO_NEXT: that offset; 0: it is the last section. */
int datfile_read_options(struct datfile *datfile, struct cursor *cursor, enum options_end end,
                         uint64_t *ret_next);
/* "local [mono]" gives "mono"; NULL if there is none. */
const char *datfile_clock(struct datfile *datfile, struct text_line text);

void datfile_spread_figures(struct datfile *datfile);

/*
 * datfile_header.c: the parts of a head, which version 6 has in a row; version 7 has most of them
 * as sections. Each reader stores its findings in the datfile and leaves the cursor after its part.
 */

int datfile_read_magic(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
/* Those in the order of their sections, from SECTION_HEADER_INFO on. What is wrong is the cursor's
   error. */
#define DATFILE_PARTS 6
extern const struct datfile_part {
	const char *what;
	void (*read)(struct datfile *datfile, struct cursor *cursor);
} datfile_parts[DATFILE_PARTS];
/* All of these and the CPU count: everything of version 6 before the word "options". */
int datfile_read_head(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
/* Notes that reading the head failed at the cursor, but what follows it is read. */
void datfile_note_head(struct datfile *datfile, const struct cursor *cursor);
/* There are no pages; returns -ENOTSUP. */
int datfile_refuse_latency(struct buffer *why);

/* datfile_section.c: one section of version 7: its header, its text, and options as a section. */

struct section {
	uint16_t id;
	bool is_packed;
	uint64_t offset, bytes; /* of what follows its header */
};
#define SECTION_HEAD_BYTES 16u
enum section_id {
	SECTION_OPTIONS = 0,
	SECTION_BUFFER = 3,
	SECTION_STRINGS = 15,
	SECTION_HEADER_INFO = 16,
	SECTION_FTRACE_FORMATS = 17,
	SECTION_EVENT_FORMATS = 18,
	SECTION_SYMBOLS = 19,
	SECTION_PRINTK = 20,
	SECTION_CMDLINES = 21,
	SECTION_LAST = 22, /* the text of a latency tracer */
};
/* The header of the section at `offset`; the section may claim to extend beyond the file. */
int datfile_section_at(struct datfile *datfile, uint64_t offset, struct section *ret);
/*
 * Reads the options section at `offset`; *ret_next is the offset of the next one, 0 if this is the
 * last. -EALREADY if it was read before.
 */
int datfile_read_options_section(struct datfile *datfile, uint64_t offset, uint64_t *ret_next);
/*
 * A cursor over the section's text; *ret_memory holds the text, to be freed after the cursor. The
 * sizes are checked against the file, and against the limit on all unpacked sections.
 */
int datfile_section_cursor(struct datfile *datfile, const struct section *section,
                           struct cursor *ret, uint8_t **ret_memory);
#define PACKED_HEAD_BYTES 8u
/* The two sizes before a section's packed bytes, checked. */
int datfile_packed_sizes(struct datfile *datfile, const struct section *section,
                         uint32_t *ret_from, uint32_t *ret_to);

/* What lies after and between the parts that a file refers to. */

/* Version 7: covers the sections found, and those that follow them without a gap. */
void datfile_cover_sections(struct datfile *datfile);
/* Call when all parts are known: notes what follows them, except zeros. */
void datfile_note_tail(struct datfile *datfile);

struct claim {
	uint64_t begin, end;
};

struct claim_list {
	struct claim *claim;
	size_t count;
};

/* Ignores a claim whose end overflows. */
void claim_list_add(struct claim_list *list, uint64_t begin, uint64_t bytes);
void claim_list_release(struct claim_list *list);
/* Notes as damage the bytes of the sections that no CPU's pages claim, except zeros. Sorts `pages`.
   Sections may overlap: the pages of one buffer may lie in the section of another. */
void datfile_note_unclaimed(struct datfile *datfile, const struct claim_list *sections,
                            struct claim_list *pages);

/* datfile_salvage.c: finds parts of a file whose tables of offsets are damaged. */

/* Version 6 whose head is damaged: its tables, somewhere after `from`. */
int datfile_salvage_tables(struct datfile *datfile, uint64_t from);
/* Version 7 whose chain of options is broken: walks the sections in the order of the file. First
   round: options, places of the others. */
void datfile_salvage_sections(struct datfile *datfile);
/* Second round, after the options' buffers: pages that no option refers to. */
void datfile_salvage_buffers(struct datfile *datfile);

/* Version 6 after its head: options, and a table with the place of each CPU's pages. */

int datfile_read_tables(struct datfile *datfile, struct cursor *cursor, struct buffer *why);
