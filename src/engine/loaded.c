/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loaded.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "decode/event_decoder.h"
#include "source/source.h"
#include "symbolize/kernel_image.h"

/* Collects from a recording the addresses that decode/symbols.h compares with symbols. */

/* Reads this many events of each stream: enough to see every timer in regular use. */
#define WITNESS_EVENTS_MAX (UINT64_C(1) << 18)

struct witness {
	struct source *source;
	struct decoder *decoder;
	struct symbol_evidence *evidence;
	bool is_sleep; /* the record before this one says that a task goes to sleep */
};

/* Whether all is known that can be used. */
static bool witness_is_done(const struct witness *witness)
{
	return witness->evidence->function_count == FIT_FUNCTIONS_MAX &&
	       witness->evidence->sleep_count == FIT_SLEEPS_MAX;
}

static void witness_take_stack(struct witness *witness, const struct stack_event *stack)
{
	const struct source *source = witness->source;
	struct symbol_evidence *evidence = witness->evidence;
	bool is_swapped = source->is_big_endian != byte_order_is_big();
	const uint8_t *at = (const uint8_t *)stack->frames.at;
	size_t count = stack->frames.length / source->long_bytes;
	uint64_t *frame;

	if (!witness->is_sleep || evidence->sleep_count == FIT_SLEEPS_MAX)
		return;
	if (stack->count < count)
		count = (size_t)stack->count;
	if (count > SLEEP_FRAMES)
		count = SLEEP_FRAMES;
	frame = evidence->sleep[evidence->sleep_count];
	for (size_t i = 0; i < count; i++, at += source->long_bytes)
		frame[i] = source->long_bytes == 4 ? load_u32(at, is_swapped)
		                                   : load_u64(at, is_swapped);
	evidence->sleep_count += count > 0;
}

static void witness_take(struct witness *witness, const struct event *event)
{
	if (event->kind == EVENT_HRTIMER_START || event->kind == EVENT_HRTIMER_ENTRY ||
	    event->kind == EVENT_TIMER_START || event->kind == EVENT_TIMER_ENTRY)
		symbol_evidence_add(witness->evidence, event->timer.function);
	else if (event->kind == EVENT_WORK_QUEUE || event->kind == EVENT_WORK_START)
		symbol_evidence_add(witness->evidence, event->work.function);
	else if (event->kind == EVENT_STACK)
		witness_take_stack(witness, &event->stack);
	witness->is_sleep = event->kind == EVENT_SCHED_SWITCH;
}

static void witness_read_stream(struct witness *witness, size_t stream)
{
	uint32_t cpu = witness->source->streams[stream].cpu;
	struct record_batch batch;
	uint64_t events = 0;
	struct event event;

	witness->is_sleep = false;
	while (events < WITNESS_EVENTS_MAX && !witness_is_done(witness) &&
	       source_next_batch(witness->source, stream, &batch) == PULL_ITEM) {
		witness->is_sleep &= batch.lost_events == 0;
		events += batch.count;
		for (size_t i = 0; i < batch.count; i++) {
			if (decoder_decode(witness->decoder, &batch.records[i], cpu, &event) ==
			    DECODE_EVENT)
				witness_take(witness, &event);
			else
				witness->is_sleep = false;
		}
	}
}

/* Takes the begins of functions of the kernel itself, evenly spread. */
static void witness_read_symbols(struct witness *witness)
{
	struct symbols *symbols = symbols_new(witness->source);
	size_t count, step;

	symbols_leave_modules(symbols);
	count = symbols_function_count(symbols);
	step = count / FIT_FUNCTIONS_MAX + 1;
	for (size_t i = 0; i < count; i += step)
		symbol_evidence_add(witness->evidence, symbols_function_at(symbols, i));
	symbols_free(symbols);
}

/* Consumes the beginning of each stream, and the recording's own symbols: open the source again
   for a report. */
static void symbol_witness_read(struct source *source, struct symbol_evidence *ret)
{
	struct witness witness = {.source = source, .evidence = ret};

	*ret = (struct symbol_evidence){0};
	witness.decoder = decoder_new(source);
	for (size_t i = 0; i < source->stream_count; i++)
		if (!source_stream_has_stacks(source, i))
			witness_read_stream(&witness, i);
	witness_read_symbols(&witness);
	decoder_free(witness.decoder);
}

#define TEXT_BYTES_MAX (256u << 20)
#define PIECE_BYTES    (256u << 10)
#define MAGIC_BYTES    4

static int text_read(int fd, struct buffer *to)
{
	_cleanup_(freep) char *piece = xmalloc(PIECE_BYTES);
	ssize_t got;

	while ((got = read(fd, piece, PIECE_BYTES)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		buffer_append(to, piece, (size_t)got);
		if (to->is_cut)
			return -EFBIG;
		if (to->length >= MAGIC_BYTES && memcmp(to->text, "\177ELF", MAGIC_BYTES) == 0)
			return 0;
	}
	if (to->length > 0 && to->text[to->length - 1] != '\n')
		buffer_putc(to, '\n');
	return 0;
}

/* Converts the symbols of a vmlinux to text. Closes the descriptor. */
static int image_read(int *fd, struct kernel_map *map, struct buffer *why)
{
	bool is_read;

	if (!kernel_image_is_able())
		return buffer_fail(why, -EOPNOTSUPP, "this program was built without libelf, so "
		                   "it cannot read a vmlinux; give the System.map of the same "
		                   "build");
	buffer_clear(&map->text);
	is_read = kernel_image_read(*fd, &map->text, &map->build_id);
	*fd = -1;
	if (is_read)
		return 0;
	return buffer_fail(why, -EINVAL, "this ELF file has no symbols of a kernel; give the "
	                   "unstripped vmlinux of the kernel's build, or its System.map");
}

static bool text_has_functions(const struct kernel_map *map)
{
	struct symbols *symbols = symbols_new_of_text(&map->symbols);
	bool has_any = symbols_function_count(symbols) > 0;

	symbols_free(symbols);
	return has_any;
}

/* Debian installs only a hint as /boot/System.map-VERSION. */
static bool text_is_placeholder(const struct kernel_map *map)
{
	return strstr(map->text.text, " B The real System.map is in ") != NULL;
}

/* "0000000000000000 T name": the kernel hides its addresses. */
static bool text_is_hidden(const struct kernel_map *map)
{
	const char *text = map->text.text;
	size_t zeros = strspn(text, "0");

	return (zeros == 8 || zeros == 16) && text[zeros] == ' ';
}

int kernel_map_read(const char *path, struct kernel_map *ret, struct buffer *why)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	int r = fd < 0 ? -errno : 0;

	*ret = (struct kernel_map){0};
	buffer_init(&ret->text, TEXT_BYTES_MAX);
	buffer_init(&ret->build_id, 256);
	buffer_init(&ret->note, 1024);
	if (r == 0)
		r = text_read(fd, &ret->text);
	if (r < 0)
		return buffer_fail(why, r, "%s", strerror(-r));
	if (ret->text.length >= MAGIC_BYTES &&
	    memcmp(ret->text.text, "\177ELF", MAGIC_BYTES) == 0 &&
	    (r = image_read(&fd, ret, why)) < 0)
		return r;
	ret->symbols = (struct symbol_text){.text = ret->text.text, .length = ret->text.length};
	if (text_has_functions(ret))
		return 0;
	buffer_puts(why, text_is_placeholder(ret)
	                         ? "this file only says where Debian keeps the System.map: in the "
	                           "package linux-image-VERSION-dbg"
	                 : text_is_hidden(ret)
	                         ? "all its addresses are 0, as users without privileges see them; "
	                           "copy /proc/kallsyms as root, with kernel.kptr_restrict 0 or 1"
	                         : "not a System.map, a copy of /proc/kallsyms or a vmlinux");
	return -EINVAL;
}

void kernel_map_release(struct kernel_map *map)
{
	buffer_release(&map->text);
	buffer_release(&map->build_id);
	buffer_release(&map->note);
}

static int map_check_build(const struct kernel_map *map, const char *build_id, struct buffer *why)
{
	if (!build_id || map->build_id.length == 0 || strcmp(build_id, map->build_id.text) == 0)
		return 0;
	return buffer_fail(why, -EINVAL, "it belongs to another build than the recorded kernel "
	                   "(build id %.12s..., not %.12s...); give the vmlinux of the recorded "
	                   "kernel", map->build_id.text, build_id);
}

static const char *kernel_of(const struct source *source)
{
	return source->kernel ? source->kernel : "the recorded kernel";
}

static int map_refuse(const struct source *source, const struct symbol_evidence *evidence,
                      const struct symbol_fit *fit, struct buffer *why)
{
	size_t count = evidence->function_count;

	if (fit->kind == FIT_AMBIGUOUS)
		buffer_printf(why, "the KASLR offset cannot be determined: the recording has only "
		                   "%zu known function address%s; record more timers and work "
		                   "items (-e timer,workqueue), or boot with nokaslr",
		              count, count == 1 ? "" : "es");
	else if (count > 0)
		buffer_printf(why, "it belongs to another kernel: the best KASLR offset matches "
		                   "%zu of the %zu functions in the recording; give the file of %s",
		              fit->begins, count, kernel_of(source));
	else
		buffer_printf(why, "it belongs to another kernel: stacks of sleeping tasks do not "
		                   "match its function __schedule; give the file of %s",
		              kernel_of(source));
	return -EINVAL;
}

/*
 * Each boot loads modules elsewhere. Their symbols are used only if the text seems to be of the
 * recorded boot: the shift is 0, and no recorded callback in a module contradicts the text.
 */
static void map_take_modules(struct kernel_map *map, const struct symbol_evidence *evidence)
{
	struct symbol_text all = map->symbols;
	struct symbols *own = symbols_new_of_text(&map->symbols), *with;
	size_t count = symbols_function_count(own), begins = 0, strays = 0;

	all.has_modules = true;
	with = symbols_new_of_text(&all);
	for (size_t i = 0; i < evidence->function_count; i++) {
		uint64_t at = evidence->function[i];
		bool is_begin = symbols_find(with, at) != NULL;

		if (symbols_find(own, at) || symbols_find_within(own, at))
			continue;
		begins += is_begin;
		strays += !is_begin && symbols_find_within(with, at);
	}
	count = symbols_function_count(with) - count;
	symbols_free(own);
	symbols_free(with);
	map->symbols.has_modules = map->symbols.shift == 0 && strays == 0;
	if (count == 0)
		return;
	if (!map->symbols.has_modules)
		buffer_puts(&map->note, "functions of modules have no names: --kallsyms is of "
		                        "another boot, which loaded modules elsewhere");
	else if (begins == 0)
		buffer_puts(&map->note, "names of modules' functions may be wrong: the recording "
		                        "does not show whether --kallsyms is of the same boot");
}

int kernel_map_fit(struct kernel_map *map, const char *recording, struct buffer *why)
{
	_cleanup_(source_closep) struct source *source = NULL;
	_cleanup_(freep) struct symbol_evidence *evidence = xcalloc(1, sizeof(*evidence));
	struct symbols *symbols;
	struct symbol_fit fit;

	if (source_open(recording, &source, why) < 0 ||
	    map_check_build(map, source->notes.machine.kernel_build_id, why) < 0)
		return -EINVAL;
	symbol_witness_read(source, evidence);
	symbols = symbols_new_of_text(&map->symbols);
	fit = symbol_fit_find(symbols, evidence);
	symbols_free(symbols);
	if (fit.kind == FIT_WRONG || fit.kind == FIT_AMBIGUOUS)
		return map_refuse(source, evidence, &fit, why);
	map->symbols.shift = fit.shift;
	if (fit.kind == FIT_UNKNOWN)
		buffer_printf(&map->note, "--kallsyms could not be checked against the recorded "
		                          "kernel: the recording has %s known function addresses",
		              fit.begins ? "too few" : "no");
	else
		map_take_modules(map, evidence);
	return 0;
}

void loaded_init(struct loaded *loaded, struct source *source)
{
	*loaded = (struct loaded){.source = source};
	for (size_t i = 0; i < source->part_count; i++) {
		const struct source_part *part = &source->parts[i];

		loaded->host[i] = (struct host){
			.name = part->name,
			.arch = part->source->arch,
			.cpu_first = part->cpu_first,
			.root = part->root,
			.via = part->via,
			.bound = part->bound,
			.lead = part->lead,
		};
	}
}

void loaded_release(struct loaded *loaded)
{
	for (size_t i = 0; i < HOSTS_MAX; i++)
		loaded->users[i] = user_frames_free(loaded->users[i]);
}

struct hosts loaded_hosts(struct loaded *loaded)
{
	uint32_t count = (uint32_t)loaded->source->part_count;

	return (struct hosts){count ? loaded->host : NULL, count};
}
