/* SPDX-License-Identifier: MIT */
/* The teaching variants of orbitals and of ligands, on every device that there is and with each instruction set of the
 * processor: every value is what its definition says, and problems that they can't have are refused. */
#include <stdlib.h>

#include "kernels/ladder/ladder.h"
#include "kernels/ladder/ladder_fullerene.h"
#include "kernels/ladder/ladder_matter.h"
#include "kernels/registry.h"
#include "tests/support/check.h"
#include "tests/support/every_device.h"
#include "tests/support/oracle_ligand.h"
#include "tests/support/oracle_orbital.h"

#define GUARD 64
#define SENTINEL 1234.5f

typedef struct {
  const DebyeLadderKernel *ladder;
  int device;
  size_t variant;
} Path;

/* --- Orbitals --- */

/* Sums in single precision of up to 900 Gaussians, of the largest value; and what they leave out beyond their reaches. */
#define DRAWN 3e-6
#define BEYOND_REACH 1e-6

static void
check_drawn(const Path *path, const DebyeLadderOrbital *orbital)
{
  const size_t n = debye_grid_n_points(&orbital->grid), *shape = orbital->grid.shape;
  float *map = malloc((n + GUARD) * sizeof *map);
  double seconds = -1.0, worst = 0.0, most = 0.0;
  DebyeStatus status = {0};
  for (size_t i = 0; i < n + GUARD; i++)
    map[i] = i < n ? NAN : SENTINEL;
  path->ladder->draw_orbital(path->device, path->variant, orbital, map, &seconds, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  CHECK(seconds >= 0.0 && seconds < 100.0);
  for (size_t i = 0; i < n; i++) {
    const DebyeVec3 point =
        debye_grid_point(&orbital->grid, (double)(i % shape[0]), (double)(i / shape[0] % shape[1]),
                         (double)(i / shape[0] / shape[1]));
    const double exact =
        debye_oracle_orbital(orbital->basis, orbital->coefficients, point.x, point.y, point.z);
    const double difference = fabs((double)map[i] - exact);
    worst = fmax(worst, isfinite(difference) ? difference : INFINITY);
    most = fmax(most, fabs(exact));
  }
  CHECK_AT_MOST(worst, DRAWN * most + BEYOND_REACH);
  for (size_t i = 0; i < GUARD; i++)
    CHECK(map[n + i] == SENTINEL);
  free(map);
}

/* Blocks of a GPU that are full and that aren't, strips of the CPU, one point; atoms in the grid and out of its reach. */
static void
test_orbitals(const Path *path)
{
  static const struct {
    double corner[3], step;
    size_t shape[3];
  } grids[] = {
      {{-7.0, -1.0, -2.0}, 0.4, {37, 5, 3}}, {{6.0, 0.5, 0.5}, 0.1, {33, 4, 5}},
      {{1.0, 1.2, 6.5}, 0.3, {1, 1, 1}},     {{13.0, 13.0, 13.0}, 0.5, {5, 3, 2}},
      {{-9.0, 4.0, -3.0}, 0.7, {2, 17, 9}},
  };
  DebyeLadderFullerene fullerene;
  double coefficients[DEBYE_FULLERENE_FUNCTIONS];
  debye_ladder_fullerene_init(&fullerene);
  debye_ladder_fullerene_fill(3, coefficients);
  for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
    const double step = grids[i].step, *corner = grids[i].corner;
    const DebyeLadderOrbital orbital = {
        .grid = {.origin = {corner[0], corner[1], corner[2]},
                 .step = {{step, 0.0, 0.0}, {0.0, 1.25 * step, 0.0}, {0.0, 0.0, 0.75 * step}},
                 .shape = {grids[i].shape[0], grids[i].shape[1], grids[i].shape[2]}},
        .basis = &fullerene.basis,
        .coefficients = coefficients};
    check_drawn(path, &orbital);
  }
}

static void
test_wrong_orbitals(const Path *path)
{
  const DebyeGrid grid = {.step = {{0.5, 0.0, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.0, 0.5}}, .shape = {3, 3, 3}};
  DebyeGrid turned = grid;
  DebyeLadderFullerene good, f_shell, infinite;
  double coefficients[DEBYE_FULLERENE_FUNCTIONS], seconds;
  float map[27];
  bool cancel = true;
  DebyeStatus status = {0};
  const DebyeLadderKernel *ladder = path->ladder;
  debye_ladder_fullerene_init(&good);
  debye_ladder_fullerene_init(&f_shell);
  debye_ladder_fullerene_init(&infinite);
  debye_ladder_fullerene_fill(1, coefficients);
  turned.step[0].y = 0.1;
  f_shell.degree[5] = 3;
  infinite.exponents[7] = INFINITY;
  const DebyeLadderOrbital right = {grid, &good.basis, coefficients};
  const DebyeLadderOrbital wrong[] = {{turned, &good.basis, coefficients},
                                      {grid, &f_shell.basis, coefficients},
                                      {grid, &infinite.basis, coefficients}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    CHECK(ladder->draw_orbital(path->device, path->variant, &wrong[i], map, &seconds, NULL, &status) ==
          DEBYE_STATUS_INVALID);
  CHECK(ladder->draw_orbital(path->device, 0, &right, map, &seconds, NULL, &status) == DEBYE_STATUS_INVALID);
  CHECK(ladder->draw_orbital(path->device, path->variant, &right, map, &seconds, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
}

/* --- Ligands --- */

#define MATTER_SIDE 6
#define MATTER_ATOMS 410
#define SAMPLED 1e-3 /* what is promised of means */

typedef struct {
  float places[3][MATTER_ATOMS];
  uint32_t types[MATTER_ATOMS];
  double repulsion[DEBYE_MATTER_TYPES], attraction[DEBYE_MATTER_TYPES], place[3];
  uint8_t kind;
  DebyeLigandSettings settings;
  DebyeLigandFrame frame;
} Matter;

static void
make_matter(Matter *matter, const double origin[3], const size_t shape[3], unsigned subsamples, double cutoff)
{
  *matter = (Matter){.kind = 0};
  CHECK(debye_ladder_matter_count(MATTER_SIDE) == MATTER_ATOMS);
  debye_ladder_matter_place(MATTER_SIDE, matter->places[0], matter->places[1], matter->places[2],
                            matter->types);
  debye_ladder_matter_pair(false, matter->repulsion, matter->attraction);
  matter->frame = (DebyeLigandFrame){
      matter->places[0], matter->places[1], matter->places[2], MATTER_ATOMS, matter->types, NULL, NULL};
  matter->settings =
      (DebyeLigandSettings){.grid = {.origin = {origin[0], origin[1], origin[2]},
                                     .step = {{0.9, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.2}},
                                     .shape = {shape[0], shape[1], shape[2]}},
                            .subsamples = subsamples,
                            .cutoff = cutoff,
                            .n_types = DEBYE_MATTER_TYPES,
                            .n_kinds = 1,
                            .n_sites = 1,
                            .n_orientations = 1,
                            .repulsion = matter->repulsion,
                            .attraction = matter->attraction,
                            .kinds = &matter->kind,
                            .places = matter->place,
                            .max_atoms = MATTER_ATOMS};
}

static void
check_sampled(const Path *path, const Matter *matter)
{
  const DebyeLadderLigand ligand = {&matter->settings, &matter->frame};
  const size_t n = debye_grid_n_points(&matter->settings.grid);
  float *means = malloc((n + GUARD) * sizeof *means);
  double seconds = -1.0, worst = 0.0;
  DebyeStatus status = {0};
  for (size_t i = 0; i < n + GUARD; i++)
    means[i] = i < n ? NAN : SENTINEL;
  path->ladder->sample_ligand(path->device, path->variant, &ligand, means, &seconds, NULL, &status);
  CHECK_THAT(status.code == DEBYE_STATUS_OK, "%s", status.text);
  CHECK(seconds >= 0.0 && seconds < 100.0);
  for (size_t i = 0; i < n; i++) {
    const double exact = debye_oracle_ligand(&matter->settings, &matter->frame, i);
    const double difference = fabs((double)means[i] - exact);
    worst = fmax(worst, isfinite(difference) ? difference / fmax(exact, 1e-20) : INFINITY);
  }
  CHECK_AT_MOST(worst, SAMPLED);
  for (size_t i = 0; i < GUARD; i++)
    CHECK(means[n + i] == SENTINEL);
  free(means);
}

/* Within the matter, on its edge and far from it, where nothing rejects; one voxel. */
static void
test_ligands(const Path *path)
{
  static const struct {
    double origin[3], cutoff;
    size_t shape[3];
    unsigned subsamples;
  } cases[] = {
      {{1.0, 2.0, 3.0}, 10.0, {13, 5, 3}, 2},
      {{-6.0, -3.0, -2.0}, 8.0, {9, 6, 5}, 1},
      {{40.0, 0.0, 0.0}, 10.0, {3, 3, 3}, 1},
      {{7.0, 8.0, 9.0}, 12.0, {1, 1, 1}, 3},
  };
  Matter matter;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    make_matter(&matter, cases[i].origin, cases[i].shape, cases[i].subsamples, cases[i].cutoff);
    check_sampled(path, &matter);
  }
}

static void
test_wrong_ligands(const Path *path)
{
  const DebyeCell cell = {{20.0, 0.0, 0.0}, {0.0, 20.0, 0.0}, {0.0, 0.0, 20.0}};
  const double origin[3] = {0.0, 0.0, 0.0};
  const size_t shape[3] = {3, 3, 3};
  double seconds;
  float means[27];
  bool cancel = true;
  DebyeStatus status = {0};
  Matter right, wrong;
  const DebyeLadderKernel *ladder = path->ladder;
  make_matter(&right, origin, shape, 2, 10.0);
  const DebyeLadderLigand good = {&right.settings, &right.frame};
  for (int i = 0; i < 4; i++) {
    make_matter(&wrong, origin, shape, 2, 10.0);
    const DebyeLadderLigand bad = {&wrong.settings, &wrong.frame};
    if (i == 0)
      wrong.frame.cell = &cell;
    else if (i == 1)
      wrong.settings.subsamples = 4;
    else if (i == 2)
      wrong.settings.grid.step[0].y = 0.2;
    else
      wrong.place[1] = 0.5;
    CHECK(ladder->sample_ligand(path->device, path->variant, &bad, means, &seconds, NULL, &status) ==
          DEBYE_STATUS_INVALID);
  }
  CHECK(ladder->sample_ligand(path->device, 0, &good, means, &seconds, NULL, &status) ==
        DEBYE_STATUS_INVALID);
  CHECK(ladder->sample_ligand(path->device, path->variant, &good, means, &seconds, &cancel, &status) ==
        DEBYE_STATUS_CANCELLED);
}

static void
test_device(const DebyeDeviceEntry *entry, const char *how, void *arguments)
{
  (void)arguments;
  Path path = {entry->backend->ladder, entry->device, 0};
  for (; path.variant < path.ladder->n_variants; path.variant++) {
    const DebyeLadderVariant *variant = path.ladder->variants + path.variant;
    debye_check_subject("%s%s, %s", entry->info.id, how, variant->id);
    if (variant->kind == DEBYE_LADDER_ORBITAL) {
      test_orbitals(&path);
      test_wrong_orbitals(&path);
    }
    if (variant->kind == DEBYE_LADDER_LIGAND) {
      test_ligands(&path);
      test_wrong_ligands(&path);
    }
  }
}

int
main(int argc, char **argv)
{
  return debye_test_main(argc, argv, test_device);
}
