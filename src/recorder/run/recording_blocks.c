/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "record_signals.h"
#include "recorder/file/datfile_head.h"
#include "recorder/file/stream_writer.h"
#include "recorder/machine/clock_reading.h"
#include "recorder/machine/held_locks.h"
#include "recorder/machine/machine_notes.h"
#include "recorder/machine/socket_table.h"
#include "recorder/machine/text_file.h"
#include "recorder/programs/program_file.h"
#include "recorder/programs/symbol_lists.h"
#include "recording_looks.h"
#include "recording_parts.h"

#define TASKS_BYTES_MAX (64u << 20)
#define MAPS_BYTES_MAX (16u << 20)
#define SYMBOLS_BYTES_MAX (64u << 20)
#define REALTIME_BYTES_MAX 128
#define LOCKS_BYTES_MAX (1u << 20)

/* The words of COMMAND's command line, unless there are too many or they are too long. */
static void arguments_describe(char *const *argv, struct buffer *to)
{
	size_t bytes = 0, count = 0;

	for (; argv && argv[count]; count++)
		bytes += strlen(argv[count]);
	if (count > STREAM_ARGUMENTS_MAX || bytes > STREAM_ARGUMENT_BYTES_MAX)
		return;
	for (size_t i = 0; i < count; i++) {
		buffer_puts(to, "argument ");
		stream_text_append(to, argv[i]);
		buffer_putc(to, '\n');
	}
}

/* Of labels with one key the last one counts. */
static bool label_is_replaced(const struct string_list *labels, size_t index)
{
	size_t length = strcspn(labels->text[index], "=") + 1;

	for (size_t i = index + 1; i < labels->count; i++)
		if (strncmp(labels->text[i], labels->text[index], length) == 0)
			return true;
	return false;
}

static void labels_describe(const struct string_list *labels, struct buffer *to)
{
	for (size_t i = 0; i < labels->count; i++) {
		size_t length = strcspn(labels->text[i], "=");

		if (label_is_replaced(labels, i))
			continue;
		buffer_puts(to, "label ");
		buffer_append(to, labels->text[i], length);
		buffer_putc(to, ' ');
		stream_text_append(to, labels->text[i] + length + 1);
		buffer_putc(to, '\n');
	}
}

/* The ports on which sockets listen. COMMAND starts in the network namespace of this process. */
static void listening_describe(const struct number_list *pids, struct buffer *to)
{
	struct listening_ports ports = {0};

	listening_ports_look(&ports, getpid());
	for (size_t i = 0; i < pids->count; i++)
		listening_ports_look(&ports, pids->number[i]);
	listening_ports_describe(&ports, to);
}

/* The locks of files that the asked processes have already: all processes of the machine, unless
   some are named. */
static void locks_describe(const struct record_options *options, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer locks = buffer_of(LOCKS_BYTES_MAX);

	if (text_file_read("/proc/locks", &locks) == 0)
		held_locks_describe(locks.text, options->pids.number, options->pids.count, to);
}

/* What time of day it is now, on the recording's clock; nothing if the clock cannot be read. */
static void realtime_describe(const struct recording *recording, struct buffer *to)
{
	const struct capture_session *session = recording_session(recording);
	struct realtime_pair pair;

	if (realtime_read(session->dir, recording->clock, &session->scale, &pair) == 0)
		realtime_pair_describe(&pair, to);
}

/* Which machine this is; nothing if it has no ID, as small boards have none. */
static void machine_describe(struct buffer *to)
{
	char id[MACHINE_ID_DIGITS + 1];

	if (machine_id_read(MACHINE_ID_FILE, id) == 0)
		buffer_printf(to, "machine %s\n", id);
}

/* Writes the kernel's build id; nothing if the kernel was linked without one. */
static void build_id_describe(struct buffer *to)
{
	_cleanup_(closep) int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	char id[BUILD_ID_HEX_BYTES];

	if (fd >= 0 && build_id_read_notes(fd, id) == 0)
		buffer_printf(to, "build-id %s\n", id);
}

/* The text of option VERSION: see ftwait/stream.h. */
static void version_describe(struct recording *recording, struct buffer *to)
{
	const struct number_list *pids = &recording->options->pids;
	_cleanup_(freep) char *boot = boot_line();

	if (boot)
		buffer_puts(to, boot);
	build_id_describe(to);
	machine_describe(to);
	realtime_describe(recording, to);
	buffer_printf(to, "recorder %d\n", (int)getpid());
	if (recording->child.pid > 0)
		buffer_printf(to, "command %d\n", (int)recording->child.pid);
	if (!recording->options->no_arguments)
		arguments_describe(recording->argv, to);
	labels_describe(&recording->options->labels, to);
	for (size_t i = 0; i < pids->count; i++)
		buffer_printf(to, "%s%d", i ? "," : "pids ", pids->number[i]);
	if (pids->count > 0)
		buffer_putc(to, '\n');
	for (size_t i = 0; i < recording->options->cgroups.count; i++)
		buffer_printf(to, "target-cgroup %s\n", recording->options->cgroups.text[i]);
	listening_describe(pids, to);
	if (!recording->options->no_snapshot && !recording->argv &&
	    recording->options->cgroups.count == 0)
		locks_describe(recording->options, to);
	block_devices_look(&recording->devices, BLOCK_DEVICES_FOLDER, to);
	if (machine_is_guest())
		buffer_puts(to, "guest\n");
	buffer_puts(to, "recorded ");
	event_selection_describe(&recording->selection, to);
	buffer_puts(to, "\nasked ");
	for (size_t i = 0; i < recording->options->events.count; i++)
		buffer_printf(to, "%s%s", i ? "," : "", recording->options->events.text[i]);
	buffer_puts(to, recording->options->events.count ? "\n" : "default\n");
	if (recording->options->is_ring)
		buffer_puts(to, "ring\n");
}

static void options_add_clock(const struct recording *recording, struct buffer *options)
{
	_cleanup_(buffer_release) struct buffer clock = buffer_of(4096);

	if (text_file_read_at(recording_session(recording)->dir, "trace_clock", &clock) == 0)
		stream_option_append(options, DATFILE_OPTION_CLOCK, clock.text, clock.length + 1);
}

static void options_add_scale(const struct recording *recording, struct buffer *options)
{
	const struct clock_scale *scale = &recording_session(recording)->scale;
	const struct {
		uint32_t mult, shift;
		uint64_t offset;
	} option = {scale->mult, scale->shift, 0};

	if (scale->mult)
		stream_option_append(options, DATFILE_OPTION_SCALE, &option, sizeof(option));
}

static void options_add_uname(struct buffer *options)
{
	struct utsname name;
	_cleanup_(buffer_release) struct buffer text = buffer_of(1024);

	if (uname(&name) < 0)
		return;
	buffer_printf(&text, "%s %s %s %s", name.sysname, name.nodename, name.release,
	              name.machine);
	stream_option_append(options, DATFILE_OPTION_UNAME, text.text, text.length + 1);
}

/* Pages can be packed only if each CPU has a region: the chunks of a CPU must be contiguous. */
static void packing_begin(struct recording *recording)
{
	if (!recording->options->compress.is_given)
		return;
	if (recording->layout.count > 0)
		recording->packer = page_packer_new();
	if (!recording->packer)
		message_warning("not compressed: the file system of %s has no files with holes, or "
		                "their size is limited (ulimit -f)", recording->options->output);
	else
		recording->layout.packing = STREAM_PACKED_ZSTD;
}

/* If the output is a file that can have holes, pages are written at their final places. */
static int stream_begin(struct recording *recording)
{
	struct stream_writer *writer = &recording->writer;
	int fd = recording->output.fd, r = -EOPNOTSUPP;
	bool has_buffer[STREAM_BUFFERS];

	for (size_t i = 0; i < STREAM_BUFFERS; i++)
		has_buffer[i] = recording->part[i].session != NULL;
	if (recording->output.is_file)
		r = stream_layout_plan(fd, recording_session(recording)->cpu_count, has_buffer,
		                       &recording->layout);
	packing_begin(recording);
	r = r == 0 ? stream_writer_begin_layout(writer, fd, &recording->layout)
	           : stream_writer_begin(writer, fd);
	writer->packer = recording->packer;
	writer->is_file = recording->output.is_file;
	writer->interrupts = record_signals_count();
	writer->interrupt_limit = SIGNALS_FORCED_END;
	return r;
}

struct early_tasks {
	struct recording *recording;
	struct buffer *version, *cmdlines;
};

static int early_tasks_take(void *state)
{
	const struct early_tasks *early = state;

	return task_snapshot_take(&early->recording->tasks, SNAPSHOT_BEFORE, early->version,
	                          early->cmdlines);
}

/* Reads the tasks in another thread, as the calling thread has a raised priority, which is not
   meant for so much work. */
static void preface_take_tasks(struct recording *recording, struct buffer *version,
                               struct buffer *cmdlines)
{
	struct early_tasks early = {recording, version, cmdlines};
	struct side_call side;

	side_call_begin(&side, early_tasks_take, &early);
	(void)side_call_end(&side);
}

static int tasks_take(void *state)
{
	struct recording *recording = state;
	_cleanup_(buffer_release) struct buffer version = version_of(TASKS_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer cmdlines = buffer_of(TASKS_BYTES_MAX);
	int r;

	(void)task_snapshot_take(&recording->tasks, SNAPSHOT_BEGIN, &version, &cmdlines);
	r = recording_take_version(recording, &version);
	if (r == 0)
		r = page_queue_take_block(recording->queue, STREAM_CMDLINES, cmdlines.text,
		                          cmdlines.length);
	return r;
}

void recording_tasks_begin(struct recording *recording)
{
	if (recording_clock_is_monotonic(recording))
		side_call_begin(&recording->tasks_call, tasks_take, recording);
}

/* Waits for the thread. Its error is ignored, as the next write fails again. */
void recording_tasks_end(struct recording *recording)
{
	(void)side_call_end(&recording->tasks_call);
}

int recording_preface_write(struct recording *recording, struct buffer *why)
{
	_cleanup_(buffer_release) struct buffer version = version_of(TASKS_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer head = buffer_of(DATFILE_HEAD_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer options = buffer_of(TASKS_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer cmdlines = buffer_of(TASKS_BYTES_MAX);
	int r;

	version_describe(recording, &version);
	if (!recording_clock_is_monotonic(recording))
		preface_take_tasks(recording, &version, &cmdlines);
	options_add_clock(recording, &options);
	options_add_scale(recording, &options);
	options_add_uname(&options);
	options_add_version(&version, &options);
	r = datfile_head_build(recording->tracefs, recording_session(recording),
	                       &recording->formats, &cmdlines, &head, why);
	if (r == 0)
		(void)page_census_init(&recording->census, head.text, head.length);
	if (r == 0)
		r = stream_begin(recording);
	if (r == 0)
		r = stream_writer_head(&recording->writer, head.text, head.length);
	if (r == 0)
		r = stream_writer_block(&recording->writer, STREAM_OPTIONS, 0, options.text,
		                        options.length);
	if (r == 0 && recording->writer.layout)
		stream_layout_reserve(recording->output.fd, recording->writer.next);
	return r;
}

/* Adds the kernel's counts of one CPU to the sums, and to the text. `buffer`: its name, or "". */
static void recording_add_stats(struct recording *recording, const struct capture_session *session,
                                unsigned cpu, const char *buffer, struct buffer *text)
{
	bool is_ring = recording->options->is_ring;
	struct capture_stats stats;
	uint64_t lost;

	buffer_printf(text, "CPU: %u\n", cpu);
	if (capture_session_stats(session, cpu, &stats, text) < 0) {
		buffer_clear(text);
		return;
	}
	lost = stats.dropped + (is_ring ? 0 : stats.overwritten);
	recording->losses.overwritten += is_ring ? stats.overwritten : 0;
	recording->losses.lost += lost;
	if (lost > 0)
		buffer_printf(&recording->losses.by_cpu, "%scpu %u%s%s: %s",
		              recording->losses.by_cpu.length ? ", " : "", cpu,
		              *buffer ? " of " : "", buffer, COUNT_TEXT(lost));
}

/*
 * The kernel counts the events that were read from its buffers. If some of them are not in the
 * written pages, another process has read them: they are lost. Which part of the recording lacks
 * them is not known. They are added to the statistics of the main buffer, of which readers learn
 * what the pages do not say.
 */
static void recording_add_taken(struct recording *recording, unsigned cpu, struct buffer *text)
{
	uint64_t written = page_census_events_of(&recording->census, cpu), read = 0, taken;

	for (unsigned i = 0; i < STREAM_BUFFERS; i++) {
		const struct capture_session *session = recording->part[i].session;
		struct capture_stats stats;

		if (session && cpu < session->cpu_count &&
		    capture_session_stats(session, cpu, &stats, NULL) == 0)
			read += stats.read;
	}
	if (read <= written)
		return;
	taken = read - written;
	recording->losses.taken += taken;
	buffer_printf(text, "%s %" PRIu64 "\n", STREAM_STATISTICS_TAKEN, taken);
	buffer_printf(&recording->losses.by_cpu, "%scpu %u: %s taken",
	              recording->losses.by_cpu.length ? ", " : "", cpu, COUNT_TEXT(taken));
}

/* Collects the statistics of all CPUs: as options of the file, and summed up. The file has no
   option for the statistics of the other instances; the pages of these contain their losses. */
static void recording_collect_stats(struct recording *recording, struct buffer *options)
{
	const struct capture_session *session = recording_session(recording);
	_cleanup_(buffer_release) struct buffer text = buffer_of(4096);

	for (unsigned cpu = 0; cpu < session->cpu_count; cpu++) {
		buffer_clear(&text);
		recording_add_stats(recording, session, cpu, "", &text);
		if (text.length > 0)
			recording_add_taken(recording, cpu, &text);
		if (text.length > 0)
			stream_option_append(options, DATFILE_OPTION_CPU_STATISTICS, text.text,
			                     text.length + 1);
	}
	for (unsigned i = 1; i < STREAM_BUFFERS; i++) {
		const struct capture_session *apart = recording->part[i].session;

		for (unsigned cpu = 0; apart && cpu < apart->cpu_count; cpu++) {
			buffer_clear(&text);
			recording_add_stats(recording, apart, cpu, stream_buffer_name(i), &text);
		}
	}
}

/* The name of COMMAND's task, which may have ended before its name could be read from /proc. */
static void command_describe(const struct recording *recording, struct buffer *cmdlines)
{
	const char *name = recording->command, *slash = name ? strrchr(name, '/') : NULL;

	if (name && recording->child.pid > 0 && !strchr(name, '\n'))
		buffer_printf(cmdlines, "%d %.15s\n", (int)recording->child.pid,
		              slash ? slash + 1 : name);
}

/* The maps of programs are a separate option, as there may be many. */
static void recording_collect_maps(struct recording *recording, struct buffer *options)
{
	_cleanup_(buffer_release) struct buffer version = version_of(MAPS_BYTES_MAX);

	recording_maps_describe(recording, &version);
	if (version.is_cut) {
		recording_note(recording, "too many programs: what is at the addresses of some is "
		                          "not in the file");
		while (version.length > 0 && version.text[version.length - 1] != '\n')
			buffer_truncate(&version, version.length - 1);
	}
	if (!version_is_empty(&version))
		options_add_version(&version, options);
}

/* Adds a note for the readers of the recording. The recorder does not print it: `ftwait doctor`
   explains it in more detail to the user who records. */
static void note_quietly(struct recording *recording, const char *text)
{
	buffer_printf(&recording->notes, "note %s\n", text);
}

/* Notes what a recorder without privileges cannot see. */
static void note_privileges(struct recording *recording)
{
	if (recording->options->instance && geteuid() != 0)
		note_quietly(recording, "recorded without privileges: what tasks of other users "
		                        "have open, execute and hold, as futexes, is not known");
}

/* The second text of option VERSION: time of day, stolen time, and the tasks and block devices that
   appeared since the first text. */
static void recording_collect_changes(struct recording *recording, const struct buffer *realtime,
                                      struct buffer *options, struct buffer *cmdlines)
{
	_cleanup_(buffer_release) struct buffer version = version_of(TASKS_BYTES_MAX);

	buffer_append(&version, realtime->text, realtime->length);
	buffer_append(&version, recording->notes.text, recording->notes.length);
	if (recording->writing_thread)
		buffer_printf(&version, "recorder %d\n", recording->writing_thread);
	if (recording->child.pid > 0 && recording->child.is_ended)
		buffer_printf(&version, "exit %d\n", recording->child.wait_status);
	steal_counters_describe(&recording->steal_at_begin, &recording->steal_at_end, steal_tick(),
	                        &version);
	cpu_quotas_describe(&recording->quotas, &version);
	cpu_weight_describe(&recording->weight, &version);
	block_devices_look(&recording->devices, BLOCK_DEVICES_FOLDER, &version);
	(void)task_snapshot_take(&recording->tasks, SNAPSHOT_END, &version, cmdlines);
	options_add_version(&version, options);
	command_describe(recording, cmdlines);
}

/* Collects the names of the functions to which events refer; none if the kernel hides them. */
static void recording_collect_symbols(struct recording *recording, struct buffer *symbols)
{
	struct symbol_wishes wishes;
	_cleanup_(freep) uint64_t *function =
		page_census_addresses(&recording->census, &wishes.function_count);
	_cleanup_(freep) uint64_t *object =
		page_census_objects(&recording->census, &wishes.object_count);

	wishes.function = function;
	wishes.object = object;
	(void)kernel_symbols_pick(&wishes, symbols);
	if (wishes.function_count > 0 && symbols->length == 0)
		note_quietly(recording, STREAM_NOTE_UNNAMED ": ftwait report --kallsyms FILE names "
		                        "them");
}

int recording_closing_write(struct recording *recording)
{
	struct stream_writer *writer = &recording->writer;
	_cleanup_(buffer_release) struct buffer options = buffer_of(TASKS_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer cmdlines = buffer_of(TASKS_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer symbols = buffer_of(SYMBOLS_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer realtime = buffer_of(REALTIME_BYTES_MAX);
	int r;

	recording_collect_stats(recording, &options);
	realtime_describe(recording, &realtime); /* some clocks need the instance */
	/* removal waits for grace periods; meanwhile kallsyms is read and the file is written to
	   the disk */
	recording->reader = ring_reader_close(recording->reader);
	recording_parts_remove(recording);
	if (recording->losses.taken > 0)
		recording_note(recording,
		               "%s events are lost: somebody else read them out of the instance",
		               COUNT_TEXT(recording->losses.taken));
	note_privileges(recording);
	recording_collect_symbols(recording, &symbols);
	recording_collect_maps(recording, &options);
	recording_collect_changes(recording, &realtime, &options, &cmdlines);
	r = stream_writer_block(writer, STREAM_OPTIONS, 0, options.text, options.length);
	if (r == 0)
		r = stream_writer_block(writer, STREAM_CMDLINES, 0, cmdlines.text, cmdlines.length);
	if (r == 0)
		r = stream_writer_block(writer, STREAM_SYMBOLS, 0, symbols.text, symbols.length);
	return r < 0 ? r : stream_writer_block(writer, STREAM_END, 0, "", 0);
}
