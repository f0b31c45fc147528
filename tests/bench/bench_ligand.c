/* SPDX-License-Identifier: MIT */
/* Implicit ligand sampling of a frame of 26,214 atoms in 64³ voxels of 27 samples with a cutoff of 10 Å: Xe, and O₂ with 20
 * orientations, each device of the registry. With --check some voxels are compared with a plain loop in double. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "bench_options.h"
#include "kernels/cpu/backend_cpu.h"
#include "kernels/ladder/ladder_matter.h"
#include "kernels/ligand/ligand_map.h"
#include "kernels/registry.h"
#include "tests/support/oracle_ligand.h"

#define SIDE 24 /* heavy atoms along an edge of a jittered lattice, some left out; each has a hydrogen */
#define N_ATOMS 26214
#define EDGE 64
#define MAX_ORIENTATIONS 20

typedef struct {
  float place[3][N_ATOMS];
  uint32_t types[N_ATOMS];
  DebyeCell cell;
  double repulsion[DEBYE_MATTER_TYPES], attraction[DEBYE_MATTER_TYPES], places[6 * MAX_ORIENTATIONS];
  uint8_t kinds[2];
  DebyeLigandFrame frame;
} System;

static double
random_number(void)
{
  static uint64_t seed = 10;
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(seed >> 40) / 16777216.0;
}

static void
make_system(System *system)
{
  debye_ladder_matter_place(SIDE, system->place[0], system->place[1], system->place[2], system->types);
  system->cell = (DebyeCell){{EDGE, 0.0, 0.0}, {0.0, EDGE, 0.0}, {0.0, 0.0, EDGE}};
  system->kinds[0] = system->kinds[1] = 0;
  system->frame = (DebyeLigandFrame){.x = system->place[0],
                                     .y = system->place[1],
                                     .z = system->place[2],
                                     .n = N_ATOMS,
                                     .types = system->types,
                                     .cell = &system->cell};
}

static void
set_ligand(System *system, bool is_oxygen, size_t n_orientations, double half)
{
  debye_ladder_matter_pair(is_oxygen, system->repulsion, system->attraction);
  for (size_t o = 0; o < n_orientations; o++) {
    const double z = ((double)o + 0.5) / (double)n_orientations, angle = 2.399963229728653 * (double)o;
    const double v[3] = {sqrt(1.0 - z * z) * cos(angle), sqrt(1.0 - z * z) * sin(angle), z};
    for (size_t k = 0; k < 3; k++) {
      system->places[6 * o + k] = half * v[k];
      system->places[6 * o + 3 + k] = -half * v[k];
    }
  }
}

/* Of all threads: what others who use the machine don't change much. */
static double
user_seconds(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

/* The worst relative difference among some voxels that aren't empty. */
static double
check(const DebyeLigandSettings *settings, const System *system, const float *means)
{
  const size_t n = debye_grid_n_points(&settings->grid);
  double worst = 0.0;
  for (size_t i = 0, found = 0; i < 100 * n && found < 2; i++) {
    const size_t voxel = (size_t)(random_number() * (double)n);
    if (!(means[voxel] > 1e-8f))
      continue;
    const double expected = debye_oracle_ligand(settings, &system->frame, voxel);
    worst = fmax(worst, fabs((double)means[voxel] - expected) / expected);
    found++;
  }
  return worst;
}

static void
bench_ligand(const DebyeDeviceEntry *device, System *system, bool is_oxygen, double seconds, bool checks)
{
  const DebyeLigandKernel *kernel = device->backend->ligand;
  const DebyeLigandSettings settings = {.grid = {.origin = {0.5, 0.5, 0.5},
                                                 .step = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                                                 .shape = {EDGE, EDGE, EDGE}},
                                        .subsamples = 3,
                                        .cutoff = 10.0,
                                        .n_types = DEBYE_MATTER_TYPES,
                                        .n_kinds = 1,
                                        .n_sites = is_oxygen ? 2 : 1,
                                        .n_orientations = is_oxygen ? MAX_ORIENTATIONS : 1,
                                        .repulsion = system->repulsion,
                                        .attraction = system->attraction,
                                        .kinds = system->kinds,
                                        .places = system->places,
                                        .max_atoms = N_ATOMS};
  const size_t n_layers = debye_ligand_n_tiles(&settings, 2);
  float *means = calloc(debye_grid_n_points(&settings.grid), sizeof *means);
  DebyeKernelPlan *plan = NULL;
  DebyeStatus status = {0};
  double set = 0.0, computed = 0.0, processor = 0.0;
  size_t n = 0;
  set_ligand(system, is_oxygen, settings.n_orientations, is_oxygen ? 0.604 : 0.0);
  kernel->head.create(device->device, &settings, &plan, &status);
  for (; plan != NULL && status.code == DEBYE_STATUS_OK && (n < 2 || set + computed < seconds); n++) {
    const double start = debye_bench_seconds();
    kernel->set_frame(plan, &system->frame, &status);
    const double middle = debye_bench_seconds(), before = user_seconds();
    if (status.code == DEBYE_STATUS_OK)
      kernel->execute(plan, 0, n_layers, means, NULL, &status);
    /* The first one grows what frames need. */
    if (n > 0) {
      set += middle - start;
      computed += debye_bench_seconds() - middle;
      processor += user_seconds() - before;
    }
  }
  if (n > 1)
    printf("%-8s %-3s %10.3f ms/frame (%.3f of processors), and %.3f to sort its atoms %s\n", device->info.id,
           is_oxygen ? "O2" : "Xe", 1e3 * computed / (double)(n - 1), 1e3 * processor / (double)(n - 1),
           1e3 * set / (double)(n - 1), status.text);
  else
    printf("%-8s %s\n", device->info.id, status.text);
  if (checks && n > 1)
    printf("         worst relative difference of two voxels to a plain loop in double: %.2e\n",
           check(&settings, system, means));
  kernel->head.destroy(plan);
  free(means);
}

int
main(int argc, char **argv)
{
  double seconds = 1.0;
  bool checks = false;
  const DebyeBenchOption options[] = {{.name = "--seconds", .number = &seconds, .least = 0.01},
                                      {.name = "--check", .flag = &checks}};
  const int left = debye_bench_read_options(argc, argv, options, sizeof options / sizeof *options);
  if (left < 0)
    return 1;
  DebyeRegistry *registry = debye_registry_new(&debye_backend_cpu, getenv("DEBYE_BACKEND_DIR"));
  const DebyeDeviceEntry *devices[8];
  DebyeStatus status = {0};
  System *system = calloc(1, sizeof *system);
  const size_t n = debye_registry_choose(registry, left > 1 ? argv[1] : "auto", devices, 8, &status);
  make_system(system);
  for (size_t i = 0; i < n; i++)
    for (int oxygen = 0; oxygen < 2; oxygen++)
      bench_ligand(devices[i], system, oxygen == 1, seconds, checks);
  if (n == 0)
    printf("%s\n", status.text);
  free(system);
  debye_registry_free(registry);
  return n > 0 ? 0 : 1;
}
