/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "page_queue.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/thread.h"
#include "base/xalloc.h"
#include "page_census.h"
#include "recorder/machine/control_group.h"
#include "recorder/machine/machine_notes.h"

#define BYTES_LEAST   (4u << 20)
#define BYTES_MOST    (256u << 20)
#define MEMORY_SHARE  16 /* the queue may use the free memory divided by this */
#define RESERVE_BYTES (4u << 20) /* of memory left to others */
#define CHUNKS_SPARED 4  /* number of empty chunks that are kept for reuse */

/* Pages of one CPU, or one block of another type. */
struct page_chunk {
	struct page_chunk *next;
	enum stream_block_type type;
	unsigned id; /* STREAM_ID() of pages */
	size_t size;
	uint8_t bytes[];
};

struct page_queue {
	struct stream_writer *writer;
	struct page_census *census;
	size_t chunk_bytes;
	size_t chunks_max;
	sigset_t signals_before;
	pthread_t thread;

	sem_t work; /* one post for each chunk pushed, one for the end */
	pthread_mutex_t lock; /* protects all that follows */
	pthread_cond_t has_room;
	struct page_chunk *first, **last; /* the first is being written */
	/* empty chunks for pages; chunks of other blocks have their own size, and are freed */
	struct page_chunk *spare;
	size_t chunk_count, spare_count;
	struct page_queue_progress progress;
	int error;
};

uint64_t page_queue_bytes_default(void)
{
	uint64_t free = free_memory_bytes(), most = control_group_memory();
	uint64_t share = (free < most ? free : most) / MEMORY_SHARE;

	if (share < BYTES_LEAST)
		return BYTES_LEAST;
	return share < BYTES_MOST ? share : BYTES_MOST;
}

/* Locked. */
static void queue_drop_first(struct page_queue *queue)
{
	struct page_chunk *chunk = queue->first;

	queue->first = chunk->next;
	if (!queue->first)
		queue->last = &queue->first;
	if (chunk->type != STREAM_PAGES) {
		free(chunk);
		return;
	}
	queue->chunk_count--;
	chunk->next = queue->spare;
	queue->spare = chunk;
	queue->spare_count++;
}

static int queue_write(struct page_queue *queue, const struct page_chunk *chunk)
{
	int r = stream_writer_block(queue->writer, chunk->type, chunk->id, chunk->bytes,
	                            chunk->size);

	if (r == 0 && queue->census && chunk->type == STREAM_PAGES)
		page_census_add(queue->census, STREAM_ID_CPU(chunk->id), chunk->bytes, chunk->size);
	return r;
}

/* Locked. */
static void queue_note_progress(struct page_queue *queue)
{
	queue->progress.written = queue->writer->bytes;
	if (!queue->census)
		return;
	queue->progress.events = queue->census->events;
	queue->progress.lost = queue->census->lost;
	queue->progress.is_lost_more = queue->census->is_lost_more;
}

static void *queue_run(void *state)
{
	struct page_queue *queue = state;

	thread_lock(&queue->lock);
	queue->progress.thread = (int32_t)syscall(SYS_gettid);
	thread_unlock(&queue->lock);
	for (;;) {
		struct page_chunk *chunk;
		int r;

		while (sem_wait(&queue->work) < 0)
			; /* interrupted by a signal */
		thread_lock(&queue->lock);
		chunk = queue->error ? NULL : queue->first;
		thread_unlock(&queue->lock);
		if (!chunk)
			return NULL;
		r = queue_write(queue, chunk);
		thread_lock(&queue->lock);
		queue->error = r;
		queue_note_progress(queue);
		queue_drop_first(queue);
		(void)pthread_cond_signal(&queue->has_room);
		thread_unlock(&queue->lock);
	}
}

/* The mutex lends the priority of its waiter: the caller may have a higher priority than the
   thread, and other tasks must not keep the thread from running while it holds the lock. */
static void lock_init(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attributes;

	(void)pthread_mutexattr_init(&attributes);
	(void)pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	(void)pthread_mutex_init(lock, &attributes);
	(void)pthread_mutexattr_destroy(&attributes);
}

int page_queue_begin(struct stream_writer *writer, const struct page_queue_options *options,
                     struct page_queue **ret)
{
	struct page_queue *queue = xcalloc(1, sizeof(*queue));
	sigset_t all;
	int r;

	queue->writer = writer;
	queue->progress.written = writer->bytes;
	queue->census = options->census;
	queue->chunk_bytes = PAGE_QUEUE_CHUNK / options->page_bytes * options->page_bytes;
	if (queue->chunk_bytes == 0)
		queue->chunk_bytes = options->page_bytes;
	queue->chunks_max = (size_t)(options->bytes_max / queue->chunk_bytes) + 1;
	queue->last = &queue->first;
	/* guarantees one chunk when memory runs out */
	queue->spare = xmalloc(sizeof(*queue->spare) + queue->chunk_bytes);
	queue->spare->next = NULL;
	queue->spare_count = 1;
	(void)sem_init(&queue->work, 0, 0);
	lock_init(&queue->lock);
	(void)pthread_cond_init(&queue->has_room, NULL);
	r = pthread_create(&queue->thread, NULL, queue_run, queue);
	if (r != 0) {
		free(queue->spare);
		free(queue);
		return -r;
	}
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &queue->signals_before);
	*ret = queue;
	return 0;
}

/* Locked. */
static struct page_chunk *queue_take_spare(struct page_queue *queue)
{
	struct page_chunk *chunk = queue->spare;

	assert(chunk);
	queue->spare = chunk->next;
	queue->spare_count--;
	return chunk;
}

/* True: the process may have that much more memory. */
static bool memory_is_left(size_t bytes)
{
	void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (block == MAP_FAILED)
		return false;
	(void)munmap(block, bytes);
	return true;
}

/* Returns NULL if memory runs out; the rest of the process, which cannot do without, would end. */
static struct page_chunk *queue_new_chunk(const struct page_queue *queue)
{
	struct page_chunk *chunk = malloc(sizeof(*chunk) + queue->chunk_bytes);

	if (!chunk || memory_is_left(RESERVE_BYTES))
		return chunk;
	free(chunk);
	return NULL;
}

/* Locked. Returns NULL if a chunk must be written first: at the limit, or out of memory. */
static struct page_chunk *queue_try_chunk(struct page_queue *queue)
{
	if (queue->chunk_count >= queue->chunks_max)
		return NULL;
	if (queue->spare)
		return queue_take_spare(queue);
	return queue_new_chunk(queue);
}

/*
 * Waits for room and returns a chunk for at most `size` bytes. Returns 0, or the error of the
 * failed write. Surplus chunks of a past stall are freed here and not in the thread: freeing
 * changes the address space, and the drain would have to wait while the thread does that.
 */
static int queue_chunk(struct page_queue *queue, unsigned id, size_t size, struct page_chunk **ret)
{
	struct page_chunk *chunk = NULL, *surplus = NULL;
	int error;

	thread_lock(&queue->lock);
	while (!queue->error && !(chunk = queue_try_chunk(queue)))
		(void)pthread_cond_wait(&queue->has_room, &queue->lock);
	error = queue->error;
	if (queue->spare_count > CHUNKS_SPARED)
		surplus = queue_take_spare(queue);
	thread_unlock(&queue->lock);
	free(surplus);
	if (error < 0)
		return error;
	assert(chunk);
	chunk->type = STREAM_PAGES;
	chunk->id = id;
	chunk->size = size < queue->chunk_bytes ? size : queue->chunk_bytes;
	*ret = chunk;
	return 0;
}

static void queue_push(struct page_queue *queue, struct page_chunk *chunk)
{
	thread_lock(&queue->lock);
	chunk->next = NULL;
	*queue->last = chunk;
	queue->last = &chunk->next;
	queue->chunk_count += chunk->type == STREAM_PAGES;
	thread_unlock(&queue->lock);
	(void)sem_post(&queue->work);
}

static int pipe_read(int fd, uint8_t *to, size_t size)
{
	while (size > 0) {
		ssize_t got = read(fd, to, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : -EIO;
		to += got;
		size -= (size_t)got;
	}
	return 0;
}

int page_queue_take_pipe(struct page_queue *queue, unsigned id, int pipe_fd, size_t size)
{
	while (size > 0) {
		struct page_chunk *chunk = NULL;
		int r = queue_chunk(queue, id, size, &chunk);

		if (r < 0)
			return r;
		r = pipe_read(pipe_fd, chunk->bytes, chunk->size);
		if (r < 0) {
			free(chunk);
			return r;
		}
		size -= chunk->size;
		queue_push(queue, chunk);
	}
	return 0;
}

int page_queue_take(struct page_queue *queue, unsigned id, const void *page, size_t size)
{
	struct page_chunk *chunk = NULL;
	int r = queue_chunk(queue, id, size, &chunk);

	if (r < 0)
		return r;
	assert(chunk->size == size);
	memcpy(chunk->bytes, page, size);
	queue_push(queue, chunk);
	return 0;
}

int page_queue_take_block(struct page_queue *queue, enum stream_block_type type,
                          const void *bytes, size_t size)
{
	struct page_chunk *chunk = xmalloc(sizeof(*chunk) + size);

	chunk->type = type;
	chunk->id = 0;
	chunk->size = size;
	memcpy(chunk->bytes, bytes, size);
	queue_push(queue, chunk);
	return page_queue_check(queue);
}

int page_queue_check(struct page_queue *queue)
{
	int error;

	thread_lock(&queue->lock);
	error = queue->error;
	thread_unlock(&queue->lock);
	return error;
}

struct page_queue_progress page_queue_progress(struct page_queue *queue)
{
	struct page_queue_progress progress;

	thread_lock(&queue->lock);
	progress = queue->progress;
	thread_unlock(&queue->lock);
	return progress;
}

static void chunks_free(struct page_chunk *chunk)
{
	while (chunk) {
		struct page_chunk *next = chunk->next;

		free(chunk);
		chunk = next;
	}
}

int page_queue_end(struct page_queue *queue)
{
	int error;

	(void)sem_post(&queue->work);
	(void)pthread_join(queue->thread, NULL);
	(void)pthread_sigmask(SIG_SETMASK, &queue->signals_before, NULL);
	error = queue->error;
	chunks_free(queue->first);
	chunks_free(queue->spare);
	(void)pthread_cond_destroy(&queue->has_room);
	(void)sem_destroy(&queue->work);
	(void)pthread_mutex_destroy(&queue->lock);
	free(queue);
	return error;
}
