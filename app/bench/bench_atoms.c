/* SPDX-License-Identifier: MIT */
/* Makes up atoms, or takes those of files, for bench_case.c. */
#include "bench_atoms.h"

#include <math.h>

#include "app/analysis/driver/charge_choice.h"
#include "data/files/error.h"
#include "data/molecule/altloc.h"

#define SEED 20180519
#define STEP 0.3 /* Å */

/* NULL with an error: no memory. */
static DebyeBenchAtoms *
allocate(gsize n_atoms, gsize n_frames, GError **error)
{
  g_autoptr(DebyeBenchAtoms) atoms = g_new0(DebyeBenchAtoms, 1);
  float **const coordinates[3] = {&atoms->x, &atoms->y, &atoms->z};
  atoms->n_atoms = n_atoms;
  atoms->n_frames = n_frames;
  for (int axis = 0; axis < 3; axis++) {
    gsize n = 0;
    if (g_size_checked_mul(&n, n_atoms, n_frames))
      *coordinates[axis] = g_try_new(float, MAX(n, 1));
    if (*coordinates[axis] == NULL) {
      debye_error_set(error, DEBYE_ERROR_MEMORY,
                      "bench: no memory for %" G_GSIZE_FORMAT " atoms in %" G_GSIZE_FORMAT
                      " frames; choose fewer with --size",
                      n_atoms, n_frames);
      return NULL;
    }
  }
  return g_steal_pointer(&atoms);
}

DebyeBenchAtoms *
debye_bench_atoms_new(gsize n_atoms, gsize n_frames, GError **error)
{
  DebyeBenchAtoms *atoms = allocate(n_atoms, n_frames, error);
  if (atoms == NULL)
    return NULL;
  const double side = cbrt((double)n_atoms / DEBYE_BENCH_ATOM_DENSITY);
  float *const coordinates[3] = {atoms->x, atoms->y, atoms->z};
  g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
  for (gsize i = 0; i < n_atoms * n_frames; i++)
    for (int axis = 0; axis < 3; axis++)
      coordinates[axis][i] = (float)(i < n_atoms ? g_rand_double_range(random, 0.0, side)
                                                 : (double)coordinates[axis][i - n_atoms] +
                                                       g_rand_double_range(random, -STEP, STEP));
  return atoms;
}

static void
take_charges(DebyeBenchAtoms *atoms, DebyeDataset *dataset, DebyeChargeSource source, const GArray *list)
{
  DebyeChargeChoice choice = {0};
  const char *key = NULL;
  if (!debye_charge_choice_init(&choice, dataset, source, &key, &atoms->why_no_charges))
    return;
  const float *charges = debye_topology_get_charges(choice.topology);
  atoms->charge = g_new(float, list->len);
  for (guint i = 0; i < list->len; i++)
    atoms->charge[i] = charges[g_array_index(list, guint32, i)];
  debye_charge_choice_clear(&choice);
}

static gboolean
take_frame(DebyeBenchAtoms *atoms, gsize number, const GArray *list, const DebyeFrame *frame, GError **error)
{
  const gsize first = number * atoms->n_atoms;
  for (guint i = 0; i < list->len; i++) {
    const guint32 atom = g_array_index(list, guint32, i);
    atoms->x[first + i] = frame->x[atom];
    atoms->y[first + i] = frame->y[atom];
    atoms->z[first + i] = frame->z[atom];
    if (isfinite(frame->x[atom]) && isfinite(frame->y[atom]) && isfinite(frame->z[atom]))
      continue;
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "bench: atom %u has no coordinates in frame %" G_GSIZE_FORMAT
                           "; export the atoms and frames that have some first",
                           atom + 1, number);
  }
  if (number == 0 && frame->has_cell)
    atoms->cell = frame->cell;
  return TRUE;
}

static gboolean
read_frames(DebyeBenchAtoms *atoms, DebyeTrajectory *trajectory, const GArray *list,
            const volatile bool *cancel, GError **error)
{
  g_autoptr(DebyeTrajectoryReader) reader = debye_trajectory_reader_new(trajectory, error);
  g_autoptr(DebyeFrame) frame =
      reader != NULL ? debye_frame_new(debye_trajectory_get_n_atoms(trajectory)) : NULL;
  if (frame == NULL) {
    if (reader != NULL)
      debye_error_set(error, DEBYE_ERROR_MEMORY, "no memory for a frame of %" G_GSIZE_FORMAT " atoms",
                      debye_trajectory_get_n_atoms(trajectory));
    return FALSE;
  }
  for (gsize number = 0; number < atoms->n_frames; number++) {
    if (cancel != NULL && *cancel)
      return debye_error_set(error, DEBYE_ERROR_STOPPED, "stopped before anything was finished");
    if (!debye_trajectory_reader_read(reader, number, frame, error) ||
        !take_frame(atoms, number, list, frame, error))
      return FALSE;
  }
  return TRUE;
}

DebyeBenchAtoms *
debye_bench_atoms_new_for_dataset(DebyeDataset *dataset, DebyeChargeSource source, gsize max_atoms,
                                  gsize max_frames, const volatile bool *cancel, GError **error)
{
  DebyeTrajectory *trajectory = debye_dataset_get_trajectory(dataset);
  g_autoptr(GArray) list = debye_topology_list_counted(debye_dataset_get_topology(dataset), max_atoms);
  const gsize n_frames = trajectory != NULL ? debye_trajectory_get_n_frames(trajectory) : 0;
  if (n_frames == 0 || list->len == 0) {
    debye_error_set(error, DEBYE_ERROR_MISSING,
                    "%s: expected atoms with coordinates, found none; name a file that has them, too",
                    debye_dataset_get_name(dataset));
    return NULL;
  }
  g_autoptr(DebyeBenchAtoms) atoms = allocate(list->len, MIN(n_frames, max_frames), error);
  if (atoms == NULL || !read_frames(atoms, trajectory, list, cancel, error))
    return NULL;
  take_charges(atoms, dataset, source, list);
  return g_steal_pointer(&atoms);
}

gboolean
debye_bench_atoms_check_charges(const DebyeBenchAtoms *atoms, GError **error)
{
  if (atoms->charge == NULL)
    g_propagate_error(error, g_error_copy(atoms->why_no_charges));
  return atoms->charge != NULL;
}

void
debye_bench_atoms_free(DebyeBenchAtoms *atoms)
{
  if (atoms == NULL)
    return;
  g_free(atoms->x);
  g_free(atoms->y);
  g_free(atoms->z);
  g_free(atoms->charge);
  g_clear_error(&atoms->why_no_charges);
  g_free(atoms);
}
