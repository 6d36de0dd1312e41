/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/text/text_source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "catalog/tracepoint.h"
#include "decode/event_decoder.h"
#include "decode/symbols.h"
#include "merge/merger.h"
#include "source/text/text_events.h"
#include "source_drain.h"
#include "suites.h"

#define HEAD(cpu, time) "            make-77      (     70) [00" #cpu "] d..2. " time ": "

static struct buffer why;

static struct source *open_text(const char *text)
{
	struct source *source;

	buffer_init(&why, 1000);
	source = source_open_bytes(text, strlen(text), &why);
	ck_assert_msg(source != NULL, "%s", why.text);
	buffer_release(&why);
	return source;
}

/* Decodes all records in the order of the merger; at most `size`. */
static size_t decode_all(struct source *source, struct event *to, size_t size, uint64_t *ret_lost)
{
	struct decoder *decoder = decoder_new(source);
	struct merger *merger = merger_new(source);
	struct merged_run run;
	size_t count = 0;

	*ret_lost = 0;
	while (merger_next(merger, &run)) {
		*ret_lost += run.lost_events;
		for (size_t i = 0; i < run.count; i++) {
			ck_assert_uint_lt(count, size);
			to[count] = (struct event){.kind = EVENT_KIND_COUNT};
			if (decoder_decode(decoder, &run.records[i], run.cpu, &to[count]) !=
			    DECODE_EVENT)
				to[count].time = run.records[i].time;
			count++;
		}
	}
	(void)merger_free(merger);
	(void)decoder_free(decoder);
	return count;
}

static const struct {
	const char *state;
	char letter;
	bool was_running;
} states[] = {
	{"S", 'S', false},  {"R", 'R', false}, {"R+", 'R', true},    {"D", 'D', false},
	{"D|K", 'D', false}, {"D|N", 'I', false}, {"x", 'X', false}, {"t", 't', false},
	{"I", 'I', false},  {"W", 'I', false}, {"Z", 'Z', false}, {"S+", 'S', true},    {"P", 'P', false},
};

#define WIDE_LINES 9000

/* More than the reader has in memory at once: a character must not be read in two parts. */
START_TEST(wide_text_is_read_to_its_end)
{
	struct buffer text, wide;
	static struct drained drained;
	struct source *source;
	uint64_t events = 0;

	buffer_init(&text, 1u << 21);
	buffer_init(&wide, 1u << 22);
	for (unsigned i = 0; i < WIDE_LINES; i++)
		buffer_printf(&text,
		              "  make-77 [001] d..2 5.%06u: sched_waking: comm=%.*s pid=80 "
		              "prio=120 target_cpu=000\n",
		              i, (int)(i % 7), "abcdefg");
	buffer_puts(&wide, _i ? "\xfe\xff" : "\xff\xfe");
	for (size_t i = 0; i < text.length; i++) {
		buffer_append(&wide, _i ? "" : &text.text[i], 1);
		buffer_append(&wide, _i ? &text.text[i] : "", 1);
	}
	buffer_init(&why, 1000);
	source = source_open_bytes(wide.text, wide.length, &why);
	ck_assert_msg(source != NULL, "%s", why.text);
	buffer_release(&why);
	source_drain(source, 0, &drained);
	for (size_t id = 0; id < ARRAY_SIZE(drained.by_id); id++)
		events += drained.by_id[id];
	ck_assert_uint_eq(events, WIDE_LINES);
	source_close(source);
	buffer_release(&text);
	buffer_release(&wide);
}
END_TEST

/* As pages of systrace have them, and the shell of an old phone; a later table adds to them. */
#define TABLES                                                                                 \
	"USER           PID  PPID     VSZ    RSS WCHAN  PC S NAME                COMM\n"        \
	"root             2     0       0      0 kthreadd 0 S [kthreadd]          2\n"           \
	"root             8     2       0      0 smpboot 0 S [ksoftirqd/0]        8\n"           \
	"u0_a157         70  9162 1532720 307340 SyS_epo 0 S com.example.a_longer_name app\n"    \
	"USER           PID   TID CMD\n"                                                        \
	"u0_a157         70    77 make\n"                                                        \
	"u0_a157         70    78 Jit thread pool\n"                                             \
	"no row\n"                                                                              \
	"u0_a157         70    79 late\n"                                                        \
	"USER     PID   PPID  VSIZE  RSS     WCHAN    PC         NAME\n"                         \
	"root      99    1     6872   1744  sys_epoll_ 0000000000 S /sbin/ueventd\n"             \
	"root      70    1     6872   1744  sys_epoll_ 0000000000 S /other\n"                     \
	"UID          PID    PPID  C STIME TTY          TIME CMD\n"                               \
	"root         700      1  0 Nov29 ?        00:00:02 /usr/sbin/sshd -D -o a\n"

START_TEST(tables_of_processes)
{
	struct source *source = open_text(
		TABLES HEAD(0, "5.000001") "sched_waking: comm=b pid=80 prio=120 target_cpu=000\n");
	const struct recording_notes *notes = &source->notes;
	const struct known_task *task = notes->tasks.item;

	ck_assert_uint_eq(notes->processes.count, 5);
	ck_assert_int_eq(notes->processes.item[2].tgid, 70);
	ck_assert_int_eq(notes->processes.item[2].parent, 9162);
	ck_assert_int_eq(notes->processes.item[3].tgid, 99);
	ck_assert_uint_eq(notes->programs.count, 3);
	ck_assert_int_eq(notes->programs.item[0].tgid, 70);
	ck_assert_int_eq(strncmp(notes->programs.item[0].text, "com.example.a_longer_name", 25), 0);
	ck_assert_int_eq(strncmp(notes->programs.item[1].text, "/sbin/ueventd", 13), 0);
	ck_assert_int_eq(strncmp(notes->programs.item[2].text, "/usr/sbin/sshd", 14), 0);
	ck_assert_uint_eq(notes->tasks.count, 7);
	ck_assert_int_eq(task[0].tid, 2);
	ck_assert(task[0].is_kernel && task[1].is_kernel && !task[2].is_kernel);
	ck_assert_int_eq(task[3].tid, 77);
	ck_assert_int_eq(task[3].tgid, 70);
	ck_assert_int_eq(task[4].tid, 78);
	ck_assert_str_eq(task[4].comm, "Jit thread pool");
	ck_assert_int_eq(task[5].tid, 99);
	source_close(source);
}
END_TEST

/* The event's texts are of the record, which ends with the source. */
START_TEST(states_are_read)
{
	_cleanup_(freep) char *text = xasprintf(
		HEAD(1, "5.000001") "sched_switch: prev_comm=a =b prev_pid=77 prev_prio=120 "
		"prev_state=%s ==> next_comm=prev_pid=1 next_pid=-3 next_prio=98 extra=1\n",
		states[_i].state);
	struct source *source = open_text(text);
	struct event event[4];
	uint64_t lost;

	ck_assert_uint_eq(decode_all(source, event, ARRAY_SIZE(event), &lost), 1);
	ck_assert_int_eq(event[0].kind, EVENT_SCHED_SWITCH);
	ck_assert_int_eq(event[0].cpu, 1);
	ck_assert_int_eq(event[0].tid, 77);
	ck_assert_int_eq((char)event[0].sched_switch.letter, states[_i].letter);
	ck_assert_int_eq(event[0].sched_switch.was_running != 0, states[_i].was_running);
	ck_assert_int_eq(event[0].sched_switch.next_tid, -3);
	ck_assert_int_eq(event[0].sched_switch.next_priority, 98);
	ck_assert_uint_eq(event[0].flags, EVENT_IRQS_OFF);
	(void)source_close(source);
}
END_TEST

/* Tasks that perf does not name, frames, losses and the header. */
START_TEST(perf_script_is_read)
{
	static const char text[] =
		"# hostname : node\n# arch : x86_64\n# nrcpus online : 4\n"
		"a b 5/7 [001] 5.000001: sched:sched_waking: comm=x pid=5 prio=120 target_cpu=003\n"
		":-1 -1/-1 [001] 5.000002: sched:sched_waking: comm=x pid=5 prio=120 target_cpu=003\n"
		":-1 -1/-1 [001] 5.000003: sched:sched_switch: a b:7 [120] X ==> c:9 [120]\n"
		"\tffffffff81399a71 __traceiter_sched_switch+0x41 ([kernel.kallsyms])\n"
		"        ffffffff821f8298 __schedule+0x618 ([kernel.kallsyms])\n"
		"\t           ee137 read+0x7 (/usr/lib/libc.so.6)\n\n"
		":-1 -1 [001] 5.000004: PERF_RECORD_LOST lost 12\n"
		":-1 -1 [001] 5.000005: irq:irq_handler_entry: irq=7 name=disk\n"
		"          dd 9 [001] 5.000006: sched:sched_waking: comm=x pid=5 prio=120 "
		"target_cpu=003\n";
	struct source *source = open_text(text);
	struct event event[8];
	uint64_t lost;

	ck_assert_str_eq(source->notes.machine.host, "node");
	ck_assert_str_eq(source->arch, "x86_64");
	ck_assert_ptr_null(source->kernel);
	ck_assert_uint_eq(source->cpu_count, 4);
	ck_assert_uint_eq(source->notes.tasks.count, 2);
	ck_assert_int_eq(source->notes.tasks.item[0].tgid, 5);
	ck_assert_str_eq(source->notes.tasks.item[0].comm, "a b");
	ck_assert(source->lacks_contexts); /* there are no events of timers */
	ck_assert_uint_eq(decode_all(source, event, ARRAY_SIZE(event), &lost), 5);
	ck_assert_uint_eq(lost, 12);
	ck_assert_int_eq(event[0].tid, 7);
	ck_assert_int_eq(event[1].kind, EVENT_SCHED_SWITCH);
	ck_assert_int_eq(event[1].tid, 7);
	ck_assert_int_eq(event[2].kind, EVENT_STACK);
	ck_assert_int_eq(event[2].tid, 7);
	ck_assert_uint_eq(event[2].stack.count, 1);
	ck_assert_int_eq(event[3].tid, 9);
	ck_assert_int_eq(event[4].kind, EVENT_SCHED_WAKING);
	ck_assert_uint_eq(event[4].flags, EVENT_HARDIRQ);
	(void)source_close(source);
}
END_TEST

/* The frames of a wake-up show whether it was in an interrupt, and in which kind. */
START_TEST(frames_show_contexts)
{
	static const char text[] =
		"a 7 [001] 5.000001: sched:sched_waking: comm=x pid=5 prio=120 target_cpu=003\n"
		"\tffffffff813aa9c4 try_to_wake_up+0x3a4 ([kernel.kallsyms])\n"
		"\tffffffff813aa9c5 hrtimer_interrupt+0xf6 ([kernel.kallsyms])\n"
		"\tffffffff813aa9c6 __do_softirq+0x6 ([kernel.kallsyms])\n\n"
		"a 7 [001] 5.000002: sched:sched_wakeup: comm=x pid=5 prio=120 target_cpu=003\n"
		"\tffffffff813aa9c6 handle_softirqs+0x6 ([kernel.kallsyms])\n"
		"\tffffffff813aa9c5 hrtimer_interrupt+0xf6 ([kernel.kallsyms])\n\n"
		"a 7 [001] 5.000003: sched:sched_switch: a:7 [120] S ==> c:9 [120]\n"
		"\tffffffff813aa9c5 hrtimer_interrupt+0xf6 ([kernel.kallsyms])\n\n";
	struct source *source = open_text(text);
	struct event event[8];
	uint64_t lost;

	ck_assert(!source->lacks_contexts);
	ck_assert_uint_eq(decode_all(source, event, ARRAY_SIZE(event), &lost), 6);
	ck_assert_int_eq(event[0].kind, EVENT_SCHED_WAKING);
	ck_assert_uint_eq(event[0].flags, EVENT_HARDIRQ);
	ck_assert_uint_eq(event[1].stack.count, 3);
	ck_assert_int_eq(event[2].kind, EVENT_SCHED_WAKEUP);
	ck_assert_uint_eq(event[2].flags, EVENT_SOFTIRQ);
	ck_assert_int_eq(event[4].kind, EVENT_SCHED_SWITCH);
	ck_assert_uint_eq(event[4].flags, 0);
	(void)source_close(source);
}
END_TEST

START_TEST(lack_of_contexts_is_noticed)
{
	struct source *source = open_text(
		"a 7 [001] 5.000001: sched:sched_waking: comm=x pid=5 prio=120 target_cpu=003\n");

	ck_assert(source->lacks_contexts);
	(void)source_close(source);
}
END_TEST

START_TEST(order_and_losses_are_kept)
{
	static const char text[] =
		"# tracer: nop\n#\n"
		"# entries-in-buffer/entries-written: 4/14   #P:8\n"
		HEAD(3, "5.000001") "sched_wakeup: comm=x pid=5 prio=120 success=1 target_cpu=003\n"
		HEAD(1, "5.000001") "sched_waking: comm=x pid=5 prio=120 target_cpu=003\n"
		"CPU:1 [LOST 12 EVENTS]\n"
		"##### CPU 2 buffer started ####\n"
		HEAD(2, "5.000001") "cpu_idle: state=4294967295 cpu_id=2\n"
		HEAD(1, "5.000001") "some_event: comm=x\n"
		HEAD(1, "5.000003") "sched_waking: comm=x pid=5x prio=120 target_cpu=003\n";
	struct source *source = open_text(text);
	struct event event[8];
	uint64_t lost;

	ck_assert_uint_eq(source->cpu_count, 8);
	ck_assert_uint_eq(source->stream_count, 3);
	ck_assert_uint_eq(source->notes.tasks.count, 1);
	ck_assert_int_eq(source->notes.tasks.item[0].tgid, 70);
	ck_assert_str_eq(source->notes.tasks.item[0].comm, "make");
	ck_assert(source->health.damaged);
	ck_assert_ptr_nonnull(strstr(source_damage_words(source), "(line 10)"));
	ck_assert_uint_eq(decode_all(source, event, ARRAY_SIZE(event), &lost), 5);
	ck_assert_uint_eq(lost, 12);
	ck_assert_int_eq(event[0].kind, EVENT_SCHED_WAKEUP);
	ck_assert_int_eq(event[1].kind, EVENT_SCHED_WAKING);
	ck_assert_int_eq(event[2].kind, EVENT_CPU_IDLE);
	ck_assert_uint_eq((uint64_t)event[2].idle.state, UINT32_MAX);
	ck_assert_int_eq(event[3].kind, EVENT_KIND_COUNT);
	ck_assert_int_eq(event[4].kind, EVENT_KIND_COUNT);
	for (size_t i = 0; i + 1 < 5; i++)
		ck_assert_uint_lt(event[i].time, event[i + 1].time);
	ck_assert_uint_eq(event[4].time, 5000003000);
	(void)source_close(source);
}
END_TEST

/* Functions and stacks: what text has by name is found by address. */
START_TEST(functions_have_names)
{
	static const char text[] =
		HEAD(0, "5.000001") "hrtimer_start: hrtimer=00000000f1 function=hrtimer_wakeup "
		"expires=9 softexpires=8 mode=REL|SOFT\n"
		HEAD(0, "5.000002") "<stack trace>\n => schedule\n => do_nanosleep+0x5/0x80\n"
		HEAD(0, "5.000003") "workqueue_queue_work: work struct=00000000a1b2 "
		"function=fn [ext4] workqueue=w req_cpu=4 cpu=4294967295\n"
		HEAD(0, "5.000004") "hrtimer_expire_entry: hrtimer=0xf1 now=9 "
		"function=hrtimer_wakeup/0x0\n";
	struct source *source = open_text(text);
	struct symbols *symbols = symbols_new(source);
	uint64_t frame[2], lost;
	struct event event[4];

	ck_assert_uint_eq(decode_all(source, event, ARRAY_SIZE(event), &lost), 4);
	ck_assert_uint_eq(event[0].timer.timer, 0xf1);
	ck_assert_uint_eq(event[0].timer.mode, 5);
	ck_assert_str_eq(symbols_find(symbols, event[0].timer.function), "hrtimer_wakeup");
	ck_assert_int_eq(event[1].kind, EVENT_STACK);
	ck_assert_uint_eq(event[1].stack.count, 2);
	ck_assert_uint_eq(event[1].stack.frames.length, sizeof(frame));
	ck_assert_str_eq(symbols_find(symbols, event[2].work.function), "fn");
	ck_assert_int_eq(event[3].kind, EVENT_HRTIMER_ENTRY);
	ck_assert_uint_eq(event[3].timer.function, event[0].timer.function);
	(void)symbols_free(symbols);
	(void)source_close(source);
}
END_TEST

/* What libtraceevent cannot print as the kernel does, it prints as fields, after these words. */
START_TEST(unprintable_lines_are_read)
{
	static const char text[] =
		HEAD(0, "5.000001") "hrtimer_expire_entry: [FAILED TO PARSE] hrtimer=0xcfde97e0 "
		"now=23760132592 function=0xc0096360\n"
		HEAD(0, "5.000002") "hrtimer_start:        [FAILED TO PARSE] hrtimer=0xce993b50 "
		"function=0xc0085470 expires=23777896784 softexpires=23777896000\n"
		HEAD(0, "5.000003") "block_rq_issue: [FAILED TO PARSE] dev=8388608 sector=1\n";
	struct source *source = open_text(text);
	struct event event[4];
	uint64_t lost;

	ck_assert_uint_eq(decode_all(source, event, ARRAY_SIZE(event), &lost), 3);
	ck_assert_int_eq(event[0].kind, EVENT_HRTIMER_ENTRY);
	ck_assert_uint_eq(event[0].timer.timer, 0xcfde97e0);
	ck_assert_uint_eq(event[0].timer.function, 0xc0096360);
	ck_assert_uint_eq(event[0].timer.now, UINT64_C(23760132592));
	ck_assert_int_eq(event[1].kind, EVENT_HRTIMER_START);
	ck_assert_uint_eq(event[1].timer.timer, 0xce993b50);
	ck_assert_uint_eq(event[1].timer.soft_expires, UINT64_C(23777896000));
	ck_assert_int_eq(event[2].kind, EVENT_KIND_COUNT);
	(void)source_close(source);
}
END_TEST

static const struct {
	const char *state;
	char letter;
	bool was_running;
} raw_states[] = {
	{"0", 'R', false},    {"1", 'S', false},   {"2", 'D', false},    {"256", 'R', true},
	{"1024", 'R', true},  {"4096", 'R', true}, {"1026", 'I', false}, {"130", 'D', false},
	{"512", 'P', false},  {"32", 'Z', false},  {"16", 'X', false},   {"0x100", 'R', true},
	{"0x1 (1)", 'S', false}, {"R+", 'R', true},
};

/* trace-cmd report -R, and old releases of it, print fields by their names. */
START_TEST(states_are_read_as_numbers)
{
	_cleanup_(freep) char *text = xasprintf(
		HEAD(1, "5.000001") "sched_switch:          prev_comm=a b prev_pid=77 prev_prio=120 "
		"prev_state=%s next_comm=c next_pid=9 next_prio=98\n", raw_states[_i].state);
	struct source *source = open_text(text);
	struct event event[4];
	uint64_t lost;

	ck_assert_uint_eq(decode_all(source, event, ARRAY_SIZE(event), &lost), 1);
	ck_assert_int_eq(event[0].kind, EVENT_SCHED_SWITCH);
	ck_assert_int_eq((char)event[0].sched_switch.letter, raw_states[_i].letter);
	ck_assert_int_eq(event[0].sched_switch.was_running != 0, raw_states[_i].was_running);
	ck_assert_int_eq(event[0].sched_switch.next_tid, 9);
	(void)source_close(source);
}
END_TEST

START_TEST(numbers_are_read_by_name)
{
	static const char text[] =
		HEAD(0, "5.000001") "block_rq_issue: dev=266338320 sector=32770 nr_sector=8 "
		"bytes=4096 rwbs=WS comm=dd cmd=\n"
		HEAD(0, "5.000002") "hrtimer_start: hrtimer=0xff121e745ee235c0 function=tick "
		"expires=20316000000 softexpires=20316000000 mode=10 was_armed=0\n"
		HEAD(0, "5.000003") "block_rq_issue: dev=266338320 sector=32770\n";
	struct source *source = open_text(text);
	struct event event[4];
	uint64_t lost;

	ck_assert_uint_eq(decode_all(source, event, ARRAY_SIZE(event), &lost), 3);
	ck_assert_int_eq(event[0].kind, EVENT_BLOCK_ISSUE);
	ck_assert_uint_eq(event[0].block.dev, 266338320);
	ck_assert_uint_eq(event[0].block.sectors, 8);
	ck_assert_int_eq(event[1].kind, EVENT_HRTIMER_START);
	ck_assert_uint_eq(event[1].timer.soft_expires, UINT64_C(20316000000));
	ck_assert_int_eq(event[2].kind, EVENT_KIND_COUNT);
	(void)source_close(source);
}
END_TEST

/* Marks of atrace that tell the time of day. */
START_TEST(clock_is_known_by_marks)
{
	static const char text[] =
		HEAD(0, "4128.044200") "tracing_mark_write: trace_event_clock_sync: "
		"parent_ts=4128.044189\n"
		HEAD(0, "4128.044300") "tracing_mark_write: trace_event_clock_sync: "
		"realtime_ts=1697542281337\n";
	struct source *source = open_text(text);

	ck_assert_str_eq(source->clock, "mono");
	ck_assert_uint_eq(source->notes.realtime.count, 1);
	ck_assert_uint_eq(source->notes.realtime.pair[0].real, UINT64_C(1697542281337000000));
	(void)source_close(source);
}
END_TEST

/* What is read from text is read of records, too, by the same name. */
START_TEST(fields_are_of_the_catalog)
{
	for (const struct text_event *event = text_events; event->system; event++) {
		bool is_known = false;

		TRACEPOINT_EACH(row)
			is_known |= strcmp(row->system, event->system) == 0 &&
			            strcmp(row->name, event->name) == 0;
		ck_assert_msg(is_known, "%s:%s", event->system, event->name);
	}
}
END_TEST

/* Small windows of the file, and CPUs that are silent for long, end with the same records. */
START_TEST(long_text_is_read_in_pieces)
{
	const unsigned lines = 20000;
	struct source *source;
	struct event *event = xcalloc(lines + 2, sizeof(*event));
	struct buffer text;
	uint64_t lost;

	buffer_init(&text, 8u << 20);
	buffer_puts(&text, HEAD(5, "1.000000") "cpu_idle: state=1 cpu_id=5\n");
	for (unsigned i = 0; i < lines; i++)
		buffer_printf(&text, "  a-%u [00%u] 2.%06u: cpu_idle: state=%u cpu_id=0\n",
		              i % 7 + 1, i % 3, i, i);
	buffer_puts(&text, HEAD(5, "3.000000") "cpu_idle: state=1 cpu_id=5\n");
	source = open_text(text.text);
	ck_assert_uint_eq(decode_all(source, event, lines + 2, &lost), lines + 2);
	for (unsigned i = 0; i < lines; i++)
		ck_assert_uint_eq(event[i + 1].idle.state, i);
	(void)source_close(source);
	buffer_release(&text);
	free(event);
}
END_TEST

static const char *const refused[] = {
	"# tracer: nop\n#\n",
	"make-77 [000] d..2. 5.000001: sched_switch",
	"make-77 [000] d..2. 5.000001: schedule <-worker_thread\n",
	"some text\n",
};

START_TEST(text_without_events_is_refused)
{
	struct source *source = NULL;

	buffer_init(&why, 1000);
	source = source_open_bytes(refused[_i], strlen(refused[_i]), &why);
	ck_assert_ptr_null(source);
	ck_assert_ptr_nonnull(strstr(why.text, "not a trace.dat"));
	buffer_release(&why);
}
END_TEST

Suite *text_source_suite(void)
{
	Suite *suite = suite_create("text_source");
	TCase *all = tcase_create("all");

	tcase_add_test(all, tables_of_processes);
	tcase_add_loop_test(all, wide_text_is_read_to_its_end, 0, 2);
	tcase_add_loop_test(all, states_are_read, 0, ARRAY_SIZE(states));
	tcase_add_test(all, perf_script_is_read);
	tcase_add_test(all, frames_show_contexts);
	tcase_add_test(all, lack_of_contexts_is_noticed);
	tcase_add_test(all, order_and_losses_are_kept);
	tcase_add_test(all, functions_have_names);
	tcase_add_test(all, unprintable_lines_are_read);
	tcase_add_loop_test(all, states_are_read_as_numbers, 0, ARRAY_SIZE(raw_states));
	tcase_add_test(all, numbers_are_read_by_name);
	tcase_add_test(all, clock_is_known_by_marks);
	tcase_add_test(all, fields_are_of_the_catalog);
	tcase_add_test(all, long_text_is_read_in_pieces);
	tcase_add_loop_test(all, text_without_events_is_refused, 0, ARRAY_SIZE(refused));
	suite_add_tcase(suite, all);
	return suite;
}
