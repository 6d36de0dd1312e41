/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flame_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/code/code_part.h"
#include "base/data/array.h"
#include "words/cause/cause_words.h"

void flame_path_init(struct flame_path *path)
{
	*path = (struct flame_path){0};
	buffer_init(&path->text, BUFFER_LIMIT_DEFAULT);
}

void flame_path_release(struct flame_path *path)
{
	buffer_release(&path->text);
	free(path->frame);
}

void flame_path_clear(struct flame_path *path)
{
	buffer_clear(&path->text);
	path->count = 0;
}

void flame_path_add_piece(struct flame_path *path, enum path_frame_kind kind, const char *text,
                          size_t length)
{
	ARRAY_ADD(path->frame, path->count, path->capacity).kind = kind;
	buffer_append(&path->text, text, length);
	buffer_putc(&path->text, '\0');
}

void flame_path_add(struct flame_path *path, enum path_frame_kind kind, const char *text)
{
	flame_path_add_piece(path, kind, text, strlen(text));
}

void flame_path_add_end(struct flame_path *path, const struct chain_link *link)
{
	_cleanup_(buffer_release) struct buffer end = {0};

	if (link_end_append(&end, link))
		flame_path_add_piece(path, SHOWN_CAUSE, end.text, end.length);
}

void flame_path_show(struct flame_path *path, const struct figures *figures,
                     const struct output *to)
{
	const char *text = path->text.text;

	for (size_t i = 0; i < path->count; i++, text += strlen(text) + 1)
		path->frame[i].text = text;
	output_path(to, &(struct path){path->frame, path->count, *figures});
}

/* Generic functions to sleep in: their caller is more informative. */
static const char *const plain_sleeps[] = {
	"wait_for_completion", "wait_for_completion_io", "wait_for_completion_io_timeout",
	"wait_for_completion_timeout", "wait_for_completion_interruptible",
	"wait_for_completion_interruptible_timeout", "wait_for_completion_killable",
	"wait_for_completion_killable_timeout", "wait_for_completion_state", "wait_for_common",
	"wait_for_common_io", "__wait_for_common", "do_wait_for_common", "bit_wait", "bit_wait_io",
	"bit_wait_timeout", "bit_wait_io_timeout", "__wait_on_bit", "__wait_on_bit_lock",
	"out_of_line_wait_on_bit", "out_of_line_wait_on_bit_lock", "wait_on_bit_action",
	"wait_woken", "poll_schedule_timeout", "do_wait_intr", "do_wait_intr_irq", "usleep_range",
	"usleep_range_state", "msleep", "msleep_interruptible", "__mutex_lock",
	"__mutex_lock_slowpath",
	"__mutex_lock_common", "rwsem_down_read_slowpath", "rwsem_down_write_slowpath",
	"___down_common", "__down_common", "folio_wait_bit_common", "folio_wait_bit",
	"wait_on_page_bit_common", "wait_on_page_bit",
};

/* Functions at the root of every stack in the kernel: they carry no information. */
static const char *const common_roots[] = {
	"do_syscall_64", "x64_sys_call", "ia32_sys_call", "do_fast_syscall_32",
	"__do_fast_syscall_32", "do_int80_emulation", "do_int80_syscall_32", "system_call_fastpath",
	"entry_SYSCALL_64_after_hwframe", "entry_SYSCALL_compat_after_hwframe",
	"entry_SYSENTER_compat_after_hwframe", "invoke_syscall", "el0_svc_common", "do_el0_svc",
	"el0_svc", "el0t_64_sync_handler", "el0t_64_sync", "el0t_32_sync_handler", "el0t_32_sync",
	"el0_sync_handler", "el0_sync", "ret_fast_syscall", "syscall_common", "do_trap_ecall_u",
	"ret_from_syscall", "system_call", "system_call_exception", "system_call_common",
	"__do_syscall", "do_syscall", "handle_syscall", "kthread", "ret_from_fork",
	"ret_from_fork_asm", "ret_from_kernel_thread", "ret_from_exception",
};

const char *stack_main_function(const char *frames, size_t *ret_length)
{
	const char *at = frames;
	size_t length = strcspn(at, ";");

	while (at[length] && function_is_any(at, plain_sleeps, ARRAY_SIZE(plain_sleeps))) {
		at += length + 1;
		length = strcspn(at, ";");
	}
	*ret_length = length;
	return at;
}

void stack_text_append(struct buffer *to, const char *frames, unsigned most)
{
	for (unsigned shown = 0; *frames; shown++) {
		size_t length = strcspn(frames, ";");

		if (shown && function_is_any(frames, common_roots, ARRAY_SIZE(common_roots)))
			break;
		if (shown)
			buffer_puts(to, " < ");
		if (shown == most) {
			buffer_puts(to, "...");
			break;
		}
		buffer_puts_clean(to, frames, length);
		frames += length + (frames[length] == ';');
	}
}

void stack_text_append_both(struct buffer *to, const char *frames, const char *user, unsigned most)
{
	stack_text_append(to, frames, most);
	if (*frames && *user)
		buffer_puts(to, ", from ");
	stack_text_append(to, user, most);
}

void stack_path_inward(struct flame_path *path, enum path_frame_kind kind, const char *frames)
{
	while (*frames) {
		size_t length = strcspn(frames, ";");

		flame_path_add_piece(path, kind, frames, length);
		frames += length + (frames[length] == ';');
	}
}

void stack_path_outward(struct flame_path *path, enum path_frame_kind kind, const char *frames)
{
	const char *end = frames + strlen(frames);

	while (end > frames) {
		const char *begin = memrchr(frames, ';', (size_t)(end - frames));

		begin = begin ? begin + 1 : frames;
		flame_path_add_piece(path, kind, begin, (size_t)(end - begin));
		end = begin > frames ? begin - 1 : frames;
	}
}
