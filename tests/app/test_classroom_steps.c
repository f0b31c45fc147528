/* SPDX-License-Identifier: MIT */
/* A ladder that is climbed one step at a time: nothing is seen of a step before it is revealed. */
#include "app/classroom/classroom_record.h"
#include "app/classroom/classroom_steps.h"

#include <math.h>

static DebyeClassroomRecord *
record_of(guint n_steps)
{
  static const double rates[] = {2.0, 6.0, 3.0};
  DebyeClassroomRecord *record = debye_classroom_record_new("three steps");
  for (guint i = 0; i < n_steps; i++) {
    const DebyeClassroomStep step = {.number = i + 1, .rate = rates[i]};
    g_array_append_val(record->steps, step);
  }
  return record;
}

static void
take(DebyeClassroomSteps *steps, guint n_steps)
{
  g_autoptr(DebyeClassroomRecord) record = record_of(n_steps);
  debye_classroom_steps_take(steps, record);
}

static guint
count_shown(const DebyeClassroomSteps *steps)
{
  g_autoptr(DebyeClassroomRecord) shown = debye_classroom_steps_get_shown(steps);
  return shown->steps->len;
}

static void
test_climb(void)
{
  DebyeClassroomSteps steps;
  debye_classroom_steps_init(&steps);
  g_assert_null(debye_classroom_steps_get_pending(&steps));
  for (guint n = 1; n <= 3; n++) {
    take(&steps, n);
    g_assert_cmpuint(debye_classroom_steps_get_pending(&steps)->number, ==, n);
    g_assert_cmpuint(count_shown(&steps), ==, n - 1);
    debye_classroom_steps_reveal(&steps, n);
    g_assert_null(debye_classroom_steps_get_pending(&steps));
    g_assert_cmpuint(count_shown(&steps), ==, n);
  }
  /* After the last nothing is measured, and nothing waits. */
  take(&steps, 3);
  g_assert_null(debye_classroom_steps_get_pending(&steps));
  g_assert_true(isnan(debye_classroom_steps_find_gain(&steps, 0)));
  g_assert_cmpfloat(debye_classroom_steps_find_gain(&steps, 1), ==, 3.0);
  g_assert_cmpfloat(debye_classroom_steps_find_gain(&steps, 2), ==, 0.5);
  g_assert_cmpfloat(g_array_index(steps.guesses, double, 2), ==, 3.0);
  debye_classroom_steps_restart(&steps);
  g_assert_null(debye_classroom_steps_get_pending(&steps));
  take(&steps, 1);
  g_assert_cmpuint(count_shown(&steps), ==, 0);
  debye_classroom_steps_clear(&steps);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/classroom-steps/climb", test_climb);
  return g_test_run();
}
