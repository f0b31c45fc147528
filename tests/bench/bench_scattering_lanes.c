/* SPDX-License-Identifier: MIT */
/* What several devices give for scattering: amplitudes, self scattering and displacements, from frames or
 * courses in the host's memory to sums there, lanes opened before.
 *
 *   bench_scattering_lanes [--atoms N] [--frames N] [--vectors N] [--repeat N] [--threads N] [DEVICES...]
 *
 * DEVICES as in --device: "cuda:0", "cuda:0,cuda:1". A line for each of the three and each choice, with the
 * ratio to the first choice, and how long each lane worked in the last repetition: what is missing to the
 * whole is the caller's. Amplitudes are those of one frame, again and again, and of twice as many vectors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/scattering/scattering_amplitude_lanes.h"
#include "kernels/scattering/displacement_histogram_lanes.h"
#include "kernels/scattering/scattering_self_lanes.h"
#include "tests/support/oracle_self.h"

#define MAX_DEVICES 64

typedef struct {
  size_t atoms, frames, vectors, repeat;
} Options;

typedef struct {
  const Options *options;
  const DebyeCourses *courses;
  DebyeVec3 *vectors;
  const DebyeDeviceEntry *devices[MAX_DEVICES];
  size_t n_devices;
} Run;

/* Seconds of one execution of what `plan` points to. */
typedef double (*Execute)(const Run *run, void *plan, DebyeStatus *status);

static double
best_of(const Run *run, Execute execute, void *plan, DebyeStatus *status)
{
  double best = INFINITY;
  for (size_t i = 0; i < run->options->repeat && status->code == DEBYE_STATUS_OK; i++)
    best = fmin(best, execute(run, plan, status));
  return best;
}

static void
print_reports(const DebyeLaneReport *reports, size_t n)
{
  for (size_t i = 0; i < n; i++)
    printf("    %s: %zu items in %.3f ms%s\n", reports[i].id, reports[i].items_done,
           1e3 * reports[i].busy_seconds, reports[i].retired ? ", retired" : "");
}

static double
execute_amplitudes(const Run *run, void *plan, DebyeStatus *status)
{
  const size_t n_vectors = 2 * run->options->vectors, n_frames = run->options->frames;
  const DebyeSelfBlock *block = &run->courses->block;
  DebyeScatteringFrame *frames = calloc(n_frames, sizeof *frames);
  double *out = malloc(2 * n_vectors * n_frames * sizeof *out);
  for (size_t i = 0; i < n_frames && frames != NULL; i++)
    frames[i] = (DebyeScatteringFrame){.x = block->x, .y = block->y, .z = block->z};
  /* So that the system has given the memory before. */
  if (out != NULL)
    memset(out, 1, 2 * n_vectors * n_frames * sizeof *out);
  const double start = debye_bench_seconds();
  if (frames != NULL && out != NULL)
    debye_amplitude_lanes_execute(plan, run->vectors, n_vectors, frames, n_frames, out, NULL, NULL, status);
  const double seconds = debye_bench_seconds() - start;
  free(frames);
  free(out);
  return seconds;
}

static double
time_amplitudes(const Run *run, DebyeStatus *status)
{
  const size_t first[2] = {0, run->options->atoms};
  const DebyeAmplitudeLanesSettings settings = {.amplitude = {.groups = {.n_groups = 1, .first = first},
                                                              .n_atoms = run->options->atoms,
                                                              .max_vectors = 2 * run->options->vectors,
                                                              .max_frames = run->options->frames}};
  DebyeSharing *amplitudes = NULL;
  double seconds = NAN;
  if (debye_amplitude_lanes_create(&settings, run->devices, run->n_devices, &amplitudes, status) ==
      DEBYE_STATUS_OK)
    seconds = best_of(run, execute_amplitudes, amplitudes, status);
  const DebyeLaneReport *reports = NULL;
  const size_t n_reports = amplitudes != NULL ? debye_sharing_get_reports(amplitudes, &reports) : 0;
  print_reports(reports, n_reports);
  debye_sharing_free(amplitudes);
  return seconds;
}

static double
execute_self(const Run *run, void *plan, DebyeStatus *status)
{
  const double start = debye_bench_seconds();
  debye_self_lanes_execute(plan, &run->courses->block, NULL, status);
  return debye_bench_seconds() - start;
}

static double
time_self(const Run *run, DebyeStatus *status)
{
  const DebyeSelfLanesSettings settings = {.self = {.n_frames = run->options->frames,
                                                    .vectors = run->vectors,
                                                    .n_vectors = run->options->vectors,
                                                    .n_groups = 1,
                                                    .max_atoms = run->options->atoms}};
  DebyeSharing *scattering = NULL;
  double seconds = NAN;
  if (debye_self_lanes_create(&settings, run->devices, run->n_devices, &scattering, status) ==
      DEBYE_STATUS_OK)
    seconds = best_of(run, execute_self, scattering, status);
  const DebyeLaneReport *reports = NULL;
  const size_t n_reports = scattering != NULL ? debye_sharing_get_reports(scattering, &reports) : 0;
  print_reports(reports, n_reports);
  debye_sharing_free(scattering);
  return seconds;
}

static double
execute_displacements(const Run *run, void *plan, DebyeStatus *status)
{
  const double start = debye_bench_seconds();
  debye_displacement_lanes_execute(plan, &run->courses->block, NULL, status);
  return debye_bench_seconds() - start;
}

static double
time_displacements(const Run *run, DebyeStatus *status)
{
  const DebyeDisplacementLanesSettings settings = {.displacement = {.n_frames = run->options->frames,
                                                                    .n_lags = run->options->frames,
                                                                    .bin_width = 0.01,
                                                                    .n_bins = 1500,
                                                                    .n_groups = 1,
                                                                    .max_atoms = run->options->atoms}};
  DebyeSharing *counts = NULL;
  double seconds = NAN;
  if (debye_displacement_lanes_create(&settings, run->devices, run->n_devices, &counts, status) ==
      DEBYE_STATUS_OK)
    seconds = best_of(run, execute_displacements, counts, status);
  const DebyeLaneReport *reports = NULL;
  const size_t n_reports = counts != NULL ? debye_sharing_get_reports(counts, &reports) : 0;
  print_reports(reports, n_reports);
  debye_sharing_free(counts);
  return seconds;
}

static bool
bench_choice(Run *run, const DebyeRegistry *registry, const char *choice, double first[3])
{
  static const char *const names[3] = {"amplitudes", "self", "displacements"};
  static const char *const units[3] = {"terms", "terms", "displacements"};
  static double (*const time[3])(const Run *, DebyeStatus *) = {time_amplitudes, time_self,
                                                                time_displacements};
  const double atoms = (double)run->options->atoms, frames = (double)run->options->frames;
  const double vectors = (double)run->options->vectors;
  const double work[3] = {2.0 * atoms * frames * vectors, atoms * frames * vectors,
                          0.5 * atoms * frames * (frames + 1.0)};
  DebyeStatus status = {0};
  run->n_devices = debye_registry_choose(registry, choice, run->devices, MAX_DEVICES, &status);
  bool good = run->n_devices > 0;
  for (int i = 0; i < 3 && good; i++) {
    const double seconds = time[i](run, &status);
    first[i] = first[i] > 0.0 ? first[i] : seconds;
    good = status.code == DEBYE_STATUS_OK;
    printf("%-16s %-14s %9.3f ms  %.3e %s/s  %.2f times the first %s\n", choice, names[i], 1e3 * seconds,
           work[i] / seconds, units[i], first[i] / seconds, status.text);
  }
  if (run->n_devices == 0)
    printf("%-16s %s\n", choice, status.text);
  return good;
}

int
main(int argc, char **argv)
{
  Options options = {.atoms = 32768, .frames = 1000, .vectors = 2048, .repeat = 3};
  const DebyeBenchOption table[] = {
      {"--atoms", .count = &options.atoms, .least = 1},
      {"--frames", .count = &options.frames, .least = 1},
      {"--vectors", .count = &options.vectors, .least = 1},
      {"--repeat", .count = &options.repeat, .least = 1},
  };
  const int n_choices = debye_bench_read_options(argc, argv, table, sizeof table / sizeof table[0]);
  if (n_choices < 0)
    return 2;
  DebyeCourses courses = debye_courses_walk(options.atoms, options.frames, 1, 0.1, 50.0, 1);
  Run run = {.options = &options, .courses = &courses};
  run.vectors = calloc(2 * options.vectors, sizeof *run.vectors);
  for (size_t i = 0; i < 2 * options.vectors && run.vectors != NULL; i++)
    run.vectors[i] = (DebyeVec3){0.3 + 0.001 * (double)i, 0.7, 1.0 / (double)(i + 1)};
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  double first[3] = {0.0, 0.0, 0.0};
  bool good = registry != NULL && run.vectors != NULL;
  for (int i = 0; i < n_choices && good; i++)
    good = bench_choice(&run, registry, argv[i], first);
  debye_registry_free(registry);
  debye_courses_clear(&courses);
  free(run.vectors);
  return !good;
}
