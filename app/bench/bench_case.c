/* SPDX-License-Identifier: MIT */
/* The table of production kernels that can be timed, and how each is; called by debye-cli bench and the
 * classroom. */
#include "bench_case.h"

#include <math.h>
#include <string.h>

#include "app/analysis/driver/device_choice.h"
#include "bench_density.h"
#include "bench_ligand.h"
#include "bench_orbital.h"
#include "data/files/error.h"

#define OF_MAPS                                                                \
  DEBYE_BENCH_ONLY(DEBYE_BENCH_ATOMS) | DEBYE_BENCH_ONLY(DEBYE_BENCH_POINTS) | \
      DEBYE_BENCH_ONLY(DEBYE_BENCH_SPACING)
#define OF_SCATTERING                                                          \
  DEBYE_BENCH_ONLY(DEBYE_BENCH_ATOMS) | DEBYE_BENCH_ONLY(DEBYE_BENCH_FRAMES) | \
      DEBYE_BENCH_ONLY(DEBYE_BENCH_VECTORS)

static const DebyeBenchKernel kernels[] = {
    {
        .id = "direct",
        .title = "Direct sum",
        .evaluations = "pairs of a grid point and an atom",
        .unit = "pairs",
        .operations = "those that the inner loop of the first device writes down",
        .method = DEBYE_POTENTIAL_DIRECT,
        .needs_charges = TRUE,
        .sizes = OF_MAPS,
        .initial = {[DEBYE_BENCH_ATOMS] = 1000.0, [DEBYE_BENCH_POINTS] = 262144.0},
        .family = &debye_bench_maps,
    },
    {
        .id = "cutoff",
        .title = "Cutoff",
        .evaluations = "pairs of a grid point and an atom within the cutoff",
        .unit = "pairs",
        .operations = "as the formula reads",
        .method = DEBYE_POTENTIAL_CUTOFF,
        .needs_charges = TRUE,
        .sizes = OF_MAPS | DEBYE_BENCH_ONLY(DEBYE_BENCH_CUTOFF),
        .initial =
            {[DEBYE_BENCH_ATOMS] = 1000.0, [DEBYE_BENCH_POINTS] = 262144.0, [DEBYE_BENCH_CUTOFF] = 12.0},
        .family = &debye_bench_maps,
    },
    {
        .id = "multilevel",
        .title = "Multilevel summation",
        .evaluations = "grid points",
        .unit = "points",
        .method = DEBYE_POTENTIAL_MULTILEVEL,
        .needs_charges = TRUE,
        .sizes = OF_MAPS | DEBYE_BENCH_ONLY(DEBYE_BENCH_CUTOFF) | DEBYE_BENCH_ONLY(DEBYE_BENCH_TOLERANCE),
        .initial =
            {[DEBYE_BENCH_ATOMS] = 1000.0, [DEBYE_BENCH_POINTS] = 262144.0, [DEBYE_BENCH_TOLERANCE] = 1e-3},
        .family = &debye_bench_maps,
    },
    {
        .id = "ewald",
        .title = "Particle mesh Ewald",
        .evaluations = "grid points",
        .unit = "points",
        .method = DEBYE_POTENTIAL_EWALD,
        .needs_charges = TRUE,
        .needs_cell = TRUE,
        .sizes = OF_MAPS | DEBYE_BENCH_ONLY(DEBYE_BENCH_CUTOFF) | DEBYE_BENCH_ONLY(DEBYE_BENCH_TOLERANCE),
        .initial =
            {[DEBYE_BENCH_ATOMS] = 1000.0, [DEBYE_BENCH_POINTS] = 262144.0, [DEBYE_BENCH_TOLERANCE] = 1e-4},
        .family = &debye_bench_maps,
    },
    {
        .id = "pairs",
        .title = "Pair histogram",
        .evaluations = "pairs of atoms",
        .unit = "pairs",
        .operations = "as the formula reads",
        .sizes = DEBYE_BENCH_ONLY(DEBYE_BENCH_ATOMS) | DEBYE_BENCH_ONLY(DEBYE_BENCH_FRAMES) |
                 DEBYE_BENCH_ONLY(DEBYE_BENCH_CUTOFF),
        .initial = {[DEBYE_BENCH_ATOMS] = 1000.0, [DEBYE_BENCH_FRAMES] = 1.0},
        .family = &debye_bench_pairs,
    },
    {
        .id = "self",
        .title = "Self scattering",
        .evaluations = "phases of an atom, a vector and a frame",
        .unit = "phases",
        .operations = "7, and its share of the 5·L·log₂L + 3·L of a transform of length L",
        .sizes = OF_SCATTERING,
        .initial = {[DEBYE_BENCH_ATOMS] = 1000.0, [DEBYE_BENCH_FRAMES] = 128.0, [DEBYE_BENCH_VECTORS] = 32.0},
        .family = &debye_bench_self,
    },
    {
        .id = "coherent",
        .title = "Coherent scattering",
        .evaluations = "phases of an atom, a vector and a frame",
        .unit = "phases",
        .operations = "a sine and a cosine one each",
        .sizes = OF_SCATTERING,
        .initial =
            {[DEBYE_BENCH_ATOMS] = 1000.0, [DEBYE_BENCH_FRAMES] = 16.0, [DEBYE_BENCH_VECTORS] = 1000.0},
        .family = &debye_bench_coherent,
    },
    {
        .id = "orbital",
        .title = "Orbitals",
        .evaluations = "pairs of a grid point and a Gaussian that reaches it",
        .unit = "pairs",
        .sizes = DEBYE_BENCH_ONLY(DEBYE_BENCH_POINTS),
        .initial = {[DEBYE_BENCH_POINTS] = DEBYE_BENCH_ORBITAL_POINTS},
        .max_points = DEBYE_BENCH_ORBITAL_MAX_POINTS,
        .family = &debye_bench_orbitals,
        .subject = "C60 in 6-31G(d)",
    },
    {
        .id = "ligand",
        .title = "Ligand sampling",
        .evaluations = "pairs of a sample that no atom rejects and an atom within the cutoff",
        .unit = "pairs",
        .sizes = DEBYE_BENCH_ONLY(DEBYE_BENCH_POINTS),
        .initial = {[DEBYE_BENCH_POINTS] = DEBYE_BENCH_LIGAND_VOXELS},
        .max_points = DEBYE_BENCH_LIGAND_MAX_VOXELS,
        .family = &debye_bench_ligands,
        .subject = "xenon in made-up matter",
    },
    {
        .id = "density",
        .title = "Densities",
        .evaluations = "atoms of a frame",
        .unit = "atoms",
        .sizes = DEBYE_BENCH_ONLY(DEBYE_BENCH_POINTS),
        .initial = {[DEBYE_BENCH_POINTS] = DEBYE_BENCH_DENSITY_VOXELS},
        .max_points = DEBYE_BENCH_DENSITY_MAX_VOXELS,
        .family = &debye_bench_densities,
        .subject = "made-up atoms that move",
    },
};

const DebyeBenchKernel *
debye_bench_kernel_find(const char *id)
{
  for (gsize i = 0; i < G_N_ELEMENTS(kernels); i++)
    if (strcmp(kernels[i].id, id) == 0)
      return &kernels[i];
  return NULL;
}

gboolean
debye_bench_kernel_has(const DebyeBenchKernel *kernel, DebyeBenchSize size)
{
  return size >= DEBYE_BENCH_THREADS || (kernel->sizes & DEBYE_BENCH_ONLY(size)) != 0;
}

/* --- What is measured on --- */

static gboolean
check_atoms(const DebyeBenchCase *self, GError **error)
{
  const DebyeBenchAtoms *atoms = self->atoms;
  if (self->kernel->subject != NULL)
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "bench: --kernel %s: expected no files, as it is timed on %s", self->kernel->id,
                           self->kernel->subject);
  if (self->kernel->needs_charges && !debye_bench_atoms_check_charges(atoms, error))
    return FALSE;
  if (self->kernel->needs_cell && !debye_cell_is_valid(&atoms->cell))
    return debye_error_set(
        error, DEBYE_ERROR_MISSING,
        "bench: --kernel %s: expected a periodic cell, but the files have none; choose multilevel",
        self->kernel->id);
  if (self->sizes[DEBYE_BENCH_ATOMS] <= (double)atoms->n_atoms &&
      self->sizes[DEBYE_BENCH_FRAMES] <= (double)atoms->n_frames)
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_VALUE,
                         "bench: the files have %" G_GSIZE_FORMAT " atoms and %" G_GSIZE_FORMAT
                         " frames, found %.0f and %.0f asked for",
                         atoms->n_atoms, atoms->n_frames, self->sizes[DEBYE_BENCH_ATOMS],
                         self->sizes[DEBYE_BENCH_FRAMES]);
}

gboolean
debye_bench_case_complete(DebyeBenchCase *self, GError **error)
{
  const DebyeBenchKernel *kernel = self->kernel;
  const gboolean has_atoms = self->sizes[DEBYE_BENCH_ATOMS] > 0.0;
  const gboolean has_frames = self->sizes[DEBYE_BENCH_FRAMES] > 0.0;
  for (int size = 0; size < DEBYE_BENCH_N_SIZES; size++) {
    if (!debye_bench_kernel_has(kernel, (DebyeBenchSize)size))
      self->sizes[size] = 0.0;
    else if (!(self->sizes[size] > 0.0))
      self->sizes[size] = kernel->initial[size];
  }
  if (kernel->subject != NULL && self->sizes[DEBYE_BENCH_POINTS] > kernel->max_points)
    return debye_error_set(error, DEBYE_ERROR_VALUE,
                           "bench: --kernel %s: expected at most %.0f points, found %.4g", kernel->id,
                           kernel->max_points, self->sizes[DEBYE_BENCH_POINTS]);
  if (self->atoms == NULL)
    return TRUE;
  if (!has_atoms)
    self->sizes[DEBYE_BENCH_ATOMS] = (double)self->atoms->n_atoms;
  if (!has_frames)
    self->sizes[DEBYE_BENCH_FRAMES] = MIN(self->sizes[DEBYE_BENCH_FRAMES], (double)self->atoms->n_frames);
  return check_atoms(self, error);
}

/* --- Timing --- */

static char *
name_devices(const DebyeDeviceEntry *const *devices, gsize n_devices)
{
  GString *text = g_string_new(NULL);
  for (gsize i = 0; i < n_devices; i++)
    g_string_append_printf(text, "%s%s", i > 0 ? "+" : "", devices[i]->info.id);
  return g_string_free(text, FALSE);
}

/* Of all GPUs of a case together, as the lectures add them up. */
typedef struct {
  const DebyeDeviceEntry *const *devices;
  gsize n_devices;
  DebyeBenchPowerMeter *meters[DEBYE_MAX_DEVICES]; /* NULL: nobody tells */
} PowerWatch;

static void
begin_watch(gpointer data)
{
  PowerWatch *watch = data;
  for (gsize i = 0; i < watch->n_devices; i++)
    watch->meters[i] = debye_bench_power_start(watch->devices[i]->info.id);
}

static gboolean
is_watch_short(gpointer data)
{
  const PowerWatch *watch = data;
  for (gsize i = 0; i < watch->n_devices; i++)
    if (debye_bench_power_is_short(watch->meters[i]))
      return TRUE;
  return FALSE;
}

/* The slowest clock is the one that the others wait for. */
static DebyeBenchPower
end_watch(PowerWatch *watch)
{
  DebyeBenchPower all = {0};
  for (gsize i = 0; i < watch->n_devices; i++) {
    const DebyeBenchPower one = debye_bench_power_stop(watch->meters[i]);
    all.watts += one.watts;
    if (one.clock > 0.0)
      all.clock = all.clock > 0.0 ? MIN(all.clock, one.clock) : one.clock;
  }
  return all;
}

gboolean
debye_bench_case_run(const DebyeBenchCase *self, DebyeBenchResult *result, GError **error)
{
  const DebyeBenchFamily *family = self->kernel->family;
  /* Those with a subject of their own are timed on the first alone. */
  const gsize n_devices = self->kernel->subject != NULL ? 1 : self->n_devices;
  PowerWatch watch = {.devices = self->devices, .n_devices = MIN(n_devices, DEBYE_MAX_DEVICES)};
  DebyeBenchRepeats repeats = self->repeats;
  DebyeBenchTime time;
  gpointer opened = family->open(self, error);
  *result = (DebyeBenchResult){.error = NAN};
  repeats.begin = begin_watch;
  repeats.is_short = is_watch_short;
  repeats.watch = &watch;
  gboolean ok = opened != NULL && debye_bench_repeat(&repeats, family->run, opened, &time, error);
  result->power = end_watch(&watch);
  ok = ok && family->finish(opened, result, error);
  if (opened != NULL)
    family->close(opened);
  if (!ok)
    return FALSE;
  result->variant = g_strdup(self->double_precision ? "double" : "ours");
  result->device = name_devices(self->devices, n_devices);
  result->seconds = time.median;
  result->fastest = time.fastest;
  result->slowest = time.slowest;
  result->n_repeats = time.n;
  result->rate = result->evaluations / time.median;
  result->operations /= time.median;
  return TRUE;
}
