/* SPDX-License-Identifier: MIT */
/* Laid over the C library by LD_PRELOAD, this starts a program once up to its main, for tests that run it hundreds of
 * times: each order that comes through the socket DEBYE_STARTED_ONCE is a fork of it, which gets the order's arguments,
 * environment, folder, standard streams and limits, and goes on as the program does. What the dynamic linker does with
 * 75 libraries, most of what a short run takes, is done once. tests/app/started_once.py gives the orders. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <dlfcn.h>
#include <unistd.h>

enum {
  STREAMS = 3, /* the first descriptors of an order */
  FOLDER = STREAMS,
  TEXTS, /* a file with the arguments and then the environment, a NUL after each */
  N_DESCRIPTORS,
  MOST_LIMITS = 4,
};

typedef struct {
  uint32_t n_arguments, n_variables, n_bytes, n_limits;
  struct {
    uint64_t kind, most;
  } limits[MOST_LIMITS];
} Order;

typedef int (*Main)(int, char **, char **);
typedef int (*Start)(Main, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static Main program;

static char **
split(char **text, uint32_t n_texts)
{
  char **texts = calloc(n_texts + 1, sizeof *texts);
  if (texts == NULL)
    _exit(126);
  for (uint32_t i = 0; i < n_texts; i++) {
    texts[i] = *text;
    *text += strlen(*text) + 1;
  }
  return texts;
}

/* In the fork. 126 is what a shell says of a program that it cannot start. */
static _Noreturn void
follow(const Order *order, const int *descriptors)
{
  for (int i = 0; i < STREAMS; i++)
    if (dup2(descriptors[i], i) < 0)
      _exit(126);
  char *text = mmap(NULL, order->n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptors[TEXTS], 0);
  if (text == MAP_FAILED || fchdir(descriptors[FOLDER]) != 0)
    _exit(126);
  for (int i = 0; i < N_DESCRIPTORS; i++)
    close(descriptors[i]);
  char **arguments = split(&text, order->n_arguments);
  environ = split(&text, order->n_variables);
  for (uint32_t i = 0; i < order->n_limits; i++) {
    const struct rlimit limit = {order->limits[i].most, order->limits[i].most};
    if (setrlimit((__rlimit_resource_t)order->limits[i].kind, &limit) != 0)
      _exit(126);
  }
  exit(program((int)order->n_arguments, arguments, environ));
}

static ssize_t
receive(int socket, Order *order, int *descriptors)
{
  union {
    char bytes[CMSG_SPACE(N_DESCRIPTORS * sizeof(int))];
    struct cmsghdr align;
  } control;
  struct iovec part = {order, sizeof *order};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t n_bytes = recvmsg(socket, &message, 0);
  const struct cmsghdr *head = n_bytes > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (head == NULL || head->cmsg_len != CMSG_LEN(N_DESCRIPTORS * sizeof(int)))
    return 0;
  memcpy(descriptors, CMSG_DATA(head), N_DESCRIPTORS * sizeof(int));
  return n_bytes;
}

/* The process's number is sent at once, so that one that takes too long can be ended, and its status in the end. */
static int
wait_for_orders(int argc, char **argv, char **variables)
{
  const char *number = getenv("DEBYE_STARTED_ONCE");
  if (number == NULL)
    return program(argc, argv, variables);
  const int socket = atoi(number);
  Order order;
  int descriptors[N_DESCRIPTORS];
  while (receive(socket, &order, descriptors) == sizeof order) {
    const pid_t child = fork();
    if (child == 0) {
      close(socket);
      follow(&order, descriptors);
    }
    for (int i = 0; i < N_DESCRIPTORS; i++)
      close(descriptors[i]);
    int32_t answer[2] = {child, 126 << 8};
    if (send(socket, answer, sizeof answer[0], MSG_NOSIGNAL) < 0)
      break;
    if (child > 0)
      waitpid(child, &answer[1], 0);
    if (send(socket, &answer[1], sizeof answer[1], MSG_NOSIGNAL) < 0)
      break;
  }
  _exit(0);
}

int __libc_start_main(Main main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*linker)(void), void *stack);

int
__libc_start_main(Main main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                  void (*linker)(void), void *stack)
{
  program = main;
  return ((Start)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main"))(wait_for_orders, argc, argv, init, fini,
                                                                   linker, stack);
}
