/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls by name, and the number of each in every ABI: a row of SYSCALL_ROWS, NA where the
 * ABI has none. Names are those of the constants __NR_*. x32 is x86_64 except for calls with a
 * number in its column; riscv32 uses the generic table, whose column also has the calls with 64
 * bits of time that it alone has.
 *
 * Source: the kernel's asm/unistd.h of each machine, as of Linux 6.1, and arch/.../syscall.tbl for
 * what was added until 6.18 (451 and following, which are alike everywhere). A new call takes a
 * row.
 */
#pragma once

#define NA (-1)

/* name, x86_64 x32 i386 arm generic ppc ppc64 s390 s390x mips: o32 n64 n32 */
/* clang-format off */
#define SYSCALL_ROWS(ROW) \
	ROW(_llseek,                      NA, NA,140,140, NA,140,140,140, NA,140, NA, NA) \
	ROW(_newselect,                   NA, NA,142,142, NA,142,142,142, NA,142, 22, 22) \
	ROW(_sysctl,                     156, NA,149,149, NA,149,149,149,149,153,152,152) \
	ROW(accept,                       43, NA, NA,285,202,330,330, NA, NA,168, 42, 42) \
	ROW(accept4,                     288, NA,364,366,242,344,344,364,364,334,293,297) \
	ROW(access,                       21, NA, 33, 33, NA, 33, 33, 33, 33, 33, 20, 20) \
	ROW(acct,                        163, NA, 51, 51, 89, 51, 51, 51, 51, 51,158,158) \
	ROW(add_key,                     248, NA,286,309,217,269,269,278,278,280,239,243) \
	ROW(adjtimex,                    159, NA,124,124,171,124,124,124,124,124,154,154) \
	ROW(afs_syscall,                 183, NA,137, NA, NA,137,137,137,137,137,176,176) \
	ROW(alarm,                        37, NA, 27, NA, NA, 27, 27, 27, 27, 27, 37, 37) \
	ROW(arch_prctl,                  158, NA,384, NA, NA, NA, NA, NA, NA, NA, NA, NA) \
	ROW(arm_fadvise64_64,             NA, NA, NA,270, NA, NA, NA, NA, NA, NA, NA, NA) \
	ROW(arm_sync_file_range,          NA, NA, NA,341, NA, NA, NA, NA, NA, NA, NA, NA) \
	ROW(bdflush,                      NA, NA,134,134, NA,134,134,134,134,134, NA, NA) \
	ROW(bind,                         49, NA,361,282,200,327,327,361,361,169, 48, 48) \
	ROW(bpf,                         321, NA,357,386,280,361,361,351,351,355,315,319) \
	ROW(break,                        NA, NA, 17, NA, NA, 17, 17, NA, NA, 17, NA, NA) \
	ROW(brk,                          12, NA, 45, 45,214, 45, 45, 45, 45, 45, 12, 12) \
	ROW(cachectl,                     NA, NA, NA, NA, NA, NA, NA, NA, NA,148,198,198) \
	ROW(cacheflush,                   NA, NA, NA, NA, NA, NA, NA, NA, NA,147,197,197) \
	ROW(cachestat,                   451, NA,451,451,451,451,451,451,451,451,451,451) \
	ROW(capget,                      125, NA,184,184, 90,183,183,184,184,204,123,123) \
	ROW(capset,                      126, NA,185,185, 91,184,184,185,185,205,124,124) \
	ROW(chdir,                        80, NA, 12, 12, 49, 12, 12, 12, 12, 12, 78, 78) \
	ROW(chmod,                        90, NA, 15, 15, NA, 15, 15, 15, 15, 15, 88, 88) \
	ROW(chown,                        92, NA,182,182, NA,181,181,182,212,202, 90, 90) \
	ROW(chown32,                      NA, NA,212,212, NA, NA, NA,212, NA, NA, NA, NA) \
	ROW(chroot,                      161, NA, 61, 61, 51, 61, 61, 61, 61, 61,156,156) \
	ROW(clock_adjtime,               305, NA,343,372,266,347,347,337,337,341,300,305) \
	ROW(clock_adjtime64,              NA, NA,405,405,405,405, NA,405, NA,405, NA,405) \
	ROW(clock_getres,                229, NA,266,264,114,247,247,261,261,264,223,227) \
	ROW(clock_getres_time64,          NA, NA,406,406,406,406, NA,406, NA,406, NA,406) \
	ROW(clock_gettime,               228, NA,265,263,113,246,246,260,260,263,222,226) \
	ROW(clock_gettime64,              NA, NA,403,403,403,403, NA,403, NA,403, NA,403) \
	ROW(clock_nanosleep,             230, NA,267,265,115,248,248,262,262,265,224,228) \
	ROW(clock_nanosleep_time64,       NA, NA,407,407,407,407, NA,407, NA,407, NA,407) \
	ROW(clock_settime,               227, NA,264,262,112,245,245,259,259,262,221,225) \
	ROW(clock_settime64,              NA, NA,404,404,404,404, NA,404, NA,404, NA,404) \
	ROW(clone,                        56, NA,120,120,220,120,120,120,120,120, 55, 55) \
	ROW(clone3,                      435, NA,435,435,435,435,435,435,435,435,435,435) \
	ROW(close,                         3, NA,  6,  6, 57,  6,  6,  6,  6,  6,  3,  3) \
	ROW(close_range,                 436, NA,436,436,436,436,436,436,436,436,436,436) \
	ROW(connect,                      42, NA,362,283,203,328,328,362,362,170, 41, 41) \
	ROW(copy_file_range,             326, NA,377,391,285,379,379,375,375,360,320,324) \
	ROW(creat,                        85, NA,  8,  8, NA,  8,  8,  8,  8,  8, 83, 83) \
	ROW(create_module,               174, NA,127, NA, NA,127,127,127,127,127,167,167) \
	ROW(delete_module,               176, NA,129,129,106,129,129,129,129,129,169,169) \
	ROW(dup,                          32, NA, 41, 41, 23, 41, 41, 41, 41, 41, 31, 31) \
	ROW(dup2,                         33, NA, 63, 63, NA, 63, 63, 63, 63, 63, 32, 32) \
	ROW(dup3,                        292, NA,330,358, 24,316,316,326,326,327,286,290) \
	ROW(epoll_create,                213, NA,254,250, NA,236,236,249,249,248,207,207) \
	ROW(epoll_create1,               291, NA,329,357, 20,315,315,327,327,326,285,289) \
	ROW(epoll_ctl,                   233, NA,255,251, 21,237,237,250,250,249,208,208) \
	ROW(epoll_ctl_old,               214, NA, NA, NA, NA, NA, NA, NA, NA, NA, NA, NA) \
	ROW(epoll_pwait,                 281, NA,319,346, 22,303,303,312,312,313,272,276) \
	ROW(epoll_pwait2,                441, NA,441,441,441,441,441,441,441,441,441,441) \
	ROW(epoll_wait,                  232, NA,256,252, NA,238,238,251,251,250,209,209) \
	ROW(epoll_wait_old,              215, NA, NA, NA, NA, NA, NA, NA, NA, NA, NA, NA) \
	ROW(eventfd,                     284, NA,323,351, NA,307,307,318,318,319,278,282) \
	ROW(eventfd2,                    290, NA,328,356, 19,314,314,323,323,325,284,288) \
	ROW(execve,                       59,520, 11, 11,221, 11, 11, 11, 11, 11, 57, 57) \
	ROW(execveat,                    322,545,358,387,281,362,362,354,354,356,316,320) \
	ROW(exit,                         60, NA,  1,  1, 93,  1,  1,  1,  1,  1, 58, 58) \
	ROW(exit_group,                  231, NA,252,248, 94,234,234,248,248,246,205,205) \
	ROW(faccessat,                   269, NA,307,334, 48,298,298,300,300,300,259,263) \
	ROW(faccessat2,                  439, NA,439,439,439,439,439,439,439,439,439,439) \
	ROW(fadvise64,                   221, NA,250, NA,223,233,233,253,253,254,215,216) \
	ROW(fadvise64_64,                 NA, NA,272, NA, NA,254, NA,264, NA, NA, NA, NA) \
	ROW(fallocate,                   285, NA,324,352, 47,309,309,314,314,320,279,283) \
	ROW(fanotify_init,               300, NA,338,367,262,323,323,332,332,336,295,300) \
	ROW(fanotify_mark,               301, NA,339,368,263,324,324,333,333,337,296,301) \
	ROW(fchdir,                       81, NA,133,133, 50,133,133,133,133,133, 79, 79) \
	ROW(fchmod,                       91, NA, 94, 94, 52, 94, 94, 94, 94, 94, 89, 89) \
	ROW(fchmodat,                    268, NA,306,333, 53,297,297,299,299,299,258,262) \
	ROW(fchmodat2,                   452, NA,452,452,452,452,452,452,452,452,452,452) \
	ROW(fchown,                       93, NA, 95, 95, 55, 95, 95, 95,207, 95, 91, 91) \
	ROW(fchown32,                     NA, NA,207,207, NA, NA, NA,207, NA, NA, NA, NA) \
	ROW(fchownat,                    260, NA,298,325, 54,289,289,291,291,291,250,254) \
	ROW(fcntl,                        72, NA, 55, 55, 25, 55, 55, 55, 55, 55, 70, 70) \
	ROW(fcntl64,                      NA, NA,221,221, NA,204, NA,221, NA,220, NA,212) \
	ROW(fdatasync,                    75, NA,148,148, 83,148,148,148,148,152, 73, 73) \
	ROW(fgetxattr,                   193, NA,231,231, 10,214,214,229,229,229,185,185) \
	ROW(file_getattr,                468, NA,468,468,468,468,468,468,468,468,468,468) \
	ROW(file_setattr,                469, NA,469,469,469,469,469,469,469,469,469,469) \
	ROW(finit_module,                313, NA,350,379,273,353,353,344,344,348,307,312) \
	ROW(flistxattr,                  196, NA,234,234, 13,217,217,232,232,232,188,188) \
	ROW(flock,                        73, NA,143,143, 32,143,143,143,143,143, 71, 71) \
	ROW(fork,                         57, NA,  2,  2, NA,  2,  2,  2,  2,  2, 56, 56) \
	ROW(fremovexattr,                199, NA,237,237, 16,220,220,235,235,235,191,191) \
	ROW(fsconfig,                    431, NA,431,431,431,431,431,431,431,431,431,431) \
	ROW(fsetxattr,                   190, NA,228,228,  7,211,211,226,226,226,182,182) \
	ROW(fsmount,                     432, NA,432,432,432,432,432,432,432,432,432,432) \
	ROW(fsopen,                      430, NA,430,430,430,430,430,430,430,430,430,430) \
	ROW(fspick,                      433, NA,433,433,433,433,433,433,433,433,433,433) \
	ROW(fstat,                         5, NA,108,108, 80,108,108,108,108,108,  5,  5) \
	ROW(fstat64,                      NA, NA,197,197, NA,197, NA,197, NA,215, NA, NA) \
	ROW(fstatat64,                    NA, NA,300,327, NA,291, NA,293, NA,293, NA, NA) \
	ROW(fstatfs,                     138, NA,100,100, 44,100,100,100,100,100,135,135) \
	ROW(fstatfs64,                    NA, NA,269,267, NA,253,253,266,266,256, NA,218) \
	ROW(fsync,                        74, NA,118,118, 82,118,118,118,118,118, 72, 72) \
	ROW(ftime,                        NA, NA, 35, NA, NA, 35, 35, NA, NA, 35, NA, NA) \
	ROW(ftruncate,                    77, NA, 93, 93, 46, 93, 93, 93, 93, 93, 75, 75) \
	ROW(ftruncate64,                  NA, NA,194,194, NA,194, NA,194, NA,212, NA, NA) \
	ROW(futex,                       202, NA,240,240, 98,221,221,238,238,238,194,194) \
	ROW(futex_requeue,               456, NA,456,456,456,456,456,456,456,456,456,456) \
	ROW(futex_time64,                 NA, NA,422,422,422,422, NA,422, NA,422, NA,422) \
	ROW(futex_wait,                  455, NA,455,455,455,455,455,455,455,455,455,455) \
	ROW(futex_waitv,                 449, NA,449,449,449,449,449,449,449,449,449,449) \
	ROW(futex_wake,                  454, NA,454,454,454,454,454,454,454,454,454,454) \
	ROW(futimesat,                   261, NA,299,326, NA,290,290,292,292,292,251,255) \
	ROW(get_kernel_syms,             177, NA,130, NA, NA,130,130,130,130,130,170,170) \
	ROW(get_mempolicy,               239, NA,275,320,236,260,260,269,269,269,228,232) \
	ROW(get_robust_list,             274,531,312,339,100,299,299,305,305,310,269,273) \
	ROW(get_thread_area,             211, NA,244, NA, NA, NA, NA, NA, NA, NA, NA, NA) \
	ROW(getcpu,                      309, NA,318,345,168,302,302,311,311,312,271,275) \
	ROW(getcwd,                       79, NA,183,183, 17,182,182,183,183,203, 77, 77) \
	ROW(getdents,                     78, NA,141,141, NA,141,141,141,141,141, 76, 76) \
	ROW(getdents64,                  217, NA,220,217, 61,202,202,220,220,219,308,299) \
	ROW(getegid,                     108, NA, 50, 50,177, 50, 50, 50,202, 50,106,106) \
	ROW(getegid32,                    NA, NA,202,202, NA, NA, NA,202, NA, NA, NA, NA) \
	ROW(geteuid,                     107, NA, 49, 49,175, 49, 49, 49,201, 49,105,105) \
	ROW(geteuid32,                    NA, NA,201,201, NA, NA, NA,201, NA, NA, NA, NA) \
	ROW(getgid,                      104, NA, 47, 47,176, 47, 47, 47,200, 47,102,102) \
	ROW(getgid32,                     NA, NA,200,200, NA, NA, NA,200, NA, NA, NA, NA) \
	ROW(getgroups,                   115, NA, 80, 80,158, 80, 80, 80,205, 80,113,113) \
	ROW(getgroups32,                  NA, NA,205,205, NA, NA, NA,205, NA, NA, NA, NA) \
	ROW(getitimer,                    36, NA,105,105,102,105,105,105,105,105, 35, 35) \
	ROW(getpeername,                  52, NA,368,287,205,332,332,368,368,171, 51, 51) \
	ROW(getpgid,                     121, NA,132,132,155,132,132,132,132,132,119,119) \
	ROW(getpgrp,                     111, NA, 65, 65, NA, 65, 65, 65, 65, 65,109,109) \
	ROW(getpid,                       39, NA, 20, 20,172, 20, 20, 20, 20, 20, 38, 38) \
	ROW(getpmsg,                     181, NA,188, NA, NA,187,187,188,188,208,174,174) \
	ROW(getppid,                     110, NA, 64, 64,173, 64, 64, 64, 64, 64,108,108) \
	ROW(getpriority,                 140, NA, 96, 96,141, 96, 96, 96, 96, 96,137,137) \
	ROW(getrandom,                   318, NA,355,384,278,359,359,349,349,353,313,317) \
	ROW(getresgid,                   120, NA,171,171,150,170,170,171,211,191,118,118) \
	ROW(getresgid32,                  NA, NA,211,211, NA, NA, NA,211, NA, NA, NA, NA) \
	ROW(getresuid,                   118, NA,165,165,148,165,165,165,209,186,116,116) \
	ROW(getresuid32,                  NA, NA,209,209, NA, NA, NA,209, NA, NA, NA, NA) \
	ROW(getrlimit,                    97, NA, 76, NA,163, 76, 76, 76,191, 76, 95, 95) \
	ROW(getrusage,                    98, NA, 77, 77,165, 77, 77, 77, 77, 77, 96, 96) \
	ROW(getsid,                      124, NA,147,147,156,147,147,147,147,151,122,122) \
	ROW(getsockname,                  51, NA,367,286,204,331,331,367,367,172, 50, 50) \
	ROW(getsockopt,                   55,542,365,295,209,340,340,365,365,173, 54, 54) \
	ROW(gettid,                      186, NA,224,224,178,207,207,236,236,222,178,178) \
	ROW(gettimeofday,                 96, NA, 78, 78,169, 78, 78, 78, 78, 78, 94, 94) \
	ROW(getuid,                      102, NA, 24, 24,174, 24, 24, 24,199, 24,100,100) \
	ROW(getuid32,                     NA, NA,199,199, NA, NA, NA,199, NA, NA, NA, NA) \
	ROW(getxattr,                    191, NA,229,229,  8,212,212,227,227,227,183,183) \
	ROW(getxattrat,                  464, NA,464,464,464,464,464,464,464,464,464,464) \
	ROW(gtty,                         NA, NA, 32, NA, NA, 32, 32, NA, NA, 32, NA, NA) \
	ROW(idle,                         NA, NA,112, NA, NA,112,112,112,112,112, NA, NA) \
	ROW(init_module,                 175, NA,128,128,105,128,128,128,128,128,168,168) \
	ROW(inotify_add_watch,           254, NA,292,317, 27,276,276,285,285,285,244,248) \
	ROW(inotify_init,                253, NA,291,316, NA,275,275,284,284,284,243,247) \
	ROW(inotify_init1,               294, NA,332,360, 26,318,318,324,324,329,288,292) \
	ROW(inotify_rm_watch,            255, NA,293,318, 28,277,277,286,286,286,245,249) \
	ROW(io_cancel,                   210, NA,249,247,  3,231,231,247,247,245,204,204) \
	ROW(io_destroy,                  207, NA,246,244,  1,228,228,244,244,242,201,201) \
	ROW(io_getevents,                208, NA,247,245,  4,229,229,245,245,243,202,202) \
	ROW(io_pgetevents,               333, NA,385,399,292,388,388,382,382,368,328,332) \
	ROW(io_pgetevents_time64,         NA, NA,416,416,416,416, NA,416, NA,416, NA,416) \
	ROW(io_setup,                    206,543,245,243,  0,227,227,243,243,241,200,200) \
	ROW(io_submit,                   209,544,248,246,  2,230,230,246,246,244,203,203) \
	ROW(io_uring_enter,              426, NA,426,426,426,426,426,426,426,426,426,426) \
	ROW(io_uring_register,           427, NA,427,427,427,427,427,427,427,427,427,427) \
	ROW(io_uring_setup,              425, NA,425,425,425,425,425,425,425,425,425,425) \
	ROW(ioctl,                        16,514, 54, 54, 29, 54, 54, 54, 54, 54, 15, 15) \
	ROW(ioperm,                      173, NA,101, NA, NA,101,101,101, NA,101, NA, NA) \
	ROW(iopl,                        172, NA,110, NA, NA,110,110, NA, NA,110, NA, NA) \
	ROW(ioprio_get,                  252, NA,290,315, 31,274,274,283,283,315,274,278) \
	ROW(ioprio_set,                  251, NA,289,314, 30,273,273,282,282,314,273,277) \
	ROW(ipc,                          NA, NA,117, NA, NA,117,117,117,117,117, NA, NA) \
	ROW(kcmp,                        312, NA,349,378,272,354,354,343,343,347,306,311) \
	ROW(kexec_file_load,             320, NA, NA,401,294,382,382,381,381, NA, NA, NA) \
	ROW(kexec_load,                  246,528,283,347,104,268,268,277,277,311,270,274) \
	ROW(keyctl,                      250, NA,288,311,219,271,271,280,280,282,241,245) \
	ROW(kill,                         62, NA, 37, 37,129, 37, 37, 37, 37, 37, 60, 60) \
	ROW(landlock_add_rule,           445, NA,445,445,445,445,445,445,445,445,445,445) \
	ROW(landlock_create_ruleset,     444, NA,444,444,444,444,444,444,444,444,444,444) \
	ROW(landlock_restrict_self,      446, NA,446,446,446,446,446,446,446,446,446,446) \
	ROW(lchown,                       94, NA, 16, 16, NA, 16, 16, 16,198, 16, 92, 92) \
	ROW(lchown32,                     NA, NA,198,198, NA, NA, NA,198, NA, NA, NA, NA) \
	ROW(lgetxattr,                   192, NA,230,230,  9,213,213,228,228,228,184,184) \
	ROW(link,                         86, NA,  9,  9, NA,  9,  9,  9,  9,  9, 84, 84) \
	ROW(linkat,                      265, NA,303,330, 37,294,294,296,296,296,255,259) \
	ROW(listen,                       50, NA,363,284,201,329,329,363,363,174, 49, 49) \
	ROW(listmount,                   458, NA,458,458,458,458,458,458,458,458,458,458) \
	ROW(listns,                      470, NA,470,470,470,470,470,470,470,470,470,470) \
	ROW(listxattr,                   194, NA,232,232, 11,215,215,230,230,230,186,186) \
	ROW(listxattrat,                 465, NA,465,465,465,465,465,465,465,465,465,465) \
	ROW(llistxattr,                  195, NA,233,233, 12,216,216,231,231,231,187,187) \
	ROW(lock,                         NA, NA, 53, NA, NA, 53, 53, NA, NA, 53, NA, NA) \
	ROW(lookup_dcookie,              212, NA,253,249, 18,235,235,110,110,247,206,206) \
	ROW(lremovexattr,                198, NA,236,236, 15,219,219,234,234,234,190,190) \
	ROW(lseek,                         8, NA, 19, 19, 62, 19, 19, 19, 19, 19,  8,  8) \
	ROW(lsetxattr,                   189, NA,227,227,  6,210,210,225,225,225,181,181) \
	ROW(lsm_get_self_attr,           459, NA,459,459,459,459,459,459,459,459,459,459) \
	ROW(lsm_list_modules,            461, NA,461,461,461,461,461,461,461,461,461,461) \
	ROW(lsm_set_self_attr,           460, NA,460,460,460,460,460,460,460,460,460,460) \
	ROW(lstat,                         6, NA,107,107, NA,107,107,107,107,107,  6,  6) \
	ROW(lstat64,                      NA, NA,196,196, NA,196, NA,196, NA,214, NA, NA) \
	ROW(madvise,                      28, NA,219,220,233,205,205,219,219,218, 27, 27) \
	ROW(map_shadow_stack,            453, NA,453,453,453,453,453,453,453,453,453,453) \
	ROW(mbind,                       237, NA,274,319,235,259,259,268,268,268,227,231) \
	ROW(membarrier,                  324, NA,375,389,283,365,365,356,356,358,318,322) \
	ROW(memfd_create,                319, NA,356,385,279,360,360,350,350,354,314,318) \
	ROW(memfd_secret,                447, NA,447, NA,447, NA, NA, NA, NA, NA, NA, NA) \
	ROW(migrate_pages,               256, NA,294,400,238,258,258,287,287,287,246,250) \
	ROW(mincore,                      27, NA,218,219,232,206,206,218,218,217, 26, 26) \
	ROW(mkdir,                        83, NA, 39, 39, NA, 39, 39, 39, 39, 39, 81, 81) \
	ROW(mkdirat,                     258, NA,296,323, 34,287,287,289,289,289,248,252) \
	ROW(mknod,                       133, NA, 14, 14, NA, 14, 14, 14, 14, 14,131,131) \
	ROW(mknodat,                     259, NA,297,324, 33,288,288,290,290,290,249,253) \
	ROW(mlock,                       149, NA,150,150,228,150,150,150,150,154,146,146) \
	ROW(mlock2,                      325, NA,376,390,284,378,378,374,374,359,319,323) \
	ROW(mlockall,                    151, NA,152,152,230,152,152,152,152,156,148,148) \
	ROW(mmap,                          9, NA, 90, NA,222, 90, 90, 90, 90, 90,  9,  9) \
	ROW(mmap2,                        NA, NA,192,192, NA,192, NA,192, NA,210, NA, NA) \
	ROW(modify_ldt,                  154, NA,123, NA, NA,123,123, NA, NA,123, NA, NA) \
	ROW(mount,                       165, NA, 21, 21, 40, 21, 21, 21, 21, 21,160,160) \
	ROW(mount_setattr,               442, NA,442,442,442,442,442,442,442,442,442,442) \
	ROW(move_mount,                  429, NA,429,429,429,429,429,429,429,429,429,429) \
	ROW(move_pages,                  279,533,317,344,239,301,301,310,310,308,267,271) \
	ROW(mprotect,                     10, NA,125,125,226,125,125,125,125,125, 10, 10) \
	ROW(mpx,                          NA, NA, 56, NA, NA, 56, 56, NA, NA, 56, NA, NA) \
	ROW(mq_getsetattr,               245, NA,282,279,185,267,267,276,276,276,235,239) \
	ROW(mq_notify,                   244,527,281,278,184,266,266,275,275,275,234,238) \
	ROW(mq_open,                     240, NA,277,274,180,262,262,271,271,271,230,234) \
	ROW(mq_timedreceive,             243, NA,280,277,183,265,265,274,274,274,233,237) \
	ROW(mq_timedreceive_time64,       NA, NA,419,419,419,419, NA,419, NA,419, NA,419) \
	ROW(mq_timedsend,                242, NA,279,276,182,264,264,273,273,273,232,236) \
	ROW(mq_timedsend_time64,          NA, NA,418,418,418,418, NA,418, NA,418, NA,418) \
	ROW(mq_unlink,                   241, NA,278,275,181,263,263,272,272,272,231,235) \
	ROW(mremap,                       25, NA,163,163,216,163,163,163,163,167, 24, 24) \
	ROW(mseal,                       462, NA,462,462,462,462,462,462,462,462,462,462) \
	ROW(msgctl,                       71, NA,402,304,187,402,402,402,402,402, 69, 69) \
	ROW(msgget,                       68, NA,399,303,186,399,399,399,399,399, 66, 66) \
	ROW(msgrcv,                       70, NA,401,302,188,401,401,401,401,401, 68, 68) \
	ROW(msgsnd,                       69, NA,400,301,189,400,400,400,400,400, 67, 67) \
	ROW(msync,                        26, NA,144,144,227,144,144,144,144,144, 25, 25) \
	ROW(multiplexer,                  NA, NA, NA, NA, NA,201,201, NA, NA, NA, NA, NA) \
	ROW(munlock,                     150, NA,151,151,229,151,151,151,151,155,147,147) \
	ROW(munlockall,                  152, NA,153,153,231,153,153,153,153,157,149,149) \
	ROW(munmap,                       11, NA, 91, 91,215, 91, 91, 91, 91, 91, 11, 11) \
	ROW(name_to_handle_at,           303, NA,341,370,264,345,345,335,335,339,298,303) \
	ROW(nanosleep,                    35, NA,162,162,101,162,162,162,162,166, 34, 34) \
	ROW(newfstatat,                  262, NA, NA, NA, 79, NA,291, NA,293, NA,252,256) \
	ROW(nfsservctl,                  180, NA,169,169, 42,168,168,169,169,189,173,173) \
	ROW(nice,                         NA, NA, 34, 34, NA, 34, 34, 34, 34, 34, NA, NA) \
	ROW(oldfstat,                     NA, NA, 28, NA, NA, 28, 28, NA, NA, NA, NA, NA) \
	ROW(oldlstat,                     NA, NA, 84, NA, NA, 84, 84, NA, NA, NA, NA, NA) \
	ROW(oldolduname,                  NA, NA, 59, NA, NA, 59, 59, NA, NA, NA, NA, NA) \
	ROW(oldstat,                      NA, NA, 18, NA, NA, 18, 18, NA, NA, NA, NA, NA) \
	ROW(olduname,                     NA, NA,109, NA, NA,109,109, NA, NA, NA, NA, NA) \
	ROW(open,                          2, NA,  5,  5, NA,  5,  5,  5,  5,  5,  2,  2) \
	ROW(open_by_handle_at,           304, NA,342,371,265,346,346,336,336,340,299,304) \
	ROW(open_tree,                   428, NA,428,428,428,428,428,428,428,428,428,428) \
	ROW(open_tree_attr,              467, NA,467,467,467,467,467,467,467,467,467,467) \
	ROW(openat,                      257, NA,295,322, 56,286,286,288,288,288,247,251) \
	ROW(openat2,                     437, NA,437,437,437,437,437,437,437,437,437,437) \
	ROW(pause,                        34, NA, 29, 29, NA, 29, 29, 29, 29, 29, 33, 33) \
	ROW(pciconfig_iobase,             NA, NA, NA,271, NA,200,200, NA, NA, NA, NA, NA) \
	ROW(pciconfig_read,               NA, NA, NA,272, NA,198,198, NA, NA, NA, NA, NA) \
	ROW(pciconfig_write,              NA, NA, NA,273, NA,199,199, NA, NA, NA, NA, NA) \
	ROW(perf_event_open,             298, NA,336,364,241,319,319,331,331,333,292,296) \
	ROW(personality,                 135, NA,136,136, 92,136,136,136,136,136,132,132) \
	ROW(pidfd_getfd,                 438, NA,438,438,438,438,438,438,438,438,438,438) \
	ROW(pidfd_open,                  434, NA,434,434,434,434,434,434,434,434,434,434) \
	ROW(pidfd_send_signal,           424, NA,424,424,424,424,424,424,424,424,424,424) \
	ROW(pipe,                         22, NA, 42, 42, NA, 42, 42, 42, 42, 42, 21, 21) \
	ROW(pipe2,                       293, NA,331,359, 59,317,317,325,325,328,287,291) \
	ROW(pivot_root,                  155, NA,217,218, 41,203,203,217,217,216,151,151) \
	ROW(pkey_alloc,                  330, NA,381,395,289,384,384,385,385,364,324,328) \
	ROW(pkey_free,                   331, NA,382,396,290,385,385,386,386,365,325,329) \
	ROW(pkey_mprotect,               329, NA,380,394,288,386,386,384,384,363,323,327) \
	ROW(poll,                          7, NA,168,168, NA,167,167,168,168,188,  7,  7) \
	ROW(ppoll,                       271, NA,309,336, 73,281,281,302,302,302,261,265) \
	ROW(ppoll_time64,                 NA, NA,414,414,414,414, NA,414, NA,414, NA,414) \
	ROW(prctl,                       157, NA,172,172,167,171,171,172,172,192,153,153) \
	ROW(pread64,                      17, NA,180,180, 67,179,179,180,180,200, 16, 16) \
	ROW(preadv,                      295,534,333,361, 69,320,320,328,328,330,289,293) \
	ROW(preadv2,                     327,546,378,392,286,380,380,376,376,361,321,325) \
	ROW(prlimit64,                   302, NA,340,369,261,325,325,334,334,338,297,302) \
	ROW(process_madvise,             440, NA,440,440,440,440,440,440,440,440,440,440) \
	ROW(process_mrelease,            448, NA,448,448,448,448,448,448,448,448,448,448) \
	ROW(process_vm_readv,            310,539,347,376,270,351,351,340,340,345,304,309) \
	ROW(process_vm_writev,           311,540,348,377,271,352,352,341,341,346,305,310) \
	ROW(prof,                         NA, NA, 44, NA, NA, 44, 44, NA, NA, 44, NA, NA) \
	ROW(profil,                       NA, NA, 98, NA, NA, 98, 98, NA, NA, 98, NA, NA) \
	ROW(pselect6,                    270, NA,308,335, 72,280,280,301,301,301,260,264) \
	ROW(pselect6_time64,              NA, NA,413,413,413,413, NA,413, NA,413, NA,413) \
	ROW(ptrace,                      101,521, 26, 26,117, 26, 26, 26, 26, 26, 99, 99) \
	ROW(putpmsg,                     182, NA,189, NA, NA,188,188,189,189,209,175,175) \
	ROW(pwrite64,                     18, NA,181,181, 68,180,180,181,181,201, 17, 17) \
	ROW(pwritev,                     296,535,334,362, 70,321,321,329,329,331,290,294) \
	ROW(pwritev2,                    328,547,379,393,287,381,381,377,377,362,322,326) \
	ROW(query_module,                178, NA,167, NA, NA,166,166,167,167,187,171,171) \
	ROW(quotactl,                    179, NA,131,131, 60,131,131,131,131,131,172,172) \
	ROW(quotactl_fd,                 443, NA,443,443,443,443,443,443,443,443,443,443) \
	ROW(read,                          0, NA,  3,  3, 63,  3,  3,  3,  3,  3,  0,  0) \
	ROW(readahead,                   187, NA,225,225,213,191,191,222,222,223,179,179) \
	ROW(readdir,                      NA, NA, 89, NA, NA, 89, 89, 89, 89, 89, NA, NA) \
	ROW(readlink,                     89, NA, 85, 85, NA, 85, 85, 85, 85, 85, 87, 87) \
	ROW(readlinkat,                  267, NA,305,332, 78,296,296,298,298,298,257,261) \
	ROW(readv,                        19,515,145,145, 65,145,145,145,145,145, 18, 18) \
	ROW(reboot,                      169, NA, 88, 88,142, 88, 88, 88, 88, 88,164,164) \
	ROW(recv,                         NA, NA, NA,291, NA,336,336, NA, NA,175, NA, NA) \
	ROW(recvfrom,                     45,517,371,292,207,337,337,371,371,176, 44, 44) \
	ROW(recvmmsg,                    299,537,337,365,243,343,343,357,357,335,294,298) \
	ROW(recvmmsg_time64,              NA, NA,417,417,417,417, NA,417, NA,417, NA,417) \
	ROW(recvmsg,                      47,519,372,297,212,342,342,372,372,177, 46, 46) \
	ROW(remap_file_pages,            216, NA,257,253,234,239,239,267,267,251,210,210) \
	ROW(removexattr,                 197, NA,235,235, 14,218,218,233,233,233,189,189) \
	ROW(removexattrat,               466, NA,466,466,466,466,466,466,466,466,466,466) \
	ROW(rename,                       82, NA, 38, 38, NA, 38, 38, 38, 38, 38, 80, 80) \
	ROW(renameat,                    264, NA,302,329, 38,293,293,295,295,295,254,258) \
	ROW(renameat2,                   316, NA,353,382,276,357,357,347,347,351,311,315) \
	ROW(request_key,                 249, NA,287,310,218,270,270,279,279,281,240,244) \
	ROW(reserved177,                  NA, NA, NA, NA, NA, NA, NA, NA, NA, NA,177,177) \
	ROW(reserved193,                  NA, NA, NA, NA, NA, NA, NA, NA, NA, NA,193,193) \
	ROW(reserved221,                  NA, NA, NA, NA, NA, NA, NA, NA, NA,221, NA, NA) \
	ROW(reserved82,                   NA, NA, NA, NA, NA, NA, NA, NA, NA, 82, NA, NA) \
	ROW(restart_syscall,             219, NA,  0,  0,128,  0,  0,  7,  7,253,213,214) \
	ROW(riscv_flush_icache,           NA, NA, NA, NA,259, NA, NA, NA, NA, NA, NA, NA) \
	ROW(riscv_hwprobe,                NA, NA, NA, NA,258, NA, NA, NA, NA, NA, NA, NA) \
	ROW(rmdir,                        84, NA, 40, 40, NA, 40, 40, 40, 40, 40, 82, 82) \
	ROW(rseq,                        334, NA,386,398,293,387,387,383,383,367,327,331) \
	ROW(rt_sigaction,                 13,512,174,174,134,173,173,174,174,194, 13, 13) \
	ROW(rt_sigpending,               127,522,176,176,136,175,175,176,176,196,125,125) \
	ROW(rt_sigprocmask,               14, NA,175,175,135,174,174,175,175,195, 14, 14) \
	ROW(rt_sigqueueinfo,             129,524,178,178,138,177,177,178,178,198,127,127) \
	ROW(rt_sigreturn,                 15,513,173,173,139,172,172,173,173,193,211,211) \
	ROW(rt_sigsuspend,               130, NA,179,179,133,178,178,179,179,199,128,128) \
	ROW(rt_sigtimedwait,             128,523,177,177,137,176,176,177,177,197,126,126) \
	ROW(rt_sigtimedwait_time64,       NA, NA,421,421,421,421, NA,421, NA,421, NA,421) \
	ROW(rt_tgsigqueueinfo,           297,536,335,363,240,322,322,330,330,332,291,295) \
	ROW(rtas,                         NA, NA, NA, NA, NA,255,255, NA, NA, NA, NA, NA) \
	ROW(s390_guarded_storage,         NA, NA, NA, NA, NA, NA, NA,378,378, NA, NA, NA) \
	ROW(s390_pci_mmio_read,           NA, NA, NA, NA, NA, NA, NA,353,353, NA, NA, NA) \
	ROW(s390_pci_mmio_write,          NA, NA, NA, NA, NA, NA, NA,352,352, NA, NA, NA) \
	ROW(s390_runtime_instr,           NA, NA, NA, NA, NA, NA, NA,342,342, NA, NA, NA) \
	ROW(s390_sthyi,                   NA, NA, NA, NA, NA, NA, NA,380,380, NA, NA, NA) \
	ROW(sched_get_priority_max,      146, NA,159,159,125,159,159,159,159,163,143,143) \
	ROW(sched_get_priority_min,      147, NA,160,160,126,160,160,160,160,164,144,144) \
	ROW(sched_getaffinity,           204, NA,242,242,123,223,223,240,240,240,196,196) \
	ROW(sched_getattr,               315, NA,352,381,275,356,356,346,346,350,310,314) \
	ROW(sched_getparam,              143, NA,155,155,121,155,155,155,155,159,140,140) \
	ROW(sched_getscheduler,          145, NA,157,157,120,157,157,157,157,161,142,142) \
	ROW(sched_rr_get_interval,       148, NA,161,161,127,161,161,161,161,165,145,145) \
	ROW(sched_rr_get_interval_time64, NA, NA,423,423,423,423, NA,423, NA,423, NA,423) \
	ROW(sched_setaffinity,           203, NA,241,241,122,222,222,239,239,239,195,195) \
	ROW(sched_setattr,               314, NA,351,380,274,355,355,345,345,349,309,313) \
	ROW(sched_setparam,              142, NA,154,154,118,154,154,154,154,158,139,139) \
	ROW(sched_setscheduler,          144, NA,156,156,119,156,156,156,156,160,141,141) \
	ROW(sched_yield,                  24, NA,158,158,124,158,158,158,158,162, 23, 23) \
	ROW(seccomp,                     317, NA,354,383,277,358,358,348,348,352,312,316) \
	ROW(security,                    185, NA, NA, NA, NA, NA, NA, NA, NA, NA, NA, NA) \
	ROW(select,                       23, NA, 82, NA, NA, 82, 82, NA,142, NA, NA, NA) \
	ROW(semctl,                       66, NA,394,300,191,394,394,394,394,394, 64, 64) \
	ROW(semget,                       64, NA,393,299,190,393,393,393,393,393, 62, 62) \
	ROW(semop,                        65, NA, NA,298,193, NA, NA, NA, NA, NA, 63, 63) \
	ROW(semtimedop,                  220, NA, NA,312,192, NA,392, NA,392, NA,214,215) \
	ROW(semtimedop_time64,            NA, NA,420,420,420,420, NA,420, NA,420, NA,420) \
	ROW(send,                         NA, NA, NA,289, NA,334,334, NA, NA,178, NA, NA) \
	ROW(sendfile,                     40, NA,187,187, 71,186,186,187,187,207, 39, 39) \
	ROW(sendfile64,                   NA, NA,239,239, NA,226, NA,223, NA,237, NA,219) \
	ROW(sendmmsg,                    307,538,345,374,269,349,349,358,358,343,302,307) \
	ROW(sendmsg,                      46,518,370,296,211,341,341,370,370,179, 45, 45) \
	ROW(sendto,                       44, NA,369,290,206,335,335,369,369,180, 43, 43) \
	ROW(set_mempolicy,               238, NA,276,321,237,261,261,270,270,270,229,233) \
	ROW(set_mempolicy_home_node,     450, NA,450,450,450,450,450,450,450,450,450,450) \
	ROW(set_robust_list,             273,530,311,338, 99,300,300,304,304,309,268,272) \
	ROW(set_thread_area,             205, NA,243, NA, NA, NA, NA, NA, NA,283,242,246) \
	ROW(set_tid_address,             218, NA,258,256, 96,232,232,252,252,252,212,213) \
	ROW(setdomainname,               171, NA,121,121,162,121,121,121,121,121,166,166) \
	ROW(setfsgid,                    123, NA,139,139,152,139,139,139,216,139,121,121) \
	ROW(setfsgid32,                   NA, NA,216,216, NA, NA, NA,216, NA, NA, NA, NA) \
	ROW(setfsuid,                    122, NA,138,138,151,138,138,138,215,138,120,120) \
	ROW(setfsuid32,                   NA, NA,215,215, NA, NA, NA,215, NA, NA, NA, NA) \
	ROW(setgid,                      106, NA, 46, 46,144, 46, 46, 46,214, 46,104,104) \
	ROW(setgid32,                     NA, NA,214,214, NA, NA, NA,214, NA, NA, NA, NA) \
	ROW(setgroups,                   116, NA, 81, 81,159, 81, 81, 81,206, 81,114,114) \
	ROW(setgroups32,                  NA, NA,206,206, NA, NA, NA,206, NA, NA, NA, NA) \
	ROW(sethostname,                 170, NA, 74, 74,161, 74, 74, 74, 74, 74,165,165) \
	ROW(setitimer,                    38, NA,104,104,103,104,104,104,104,104, 36, 36) \
	ROW(setns,                       308, NA,346,375,268,350,350,339,339,344,303,308) \
	ROW(setpgid,                     109, NA, 57, 57,154, 57, 57, 57, 57, 57,107,107) \
	ROW(setpriority,                 141, NA, 97, 97,140, 97, 97, 97, 97, 97,138,138) \
	ROW(setregid,                    114, NA, 71, 71,143, 71, 71, 71,204, 71,112,112) \
	ROW(setregid32,                   NA, NA,204,204, NA, NA, NA,204, NA, NA, NA, NA) \
	ROW(setresgid,                   119, NA,170,170,149,169,169,170,210,190,117,117) \
	ROW(setresgid32,                  NA, NA,210,210, NA, NA, NA,210, NA, NA, NA, NA) \
	ROW(setresuid,                   117, NA,164,164,147,164,164,164,208,185,115,115) \
	ROW(setresuid32,                  NA, NA,208,208, NA, NA, NA,208, NA, NA, NA, NA) \
	ROW(setreuid,                    113, NA, 70, 70,145, 70, 70, 70,203, 70,111,111) \
	ROW(setreuid32,                   NA, NA,203,203, NA, NA, NA,203, NA, NA, NA, NA) \
	ROW(setrlimit,                   160, NA, 75, 75,164, 75, 75, 75, 75, 75,155,155) \
	ROW(setsid,                      112, NA, 66, 66,157, 66, 66, 66, 66, 66,110,110) \
	ROW(setsockopt,                   54,541,366,294,208,339,339,366,366,181, 53, 53) \
	ROW(settimeofday,                164, NA, 79, 79,170, 79, 79, 79, 79, 79,159,159) \
	ROW(setuid,                      105, NA, 23, 23,146, 23, 23, 23,213, 23,103,103) \
	ROW(setuid32,                     NA, NA,213,213, NA, NA, NA,213, NA, NA, NA, NA) \
	ROW(setxattr,                    188, NA,226,226,  5,209,209,224,224,224,180,180) \
	ROW(setxattrat,                  463, NA,463,463,463,463,463,463,463,463,463,463) \
	ROW(sgetmask,                     NA, NA, 68, NA, NA, 68, 68, NA, NA, 68, NA, NA) \
	ROW(shmat,                        30, NA,397,305,196,397,397,397,397,397, 29, 29) \
	ROW(shmctl,                       31, NA,396,308,195,396,396,396,396,396, 30, 30) \
	ROW(shmdt,                        67, NA,398,306,197,398,398,398,398,398, 65, 65) \
	ROW(shmget,                       29, NA,395,307,194,395,395,395,395,395, 28, 28) \
	ROW(shutdown,                     48, NA,373,293,210,338,338,373,373,182, 47, 47) \
	ROW(sigaction,                    NA, NA, 67, 67, NA, 67, 67, 67, 67, 67, NA, NA) \
	ROW(sigaltstack,                 131,525,186,186,132,185,185,186,186,206,129,129) \
	ROW(signal,                       NA, NA, 48, NA, NA, 48, 48, 48, 48, 48, NA, NA) \
	ROW(signalfd,                    282, NA,321,349, NA,305,305,316,316,317,276,280) \
	ROW(signalfd4,                   289, NA,327,355, 74,313,313,322,322,324,283,287) \
	ROW(sigpending,                   NA, NA, 73, 73, NA, 73, 73, 73, 73, 73, NA, NA) \
	ROW(sigprocmask,                  NA, NA,126,126, NA,126,126,126,126,126, NA, NA) \
	ROW(sigreturn,                    NA, NA,119,119, NA,119,119,119,119,119, NA, NA) \
	ROW(sigsuspend,                   NA, NA, 72, 72, NA, 72, 72, 72, 72, 72, NA, NA) \
	ROW(socket,                       41, NA,359,281,198,326,326,359,359,183, 40, 40) \
	ROW(socketcall,                   NA, NA,102, NA, NA,102,102,102,102,102, NA, NA) \
	ROW(socketpair,                   53, NA,360,288,199,333,333,360,360,184, 52, 52) \
	ROW(splice,                      275, NA,313,340, 76,283,283,306,306,304,263,267) \
	ROW(spu_create,                   NA, NA, NA, NA, NA,279,279, NA, NA, NA, NA, NA) \
	ROW(spu_run,                      NA, NA, NA, NA, NA,278,278, NA, NA, NA, NA, NA) \
	ROW(ssetmask,                     NA, NA, 69, NA, NA, 69, 69, NA, NA, 69, NA, NA) \
	ROW(stat,                          4, NA,106,106, NA,106,106,106,106,106,  4,  4) \
	ROW(stat64,                       NA, NA,195,195, NA,195, NA,195, NA,213, NA, NA) \
	ROW(statfs,                      137, NA, 99, 99, 43, 99, 99, 99, 99, 99,134,134) \
	ROW(statfs64,                     NA, NA,268,266, NA,252,252,265,265,255, NA,217) \
	ROW(statmount,                   457, NA,457,457,457,457,457,457,457,457,457,457) \
	ROW(statx,                       332, NA,383,397,291,383,383,379,379,366,326,330) \
	ROW(stime,                        NA, NA, 25, NA, NA, 25, 25, 25, NA, 25, NA, NA) \
	ROW(stty,                         NA, NA, 31, NA, NA, 31, 31, NA, NA, 31, NA, NA) \
	ROW(subpage_prot,                 NA, NA, NA, NA, NA,310,310, NA, NA, NA, NA, NA) \
	ROW(swapcontext,                  NA, NA, NA, NA, NA,249,249, NA, NA, NA, NA, NA) \
	ROW(swapoff,                     168, NA,115,115,225,115,115,115,115,115,163,163) \
	ROW(swapon,                      167, NA, 87, 87,224, 87, 87, 87, 87, 87,162,162) \
	ROW(switch_endian,                NA, NA, NA, NA, NA,363,363, NA, NA, NA, NA, NA) \
	ROW(symlink,                      88, NA, 83, 83, NA, 83, 83, 83, 83, 83, 86, 86) \
	ROW(symlinkat,                   266, NA,304,331, 36,295,295,297,297,297,256,260) \
	ROW(sync,                        162, NA, 36, 36, 81, 36, 36, 36, 36, 36,157,157) \
	ROW(sync_file_range,             277, NA,314, NA, 84, NA, NA,307,307,305,264,268) \
	ROW(sync_file_range2,             NA, NA, NA,341, NA,308,308, NA, NA, NA, NA, NA) \
	ROW(syncfs,                      306, NA,344,373,267,348,348,338,338,342,301,306) \
	ROW(sys_debug_setcontext,         NA, NA, NA, NA, NA,256,256, NA, NA, NA, NA, NA) \
	ROW(syscall,                      NA, NA, NA, NA, NA, NA, NA, NA, NA,  0, NA, NA) \
	ROW(sysfs,                       139, NA,135,135, NA,135,135,135,135,135,136,136) \
	ROW(sysinfo,                      99, NA,116,116,179,116,116,116,116,116, 97, 97) \
	ROW(syslog,                      103, NA,103,103,116,103,103,103,103,103,101,101) \
	ROW(sysmips,                      NA, NA, NA, NA, NA, NA, NA, NA, NA,149,199,199) \
	ROW(tee,                         276, NA,315,342, 77,284,284,308,308,306,265,269) \
	ROW(tgkill,                      234, NA,270,268,131,250,250,241,241,266,225,229) \
	ROW(time,                        201, NA, 13, NA, NA, 13, 13, 13, NA, 13, NA, NA) \
	ROW(timer_create,                222,526,259,257,107,240,240,254,254,257,216,220) \
	ROW(timer_delete,                226, NA,263,261,111,244,244,258,258,261,220,224) \
	ROW(timer_getoverrun,            225, NA,262,260,109,243,243,257,257,260,219,223) \
	ROW(timer_gettime,               224, NA,261,259,108,242,242,256,256,259,218,222) \
	ROW(timer_gettime64,              NA, NA,408,408,408,408, NA,408, NA,408, NA,408) \
	ROW(timer_settime,               223, NA,260,258,110,241,241,255,255,258,217,221) \
	ROW(timer_settime64,              NA, NA,409,409,409,409, NA,409, NA,409, NA,409) \
	ROW(timerfd,                      NA, NA, NA, NA, NA, NA, NA,317,317,318,277,281) \
	ROW(timerfd_create,              283, NA,322,350, 85,306,306,319,319,321,280,284) \
	ROW(timerfd_gettime,             287, NA,326,354, 87,312,312,321,321,322,281,285) \
	ROW(timerfd_gettime64,            NA, NA,410,410,410,410, NA,410, NA,410, NA,410) \
	ROW(timerfd_settime,             286, NA,325,353, 86,311,311,320,320,323,282,286) \
	ROW(timerfd_settime64,            NA, NA,411,411,411,411, NA,411, NA,411, NA,411) \
	ROW(times,                       100, NA, 43, 43,153, 43, 43, 43, 43, 43, 98, 98) \
	ROW(tkill,                       200, NA,238,238,130,208,208,237,237,236,192,192) \
	ROW(truncate,                     76, NA, 92, 92, 45, 92, 92, 92, 92, 92, 74, 74) \
	ROW(truncate64,                   NA, NA,193,193, NA,193, NA,193, NA,211, NA, NA) \
	ROW(tuxcall,                     184, NA, NA, NA, NA,225,225, NA, NA, NA, NA, NA) \
	ROW(ugetrlimit,                   NA, NA,191,191, NA,190,190,191, NA, NA, NA, NA) \
	ROW(ulimit,                       NA, NA, 58, NA, NA, 58, 58, NA, NA, 58, NA, NA) \
	ROW(umask,                        95, NA, 60, 60,166, 60, 60, 60, 60, 60, 93, 93) \
	ROW(umount,                       NA, NA, 22, NA, NA, 22, 22, 22, 22, 22, NA, NA) \
	ROW(umount2,                     166, NA, 52, 52, 39, 52, 52, 52, 52, 52,161,161) \
	ROW(uname,                        63, NA,122,122,160,122,122,122,122,122, 61, 61) \
	ROW(unlink,                       87, NA, 10, 10, NA, 10, 10, 10, 10, 10, 85, 85) \
	ROW(unlinkat,                    263, NA,301,328, 35,292,292,294,294,294,253,257) \
	ROW(unshare,                     272, NA,310,337, 97,282,282,303,303,303,262,266) \
	ROW(unused109,                    NA, NA, NA, NA, NA, NA, NA, NA, NA,109, NA, NA) \
	ROW(unused150,                    NA, NA, NA, NA, NA, NA, NA, NA, NA,150, NA, NA) \
	ROW(unused18,                     NA, NA, NA, NA, NA, NA, NA, NA, NA, 18, NA, NA) \
	ROW(unused28,                     NA, NA, NA, NA, NA, NA, NA, NA, NA, 28, NA, NA) \
	ROW(unused59,                     NA, NA, NA, NA, NA, NA, NA, NA, NA, 59, NA, NA) \
	ROW(unused84,                     NA, NA, NA, NA, NA, NA, NA, NA, NA, 84, NA, NA) \
	ROW(uprobe,                      336, NA, NA, NA, NA, NA, NA, NA, NA, NA, NA, NA) \
	ROW(uretprobe,                   335, NA, NA, NA, NA, NA, NA, NA, NA, NA, NA, NA) \
	ROW(uselib,                      134, NA, 86, 86, NA, 86, 86, 86, 86, 86, NA, NA) \
	ROW(userfaultfd,                 323, NA,374,388,282,364,364,355,355,357,317,321) \
	ROW(ustat,                       136, NA, 62, 62, NA, 62, 62, 62, 62, 62,133,133) \
	ROW(utime,                       132, NA, 30, NA, NA, 30, 30, 30, 30, 30,130,130) \
	ROW(utimensat,                   280, NA,320,348, 88,304,304,315,315,316,275,279) \
	ROW(utimensat_time64,             NA, NA,412,412,412,412, NA,412, NA,412, NA,412) \
	ROW(utimes,                      235, NA,271,269, NA,251,251,313,313,267,226,230) \
	ROW(vfork,                        58, NA,190,190, NA,189,189,190,190, NA, NA, NA) \
	ROW(vhangup,                     153, NA,111,111, 58,111,111,111,111,111,150,150) \
	ROW(vm86,                         NA, NA,166, NA, NA,113,113, NA, NA,113, NA, NA) \
	ROW(vm86old,                      NA, NA,113, NA, NA, NA, NA, NA, NA, NA, NA, NA) \
	ROW(vmsplice,                    278,532,316,343, 75,285,285,309,309,307,266,270) \
	ROW(vserver,                     236, NA,273,313, NA, NA, NA, NA, NA,277,236,240) \
	ROW(wait4,                        61, NA,114,114,260,114,114,114,114,114, 59, 59) \
	ROW(waitid,                      247,529,284,280, 95,272,272,281,281,278,237,241) \
	ROW(waitpid,                      NA, NA,  7, NA, NA,  7,  7, NA, NA,  7, NA, NA) \
	ROW(write,                         1, NA,  4,  4, 64,  4,  4,  4,  4,  4,  1,  1) \
	ROW(writev,                       20,516,146,146, 66,146,146,146,146,146, 19, 19)
/* clang-format on */
