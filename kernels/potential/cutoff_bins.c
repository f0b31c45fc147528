/* SPDX-License-Identifier: MIT */
/* Sorts atoms into bins for the cutoff method of both back ends, in three passes: the images that a map can
 * see are counted, written down, and sorted. */
#include <stdlib.h>
#include <string.h>

#include "cutoff_bins_private.h"

/* Atoms of a chunk of a pass. */
#define CHUNK_ATOMS 8192

/* An image before it is sorted. */
typedef struct {
  double x, y, z;
  float charge;
  uint32_t bin;
} Image;

struct DebyeBinImages {
  Image *image;
  DebyeBinBox *box_of_chunk;
  size_t *first_of_chunk; /* images before each chunk of atoms */
  uint32_t *n_of_atom;
  size_t allocated, allocated_atoms, allocated_exact, allocated_bins;
};

typedef struct {
  DebyeCutoffBins *bins;
  const DebyeCharges *charges;
  DebyeBinFrame frame;
} Pass;

DebyeStatusCode
debye_cutoff_settings_check(const DebyePotentialSettings *settings, double cutoff, DebyeStatus *status)
{
  if (debye_potential_settings_check(settings, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  /* A hundredth apart, so that float can tell them from each other. */
  if (!(cutoff >= 1.01 * settings->core_radius && cutoff < 1e-3 * DEBYE_DIRECT_FARTHEST))
    return debye_status_set(
        status, DEBYE_STATUS_INVALID,
        "The cutoff is %g Å; it must be larger than the core radius, %g Å, and below %g Å.", cutoff,
        settings->core_radius, 1e-3 * DEBYE_DIRECT_FARTHEST);
  if (!(settings->bin_size >= 0.0 && isfinite(settings->bin_size)))
    return debye_status_set(status, DEBYE_STATUS_INVALID, "Bins can't be %g Å wide.", settings->bin_size);
  if (settings->max_charges >= DEBYE_MAX_BIN_IMAGES)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu charges are more than can be summed.",
                            settings->max_charges);
  return debye_status_ok(status);
}

bool
debye_bins_reserve(void *array, size_t *allocated, size_t n, size_t size)
{
  void **pointer = array;
  if (n <= *allocated && *pointer != NULL)
    return true;
  size_t wanted = n + n / 4 + 1;
  free(*pointer);
  *pointer = malloc(wanted * size);
  *allocated = *pointer != NULL ? wanted : 0;
  return *pointer != NULL;
}

DebyeStatusCode
debye_bins_no_memory(double n_atoms, DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for the %.3g atoms and images that the map sees within the "
                          "cutoff.",
                          n_atoms);
}

/* Writes the images of an atom where `image` is not NULL; returns how many there are. */
static size_t
find_images(const Pass *pass, size_t atom, Image *image)
{
  const DebyeCharges *charges = pass->charges;
  const DebyeBinFrame *frame = &pass->frame;
  DebyeVec3 home =
      debye_bin_home(frame, (double)charges->x[atom], (double)charges->y[atom], (double)charges->z[atom]);
  double first[3], last[3];
  size_t n = 0;
  debye_bin_cells(frame, home, first, last);
  for (double c = first[2]; c <= last[2]; c++)
    for (double b = first[1]; b <= last[1]; b++)
      for (double a = first[0]; a <= last[0]; a++) {
        DebyeVec3 p;
        if (!debye_bin_image(frame, home, a, b, c, &p))
          continue;
        if (image != NULL)
          image[n] = (Image){p.x, p.y, p.z, charges->charge[atom], 0};
        n++;
      }
  return n;
}

static size_t
chunk_count(size_t n_atoms)
{
  return (n_atoms + CHUNK_ATOMS - 1) / CHUNK_ATOMS;
}

static size_t
chunk_end(const Pass *pass, size_t chunk)
{
  size_t end = (chunk + 1) * CHUNK_ATOMS;
  return end < pass->charges->n ? end : pass->charges->n;
}

static void
count_chunk(void *context, size_t chunk)
{
  const Pass *pass = context;
  struct DebyeBinImages *images = pass->bins->images;
  size_t sum = 0, end = chunk_end(pass, chunk);
  for (size_t atom = chunk * CHUNK_ATOMS; atom < end; atom++) {
    images->n_of_atom[atom] = (uint32_t)find_images(pass, atom, NULL);
    sum += images->n_of_atom[atom];
  }
  images->first_of_chunk[chunk + 1] = sum;
}

static void
write_chunk(void *context, size_t chunk)
{
  const Pass *pass = context;
  const struct DebyeBinImages *images = pass->bins->images;
  size_t end = chunk_end(pass, chunk), at = images->first_of_chunk[chunk];
  for (size_t atom = chunk * CHUNK_ATOMS; atom < end; atom++)
    at += find_images(pass, atom, images->image + at);
  DebyeBinBox box = debye_bin_box_empty;
  for (size_t i = images->first_of_chunk[chunk]; i < at; i++)
    debye_bin_box_extend(&box, images->image[i].x, images->image[i].y, images->image[i].z);
  images->box_of_chunk[chunk] = box;
}

/* Images of all atoms into images->image; bins->n_atoms says how many. */
static DebyeStatusCode
gather_images(Pass *pass, const DebyeChunkRunner *runner, DebyeStatus *status)
{
  DebyeCutoffBins *bins = pass->bins;
  struct DebyeBinImages *images = bins->images;
  const size_t n_chunks = chunk_count(pass->charges->n);
  images->first_of_chunk[0] = 0;
  debye_chunks_run(runner, n_chunks, count_chunk, pass);
  for (size_t chunk = 0; chunk < n_chunks; chunk++)
    images->first_of_chunk[chunk + 1] += images->first_of_chunk[chunk];
  bins->n_atoms = images->first_of_chunk[n_chunks];
  if ((double)bins->n_atoms > DEBYE_MAX_BIN_IMAGES ||
      !debye_bins_reserve(&images->image, &images->allocated, bins->n_atoms, sizeof(Image)))
    return debye_bins_no_memory((double)bins->n_atoms, status);
  debye_chunks_run(runner, n_chunks, write_chunk, pass);
  return debye_status_ok(status);
}

static DebyeBinBox
box_of_images(const DebyeCutoffBins *bins, size_t n_chunks)
{
  DebyeBinBox box = debye_bin_box_empty;
  for (size_t chunk = 0; chunk < n_chunks; chunk++) {
    const DebyeBinBox *part = &bins->images->box_of_chunk[chunk];
    if (!(part->low[0] <= part->high[0])) /* none of its atoms is in reach of the map */
      continue;
    debye_bin_box_extend(&box, part->low[0], part->low[1], part->low[2]);
    debye_bin_box_extend(&box, part->high[0], part->high[1], part->high[2]);
  }
  return box;
}

static void
place_chunk(void *context, size_t chunk)
{
  const Pass *pass = context;
  const struct DebyeBinImages *images = pass->bins->images;
  for (size_t i = images->first_of_chunk[chunk]; i < images->first_of_chunk[chunk + 1]; i++)
    images->image[i].bin = debye_bin_of(
        &pass->bins->map, (const double[3]){images->image[i].x, images->image[i].y, images->image[i].z});
}

/* From counts to where each bin begins. */
static size_t
sum_counts(uint32_t *start, size_t n_bins)
{
  size_t sum = 0;
  for (size_t bin = 0; bin <= n_bins; bin++) {
    uint32_t count = bin < n_bins ? start[bin] : 0;
    start[bin] = (uint32_t)sum;
    sum += count;
  }
  return sum;
}

static void
sort_images(DebyeCutoffBins *bins, size_t n_images)
{
  const double unit = bins->unit;
  for (size_t i = 0; i < n_images; i++) {
    const Image *image = &bins->images->image[i];
    size_t at = bins->start[image->bin]++;
    bins->atoms[at] = (DebyeBinnedAtom){debye_fixed_point(image->x, unit), debye_fixed_point(image->y, unit),
                                        debye_fixed_point(image->z, unit), image->charge};
    if (bins->exact)
      bins->exact_atoms[at] = (DebyeBinnedExactAtom){image->x, image->y, image->z, (double)image->charge};
  }
  /* Each bin's begin has moved to its end, which is the next one's begin. */
  memmove(bins->start + 1, bins->start, bins->n_bins * sizeof *bins->start);
  bins->start[0] = 0;
}

static bool
reserve_bins(DebyeCutoffBins *bins)
{
  struct DebyeBinImages *images = bins->images;
  return debye_bins_reserve(&bins->start, &images->allocated_bins, bins->n_bins + 1, sizeof *bins->start) &&
         debye_bins_reserve(&bins->atoms, &images->allocated_atoms, bins->n_atoms, sizeof *bins->atoms) &&
         (!bins->exact || debye_bins_reserve(&bins->exact_atoms, &images->allocated_exact, bins->n_atoms,
                                             sizeof *bins->exact_atoms));
}

DebyeStatusCode
debye_cutoff_bins_set(DebyeCutoffBins *bins, const DebyeCharges *charges, const DebyeCell *cell,
                      const DebyeChunkRunner *runner, DebyeStatus *status)
{
  Pass pass = {.bins = bins, .charges = charges};
  const size_t n_chunks = chunk_count(charges->n);
  bins->n_atoms = 0;
  DebyeStatusCode code = debye_charges_check(charges, bins->max_charges, runner, NULL, status);
  if (code == DEBYE_STATUS_OK)
    code = debye_bin_frame_set(bins, cell, charges->n, &pass.frame, status);
  if (code == DEBYE_STATUS_OK)
    code = gather_images(&pass, runner, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const DebyeBinBox box = box_of_images(bins, n_chunks);
  const size_t n_images = bins->n_atoms;
  code = debye_cutoff_bins_lay_out(bins, n_images, &box, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  if (!reserve_bins(bins))
    return debye_bins_no_memory((double)n_images, status);
  debye_chunks_run(runner, n_chunks, place_chunk, &pass);
  memset(bins->start, 0, (bins->n_bins + 1) * sizeof *bins->start);
  for (size_t i = 0; i < n_images; i++)
    bins->start[bins->images->image[i].bin]++;
  bins->n_atoms = sum_counts(bins->start, bins->n_bins);
  sort_images(bins, n_images);
  bins->map.start = bins->start;
  return debye_status_ok(status);
}

uint64_t
debye_cutoff_bins_bytes(const DebyePotentialSettings *settings, double cutoff)
{
  const DebyeTurnedGrid grid = debye_turned_grid(&settings->grid);
  double images = (double)settings->max_charges;
  if (settings->periodic == DEBYE_PERIODIC_ALL && debye_cell_is_valid(&settings->cell))
    images *= fmax(1.0, debye_bin_region_volume(&grid, cutoff) / fabs(debye_cell_volume(&settings->cell)));
  double an_atom = sizeof(Image) + sizeof(DebyeBinnedAtom) + 5.0 * sizeof(float) +
                   (settings->double_precision ? sizeof(DebyeBinnedExactAtom) : 0.0);
  double bytes = 1.25 * images * an_atom;
  return bytes < 1e18 ? (uint64_t)bytes : SIZE_MAX;
}

DebyeStatusCode
debye_cutoff_bins_init(DebyeCutoffBins *bins, const DebyePotentialSettings *settings, double cutoff,
                       const size_t block[3], bool exact, DebyeStatus *status)
{
  size_t n = settings->max_charges > 0 ? settings->max_charges : 1;
  *bins = (DebyeCutoffBins){
      .grid = debye_turned_grid(&settings->grid),
      .block = {block[0], block[1], block[2]},
      .wanted_edge = settings->bin_size,
      .exact = exact,
      .periodic = settings->periodic,
      .max_charges = settings->max_charges,
      .map.cutoff = cutoff,
      .images = calloc(1, sizeof *bins->images),
  };
  bool good = bins->images != NULL;
  if (good) {
    bins->images->n_of_atom = calloc(n, sizeof(uint32_t));
    bins->images->first_of_chunk = calloc(chunk_count(n) + 1, sizeof(size_t));
    bins->images->box_of_chunk = calloc(chunk_count(n), sizeof(DebyeBinBox));
    good = bins->images->n_of_atom != NULL && bins->images->first_of_chunk != NULL &&
           bins->images->box_of_chunk != NULL;
  }
  if (!good) {
    debye_cutoff_bins_clear(bins);
    return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the bins of %zu atoms.",
                            settings->max_charges);
  }
  return debye_status_ok(status);
}

void
debye_cutoff_bins_clear(DebyeCutoffBins *bins)
{
  if (bins->images != NULL) {
    free(bins->images->image);
    free(bins->images->first_of_chunk);
    free(bins->images->box_of_chunk);
    free(bins->images->n_of_atom);
  }
  free(bins->images);
  free(bins->atoms);
  free(bins->exact_atoms);
  free(bins->start);
  free(bins->offset);
  *bins = (DebyeCutoffBins){0};
}
