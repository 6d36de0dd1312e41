/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seed_corpus FOLDER: writes the small well-formed files from which fuzzing starts into
 * FOLDER/datfile, FOLDER/live, FOLDER/page and FOLDER/unpack. Run it again when a format gains
 * something new.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "unit/source/packed_builder.h"
#include "unit/source/page_builder.h"
#include "unit/source/trace_builder.h"

static struct trace_builder builder;

static void keep(const char *folder, const char *kind, const char *name, const void *bytes,
                 size_t size)
{
	_cleanup_(freep) char *inside = xasprintf("%s/%s", folder, kind);
	_cleanup_(freep) char *path = xasprintf("%s/%s", inside, name);
	_cleanup_(fclosep) FILE *file = NULL;

	(void)mkdir(folder, 0777);
	(void)mkdir(inside, 0777);
	file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, size, file) != size) {
		perror(path);
		exit(1);
	}
}

static void keep_trace(const char *folder, const char *name, unsigned layout, enum packing packing,
                       void (*build)(struct trace_builder *builder))
{
	trace_builder_init(&builder, &page_layouts[layout]);
	builder.packing = packing;
	builder.table_clock = "[mono]";
	trace_builder_add_pages(&builder, 0, 3, 20);
	trace_builder_add_pages(&builder, 1, 1, 30);
	trace_builder_add_text(&builder, 4, "local [mono]\n");
	trace_builder_add_text(&builder, 5, "Linux node 6.1.0 x86_64");
	trace_builder_add_text(&builder, 7, "-100");
	trace_builder_add_text(&builder, 2, "CPU: 1\noverrun: 7\n");
	trace_builder_add_text(&builder, 9, "ftwait 0.1.0\ncommand 77\npids 5,6\ntask 5 5 S - a\n"
	                       "file 0 0a1b /usr/bin/a\nmaps 5 9\nmap 1000 2000 0 0\n"
	                       "jit 9000 10 f\nvariable 9100 8 _ZN1a1bE\nvariable 9200 -\n"
	                       "tick 250\ndevice 254:0 dm-0 a\\012b\n"
	                       "path 254:1 77 /a\\134b\nprogram 5 0 0 a\\040b \\ c\\...\n");
	trace_builder_add_option(&builder, 14, "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
	build(&builder);
	keep(folder, "datfile", name, builder.file.text, builder.file.length);
	trace_builder_release(&builder);
}

/* In rounds of a page of each CPU, as if it was read while it was written. */
static void keep_live(const char *folder, const char *name, unsigned layout)
{
	const unsigned rounds = 3, each = 20;

	trace_builder_init(&builder, &page_layouts[layout]);
	for (unsigned i = 0; i < 2; i++)
		trace_builder_add_pages(&builder, i, rounds, each);
	trace_builder_add_text(&builder, 4, "local [mono]\n");
	trace_builder_add_text(&builder, 9, "ftwait 0.1.0\ntask 5 5 S - a\n");
	trace_builder_begin_stream(&builder);
	for (unsigned round = 0; round < rounds; round++) {
		for (unsigned i = 0; i < 2; i++)
			trace_builder_block(&builder, STREAM_PAGES, i,
			                    builder.pages[i].text +
			                            round * builder.layout.page_bytes,
			                    builder.layout.page_bytes);
		trace_builder_reached(&builder, 1000000 + (uint64_t)(round + 1) * each * 100);
		if (round == 0)
			trace_builder_block(&builder, STREAM_CMDLINES, 0, "5 a\n", 4);
	}
	trace_builder_block(&builder, STREAM_END, 0, "", 0);
	keep(folder, "live", name, builder.file.text, builder.file.length);
	trace_builder_release(&builder);
}

static void keep_page(const char *folder, const char *name, unsigned layout)
{
	static struct page_builder page;
	static uint8_t bytes[1 + PAGE_BUILDER_MAX];

	page_builder_begin(&page, &page_layouts[layout], 1000000);
	page_builder_record(&page, 5, 32);
	page_builder_discarded(&page, 7, 16);
	page_builder_extend(&page, UINT64_C(1) << 40);
	page_builder_long_record(&page, 9, 130);
	page_builder_stamp(&page, UINT64_C(1) << 41);
	page_builder_record(&page, 3, 0);
	page_builder_end(&page, 3u << 30, 5);
	bytes[0] = (uint8_t)(page.layout.is_big_endian | (page.layout.commit_bytes == 4) << 1);
	for (size_t i = 0; i < page.used + 8; i++)
		bytes[1 + i] = page.page[i];
	keep(folder, "page", name, bytes, 1 + page.used + 8);
}

/* Two of them, one after the other, and what may follow. */
static void keep_packed(const char *folder, const char *name, enum stream_packer packer,
                        char pieces)
{
	struct buffer file;

	buffer_init(&file, 4096);
	buffer_putc(&file, pieces);
	packed_append(&file, packer, "one of many, many of many, one", 30);
	packed_append(&file, packer, "", 0);
	if (packer == PACKER_ZSTD)
		buffer_append(&file, "\120\052\115\030\3\0\0\0abc", 11);
	else
		buffer_append(&file, "\0\0\0", 3);
	keep(folder, "unpack", name, file.text, file.length);
	buffer_release(&file);
}

/* Lines that the text reader parses in different ways. */
static void keep_text(const char *folder, const char *name, const char *before, const char *end)
{
	static const char *const lines[] = {
		"# tracer: nop",
		"# entries-in-buffer/entries-written: 9/12   #P:2",
		"          <idle>-0     (-----) [001] d..2.  4128.050010: sched_switch: "
		"prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a-1 (x) "
		"next_pid=77 next_prio=110",
		"         a-1 (x)-77    (   70) [001] d..3.  4128.050400: sched_waking: comm=b "
		"pid=78 prio=120 success=1 target_cpu=000",
		"CPU:1 [LOST 12 EVENTS]",
		"         a-1 (x)-77    (   70) [001] ....1  4128.050410: tracing_mark_write: "
		"trace_event_clock_sync: realtime_ts=1697542281337",
		"         a-1 (x)-77    (   70) [001] ....1  4128.050420: tracing_mark_write: B|70|f",
		"         a-1 (x)-77    (   70) [001] d..1.  4128.050430: hrtimer_start: "
		"hrtimer=00000000b1d2fa31 function=hrtimer_wakeup expires=9 softexpires=8 "
		"mode=REL|PINNED",
		"         a-1 (x)-77    [000] 4128.050440: block_rq_complete: 259,12 R () 40 + 32 [0]",
		"         a-1 (x)-77    [000] d..1.  4128.050440: <stack trace>",
		" => schedule+0x12/0x40 [core]",
		" => do_nanosleep",
		"         a-1 (x)-77    (   70) [001] d..1.  4128.050450: sys_enter: NR 202 (1, 80, "
		"7f00, 0, 0, ffffffff)",
		"         a-1 (x)-77    (   70) [001] d..1.  4128.050450: contention_begin: "
		"00000000a1 (flags=SPIN|WRITE)",
		"  b-78   0dNh3.  4128.050460: signal_generate: sig=17 errno=0 code=1 comm=a-1 (x) "
		"pid=77 grp=1 res=0",
		"# nrcpus online : 2",
		"a-1 (x)    70/77    [001]  4128.050470: sched:sched_switch: prev_comm=a-1 (x) "
		"prev_pid=77 prev_prio=110 prev_state=X ==> next_comm=b next_pid=78 next_prio=120",
		"\tffffffff821f8298 __schedule+0x618 ([kernel.kallsyms])",
		"\t           ee137 read+0x7 (/usr/lib/libc.so.6)",
		"",
		":-1    -1 [001]  4128.050480123:    1 irq:softirq_entry: vec=9 [action=RCU]",
		":-1    -1 [001]  4128.050490: PERF_RECORD_LOST lost 3",
	};
	struct buffer text;

	buffer_init(&text, 8192);
	buffer_puts(&text, before);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		buffer_printf(&text, "%s%s", lines[i], end);
	keep(folder, "datfile", name, text.text, text.length);
	buffer_release(&text);
}

static void keep_shape(const char *folder, const char *name, const char *text)
{
	keep(folder, "datfile", name, text, strlen(text));
}

static void keep_utf16(const char *folder, const char *name, const char *text)
{
	struct buffer wide;

	buffer_init(&wide, 8192);
	buffer_append(&wide, "\xff\xfe", 2);
	for (; *text; text++) {
		buffer_putc(&wide, *text);
		buffer_append(&wide, "\0", 1);
	}
	keep(folder, "datfile", name, wide.text, wide.length);
	buffer_release(&wide);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: seed_corpus FOLDER\n");
		return 2;
	}
	keep_trace(argv[1], "v6-little64", 0, PACKING_NONE, trace_builder_v6);
	keep_trace(argv[1], "v6-big32", 3, PACKING_NONE, trace_builder_v6);
	keep_trace(argv[1], "v7-none", 0, PACKING_NONE, trace_builder_v7);
	keep_trace(argv[1], "v7-zlib-big64", 1, PACKING_ZLIB, trace_builder_v7);
	keep_trace(argv[1], "v7-zstd-little32", 2, PACKING_ZSTD, trace_builder_v7);
	keep_trace(argv[1], "stream-little64", 0, PACKING_NONE, trace_builder_stream);
	keep_trace(argv[1], "stream-big32", 3, PACKING_NONE, trace_builder_stream);
	keep_live(argv[1], "little64", 0);
	keep_live(argv[1], "big32", 3);
	keep_page(argv[1], "little64", 0);
	keep_page(argv[1], "big64", 1);
	keep_page(argv[1], "little32", 2);
	keep_page(argv[1], "big32", 3);
	keep_packed(argv[1], "gzip", PACKER_GZIP, 15);
	keep_packed(argv[1], "gzip-bit-by-bit", PACKER_GZIP, 0);
	keep_packed(argv[1], "zstd", PACKER_ZSTD, 15);
	keep_packed(argv[1], "zstd-bit-by-bit", PACKER_ZSTD, 0);
	keep_text(argv[1], "text-trace", "", "\n");
	keep_shape(argv[1], "text-dump",
	           "[  612.000001] sysrq: Dump ftrace buffer\n"
	           "[  612.000002]   <idle>-0         0d..2. 500000000us : sched_switch: "
	           "prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a "
	           "next_pid=77 next_prio=110\n"
	           "[  612.000003] CPU:0 [LOST 4155 EVENTS]\n"
	           "<4>[612.000004] a-77         0d.h2. 500000010us+: sys_read(fd: 3, buf: "
	           "0x55 \"a, b: 1\", count: 10)\n"
	           "<4>[612.000004] a-77         0d.h2. 500000012us+: sys_read -> 0x0\n");
	keep_shape(argv[1], "text-graph",
	           "# tracer: function_graph\n"
	           "    500.000000 |   0)     a-77      |               |  /* sched_waking: comm=b "
	           "pid=78 prio=120 target_cpu=000 */\n"
	           " 0)     a-77    =>    b-78\n"
	           "    500.000010 |   0)               |  /* irq_handler_entry: irq=3 name=x */\n"
	           "   0)               |  /* sched_waking: comm=b pid=78 prio=120 */\n");
	keep_shape(argv[1], "text-fields",
	           "            a-77    [001] d..2.  5.027630: sched_switch: prev_comm=a "
	           "prev_pid=0x4d (77) prev_prio=0x78 (120) prev_state=0x1 (1) next_comm=b "
	           "next_pid=0x4e (78) next_prio=0x78 (120)\n"
	           "            b-78    [001] .....  5.029699: sys_enter_close: __syscall_nr=0x3 (3) "
	           "fd=0xb (11)\n"
	           "            b-78    [001] .....  5.029709: sys_exit_close: __syscall_nr=0x3 (3) "
	           "ret=0x0 (0)\n");
	keep_shape(argv[1], "text-escaped",
	           "<pre>\n   &lt;idle&gt;-0     [001] d..2.  5.027630: sched_switch: prev_comm=a "
	           "prev_pid=0 prev_prio=120 prev_state=R ==&gt; next_comm=b&amp; next_pid=78 "
	           "next_prio=120\n");
	keep_utf16(argv[1], "text-utf16",
	           "            b-78    [001] d..2.  5.029699: sched_waking: comm=a pid=77 prio=120 "
	           "target_cpu=001\n");
	keep_text(argv[1], "text-html", "<html>\n<script>var linuxPerfData = \"\\\n",
	          "\\n\\\n");
	return 0;
}
