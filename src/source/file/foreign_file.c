/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "foreign_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "source/perfetto/wire.h"

int datfile_refuse_magic(const void *head, size_t bytes, struct buffer *why)
{
	_cleanup_(buffer_release) struct buffer what = {0};

	buffer_init(&what, 1000);
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

/* A word of a line. */
struct word {
	const char *at;
	size_t length;
};

static size_t digits_at(struct word word, size_t at)
{
	size_t from = at;

	while (at < word.length && word.at[at] >= '0' && word.at[at] <= '9')
		at++;
	return at - from;
}

/* "1234.567890:" */
static bool word_is_time(struct word word)
{
	size_t seconds = digits_at(word, 0);
	size_t rest = seconds < word.length ? digits_at(word, seconds + 1) : 0;

	return seconds > 0 && rest > 0 && seconds + rest + 2 == word.length &&
	       word.at[seconds] == '.' && word.at[word.length - 1] == ':';
}

/* "[001]" */
static bool word_is_cpu(struct word word)
{
	return word.length > 2 && word.at[0] == '[' && digits_at(word, 1) == word.length - 2;
}

/* '-': "make-123" of ftrace; ' ': "123" or "123/124", after the name, of perf; else '\0'. */
static char word_task_style(struct word word)
{
	size_t at = digits_at(word, 0);
	const char *dash = memrchr(word.at, '-', word.length);

	if (at > 0 && at < word.length && word.at[at] == '/')
		at += 1 + digits_at(word, at + 1);
	if (at > 0 && at == word.length)
		return ' ';
	if (!dash)
		return '\0';
	at = (size_t)(dash - word.at) + 1;
	return at > 1 && at < word.length && at + digits_at(word, at) == word.length ? '-' : '\0';
}

static size_t line_split(const char *line, const char *end, struct word words[static WORDS_MAX])
{
	size_t count = 0;

	while (count < WORDS_MAX) {
		while (line < end && *line == ' ')
			line++;
		if (line == end)
			break;
		words[count].at = line;
		while (line < end && *line != ' ')
			line++;
		words[count].length = (size_t)(line - words[count].at);
		count++;
	}
	return count;
}

/*
 * "TASK-PID (TGID) [CPU] FLAGS TIME:", some of these optional, is a line of ftrace, "TASK PID [CPU]
 * TIME:" of perf; see word_task_style().
 */
static char line_shape(const char *line, const char *end)
{
	struct word words[WORDS_MAX];
	size_t count = line_split(line, end, words), at = 1;
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
	while (at > 0 && (words[at].at[0] == '(' || words[at].at[words[at].length - 1] == ')'))
		at--;
	task = word_task_style(words[at]);
	return task == ' ' && at == 0 ? '\0' : task;
}

/* "# tracer: irqsoff": all other tracers than nop print calls of functions. */
static bool tracer_describe(const char *line, const char *line_end, struct buffer *to)
{
	struct word words[WORDS_MAX];
	size_t count = line_split(line, line_end, words);

	if (count < 2 || words[0].length != 1 || *words[0].at != '#' || words[1].length != 7 ||
	    memcmp(words[1].at, "tracer:", 7) != 0)
		return false;
	if (count < 3 || (words[2].length == 3 && memcmp(words[2].at, "nop", 3) == 0))
		buffer_puts(to, "the text of ftrace, as the file trace of tracefs has it, without "
		                "events; " FTRACE_MEND);
	else
		buffer_printf(to, "the text of ftrace with its tracer %.*s, without events; ftwait "
		              "needs these: before tracing, echo 1 > events/sched/enable",
		              (int)words[2].length, words[2].at);
	return true;
}

/* Judges by the first complete line that is no comment, or names the tracer. */
static bool lines_describe(const char *head, size_t bytes, struct buffer *to)
{
	const char *end = head + bytes, *at = head, *line_end;

	for (; at < end && (line_end = memchr(at, '\n', (size_t)(end - at))); at = line_end + 1) {
		char shape = line_shape(at, line_end);

		if (tracer_describe(at, line_end, to))
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
