/* SPDX-License-Identifier: MIT */
/* Limits, landlock and seccomp of debye-kernel-runner; called by runner_main.c. */
#include "runner_sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void
debye_runner_limit(unsigned seconds, uint64_t memory, uint64_t file)
{
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds + 1});
  if (memory > 0)
    setrlimit(RLIMIT_AS, &(struct rlimit){memory, memory});
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){file, file});
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

void
debye_runner_limit_data(uint64_t n_bytes)
{
  setrlimit(RLIMIT_DATA, &(struct rlimit){n_bytes, n_bytes});
}

/* --- Files --- */

#ifdef LANDLOCK_ACCESS_FS_WRITE_FILE

static bool
allow_below(int rules, const char *path, uint64_t access)
{
  struct landlock_path_beneath_attr below = {.allowed_access = access,
                                             .parent_fd = open(path, O_PATH | O_CLOEXEC)};
  const bool ok = below.parent_fd >= 0 &&
                  syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0) == 0;
  if (below.parent_fd >= 0)
    close(below.parent_fd);
  return ok;
}

bool
debye_runner_lock_files(bool has_devices)
{
  const uint64_t writes = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                          LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                          LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_SYM |
                          LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                          LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK;
  const struct landlock_ruleset_attr attributes = {.handled_access_fs = writes};
  const int rules = (int)syscall(__NR_landlock_create_ruleset, &attributes, sizeof attributes, 0);
  if (rules < 0)
    return false;
  const bool ok = allow_below(rules, ".", writes) &&
                  allow_below(rules, has_devices ? "/dev" : "/dev/null",
                              has_devices ? writes : LANDLOCK_ACCESS_FS_WRITE_FILE) &&
                  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                  syscall(__NR_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return ok;
}

#else
bool
debye_runner_lock_files(bool has_devices)
{
  (void)has_devices;
  return false;
}
#endif

/* --- System calls --- */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* What threads that there are, memory, clocks, loading a library and writing the report need. */
static const int allowed[] = {
    __NR_read,         __NR_write,          __NR_pread64,       __NR_pwrite64,
    __NR_close,        __NR_lseek,          __NR_fstat,         __NR_newfstatat,
    __NR_mmap,         __NR_munmap,         __NR_mprotect,      __NR_mremap,
    __NR_brk,          __NR_madvise,        __NR_futex,         __NR_set_robust_list,
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn,  __NR_sigaltstack,
    __NR_exit,         __NR_exit_group,     __NR_clock_gettime, __NR_clock_nanosleep,
    __NR_nanosleep,    __NR_gettimeofday,   __NR_sched_yield,   __NR_sched_getaffinity,
    __NR_getpid,       __NR_gettid,         __NR_getrandom,     __NR_getcpu,
    __NR_membarrier,   __NR_getcwd,         __NR_getppid,       __NR_readlinkat,
    __NR_faccessat,    __NR_uname,
#ifdef __NR_readlink
    __NR_readlink,     __NR_access,         __NR_stat,          __NR_lstat,
#endif
#ifdef __NR_rseq
    __NR_rseq,
#endif
};

#define LOW_WORD(n) (uint32_t)(offsetof(struct seccomp_data, args) + 8u * (unsigned)(n))

typedef struct {
  struct sock_filter lines[4 * sizeof allowed / sizeof *allowed];
  unsigned short n;
} Filter;

static void
add(Filter *filter, struct sock_filter line)
{
  filter->lines[filter->n++] = line;
}

static void
answer(Filter *filter, int call, uint32_t action)
{
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1));
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* Allows the call where the bits `mask` of argument `n` are `value`. */
static void
allow_if(Filter *filter, int call, int n, uint32_t mask, uint32_t value)
{
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 5));
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, LOW_WORD(n)));
  add(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
}

#ifdef ARCHITECTURE
/* On all threads: the pool's were made before. */
static bool
install(const Filter *filter)
{
  const struct sock_fprog program = {.len = filter->n, .filter = (struct sock_filter *)filter->lines};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

static void
begin(Filter *filter)
{
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
}

#endif

bool
debye_runner_lock_calls(void)
{
#ifdef ARCHITECTURE
  Filter filter = {.n = 0};
  begin(&filter);
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
    answer(&filter, allowed[i], SECCOMP_RET_ALLOW);
    /* The C library then takes clone, which a report can name. */
#ifdef __NR_clone3
  answer(&filter, __NR_clone3, SECCOMP_RET_ERRNO | ENOSYS);
#endif
  answer(&filter, __NR_ioctl, SECCOMP_RET_ERRNO | ENOTTY);
  answer(&filter, __NR_prlimit64, SECCOMP_RET_ERRNO | EPERM);
  allow_if(&filter, __NR_openat, 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY);
  allow_if(&filter, __NR_tgkill, 0, UINT32_MAX, (uint32_t)getpid());
  add(&filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
  return install(&filter);
#else
  return false;
#endif
}

bool
debye_runner_lock_programs(void)
{
#ifdef ARCHITECTURE
  Filter filter = {.n = 0};
  begin(&filter);
  answer(&filter, __NR_execve, SECCOMP_RET_ERRNO | EPERM);
  answer(&filter, __NR_execveat, SECCOMP_RET_ERRNO | EPERM);
  answer(&filter, __NR_ptrace, SECCOMP_RET_ERRNO | EPERM);
  answer(&filter, __NR_connect, SECCOMP_RET_ERRNO | EPERM);
  answer(&filter, __NR_bind, SECCOMP_RET_ERRNO | EPERM);
  add(&filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return install(&filter);
#else
  return false;
#endif
}
