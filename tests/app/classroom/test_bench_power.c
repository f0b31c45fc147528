/* SPDX-License-Identifier: MIT */
/* Watts and clock of a GPU, from a management library that is a fake (tests/support/fake_nvml.c). */
#include "app/bench/bench_power.h"

#include <glib.h>

static void
test_gpu(void)
{
  DebyeBenchPowerMeter *meter = debye_bench_power_start("cuda:0");
  g_assert_nonnull(meter);
  while (debye_bench_power_is_short(meter))
    g_usleep(1000);
  const DebyeBenchPower power = debye_bench_power_stop(meter);
  /* Its counter, in milliseconds, and our clock are not read at the same time. */
  g_assert_cmpfloat_with_epsilon(power.watts, 500.0, 10.0);
  g_assert_cmpfloat(power.clock, ==, 1980.0);
}

/* Of too short a time the clock alone. */
static void
test_short(void)
{
  DebyeBenchPowerMeter *meter = debye_bench_power_start("cuda:0");
  g_assert_true(debye_bench_power_is_short(meter));
  g_assert_cmpfloat(debye_bench_power_stop(meter).watts, ==, 0.0);
}

/* A processor, and a GPU whose address is not known, tell nothing. */
static void
test_others(void)
{
  static const char *const others[] = {"cpu", "cuda:1"};
  for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
    DebyeBenchPowerMeter *meter = debye_bench_power_start(others[i]);
    g_assert_null(meter);
    g_assert_false(debye_bench_power_is_short(meter));
    const DebyeBenchPower power = debye_bench_power_stop(meter);
    g_assert_cmpfloat(power.watts, ==, 0.0);
    g_assert_cmpfloat(power.clock, ==, 0.0);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/bench-power/gpu", test_gpu);
  g_test_add_func("/bench-power/short", test_short);
  g_test_add_func("/bench-power/others", test_others);
  return g_test_run();
}
