/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "foreign_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "ftwait/stream.h"
#include "source/perfetto/wire.h"
#include "source/text/text_line.h"

enum trace_kind trace_kind_of(const void *head, size_t bytes)
{
	if (bytes >= STREAM_MAGIC_BYTES && memcmp(head, STREAM_MAGIC, STREAM_MAGIC_BYTES) == 0)
		return TRACE_STREAM;
	if (bytes >= DATFILE_MAGIC_BYTES && memcmp(head, DATFILE_MAGIC, DATFILE_MAGIC_BYTES) == 0)
		return TRACE_DATFILE;
	return perfetto_is_trace(head, bytes) ? TRACE_PERFETTO : TRACE_UNKNOWN;
}

int datfile_refuse_magic(const void *head, size_t bytes, struct buffer *why)
{
	_cleanup_(buffer_release) struct buffer what = buffer_of(1000);

	if (foreign_file_describe(head, bytes, &what))
		buffer_printf(why, "not a trace.dat, but %s", what.text);
	else
		buffer_puts(why, "not a trace.dat: it does not begin as one");
	return -EINVAL;
}

#define WORDS_MAX 12 /* of a line, to identify its format */

#define OURS         "; ftwait reads what ftwait record and trace-cmd record make"
#define PERF_MEND                                                                             \
	"ftwait reads its text: perf script -i FILE > FILE.txt, if it has the events that "   \
	"perf record -a -e 'sched:*' -e 'irq:*' -e 'timer:hrtimer_*' -e 'block:*' records"
#define CTF_MEND     "babeltrace2 reads the directory that it is in" OURS
#define PACKETS_MEND "tcpdump -r and wireshark read it" OURS
#define TEXT_MEND    "ftwait needs the trace.dat that it was made of, or ftwait record"
#define FTRACE_MEND \
	"what the kernel's buffers still have trace-cmd extract saves as a trace.dat"

static const struct foreign_row {
	size_t offset;
	const char *bytes;
	size_t count;
	const char *what, *mend;
} rows[] = {
#define ROW(offset, bytes, what, mend) {offset, bytes, sizeof(bytes) - 1, what, mend}
	ROW(0, "PERFILE2", "a perf.data file", PERF_MEND),
	ROW(0, "2ELIFREP", "a perf.data file", PERF_MEND),
	ROW(0, "PERFFILE", "an old perf.data file", PERF_MEND),
	ROW(0, "\xc1\x1f\xfc\xc1", "a stream of a CTF trace, as of LTTng", CTF_MEND),
	ROW(0, "\xc1\xfc\x1f\xc1", "a stream of a CTF trace, as of LTTng", CTF_MEND),
	ROW(0, "\x75\xd1\x1d\x57", "the metadata of a CTF trace, as of LTTng", CTF_MEND),
	ROW(0, "\x57\x1d\xd1\x75", "the metadata of a CTF trace, as of LTTng", CTF_MEND),
	ROW(0, "/* CTF ", "the metadata of a CTF trace, as of LTTng", CTF_MEND),
	ROW(0, "\x07taea", "a trace of blktrace", "blkparse reads it" OURS),
	ROW(0, "\xa1\xb2\xc3\xd4", "a capture of packets (pcap)", PACKETS_MEND),
	ROW(0, "\xd4\xc3\xb2\xa1", "a capture of packets (pcap)", PACKETS_MEND),
	ROW(0, "\xa1\xb2\x3c\x4d", "a capture of packets (pcap)", PACKETS_MEND),
	ROW(0, "\x4d\x3c\xb2\xa1", "a capture of packets (pcap)", PACKETS_MEND),
	ROW(0, "\n\r\r\n", "a capture of packets (pcapng)", PACKETS_MEND),
	ROW(0, "PK\3\4", "a zip archive", "name the file, or unpack it first: unzip FILE"),
	ROW(0, "7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first: 7z x FILE"),
	ROW(257, "ustar", "a tar archive", "unpack it first: tar xf FILE"),
	ROW(0, "\xfd" "7zXZ", "compressed with xz", "xz -dc FILE | ftwait report -"),
	ROW(0, "BZh", "compressed with bzip2", "bzip2 -dc FILE | ftwait report -"),
	ROW(0, "\x04\x22\x4d\x18", "compressed with lz4", "lz4 -dc FILE | ftwait report -"),
	ROW(0, "\x7f" "ELF", "a program, a library or a core (ELF)",
	    "to record a program: ftwait record -- PROGRAM"),
	ROW(0, "cpus=", "the text of trace-cmd report, without events", TEXT_MEND),
	ROW(0, "{\n  \"schema\": \"ftwait.", "a report that ftwait has made", TEXT_MEND),
	ROW(0, "<!DOCTYPE html", "a page of HTML", TEXT_MEND),
	ROW(0, "<html", "a page of HTML", TEXT_MEND),
#undef ROW
};

static bool word_is_digits(struct text_line word)
{
	while (word.at < word.end && *word.at >= '0' && *word.at <= '9')
		word.at++;
	return word.at == word.end;
}

/* Digits, at least one. */
static bool word_is_count(struct text_line word)
{
	return word.at < word.end && word_is_digits(word);
}

/* "1234.567890:" */
static bool word_is_time(struct text_line word)
{
	struct text_line seconds = line_part(&word, '.');

	return word_is_count(seconds) && line_length(word) > 1 && word.end[-1] == ':' &&
	       word_is_digits((struct text_line){word.at, word.end - 1});
}

/* "[001]" */
static bool word_is_cpu(struct text_line word)
{
	return line_length(word) > 2 && *word.at == '[' &&
	       word_is_digits((struct text_line){word.at + 1, word.end - 1});
}

/* '-': "make-123" of ftrace; ' ': "123" or "123/124", after the name, of perf; else '\0'. */
static char word_task_style(struct text_line word)
{
	const char *dash = memrchr(word.at, '-', line_length(word));
	struct text_line rest = word, first = line_part(&rest, '/');

	if (word_is_count(first) && word_is_digits(rest))
		return ' ';
	return dash && dash > word.at && word_is_count((struct text_line){dash + 1, word.end})
	               ? '-' : '\0';
}

static size_t line_split(struct text_line line, struct text_line words[static WORDS_MAX])
{
	size_t count = 0;

	for (line_skip_blanks(&line); count < WORDS_MAX && line.at < line.end;
	     line_skip_blanks(&line))
		words[count++] = line_word(&line);
	return count;
}

/*
 * "TASK-PID (TGID) [CPU] FLAGS TIME:", some of these optional, is a line of ftrace, "TASK PID [CPU]
 * TIME:" of perf; see word_task_style().
 */
static char line_shape(struct text_line line)
{
	struct text_line words[WORDS_MAX];
	size_t count = line_split(line, words), at = 1;
	char task;

	while (at < count && !word_is_time(words[at]))
		at++;
	if (at >= count)
		return '\0';
	if (at > 1 && word_is_cpu(words[at - 2]))
		at--;
	at--;
	if (at > 0 && word_is_cpu(words[at]))
		at--;
	while (at > 0 && (*words[at].at == '(' || words[at].end[-1] == ')'))
		at--;
	task = word_task_style(words[at]);
	return task == ' ' && at == 0 ? '\0' : task;
}

/* "# tracer: irqsoff": all other tracers than nop print calls of functions. */
static bool tracer_describe(struct text_line line, struct buffer *to)
{
	struct text_line words[WORDS_MAX];
	size_t count = line_split(line, words);

	if (count < 2 || !word_is(words[0], "#") || !word_is(words[1], "tracer:"))
		return false;
	if (count < 3 || word_is(words[2], "nop"))
		buffer_puts(to, "the text of ftrace, as the file trace of tracefs has it, without "
		                "events; " FTRACE_MEND);
	else
		buffer_printf(to, "the text of ftrace with its tracer %.*s, without events; ftwait "
		              "needs these: before tracing, echo 1 > events/sched/enable",
		              (int)line_length(words[2]), words[2].at);
	return true;
}

/* Judges by the first complete line that is no comment, or names the tracer. */
static bool lines_describe(const char *head, size_t bytes, struct buffer *to)
{
	const char *end = head + bytes, *at = head;
	struct text_line line;

	while (line_next(&at, end, &line) && line.end < end) {
		char shape = line_shape(line);

		if (tracer_describe(line, to))
			return true;
		if (shape == '-')
			buffer_puts(to, "the text of ftrace, as trace_pipe and trace-cmd report "
			                "have it, without events; " FTRACE_MEND);
		else if (shape)
			buffer_puts(to, "the text of perf script, without tracepoints or their "
			                "CPUs; needed are perf record -a -e 'sched:*' and perf "
			                "script -F comm,tid,cpu,time,event,trace");
		if (shape)
			return true;
	}
	return false;
}

bool foreign_file_describe(const void *head, size_t bytes, struct buffer *to)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct foreign_row *row = &rows[i];

		if (row->offset + row->count > bytes ||
		    memcmp((const char *)head + row->offset, row->bytes, row->count) != 0)
			continue;
		buffer_printf(to, "%s; %s", row->what, row->mend);
		return true;
	}
	if (perfetto_is_trace(head, bytes)) {
		buffer_puts(to, "a Perfetto trace, so it seems; ftwait report reads it");
		return true;
	}
	return lines_describe(head, bytes, to);
}

bool foreign_folder_describe(int fd, struct buffer *to)
{
	static const char *const places[] = {"metadata", "kernel/metadata", "ust/uid"};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (faccessat(fd, places[i], F_OK, 0) == 0) {
			buffer_puts(to, "it is a directory with a CTF trace, as of LTTng; "
			                "babeltrace2 reads it" OURS);
			return true;
		}
	return false;
}
