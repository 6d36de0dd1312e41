/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "page_builder.h"
#include "source/source.h"
#include "source_drain.h"
#include "suites.h"
#include "trace_builder.h"

static struct trace_builder builder;
static struct drained drained;
static struct buffer why;

static void begin(const struct page_layout *layout)
{
	trace_builder_init(&builder, layout);
	buffer_init(&why, 4096);
	trace_builder_add_pages(&builder, 0, 5, 20);
	trace_builder_add_pages(&builder, 1, 2, 30);
	trace_builder_add_text(&builder, 4, "local global [mono] boot\n");
	trace_builder_add_text(&builder, 5, "Linux node 6.1.0-56-arm64 aarch64");
	trace_builder_add_text(&builder, 2, "CPU: 1\nentries: 60\noverrun: 7\ncommit overrun: 2\n"
	                                    "bytes: 9\ndropped events: 3\nread events: 1\n");
}

static void end(void)
{
	trace_builder_release(&builder);
	buffer_release(&why);
}

static struct source *open_built(void)
{
	return source_open_bytes(builder.file.text, builder.file.length, &why);
}

/* Completes the trace in version 6, and opens it, which must succeed. */
static struct source *open_v6(void)
{
	struct source *source;

	trace_builder_v6(&builder);
	source = open_built();
	ck_assert_msg(source != NULL, "%s", why.text);
	return source;
}

static void check_whole(struct source *source)
{
	char symbols[256];

	ck_assert_msg(source != NULL, "%s", why.text);
	source_drain(source, 0, &drained);
	ck_assert_uint_eq(drained.records, 160);
	ck_assert_uint_eq(drained.by_id[7], 160);
	ck_assert(!source->health.damaged);
	ck_assert_uint_eq(source->health.note_count, 0);
	ck_assert_str_eq(source->clock, "mono");
	ck_assert_uint_eq(source->stream_count, 2);
	ck_assert_uint_eq(source->streams[0].overrun, 0);
	ck_assert_uint_eq(source->streams[1].overrun, 12);
	ck_assert_uint_eq(source->cpu_count, 2);
	ck_assert_str_eq(source->kernel, "6.1.0-56-arm64");
	ck_assert_str_eq(source->arch, "aarch64");
	ck_assert_uint_eq(source->format_count, 1);
	ck_assert_str_eq(source->formats[0].system, "test");
	ck_assert_ptr_nonnull(strstr(source->formats[0].text, "name: tick"));
	ck_assert_uint_eq(source->notes.tasks.count, 2);
	ck_assert_int_eq(source->notes.tasks.item[1].tid, 102);
	ck_assert_str_eq(source->notes.tasks.item[1].comm, "beta gamma");
	ck_assert_int_eq(source_read_symbols(source, 0, symbols, sizeof(symbols)), 53);
	ck_assert_int_eq(source_read_symbols(source, 17, symbols, 7), 7);
	ck_assert_int_eq(memcmp(symbols, "T _text", 7), 0);
	ck_assert_int_eq(source_read_symbols(source, 53, symbols, 7), 0);
}

START_TEST(test_v6_whole)
{
	struct source *source;

	begin(&page_layouts[_i]);
	trace_builder_v6(&builder);
	source = open_built();
	check_whole(source);
	ck_assert_int_eq(source->is_big_endian, page_layouts[_i].is_big_endian);
	ck_assert_uint_eq(source->long_bytes, page_layouts[_i].commit_bytes);
	source_close(source);
	end();
}
END_TEST

START_TEST(test_v7_whole)
{
	for (builder.packing = PACKING_NONE; builder.packing <= PACKING_ZSTD;) {
		enum packing packing = builder.packing;
		struct source *source;

		begin(&page_layouts[_i]);
		builder.packing = packing;
		trace_builder_v7(&builder);
		source = open_built();
		check_whole(source);
		source_close(source);
		end();
		builder.packing = (enum packing)(packing + 1);
	}
}
END_TEST

/* Sub-buffers of 16 KiB on a machine whose pages are 4 KiB: the header speaks only of these. */
START_TEST(test_large_sub_buffers)
{
	struct page_layout layout = page_layouts[_i];
	struct source *source;

	layout.page_bytes = 16384;
	for (int version = 6; version <= 7; version++) {
		begin(&layout);
		if (version == 6)
			trace_builder_v6(&builder);
		else
			trace_builder_v7(&builder);
		page_builder_store(&layout, (uint8_t *)builder.file.text + 14, 4, 4096);
		source = open_built();
		check_whole(source);
		source_close(source);
		end();
	}
}
END_TEST

START_TEST(test_v7_distant_cpus)
{
	struct source *source;

	begin(&page_layouts[_i]);
	builder.cpu[0] = 3;
	builder.cpu[1] = 1000;
	trace_builder_v7(&builder);
	source = open_built();
	ck_assert_ptr_nonnull(source);
	ck_assert_uint_eq(source->streams[0].cpu, 3);
	ck_assert_uint_eq(source->streams[1].cpu, 1000);
	ck_assert_uint_eq(source->cpu_count, 1001);
	source_close(source);
	end();
}
END_TEST

START_TEST(test_table_clock)
{
	struct source *source;

	trace_builder_init(&builder, &page_layouts[_i]);
	buffer_init(&why, 4096);
	builder.table_clock = "[boot]";
	trace_builder_v6(&builder);
	source = open_built();
	ck_assert_ptr_nonnull(source);
	ck_assert_str_eq(source->clock, "boot");
	source_drain(source, 0, &drained);
	ck_assert_uint_eq(drained.records, 0);
	ck_assert(!source->health.damaged);
	source_close(source);
	end();
}
END_TEST

START_TEST(test_odd_options)
{
	static const char version[] = "ftwait 0.1.0\ncommand 4242\npids 5,6,,x,7\nfuture 1\n"
	                              "task 102 100 S - beta renamed\ntask 2 2 S k kthreadd\n"
	                              "read 123\ntask 9 9 - - later\ntask x 9 S -\n"
	                              "read\nread x\nread 123456789012345678901234567890\n"
	                              "task 11 11 S - eleven\n"
	                              "still 2\nstill 77\nstill x\nstill\n"
	                              "place 2 kthreadd;ret_from_fork\nplace 77 x\nplace 9\n"
	                              "end-place 2 kthreadd\nplace\nplace x y\n";
	uint8_t tsc[16] = {0};
	struct source *source;

	begin(&page_layouts[_i]);
	trace_builder_add_text(&builder, 9, version);
	trace_builder_add_option(&builder, 8, "tasks of an old writer", 22);
	trace_builder_add_option(&builder, 999, "?", 1);
	trace_builder_add_option(&builder, 14, tsc, 3);
	trace_builder_add_option(&builder, 4, "", 0);
	source = open_v6();
	ck_assert_str_eq(source->clock, "mono");
	ck_assert_uint_eq(source->cpu_count, 2);
	ck_assert_int_eq(source->notes.command.pid, 4242);
	ck_assert_uint_eq(source->notes.pids.count, 3);
	ck_assert_int_eq(source->notes.pids.item[2], 7);
	ck_assert_uint_eq(source->notes.tasks.count, 5);
	for (size_t task = 0; task < source->notes.tasks.count; task++)
		ck_assert_int_eq(source->notes.tasks.item[task].is_still_so,
		                 source->notes.tasks.item[task].tid == 2);
	ck_assert_str_eq(source->notes.tasks.item[1].comm, "beta renamed");
	ck_assert_int_eq(source->notes.tasks.item[1].tgid, 100);
	ck_assert_int_eq(source->notes.tasks.item[1].state, 'S');
	ck_assert(!source->notes.tasks.item[1].is_kernel);
	ck_assert(source->notes.tasks.item[2].is_kernel);
	ck_assert_str_eq(source->notes.tasks.item[2].place, "kthreadd;ret_from_fork");
	ck_assert_str_eq(source->notes.tasks.item[2].end_place, "kthreadd");
	ck_assert_ptr_null(source->notes.tasks.item[3].place);
	ck_assert_int_eq(source->notes.tasks.item[3].state, 0);
	ck_assert_uint_eq(source->notes.tasks.item[2].read, 0);
	ck_assert_uint_eq(source->notes.tasks.item[3].read, 123);
	ck_assert_uint_eq(source->notes.tasks.item[4].read, 0);
	source_drain(source, 0, &drained);
	ck_assert_uint_eq(drained.records, 160);
	source_close(source);
	end();
}
END_TEST

/* Groups and processes; a line that is not complete, or out of order, is ignored. */
START_TEST(test_groups_of_processes)
{
	static const char text[] =
		"ftwait 1\nhierarchies 0 x\nhierarchies 0 9\nhierarchies 1 2 3 4 5 6 7 8 9\n"
		"cgroup 1 0 /early\ncgroup 0 0 /a b.service\ncgroup 0 0 /again\ncgroup 1 -1 /x\n"
		"cgroup 1 9 x\ncgroup 1 9\ncgroup 1 9 /z\n"
		"process 7 1 0\nread 123\nprocess 8 7 1\nprocess 9 7 -\nprocess 10 7 2\n"
		"process 10 7 x\nprocess 0 7 1\nprocess 10 -1 1\nprocess 10 7\n"
		"end-process 11 8 1\ntarget-cgroup\ntarget-cgroup /a b*\n";
	struct source *source;

	begin(&page_layouts[_i]);
	trace_builder_add_text(&builder, 9, text);
	source = open_v6();
	ck_assert_uint_eq(source->notes.hierarchies.count, 2);
	ck_assert_uint_eq(source->notes.hierarchies.item[1], 9);
	ck_assert_uint_eq(source->notes.cgroups.count, 2);
	ck_assert_str_eq(source->notes.cgroups.item[0].path, "/a b.service");
	ck_assert_uint_eq(source->notes.cgroups.item[1].hierarchy, 9);
	ck_assert_uint_eq(source->notes.processes.count, 4);
	ck_assert_int_eq(source->notes.processes.item[0].tgid, 7);
	ck_assert_int_eq(source->notes.processes.item[0].parent, 1);
	ck_assert_uint_eq(source->notes.processes.item[0].cgroup, 0);
	ck_assert_uint_eq(source->notes.processes.item[0].read, 0);
	ck_assert_uint_eq(source->notes.processes.item[1].cgroup, 1);
	ck_assert_uint_eq(source->notes.processes.item[1].read, 123);
	ck_assert_uint_eq(source->notes.processes.item[2].cgroup, SOURCE_CGROUP_NONE);
	ck_assert_int_eq(source->notes.processes.item[3].tgid, 11);
	ck_assert(source->notes.processes.item[3].read == NSEC_NEVER);
	ck_assert_uint_eq(source->notes.target_cgroups.count, 1);
	ck_assert_str_eq(source->notes.target_cgroups.item[0], "/a b*");
	source_close(source);
	end();
}
END_TEST

/* What the options of the text tell; SUM of -1: nothing. */
START_TEST(test_stolen_time)
{
	static const struct {
		const char *text;
		bool is_guest;
		int64_t sum;
	} cases[] = {
		{"ftwait 1\nguest\nsteal 0 120\nsteal 1 3\n", true, 123},
		{"ftwait 1\nsteal 65535 0\n", false, 0},
		{"ftwait 1\nguest of somebody\n", true, -1},
		{"ftwait 1\n", false, -1},
		{"trace-cmd 3.1\nguest\nsteal 0 120\n", false, -1},
		{"ftwait 1\nsteal\nsteal 0\nsteal x 1\nsteal 0 x\nsteal 0 -1\nsteal 65536 1\n"
		 "steal 4294967296 1\nsteal 0 9223372036854775808\nsteal 0 99999999999999999999\n",
		 false, -1},
		{"ftwait 1\nsteal 0 9223372036854775807\nsteal 1 1\nsteal 1 0", false, INT64_MAX},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct source *source;

		begin(&page_layouts[_i]);
		trace_builder_add_text(&builder, 9, cases[i].text);
		source = open_v6();
		ck_assert(!source->health.damaged);
		ck_assert_int_eq(source->notes.machine.is_guest, cases[i].is_guest);
		ck_assert_int_eq(source->notes.machine.has_steal, cases[i].sum >= 0);
		if (source->notes.machine.has_steal)
			ck_assert_uint_eq(source->notes.machine.steal_ns, (uint64_t)cases[i].sum);
		source_close(source);
		end();
	}
}
END_TEST

/* Lines that are cut or out of range are left out. */
START_TEST(test_cpu_weight)
{
	static const char text[] = "ftwait 1\ncpu-weight 2 /a b\ncpu-weight\ncpu-weight 7\n"
		"cpu-weight 1000 /c\ncpu-weight -1 /d\ncpu-weight x /e\n";
	struct source *source;

	begin(&page_layouts[_i]);
	trace_builder_add_text(&builder, 9, text);
	source = open_v6();
	ck_assert_uint_eq(source->notes.cpu_weight.per_mille, 2);
	ck_assert_str_eq(source->notes.cpu_weight.by, "/a b");
	source_close(source);
	end();
}
END_TEST

START_TEST(test_cpu_limits)
{
	static const char text[] =
		"ftwait 1\ncpu-limit 10000000 100000000 291000000 3 w 0 /a b\n"
		"cpu-limit 1 2 0 0 - 77 /c\ncpu-limit\ncpu-limit 1 2 3 4 w\ncpu-limit 1 2 3 4 w /d\ncpu-limit 0 2 3 4 w 0 /d\n"
		"cpu-limit 1 0 3 4 w 0 /d\ncpu-limit 1 2 -3 4 w 0 /d\ncpu-limit 1 2 3 x w 0 /d\n"
		"cpu-limit 1 9223372036854775807 3 4 w 0 /d\n";
	struct source *source;

	begin(&page_layouts[_i]);
	trace_builder_add_text(&builder, 9, text);
	source = open_v6();
	ck_assert_uint_eq(source->notes.cpu_limits.count, 2);
	ck_assert_uint_eq(source->notes.cpu_limits.item[0].quota, 10000000);
	ck_assert_uint_eq(source->notes.cpu_limits.item[0].period, 100000000);
	ck_assert_uint_eq(source->notes.cpu_limits.item[0].throttled, 291000000);
	ck_assert_uint_eq(source->notes.cpu_limits.item[0].periods, 3);
	ck_assert(source->notes.cpu_limits.item[0].is_whole);
	ck_assert_str_eq(source->notes.cpu_limits.item[0].path, "/a b");
	ck_assert(!source->notes.cpu_limits.item[1].is_whole);
	ck_assert_uint_eq(source->notes.cpu_limits.item[1].since, 77);
	source_close(source);
	end();
}
END_TEST

static void check_pair(const struct realtime_pair *pair, nsec_t time, nsec_t real, nsec_t within)
{
	ck_assert_uint_eq(pair->time, time);
	ck_assert_uint_eq(pair->real, real);
	ck_assert_uint_eq(pair->within, within);
}

/* Lines that are cut, out of range or not in order are left out. */
START_TEST(test_realtime)
{
	static const char text[] =
		"ftwait 1\nrealtime\nrealtime 1\nrealtime 1 2\nrealtime 1 2 -3\nrealtime -1 2 3\n"
		"realtime 1 0 3\nrealtime 1 4611686018427387905 3\nrealtime x 2 3\n"
		"realtime 0 1795662725000000000 47\nrealtime 0 1795662726000000000 47\n"
		"realtime 99999999999999999999 5 0\nrealtime 4611686018427387905 5 0\n"
		"boot ce0aab39-9570-4f41-bcfe-3aebdbba25fa\nboot 2\nboot\n";
	struct source *source;
	struct buffer many;

	begin(&page_layouts[_i]);
	/* the pairs of the recorder are better */
	trace_builder_add_text(&builder, 1, "0x6000000000000");
	trace_builder_add_text(&builder, 9, text);
	trace_builder_add_text(&builder, 9, "ftwait 1\nrealtime 1000 1795662725000001000 48\n");
	source = open_v6();
	ck_assert(!source->health.damaged);
	ck_assert_uint_eq(source->notes.realtime.count, 2);
	check_pair(&source->notes.realtime.pair[0], 0, 1795662725000000000, 47);
	check_pair(&source->notes.realtime.pair[1], 1000, 1795662725000001000, 48);
	ck_assert_str_eq(source->notes.machine.boot_id, "ce0aab39-9570-4f41-bcfe-3aebdbba25fa");
	ck_assert_str_eq(source->notes.machine.host, "node");
	source_close(source);
	end();

	begin(&page_layouts[_i]);
	buffer_init(&many, BUFFER_LIMIT_DEFAULT);
	buffer_puts(&many, "ftwait 1\n");
	for (unsigned i = 0; i < 1000; i++)
		buffer_printf(&many, "realtime %u %u 0\n", i, i + 1);
	trace_builder_add_text(&builder, 9, many.text);
	buffer_release(&many);
	source = open_v6();
	ck_assert_uint_eq(source->notes.realtime.count, REALTIME_PAIRS_MAX);
	source_close(source);
	end();
}
END_TEST

/* A trace of which the recorder's own option has these lines below its first one. */
static struct source *open_with_lines(const struct page_layout *layout, const char *lines)
{
	struct source *source;
	char text[200];

	(void)snprintf(text, sizeof(text), "ftwait 1\n%s", lines);
	begin(layout);
	trace_builder_add_text(&builder, 9, text);
	source = open_v6();
	ck_assert(!source->health.damaged);
	return source;
}

static void close_with_lines(struct source *source)
{
	source_close(source);
	end();
}

/* The kernel's build id; of several the first one counts. */
START_TEST(test_build_id)
{
	static const struct {
		const char *lines, *id;
	} cases[] = {
		{"build-id e4f18d9dc1d0e6fc\n", "e4f18d9dc1d0e6fc"},
		{"build-id\nbuild-id 12\nbuild-id 34\n", "12"},
		{"build-id E4F1\n", NULL},
		{"build-id 12 34\n", NULL},
		{"build-id 12\x1b[1m\n", NULL},
		{"build-id-1 12\n", NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct source *source = open_with_lines(&page_layouts[_i], cases[i].lines);

		ck_assert_pstr_eq(source->notes.machine.kernel_build_id, cases[i].id);
		close_with_lines(source);
	}
}
END_TEST

/* A machine that is not 32 digits is left out; of several the first one counts. */
START_TEST(test_machine)
{
	static const struct {
		const char *lines, *machine;
	} cases[] = {
		{"machine 2b310a0ced994b23be13e5caac5feea3\n", "2b310a0ced994b23be13e5caac5feea3"},
		{"machine 2b310a0ced994b23be13e5caac5feea3\n"
	         "machine 00310a0ced994b23be13e5caac5feea3\n", "2b310a0ced994b23be13e5caac5feea3"},
		{"machine 2b310a0ced994b23be13e5caac5feea\n"
	         "machine 00310a0ced994b23be13e5caac5feea3\n", "00310a0ced994b23be13e5caac5feea3"},
		{"machine\n", NULL},
		{"machine \n", NULL},
		{"machine 2b310a0ced994b23be13e5caac5feea\n", NULL},
		{"machine 2b310a0ced994b23be13e5caac5feea33\n", NULL},
		{"machine 2B310a0ced994b23be13e5caac5feea3\n", NULL},
		{"machine 2b310a0ced994b23be13e5caac5feea3 \n", NULL},
		{"machine  2b310a0ced994b23be13e5caac5feea\n", NULL},
		{"machine 2b310a0c-ed99-4b23-be13-e5caac5feea3\n", NULL},
		{"machine 2b310a0ced994b23be13e5caac5f\x1b[1m\n", NULL},
		{"machine uninitialized\n", NULL},
		{"boot 2b310a0ced994b23be13e5caac5feea3\n", NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct source *source = open_with_lines(&page_layouts[_i], cases[i].lines);

		ck_assert_pstr_eq(source->notes.machine.machine_id, cases[i].machine);
		close_with_lines(source);
	}
}
END_TEST

/* `record --ring` says so in one word. */
START_TEST(test_ring)
{
	static const struct {
		const char *lines;
		bool keeps_newest;
	} cases[] = {
		{"ring\n", true}, {"asked default\nring\n", true}, {"ring 1\n", false},
		{"rings\n", false}, {"asked ring\n", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct source *source = open_with_lines(&page_layouts[_i], cases[i].lines);

		ck_assert(source->notes.keeps_newest == cases[i].keeps_newest);
		close_with_lines(source);
	}
}
END_TEST

/* Option DATE of trace-cmd: microseconds from a stamp in the file to the time of day. */
START_TEST(test_date)
{
	static const struct {
		const char *date, *offset;
		nsec_t time, real; /* real 0: none */
	} cases[] = {
		{"0x10", NULL, 0, 16000},
		{"0x66217ef5ec800", NULL, 0, 1796704800000000000},
		{"16", NULL, 0, 16000},
		/* stamps that were moved by option OFFSET */
		{"0x10", "500", 500, 16000},
		{"0x10", "-500", 0, 16500},
		{"", NULL, 0, 0},
		{"0x", NULL, 0, 0},
		{"-0x10", NULL, 0, 0},
		{"yesterday", NULL, 0, 0},
		{"0xffffffffffffffffffff", NULL, 0, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct source *source;

		begin(&page_layouts[_i]);
		trace_builder_add_text(&builder, 1, cases[i].date);
		if (cases[i].offset)
			trace_builder_add_text(&builder, 7, cases[i].offset);
		source = open_v6();
		ck_assert_uint_eq(source->notes.realtime.count, cases[i].real > 0);
		if (cases[i].real > 0)
			check_pair(&source->notes.realtime.pair[0], cases[i].time,
			           cases[i].real, 0);
		source_close(source);
		end();
	}
}
END_TEST

START_TEST(test_host)
{
	static const struct {
		const char *uname, *host, *kernel, *arch;
	} cases[] = {
		{"Linux db7 6.1.0 aarch64", "db7", "6.1.0", "aarch64"},
		{"Linux 6.1.0 aarch64", NULL, "6.1.0", "aarch64"},
		{"6.1.0 aarch64", NULL, "6.1.0", "aarch64"},
		{"aarch64", NULL, NULL, "aarch64"},
		{"  ", NULL, NULL, NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct source *source;

		begin(&page_layouts[_i]);
		trace_builder_add_text(&builder, 5, cases[i].uname);
		source = open_v6();
		ck_assert_pstr_eq(source->notes.machine.host, cases[i].host);
		ck_assert_pstr_eq(source->kernel, cases[i].kernel);
		ck_assert_pstr_eq(source->arch, cases[i].arch);
		source_close(source);
		end();
	}
}
END_TEST

/* A line with anything but ports, or with too many, is left out as a whole. */
START_TEST(test_listening)
{
	static const char text[] = "ftwait 1\nlisten 22 45000\nlisten\nlisten 80 x\nlisten 0\n"
				   "listen 65536\nlisten -1\nlisten 80,81\nlisten 80  81\nlisten 65535\n";
	struct source *source;
	struct buffer many;

	begin(&page_layouts[_i]);
	trace_builder_add_text(&builder, 9, text);
	buffer_init(&many, BUFFER_LIMIT_DEFAULT);
	buffer_puts(&many, "ftwait 1\nlisten");
	for (unsigned i = 0; i < 5000; i++)
		buffer_printf(&many, " %u", i + 1);
	buffer_putc(&many, '\n');
	trace_builder_add_text(&builder, 9, many.text);
	buffer_release(&many);
	source = open_v6();
	ck_assert_uint_eq(source->notes.listening.count, 3);
	ck_assert_uint_eq(source->notes.listening.item[0], 22);
	ck_assert_uint_eq(source->notes.listening.item[1], 45000);
	ck_assert_uint_eq(source->notes.listening.item[2], 65535);
	source_close(source);
	end();
}
END_TEST

/* Lines that are cut or out of range are left out; names are unescaped. */
START_TEST(test_devices)
{
	static const char text[] =
		"ftwait 1\ndevice 254:0 vda\ndevice 253:1 dm-1 vg-a b\\012c\\134\n"
		"device 4095:1048575 cciss/c0d0 \ndevice\ndevice 8\ndevice 8:\ndevice 8:1\n"
		"device 8:1 \ndevice :1 a\ndevice 0:0 a\ndevice 4096:0 a\ndevice 8:1048576 a\n"
		"device -1:1 a\ndevice 8:1x a\ndevice 99999999999999999999:1 a\n"
		"device 8:2  a\ndevice 8:3 \\000\\9\n";
	struct source *source;
	struct buffer many;

	begin(&page_layouts[_i]);
	trace_builder_add_text(&builder, 9, text);
	buffer_init(&many, BUFFER_LIMIT_DEFAULT);
	buffer_puts(&many, "ftwait 1\ndevice 8:4 ");
	for (unsigned i = 0; i < 129; i++)
		buffer_putc(&many, 'a');
	for (unsigned i = 0; i < SOURCE_DEVICES_MAX + 10; i++)
		buffer_printf(&many, "\ndevice 9:%u a", i);
	buffer_putc(&many, '\n');
	trace_builder_add_text(&builder, 9, many.text);
	buffer_release(&many);
	source = open_v6();
	ck_assert_uint_eq(source->notes.devices.count, SOURCE_DEVICES_MAX);
	ck_assert_uint_eq(source->notes.devices.item[0].dev, 254u << 20);
	ck_assert_str_eq(source->notes.devices.item[0].name, "vda");
	ck_assert_ptr_null(source->notes.devices.item[0].mapped);
	ck_assert_uint_eq(source->notes.devices.item[1].dev, 253u << 20 | 1);
	ck_assert_str_eq(source->notes.devices.item[1].name, "dm-1");
	ck_assert_str_eq(source->notes.devices.item[1].mapped, "vg-a b\nc\\");
	ck_assert_uint_eq(source->notes.devices.item[2].dev, UINT32_MAX);
	ck_assert_str_eq(source->notes.devices.item[2].name, "cciss/c0d0");
	ck_assert_ptr_null(source->notes.devices.item[2].mapped);
	ck_assert_uint_eq(source->notes.devices.item[3].dev, 8u << 20 | 3);
	ck_assert_str_eq(source->notes.devices.item[3].name, "\\000\\9");
	ck_assert_str_eq(source->notes.devices.item[4].name, "a");
	source_close(source);
	end();
}
END_TEST

START_TEST(test_paths)
{
	static const char text[] =
		"ftwait 1\npath 254:1 77 /var/lib/x y/lock\npath 0:45 1 /a\\012b (deleted)\n"
		"path\npath 254:1\npath 254:1 77\npath 254:1 77 \npath 254:1 0 /a\npath 254:1 -1 /a\n"
		"path 254:1 9223372036854775808 /a\npath 254:1 x /a\npath 0:0 5 /a\npath fe:01 5 /a\n"
		"path 254:1 9223372036854775807 /last\n";
	struct source *source;
	struct buffer many;

	begin(&page_layouts[_i]);
	trace_builder_add_text(&builder, 9, text);
	buffer_init(&many, BUFFER_LIMIT_DEFAULT);
	for (unsigned i = 0; i < 2; i++) {
		buffer_printf(&many, "%s\npath 254:1 %u ", i ? "" : "ftwait 1", i + 1);
		for (unsigned j = 0; j < 4096 + i; j++)
			buffer_putc(&many, 'a');
	}
	buffer_putc(&many, '\n');
	trace_builder_add_text(&builder, 9, many.text);
	buffer_release(&many);
	source = open_v6();
	ck_assert_uint_eq(source->notes.paths.count, 4);
	ck_assert_uint_eq(source->notes.paths.item[0].dev, 254u << 20 | 1);
	ck_assert_uint_eq(source->notes.paths.item[0].inode, 77);
	ck_assert_str_eq(source->notes.paths.item[0].path, "/var/lib/x y/lock");
	ck_assert_str_eq(source->notes.paths.item[1].path, "/a\nb (deleted)");
	ck_assert_uint_eq(source->notes.paths.item[2].inode, INT64_MAX);
	ck_assert_uint_eq(source->notes.paths.item[3].inode, 1);
	ck_assert_uint_eq(strlen(source->notes.paths.item[3].path), 4096);
	source_close(source);
	end();
}
END_TEST

START_TEST(test_programs)
{
	static const char text[] =
		"ftwait 1\nprogram 7 0 0 make -j2\nprogram 8 100 120 sh -c a\\040b \\ \\...\n"
		"program\nprogram 7\nprogram 7 0\nprogram 7 0 0\nprogram 7 0 0 \n"
		"program 0 0 0 a\nprogram -7 0 0 a\nprogram 7 - 0 a\nprogram 7 -1 0 a\n"
		"program 7 2 1 a\nprogram 2147483648 0 0 a\nprogram 7 0 9223372036854775808 a\n"
		"program 7 0 0  a\nprogram 7 0 0 a \nprogram 7 0 0 a\\0\n"
		"program 7 0 0 a\033b\n";
	struct source *source;
	struct buffer many;

	begin(&page_layouts[_i]);
	trace_builder_add_text(&builder, 9, text);
	buffer_init(&many, 1u << 23);
	buffer_puts(&many, "ftwait 1");
	for (unsigned i = 0; i < SOURCE_PROGRAMS_MAX; i++)
		buffer_puts(&many, "\nprogram 9 1 2 a");
	trace_builder_add_text(&builder, 9, many.text);
	buffer_release(&many);
	source = open_v6();
	ck_assert_uint_eq(source->notes.programs.count, SOURCE_PROGRAMS_MAX);
	ck_assert_int_eq(source->notes.programs.item[0].tgid, 7);
	ck_assert_uint_eq(source->notes.programs.item[0].begin, 0);
	ck_assert_str_eq(source->notes.programs.item[0].text, "make -j2");
	ck_assert_int_eq(source->notes.programs.item[1].tgid, 8);
	ck_assert_uint_eq(source->notes.programs.item[1].begin, 100);
	ck_assert_uint_eq(source->notes.programs.item[1].read, 120);
	ck_assert_str_eq(source->notes.programs.item[1].text, "sh -c a\\040b \\ \\...");
	ck_assert_int_eq(source->notes.programs.item[2].tgid, 9);
	source_close(source);
	end();
}
END_TEST

static nsec_t first_time(void)
{
	struct source *source = open_built();
	struct record_batch batch;
	nsec_t time;

	ck_assert_msg(source != NULL, "%s", why.text);
	ck_assert_int_eq(source_next_batch(source, 0, &batch), PULL_ITEM);
	time = batch.records[0].time;
	source_close(source);
	return time;
}

START_TEST(test_time_conversion)
{
	static const struct {
		const char *offset;
		uint32_t mult, shift;
		nsec_t expected;
	} cases[] = {
		{"500", 0, 0, 1000500},         {"-500", 0, 0, 999500},
		{"0x10", 0, 0, 1000016},        {"-99999999", 0, 0, 0},
		{"nonsense", 0, 0, 1000000},    {"0", 3, 1, 1500000},
		{"1", 1u << 31, 31, 1000001},   {"0", UINT32_MAX, 0, 4294967295000000},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t tsc[16] = {0};

		begin(&page_layouts[_i]);
		trace_builder_add_text(&builder, 7, cases[i].offset);
		page_builder_store(&builder.layout, tsc, 4, cases[i].mult);
		page_builder_store(&builder.layout, tsc + 4, 4, cases[i].shift);
		trace_builder_add_option(&builder, 14, tsc, sizeof(tsc));
		trace_builder_v6(&builder);
		ck_assert_uint_eq(first_time(), cases[i].expected);
		end();
	}
}
END_TEST

/* A version 6 file cut at any byte: nothing before the tables, afterwards all up to the cut. */
START_TEST(test_v6_cut_anywhere)
{
	uint64_t before = 0;
	size_t whole;

	begin(&page_layouts[_i]);
	trace_builder_v6(&builder);
	whole = builder.file.length;
	for (size_t size = 0; size < whole; size += size < builder.data_begin ? 7 : 41) {
		struct source *source;

		buffer_clear(&why);
		source = source_open_bytes(builder.file.text, size, &why);
		if (!source) {
			ck_assert_uint_lt(size, builder.data_begin);
			continue;
		}
		source_drain(source, 0, &drained);
		ck_assert(source->health.damaged);
		ck_assert_uint_gt(source->health.note_count, 0);
		ck_assert_uint_ge(drained.records, before);
		ck_assert_uint_le(drained.records, 160);
		before = drained.records;
		source_close(source);
	}
	ck_assert_uint_gt(before, 155);
	end();
}
END_TEST

/* Version 7 loses its tables with its end, and still nearly all pages are found. */
START_TEST(test_v7_cut_anywhere)
{
	enum packing packing = (enum packing)_i;
	uint64_t most = 0;

	begin(&page_layouts[0]);
	builder.packing = packing;
	trace_builder_v7(&builder);
	for (size_t size = 0; size < builder.file.length; size += 37) {
		struct source *source;

		buffer_clear(&why);
		source = source_open_bytes(builder.file.text, size, &why);
		if (!source) {
			ck_assert_uint_le(size, builder.data_begin + 40);
			continue;
		}
		source_drain(source, 0, &drained);
		ck_assert(source->health.damaged);
		ck_assert_uint_le(drained.records, 160);
		ck_assert_uint_eq(source->format_count, 1);
		if (drained.records > most)
			most = drained.records;
		source_close(source);
	}
	ck_assert_uint_eq(most, 160);
	end();
}
END_TEST

/*
 * A file with holes claims a packed section of a size that no section has: it is not worth the
 * memory, which a 32-bit program does not even have.
 */
START_TEST(test_v7_huge_packed_section)
{
	static const uint8_t formats[] = {18, 0, 1, 0}; /* packed; little-endian as the layout is */
	const uint32_t huge = 1u << 30;
	struct source *source;
	struct rusage usage;
	uint8_t *section, size[8];
	char *path;

	begin(&page_layouts[0]);
	ck_assert(!builder.layout.is_big_endian);
	builder.packing = PACKING_ZSTD;
	trace_builder_v7(&builder);
	section = memmem(builder.file.text, builder.file.length, formats, sizeof(formats));
	ck_assert_ptr_nonnull(section);
	page_builder_store(&builder.layout, size, 8, huge + 8);
	memcpy(section + 8, size, 8);
	page_builder_store(&builder.layout, size, 4, huge);
	memcpy(section + 16, size, 4);
	path = trace_builder_write(builder.file.text, builder.file.length);
	ck_assert_int_eq(truncate(path, (off_t)huge * 2), 0);
	ck_assert_int_eq(source_open(path, &source, &why), 0);
	ck_assert(source->health.damaged);
	ck_assert_uint_eq(source->format_count, 0);
	source_close(source);
	ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
	ck_assert_int_lt(usage.ru_maxrss, (long)(huge / 2 / 1024));
	(void)unlink(path);
	free(path);
	end();
}
END_TEST

START_TEST(test_damaged_page)
{
	struct source *source;

	begin(&page_layouts[_i]);
	trace_builder_v6(&builder);
	memset(builder.file.text + builder.data_begin + 4096 + 8, 0xff, 8);
	source = open_built();
	ck_assert_ptr_nonnull(source);
	source_drain(source, 0, &drained);
	ck_assert_uint_eq(drained.records, 140);
	ck_assert_uint_eq(drained.losses, 1);
	ck_assert(source->health.damaged);
	ck_assert_ptr_nonnull(strstr(source->health.notes[0], "page 1 of cpu 0"));
	source_close(source);
	end();
}
END_TEST

/* A length in the formats that leads nowhere costs the formats, not the events. */
START_TEST(test_damaged_head)
{
	struct source *source;
	char *at;

	begin(&page_layouts[_i]);
	trace_builder_v6(&builder);
	at = memmem(builder.file.text, builder.file.length, "name: tick", 10);
	memset(at - 8, 0x7f, 8);
	source = open_built();
	ck_assert_msg(source != NULL, "%s", why.text);
	source_drain(source, 0, &drained);
	ck_assert_uint_eq(drained.records, 160);
	ck_assert(source->health.damaged);
	ck_assert_ptr_nonnull(strstr(source->health.notes[0], "the head makes no sense"));
	ck_assert_str_eq(source->clock, "mono");
	source_close(source);
	end();
}
END_TEST

static void check_refused(const char *text)
{
	struct source *source = open_built();

	ck_assert_ptr_null(source);
	ck_assert_msg(strstr(why.text, text) != NULL, "%s", why.text);
	end();
}

START_TEST(test_refusals)
{
	char *at;

	begin(&page_layouts[_i]);
	buffer_puts(&builder.file, "just some text that is long enough to be read as a header");
	check_refused("not a trace.dat");

	begin(&page_layouts[_i]);
	trace_builder_v6(&builder);
	builder.file.text[10] = '5';
	check_refused("version '5'");

	begin(&page_layouts[_i]);
	trace_builder_v6(&builder);
	at = memmem(builder.file.text, builder.file.length, "flyrecord", 10);
	memcpy(at, "latency  ", 10);
	check_refused("latency tracer");

	begin(&page_layouts[_i]);
	builder.packing = PACKING_ZLIB;
	trace_builder_v7(&builder);
	at = memmem(builder.file.text, builder.file.length, "zlib", 5);
	memcpy(at, "lzma", 5);
	check_refused("compressed with 'lzma'");

	begin(&page_layouts[_i]);
	trace_builder_v6(&builder);
	at = memmem(builder.file.text, builder.file.length, "print fmt", 9);
	builder.file.length = (size_t)(at - builder.file.text);
	check_refused("truncated inside the event formats of system test");
}
END_TEST

/* Tables that claim the same bytes for many CPUs must not make reading them any longer. */
START_TEST(test_overlapping_cpus)
{
	struct source *source;
	char *at;

	begin(&page_layouts[_i]);
	trace_builder_v6(&builder);
	at = memmem(builder.file.text, builder.file.length, "flyrecord", 10);
	memcpy(at + 10 + 16, at + 10, 8);
	page_builder_store(&builder.layout, (uint8_t *)at + 10 + 24, 8, builder.file.length);
	source = open_built();
	ck_assert_ptr_nonnull(source);
	source_drain(source, 0, &drained);
	ck_assert_uint_le(drained.records, 260);
	ck_assert(source->health.damaged);
	source_close(source);
	end();
}
END_TEST

Suite *datfile_source_suite(void)
{
	Suite *suite = suite_create("datfile_source");
	TCase *all = tcase_create("all");

	tcase_set_timeout(all, 60);
	tcase_add_loop_test(all, test_v6_whole, 0, 4);
	tcase_add_loop_test(all, test_v7_whole, 0, 4);
	tcase_add_loop_test(all, test_large_sub_buffers, 0, 4);
	tcase_add_loop_test(all, test_v7_distant_cpus, 0, 4);
	tcase_add_loop_test(all, test_table_clock, 0, 4);
	tcase_add_loop_test(all, test_odd_options, 0, 4);
	tcase_add_loop_test(all, test_stolen_time, 0, 4);
	tcase_add_loop_test(all, test_cpu_limits, 0, 4);
	tcase_add_loop_test(all, test_cpu_weight, 0, 4);
	tcase_add_loop_test(all, test_realtime, 0, 4);
	tcase_add_loop_test(all, test_build_id, 0, 4);
	tcase_add_loop_test(all, test_machine, 0, 4);
	tcase_add_loop_test(all, test_ring, 0, 4);
	tcase_add_loop_test(all, test_date, 0, 4);
	tcase_add_loop_test(all, test_host, 0, 4);
	tcase_add_loop_test(all, test_listening, 0, 4);
	tcase_add_loop_test(all, test_devices, 0, 4);
	tcase_add_loop_test(all, test_paths, 0, 4);
	tcase_add_loop_test(all, test_programs, 0, 4);
	tcase_add_loop_test(all, test_time_conversion, 0, 4);
	tcase_add_loop_test(all, test_v6_cut_anywhere, 0, 4);
	tcase_add_loop_test(all, test_v7_cut_anywhere, 0, 3);
	tcase_add_test(all, test_v7_huge_packed_section);
	tcase_add_loop_test(all, test_damaged_page, 0, 4);
	tcase_add_loop_test(all, test_damaged_head, 0, 4);
	tcase_add_loop_test(all, test_refusals, 0, 4);
	tcase_add_loop_test(all, test_overlapping_cpus, 0, 4);
	tcase_add_loop_test(all, test_groups_of_processes, 0, 4);
	suite_add_tcase(suite, all);
	return suite;
}
