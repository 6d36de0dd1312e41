/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/event_decoder.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/data/array.h"
#include "suites.h"

#define RECORD_BYTES  64
#define RANDOM_ROUNDS 1000
#define UNKNOWN_ID    9

#define COMMON_FIELDS                                                                              \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FORMAT(name, id, fields)                                                                   \
	"name: " name "\nID: " #id "\nformat:\n" COMMON_FIELDS fields "\nprint fmt: \"\"\n"
#define NUMBER(declaration, offset, size, is_signed)                                              \
	"\tfield:" declaration ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #is_signed ";\n"
#define TEXT_16(name, offset) NUMBER("char " name "[16]", offset, 16, 0)

#define SWITCH_BEGIN NUMBER("pid_t prev_pid", 24, 4, 1) TEXT_16("prev_comm", 8)
#define WAKE_BEGIN   TEXT_16("comm", 8) NUMBER("pid_t pid", 24, 4, 1) NUMBER("int prio", 28, 4, 1)

#define SWITCH_64                                                     \
	SWITCH_BEGIN NUMBER("int prev_prio", 28, 4, 1)                \
	NUMBER("long prev_state", 32, 8, 1) TEXT_16("next_comm", 40)  \
	NUMBER("pid_t next_pid", 56, 4, 1) NUMBER("int next_prio", 60, 4, 1)
#define SWITCH_32                                                     \
	SWITCH_BEGIN NUMBER("long prev_state", 32, 4, 1)              \
	TEXT_16("next_comm", 36) NUMBER("pid_t next_pid", 52, 4, 1)
#define WAKE WAKE_BEGIN NUMBER("int target_cpu", 32, 4, 1)
#define WAKE_BEFORE_5_18                                              \
	WAKE_BEGIN NUMBER("int success", 32, 4, 1) NUMBER("int target_cpu", 36, 4, 1)
#define WAKE_IN_OTHER_ORDER                                           \
	NUMBER("int target_cpu", 8, 4, 1) NUMBER("pid_t pid", 12, 4, 1) TEXT_16("comm", 16)
#define SOFTIRQ     NUMBER("unsigned int vec", 8, 4, 0)
#define IRQ         NUMBER("int irq", 8, 4, 1)
#define IRQ_NAMED   IRQ NUMBER("__data_loc char[] name", 12, 4, 0)
#define HRTIMER     NUMBER("void * hrtimer", 8, 8, 0)
#define HRTIMER_ENTRY                                                 \
	HRTIMER NUMBER("s64 now", 16, 8, 1) NUMBER("void * function", 24, 8, 0)
#define HRTIMER_START                                                 \
	HRTIMER NUMBER("void * function", 16, 8, 0)                   \
	NUMBER("s64 expires", 24, 8, 1) NUMBER("s64 softexpires", 32, 8, 1) \
	NUMBER("enum hrtimer_mode mode", 40, 4, 0)
#define PACKET                                                        \
	NUMBER("void * skbaddr", 8, 8, 0) NUMBER("unsigned int len", 16, 4, 0) \
	NUMBER("__data_loc char[] name", 20, 4, 0)
#define TRANSFER                                                      \
	NUMBER("void * sk", 8, 8, 0) NUMBER("__u16 family", 16, 2, 0) \
	NUMBER("__u16 protocol", 18, 2, 0)                            \
	NUMBER("int ret", 20, 4, 1) NUMBER("int flags", 24, 4, 1)
#define READY       NUMBER("void * skaddr", 8, 8, 0)
#define CSD         NUMBER("void * func", 8, 8, 0) NUMBER("void * csd", 16, 8, 0)

/* Each tracepoint with its id, the shape it should have and the bytes that its fields need. */
static const struct sample {
	const char *system, *format;
	enum loads_shape shape;
	uint16_t id;
	uint16_t bytes;
} samples[] = {
	{"sched", FORMAT("sched_switch", 100, SWITCH_64), SHAPE_SWITCH, 100, 64},
	{"sched", FORMAT("sched_switch", 101, SWITCH_32), SHAPE_GENERAL, 101, 56},
	{"sched", FORMAT("sched_waking", 102, WAKE), SHAPE_WAKE, 102, 36},
	{"sched", FORMAT("sched_wakeup", 103, WAKE_BEFORE_5_18), SHAPE_WAKE, 103, 40},
	/* one field fewer than the shape has */
	{"sched", FORMAT("sched_wakeup_new", 104, WAKE_BEGIN), SHAPE_GENERAL, 104, 32},
	{"sched", FORMAT("sched_waking", 105, WAKE_IN_OTHER_ORDER), SHAPE_GENERAL, 105, 32},
	{"irq", FORMAT("softirq_entry", 106, SOFTIRQ), SHAPE_SOFTIRQ, 106, 12},
	{"irq", FORMAT("irq_handler_entry", 107, IRQ_NAMED), SHAPE_GENERAL, 107, 16},
	{"irq", FORMAT("irq_handler_exit", 108, IRQ), SHAPE_GENERAL, 108, 12},
	{"timer", FORMAT("hrtimer_expire_exit", 109, HRTIMER), SHAPE_OBJECT, 109, 16},
	{"timer", FORMAT("hrtimer_start", 111, HRTIMER_START), SHAPE_HRTIMER_START, 111, 44},
	{"timer", FORMAT("hrtimer_expire_entry", 112, HRTIMER_ENTRY), SHAPE_HRTIMER_ENTRY, 112, 32},
	{"csd", FORMAT("csd_function_entry", 110, CSD), SHAPE_COMMON, 110, 8},
	{"net", FORMAT("netif_receive_skb", 113, PACKET), SHAPE_PACKET, 113, 24},
	{"sock", FORMAT("sock_send_length", 114, TRANSFER), SHAPE_TRANSFER, 114, 28},
	{"sock", FORMAT("sk_data_ready", 115, READY), SHAPE_OBJECT, 115, 16},
};

static struct decoder *decoder_of(const struct sample *sample, bool is_big_endian)
{
	struct format_text formats[] = {
		{sample->system, sample->format, strlen(sample->format)},
		{"test", FORMAT("unwanted", 200, ""), sizeof(FORMAT("unwanted", 200, "")) - 1},
	};
	struct source source = {
		.is_big_endian = is_big_endian,
		.formats = formats,
		.format_count = ARRAY_SIZE(formats),
	};

	return decoder_new(&source);
}

static void put_u16(uint8_t *to, uint16_t value, bool is_big_endian)
{
	to[is_big_endian] = (uint8_t)value;
	to[!is_big_endian] = (uint8_t)(value >> 8);
}

/* Random bytes but for the id; the same for the same seed. */
static struct record record_of(const struct sample *sample, bool is_big_endian, unsigned seed,
			       uint8_t payload[static RECORD_BYTES])
{
	srand(seed);
	for (size_t i = 0; i < RECORD_BYTES; i++)
		payload[i] = (uint8_t)(rand() >> 7);
	put_u16(payload, sample->id, is_big_endian);
	return (struct record){.time = 1000 + seed, .payload = payload, .length = RECORD_BYTES};
}

static void check_same_text(struct text a, struct text b)
{
	ck_assert_uint_eq(a.length, b.length);
	ck_assert(a.at == b.at || a.length == 0);
}

static void check_same_members(const struct event *a, const struct event *b)
{
	switch ((int)a->kind) {
	case EVENT_SCHED_SWITCH:
		ck_assert_int_eq(a->sched_switch.prev_tid, b->sched_switch.prev_tid);
		ck_assert_int_eq(a->sched_switch.next_tid, b->sched_switch.next_tid);
		ck_assert_int_eq(a->sched_switch.prev_priority, b->sched_switch.prev_priority);
		ck_assert_int_eq(a->sched_switch.next_priority, b->sched_switch.next_priority);
		check_same_text(a->sched_switch.prev_comm, b->sched_switch.prev_comm);
		check_same_text(a->sched_switch.next_comm, b->sched_switch.next_comm);
		ck_assert_uint_eq(a->sched_switch.raw_state, b->sched_switch.raw_state);
		ck_assert_uint_eq(a->sched_switch.was_running, b->sched_switch.was_running);
		ck_assert_uint_eq(a->sched_switch.letter, b->sched_switch.letter);
		break;
	case EVENT_SCHED_WAKING:
	case EVENT_SCHED_WAKEUP:
	case EVENT_SCHED_WAKEUP_NEW:
		ck_assert_int_eq(a->wake.tid, b->wake.tid);
		ck_assert_int_eq(a->wake.cpu, b->wake.cpu);
		ck_assert_int_eq(a->wake.priority, b->wake.priority);
		check_same_text(a->wake.comm, b->wake.comm);
		break;
	case EVENT_HRTIMER_START:
	case EVENT_HRTIMER_ENTRY:
	case EVENT_HRTIMER_EXIT:
		ck_assert_uint_eq(a->timer.timer, b->timer.timer);
		ck_assert_uint_eq(a->timer.function, b->timer.function);
		ck_assert_uint_eq(a->timer.soft_expires, b->timer.soft_expires);
		ck_assert_uint_eq(a->timer.expires, b->timer.expires);
		ck_assert_uint_eq(a->timer.mode, b->timer.mode);
		ck_assert_uint_eq(a->timer.now, b->timer.now);
		break;
	case EVENT_NET_RECEIVE:
		ck_assert_uint_eq(a->net.packet, b->net.packet);
		ck_assert_uint_eq(a->net.bytes, b->net.bytes);
		check_same_text(a->net.dev, b->net.dev);
		ck_assert_uint_eq(a->net.message, b->net.message);
		break;
	case EVENT_SOCKET_SEND:
		ck_assert_uint_eq(a->transfer.socket, b->transfer.socket);
		ck_assert_uint_eq(a->transfer.family, b->transfer.family);
		ck_assert_uint_eq(a->transfer.protocol, b->transfer.protocol);
		ck_assert_int_eq(a->transfer.result, b->transfer.result);
		ck_assert_uint_eq(a->transfer.flags, b->transfer.flags);
		break;
	case EVENT_SOCKET_READY:
		ck_assert_uint_eq(a->socket.socket, b->socket.socket);
		ck_assert_uint_eq(a->socket.state, b->socket.state);
		ck_assert_uint_eq(a->socket.local_port, b->socket.local_port);
		ck_assert_uint_eq(a->socket.peer_port, b->socket.peer_port);
		check_same_text(a->socket.peer, b->socket.peer);
		check_same_text(a->socket.local, b->socket.local);
		break;
	default:
		ck_assert_int_eq(a->irq.number, b->irq.number);
		check_same_text(a->irq.name, b->irq.name);
	}
}

static void check_same(const struct event *a, const struct event *b)
{
	ck_assert_uint_eq(a->time, b->time);
	ck_assert_uint_eq(a->cpu, b->cpu);
	ck_assert_int_eq(a->tid, b->tid);
	ck_assert_uint_eq(a->flags, b->flags);
	ck_assert_int_eq((int)a->kind, (int)b->kind);
	check_same_members(a, b);
}

START_TEST(test_shape)
{
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		struct decoder *decoder = decoder_of(&samples[i], false);

		ck_assert_uint_eq(decoder->entry_count, 1);
		ck_assert_msg(decoder->entry[0].loads.shape == samples[i].shape,
			      "id %u has shape %u", samples[i].id, decoder->entry[0].loads.shape);
		ck_assert_uint_eq(decoder->entry[0].loads.length_min, samples[i].bytes);
		decoder_free(decoder);
	}
}
END_TEST

/* _i: byte order. What the shape does not write must not be left from the event before. */
START_TEST(test_shape_equals_general)
{
	bool is_big_endian = _i;
	uint8_t payload[RECORD_BYTES];

	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		struct decoder *shaped = decoder_of(&samples[i], is_big_endian);
		struct decoder *general = decoder_of(&samples[i], is_big_endian);

		general->entry[0].loads.shape = SHAPE_GENERAL;
		for (unsigned seed = 0; seed < RANDOM_ROUNDS; seed++) {
			struct record record = record_of(&samples[i], is_big_endian, seed, payload);
			struct event a, b;

			memset(&a, 0xa5, sizeof(a));
			memset(&b, 0x5a, sizeof(b));
			ck_assert_int_eq((int)decoder_decode(shaped, &record, 3, &a), DECODE_EVENT);
			ck_assert_int_eq((int)decoder_decode(general, &record, 3, &b),
					 DECODE_EVENT);
			check_same(&a, &b);
		}
		decoder_free(shaped);
		decoder_free(general);
	}
}
END_TEST

static uint32_t u32_at(const uint8_t *at, bool is_big_endian)
{
	return load_u32(at, is_big_endian != byte_order_is_big());
}

START_TEST(test_switch_members)
{
	bool is_big_endian = _i;
	struct decoder *decoder = decoder_of(&samples[0], is_big_endian);
	uint8_t payload[RECORD_BYTES];
	struct record record = record_of(&samples[0], is_big_endian, 7, payload);
	struct event event;

	memset(payload + 32, 0, 8);
	payload[is_big_endian ? 39 : 32] = 2;
	ck_assert_int_eq((int)decoder_decode(decoder, &record, 3, &event), DECODE_EVENT);
	ck_assert_int_eq((int)event.kind, EVENT_SCHED_SWITCH);
	ck_assert_uint_eq(event.time, 1007);
	ck_assert_uint_eq(event.cpu, 3);
	ck_assert_uint_eq(event.flags, payload[2]);
	ck_assert_int_eq(event.tid, (int32_t)u32_at(payload + 4, is_big_endian));
	ck_assert_int_eq(event.sched_switch.prev_tid, (int32_t)u32_at(payload + 24, is_big_endian));
	ck_assert_int_eq(event.sched_switch.next_tid, (int32_t)u32_at(payload + 56, is_big_endian));
	ck_assert_ptr_eq(event.sched_switch.prev_comm.at, (const char *)payload + 8);
	ck_assert_uint_eq(event.sched_switch.prev_comm.length, 16);
	ck_assert_ptr_eq(event.sched_switch.next_comm.at, (const char *)payload + 40);
	ck_assert_uint_eq(event.sched_switch.raw_state, 2);
	ck_assert_uint_eq(event.sched_switch.letter, 'D');
	decoder_free(decoder);
}
END_TEST

START_TEST(test_short_records)
{
	bool is_big_endian = _i;

	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		struct decoder *decoder = decoder_of(&samples[i], is_big_endian);
		uint8_t payload[RECORD_BYTES];
		struct record record = record_of(&samples[i], is_big_endian, 1, payload);
		struct event event;

		for (record.length = 0; record.length < samples[i].bytes; record.length++)
			ck_assert_int_eq((int)decoder_decode(decoder, &record, 0, &event),
					 DECODE_FAILED);
		ck_assert_int_eq((int)decoder_decode(decoder, &record, 0, &event), DECODE_EVENT);
		decoder_free(decoder);
	}
}
END_TEST

/* Kernels tell it in all wake-ups; a recording that was cut down may not. */
START_TEST(test_priority_of_wakes)
{
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		struct decoder *decoder = decoder_of(&samples[i], false);
		uint8_t payload[RECORD_BYTES];
		struct record record = record_of(&samples[i], false, 1, payload);
		bool is_reported = strstr(samples[i].format, "int prio;") != NULL;
		struct event event;

		ck_assert_int_eq((int)decoder_decode(decoder, &record, 0, &event), DECODE_EVENT);
		if (samples[i].id >= 102 && samples[i].id <= 105)
			ck_assert_int_eq(event.wake.priority,
			                 is_reported ? (int32_t)u32_at(payload + 28, false)
			                             : PRIORITY_UNKNOWN);
		decoder_free(decoder);
	}
}
END_TEST

START_TEST(test_other_ids)
{
	struct decoder *decoder = decoder_of(&samples[0], false);
	uint8_t payload[RECORD_BYTES];
	struct record record = record_of(&samples[0], false, 1, payload);
	struct event event;

	put_u16(payload, 200, false);
	ck_assert_int_eq((int)decoder_decode(decoder, &record, 0, &event), DECODE_OTHER);
	put_u16(payload, UNKNOWN_ID, false);
	ck_assert_int_eq((int)decoder_decode(decoder, &record, 0, &event), DECODE_FAILED);
	decoder_free(decoder);
}
END_TEST

START_TEST(test_dynamic_text)
{
	struct decoder *decoder = decoder_of(&samples[7], false);
	uint8_t payload[RECORD_BYTES];
	struct record record = record_of(&samples[7], false, 1, payload);
	struct event event;

	put_u16(payload + 12, 20, false);
	put_u16(payload + 14, RECORD_BYTES - 20, false);
	ck_assert_int_eq((int)decoder_decode(decoder, &record, 0, &event), DECODE_EVENT);
	ck_assert_ptr_eq(event.irq.name.at, (const char *)payload + 20);
	ck_assert_uint_eq(event.irq.name.length, RECORD_BYTES - 20);
	put_u16(payload + 14, RECORD_BYTES - 19, false);
	ck_assert_int_eq((int)decoder_decode(decoder, &record, 0, &event), DECODE_EVENT);
	ck_assert_uint_eq(event.irq.name.length, 0);
	decoder_free(decoder);
}
END_TEST

/* A mark's text, which older kernels describe as one character of size 0. */
START_TEST(test_text_to_the_end)
{
	static const struct sample marks[] = {
		{"ftrace", FORMAT("print", 5, NUMBER("char buf", 12, 0, 0)), SHAPE_GENERAL, 5, 12},
		{"ftrace", FORMAT("print", 5, NUMBER("char buf[]", 12, 0, 0)), SHAPE_GENERAL, 5, 12},
	};
	uint8_t payload[RECORD_BYTES];
	struct event event;

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		struct decoder *decoder = decoder_of(&marks[i], false);
		struct record record = record_of(&marks[i], false, 1, payload);

		ck_assert_uint_eq(decoder->formats_bad, 0);
		ck_assert_int_eq((int)decoder_decode(decoder, &record, 0, &event), DECODE_EVENT);
		ck_assert_ptr_eq(event.mark.text.at, (const char *)payload + 12);
		ck_assert_uint_eq(event.mark.text.length, RECORD_BYTES - 12);
		decoder_free(decoder);
	}
}
END_TEST

Suite *event_decoder_suite(void)
{
	Suite *suite = suite_create("event_decoder");
	TCase *tests = tcase_create("event_decoder");

	tcase_add_test(tests, test_shape);
	tcase_add_loop_test(tests, test_shape_equals_general, 0, 2);
	tcase_add_loop_test(tests, test_switch_members, 0, 2);
	tcase_add_loop_test(tests, test_short_records, 0, 2);
	tcase_add_test(tests, test_priority_of_wakes);
	tcase_add_test(tests, test_other_ids);
	tcase_add_test(tests, test_dynamic_text);
	tcase_add_test(tests, test_text_to_the_end);
	suite_add_tcase(suite, tests);
	return suite;
}
