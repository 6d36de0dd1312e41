/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/file/file_io.h"
#include "base/xalloc.h"
#include "ftwait/stream.h"
#include "live_feed.h"
#include "live_input.h"
#include "source/file/datfile.h"
#include "source/file/datfile_source.h"
#include "source/file/foreign_file.h"
#include "source/source.h"
#include "source/source_notes.h"
#include "spool.h"
#include "stream_source.h"
#include "stream_walk.h"
#include "words/kernel/trace_clock.h"

/* The kernel that runs here, if a recording is of that: its symbols need not be in the file. */

#define BOOT_ID_FILE  "/proc/sys/kernel/random/boot_id"
#define BOOT_ID_BYTES 36
#define SYMBOLS_FILE  "/proc/kallsyms"

/* Whether `boot_id` is of this machine's present boot; NULL: not known. */
static bool running_kernel_is(const char *boot_id)
{
	_cleanup_(closep) int fd = boot_id ? open(BOOT_ID_FILE, O_RDONLY | O_CLOEXEC) : -1;
	char id[BOOT_ID_BYTES];

	return fd >= 0 && strlen(boot_id) == sizeof(id) &&
	       read(fd, id, sizeof(id)) == (ssize_t)sizeof(id) &&
	       memcmp(id, boot_id, sizeof(id)) == 0;
}

#define TEXT_BYTES_MAX    (UINT64_C(64) << 20)  /* of a block of HEAD, OPTIONS or CMDLINES */
#define PREFACE_BYTES_MAX (UINT64_C(256) << 20) /* of all of them */
#define PIECE_BYTES       (64u << 10)
/* Waiting for the snapshot of tasks ends when the stream has reached so much more time. */
#define SNAPSHOT_NS       (UINT64_C(3) * 1000 * 1000 * 1000)
/* Pages before the first STREAM_REACHED: a recorder that writes such blocks has written one. */
#define UNREACHED_MAX     (UINT64_C(64) << 20)
#define CPUS_MAX          (SOURCE_STREAMS_MAX / STREAM_BUFFERS)

#define UNREACHED_TEXT \
	"its recorder does not say how far it got, so that it cannot be followed; record with " \
	"this version of ftwait, and --clock mono"

/* What is known only until the source is open. */
struct live_opening {
	struct buffer preface; /* the stream's begin, without its pages */
	bool has_head, has_options;
	bool is_complete;      /* what is needed has come */
	nsec_t first_reached;
};

struct live_source {
	struct source source; /* first: ops cast it back */
	struct source *inner; /* over the preface; owns what `source` describes */
	struct text_store text;
	struct read_failure failure;
	struct live_input input;
	struct live_memory memory;
	struct live_waits waits;
	struct live_opening *opening; /* NULL: it is open */
	bool is_swapped;
	uint64_t block_at;   /* offset of the block that was begun last */
	uint32_t page_bytes; /* while opening: the smallest that there are */
	struct source_stream *streams;
	struct live_feed *feeds; /* by CPU, and its buffers */
	size_t feed_count, feed_capacity;
	bool is_ended;       /* nothing more is read */
	bool is_cut;         /* so what all CPUs recorded later is missing */
	bool is_mid_round;   /* pages wait for the next STREAM_REACHED */
	bool has_reached;    /* such a block came */
	bool is_reached_due; /* on_reached() was not called for the last one */
	bool is_unreached;   /* the stream had too many pages without such a block */
	uint64_t unreached;  /* bytes of pages before the first one */
	nsec_t reached;
	nsec_t first;        /* time of the oldest record so far */
	int symbols_fd;      /* of the kernel that runs here; -1: not open */
};

bool live_source_grows(int fd)
{
	struct stat file;

	return fstat(fd, &file) == 0 && S_ISREG(file.st_mode);
}

static void live_end(struct live_source *live)
{
	live->is_ended = true;
	live->is_mid_round = false;
}

/* The input ended before the stream did. */
static void live_end_early(struct live_source *live)
{
	if (live->input.end == LIVE_FAILED)
		live->failure = (struct read_failure){live->input.error, live->input.offset};
	if (live->input.end != LIVE_STOPPED) {
		source_damage(&live->source, &live->text, STREAM_CUT_TEXT);
		live->is_cut = true;
	}
	live_end(live);
}

static void live_end_damaged(struct live_source *live, const char *what)
{
	source_damage(&live->source, &live->text,
	              "damaged: %s at byte %llu; what follows is not read", what,
	              (unsigned long long)live->block_at);
	live->is_cut = true;
	live_end(live);
}

static bool live_read(struct live_source *live, void *to, size_t size)
{
	if (live_input_read(&live->input, to, size) == size)
		return true;
	live_end_early(live);
	return false;
}

static void live_skip(struct live_source *live, uint64_t size)
{
	if (!live_input_skip(&live->input, size))
		live_end_early(live);
}

/* The text of a block of the preface follows its header. */
static bool preface_read(struct live_source *live, uint64_t size)
{
	struct buffer *preface = &live->opening->preface;

	while (size > 0) {
		size_t piece = size < PIECE_BYTES ? (size_t)size : PIECE_BYTES;
		char *room = buffer_room(preface, piece);

		if (!room) {
			live_end_damaged(live, "there are too many options");
			return false;
		}
		if (!live_read(live, room, piece))
			return false;
		buffer_end(preface, room + piece);
		size -= piece;
	}
	return true;
}

/* Whether the block that begins there has tasks of the snapshot: in the first options if it was
   taken before recording began, as with --clock boot. Their names stand in the head then. */
static bool preface_has_tasks(const struct buffer *preface, size_t block)
{
	static const char line[] = "\ntask ";

	return memmem(preface->text + block, preface->length - block, line, strlen(line)) != NULL;
}

static void live_take_text(struct live_source *live, const struct stream_block *head,
                           const uint8_t *bytes)
{
	struct live_opening *opening = live->opening;
	size_t before;

	if (head->size > TEXT_BYTES_MAX) {
		live_end_damaged(live, "a text has an impossible size");
		return;
	}
	if (!opening) {
		live_skip(live, head->size);
		return;
	}
	before = opening->preface.length;
	buffer_append(&opening->preface, bytes, sizeof(*head));
	if (!preface_read(live, head->size)) {
		buffer_truncate(&opening->preface, before);
		return;
	}
	opening->has_head = true;
	opening->is_complete |= head->type == STREAM_CMDLINES ||
	                        (head->type == STREAM_OPTIONS && !opening->has_options &&
	                         preface_has_tasks(&opening->preface, before));
	opening->has_options |= head->type == STREAM_OPTIONS;
}

/* The stream of that CPU and buffer; NULL: there is none. While opening, there is one for each CPU
   that has pages. */
static struct live_feed *live_feed_of(struct live_source *live, uint32_t cpu, uint32_t buffer)
{
	size_t at = (size_t)cpu * STREAM_BUFFERS + buffer;

	if (cpu >= CPUS_MAX)
		return NULL;
	if (live->opening)
		ARRAY_REACH(live->feeds, live->feed_count, live->feed_capacity, at);
	return at < live->feed_count ? &live->feeds[at] : NULL;
}

/* Whole pages alone. */
static void live_read_pages(struct live_source *live, struct live_feed *feed, uint64_t size)
{
	for (; size > 0 && !live->is_ended; size -= live->page_bytes) {
		uint8_t *room = live_feed_room(feed, live->page_bytes, &live->memory);

		if (!room) {
			source_damage(&live->source, &live->text,
			              "events were lost: they came faster than ftwait could take "
			              "them, and memory is limited");
			live_skip(live, size);
			return;
		}
		if (!live_read(live, room, live->page_bytes))
			live_feed_cut(feed, live->page_bytes);
	}
}

static void live_take_pages(struct live_source *live, const struct stream_block *head)
{
	struct live_feed *feed = NULL;

	if (head->size % live->page_bytes) {
		live_end_damaged(live, "a block of pages has an impossible size");
		return;
	}
	live->unreached += live->has_reached ? 0 : head->size;
	if (live->unreached > UNREACHED_MAX) {
		live->is_unreached = true;
		source_damage(&live->source, &live->text, UNREACHED_TEXT);
		live_end(live);
		return;
	}
	if (head->buffer < STREAM_BUFFERS) {
		feed = live_feed_of(live, head->cpu, head->buffer);
		if (!feed)
			source_damage(&live->source, &live->text,
			              "events of cpu %u are lost: it did not exist when the "
			              "recording began", (unsigned)head->cpu);
	}
	if (!feed) {
		live_skip(live, head->size);
		return;
	}
	live->is_mid_round = feed->has_come = true;
	live_read_pages(live, feed, head->size);
}

static void live_take_reached(struct live_source *live, const struct stream_block *head)
{
	struct live_opening *opening = live->opening;
	uint8_t bytes[sizeof(uint64_t)];
	nsec_t reached;

	if (head->size != sizeof(bytes)) {
		live_end_damaged(live, "a time has an impossible size");
		return;
	}
	if (!live_read(live, bytes, sizeof(bytes)))
		return;
	reached = load_u64(bytes, live->is_swapped);
	if (reached > PAGE_TIME_MAX) {
		live_end_damaged(live, "a time is impossible");
		return;
	}
	if (!live->has_reached && opening)
		opening->first_reached = reached;
	live->has_reached = live->is_reached_due = true;
	live->reached = nsec_max(live->reached, reached);
	live->is_mid_round = false;
	for (size_t i = 0; i < live->feed_count; i++)
		live->feeds[i].is_beat_due = true;
	if (opening)
		opening->is_complete |= live->reached - opening->first_reached >= SNAPSHOT_NS;
}

/* What is too much is left out: it only adds to what events say. */
static void live_take_waits(struct live_source *live, const struct stream_block *head)
{
	size_t size = head->size < LIVE_WAITS_BYTES_MAX ? (size_t)head->size : LIVE_WAITS_BYTES_MAX;
	char *room = live_waits_room(&live->waits, size);

	if (!room)
		live_skip(live, head->size);
	else if (live_read(live, room, size))
		live_waits_fill(&live->waits, size);
}

static void live_take(struct live_source *live, const struct stream_block *head,
                      const uint8_t *bytes)
{
	switch (head->type) {
	case STREAM_HEAD:
		if (!live->opening || live->opening->has_head)
			live_end_damaged(live, "a second head stands");
		else
			live_take_text(live, head, bytes);
		break;
	case STREAM_OPTIONS:
	case STREAM_CMDLINES:
		live_take_text(live, head, bytes);
		break;
	case STREAM_PAGES:
		live_take_pages(live, head);
		break;
	case STREAM_REACHED:
		live_take_reached(live, head);
		break;
	case STREAM_WAITS:
		live_take_waits(live, head);
		break;
	case STREAM_END:
		live_end(live);
		break;
	default: /* symbols, and those of a later version */
		live_skip(live, head->size);
		break;
	}
}

static void live_read_block(struct live_source *live)
{
	uint8_t bytes[sizeof(struct stream_block)];
	struct stream_block head;

	live->block_at = live->input.offset;
	if (!live_read(live, bytes, sizeof(bytes)))
		return;
	head = stream_block_load(bytes, live->is_swapped);
	if (head.mark == STREAM_BLOCK_MARK)
		live_take(live, &head, bytes);
	else
		live_end_damaged(live, "no block stands");
}

/* To the next STREAM_REACHED, or to the end. */
static void live_read_round(struct live_source *live)
{
	live->is_mid_round = true;
	while (live->is_mid_round)
		live_read_block(live);
}

static void live_go_on(struct live_source *live)
{
	bool is_due = live->is_reached_due && live->first < live->reached &&
	              live->input.setup.on_reached;

	live->is_reached_due = false;
	if (is_due) {
		live_waits_reach(&live->waits, live->reached);
		live->source.notes.open_waits.item = live->waits.wait;
		live->source.notes.open_waits.count = live->waits.count;
	}
	if (is_due && !live->input.setup.on_reached(live->input.setup.state, live->reached))
		live_end(live);
	else
		live_read_round(live);
}

static void live_note_damage(struct live_source *live, size_t stream)
{
	struct live_feed *feed = &live->feeds[stream];
	const char *buffer = stream_buffer_name(live->streams[stream].buffer);

	if (feed->is_noted || feed->pages.damaged_count == 0)
		return;
	feed->is_noted = true;
	source_damage(&live->source, &live->text, "damaged: page %llu of cpu %u%s%s: %s",
	              (unsigned long long)feed->pages.damaged_first, live->streams[stream].cpu,
	              *buffer ? " of buffer " : "", buffer,
	              page_damage_text(feed->pages.damage));
}

static enum pull live_next_batch(struct source *source, size_t stream, struct record_batch *ret)
{
	struct live_source *live = (struct live_source *)source;
	struct live_feed *feed = &live->feeds[stream];

	if (live->is_mid_round)
		live_read_round(live);
	feed->pages.reached = live->reached;
	while (live_feed_next(feed, &live->memory, ret) == PULL_END) {
		live_note_damage(live, stream);
		if (live->is_ended) {
			if (live->is_cut && feed->has_come)
				ret->lost_events = LOST_UNCOUNTED;
			return PULL_END;
		}
		if (feed->is_beat_due) {
			feed->is_beat_due = false;
			live_feed_beat(feed, live->reached, ret);
			return PULL_ITEM;
		}
		live_go_on(live);
		feed->pages.reached = live->reached;
	}
	live_note_damage(live, stream);
	live->first = nsec_min(live->first, ret->records[0].time);
	return PULL_ITEM;
}

static int64_t live_read_symbols(struct source *source, uint64_t offset, char *to, size_t size)
{
	struct live_source *live = (struct live_source *)source;
	ssize_t got;

	/* those in the stream come at its end */
	if (live->symbols_fd < 0 && !running_kernel_is(source->notes.machine.boot_id))
		return 0;
	if (live->symbols_fd < 0)
		live->symbols_fd = open(SYMBOLS_FILE, O_RDONLY | O_CLOEXEC);
	if (live->symbols_fd < 0)
		return -errno;
	got = pread(live->symbols_fd, to, size, (off_t)offset);
	return got < 0 ? -errno : got;
}

static void live_end_opening(struct live_source *live)
{
	if (live->opening)
		buffer_release(&live->opening->preface);
	free(live->opening);
	live->opening = NULL;
}

static void live_close(struct source *source)
{
	struct live_source *live = (struct live_source *)source;

	for (size_t i = 0; i < live->feed_count; i++)
		live_feed_release(&live->feeds[i]);
	free(live->feeds);
	free(live->streams);
	live_input_release(&live->input);
	live_waits_release(&live->waits);
	live_end_opening(live);
	if (live->symbols_fd >= 0)
		(void)close(live->symbols_fd);
	text_store_release(&live->text);
	live->inner = source_close(live->inner);
	free(live);
}

static const struct source_ops live_ops = {
	.name = "live",
	.next_batch = live_next_batch,
	.read_symbols = live_read_symbols,
	.close = live_close,
};

static struct live_source *live_new(const struct live_source_setup *setup)
{
	struct live_source *live = xcalloc(1, sizeof(*live));

	live->source.ops = &live_ops;
	live->source.health.failure = &live->failure;
	live->input.setup = *setup;
	live->memory.bytes_max = setup->bytes_max ? setup->bytes_max : LIVE_BYTES_MAX;
	live_waits_init(&live->waits);
	live->page_bytes = DATFILE_PAGE_MIN;
	live->first = NSEC_NEVER;
	live->symbols_fd = -1;
	live->opening = xcalloc(1, sizeof(*live->opening));
	buffer_init(&live->opening->preface, PREFACE_BYTES_MAX);
	return live;
}

/* Why nothing can be opened, after the input ended. */
static int live_describe_end(const struct live_source *live, struct buffer *why)
{
	const struct live_input *input = &live->input;

	if (input->end == LIVE_STOPPED)
		return buffer_fail(why, -EINTR, "ended before the recording's begin had come");
	if (input->end == LIVE_FAILED)
		return buffer_fail(why, input->error, "cannot read it: %s",
		                   strerror(-input->error));
	if (input->offset == 0)
		return buffer_fail(why, -ENODATA, "it is empty; did the recorder fail to start?");
	return buffer_fail(why, -EINVAL, "truncated at the first block: nothing can be read; "
	                   "record again");
}

static int live_read_magic(struct live_source *live, struct buffer *why)
{
	uint8_t magic[STREAM_MAGIC_BYTES];
	size_t got = live_input_read(&live->input, magic, sizeof(magic));

	if (got == sizeof(magic) && memcmp(magic, STREAM_MAGIC, sizeof(magic)) == 0) {
		buffer_append(&live->opening->preface, magic, sizeof(magic));
		return 0;
	}
	if (got < sizeof(magic))
		return live_describe_end(live, why);
	if (memcmp(magic, DATFILE_MAGIC, DATFILE_MAGIC_BYTES) != 0)
		return datfile_refuse_magic(magic, sizeof(magic), why);
	return buffer_fail(why, -EINVAL, "this is a trace.dat of a recording that has ended; use "
	                   "ftwait report without --follow");
}

/* The byte order is the one in which the first block's mark makes sense. */
static int live_read_head(struct live_source *live, struct buffer *why)
{
	uint8_t bytes[sizeof(struct stream_block)];
	struct stream_block head;

	if (!live_read(live, bytes, sizeof(bytes)))
		return live_describe_end(live, why);
	live->is_swapped = stream_block_load(bytes, false).mark != STREAM_BLOCK_MARK;
	head = stream_block_load(bytes, live->is_swapped);
	if (head.mark == STREAM_BLOCK_MARK && head.type == STREAM_JUMP)
		return buffer_fail(why, -EOPNOTSUPP, "it is a file that is being recorded; a "
		                   "recording is followed through a pipe: ftwait record -o - ...");
	if (head.mark != STREAM_BLOCK_MARK || head.type != STREAM_HEAD ||
	    head.size > TEXT_BYTES_MAX)
		return buffer_fail(why, -EINVAL, "damaged at the first block: nothing can be "
		                   "read; record again");
	live_take_text(live, &head, bytes);
	return live->opening->has_head ? 0 : live_describe_end(live, why);
}

/* The snapshot of /proc comes soon after the begin, and ends with names of tasks. */
static int live_read_preface(struct live_source *live, struct buffer *why)
{
	int r = live_read_magic(live, why);

	if (r == 0)
		r = live_read_head(live, why);
	while (r == 0 && !live->is_ended && !live->opening->is_complete)
		live_read_block(live);
	if (r == 0 && live->input.end == LIVE_STOPPED)
		return live_describe_end(live, why);
	if (r == 0 && live->is_unreached)
		return buffer_fail(why, -EOPNOTSUPP, UNREACHED_TEXT);
	return r;
}

static void preface_end(struct live_source *live)
{
	struct stream_block end = {.mark = STREAM_BLOCK_MARK, .type = STREAM_END};

	if (live->is_swapped) {
		end.mark = __builtin_bswap32(end.mark);
		end.type = __builtin_bswap32(end.type);
	}
	buffer_append(&live->opening->preface, &end, sizeof(end));
}

/* What the preface describes, read as that of a stream without pages. */
static int live_open_inner(struct live_source *live, struct buffer *why)
{
	const struct buffer *preface = &live->opening->preface;
	struct input_file file = {.bytes = preface->length};
	int r;

	file.fd = spool_new_file(why);
	if (file.fd < 0)
		return file.fd;
	r = file_write_all(file.fd, preface->text, preface->length);
	if (r < 0) {
		buffer_printf(why, "cannot keep its begin: %s", strerror(-r));
		input_file_release(&file);
		return r;
	}
	file.failure = xcalloc(1, sizeof(*file.failure));
	return stream_open(&file, &live->inner, why);
}

static int live_check_clock(const struct live_source *live, struct buffer *why)
{
	const char *clock = live->inner->clock;

	if (clock && !trace_clock_can_be_followed(clock)) {
		buffer_clear(why); /* what is damaged besides matters less */
		buffer_puts(why, "its clock \"");
		buffer_puts_clean(why, clock, strlen(clock));
		return buffer_fail(why, -EOPNOTSUPP, "\" is none that can be followed; record "
		                   "with --clock mono");
	}
	if (!stamps_are_plain(&datfile_of(live->inner)->clock))
		return buffer_fail(why, -EOPNOTSUPP, "its time stamps are converted, so that it "
		                   "cannot be followed; record with --clock mono");
	return 0;
}

/* Takes the descriptions; what was noted so far stays. */
static void live_describe(struct live_source *live)
{
	const struct source before = live->source;
	struct source *source = &live->source;

	*source = *live->inner;
	source->ops = before.ops;
	source->health.failure = before.health.failure;
	for (size_t i = 0; i < before.health.note_count; i++)
		source_damage(source, &live->text, "%s", before.health.notes[i]);
	source->buffer_count = STREAM_BUFFERS;
	source->stacks_buffer = STREAM_BUFFER_STACKS;
	source->data_bytes = source->data_read = 0;
	source->notes.open_waits.item = NULL;
	source->notes.open_waits.count = 0;
}

/* Pages were taken before their size was known. */
static void live_check_pages(struct live_source *live)
{
	bool is_odd = false;

	live->page_bytes = datfile_of(live->inner)->layout.page_bytes;
	for (size_t i = 0; i < live->feed_count; i++) {
		struct live_feed *feed = &live->feeds[i];
		size_t rest = feed->waiting.count % live->page_bytes;

		live_feed_cut(feed, rest);
		is_odd |= rest != 0;
	}
	if (is_odd && live->input.end == LIVE_GOES_ON)
		live_end_damaged(live, "a block of pages has an impossible size");
}

static void live_make_streams(struct live_source *live)
{
	struct source *source = &live->source;
	uint32_t cpus = source->cpu_count < CPUS_MAX ? source->cpu_count : CPUS_MAX;

	if (cpus > 0)
		(void)live_feed_of(live, cpus - 1, STREAM_BUFFERS - 1);
	while (live->feed_count % STREAM_BUFFERS)
		(void)live_feed_of(live, (uint32_t)(live->feed_count / STREAM_BUFFERS),
		                   STREAM_BUFFERS - 1);
	live->streams = xcalloc(live->feed_count, sizeof(*live->streams));
	for (size_t i = 0; i < live->feed_count; i++) {
		struct live_feed *feed = &live->feeds[i];

		live->streams[i] = (struct source_stream){
			.cpu = (unsigned)(i / STREAM_BUFFERS),
			.buffer = (unsigned)(i % STREAM_BUFFERS),
		};
		page_stream_init(&feed->pages, &datfile_of(live->inner)->layout);
		feed->pages.capacity = datfile_batch_records(live->feed_count);
		feed->is_beat_due = live->has_reached;
	}
	source->streams = live->streams;
	source->stream_count = live->feed_count;
	if (source->cpu_count < live->feed_count / STREAM_BUFFERS)
		source->cpu_count = (unsigned)(live->feed_count / STREAM_BUFFERS);
}

int live_source_open(const struct live_source_setup *setup, struct source **ret,
                     struct buffer *why)
{
	struct live_source *live = live_new(setup);
	_cleanup_(source_closep) struct source *source = &live->source;
	int r = live_read_preface(live, why);

	if (r < 0)
		return r;
	preface_end(live);
	r = live_open_inner(live, why);
	if (r == 0)
		r = live_check_clock(live, why);
	if (r < 0)
		return r;
	live_describe(live);
	live_check_pages(live);
	live_make_streams(live);
	live_end_opening(live);
	*ret = TAKE_PTR(source);
	return 0;
}
