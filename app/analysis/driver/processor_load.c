/* SPDX-License-Identifier: MIT */
/* Measures what else the CPUs do, for estimates of time; called by the window's forms and bench_form. */
#include "processor_load.h"

#include <sys/resource.h>
#include <time.h>

/* Long enough for the scheduler to give every program its turn. The load average would need a minute to follow a
 * change, and neither it nor the count of running threads knows priorities or a container's limits. */
#define MEASURED_SECONDS 0.25
#define KEPT_MICROSECONDS (3 * G_USEC_PER_SEC)
/* Devices' scores, which most estimates divide by, are of kernels alone. Maps, g(r) and I(q) take that much longer as a
 * whole (bench_form --run). */
#define RUN_PER_KERNEL 1.6
/* Every run also starts threads, sorts atoms and makes its result. */
#define FIXED_SECONDS 0.2

typedef struct {
  double begin, passed, used; /* seconds of the clock, twice, and of a core */
} Share;

static double
read_clock(clockid_t clock)
{
  struct timespec time = {0};
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static gpointer
keep_core_busy(gpointer data)
{
  Share *share = data;
  setpriority(PRIO_PROCESS, 0, DEBYE_RUN_NICENESS);
  do
    share->passed = read_clock(CLOCK_MONOTONIC) - share->begin;
  while (share->passed < MEASURED_SECONDS);
  share->used = read_clock(CLOCK_THREAD_CPUTIME_ID);
  return NULL;
}

/* What was measured before counts half, so that one turn more or less of a crowded machine doesn't decide. */
static double
measure(Share *former)
{
  const guint n = g_get_num_processors();
  g_autofree Share *shares = g_new0(Share, n);
  g_autofree GThread **threads = g_new0(GThread *, n);
  Share all = {0};
  for (guint i = 0; i < n; i++) {
    shares[i] = (Share){.begin = read_clock(CLOCK_MONOTONIC)};
    threads[i] = g_thread_try_new("load", keep_core_busy, &shares[i], NULL);
  }
  for (guint i = 0; i < n; i++) {
    if (threads[i] != NULL)
      g_thread_join(threads[i]);
    all.passed += shares[i].passed;
    all.used += shares[i].used;
  }
  former->passed = 0.5 * former->passed + all.passed;
  former->used = 0.5 * former->used + all.used;
  return former->used > 0.0 ? MAX(1.0, former->passed / former->used) : 1.0;
}

/* How many times longer a run of the window on all cores takes now than on an idle machine, 1 or more. A quarter of a
 * second on one thread per core measures it, every few seconds at most. Any thread may ask. */
static double
get_load(void)
{
  static GMutex mutex;
  static gint64 measured;
  static double load;
  static Share former;
  g_autoptr(GMutexLocker) lock = g_mutex_locker_new(&mutex);
  if (measured == 0 || g_get_monotonic_time() - measured > KEPT_MICROSECONDS) {
    load = measure(&former);
    measured = g_get_monotonic_time();
  }
  return load;
}

void
debye_processor_load_count(DebyeEstimate *estimate)
{
  const double run = estimate->seconds * (estimate->is_of_runs ? 1.0 : RUN_PER_KERNEL);
  if (!estimate->is_accelerated)
    estimate->seconds = run * get_load();
  estimate->seconds += FIXED_SECONDS;
}
