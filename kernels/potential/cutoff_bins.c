/* SPDX-License-Identifier: MIT */
/* Sorts atoms into bins for the cutoff method of both back ends, in three passes: the images that a map can
 * see are counted, written down, and sorted. */
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

static bool
reserve(DebyeRoom *room, uint64_t n, size_t size)
{
  return debye_room_reserve(room, DEBYE_MEMORY_HOST, n, size, &debye_host_memory_source);
}

static void
count_chunk(void *context, size_t chunk)
{
  const Pass *pass = context;
  DebyeCutoffBins *bins = pass->bins;
  size_t sum = 0, end = chunk_end(pass, chunk);
  for (size_t atom = chunk * CHUNK_ATOMS; atom < end; atom++)
    sum += find_images(pass, atom, NULL);
  bins->first_of_chunk[chunk + 1] = sum;
}

static void
write_chunk(void *context, size_t chunk)
{
  const Pass *pass = context;
  const DebyeCutoffBins *bins = pass->bins;
  Image *images = bins->image_room.memory;
  size_t end = chunk_end(pass, chunk), at = bins->first_of_chunk[chunk];
  for (size_t atom = chunk * CHUNK_ATOMS; atom < end; atom++)
    at += find_images(pass, atom, images + at);
  DebyeBinBox box = debye_bin_box_empty;
  for (size_t i = bins->first_of_chunk[chunk]; i < at; i++)
    debye_bin_box_extend(&box, images[i].x, images[i].y, images[i].z);
  bins->box_of_chunk[chunk] = box;
}

/* Images of all atoms into the room of images; bins->n_atoms says how many. */
static DebyeStatusCode
gather_images(Pass *pass, const DebyeChunkRunner *runner, DebyeStatus *status)
{
  DebyeCutoffBins *bins = pass->bins;
  const size_t n_chunks = chunk_count(pass->charges->n);
  bins->first_of_chunk[0] = 0;
  debye_chunks_run(runner, n_chunks, count_chunk, pass);
  for (size_t chunk = 0; chunk < n_chunks; chunk++)
    bins->first_of_chunk[chunk + 1] += bins->first_of_chunk[chunk];
  bins->n_atoms = bins->first_of_chunk[n_chunks];
  if ((double)bins->n_atoms > DEBYE_MAX_BIN_IMAGES ||
      !reserve(&bins->image_room, bins->n_atoms, sizeof(Image)))
    return debye_bins_no_memory((double)bins->n_atoms, status);
  debye_chunks_run(runner, n_chunks, write_chunk, pass);
  return debye_status_ok(status);
}

static DebyeBinBox
box_of_images(const DebyeCutoffBins *bins, size_t n_chunks)
{
  DebyeBinBox box = debye_bin_box_empty;
  for (size_t chunk = 0; chunk < n_chunks; chunk++) {
    const DebyeBinBox *part = &bins->box_of_chunk[chunk];
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
  const DebyeCutoffBins *bins = pass->bins;
  Image *images = bins->image_room.memory;
  for (size_t i = bins->first_of_chunk[chunk]; i < bins->first_of_chunk[chunk + 1]; i++)
    images[i].bin = debye_bin_of(&bins->map, (const double[3]){images[i].x, images[i].y, images[i].z});
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
  const Image *images = bins->image_room.memory;
  for (size_t i = 0; i < n_images; i++) {
    const Image *image = &images[i];
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
  if (!reserve(&bins->start_room, bins->n_bins + 1, sizeof *bins->start) ||
      !reserve(&bins->atom_room, bins->n_atoms, sizeof *bins->atoms) ||
      (bins->exact && !reserve(&bins->exact_room, bins->n_atoms, sizeof *bins->exact_atoms)))
    return false;
  bins->start = bins->start_room.memory;
  bins->atoms = bins->atom_room.memory;
  bins->exact_atoms = bins->exact_room.memory;
  return true;
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
  const Image *images = bins->image_room.memory;
  memset(bins->start, 0, (bins->n_bins + 1) * sizeof *bins->start);
  for (size_t i = 0; i < n_images; i++)
    bins->start[images[i].bin]++;
  bins->n_atoms = sum_counts(bins->start, bins->n_bins);
  sort_images(bins, n_images);
  bins->map.start = bins->start;
  return debye_status_ok(status);
}

/* --- Memory --- */

/* A quarter more than the settings say, since frames differ. */
static uint64_t
count_usual_images(const DebyeCutoffBins *bins, const DebyePotentialSettings *settings)
{
  double images = (double)settings->max_charges;
  if (settings->periodic == DEBYE_PERIODIC_ALL && debye_cell_is_valid(&settings->cell))
    images *= fmax(1.0, debye_bin_region_volume(&bins->grid, bins->map.cutoff) /
                            fabs(debye_cell_volume(&settings->cell)));
  return images < 1e15 ? (uint64_t)(1.25 * images) + 1 : UINT64_MAX;
}

DebyeCutoffBins
debye_cutoff_bins(const DebyePotentialSettings *settings, double cutoff, const size_t block[3], bool exact)
{
  DebyeCutoffBins bins = {
      .grid = debye_turned_grid(&settings->grid),
      .block = {block[0], block[1], block[2]},
      .wanted_edge = settings->bin_size,
      .exact = exact,
      .periodic = settings->periodic,
      .max_charges = settings->max_charges,
      .map.cutoff = cutoff,
  };
  bins.usual_images = count_usual_images(&bins, settings);
  bins.usual_offsets = debye_bin_usual_offsets(&bins);
  return bins;
}

void
debye_cutoff_bins_list_layout(DebyeCutoffBins *bins, DebyePlanMemory *memory)
{
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_HOST, &bins->offset_room, bins->usual_offsets,
                             sizeof *bins->offset);
}

/* There are fewer bins than images, but where these are few. */
void
debye_cutoff_bins_list(DebyeCutoffBins *bins, DebyePlanMemory *memory)
{
  const uint64_t n = bins->usual_images, n_chunks = chunk_count(bins->max_charges);
  debye_cutoff_bins_list_layout(bins, memory);
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_HOST, &bins->image_room, n, sizeof(Image));
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_HOST, &bins->atom_room, n, sizeof *bins->atoms);
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_HOST, &bins->exact_room, bins->exact ? n : 0,
                             sizeof *bins->exact_atoms);
  debye_plan_memory_add_room(memory, DEBYE_MEMORY_HOST, &bins->start_room, n, sizeof *bins->start);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, bins->first_of_chunk, n_chunks + 1);
  DEBYE_PLAN_ARRAY(memory, DEBYE_MEMORY_HOST, bins->box_of_chunk, n_chunks);
}

uint64_t
debye_cutoff_bins_bytes(const DebyePotentialSettings *settings, double cutoff)
{
  DebyeCutoffBins bins =
      debye_cutoff_bins(settings, cutoff, (const size_t[3]){1, 1, 1}, settings->double_precision);
  DebyePlanMemory memory = {0};
  debye_cutoff_bins_list(&bins, &memory);
  return debye_plan_memory_get_bytes(&memory);
}

DebyeStatusCode
debye_cutoff_bins_init(DebyeCutoffBins *bins, const DebyePotentialSettings *settings, double cutoff,
                       const size_t block[3], bool exact, DebyeStatus *status)
{
  DebyePlanMemory memory = {0};
  *bins = debye_cutoff_bins(settings, cutoff, block, exact);
  debye_cutoff_bins_list(bins, &memory);
  if (debye_plan_memory_take(&memory, &debye_host_memory_source))
    return debye_status_ok(status);
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY, "There is no memory for the bins of %zu atoms.",
                          settings->max_charges);
}

void
debye_cutoff_bins_clear(DebyeCutoffBins *bins)
{
  DebyePlanMemory memory = {0};
  debye_cutoff_bins_list(bins, &memory);
  debye_plan_memory_give_back(&memory, &debye_host_memory_source);
  *bins = (DebyeCutoffBins){0};
}
