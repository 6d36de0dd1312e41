/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "seal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/sanitized.h"

/*
 * The constants of include/uapi/linux/landlock.h, which older headers have in part: a program that
 * was built with these is to use what a newer kernel has.
 */
#define FS_EXECUTE     (UINT64_C(1) << 0)
#define FS_WRITE_FILE  (UINT64_C(1) << 1)
#define FS_READS       (UINT64_C(3) << 2)
#define FS_REMOVE_FILE (UINT64_C(1) << 5)
#define FS_MAKE_REG    (UINT64_C(1) << 8)
/* The numbers of rights that Landlock knows from its version 1, 2, 3 and 5 on. */
#define FS_RIGHTS_1 13
#define FS_RIGHTS_2 14
#define FS_RIGHTS_3 15
#define FS_RIGHTS_5 16
#define NET_ALL     UINT64_C(3) /* bind and connect, TCP */
#define SCOPE_ALL   UINT64_C(3) /* abstract Unix sockets, signals */
#define RULESET_VERSION   1u
#define RULE_PATH_BENEATH 1
#define VERSION_NET   4
#define VERSION_SCOPE 6

struct ruleset {
	uint64_t fs, net, scoped; /* what is refused but for the rules */
};

struct rule {
	uint64_t allowed;
	int32_t folder;
} __attribute__((packed));

/* Rights of the file system but for reading. */
static uint64_t landlock_rights(long version)
{
	unsigned count = version >= 5   ? FS_RIGHTS_5
	                 : version >= 3 ? FS_RIGHTS_3
	                 : version >= 2 ? FS_RIGHTS_2
	                                : FS_RIGHTS_1;

	return ((UINT64_C(1) << count) - 1) & ~FS_READS;
}

static bool landlock_begin(int folder)
{
#ifdef SYS_landlock_create_ruleset
	long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, RULESET_VERSION);
	struct ruleset refused = {landlock_rights(version), 0, 0};
	struct rule rule = {FS_REMOVE_FILE | FS_MAKE_REG, folder};
	size_t size = offsetof(struct ruleset, net);
	_cleanup_(closep) int rules = -1;

	if (version < 1)
		return false;
	if (version >= VERSION_NET) {
		refused.net = NET_ALL;
		size = offsetof(struct ruleset, scoped);
	}
	if (version >= VERSION_SCOPE) {
		refused.scoped = SCOPE_ALL;
		size = sizeof(refused);
	}
	rules = (int)syscall(SYS_landlock_create_ruleset, &refused, size, 0u);
	if (rules < 0 || (folder >= 0 && syscall(SYS_landlock_add_rule, rules, RULE_PATH_BENEATH,
	                                         &rule, 0u) < 0))
		return false;
	return syscall(SYS_landlock_restrict_self, rules, 0u) == 0;
#else
	(void)folder;
	return false;
#endif
}

/* Of this program. System calls of another architecture have other numbers. 0: not known. */
#if defined(__x86_64__) && !defined(__ILP32__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define ARCHITECTURE AUDIT_ARCH_I386
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__) && !defined(__ARMEB__)
#define ARCHITECTURE AUDIT_ARCH_ARM
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#elif defined(__s390x__)
#define ARCHITECTURE AUDIT_ARCH_S390X
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define ARCHITECTURE AUDIT_ARCH_PPC64LE
#else
#define ARCHITECTURE 0
#endif
/* x86_64 has a second set of system calls from this number on. */
#define X32_FIRST 0x40000000u

/* Neither reading nor reporting needs these. The first lines are the promise of seal.h; the rest
   would get around it. */
static const int refused_calls[] = {
	SYS_execve, SYS_execveat,
#ifdef SYS_socket
	SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept4,
#endif
#ifdef SYS_accept
	SYS_accept,
#endif
#ifdef SYS_socketcall
	SYS_socketcall,
#endif
	SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp,
#ifdef SYS_pidfd_open
	SYS_pidfd_open,
#endif
#ifdef SYS_pidfd_getfd
	SYS_pidfd_getfd,
#endif
#ifdef SYS_pidfd_send_signal
	SYS_pidfd_send_signal,
#endif
	SYS_kill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
#ifdef SYS_chmod
	SYS_chmod, SYS_chown, SYS_lchown,
#endif
#ifdef SYS_chown32
	SYS_chown32, SYS_lchown32, SYS_fchown32,
#endif
	SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat,
#ifdef SYS_fchmodat2
	SYS_fchmodat2,
#endif
	SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,
	SYS_fremovexattr,
#ifdef SYS_setxattrat
	SYS_setxattrat, SYS_removexattrat,
#endif
#ifdef SYS_file_setattr
	SYS_file_setattr,
#endif
	SYS_truncate,
#ifdef SYS_truncate64
	SYS_truncate64,
#endif
	SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns,
	SYS_swapon, SYS_swapoff, SYS_quotactl, SYS_acct,
#ifdef SYS_open_tree
	SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick,
#endif
#ifdef SYS_mount_setattr
	SYS_mount_setattr,
#endif
	SYS_name_to_handle_at, SYS_open_by_handle_at,
	SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load,
#ifdef SYS_kexec_file_load
	SYS_kexec_file_load,
#endif
	SYS_reboot, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_add_key, SYS_request_key,
	SYS_keyctl, SYS_personality, SYS_sethostname, SYS_setdomainname,
#ifdef SYS_clock_settime
	SYS_clock_settime, SYS_settimeofday, SYS_adjtimex, SYS_clock_adjtime,
#endif
#ifdef SYS_clock_settime64
	SYS_clock_settime64, SYS_clock_adjtime64,
#endif
#ifdef SYS_io_uring_setup
	/* its requests are system calls that no filter sees */
	SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
#endif
#ifdef SYS_iopl
	SYS_iopl, SYS_ioperm,
#endif
	SYS_mknodat, SYS_mkdirat, SYS_symlinkat, SYS_linkat,
#ifdef SYS_creat
	SYS_creat, SYS_mknod, SYS_mkdir, SYS_symlink, SYS_link, SYS_rmdir,
#endif
};

/* The same, but that a folder may be named in which they are allowed. */
static const int refused_names[] = {
	SYS_unlinkat, SYS_renameat2,
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_unlink
	SYS_unlink,
#endif
#ifdef SYS_rename
	SYS_rename,
#endif
};

/* O_TMPFILE needs one of them, too. O_ACCMODE would have O_PATH in some libraries. */
#define OPENS_TO_WRITE (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

#define FILTER_MAX 400

struct filter {
	struct sock_filter code[FILTER_MAX];
	unsigned short count;
};

static void filter_add(struct filter *filter, unsigned code, uint32_t value, unsigned if_true,
                       unsigned if_false)
{
	if (filter->count < FILTER_MAX)
		filter->code[filter->count++] = (struct sock_filter)BPF_JUMP(
			(unsigned short)code, value, (uint8_t)if_true, (uint8_t)if_false);
}

static void filter_load(struct filter *filter, size_t offset)
{
	filter_add(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void filter_refuse(struct filter *filter, int error)
{
	filter_add(filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error, 0, 0);
}

static void filter_refuse_call(struct filter *filter, int number, int error)
{
	filter_add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
	filter_refuse(filter, error);
}

static void filter_refuse_calls(struct filter *filter, const int *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		filter_refuse_call(filter, numbers[i], EPERM);
}

/* Refuses the call if the lower half of its argument passes the test. */
static void filter_refuse_if(struct filter *filter, int number, unsigned argument, unsigned test,
                             uint32_t value, bool is_refused)
{
	size_t offset = offsetof(struct seccomp_data, args) + 8u * argument +
	                (byte_order_is_big() ? 4u : 0u);

	filter_add(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 4);
	filter_load(filter, offset);
	filter_add(filter, BPF_JMP | test | BPF_K, value, is_refused ? 0 : 1, is_refused ? 1 : 0);
	filter_refuse(filter, EPERM);
	filter_load(filter, offsetof(struct seccomp_data, nr));
}

static void filter_refuse_arguments(struct filter *filter)
{
#ifdef SYS_open
	filter_refuse_if(filter, SYS_open, 1, BPF_JSET, OPENS_TO_WRITE, true);
#endif
	filter_refuse_if(filter, SYS_openat, 2, BPF_JSET, OPENS_TO_WRITE, true);
	filter_refuse_if(filter, SYS_ioctl, 1, BPF_JEQ, TIOCSTI, true);
	filter_refuse_if(filter, SYS_ioctl, 1, BPF_JEQ, TIOCLINUX, true);
	/* abort() and raise() */
	filter_refuse_if(filter, SYS_tgkill, 0, BPF_JEQ, (uint32_t)getpid(), false);
	filter_refuse_if(filter, SYS_tkill, 0, BPF_JEQ, (uint32_t)syscall(SYS_gettid), false);
}

static void filter_fill(struct filter *filter, bool has_landlock, bool has_folder)
{
	filter->count = 0;
	filter_load(filter, offsetof(struct seccomp_data, arch));
	filter_add(filter, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
	filter_refuse(filter, EPERM);
	filter_load(filter, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
	filter_add(filter, BPF_JMP | BPF_JGE | BPF_K, X32_FIRST, 0, 1);
	filter_refuse(filter, EPERM);
#endif
	filter_refuse_calls(filter, refused_calls, ARRAY_SIZE(refused_calls));
	if (!has_folder)
		filter_refuse_calls(filter, refused_names, ARRAY_SIZE(refused_names));
	if (!IS_ADDRESS_SANITIZED)
		filter_refuse_call(filter, SYS_ptrace, EPERM);
#ifdef SYS_openat2
	/* its flags are in memory, where no filter looks: file_tree.c does without */
	if (!has_landlock)
		filter_refuse_call(filter, SYS_openat2, EPERM);
#endif
	filter_refuse_arguments(filter);
	filter_add(filter, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

static bool seccomp_begin(bool has_landlock, bool has_folder)
{
	struct filter filter;
	struct sock_fprog program = {.filter = filter.code};

	if (ARCHITECTURE == 0)
		return false;
	filter_fill(&filter, has_landlock, has_folder);
	program.len = filter.count;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

struct seal seal_begin(int folder)
{
	struct seal seal = {false, false};

#ifdef FTWAIT_COVERAGE /* it writes its counts when it ends */
	return seal;
#endif
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return seal;
	seal.has_landlock = landlock_begin(folder);
	seal.has_seccomp = seccomp_begin(seal.has_landlock, folder >= 0);
	return seal;
}
