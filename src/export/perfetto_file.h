/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The writer of Perfetto's traces: its messages, its packets, and the numbers of their fields. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/data/intern.h"
#include "base/data/map.h"
#include "ftwait/event.h"
#include "ftwait/nsec.h"

/*
 * Messages in the wire format of protocol buffers, made in memory. A field is a number and a value;
 * a value may itself be a message, up to PROTO_DEPTH_MAX levels.
 *
 *	proto_begin(&proto, 11);
 *	proto_number(&proto, 9, 1);
 *	proto_end(&proto);
 *
 * Fields are written in the order of the calls; call again for each element of a repeated field.
 * Lengths take as few bytes as possible. A writer of all zeroes is empty.
 */

#define PROTO_DEPTH_MAX 8

struct proto_writer {
	uint8_t *byte;
	size_t length, capacity;
	size_t open[PROTO_DEPTH_MAX]; /* where the open messages begin */
	unsigned depth;
};

void proto_release(struct proto_writer *proto);
/* Empties the writer; it keeps its memory. */
void proto_clear(struct proto_writer *proto);
/* Begins a message that is the value of the field; proto_end() ends it. */
void proto_begin(struct proto_writer *proto, uint32_t field);
void proto_end(struct proto_writer *proto);
/* Negative numbers are written as 64 bits, as int32 and int64 require. */
void proto_number(struct proto_writer *proto, uint32_t field, uint64_t value);
void proto_fixed64(struct proto_writer *proto, uint32_t field, uint64_t value);
/* Writes a field with bytes: a text, or a message that is encoded already. */
void proto_bytes(struct proto_writer *proto, uint32_t field, const void *bytes, size_t length);
/* One element of a packed field; the field is written with proto_bytes() when it is complete. */
void proto_packed(struct proto_writer *proto, uint64_t value);
/* Appends fields that are encoded already. */
void proto_raw(struct proto_writer *proto, const void *bytes, size_t length);

/*
 * The writer of a Perfetto trace: packets one after another, all of one sequence, and texts that
 * are written once and then referred to by number. If there are more than PERFETTO_TEXTS_MAX texts,
 * all are forgotten and numbers start anew, as the format allows.
 *
 * With several machines each has a writer of its own, and all write to one output: Perfetto keeps
 * what belongs to a sequence - texts, defaults, tracks - for each machine.
 *
 * Order of calls for each packet: perfetto_packet_begin(); fill in `packet`, with perfetto_number()
 * and perfetto_text() for its texts; perfetto_packet_end().
 */

#define PERFETTO_SEQUENCE  1u /* of the first machine; the others have the next numbers */
#define PERFETTO_TEXTS_MAX (1u << 16)

struct perfetto_file {
	FILE *out;                    /* borrowed */
	struct proto_writer packet;   /* the current one */
	struct proto_writer interned; /* texts to which the current packet refers first */
	struct intern texts;
	struct map numbers;           /* field number of the table and text -> number of the text */
	uint32_t text_count;
	uint32_t clock;               /* PERFETTO_*: the clock of times */
	uint32_t machine;             /* its number; 0: the first one, which is not written */
	uint32_t annotation;          /* field number of annotations in the current message */
	bool has_state;               /* a packet has cleared the sequence's state */
};

void perfetto_file_init(struct perfetto_file *file, FILE *out, uint32_t clock, uint32_t machine);
void perfetto_file_release(struct perfetto_file *file);
/* `time` NSEC_NEVER: the packet has no time. */
void perfetto_packet_begin(struct perfetto_file *file, nsec_t time);
void perfetto_packet_end(struct perfetto_file *file);
/* The number of the text in one of the tables INTERNED_*; call within a packet. If the text is new,
   the caller must write it to `interned`. */
uint64_t perfetto_number(struct perfetto_file *file, uint32_t table, const char *text,
                         bool *ret_is_new);
/* The same, but also writes the text to `interned` if it is new. */
uint64_t perfetto_text(struct perfetto_file *file, uint32_t table, const char *text);
/* Writes a field with bytes of unknown origin: invalid bytes and control characters are escaped. */
void perfetto_text_put(struct proto_writer *proto, uint32_t field, const struct text *text);
void perfetto_comm_put(struct proto_writer *proto, uint32_t field, const char *comm);

/* The field numbers of Perfetto's trace format that are written here. Each is prefixed with the
   name of its message, or a short form of it. */

enum perfetto_field {
	TRACE_PACKET = 1,
	PACKET_FTRACE_EVENTS = 1, PACKET_PROCESS_TREE = 2, PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8, PACKET_SEQUENCE_ID = 10, PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12, PACKET_SEQUENCE_FLAGS = 13, PACKET_SYSTEM_INFO = 45,
	PACKET_CLOCK_ID = 58, PACKET_DEFAULTS = 59, PACKET_TRACK_DESCRIPTOR = 60,
	PACKET_MACHINE_ID = 98,
	DEFAULTS_CLOCK_ID = 58,
	SYSTEM_UTSNAME = 1, SYSTEM_MACHINE_NAME = 17,
	UTSNAME_SYSNAME = 1, UTSNAME_VERSION = 2, UTSNAME_RELEASE = 3, UTSNAME_MACHINE = 4,
	SNAPSHOT_CLOCK = 1, SNAPSHOT_PRIMARY_CLOCK = 2,
	CLOCK_ID = 1, CLOCK_TIMESTAMP = 2,
	TREE_PROCESS = 1, TREE_THREAD = 2,
	TREE_PROCESS_PID = 1, TREE_PROCESS_CMDLINE = 3, TREE_PROCESS_IS_KERNEL = 8,
	TREE_PROCESS_CMDLINE_IS_COMM = 9,
	TREE_THREAD_TID = 1, TREE_THREAD_NAME = 2, TREE_THREAD_TGID = 3,
	BUNDLE_CPU = 1, BUNDLE_EVENT = 2, BUNDLE_LOST_EVENTS = 3, BUNDLE_COMPACT_SCHED = 4,
	BUNDLE_CLOCK = 5,
	COMPACT_STRING = 5,
	COMPACT_WAKING_TIMESTAMP = 7, /* the other columns follow: enum waking_column */
	FTRACE_TIMESTAMP = 1, FTRACE_PID = 2, FTRACE_PRINT = 3, FTRACE_SCHED_SWITCH = 4,
	FTRACE_FLAGS = 5, FTRACE_CPU_FREQUENCY = 11, FTRACE_CPU_IDLE = 13, FTRACE_SCHED_WAKEUP = 17,
	FTRACE_SCHED_WAKING = 20, FTRACE_SUSPEND_RESUME = 113, FTRACE_SCHED_WAKEUP_NEW = 114,
	FTRACE_TASK_NEWTASK = 235, FTRACE_TASK_RENAME = 236, FTRACE_SCHED_PROCESS_FORK = 239,
	FTRACE_SCHED_PROCESS_FREE = 240,
	PRINT_BUF = 2,
	POWER_STATE = 1, POWER_CPU_ID = 2,
	SUSPEND_ACTION = 1, SUSPEND_VALUE = 2, SUSPEND_START = 3,
	SWITCH_PREV_COMM = 1, SWITCH_PREV_PID = 2, SWITCH_PREV_PRIO = 3, SWITCH_PREV_STATE = 4,
	SWITCH_NEXT_COMM = 5, SWITCH_NEXT_PID = 6, SWITCH_NEXT_PRIO = 7,
	WAKE_COMM = 1, WAKE_PID = 2, WAKE_SUCCESS = 4, WAKE_TARGET_CPU = 5,
	NEWTASK_PID = 1, NEWTASK_COMM = 2, NEWTASK_CLONE_FLAGS = 3,
	RENAME_PID = 1, RENAME_NEWCOMM = 3,
	FORK_PARENT_PID = 2, FORK_CHILD_COMM = 3, FORK_CHILD_PID = 4,
	FREE_PID = 2,
	TRACK_UUID = 1, TRACK_NAME = 2, TRACK_THREAD = 4, TRACK_PARENT = 5, TRACK_COUNTER = 8,
	TRACK_CHILD_ORDERING = 11, TRACK_SIBLING_RANK = 12, TRACK_SIBLING_MERGE = 15,
	THREAD_PID = 1, THREAD_TID = 2,
	COUNTER_UNIT = 3,
	EVENT_TYPE = 9, EVENT_TRACK = 11, EVENT_CATEGORY_IID = 3, EVENT_ANNOTATION = 4,
	EVENT_NAME_IID = 10, EVENT_COUNTER_VALUE = 30, EVENT_FLOW = 47, EVENT_FLOW_ENDS = 48,
	EVENT_CALLSTACK_IID = 56,
	ANNOTATION_NAME_IID = 1, ANNOTATION_INT = 4, ANNOTATION_MEMBER = 11,
	ANNOTATION_STRING_IID = 17,
	INTERNED_CATEGORY = 1, INTERNED_EVENT_NAME = 2, INTERNED_ANNOTATION_NAME = 3,
	INTERNED_FUNCTION_NAME = 5, INTERNED_FRAME = 6, INTERNED_CALLSTACK = 7,
	INTERNED_MAPPING_PATH = 17, INTERNED_MAPPING = 19, INTERNED_ANNOTATION_STRING = 29,
	INTERNED_IID = 1, INTERNED_TEXT = 2,
	FRAME_FUNCTION = 2, FRAME_MAPPING = 3,
	CALLSTACK_FRAME = 2,
	MAPPING_PATH = 7,
};

enum perfetto_value {
	SEQUENCE_CLEARED = 1, SEQUENCE_NEEDS_STATE = 2,
	PERFETTO_REALTIME = 1, PERFETTO_MONOTONIC = 3, PERFETTO_MONOTONIC_RAW = 5,
	PERFETTO_BOOTTIME = 6,
	PERFETTO_FTRACE_GLOBAL = 64, /* a sequence's clock that stands for the clock of ftrace
	                                events */
	FTRACE_CLOCK_GLOBAL = 2,
	TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4,
	ORDER_EXPLICIT = 3,
	MERGE_BY_NAME = 1, MERGE_NONE = 2,
	UNIT_COUNT = 2,
};
