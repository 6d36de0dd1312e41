/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_tracks.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "graph/aims/aim.h"

#define UUID_KIND_SHIFT     48
#define TASK_NAME_BYTES_MAX 512
#define AIM_NAME_BYTES_MAX  1024

void perfetto_tracks_init(struct perfetto_tracks *tracks, struct perfetto_file *file,
                          const struct timeline *timeline)
{
	*tracks = (struct perfetto_tracks){.file = file, .timeline = timeline};
	map_init(&tracks->described);
}

void perfetto_tracks_release(struct perfetto_tracks *tracks)
{
	map_release(&tracks->described);
}

static uint64_t uuid_of(enum track_kind kind, uint64_t number)
{
	return (uint64_t)kind << UUID_KIND_SHIFT | number;
}

/* Whether the track must be described; marks it as described. */
static bool track_is_new(struct perfetto_tracks *tracks, uint64_t uuid)
{
	if (map_get(&tracks->described, uuid) != MAP_NONE)
		return false;
	map_put(&tracks->described, uuid, 1);
	return true;
}

const char *perfetto_of(const struct perfetto_tracks *tracks, uint32_t host,
                        char to[static PERFETTO_OF_BYTES])
{
	const struct hosts *hosts = &tracks->timeline->hosts;
	_cleanup_(buffer_release) struct buffer name = {0};

	to[0] = '\0';
	if (hosts->count == 0)
		return to;
	buffer_init(&name, PERFETTO_OF_BYTES);
	buffer_puts_clean(&name, hosts->host[host].name, strlen(hosts->host[host].name));
	(void)snprintf(to, PERFETTO_OF_BYTES, " of %s", name.text);
	return to;
}

static struct proto_writer *track_begin(struct perfetto_file *file, uint64_t uuid)
{
	struct proto_writer *packet = &file->packet;

	perfetto_packet_begin(file, NSEC_NEVER);
	proto_begin(packet, PACKET_TRACK_DESCRIPTOR);
	proto_number(packet, TRACK_UUID, uuid);
	return packet;
}

static void track_end(struct perfetto_file *file)
{
	proto_end(&file->packet);
	perfetto_packet_end(file);
}

static uint64_t named_track(struct perfetto_tracks *tracks, struct perfetto_file *file,
                            enum track_kind kind, uint64_t number, const char *name,
                            bool is_counter)
{
	uint64_t uuid = uuid_of(kind, number);
	struct proto_writer *packet;

	if (!track_is_new(tracks, uuid))
		return uuid;
	packet = track_begin(file, uuid);
	perfetto_comm_put(packet, TRACK_NAME, name);
	if (is_counter) {
		proto_begin(packet, TRACK_COUNTER);
		proto_number(packet, COUNTER_UNIT, UNIT_COUNT);
		proto_end(packet);
	}
	track_end(file);
	return uuid;
}

uint64_t perfetto_track(struct perfetto_tracks *tracks, struct perfetto_file *file,
                        enum track_kind kind, uint64_t number, const char *name)
{
	return named_track(tracks, file, kind, number, name, /* is_counter= */ false);
}

uint64_t perfetto_counter(struct perfetto_tracks *tracks, struct perfetto_file *file,
                          enum track_kind kind, uint64_t number, const char *name)
{
	return named_track(tracks, file, kind, number, name, /* is_counter= */ true);
}

void perfetto_counter_put(struct perfetto_file *file, nsec_t time, uint64_t uuid, uint64_t value)
{
	proto_number(perfetto_slice_begin(file, time, uuid, TYPE_COUNTER), EVENT_COUNTER_VALUE,
	             value);
	perfetto_slice_end(file);
}

/* The track of a thread. It gets no name here: the scheduler's events contain the name and its
   changes. */
static uint64_t thread_track(struct perfetto_tracks *tracks, uint32_t index)
{
	const struct track *task_track = &tracks->timeline->track[index];
	struct perfetto_file *file = perfetto_task_file(tracks, index);
	uint64_t uuid = uuid_of(TRACK_OF_THREAD, index);
	struct proto_writer *packet;

	if (!track_is_new(tracks, uuid))
		return uuid;
	packet = track_begin(file, uuid);
	proto_begin(packet, TRACK_THREAD);
	proto_number(packet, THREAD_PID,
	             (uint32_t)(task_track->tgid > 0 ? task_track->tgid : task_track->tid));
	proto_number(packet, THREAD_TID, (uint32_t)task_track->tid);
	proto_end(packet);
	proto_number(packet, TRACK_CHILD_ORDERING, ORDER_EXPLICIT);
	track_end(file);
	return uuid;
}

uint64_t perfetto_task_track(struct perfetto_tracks *tracks, enum track_kind kind,
                             uint32_t task_track)
{
	static const char *const names[TRACK_KIND_COUNT] = {
		[TRACK_WAITS] = "waits",
		[TRACK_WAKEUPS] = "wakeups",
		[TRACK_LOCKS] = "locks",
	};
	struct perfetto_file *file = perfetto_task_file(tracks, task_track);
	uint64_t uuid = uuid_of(kind, task_track), parent;
	struct proto_writer *packet;

	if (!track_is_new(tracks, uuid))
		return uuid;
	parent = thread_track(tracks, task_track);
	packet = track_begin(file, uuid);
	proto_bytes(packet, TRACK_NAME, names[kind], strlen(names[kind]));
	proto_number(packet, TRACK_PARENT, parent);
	proto_number(packet, TRACK_SIBLING_RANK, kind);
	track_end(file);
	return uuid;
}

struct proto_writer *perfetto_slice_begin(struct perfetto_file *file, nsec_t time,
                                          uint64_t uuid, unsigned type)
{
	struct proto_writer *packet = &file->packet;

	perfetto_packet_begin(file, time);
	proto_begin(packet, PACKET_TRACK_EVENT);
	proto_number(packet, EVENT_TYPE, type);
	proto_number(packet, EVENT_TRACK, uuid);
	return packet;
}

void perfetto_slice_end(struct perfetto_file *file)
{
	proto_end(&file->packet);
	perfetto_packet_end(file);
}

void perfetto_slice_name(struct perfetto_file *file, const char *category, const char *name)
{
	proto_number(&file->packet, EVENT_CATEGORY_IID,
	             perfetto_text(file, INTERNED_CATEGORY, category));
	proto_number(&file->packet, EVENT_NAME_IID,
	             perfetto_text(file, INTERNED_EVENT_NAME, name));
}

static void annotation_begin(struct perfetto_file *file, const char *key)
{
	proto_begin(&file->packet, file->annotation);
	proto_number(&file->packet, ANNOTATION_NAME_IID,
	             perfetto_text(file, INTERNED_ANNOTATION_NAME, key));
}

void perfetto_slice_group(struct perfetto_file *file, const char *key)
{
	annotation_begin(file, key);
	file->annotation = ANNOTATION_MEMBER;
}

void perfetto_slice_group_end(struct perfetto_file *file)
{
	proto_end(&file->packet);
	file->annotation = EVENT_ANNOTATION;
}

void perfetto_slice_string(struct perfetto_file *file, const char *key, const char *value)
{
	annotation_begin(file, key);
	proto_number(&file->packet, ANNOTATION_STRING_IID,
	             perfetto_text(file, INTERNED_ANNOTATION_STRING, value));
	proto_end(&file->packet);
}

void perfetto_slice_aim(struct perfetto_file *file, const struct timeline *timeline,
                        uint32_t track, const struct cause_note *cause)
{
	const struct brief_aim aim = brief_aim_of_cause(timeline, track, cause);
	_cleanup_(buffer_release) struct buffer name = {0};

	if (aim.kind == AIM_NONE)
		return;
	perfetto_slice_group(file, "aim");
	perfetto_slice_string(file, "kind", aim_kind_name(aim.kind));
	if (aim.name) {
		buffer_init(&name, AIM_NAME_BYTES_MAX);
		buffer_puts_clean(&name, aim.name, strlen(aim.name));
		perfetto_slice_string(file, "name", name.text);
	}
	perfetto_slice_group_end(file);
}

void perfetto_slice_number(struct perfetto_file *file, const char *key, int64_t value)
{
	annotation_begin(file, key);
	proto_number(&file->packet, ANNOTATION_INT, (uint64_t)value);
	proto_end(&file->packet);
}

/* The same for bytes of unknown origin. */
static void slice_name_string(struct perfetto_file *file, const char *key, const char *name)
{
	_cleanup_(buffer_release) struct buffer clean = buffer_of(TASK_NAME_BYTES_MAX);

	buffer_puts_clean(&clean, name, strlen(name));
	perfetto_slice_string(file, key, clean.text);
}

void perfetto_slice_machine(struct perfetto_file *file, const struct task *task)
{
	if (task->host)
		slice_name_string(file, "machine", task->host);
}

void perfetto_slice_task(struct perfetto_file *file, const struct task *task)
{
	perfetto_slice_number(file, "tid", task->tid);
	slice_name_string(file, "comm", task->comm);
	perfetto_slice_machine(file, task);
}

void perfetto_slice_close(struct perfetto_file *file, nsec_t time, uint64_t uuid)
{
	(void)perfetto_slice_begin(file, time, uuid, TYPE_END);
	perfetto_slice_end(file);
}

bool perfetto_cut(const struct perfetto_tracks *tracks, nsec_t *begin, nsec_t *end)
{
	return nsec_clip(begin, end, tracks->begin, tracks->end);
}

void perfetto_slice_cut(const struct perfetto_tracks *tracks, struct perfetto_file *file,
                        nsec_t begin, nsec_t end)
{
	if (begin >= tracks->begin && end <= tracks->end)
		return;
	perfetto_slice_group(file, "cut");
	if (begin < tracks->begin)
		perfetto_slice_number(file, "before_ns", (int64_t)(tracks->begin - begin));
	if (end > tracks->end)
		perfetto_slice_number(file, "after_ns", (int64_t)(end - tracks->end));
	perfetto_slice_group_end(file);
}
