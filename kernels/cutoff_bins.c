/* SPDX-License-Identifier: MIT */
/* Atoms into bins, in three passes: the images that a map can see are counted, written down, and sorted. */
#include "cutoff_bins.h"

#include <stdlib.h>
#include <string.h>

/* Atoms of a chunk of a pass. */
#define CHUNK_ATOMS 8192
/* In a bin of water of the usual size. */
#define USUAL_ATOMS 6.4
/* Beyond that an index no longer fits, and nobody means it. */
#define MOST_IMAGES 4e9
#define NO_BIN UINT32_MAX

/* An image before it is sorted. */
typedef struct {
  double x, y, z;
  float charge;
  uint32_t bin;
} Image;

/* A box around images. */
typedef struct {
  double low[3], high[3];
} Box;

struct DebyeBinImages {
  Image *image;
  Box *box_of_chunk;
  size_t *first_of_chunk; /* images before each chunk of atoms */
  uint32_t *n_of_atom;
  size_t allocated, allocated_atoms, allocated_exact, allocated_bins, allocated_offsets;
};

/* The volume that the map can see: fractional coordinates of the grid from low to high, and its corners. */
typedef struct {
  DebyeVec3 gradient[3]; /* of the grid's index along each axis */
  double low[3], high[3];
  DebyeVec3 corner[8];
} Region;

typedef struct {
  DebyeCutoffBins *bins;
  const DebyeCharges *charges;
  Region region;
  DebyeBinFrame frame;
  bool has_cell;
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
  if (settings->max_charges >= MOST_IMAGES)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu charges are more than can be summed.",
                            settings->max_charges);
  return debye_status_ok(status);
}

double
debye_cutoff_block_extent(const DebyeCutoffBins *bins)
{
  const DebyeTurnedGrid *grid = &bins->grid;
  return (double)bins->block[0] * fabs(grid->step_x) +
         (double)bins->block[1] * (fabs(grid->row_x) + fabs(grid->row_y)) +
         (double)bins->block[2] * (fabs(grid->plane_x) + fabs(grid->plane_y) + fabs(grid->plane_z));
}

/* A grid's index along each axis as a linear function of the place; an axis of one point needs no step. */
static void
index_gradients(const DebyeTurnedGrid *grid, DebyeVec3 gradient[3])
{
  const size_t *shape = grid->shape;
  const double sx = shape[0] > 1 ? grid->step_x : 1.0;
  const double rx = shape[1] > 1 ? grid->row_x : 0.0, ry = shape[1] > 1 ? grid->row_y : 1.0;
  const double px = shape[2] > 1 ? grid->plane_x : 0.0, py = shape[2] > 1 ? grid->plane_y : 0.0;
  const double pz = shape[2] > 1 ? grid->plane_z : 1.0;
  gradient[0] = debye_vec3(1.0 / sx, -rx / (sx * ry), (rx * py / ry - px) / (sx * pz));
  gradient[1] = debye_vec3(0.0, 1.0 / ry, -py / (ry * pz));
  gradient[2] = debye_vec3(0.0, 0.0, 1.0 / pz);
}

static Region
region_of(const DebyeTurnedGrid *grid, double cutoff)
{
  Region region;
  index_gradients(grid, region.gradient);
  for (int i = 0; i < 3; i++) {
    double margin = cutoff * debye_vec3_length(region.gradient[i]) * (1.0 + 1e-9) + 1e-9;
    region.low[i] = -margin;
    region.high[i] = (double)(grid->shape[i] - 1) + margin;
  }
  /* The corners from the indices: the gradients are the rows of a triangular matrix. */
  const DebyeVec3 *g = region.gradient;
  for (int corner = 0; corner < 8; corner++) {
    double u[3];
    for (int i = 0; i < 3; i++)
      u[i] = corner >> i & 1 ? region.high[i] : region.low[i];
    double z = u[2] / g[2].z, y = (u[1] - g[1].z * z) / g[1].y;
    region.corner[corner] = debye_vec3((u[0] - g[0].y * y - g[0].z * z) / g[0].x, y, z);
  }
  return region;
}

static double
region_volume(const Region *region)
{
  double volume = 1.0;
  for (int i = 0; i < 3; i++)
    volume *= region->high[i] - region->low[i];
  return volume / fabs(region->gradient[0].x * region->gradient[1].y * region->gradient[2].z);
}

/* What finds images: the frame's lattice is set. */
static void
fill_frame(const DebyeCutoffBins *bins, const Region *region, DebyeBinFrame *frame)
{
  frame->origin = bins->grid.origin;
  for (int i = 0; i < 3; i++) {
    frame->axis[i] = bins->grid.axis[i];
    frame->gradient[i] = region->gradient[i];
    frame->low[i] = region->low[i];
    frame->high[i] = region->high[i];
    frame->first_cell[i] = INFINITY;
    frame->last_cell[i] = -INFINITY;
    for (int corner = 0; corner < 8; corner++) {
      double fraction = debye_vec3_dot(frame->lattice.reciprocal[i], region->corner[corner]);
      frame->first_cell[i] = fmin(frame->first_cell[i], fraction);
      frame->last_cell[i] = fmax(frame->last_cell[i], fraction);
    }
  }
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
          image[n] = (Image){p.x, p.y, p.z, charges->charge[atom], NO_BIN};
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

static const Box empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void
extend_box(Box *box, double x, double y, double z)
{
  const double p[3] = {x, y, z};
  for (int axis = 0; axis < 3; axis++) {
    box->low[axis] = p[axis] < box->low[axis] ? p[axis] : box->low[axis];
    box->high[axis] = p[axis] > box->high[axis] ? p[axis] : box->high[axis];
  }
}

static void
write_chunk(void *context, size_t chunk)
{
  const Pass *pass = context;
  const struct DebyeBinImages *images = pass->bins->images;
  size_t end = chunk_end(pass, chunk), at = images->first_of_chunk[chunk];
  for (size_t atom = chunk * CHUNK_ATOMS; atom < end; atom++)
    at += find_images(pass, atom, images->image + at);
  Box box = empty_box;
  for (size_t i = images->first_of_chunk[chunk]; i < at; i++)
    extend_box(&box, images->image[i].x, images->image[i].y, images->image[i].z);
  images->box_of_chunk[chunk] = box;
}

static void
run_chunks(const DebyeChunkRunner *runner, size_t n_chunks, void (*function)(void *, size_t), void *context)
{
  if (runner != NULL)
    runner->run(runner->runner, n_chunks, function, context);
  else
    for (size_t chunk = 0; chunk < n_chunks; chunk++)
      function(context, chunk);
}

static DebyeStatusCode
check_charges(const DebyeCutoffBins *bins, const DebyeCharges *charges, DebyeStatus *status)
{
  if (charges->n > bins->max_charges)
    return debye_status_set(status, DEBYE_STATUS_INVALID, "%zu charges were given, planned were at most %zu.",
                            charges->n, bins->max_charges);
  for (size_t i = 0; i < charges->n; i++) {
    float x = charges->x[i], y = charges->y[i], z = charges->z[i], limit = (float)DEBYE_DIRECT_FARTHEST;
    if (!(fabsf(x) < limit && fabsf(y) < limit && fabsf(z) < limit) || !isfinite(charges->charge[i]))
      return debye_status_set(status, DEBYE_STATUS_INVALID,
                              "Atom %zu can't be summed: position (%g, %g, %g) Å, charge %g e.", i + 1,
                              (double)x, (double)y, (double)z, (double)charges->charge[i]);
  }
  return debye_status_ok(status);
}

/* Makes room for `n` elements where there is less: a quarter more than asked, since frames differ. */
static bool
reserve(void *array, size_t *allocated, size_t n, size_t size)
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

static DebyeStatusCode
no_memory(double n_atoms, DebyeStatus *status)
{
  return debye_status_set(status, DEBYE_STATUS_NO_MEMORY,
                          "There is no memory for the %.3g atoms and images that the map sees within the "
                          "cutoff.",
                          n_atoms);
}

/* Images of all atoms into images->image; bins->n_atoms says how many. */
static DebyeStatusCode
gather_images(Pass *pass, const DebyeChunkRunner *runner, DebyeStatus *status)
{
  DebyeCutoffBins *bins = pass->bins;
  struct DebyeBinImages *images = bins->images;
  const size_t n_chunks = chunk_count(pass->charges->n);
  if (pass->has_cell) {
    const DebyeCell cell = {pass->frame.lattice.edge[0], pass->frame.lattice.edge[1],
                            pass->frame.lattice.edge[2]};
    double expected = region_volume(&pass->region) / fabs(debye_cell_volume(&cell));
    /* Along axes that are not periodic there is one cell, not so many as its made-up edge says. */
    if (bins->periodic == DEBYE_PERIODIC_ALL && expected * (double)pass->charges->n > MOST_IMAGES)
      return no_memory(expected * (double)pass->charges->n, status);
    double cells = 1.0;
    for (int i = 0; i < 3; i++)
      if (pass->frame.lattice.periodic[i])
        cells *= pass->frame.last_cell[i] - pass->frame.first_cell[i] + 1.0;
    if (cells > MOST_IMAGES || cells * (double)pass->charges->n > 1e3 * MOST_IMAGES)
      return no_memory(cells * (double)pass->charges->n, status);
  }
  images->first_of_chunk[0] = 0;
  run_chunks(runner, n_chunks, count_chunk, pass);
  for (size_t chunk = 0; chunk < n_chunks; chunk++)
    images->first_of_chunk[chunk + 1] += images->first_of_chunk[chunk];
  bins->n_atoms = images->first_of_chunk[n_chunks];
  if ((double)bins->n_atoms > MOST_IMAGES ||
      !reserve(&images->image, &images->allocated, bins->n_atoms, sizeof(Image)))
    return no_memory((double)bins->n_atoms, status);
  run_chunks(runner, n_chunks, write_chunk, pass);
  return debye_status_ok(status);
}

/* Where atoms are far apart bins are wider, up to the cutoff: to look at an empty one costs as much as at an
 * atom. */
static double
choose_edge(const DebyeCutoffBins *bins, const Box *box)
{
  if (bins->wanted_edge > 0.0)
    return bins->wanted_edge;
  double volume = 1.0;
  for (int axis = 0; axis < 3; axis++)
    volume *= fmax(box->high[axis] - box->low[axis], DEBYE_BIN_SIZE);
  double edge = cbrt(volume * USUAL_ATOMS / (double)(bins->n_atoms > 0 ? bins->n_atoms : 1));
  return fmax(fmin(edge, bins->map.cutoff), DEBYE_BIN_SIZE);
}

static Box
box_of_images(const DebyeCutoffBins *bins, size_t n_chunks)
{
  Box box = empty_box;
  for (size_t chunk = 0; chunk < n_chunks; chunk++) {
    const Box *part = &bins->images->box_of_chunk[chunk];
    extend_box(&box, part->low[0], part->low[1], part->low[2]);
    extend_box(&box, part->high[0], part->high[1], part->high[2]);
  }
  return box;
}

/* A box around the images, cut into bins; so many at most that their number doesn't matter beside the
 * atoms'. */
static void
lay_out_bins(DebyeCutoffBins *bins, const Box *box)
{
  const double most = 262144.0 + 8.0 * (double)bins->n_atoms;
  double edge = choose_edge(bins, box), n_bins = INFINITY;
  for (; n_bins > most; edge *= n_bins > most ? 1.25 : 1.0) {
    n_bins = 1.0;
    for (int axis = 0; axis < 3; axis++) {
      double extent = bins->n_atoms > 0 ? box->high[axis] - box->low[axis] : 0.0;
      double n = floor(extent / edge) + 1.0;
      bins->map.corner[axis] = bins->n_atoms > 0 ? box->low[axis] : 0.0;
      bins->map.edge[axis] = edge;
      bins->map.shape[axis] = (long)fmin(n, 1e9);
      n_bins *= n;
    }
  }
  bins->n_bins = (size_t)n_bins;
}

/* The unit of positions: of what is in the bins that a block looks at nothing may wrap around. */
static double
choose_unit(const DebyeCutoffBins *bins)
{
  double span = 4.0 * (debye_cutoff_block_extent(bins) + bins->map.cutoff + bins->map.edge[0]);
  return exp2(ceil(log2(span)) - 31.0);
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

/* Rows that some block whose lowest corner is in bin (0, 0) can see, wherever in the bin it is. */
static bool
list_offsets(DebyeCutoffBins *bins)
{
  const DebyeTurnedGrid *grid = &bins->grid;
  DebyeBinMap *map = &bins->map;
  const double dj = (double)(bins->block[1] - 1), dk = (double)(bins->block[2] - 1);
  const double extent_y = dj * fabs(grid->row_y) + dk * fabs(grid->plane_y),
               extent_z = dk * fabs(grid->plane_z);
  const long below_y = (long)ceil(map->cutoff / map->edge[1]),
             below_z = (long)ceil(map->cutoff / map->edge[2]);
  const long above_y = (long)ceil((map->cutoff + extent_y) / map->edge[1]);
  const long above_z = (long)ceil((map->cutoff + extent_z) / map->edge[2]);
  size_t most = (size_t)(below_y + above_y + 1) * (size_t)(below_z + above_z + 1);
  if (!reserve(&bins->offset, &bins->images->allocated_offsets, most, sizeof *bins->offset))
    return false;
  map->n_offsets = 0;
  for (long z = -below_z; z <= above_z; z++)
    for (long y = -below_y; y <= above_y; y++) {
      double gap_y = debye_interval_gap((double)y * map->edge[1], (double)(y + 1) * map->edge[1], 0.0,
                                        map->edge[1] + extent_y);
      double gap_z = debye_interval_gap((double)z * map->edge[2], (double)(z + 1) * map->edge[2], 0.0,
                                        map->edge[2] + extent_z);
      if (gap_y * gap_y + gap_z * gap_z <= map->cutoff * map->cutoff)
        bins->offset[map->n_offsets++] = (DebyeBinOffset){(int)y, (int)z};
    }
  map->offset = bins->offset;
  return true;
}

static void
add_overflow(DebyeCutoffBins *bins, const DebyeCharges *charges, size_t atom)
{
  size_t at = bins->n_overflow++;
  bins->overflow[0][at] = charges->x[atom];
  bins->overflow[1][at] = charges->y[atom];
  bins->overflow[2][at] = charges->z[atom];
  bins->overflow[3][at] = charges->charge[atom];
}

/* Takes the atoms one of whose images finds its bin full out of the bins, with all their images: what the
 * host then adds is the atom as it was given. */
static void
apply_capacity(DebyeCutoffBins *bins, const DebyeCharges *charges)
{
  struct DebyeBinImages *images = bins->images;
  memset(bins->start, 0, (bins->n_bins + 1) * sizeof *bins->start);
  Image *image = images->image;
  for (size_t atom = 0; atom < charges->n; atom++) {
    uint32_t n = images->n_of_atom[atom], fits = 0;
    while (fits < n && bins->start[image[fits].bin] < bins->capacity)
      bins->start[image[fits++].bin]++;
    if (fits < n) {
      for (uint32_t i = 0; i < fits; i++)
        bins->start[image[i].bin]--;
      for (uint32_t i = 0; i < n; i++)
        image[i].bin = NO_BIN;
      add_overflow(bins, charges, atom);
    }
    image += n;
  }
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
    if (image->bin == NO_BIN)
      continue;
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
  return reserve(&bins->start, &images->allocated_bins, bins->n_bins + 1, sizeof *bins->start) &&
         reserve(&bins->atoms, &images->allocated_atoms, bins->n_atoms, sizeof *bins->atoms) &&
         (!bins->exact ||
          reserve(&bins->exact_atoms, &images->allocated_exact, bins->n_atoms, sizeof *bins->exact_atoms)) &&
         list_offsets(bins);
}

DebyeStatusCode
debye_cutoff_bins_set(DebyeCutoffBins *bins, const DebyeCharges *charges, const DebyeCell *cell,
                      const DebyeChunkRunner *runner, DebyeStatus *status)
{
  Pass pass = {.bins = bins, .charges = charges, .has_cell = bins->periodic != DEBYE_PERIODIC_NONE};
  const size_t n_chunks = chunk_count(charges->n);
  bins->n_atoms = bins->n_overflow = 0;
  if (check_charges(bins, charges, status) != DEBYE_STATUS_OK ||
      debye_cell_images_set(&pass.frame.lattice, &bins->grid, bins->periodic, cell, status) !=
          DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  pass.region = region_of(&bins->grid, bins->map.cutoff);
  fill_frame(bins, &pass.region, &pass.frame);
  DebyeStatusCode code = gather_images(&pass, runner, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  const Box box = box_of_images(bins, n_chunks);
  lay_out_bins(bins, &box);
  bins->unit = choose_unit(bins);
  if (!reserve_bins(bins))
    return no_memory((double)bins->n_atoms, status);
  const size_t n_images = bins->n_atoms;
  run_chunks(runner, n_chunks, place_chunk, &pass);
  memset(bins->start, 0, (bins->n_bins + 1) * sizeof *bins->start);
  for (size_t i = 0; i < n_images; i++)
    bins->start[bins->images->image[i].bin]++;
  if (bins->capacity > 0)
    apply_capacity(bins, charges);
  bins->n_atoms = sum_counts(bins->start, bins->n_bins);
  sort_images(bins, n_images);
  bins->map.start = bins->start;
  return debye_status_ok(status);
}

DebyeStatusCode
debye_cutoff_bins_set_empty(DebyeCutoffBins *bins, const DebyeCell *cell, size_t n_charges,
                            DebyeBinFrame *frame, DebyeStatus *status)
{
  if (debye_cell_images_set(&frame->lattice, &bins->grid, bins->periodic, cell, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  const Region region = region_of(&bins->grid, bins->map.cutoff);
  const double images = (double)n_charges * fmax(1.0, region_volume(&region) / fabs(debye_cell_volume(cell)));
  if (images > MOST_IMAGES)
    return no_memory(images, status);
  fill_frame(bins, &region, frame);
  Box box = empty_box;
  for (int i = 0; i < 8; i++)
    extend_box(&box, region.corner[i].x, region.corner[i].y, region.corner[i].z);
  bins->n_atoms = (size_t)images;
  lay_out_bins(bins, &box);
  bins->unit = choose_unit(bins);
  return list_offsets(bins) ? debye_status_ok(status) : no_memory(images, status);
}

uint64_t
debye_cutoff_bins_bytes(const DebyePotentialSettings *settings, double cutoff)
{
  const DebyeTurnedGrid grid = debye_turned_grid(&settings->grid);
  const Region region = region_of(&grid, cutoff);
  double images = (double)settings->max_charges;
  if (settings->periodic == DEBYE_PERIODIC_ALL && debye_cell_is_valid(&settings->cell))
    images *= fmax(1.0, region_volume(&region) / fabs(debye_cell_volume(&settings->cell)));
  double an_atom = sizeof(Image) + sizeof(DebyeBinnedAtom) + 5.0 * sizeof(float) +
                   (settings->double_precision ? sizeof(DebyeBinnedExactAtom) : 0.0);
  double bytes = 1.25 * images * an_atom;
  return bytes < 1e18 ? (uint64_t)bytes : SIZE_MAX;
}

DebyeStatusCode
debye_cutoff_bins_init(DebyeCutoffBins *bins, const DebyePotentialSettings *settings, double cutoff,
                       const size_t block[3], bool limited, bool exact, DebyeStatus *status)
{
  size_t n = settings->max_charges > 0 ? settings->max_charges : 1;
  *bins = (DebyeCutoffBins){
      .grid = debye_turned_grid(&settings->grid),
      .block = {block[0], block[1], block[2]},
      .wanted_edge = settings->bin_size,
      .capacity = limited ? settings->bin_capacity : 0,
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
    bins->images->box_of_chunk = calloc(chunk_count(n), sizeof(Box));
    good = bins->images->n_of_atom != NULL && bins->images->first_of_chunk != NULL &&
           bins->images->box_of_chunk != NULL;
  }
  for (int i = 0; good && bins->capacity > 0 && i < 4; i++)
    good = (bins->overflow[i] = calloc(n, sizeof(float))) != NULL;
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
  for (int i = 0; i < 4; i++)
    free(bins->overflow[i]);
  *bins = (DebyeCutoffBins){0};
}
