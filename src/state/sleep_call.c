/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "place_tracker.h"

#include "base/array.h"
#include "function_name.h"

/*
 * A call sleeps this near to the scheduler. What is further in - for a lock, for a page, in a
 * driver - has time-outs of its own.
 */
#define CALL_FRAMES_MAX 3

/* Functions of the kernel in which calls sleep that may have a time-out; 3.0 to 6.18. */
static const struct {
	const char *function;
	uint8_t call; /* enum sleep_call */
} functions[] = {
	{"do_nanosleep", CALL_NANOSLEEP},
	{"hrtimer_nanosleep", CALL_NANOSLEEP},
	{"msleep", CALL_MSLEEP},
	{"msleep_interruptible", CALL_MSLEEP},
	{"usleep_range", CALL_MSLEEP},
	{"usleep_range_state", CALL_MSLEEP},
	{"do_poll", CALL_POLL},
	{"do_sys_poll", CALL_POLL},
	{"do_select", CALL_SELECT},
	{"core_sys_select", CALL_SELECT},
	{"ep_poll", CALL_EPOLL},
	{"do_epoll_wait", CALL_EPOLL},
	{"inet_csk_accept", CALL_ACCEPT},
	{"futex_wait", CALL_FUTEX},
	{"__futex_wait", CALL_FUTEX},
	{"futex_wait_multiple", CALL_FUTEX},
	{"futex_wait_requeue_pi", CALL_FUTEX},
	{"futex_lock_pi", CALL_FUTEX},
	{"inet_stream_connect", CALL_CONNECT},
	{"__inet_stream_connect", CALL_CONNECT},
	{"sk_wait_data", CALL_RECEIVE},
	{"tcp_recvmsg", CALL_RECEIVE},
	{"__skb_wait_for_more_packets", CALL_RECEIVE},
	{"__skb_recv_datagram", CALL_RECEIVE},
	{"unix_stream_read_generic", CALL_RECEIVE},
	{"sk_stream_wait_memory", CALL_SEND},
	{"sk_stream_wait_connect", CALL_SEND},
	{"sock_alloc_send_pskb", CALL_SEND},
	{"do_sigtimedwait", CALL_SIGTIMEDWAIT},
	{"do_semtimedop", CALL_SEMTIMEDOP},
	{"__do_semtimedop", CALL_SEMTIMEDOP},
	{"wq_sleep", CALL_MQUEUE},
	{"do_mq_timedreceive", CALL_MQUEUE},
	{"do_mq_timedsend", CALL_MQUEUE},
	{"io_cqring_wait", CALL_IO_URING},
	{"read_events", CALL_AIO},
	{"do_io_getevents", CALL_AIO},
};

enum sleep_call sleep_call_of_function(const char *function, size_t depth)
{
	for (size_t i = 0; depth < CALL_FRAMES_MAX && i < ARRAY_SIZE(functions); i++)
		if (function_is(function, functions[i].function))
			return (enum sleep_call)functions[i].call;
	return CALL_NONE;
}
