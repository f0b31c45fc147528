/* SPDX-License-Identifier: MIT */
/* The class's own kernel as a job: of the lesson's family or refused, and never a GPU's result as the CPU's. */
#include <math.h>
#include <string.h>

#include "app/classroom/classroom.h"
#include "app/classroom/classroom_design.h"
#include "data/messages/message.h"
#include "kernels/ladder/ladder.h"
#include "render/plot/plot_private.h"

static DebyeJob *
sweep(DebyeLadderKind kind, const char *base, const char *text, const char *const *macros,
      const char *const *axes)
{
  DebyeDevices *devices = debye_devices_new();
  DebyeJob *job = debye_classroom_source_job_new(devices, NULL, NULL, kind, base, text, macros, axes);
  debye_job_start(job);
  while (debye_job_get_state(job) <= DEBYE_JOB_RUNNING)
    g_main_context_iteration(NULL, TRUE);
  debye_devices_unref(devices);
  return job;
}

static DebyeJob *
run_with(DebyeLadderKind kind, const char *base, const char *text, const char *const *macros)
{
  return sweep(kind, base, text, macros, NULL);
}

static DebyeJob *
run(DebyeLadderKind kind, const char *base, const char *text)
{
  return run_with(kind, base, text, NULL);
}

static void
test_right(void)
{
  const char *base = "direct/01-grid-outer.c";
  g_autoptr(DebyeJob) job = run(DEBYE_LADDER_MAP, base, debye_ladder_source_text(base));
  DebyeClassroomRecord *record = debye_job_get_result(job);
  g_assert_no_error(debye_job_get_error(job));
  g_assert_cmpuint(record->steps->len, ==, 1);
  g_assert_cmpstr(g_array_index(record->steps, DebyeClassroomStep, 0).device, ==, "cpu");
}

/* What has a subject of its own, or courses that are made up. */
static void
test_subjects(void)
{
  static const struct {
    DebyeLadderKind kind;
    const char *base;
  } families[] = {{DEBYE_LADDER_ORBITAL, "orbital/04-vectors.c"},
                  {DEBYE_LADDER_LIGAND, "ligand/03-rejection.c"},
                  {DEBYE_LADDER_DENSITY, "density/08-bits.c"},
                  {DEBYE_LADDER_SCATTERING, "scattering/06-all.c"}};
  for (gsize i = 0; i < G_N_ELEMENTS(families); i++) {
    g_autoptr(DebyeJob) job =
        run(families[i].kind, families[i].base, debye_ladder_source_text(families[i].base));
    DebyeClassroomRecord *record = debye_job_get_result(job);
    g_assert_no_error(debye_job_get_error(job));
    g_assert_nonnull(strstr(record->verdict, "Right"));
    g_assert_cmpuint(record->steps->len, ==, 1);
    g_assert_cmpfloat(g_array_index(record->steps, DebyeClassroomStep, 0).rate, >, 0.0);
  }
}

/* The row of a shipped listing says with which macros; one that the text has no default for is refused. */
static void
test_macros(void)
{
  const char *base = "orbital/05-threads.c", *text = debye_ladder_source_text(base);
  const char *const points[] = {"POINTS=8", NULL}, *const none[] = {"TILE=8", NULL};
  g_autoptr(DebyeJob) job = run_with(DEBYE_LADDER_ORBITAL, base, text, points);
  DebyeClassroomRecord *record = debye_job_get_result(job);
  g_assert_no_error(debye_job_get_error(job));
  g_assert_cmpuint(record->steps->len, ==, 1);
  g_assert_nonnull(strstr(g_array_index(record->steps, DebyeClassroomStep, 0).lesson, "POINTS=8."));
  g_autoptr(DebyeJob) refused = run_with(DEBYE_LADDER_ORBITAL, base, text, none);
  g_assert_null(debye_job_get_result(refused));
  g_assert_nonnull(strstr(debye_job_get_error(refused)->message, "needs a macro TILE"));
}

/* A macro and a size of the problem: a curve for each value of the second, the best in words, and points without a time
 * where the source doesn't compile. */
static void
test_sweep(void)
{
  const char *const axes[] = {"tile=32,64", "atoms=100,200", NULL}, *const bad[] = {"tile=many", NULL};
  const char *base = "direct/10-simd.c";
  g_autofree char *text =
      g_strconcat(debye_ladder_source_text(base), "#if TILE == 32\nint x[-1];\n#endif\n", NULL);
  g_autoptr(DebyeJob) job = sweep(DEBYE_LADDER_MAP, base, text, NULL, axes);
  DebyeClassroomRecord *record = debye_job_get_result(job);
  g_assert_no_error(debye_job_get_error(job));
  g_assert_true(record->is_found);
  g_assert_nonnull(strstr(record->verdict, "Highest throughput: TILE = 64, "));
  g_assert_nonnull(strstr(record->verdict, "\nTILE = 32, Atoms = 200: "));
  g_assert_cmpuint(debye_plot_get_n_series(record->design), ==, 2);
  g_autoptr(DebyeJob) refused = sweep(DEBYE_LADDER_MAP, base, text, NULL, bad);
  g_assert_null(debye_job_get_result(refused));
  g_assert_nonnull(strstr(debye_job_get_error(refused)->message, "tile=LIST"));
}

/* A sweep over sizes marks no fastest point. More atoms than the 3,000 made-up ones are refused. */
static void
test_sweep_of_atoms(void)
{
  const char *const axes[] = {"atoms=100,200,400", NULL}, *const more[] = {"atoms=100,4000", NULL};
  const char *base = "direct/10-simd.c", *text = debye_ladder_source_text(base);
  g_autoptr(DebyeJob) job = sweep(DEBYE_LADDER_MAP, base, text, NULL, axes);
  DebyeClassroomRecord *record = debye_job_get_result(job);
  g_assert_no_error(debye_job_get_error(job));
  const char *caption = debye_plot_get_caption(record->design);
  g_assert_true(g_str_has_suffix(caption, ". In parentheses: fitted exponents."));
  g_autoptr(DebyeJob) refused = sweep(DEBYE_LADDER_MAP, base, text, NULL, more);
  g_assert_null(debye_job_get_result(refused));
  g_autofree char *message = debye_message_english(debye_job_get_error(refused)->message);
  g_assert_cmpstr(message, ==, "Class room: expected at most the 3000 atoms of the molecule, found 4000");
}

/* Choices a percent apart look so, a decade apart they are on an axis of decades, as sizes are, whose text has grouped digits. */
static void
test_sweep_axes(void)
{
  static const struct {
    const char *axis;
    double first;
    DebyePlotScale scale;
  } cases[] = {{"tile=32,64,128", 1.01, DEBYE_PLOT_LINEAR},
               {"tile=32,64,128", 20.0, DEBYE_PLOT_LOG},
               {"atoms=1000,2000,4000", 1.01, DEBYE_PLOT_LOG}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_auto(DebyeBenchSweep) axes = {0};
    g_autoptr(GArray) rows = g_array_new(FALSE, TRUE, sizeof(DebyeBenchRow)),
                      fits = g_array_new(FALSE, TRUE, sizeof(DebyeBenchFit));
    double low = NAN, high = NAN;
    g_assert_true(debye_bench_sweep_parse(&axes, (const char *const[]){cases[i].axis, NULL}, NULL));
    for (gsize k = 0; k < axes.axes[0].n; k++) {
      const DebyeBenchRow row = {.at = {k}, .result = {.seconds = k == 0 ? cases[i].first : 1.0}};
      g_array_append_val(rows, row);
    }
    g_autoptr(DebyePlot) plot =
        debye_classroom_plot_sweep(&axes, rows, fits, "direct", "Direct sum, grid points: 262144");
    g_assert_cmpint(debye_plot_get_scale(plot, DEBYE_PLOT_Y), ==, cases[i].scale);
    g_assert_true(g_str_has_prefix(debye_plot_get_caption(plot), "Direct sum, grid points: 262,144."));
    debye_plot_get_limits(plot, DEBYE_PLOT_Y, &low, &high);
    g_assert_true(cases[i].scale == DEBYE_PLOT_LOG ? low > 0.0 : low == 0.0);
  }
}

static void
test_proposed_atoms(void)
{
  static const struct {
    gsize n_atoms;
    const char *values;
  } cases[] = {{0, "500,1000,2000"},    {1, "1"}, {3, "1,3"}, {22, "5,11,22"}, {1600, "400,800,1600"},
               {90000, "500,1000,2000"}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    const char *const none[] = {NULL};
    g_autoptr(GPtrArray) axes = debye_classroom_list_axes(DEBYE_LADDER_MAP, none, cases[i].n_atoms);
    const DebyeClassroomAxis *last = axes->pdata[axes->len - 1];
    g_assert_cmpstr(last->name, ==, "atoms");
    g_assert_cmpstr(last->values, ==, cases[i].values);
  }
}

/* A copy of a listing that counts frames counts atoms instead: that is another listing's, and wrong here. */
static void
test_other_signal(void)
{
  g_autoptr(DebyeJob) job =
      run(DEBYE_LADDER_DENSITY, "density/08-bits.c", debye_ladder_source_text("density/01-sequential.c"));
  DebyeClassroomRecord *record = debye_job_get_result(job);
  g_assert_no_error(debye_job_get_error(job));
  g_assert_cmpuint(record->steps->len, ==, 0);
  g_assert_nonnull(strstr(record->verdict, "voxel ("));
}

static void
test_other_family(void)
{
  g_autoptr(DebyeJob) job = run(DEBYE_LADDER_COUNT, "histogram/01-sequential.c",
                                debye_ladder_source_text("direct/01-grid-outer.c"));
  g_assert_null(debye_job_get_result(job));
  const char *message = debye_job_get_error(job)->message;
  g_assert_nonnull(strstr(message, "count_pairs"));
  g_assert_nonnull(strstr(message, "sum_slice"));
}

/* Debye has no CUDA back end here, the machine a driver that runs whatever is given to it. */
static void
test_gpu(void)
{
  const char *base = "direct/24-const-precalc.cu";
  g_autoptr(DebyeJob) job = run(DEBYE_LADDER_MAP, base, debye_ladder_source_text(base));
  DebyeClassroomRecord *record = debye_job_get_result(job);
  if (record == NULL && strstr(debye_job_get_error(job)->message, "NVRTC") != NULL) {
    g_test_skip("this machine has no NVRTC");
    return;
  }
  g_assert_no_error(debye_job_get_error(job));
  g_assert_cmpuint(record->steps->len, ==, 0);
  g_assert_nonnull(strstr(record->verdict, "it was not run"));
}

int
main(int argc, char **argv)
{
  g_setenv("DEBYE_BACKEND_DIR", "/nonexistent", TRUE);
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/classroom-source/right", test_right);
  g_test_add_func("/classroom-source/subjects", test_subjects);
  g_test_add_func("/classroom-source/macros", test_macros);
  g_test_add_func("/classroom-source/sweep", test_sweep);
  g_test_add_func("/classroom-source/sweep-of-atoms", test_sweep_of_atoms);
  g_test_add_func("/classroom-source/sweep-axes", test_sweep_axes);
  g_test_add_func("/classroom-source/proposed-atoms", test_proposed_atoms);
  g_test_add_func("/classroom-source/other-signal", test_other_signal);
  g_test_add_func("/classroom-source/other-family", test_other_family);
  g_test_add_func("/classroom-source/gpu", test_gpu);
  return g_test_run();
}
