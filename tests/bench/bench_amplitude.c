/* SPDX-License-Identifier: MIT */
/* How fast amplitudes are summed: whole calls, from the host's coordinates to the host's amplitudes.
 *
 *   bench_amplitude [--atoms N] [--vectors N] [--ray N] [--frames N] [--groups N] [--double] [--weighted]
 *                   [--repeat N] [--threads N] [--level portable|avx2|avx512] [DEVICES...]
 *
 * Vectors are at random up to 10 1/Å, or on rays of N that are equidistant from 0 on, shell after shell.
 * One line for each device: terms are atoms × q × frames; the error is the root mean square against the
 * oracle for 20 of the q in the last frame, over √(Σw²). Modules are looked for in DEBYE_BACKEND_DIR. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/cpu/common/cpu_settings.h"
#include "kernels/registry.h"
#include "kernels/scattering/scattering_amplitude.h"
#include "tests/support/oracle_scattering.h"

#define MAX_DEVICES 64
#define COMPARED 20

typedef struct {
  size_t atoms, vectors, ray, frames, groups, repeat;
  bool exact, weighted;
} Options;

static double
error_of(const DebyeScatteringSystem *system, const DebyeVec3 *q, size_t n_vectors, const double *found)
{
  double total = 0.0, sum, square;
  const size_t n = n_vectors < COMPARED ? n_vectors : COMPARED;
  debye_oracle_weights(&system->groups, 0, &sum, &square);
  for (size_t i = 0; i < n; i++) {
    const size_t at = i * (n_vectors / n);
    DebyeOracleAmplitude expected = debye_oracle_amplitude(&system->groups, 0, &system->frame, q[at]);
    double real = found[2 * at] - (double)expected.real,
           imaginary = found[2 * at + 1] - (double)expected.imaginary;
    total += real * real + imaginary * imaginary;
  }
  return sqrt(total / (double)n / square);
}

static bool
time_device(const DebyeDeviceEntry *device, const Options *options, const DebyeScatteringSystem *system,
            const DebyeVec3 *q)
{
  const DebyeAmplitudeKernel *kernel = device->backend->amplitude;
  const DebyeAmplitudeSettings settings = {.n_atoms = options->atoms,
                                           .groups = system->groups,
                                           .max_vectors = options->vectors,
                                           .max_frames = options->frames,
                                           .double_precision = options->exact};
  DebyeStatus status = {0};
  DebyeKernelPlan *plan = NULL;
  if (kernel == NULL || kernel->head.create(device->device, &settings, &plan, &status) != DEBYE_STATUS_OK) {
    printf("%-8s %s\n", device->info.id, kernel == NULL ? "sums no amplitudes" : status.text);
    return false;
  }
  const size_t a_frame = 2 * options->groups * options->vectors;
  double *out = malloc(options->frames * a_frame * sizeof *out), best = INFINITY;
  DebyeScatteringFrame *frames = calloc(options->frames, sizeof *frames);
  for (size_t i = 0; i < options->frames; i++)
    frames[i] = system->frame;
  kernel->set_vectors(plan, q, options->vectors, &status);
  for (size_t i = 0; i < options->repeat && status.code == DEBYE_STATUS_OK; i++) {
    double start = debye_bench_seconds();
    kernel->execute(plan, frames, options->frames, out, NULL, NULL, &status);
    best = fmin(best, debye_bench_seconds() - start);
  }
  kernel->head.destroy(plan);
  const double terms = (double)options->atoms * (double)options->vectors * (double)options->frames;
  printf("%-8s %8zu atoms %6zu q (%zu a ray) %5zu frames %zu groups %s%s  %10.3f ms  %.3e terms/s  error "
         "%.1e %s\n",
         device->info.id, options->atoms, options->vectors, options->ray, options->frames, options->groups,
         options->exact ? "double" : "float", options->weighted ? " weighted" : "", 1e3 * best, terms / best,
         error_of(system, q, options->vectors, out + (options->frames - 1) * a_frame), status.text);
  free(out);
  free(frames);
  return status.code == DEBYE_STATUS_OK;
}

static void
choose_vectors(const Options *options, DebyeVec3 *q)
{
  const size_t n_rays = (options->vectors + options->ray - 1) / options->ray;
  debye_random_vectors(q, options->vectors, 10.0, 2);
  for (size_t i = options->vectors; i-- > 0 && options->ray > 1;)
    q[i] = debye_vec3_scale(q[i % n_rays], (double)(i / n_rays + 1) / (double)options->ray);
}

static bool
bench_choice(const Options *options, const DebyeRegistry *registry, const char *choice)
{
  const DebyeDeviceEntry *devices[MAX_DEVICES];
  DebyeStatus status;
  const size_t n_devices = debye_registry_choose(registry, choice, devices, MAX_DEVICES, &status);
  const double edge = cbrt((double)options->atoms / 0.1);
  DebyeScatteringSystem system = debye_scattering_system_new(
      options->atoms, options->groups, debye_vec3(0.0, 0.0, 0.0), edge, options->weighted, 1);
  DebyeVec3 *q = calloc(options->vectors, sizeof *q);
  bool good = n_devices > 0 && q != NULL;
  if (n_devices == 0)
    printf("%-8s %s\n", choice, status.text);
  if (q != NULL)
    choose_vectors(options, q);
  for (size_t i = 0; i < n_devices && good; i++)
    good = time_device(devices[i], options, &system, q);
  free(q);
  debye_scattering_system_clear(&system);
  return good;
}

int
main(int argc, char **argv)
{
  Options options = {.atoms = 100000, .vectors = 1000, .ray = 1, .frames = 1, .groups = 1, .repeat = 3};
  const DebyeBenchOption table[] = {
      {"--atoms", .count = &options.atoms, .least = 1},
      {"--vectors", .count = &options.vectors, .least = 1},
      {"--ray", .count = &options.ray, .least = 1},
      {"--frames", .count = &options.frames, .least = 1},
      {"--groups", .count = &options.groups, .least = 1},
      {"--repeat", .count = &options.repeat, .least = 1},
      {"--double", .flag = &options.exact},
      {"--weighted", .flag = &options.weighted},
  };
  const int n_choices = debye_bench_read_options(argc, argv, table, sizeof table / sizeof table[0]);
  if (n_choices < 0)
    return 2;
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  bool good = registry != NULL;
  for (int i = 0; i < n_choices && registry != NULL; i++)
    good = bench_choice(&options, registry, argv[i]) && good;
  debye_registry_free(registry);
  return !good;
}
