/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel_numbers.h"

#include <string.h>

#include "base/data/array.h"
#include "syscall_rows.h"

/* Source: include/uapi/asm-generic/errno-base.h, errno.h and arch/.../include/uapi/asm/errno.h of
   the kernel. Of two names for a number, as EAGAIN and EWOULDBLOCK, one is here. */
/* On all machines, but for numbers of which a machine has another name. */
static const char *const common[] = {
	[1] = "EPERM", "ENOENT", "ESRCH", "EINTR", "EIO", "ENXIO", "E2BIG", "ENOEXEC", "EBADF",
	"ECHILD", "EAGAIN", "ENOMEM", "EACCES", "EFAULT", "ENOTBLK", "EBUSY", "EEXIST", "EXDEV",
	"ENODEV", "ENOTDIR", "EISDIR", "EINVAL", "ENFILE", "EMFILE", "ENOTTY", "ETXTBSY", "EFBIG",
	"ENOSPC", "ESPIPE", "EROFS", "EMLINK", "EPIPE", "EDOM", "ERANGE",
};

/* The names begin with of_, as compilers for some machines define `mips` and the like. */
/* 58 is of powerpc only. */
static const char *const of_generic[] = {
	[35] = "EDEADLK", "ENAMETOOLONG", "ENOLCK", "ENOSYS", "ENOTEMPTY", "ELOOP", [42] = "ENOMSG",
	"EIDRM", "ECHRNG", "EL2NSYNC", "EL3HLT", "EL3RST", "ELNRNG", "EUNATCH", "ENOCSI", "EL2HLT",
	"EBADE", "EBADR", "EXFULL", "ENOANO", "EBADRQC", "EBADSLT", "EDEADLOCK", "EBFONT", "ENOSTR",
	"ENODATA", "ETIME", "ENOSR", "ENONET", "ENOPKG", "EREMOTE", "ENOLINK", "EADV", "ESRMNT",
	"ECOMM", "EPROTO", "EMULTIHOP", "EDOTDOT", "EBADMSG", "EOVERFLOW", "ENOTUNIQ", "EBADFD",
	"EREMCHG", "ELIBACC", "ELIBBAD", "ELIBSCN", "ELIBMAX", "ELIBEXEC", "EILSEQ", "ERESTART",
	"ESTRPIPE", "EUSERS", "ENOTSOCK", "EDESTADDRREQ", "EMSGSIZE", "EPROTOTYPE", "ENOPROTOOPT",
	"EPROTONOSUPPORT", "ESOCKTNOSUPPORT", "EOPNOTSUPP", "EPFNOSUPPORT", "EAFNOSUPPORT",
	"EADDRINUSE", "EADDRNOTAVAIL", "ENETDOWN", "ENETUNREACH", "ENETRESET", "ECONNABORTED",
	"ECONNRESET", "ENOBUFS", "EISCONN", "ENOTCONN", "ESHUTDOWN", "ETOOMANYREFS", "ETIMEDOUT",
	"ECONNREFUSED", "EHOSTDOWN", "EHOSTUNREACH", "EALREADY", "EINPROGRESS", "ESTALE", "EUCLEAN",
	"ENOTNAM", "ENAVAIL", "EISNAM", "EREMOTEIO", "EDQUOT", "ENOMEDIUM", "EMEDIUMTYPE",
	"ECANCELED", "ENOKEY", "EKEYEXPIRED", "EKEYREVOKED", "EKEYREJECTED", "EOWNERDEAD",
	"ENOTRECOVERABLE", "ERFKILL", "EHWPOISON",
};

/* On alpha and sparc, as in BSD. */
#define BSD_ERRORS                                                                             \
	[36] = "EINPROGRESS", "EALREADY", "ENOTSOCK", "EDESTADDRREQ", "EMSGSIZE",              \
	"EPROTOTYPE", "ENOPROTOOPT", "EPROTONOSUPPORT", "ESOCKTNOSUPPORT", "EOPNOTSUPP",       \
	"EPFNOSUPPORT", "EAFNOSUPPORT", "EADDRINUSE", "EADDRNOTAVAIL", "ENETDOWN",             \
	"ENETUNREACH", "ENETRESET", "ECONNABORTED", "ECONNRESET", "ENOBUFS", "EISCONN",        \
	"ENOTCONN", "ESHUTDOWN", "ETOOMANYREFS", "ETIMEDOUT", "ECONNREFUSED", "ELOOP",         \
	"ENAMETOOLONG", "EHOSTDOWN", "EHOSTUNREACH", "ENOTEMPTY", [68] = "EUSERS", "EDQUOT",   \
	"ESTALE", "EREMOTE"

static const char *const of_alpha[] = {
	[11] = "EDEADLK", [35] = "EAGAIN", BSD_ERRORS, [77] = "ENOLCK", "ENOSYS", [80] = "ENOMSG",
	"EIDRM", "ENOSR", "ETIME", "EBADMSG", "EPROTO", "ENODATA", "ENOSTR", "ECHRNG", "EL2NSYNC",
	"EL3HLT", "EL3RST", "ENOPKG", "ELNRNG", "EUNATCH", "ENOCSI", "EL2HLT", "EBADE", "EBADR",
	"EXFULL", "ENOANO", "EBADRQC", "EBADSLT", [104] = "EBFONT", "ENONET", "ENOLINK", "EADV",
	"ESRMNT", "ECOMM", "EMULTIHOP", "EDOTDOT", "EOVERFLOW", "ENOTUNIQ", "EBADFD", "EREMCHG",
	"EILSEQ", "EUCLEAN", "ENOTNAM", "ENAVAIL", "EISNAM", "EREMOTEIO", "ELIBACC", "ELIBBAD",
	"ELIBSCN", "ELIBMAX", "ELIBEXEC", "ERESTART", "ESTRPIPE", "ENOMEDIUM", "EMEDIUMTYPE",
	"ECANCELED", "ENOKEY", "EKEYEXPIRED", "EKEYREVOKED", "EKEYREJECTED", "EOWNERDEAD",
	"ENOTRECOVERABLE", "ERFKILL", "EHWPOISON",
};

static const char *const of_mips[] = {
	[35] = "ENOMSG", "EIDRM", "ECHRNG", "EL2NSYNC", "EL3HLT", "EL3RST", "ELNRNG", "EUNATCH",
	"ENOCSI", "EL2HLT", "EDEADLK", "ENOLCK", [50] = "EBADE", "EBADR", "EXFULL", "ENOANO",
	"EBADRQC", "EBADSLT", "EDEADLOCK", [59] = "EBFONT", "ENOSTR", "ENODATA", "ETIME", "ENOSR",
	"ENONET", "ENOPKG", "EREMOTE", "ENOLINK", "EADV", "ESRMNT", "ECOMM", "EPROTO",
	[73] = "EDOTDOT", "EMULTIHOP", [77] = "EBADMSG", "ENAMETOOLONG", "EOVERFLOW", "ENOTUNIQ",
	"EBADFD", "EREMCHG", "ELIBACC", "ELIBBAD", "ELIBSCN", "ELIBMAX", "ELIBEXEC", "EILSEQ",
	"ENOSYS", "ELOOP", "ERESTART", "ESTRPIPE", "ENOTEMPTY", "EUSERS", "ENOTSOCK",
	"EDESTADDRREQ", "EMSGSIZE", "EPROTOTYPE", "ENOPROTOOPT", [120] = "EPROTONOSUPPORT",
	"ESOCKTNOSUPPORT", "EOPNOTSUPP", "EPFNOSUPPORT", "EAFNOSUPPORT", "EADDRINUSE",
	"EADDRNOTAVAIL", "ENETDOWN", "ENETUNREACH", "ENETRESET", "ECONNABORTED", "ECONNRESET",
	"ENOBUFS", "EISCONN", "ENOTCONN", "EUCLEAN", [137] = "ENOTNAM", "ENAVAIL", "EISNAM",
	"EREMOTEIO", "EINIT", "EREMDEV", "ESHUTDOWN", "ETOOMANYREFS", "ETIMEDOUT", "ECONNREFUSED",
	"EHOSTDOWN", "EHOSTUNREACH", "EALREADY", "EINPROGRESS", "ESTALE", [158] = "ECANCELED",
	"ENOMEDIUM", "EMEDIUMTYPE", "ENOKEY", "EKEYEXPIRED", "EKEYREVOKED", "EKEYREJECTED",
	"EOWNERDEAD", "ENOTRECOVERABLE", "ERFKILL", "EHWPOISON",
};

static const char *const of_parisc[] = {
	[35] = "ENOMSG", "EIDRM", "ECHRNG", "EL2NSYNC", "EL3HLT", "EL3RST", "ELNRNG", "EUNATCH",
	"ENOCSI", "EL2HLT", "EDEADLK", "ENOLCK", "EILSEQ", [50] = "ENONET", "ENODATA", "ETIME",
	"ENOSR", "ENOSTR", "ENOPKG", [57] = "ENOLINK", "EADV", "ESRMNT", "ECOMM", "EPROTO",
	[64] = "EMULTIHOP", [66] = "EDOTDOT", "EBADMSG", "EUSERS", "EDQUOT", "ESTALE", "EREMOTE",
	"EOVERFLOW", [160] = "EBADE", "EBADR", "EXFULL", "ENOANO", "EBADRQC", "EBADSLT", "EBFONT",
	"ENOTUNIQ", "EBADFD", "EREMCHG", "ELIBACC", "ELIBBAD", "ELIBSCN", "ELIBMAX", "ELIBEXEC",
	"ERESTART", "ESTRPIPE", "EUCLEAN", "ENOTNAM", "ENAVAIL", "EISNAM", "EREMOTEIO", "ENOMEDIUM",
	"EMEDIUMTYPE", "ENOKEY", "EKEYEXPIRED", "EKEYREVOKED", "EKEYREJECTED", [215] = "ENOSYM",
	"ENOTSOCK", "EDESTADDRREQ", "EMSGSIZE", "EPROTOTYPE", "ENOPROTOOPT", "EPROTONOSUPPORT",
	"ESOCKTNOSUPPORT", "EOPNOTSUPP", "EPFNOSUPPORT", "EAFNOSUPPORT", "EADDRINUSE",
	"EADDRNOTAVAIL", "ENETDOWN", "ENETUNREACH", "ENETRESET", "ECONNABORTED", "ECONNRESET",
	"ENOBUFS", "EISCONN", "ENOTCONN", "ESHUTDOWN", "ETOOMANYREFS", "ETIMEDOUT", "ECONNREFUSED",
	"EREMOTERELEASE", "EHOSTDOWN", "EHOSTUNREACH", [244] = "EALREADY", "EINPROGRESS",
	[247] = "ENOTEMPTY", "ENAMETOOLONG", "ELOOP", [251] = "ENOSYS", "ENOTSUP", "ECANCELED",
	"EOWNERDEAD", "ENOTRECOVERABLE", "ERFKILL", "EHWPOISON",
};

static const char *const of_sparc[] = {
	BSD_ERRORS, [67] = "EPROCLIM", [72] = "ENOSTR", "ETIME", "ENOSR", "ENOMSG", "EBADMSG",
	"EIDRM", "EDEADLK", "ENOLCK", "ENONET", "ERREMOTE", "ENOLINK", "EADV", "ESRMNT", "ECOMM",
	"EPROTO", "EMULTIHOP", "EDOTDOT", "EREMCHG", "ENOSYS", "ESTRPIPE", "EOVERFLOW", "EBADFD",
	"ECHRNG", "EL2NSYNC", "EL3HLT", "EL3RST", "ELNRNG", "EUNATCH", "ENOCSI", "EL2HLT", "EBADE",
	"EBADR", "EXFULL", "ENOANO", "EBADRQC", "EBADSLT", "EDEADLOCK", "EBFONT", "ELIBEXEC",
	"ENODATA", "ELIBBAD", "ENOPKG", "ELIBACC", "ENOTUNIQ", "ERESTART", "EUCLEAN", "ENOTNAM",
	"ENAVAIL", "EISNAM", "EREMOTEIO", "EILSEQ", "ELIBMAX", "ELIBSCN", "ENOMEDIUM",
	"EMEDIUMTYPE", "ECANCELED", "ENOKEY", "EKEYEXPIRED", "EKEYREVOKED", "EKEYREJECTED",
	"EOWNERDEAD", "ENOTRECOVERABLE", "ERFKILL", "EHWPOISON",
};

/* Of the kernel only; programs never get them. Source: include/linux/errno.h. */
#define INTERNAL_FIRST 512
static const char *const internal[] = {
	"ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND", "ENOIOCTLCMD", "ERESTART_RESTARTBLOCK",
	"EPROBE_DEFER", "EOPENSTALE", "ENOPARAM", [9] = "EBADHANDLE", "ENOTSYNC", "EBADCOOKIE",
	"ENOTSUPP", "ETOOSMALL", "ESERVERFAULT", "EBADTYPE", "EJUKEBOX", "EIOCBQUEUED",
	"ERECALLCONFLICT", "ENOGRACE",
};

struct errno_names {
	const char *arch; /* prefix of uname -m */
	const char *const *name;
	size_t count;
	int quota; /* number of EDQUOT, if it is far above the others */
};

static const struct errno_names error_tables[] = {
	{"alpha", of_alpha, ARRAY_SIZE(of_alpha), 0},
	{"mips", of_mips, ARRAY_SIZE(of_mips), 1133},
	{"parisc", of_parisc, ARRAY_SIZE(of_parisc), 0},
	{"sparc", of_sparc, ARRAY_SIZE(of_sparc), 0},
	{"", of_generic, ARRAY_SIZE(of_generic), 0}, /* all others */
};

const struct errno_names *errno_names_of(const char *arch)
{
	size_t i = arch ? 0 : ARRAY_SIZE(error_tables) - 1;

	while (arch && strncmp(arch, error_tables[i].arch, strlen(error_tables[i].arch)) != 0)
		i++;
	return &error_tables[i];
}

static const char *name_at(const char *const *name, size_t count, int64_t number)
{
	return number >= 0 && (uint64_t)number < count ? name[number] : NULL;
}

const char *errno_name(const struct errno_names *names, int64_t number)
{
	const char *name = name_at(names->name, names->count, number);

	if (!name)
		name = name_at(common, ARRAY_SIZE(common), number);
	if (!name && names->quota && number == names->quota)
		name = "EDQUOT";
	if (!name && number >= INTERNAL_FIRST)
		name = name_at(internal, ARRAY_SIZE(internal), number - INTERNAL_FIRST);
	return name;
}

#define SIGNALS_MAX 31 /* signals from 32 on are real-time signals, which have no names */

struct signal_names {
	const char *arch; /* prefix of uname -m */
	const char *name[SIGNALS_MAX]; /* names of signal 1 and the following */
};

/* Source: arch/.../include/uapi/asm/signal.h of the kernel. */
static const struct signal_names signal_tables[] = {
	{"mips",
	 {"SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGEMT",
	  "SIGFPE", "SIGKILL", "SIGBUS", "SIGSEGV", "SIGSYS", "SIGPIPE", "SIGALRM",
	  "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPWR", "SIGWINCH", "SIGURG",
	  "SIGIO", "SIGSTOP", "SIGTSTP", "SIGCONT", "SIGTTIN", "SIGTTOU", "SIGVTALRM",
	  "SIGPROF", "SIGXCPU", "SIGXFSZ"}},
	{"alpha",
	 {"SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGEMT",
	  "SIGFPE", "SIGKILL", "SIGBUS", "SIGSEGV", "SIGSYS", "SIGPIPE", "SIGALRM",
	  "SIGTERM", "SIGURG", "SIGSTOP", "SIGTSTP", "SIGCONT", "SIGCHLD", "SIGTTIN",
	  "SIGTTOU", "SIGIO", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF",
	  "SIGWINCH", "SIGPWR", "SIGUSR1", "SIGUSR2"}},
	{"sparc",
	 {"SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGEMT",
	  "SIGFPE", "SIGKILL", "SIGBUS", "SIGSEGV", "SIGSYS", "SIGPIPE", "SIGALRM",
	  "SIGTERM", "SIGURG", "SIGSTOP", "SIGTSTP", "SIGCONT", "SIGCHLD", "SIGTTIN",
	  "SIGTTOU", "SIGIO", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF",
	  "SIGWINCH", "SIGLOST", "SIGUSR1", "SIGUSR2"}},
	{"parisc",
	 {"SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGSTKFLT",
	  "SIGFPE", "SIGKILL", "SIGBUS", "SIGSEGV", "SIGXCPU", "SIGPIPE", "SIGALRM",
	  "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPWR", "SIGVTALRM",
	  "SIGPROF", "SIGIO", "SIGWINCH", "SIGSTOP", "SIGTSTP", "SIGCONT", "SIGTTIN",
	  "SIGTTOU", "SIGURG", "SIGXFSZ", "SIGSYS"}},
	{"",
	 {"SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS",
	  "SIGFPE", "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM",
	  "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP",
	  "SIGTTIN", "SIGTTOU", "SIGURG", "SIGXCPU", "SIGXFSZ", "SIGVTALRM",
	  "SIGPROF", "SIGWINCH", "SIGIO", "SIGPWR", "SIGSYS"}}, /* all others */
};

const struct signal_names *signal_names_of(const char *arch)
{
	size_t i = arch ? 0 : ARRAY_SIZE(signal_tables) - 1;

	while (arch && strncmp(arch, signal_tables[i].arch, strlen(signal_tables[i].arch)) != 0)
		i++;
	return &signal_tables[i];
}

const char *signal_name(const struct signal_names *names, int number)
{
	return number >= 1 && number <= SIGNALS_MAX ? names->name[number - 1] : NULL;
}

enum syscall_abi {
	ABI_X86_64,
	ABI_X32, /* only calls that differ from x86_64 */
	ABI_I386,
	ABI_ARM,
	ABI_GENERIC,
	ABI_PPC,
	ABI_PPC64,
	ABI_S390,
	ABI_S390X,
	ABI_MIPS_O32,
	ABI_MIPS_N64,
	ABI_MIPS_N32,
	ABI_COUNT,
};

/* All names, each with its NUL, in the order of the rows, back to back: pointers to them would take
   more room than the names themselves, and would have to be relocated. */
#define ROW_MEMBER(name, ...)  char name##_[sizeof(#name)];
#define ROW_NAME(name, ...)    #name,
#define ROW_NUMBERS(name, ...) {__VA_ARGS__},
static const struct {
	SYSCALL_ROWS(ROW_MEMBER)
} names = {SYSCALL_ROWS(ROW_NAME)};
static const int16_t numbers[][ABI_COUNT] = {SYSCALL_ROWS(ROW_NUMBERS)};

/* The ABIs that a kernel serves, by prefix of uname -m: the first row that matches, and all rows
   with the same prefix. */
static const struct {
	const char *arch;
	uint8_t abi; /* enum syscall_abi */
	bool is_compat;
	int16_t base; /* of its numbers */
} abis[] = {
	{"x86_64", ABI_X86_64, false, 0},    {"x86_64", ABI_I386, true, 0},
	{"x86_64", ABI_X32, false, 0},
	{"aarch64", ABI_GENERIC, false, 0},  {"aarch64", ABI_ARM, true, 0},
	{"riscv", ABI_GENERIC, false, 0},    {"loongarch", ABI_GENERIC, false, 0},
	{"arm", ABI_ARM, false, 0},          {"i3", ABI_I386, false, 0},
	{"i4", ABI_I386, false, 0},          {"i5", ABI_I386, false, 0},
	{"i6", ABI_I386, false, 0},
	{"s390x", ABI_S390X, false, 0},      {"s390x", ABI_S390, true, 0},
	{"s390", ABI_S390, false, 0},        {"ppc64", ABI_PPC64, false, 0},
	{"ppc64", ABI_PPC, true, 0},         {"ppc", ABI_PPC, false, 0},
	{"mips", ABI_MIPS_O32, false, 4000}, {"mips", ABI_MIPS_N64, false, 5000},
	{"mips", ABI_MIPS_N32, false, 6000},
};

static size_t machine_first(const char *arch)
{
	size_t i = arch ? 0 : ARRAY_SIZE(abis);

	while (i < ARRAY_SIZE(abis) && strncmp(arch, abis[i].arch, strlen(abis[i].arch)) != 0)
		i++;
	return i;
}

static bool machine_is_alike(size_t first, size_t i)
{
	return i < ARRAY_SIZE(abis) && strcmp(abis[i].arch, abis[first].arch) == 0;
}

/* NULL: the ABI has no call of that number. */
static const char *name_of(enum syscall_abi abi, int64_t number)
{
	const char *name = (const char *)&names;
	size_t row = 0;

	while (row < ARRAY_SIZE(numbers) && numbers[row][abi] != number)
		row++;
	if (row == ARRAY_SIZE(numbers))
		return NULL;
	while (row-- > 0)
		name += strlen(name) + 1;
	return name;
}

bool syscall_has_compat(const char *arch)
{
	size_t first = machine_first(arch);

	for (size_t i = first; machine_is_alike(first, i); i++)
		if (abis[i].is_compat)
			return true;
	return false;
}

const char *syscall_name(const char *arch, bool is_compat, int64_t number)
{
	size_t first = machine_first(arch);
	const char *name = NULL;

	/* other ABIs have no such high numbers */
	if (arch && strcmp(arch, "x86_64") == 0 && !is_compat)
		number &= ~SYSCALL_X32_BIT;
	is_compat &= syscall_has_compat(arch);
	for (size_t i = first; number >= 0 && !name && machine_is_alike(first, i); i++)
		if (abis[i].is_compat == is_compat && number >= abis[i].base)
			name = name_of((enum syscall_abi)abis[i].abi, number - abis[i].base);
	return name;
}

size_t syscall_numbers(const char *arch, const char *wanted, int64_t ret[SYSCALL_NUMBERS_MAX])
{
	size_t first = machine_first(arch), count = 0;
	const char *name = (const char *)&names;

	for (size_t row = 0; row < ARRAY_SIZE(numbers); row++, name += strlen(name) + 1) {
		if (*name != *wanted || strcmp(name, wanted) != 0)
			continue;
		for (size_t i = first; machine_is_alike(first, i); i++)
			if (!abis[i].is_compat && numbers[row][abis[i].abi] >= 0 &&
			    count < SYSCALL_NUMBERS_MAX)
				ret[count++] = abis[i].base + numbers[row][abis[i].abi];
	}
	return count;
}
