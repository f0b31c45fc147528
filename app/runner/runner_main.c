/* SPDX-License-Identifier: MIT */
/* debye-kernel-runner: compiles or runs what somebody wrote for the class, locked away, in the folder that it is started
 * in. app/bench starts it: `debye-kernel-runner compile COMPILER ARGUMENT...` becomes the compiler with limits, what it
 * says in `messages`; `debye-kernel-runner run` does what runner_case.h describes. The same of CUDA sources:
 * `debye-kernel-runner compile-cuda ORDINAL FLAG...` and `debye-kernel-runner run-cuda ORDINAL`. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runner_calls.h"
#include "runner_cuda.h"
#include "runner_driver.h"
#include "runner_fourier.h"
#include "runner_sandbox.h"

#define COMPILE_SECONDS 10
#define MAX_FLAGS 64
#define COMPILE_BYTES ((uint64_t)4 << 30)
#define NVRTC_BYTES ((uint64_t)4 << 30) /* that it writes to: the driver reserves more */
#define COMPILED_BYTES ((uint64_t)64 << 20)
#define RUN_SECONDS 600               /* of all threads; whoever starts it counts those of the clock */
#define RUN_BYTES ((uint64_t)1 << 30) /* beside the arrays and the threads' stacks */
#define LONG_ENOUGH 2.0               /* s: no run is repeated after */

static DebyeRunnerRun run;
static DebyeRunnerReport report;
static int report_file = -1;

static void
end(DebyeRunnerState state)
{
  report.state = (int32_t)state;
  if (pwrite(report_file, &report, sizeof report, 0) != (ssize_t)sizeof report)
    _exit(2);
  if (state != DEBYE_RUNNER_LOADING && state != DEBYE_RUNNER_RUNNING)
    _exit(0);
}

/* --- Faults --- */

static void
end_at(const DebyeRunnerBuffer *buffer, int64_t where, bool is_inside)
{
  for (size_t i = 0; i + 1 < sizeof report.place && buffer->name[i] != '\0'; i++)
    report.place[i] = buffer->name[i];
  report.where = where;
  end(is_inside ? DEBYE_RUNNER_CHANGED : DEBYE_RUNNER_OUTSIDE);
}

static const DebyeRunnerBuffer *
get_buffer(size_t number)
{
  const size_t n = run.about.n_inputs;
  return number < n ? &run.inputs[number] : number == n ? &run.output : number == n + 1 ? &run.scratch : NULL;
}

static void
handle(int number, siginfo_t *info, void *context)
{
  const DebyeRunnerBuffer *buffer;
  int64_t where = 0;
  (void)context;
  report.what = number == SIGSYS ? info->si_syscall : number;
  if (number == SIGSYS)
    end(DEBYE_RUNNER_FORBIDDEN);
  for (size_t i = 0; number == SIGSEGV && (buffer = get_buffer(i)) != NULL; i++)
    if (debye_runner_buffer_has(buffer, info->si_addr, &where))
      end_at(buffer, where, debye_runner_buffer_is_inside(buffer, info->si_addr));
  end(DEBYE_RUNNER_SIGNAL);
}

static void
catch_faults(void)
{
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};
  static unsigned char stack[65536];
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction(numbers[i], &action, NULL);
}

/* --- The case --- */

static bool
read_all(int file, void *to, size_t n)
{
  size_t done = 0;
  ssize_t got = 1;
  for (; done < n && got > 0; done += (size_t)got)
    got = read(file, (unsigned char *)to + done, n - done);
  return got > 0 || n == 0;
}

static bool
read_case(void)
{
  const int file = open("case", O_RDONLY | O_CLOEXEC);
  DebyeRunnerCase *about = &run.about;
  bool ok = file >= 0 && read_all(file, about, sizeof *about) &&
            memcmp(about->magic, DEBYE_RUNNER_MAGIC, sizeof about->magic) == 0 &&
            about->n_inputs <= DEBYE_RUNNER_MAX_INPUTS && about->family >= 0 &&
            about->family < DEBYE_RUNNER_N_FAMILIES;
  for (size_t i = 0; ok && i < about->n_inputs; i++)
    ok = debye_runner_buffer_init(&run.inputs[i], debye_runner_families[about->family].inputs[i],
                                  about->input_bytes[i]) &&
         read_all(file, run.inputs[i].data, about->input_bytes[i]);
  for (size_t i = 0; ok && i < about->n_inputs; i++)
    run.inputs[i].checksum = debye_runner_buffer_sum(&run.inputs[i]);
  if (file >= 0)
    close(file);
  const DebyeRunnerFamilyRow *row = ok ? &debye_runner_families[about->family] : NULL;
  return ok && debye_runner_buffer_init(&run.output, row->output, about->output_bytes) &&
         debye_runner_buffer_init(&run.scratch, row->scratch, about->scratch_bytes) &&
         (about->family != DEBYE_RUNNER_SCATTERING || debye_runner_fourier_plan(about->counts[3]));
}

static void
place(bool at_end)
{
  for (size_t i = 0; i < run.about.n_inputs; i++) {
    debye_runner_buffer_unprotect(&run.inputs[i]);
    debye_runner_buffer_place(&run.inputs[i], at_end);
    debye_runner_buffer_protect(&run.inputs[i]);
  }
  debye_runner_buffer_place(&run.output, at_end);
  debye_runner_buffer_place(&run.scratch, at_end);
}

/* With 0, or with what is no good beginning for a sum. */
static void
fill(bool is_poisoned)
{
  const DebyeRunnerFamilyRow *row = &debye_runner_families[run.about.family];
  unsigned char *data = run.output.data;
  const size_t n_bytes = run.output.n_bytes;
  memset(run.scratch.data, row->has_empty_scratch ? 0 : 0xff, run.scratch.n_bytes);
  memset(data, 0, n_bytes);
  for (size_t i = 0; is_poisoned && row->type == DEBYE_RUNNER_COUNTS_OUT && i < n_bytes / sizeof(uint64_t);
       i++)
    ((unsigned long long *)data)[i] = DEBYE_RUNNER_POISON_COUNT;
  for (size_t i = 0; is_poisoned && row->type == DEBYE_RUNNER_VOXELS_OUT && i < n_bytes / sizeof(uint32_t);
       i++)
    ((uint32_t *)data)[i] = (uint32_t)DEBYE_RUNNER_POISON_COUNT;
  for (size_t i = 0; is_poisoned && row->type == DEBYE_RUNNER_FLOATS_OUT && i < n_bytes / sizeof(float); i++)
    ((float *)data)[i] = DEBYE_RUNNER_POISON;
}

static void
check_buffers(void)
{
  const DebyeRunnerBuffer *buffer;
  int64_t where = 0;
  for (size_t i = 0; (buffer = get_buffer(i)) != NULL; i++) {
    if (!debye_runner_buffer_is_whole(buffer, &where))
      end_at(buffer, where, false);
    if (i < run.about.n_inputs && debye_runner_buffer_sum(buffer) != buffer->checksum)
      end_at(buffer, 0, true);
  }
}

static void
write_output(size_t number)
{
  const off_t at = (off_t)(sizeof report + number * run.output.n_bytes);
  for (size_t done = 0; done < run.output.n_bytes;) {
    const ssize_t n =
        pwrite(report_file, run.output.data + done, run.output.n_bytes - done, at + (off_t)done);
    if (n <= 0)
      _exit(2);
    done += (size_t)n;
  }
}

static double
get_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void
check(void)
{
  for (size_t number = 0; number < DEBYE_RUNNER_CHECKS; number++) {
    place(number != 1);
    fill(number == 1 || number == 3);
    const double start = get_now();
    debye_runner_call(&run, number >= 2 ? DEBYE_RUNNER_SHARES : 1,
                      number == 3 ? DEBYE_RUNNER_FIRST_SHARE : DEBYE_RUNNER_IN_TURN);
    report.seconds = number == 0 ? get_now() - start : report.seconds;
    check_buffers();
    write_output(number);
  }
}

static void
measure(void)
{
  double sum = 0.0;
  place(false);
  for (int i = 0; i < run.about.n_repeats && sum < LONG_ENOUGH; i++) {
    fill(false);
    const double start = get_now();
    debye_runner_call(&run, run.about.n_threads, DEBYE_RUNNER_SIDE_BY_SIDE);
    const double seconds = get_now() - start;
    debye_runner_note_time(&report, seconds);
    sum += seconds;
  }
  check_buffers();
  write_output(0);
}

static int
compile(char **command)
{
  const int messages = open("messages", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (messages < 0 || dup2(messages, STDERR_FILENO) < 0)
    return 2;
  debye_runner_limit(COMPILE_SECONDS, COMPILE_BYTES, COMPILED_BYTES);
  debye_runner_lock_files(false);
  execv(command[0], command);
  return 2;
}

/* For the device's generation, or, without one, for a recent one: errors can be told everywhere. */
static int
compile_cuda(int ordinal, char **flags, int n_flags)
{
  char *all[MAX_FLAGS + 1], name[16] = "sm_90", architecture[48];
  const int messages = open("messages", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (messages < 0 || n_flags > MAX_FLAGS)
    return 2;
  if (!debye_runner_nvrtc_open())
    return DEBYE_RUNNER_NO_NVRTC;
  debye_runner_driver_find_architecture(ordinal, name);
  snprintf(architecture, sizeof architecture, "--gpu-architecture=%s", name);
  memcpy(all, flags, (size_t)n_flags * sizeof *flags);
  all[n_flags] = architecture;
  debye_runner_limit(COMPILE_SECONDS, 0, COMPILED_BYTES);
  debye_runner_limit_data(NVRTC_BYTES);
  debye_runner_lock_files(false);
  return debye_runner_nvrtc_compile(all, n_flags + 1, messages);
}

static bool
prepare_run(const DebyeRunnerHost *host, bool is_cuda, int ordinal)
{
  const uint64_t n_bytes = sizeof report + run.output.n_bytes * DEBYE_RUNNER_CHECKS;
  uint64_t memory = RUN_BYTES + 2 * (run.output.n_bytes + run.scratch.n_bytes);
  for (size_t i = 0; i < run.about.n_inputs; i++)
    memory += 2 * run.inputs[i].n_bytes;
  const int n_threads = run.about.n_repeats > 0 && !is_cuda ? run.about.n_threads : 1;
  memory += (uint64_t)(n_threads > 0 ? n_threads : 0) * 2 * DEBYE_RUNNER_STACK_BYTES;
  /* CUDA reserves addresses for all memory of the machine. */
  debye_runner_limit(RUN_SECONDS, is_cuda ? 0 : memory, n_bytes);
  report_file = open("report", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (report_file < 0)
    return false;
  if (is_cuda)
    debye_runner_cuda_open(host, ordinal);
  report.has_landlock = debye_runner_lock_files(is_cuda);
  catch_faults();
  const int n_started = debye_runner_threads_start(n_threads);
  if (n_started < n_threads && n_started < DEBYE_RUNNER_MOST_THREADS) {
    report.what = n_started;
    end(DEBYE_RUNNER_NO_THREADS);
  }
  report.has_seccomp = is_cuda ? debye_runner_lock_programs() : debye_runner_lock_calls();
  return true;
}

static void
run_on_cpu(void)
{
  end(DEBYE_RUNNER_LOADING);
  void *library = dlopen("./kernel.so", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL || !debye_runner_find_functions(&run, library))
    end(DEBYE_RUNNER_NOT_LOADED);
  debye_runner_fit_scratch(&run);
  end(DEBYE_RUNNER_RUNNING);
  if (run.about.n_repeats > 0)
    measure();
  else
    check();
  end(DEBYE_RUNNER_DONE);
}

int
main(int n_arguments, char **arguments)
{
  static const DebyeRunnerHost host = {&run, &report, end, fill, write_output};
  const char *verb = n_arguments > 1 ? arguments[1] : "";
  if (n_arguments > 2 && strcmp(verb, "compile") == 0)
    return compile(arguments + 2);
  if (n_arguments > 2 && strcmp(verb, "compile-cuda") == 0)
    return compile_cuda(atoi(arguments[2]), arguments + 3, n_arguments - 3);
  const bool is_cuda = n_arguments == 3 && strcmp(verb, "run-cuda") == 0;
  if ((!is_cuda && (n_arguments != 2 || strcmp(verb, "run") != 0)) || !read_case() ||
      !prepare_run(&host, is_cuda, is_cuda ? atoi(arguments[2]) : 0))
    return 2;
  if (is_cuda)
    debye_runner_cuda_run();
  else
    run_on_cpu();
  return 0;
}
