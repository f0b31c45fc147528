/* SPDX-License-Identifier: MIT */
/* A job's promises: its end is told once, progress never goes back, the newest partial result wins, Stop
 * keeps what was made, and no worker outlives a join. */
#include "app/jobs/job_pace.h"
#include "app/jobs/job_queue.h"

#include <math.h>

/* Turns the main loop until the job is over; a watchdog ends a hang. */
static void
wait_for(DebyeJob *job)
{
  gint64 deadline = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
  while (debye_job_get_state(job) <= DEBYE_JOB_RUNNING) {
    g_assert_cmpint(g_get_monotonic_time(), <, deadline);
    g_main_context_iteration(NULL, FALSE);
    g_usleep(200);
  }
}

static void
count_call(DebyeJob *job G_GNUC_UNUSED, guint *count)
{
  ++*count;
}

static void
add_one(guint *count)
{
  ++*count;
}

/* A GObject with a number, to stand for a result. */
static GObject *
make_result(int number)
{
  GObject *object = g_object_new(G_TYPE_OBJECT, NULL);
  g_object_set_data(object, "number", GINT_TO_POINTER(number));
  return object;
}

static int
number_of(gpointer object)
{
  return GPOINTER_TO_INT(g_object_get_data(object, "number"));
}

static gpointer
count_to_ten(DebyeJob *job, gpointer data, GError **error G_GNUC_UNUSED)
{
  for (int i = 0; i <= 10; i++) {
    debye_job_set_progress(job, i / 10.0);
    debye_job_set_progress(job, i / 20.0); /* backwards: must not be seen */
    debye_job_set_message(job, "step %d", i);
    g_autoptr(GObject) partial = make_result(i);
    debye_job_publish(job, partial);
    g_usleep(2000);
  }
  debye_job_set_progress(job, 7.0);
  return make_result(GPOINTER_TO_INT(data));
}

static double
get_fraction(DebyeJob *job)
{
  double fraction;
  g_object_get(job, "fraction", &fraction, NULL);
  return fraction;
}

static void
check_fraction(DebyeJob *job, GParamSpec *spec G_GNUC_UNUSED, double *last)
{
  double fraction = get_fraction(job);
  g_assert_cmpfloat(fraction, >, *last);
  g_assert_cmpfloat(fraction, <=, 1.0);
  *last = fraction;
}

static void
check_partial(DebyeJob *job G_GNUC_UNUSED, GObject *partial, int *last)
{
  g_assert_cmpint(number_of(partial), >, *last);
  *last = number_of(partial);
}

static void
test_progress(void)
{
  guint finished = 0;
  double last_fraction = -1.0;
  int last_partial = -1;
  g_autoptr(DebyeJob) job = debye_job_new("Counting", count_to_ten, GINT_TO_POINTER(42), NULL);
  g_signal_connect(job, "finished", G_CALLBACK(count_call), &finished);
  g_signal_connect(job, "notify::fraction", G_CALLBACK(check_fraction), &last_fraction);
  g_signal_connect(job, "partial", G_CALLBACK(check_partial), &last_partial);
  g_assert_cmpint(debye_job_get_state(job), ==, DEBYE_JOB_WAITING);
  debye_job_start(job);
  g_assert_cmpint(debye_job_get_state(job), ==, DEBYE_JOB_RUNNING);
  wait_for(job);

  g_autofree char *message = NULL;
  g_object_get(job, "message", &message, NULL);
  g_assert_cmpstr(message, ==, "step 10");
  g_assert_cmpint(debye_job_get_state(job), ==, DEBYE_JOB_DONE);
  g_assert_cmpint(number_of(debye_job_get_result(job)), ==, 42);
  g_assert_cmpfloat(last_fraction, ==, 1.0);
  g_assert_cmpint(last_partial, ==, 10);
  g_assert_cmpuint(finished, ==, 1);
  g_assert_no_error(debye_job_get_error(job));
}

/* Reports made while the main loop doesn't turn come over as one: only the newest partial result is shown. */
static void
test_coalesced(void)
{
  guint partials = 0, finished = 0;
  int last_partial = 9;
  g_autoptr(DebyeJob) job = debye_job_new("Counting", count_to_ten, GINT_TO_POINTER(1), NULL);
  g_signal_connect(job, "partial", G_CALLBACK(check_partial), &last_partial);
  g_signal_connect_swapped(job, "partial", G_CALLBACK(add_one), &partials);
  g_signal_connect(job, "finished", G_CALLBACK(count_call), &finished);
  debye_job_start(job);
  debye_job_join(job);
  g_assert_cmpuint(partials, ==, 1);
  g_assert_cmpuint(finished, ==, 1);
  g_assert_cmpint(debye_job_get_state(job), ==, DEBYE_JOB_DONE);
}

static gboolean
is_stopped(DebyeJob *job)
{
  return __atomic_load_n(debye_job_get_cancel_flag(job), __ATOMIC_RELAXED);
}

static gpointer
work_until_stopped(DebyeJob *job, gpointer data G_GNUC_UNUSED, GError **error)
{
  debye_job_set_progress(job, 0.5);
  while (!is_stopped(job))
    g_usleep(500);
  while (!g_cancellable_set_error_if_cancelled(debye_job_get_cancellable(job), error))
    g_usleep(500); /* the flag is set a moment before */
  return make_result(7);
}

static void
test_stop_keeps_partial_result(void)
{
  g_autoptr(DebyeJob) job = debye_job_new("Waiting", work_until_stopped, NULL, NULL);
  debye_job_start(job);
  g_usleep(5000);
  debye_job_stop(job);
  wait_for(job);
  g_assert_cmpint(debye_job_get_state(job), ==, DEBYE_JOB_STOPPED);
  g_assert_cmpint(number_of(debye_job_get_result(job)), ==, 7);
  g_assert_cmpfloat(get_fraction(job), ==, 0.5);
}

static gpointer
fail(DebyeJob *job G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED, GError **error)
{
  g_set_error(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "a.h5: the disk is full");
  return NULL;
}

static void
test_failure(void)
{
  g_autoptr(DebyeJob) job = debye_job_new("Failing", fail, NULL, NULL);
  debye_job_start(job);
  wait_for(job);
  g_autofree char *details = NULL;
  g_object_get(job, "details", &details, NULL);
  g_assert_cmpint(debye_job_get_state(job), ==, DEBYE_JOB_FAILED);
  g_assert_error(debye_job_get_error(job), G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  g_assert_cmpstr(details, ==, "a.h5: the disk is full");
}

static void
set_flag(gpointer flag)
{
  *(gboolean *)flag = TRUE;
}

/* The data is freed even where the job never ran. */
static void
test_stop_before_start(void)
{
  gboolean freed = FALSE;
  guint finished = 0;
  DebyeJob *job = debye_job_new("Never", fail, &freed, set_flag);
  g_signal_connect(job, "finished", G_CALLBACK(count_call), &finished);
  debye_job_stop(job);
  debye_job_start(job);
  debye_job_join(job);
  g_assert_cmpint(debye_job_get_state(job), ==, DEBYE_JOB_STOPPED);
  g_assert_cmpuint(finished, ==, 1);
  g_object_unref(job);
  g_assert_true(freed);
}

/* The remaining time is unknown at first, then follows from the work done. */
static gpointer
work_half(DebyeJob *job, gpointer data G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
  g_usleep(300000);
  debye_job_set_progress(job, 0.75);
  while (!is_stopped(job))
    g_usleep(500);
  return NULL;
}

static void
test_remaining(void)
{
  g_autoptr(DebyeJob) job = debye_job_new("Half", work_half, NULL, NULL);
  double remaining = 0.0;
  g_object_get(job, "remaining", &remaining, NULL);
  g_assert_true(isnan(remaining));
  debye_job_start(job);
  while (get_fraction(job) < 0.75)
    g_main_context_iteration(NULL, TRUE);
  g_object_get(job, "remaining", &remaining, NULL);
  /* A quarter is left of something whose three quarters took 0.3 s or a little more on a busy machine. */
  g_assert_cmpfloat(remaining, >=, 0.1 * 0.99);
  g_assert_cmpfloat(remaining, <, 5.0);
  debye_job_stop(job);
  debye_job_join(job);
}

/* Seconds left of a job that does `before` per second until `change`, and `after` from then on, at `seconds`. */
static double
estimate_at(double before, double change, double after, double seconds)
{
  DebyeJobPace pace = {0};
  double remaining = NAN;
  for (int i = 1; i <= (int)(seconds * 10.0); i++) {
    const double t = 0.1 * i;
    const double done = before * MIN(t, change) + after * MAX(t - change, 0.0);
    remaining = debye_job_pace_estimate(&pace, (DebyeJobMoment){t, done});
  }
  return remaining;
}

/* A steady job's estimate is exact. After files were read for 10 s, and when another program takes nine tenths of the
 * CPUs, it is within a factor of two as soon as the job has run on for as long as before. */
static void
test_pace(void)
{
  DebyeJobPace pace = {0};
  g_assert_true(isnan(debye_job_pace_estimate(&pace, (DebyeJobMoment){0.1, 0.5})));
  g_assert_true(isnan(debye_job_pace_estimate(&pace, (DebyeJobMoment){5.0, 0.001})));
  g_assert_cmpfloat(debye_job_pace_estimate(&pace, (DebyeJobMoment){5.0, 1.0}), ==, 0.0);
  g_assert_cmpfloat_with_epsilon(estimate_at(0.01, 0.0, 0.01, 30.0), 70.0, 1e-9);
  const double after_reading = estimate_at(0.0002, 10.0, 0.02, 30.0), left = (1.0 - 0.002 - 0.4) / 0.02;
  g_assert_cmpfloat(after_reading, >, 0.5 * left);
  g_assert_cmpfloat(after_reading, <, 2.0 * left);
  const double slowed = estimate_at(0.04, 10.0, 0.004, 41.0), slow_left = (1.0 - 0.4 - 31.0 * 0.004) / 0.004;
  g_assert_cmpfloat(slowed, >, 0.5 * slow_left);
  g_assert_cmpfloat(slowed, <, 2.0 * slow_left);
}

static void
test_queue_computes_one_at_a_time(void)
{
  g_autoptr(DebyeJobQueue) queue = debye_job_queue_new();
  g_autoptr(DebyeJob) first = debye_job_new("First", work_until_stopped, NULL, NULL);
  g_autoptr(DebyeJob) second = debye_job_new("Second", work_until_stopped, NULL, NULL);
  g_autoptr(DebyeJob) aside = debye_job_new("Aside", count_to_ten, NULL, NULL);
  debye_job_queue_add(queue, first, TRUE);
  debye_job_queue_add(queue, second, TRUE);
  debye_job_queue_add(queue, aside, FALSE);
  g_assert_cmpint(debye_job_get_state(second), ==, DEBYE_JOB_WAITING);
  wait_for(aside);
  g_assert_cmpint(debye_job_get_state(aside), ==, DEBYE_JOB_DONE);
  g_assert_cmpuint(debye_job_queue_count_active(queue), ==, 2);
  debye_job_stop(first);
  wait_for(first);
  g_assert_cmpint(debye_job_get_state(second), ==, DEBYE_JOB_RUNNING);
  debye_job_queue_join(queue);
  g_assert_cmpint(debye_job_get_state(second), ==, DEBYE_JOB_STOPPED);
  g_assert_cmpuint(debye_job_queue_count_active(queue), ==, 0);
}

static gpointer
count_run(DebyeJob *job G_GNUC_UNUSED, gpointer data, GError **error G_GNUC_UNUSED)
{
  ++*(guint *)data;
  return NULL;
}

typedef struct {
  DebyeJobQueue *queue;
  DebyeJob *computed, *aside;
} Followers;

static void
add_followers(DebyeJob *job G_GNUC_UNUSED, Followers *followers)
{
  debye_job_queue_add(followers->queue, followers->computed, TRUE);
  debye_job_queue_add(followers->queue, followers->aside, FALSE);
}

/* A finished job whose listener adds others: the join reaches all, and what is new doesn't run. */
static void
test_queue_joins_what_is_added(void)
{
  guint n_runs = 0;
  g_autoptr(DebyeJobQueue) queue = debye_job_queue_new();
  g_autoptr(DebyeJob) first = debye_job_new("First", work_until_stopped, NULL, NULL);
  g_autoptr(DebyeJob) second = debye_job_new("Second", work_until_stopped, NULL, NULL);
  g_autoptr(DebyeJob) computed = debye_job_new("Computed", count_run, &n_runs, NULL);
  g_autoptr(DebyeJob) aside = debye_job_new("Aside", count_run, &n_runs, NULL);
  Followers followers = {queue, computed, aside};
  g_signal_connect(first, "finished", G_CALLBACK(add_followers), &followers);
  debye_job_queue_add(queue, first, FALSE);
  debye_job_queue_add(queue, second, FALSE);
  debye_job_queue_join(queue);
  g_assert_cmpuint(debye_job_queue_count_active(queue), ==, 0);
  g_assert_cmpint(debye_job_get_state(second), ==, DEBYE_JOB_STOPPED);
  g_assert_cmpint(debye_job_get_state(computed), ==, DEBYE_JOB_STOPPED);
  g_assert_cmpint(debye_job_get_state(aside), ==, DEBYE_JOB_STOPPED);
  g_assert_cmpuint(n_runs, ==, 0);
}

/* What waited and what is added later is stopped before it starts; the worker ends in its own time. */
static void
test_queue_ends_without_waiting(void)
{
  guint n_runs = 0;
  g_autoptr(DebyeJobQueue) queue = debye_job_queue_new();
  g_autoptr(DebyeJob) running = debye_job_new("Running", work_until_stopped, NULL, NULL);
  g_autoptr(DebyeJob) waiting = debye_job_new("Waiting", count_run, &n_runs, NULL);
  g_autoptr(DebyeJob) late = debye_job_new("Late", count_run, &n_runs, NULL);
  debye_job_queue_add(queue, running, TRUE);
  debye_job_queue_add(queue, waiting, TRUE);
  debye_job_queue_end(queue);
  g_assert_cmpint(debye_job_get_state(running), ==, DEBYE_JOB_RUNNING);
  g_assert_cmpint(debye_job_get_state(waiting), ==, DEBYE_JOB_STOPPED);
  debye_job_queue_add(queue, late, FALSE);
  g_assert_cmpint(debye_job_get_state(late), ==, DEBYE_JOB_STOPPED);
  g_assert_cmpuint(debye_job_queue_count_active(queue), ==, 1);
  wait_for(running);
  g_assert_cmpint(debye_job_get_state(running), ==, DEBYE_JOB_STOPPED);
  g_assert_cmpuint(debye_job_queue_count_active(queue), ==, 0);
  g_assert_cmpuint(n_runs, ==, 0);
}

static gpointer
work_for_long(DebyeJob *job, gpointer data G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
  for (int i = 0; i < 100 && !is_stopped(job); i++)
    g_usleep(1000);
  return make_result(is_stopped(job) ? 1 : 2);
}

/* What is left of a job that has done its work ends by itself. */
static void
test_queue_lets_incidental_ones_end(void)
{
  g_autoptr(DebyeJobQueue) queue = debye_job_queue_new();
  g_autoptr(DebyeJob) job = debye_job_new("Picture", work_for_long, NULL, NULL);
  debye_job_queue_add(queue, job, FALSE);
  g_assert_cmpuint(debye_job_queue_count_active(queue), ==, 1);
  debye_job_set_incidental(job);
  g_assert_cmpuint(debye_job_queue_count_active(queue), ==, 0);
  debye_job_queue_end(queue);
  g_assert_true(debye_job_queue_is_busy(queue));
  wait_for(job);
  g_assert_cmpint(debye_job_get_state(job), ==, DEBYE_JOB_DONE);
  g_assert_cmpint(number_of(debye_job_get_result(job)), ==, 2);
  g_assert_false(debye_job_queue_is_busy(queue));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/job/progress", test_progress);
  g_test_add_func("/job/coalesced", test_coalesced);
  g_test_add_func("/job/stop-keeps-partial-result", test_stop_keeps_partial_result);
  g_test_add_func("/job/failure", test_failure);
  g_test_add_func("/job/stop-before-start", test_stop_before_start);
  g_test_add_func("/job/remaining", test_remaining);
  g_test_add_func("/job/pace", test_pace);
  g_test_add_func("/job/queue-computes-one-at-a-time", test_queue_computes_one_at_a_time);
  g_test_add_func("/job/queue-joins-what-is-added", test_queue_joins_what_is_added);
  g_test_add_func("/job/queue-ends-without-waiting", test_queue_ends_without_waiting);
  g_test_add_func("/job/queue-lets-incidental-ones-end", test_queue_lets_incidental_ones_end);
  return g_test_run();
}
