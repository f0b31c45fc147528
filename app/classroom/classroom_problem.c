/* SPDX-License-Identifier: MIT */
/* Implementation of classroom_problem.h; used by classroom_ladder.c and classroom_source.c. */
#include "classroom_problem.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/analysis/driver/charge_choice.h"
#include "app/bench/bench_ladder.h"
#include "data/files/error.h"
#include "data/molecule/altloc.h"

#define N_POINTS ((gsize)1000000)     /* of the map; a slow variant does a part of it */
#define MAX_COUNTED ((gsize)10000)    /* 50 million pairs: a second for one thread */
#define SCATTERED_ATOMS ((gsize)1000) /* at most, as are: */
#define SCATTERED_FRAMES ((gsize)256)
#define SCATTERED_VECTORS ((gsize)32)
#define MAX_POINTS 1e9
#define MADE_UP_ATOMS ((gsize)3000)
#define MADE_UP_POINTS_A_SIDE ((gsize)100)

static DebyeBenchProblem *
make_up_problem(gboolean has_molecule, char **subject)
{
  const char *text = has_molecule
                         ? N_("This molecule has no charges: %zu made-up ones at a protein's density instead")
                         : N_("%zu made-up charges at a protein's density");
  *subject = g_strdup_printf(_(text), (gsize)MADE_UP_ATOMS);
  return debye_bench_problem_new(MADE_UP_POINTS_A_SIDE, MADE_UP_ATOMS);
}

/* NULL without the memory. */
static DebyeFrame *
keep_counted(DebyeTopology **topology, DebyeFrame *frame)
{
  if (debye_topology_get_counted(*topology) == NULL)
    return debye_frame_ref(frame);
  g_autoptr(GArray) atoms = debye_topology_list_counted(*topology, G_MAXSIZE);
  const guint32 *list = (const guint32 *)(const void *)atoms->data;
  DebyeTopology *part = debye_topology_subset(*topology, list, atoms->len);
  g_object_unref(*topology);
  *topology = part;
  return debye_frame_subset(frame, list, atoms->len);
}

/* Uses the cell only if it is rectangular and along the axes. */
static void
take_cell(DebyeBenchProblem *problem, const DebyeCell *cell)
{
  const double edges[3] = {cell->a.x, cell->b.y, cell->c.z};
  const double others = fabs(cell->a.y) + fabs(cell->a.z) + fabs(cell->b.x) + fabs(cell->b.z) +
                        fabs(cell->c.x) + fabs(cell->c.y);
  if (debye_cell_is_valid(cell) && others < 1e-6 && MIN(MIN(edges[0], edges[1]), edges[2]) > 0.0)
    memcpy(problem->edge, edges, sizeof edges);
}

static DebyeBenchProblem *
take_molecule(DebyeDataset *dataset, DebyeFrame *whole, char **subject)
{
  DebyeChargeChoice choice = {0};
  const char *key = NULL;
  if (!debye_charge_choice_init(&choice, dataset, DEBYE_CHARGES_AUTO, &key, NULL))
    return make_up_problem(TRUE, subject);
  g_autoptr(DebyeFrame) frame = keep_counted(&choice.topology, whole);
  if (frame == NULL) {
    debye_charge_choice_clear(&choice);
    return make_up_problem(TRUE, subject);
  }
  const gsize n_atoms = MIN(frame->n_atoms, DEBYE_CLASSROOM_MAX_ATOMS);
  const DebyeCharges charges = {frame->x, frame->y, frame->z, debye_topology_get_charges(choice.topology),
                                n_atoms};
  DebyeBenchProblem *problem = debye_bench_problem_new_for_charges(&charges, N_POINTS);
  if (n_atoms == frame->n_atoms)
    take_cell(problem, &frame->cell);
  *subject = g_strdup_printf(n_atoms < frame->n_atoms ? _("The first %zu atoms of this molecule, charges: %s")
                                                      : _("The %zu atoms of this molecule, charges: %s"),
                             n_atoms, choice.table != NULL ? _("a force field's") : _("those of the file"));
  debye_charge_choice_clear(&choice);
  return problem;
}

/* Of more atoms one of every so many, which leaves the shape of g(r) as it is. */
DebyeBenchProblem *
debye_classroom_problem_count(const DebyeBenchProblem *problem)
{
  const DebyeCharges *all = &problem->charges;
  const gsize step = (all->n + MAX_COUNTED - 1) / MAX_COUNTED, n = (all->n + step - 1) / step;
  g_autofree float *some = g_new(float, 4 * n);
  for (gsize i = 0; i < n; i++) {
    some[i] = all->x[i * step];
    some[n + i] = all->y[i * step];
    some[2 * n + i] = all->z[i * step];
    some[3 * n + i] = all->charge[i * step];
  }
  const DebyeCharges charges = {some, some + n, some + 2 * n, some + 3 * n, n};
  DebyeBenchProblem *counted = debye_bench_problem_new_for_charges(&charges, 8);
  memcpy(counted->edge, problem->edge, sizeof counted->edge);
  counted->cancel = problem->cancel;
  return counted;
}

/* The same box in another spacing. */
static void
lay_grid(DebyeGrid *grid, double spacing)
{
  const double finer = grid->step[0].x / spacing;
  for (int axis = 0; axis < 3; axis++) {
    grid->shape[axis] = (gsize)floor((double)(grid->shape[axis] - 1) * finer) + 1;
    grid->step[axis] = debye_vec3_scale(grid->step[axis], 1.0 / finer);
  }
}

/* In the spacing that bins of eight slots are meant for. */
static void
lay_cutoff_grid(DebyeBenchProblem *problem)
{
  lay_grid(&problem->grid, DEBYE_CLASSROOM_SPACING);
  problem->cutoff = DEBYE_CLASSROOM_CUTOFF;
}

DebyeBenchProblem *
debye_classroom_problem_change(const DebyeBenchProblem *problem, double n_atoms, double cutoff,
                               double spacing, GError **error)
{
  DebyeCharges charges = problem->charges;
  DebyeGrid grid = problem->grid;
  if (n_atoms > (double)charges.n) {
    debye_error_set(error, DEBYE_ERROR_VALUE,
                    "Class room: expected at most the %zu atoms of the molecule, found %.0f", charges.n,
                    n_atoms);
    return NULL;
  }
  if (n_atoms > 0.0)
    charges.n = (gsize)n_atoms;
  if (spacing > 0.0)
    lay_grid(&grid, spacing);
  if ((double)grid.shape[0] * (double)grid.shape[1] * (double)grid.shape[2] > MAX_POINTS) {
    debye_error_set(error, DEBYE_ERROR_VALUE,
                    "Class room: expected a grid spacing that gives at most %.0f points, found %g Å",
                    MAX_POINTS, spacing);
    return NULL;
  }
  /* Its own grid isn't kept: the box stays that of all atoms. */
  DebyeBenchProblem *changed = debye_bench_problem_new_for_charges(&charges, 8);
  memcpy(changed->edge, problem->edge, sizeof changed->edge);
  changed->grid = grid;
  changed->cutoff = cutoff > 0.0 ? cutoff : problem->cutoff;
  changed->cancel = problem->cancel;
  return changed;
}

/* --- What is no map --- */

/* The same subject always: what is open seldom has a wave function, or Lennard-Jones parameters. */
static const char *const own[DEBYE_LADDER_N_KINDS] = {
    [DEBYE_LADDER_ORBITAL] = N_("C60 in 6-31G(d), 900 functions, 104³ grid points"),
    [DEBYE_LADDER_LIGAND] = N_("Xenon in made-up matter, 3,276 atoms, 32³ voxels of 27 samples"),
    [DEBYE_LADDER_DENSITY] = N_("26,214 made-up atoms, as dense as water, in 256 frames and 64³ voxels"),
};

gboolean
debye_classroom_has_courses(DebyeDataset *dataset)
{
  DebyeTrajectory *trajectory = dataset != NULL ? debye_dataset_get_trajectory(dataset) : NULL;
  return trajectory != NULL && debye_trajectory_get_n_frames(trajectory) > 1;
}

gboolean
debye_classroom_problem_has_map(DebyeLadderKind kind)
{
  return own[kind] == NULL && kind != DEBYE_LADDER_SCATTERING;
}

/* The trajectory's first atoms and frames, or made-up ones. */
static DebyeBenchProblem *
new_courses(DebyeDataset *dataset, const volatile bool *cancel, char **subject, GError **error)
{
  const gboolean is_file = debye_classroom_has_courses(dataset);
  DebyeBenchAtoms *atoms =
      is_file ? debye_bench_atoms_new_for_dataset(dataset, DEBYE_CHARGES_AUTO, SCATTERED_ATOMS,
                                                  SCATTERED_FRAMES, cancel, error)
              : debye_bench_atoms_new(SCATTERED_ATOMS, SCATTERED_FRAMES, error);
  if (atoms == NULL)
    return NULL;
  *subject = g_strdup_printf(is_file ? _("%zu atoms of this trajectory in %zu frames, %zu vectors")
                                     : _("%zu made-up atoms in %zu frames, %zu vectors"),
                             atoms->n_atoms, atoms->n_frames, SCATTERED_VECTORS);
  g_autoptr(DebyeBenchProblem) problem = debye_bench_problem_new(1, atoms->n_atoms);
  problem->made_up = atoms; /* to be freed with it, whoever made them */
  return debye_bench_problem_set_courses(problem, atoms, atoms->n_frames, SCATTERED_VECTORS, error)
             ? g_steal_pointer(&problem)
             : NULL;
}

static DebyeBenchProblem *
new_map(DebyeDataset *dataset, DebyeFrame *frame, DebyeLadderKind kind, const volatile bool *cancel,
        char **subject, GError **error)
{
  g_autoptr(DebyeBenchProblem) problem =
      frame != NULL ? take_molecule(dataset, frame, subject) : make_up_problem(FALSE, subject);
  problem->cancel = cancel;
  if (!(problem->exact_rms > 0.0)) {
    debye_error_set(error, DEBYE_ERROR_VALUE,
                    "Class room: expected atoms with coordinates and charges other than 0, found none");
    return NULL;
  }
  if (kind == DEBYE_LADDER_CUTOFF)
    lay_cutoff_grid(problem);
  return g_steal_pointer(&problem);
}

DebyeBenchProblem *
debye_classroom_problem_new(DebyeDataset *dataset, DebyeFrame *frame, DebyeLadderKind kind,
                            const volatile bool *cancel, char **subject, GError **error)
{
  if (debye_classroom_problem_has_map(kind))
    return new_map(dataset, frame, kind, cancel, subject, error);
  DebyeBenchProblem *problem =
      own[kind] != NULL ? debye_bench_problem_new(1, 1) : new_courses(dataset, cancel, subject, error);
  if (own[kind] != NULL)
    *subject = g_strdup(_(own[kind]));
  if (problem != NULL)
    problem->cancel = cancel;
  return problem;
}

const DebyeLadderVariant *
debye_classroom_find_variant(const char *source)
{
  for (gsize i = 0; i < DEBYE_LADDER_N_CPU; i++)
    if (g_strcmp0(debye_ladder_cpu_variants[i].source, source) == 0)
      return &debye_ladder_cpu_variants[i];
  for (gsize i = 0; i < DEBYE_LADDER_N_CUDA; i++)
    if (g_strcmp0(debye_ladder_cuda_variants[i].source, source) == 0)
      return &debye_ladder_cuda_variants[i];
  return NULL;
}
