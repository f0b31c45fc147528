/* SPDX-License-Identifier: MIT */
/* A world that fails on purpose, laid over the C library by LD_PRELOAD: what would need a full disk, a bad
 * network drive or a kill at just the wrong moment happens here at the n-th call, every time. Each fault is
 * asked for by a variable of the environment; when one happens, the file DEBYE_FAULT_MARK comes to be, so
 * that a test can go through n = 1, 2, 3 … until nothing is left to fail.
 *
 *   DEBYE_FAULT_ALLOCATION=N:BYTES          the n-th allocation of at least BYTES gives NULL
 *   DEBYE_FAULT_WRITE=N:ERRNO               the n-th step of writing files fails; 0: a kill instead
 *   DEBYE_FAULT_READ=N:NAME:ERRNO           the n-th read of the file NAME fails,
 *   DEBYE_FAULT_READ=N:NAME:truncate:BYTES  or before it the file is cut,
 *   DEBYE_FAULT_READ=N:NAME:unlink          or deleted,
 *   DEBYE_FAULT_READ=N:NAME:replace:OTHER   or OTHER gets its name
 *   DEBYE_FAULT_SLOW=MILLISECONDS:NAME      each read of the file NAME takes so long
 *   DEBYE_FAULT_LOCK=ERRNO                  no file can be locked
 *   DEBYE_FAULT_NAMELESS=ERRNO              no file without a name can be made */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name))

/* "N:" and the rest. NULL: not asked for. */
static const char *
parse_number(const char *variable, long *n)
{
  const char *text = getenv(variable);
  char *end = NULL;
  if (!text)
    return NULL;
  *n = strtol(text, &end, 10);
  return *end == ':' ? end + 1 : end;
}

static void
leave_mark(void)
{
  const char *path = getenv("DEBYE_FAULT_MARK");
  if (path)
    close(NEXT(open)(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

/* --- Allocations --- */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t n);

static int
allocation_fails(size_t n)
{
  static atomic_long count;
  long wanted = 0;
  /* Nothing smaller can be asked for, and most allocations are: the environment is searched for few. */
  if (n < 1024)
    return 0;
  const char *least = parse_number("DEBYE_FAULT_ALLOCATION", &wanted);
  if (!least || n < strtoul(least, NULL, 10) || ++count != wanted)
    return 0;
  leave_mark();
  errno = ENOMEM;
  return 1;
}

void *
malloc(size_t n)
{
  return allocation_fails(n) ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
  return size && n <= SIZE_MAX / size && allocation_fails(n * size) ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *block, size_t n)
{
  return allocation_fails(n) ? NULL : __libc_realloc(block, n);
}

/* --- Steps of writing --- */

static int
write_fails(void)
{
  static atomic_long count;
  long wanted = 0;
  const char *number = parse_number("DEBYE_FAULT_WRITE", &wanted);
  if (!number || ++count != wanted)
    return 0;
  leave_mark();
  if (strtol(number, NULL, 10) == 0)
    kill(getpid(), SIGKILL);
  errno = (int)strtol(number, NULL, 10);
  return 1;
}

static int
is_file(int fd)
{
  struct stat status;
  return fd > STDERR_FILENO && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

ssize_t
write(int fd, const void *bytes, size_t n)
{
  return is_file(fd) && write_fails() ? -1 : NEXT(write)(fd, bytes, n);
}

ssize_t
writev(int fd, const struct iovec *parts, int n)
{
  return is_file(fd) && write_fails() ? -1 : NEXT(writev)(fd, parts, n);
}

int
fsync(int fd)
{
  return is_file(fd) && write_fails() ? -1 : NEXT(fsync)(fd);
}

int
rename(const char *from, const char *to)
{
  return write_fails() ? -1 : NEXT(rename)(from, to);
}

int
linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
  return write_fails() ? -1 : NEXT(linkat)(from_folder, from, to_folder, to, flags);
}

/* --- Opening and locking --- */

static int
is_refused(const char *variable)
{
  long number = 0;
  if (!parse_number(variable, &number))
    return 0;
  leave_mark();
  errno = (int)number;
  return 1;
}

static int
open_or_fail(const char *path, int flags, mode_t mode)
{
  if ((flags & O_TMPFILE) == O_TMPFILE && is_refused("DEBYE_FAULT_NAMELESS"))
    return -1;
  return NEXT(open)(path, flags, mode);
}

#define DEFINE_OPEN(name)                    \
  int name(const char *path, int flags, ...) \
  {                                          \
    va_list list;                            \
    va_start(list, flags);                   \
    mode_t mode = va_arg(list, mode_t);      \
    va_end(list);                            \
    return open_or_fail(path, flags, mode);  \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

int
flock(int fd, int operation)
{
  return is_refused("DEBYE_FAULT_LOCK") ? -1 : NEXT(flock)(fd, operation);
}

static int
fcntl_or_fail(int fd, int command, void *argument)
{
  int is_lock =
      command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
  return is_lock && is_refused("DEBYE_FAULT_LOCK") ? -1 : NEXT(fcntl)(fd, command, argument);
}

#define DEFINE_FCNTL(name)                       \
  int name(int fd, int command, ...)             \
  {                                              \
    va_list list;                                \
    va_start(list, command);                     \
    void *argument = va_arg(list, void *);       \
    va_end(list);                                \
    return fcntl_or_fail(fd, command, argument); \
  }
DEFINE_FCNTL(fcntl)
DEFINE_FCNTL(fcntl64)

/* --- Reads --- */

static int
path_of(int fd, char *path, size_t n)
{
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, n - 1);
  path[length < 0 ? 0 : length] = '\0';
  return length > 0;
}

static int
act(const char *path, const char *action)
{
  leave_mark();
  if (strncmp(action, "truncate:", 9) == 0)
    return truncate(path, strtol(action + 9, NULL, 10)), 0;
  if (strncmp(action, "replace:", 8) == 0)
    return NEXT(rename)(action + 8, path), 0;
  if (strcmp(action, "unlink") == 0)
    return unlink(path), 0;
  errno = (int)strtol(action, NULL, 10);
  return 1;
}

/* Whether the file's last part is the first `length` bytes of `name`. */
static int
is_named(const char *path, const char *name, size_t length)
{
  const char *base = strrchr(path, '/');
  return base && strlen(base + 1) == length && strncmp(base + 1, name, length) == 0;
}

static void
take_long(int fd)
{
  long milliseconds = 0;
  char path[PATH_MAX];
  const char *name = parse_number("DEBYE_FAULT_SLOW", &milliseconds);
  if (!name || !path_of(fd, path, sizeof path) || !is_named(path, name, strlen(name)))
    return;
  leave_mark();
  usleep((useconds_t)milliseconds * 1000);
}

static int
read_fails(int fd)
{
  static atomic_long count;
  long wanted = 0;
  char path[PATH_MAX];
  take_long(fd);
  const char *rest = parse_number("DEBYE_FAULT_READ", &wanted);
  const char *action = rest ? strchr(rest, ':') : NULL;
  if (!action || !path_of(fd, path, sizeof path))
    return 0;
  if (!is_named(path, rest, (size_t)(action - rest)) || ++count != wanted)
    return 0;
  return act(path, action + 1);
}

#define DEFINE_READ(name, from)                                    \
  ssize_t name(int fd, void *bytes, size_t n, off_t offset)        \
  {                                                                \
    return read_fails(fd) ? -1 : NEXT(from)(fd, bytes, n, offset); \
  }
DEFINE_READ(pread, pread)
DEFINE_READ(pread64, pread)

#define DEFINE_READ_PARTS(name, from)                                  \
  ssize_t name(int fd, const struct iovec *parts, int n, off_t offset) \
  {                                                                    \
    return read_fails(fd) ? -1 : NEXT(from)(fd, parts, n, offset);     \
  }
DEFINE_READ_PARTS(preadv, preadv)
DEFINE_READ_PARTS(preadv64, preadv)
