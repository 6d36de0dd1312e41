/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where system calls sleep: pipes, events, messages, sleeps for their own sake. */
#include "place_rows.h"

#include "base/array.h"

static const struct place_row rows[] = {
	{"ep_poll", 1, .call = CALL_EPOLL, .is_for_work = true},
	{"do_epoll_wait", 2, .call = CALL_EPOLL, .is_for_work = true},
	{"do_poll", 2, .call = CALL_POLL, .is_for_work = true},
	{"do_sys_poll", 2, .call = CALL_POLL, .is_for_work = true},
	{"do_select", 2, .call = CALL_SELECT, .is_for_work = true},
	{"core_sys_select", 2, .call = CALL_SELECT, .is_for_work = true},
	{"io_cqring_wait", 1, .call = CALL_IO_URING, .is_for_work = true},
	{"pipe_read", 2, .kind = PLACE_PIPE},
	{"anon_pipe_read", 2, .kind = PLACE_PIPE},
	{"fifo_pipe_read", 2, .kind = PLACE_PIPE},
	{"pipe_write", 2, .kind = PLACE_PIPE},
	{"anon_pipe_write", 2, .kind = PLACE_PIPE},
	{"fifo_pipe_write", 2, .kind = PLACE_PIPE},
	{"pipe_wait", 2, .kind = PLACE_PIPE},
	{"pipe_wait_readable", 2, .kind = PLACE_PIPE},
	{"pipe_wait_writable", 2, .kind = PLACE_PIPE},
	{"do_nanosleep", 0, .call = CALL_NANOSLEEP},
	{"hrtimer_nanosleep", 0, .call = CALL_NANOSLEEP},
	{"futex_wait", 0, .call = CALL_FUTEX},
	{"__futex_wait", 0, .call = CALL_FUTEX},
	{"futex_wait_multiple", 0, .call = CALL_FUTEX},
	{"futex_wait_requeue_pi", 0, .call = CALL_FUTEX},
	{"futex_lock_pi", 0, .call = CALL_FUTEX},
	{"do_sigtimedwait", 0, .call = CALL_SIGTIMEDWAIT},
	{"do_semtimedop", 0, .call = CALL_SEMTIMEDOP},
	{"__do_semtimedop", 0, .call = CALL_SEMTIMEDOP},
	{"wq_sleep", 0, .call = CALL_MQUEUE},
	{"do_mq_timedreceive", 0, .call = CALL_MQUEUE},
	{"do_mq_timedsend", 0, .call = CALL_MQUEUE},
	{"read_events", 0, .call = CALL_AIO},
	{"do_io_getevents", 0, .call = CALL_AIO},
};

const struct place_group place_rows_calls = {rows, ARRAY_SIZE(rows)};
