/* SPDX-License-Identifier: MIT */
/* Atoms into bins, in three passes: the images that a map can see are counted, written down, and sorted. */
#include "cutoff_bins.h"

#include <stdlib.h>
#include <string.h>

/* Atoms of a chunk of a pass. */
#define CHUNK_ATOMS 16384
/* Of the atoms, how many may be left to the host where the capacity is chosen: so few that a processor of two
 * cores is done with them before the GPU is with the others. */
#define OVERFLOW_FRACTION 0.002
#define COUNTED_CAPACITY 4096
/* Beyond that an index no longer fits, and nobody means it. */
#define MOST_IMAGES 4e9
#define NO_BIN UINT32_MAX

/* An image before it is sorted. */
typedef struct {
  double x, y, z;
  float charge;
  uint32_t bin;
} Image;

struct DebyeBinImages {
  Image *image;
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
  DebyeCellImages lattice;
  Region region;
  /* Cells that the region reaches into, in fractional coordinates. */
  double first_cell[3], last_cell[3];
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

static bool
region_contains(const Region *region, DebyeVec3 p)
{
  for (int i = 0; i < 3; i++) {
    double u = debye_vec3_dot(region->gradient[i], p);
    if (!(u >= region->low[i] && u <= region->high[i]))
      return false;
  }
  return true;
}

static double
region_volume(const Region *region)
{
  double volume = 1.0;
  for (int i = 0; i < 3; i++)
    volume *= region->high[i] - region->low[i];
  return volume / fabs(region->gradient[0].x * region->gradient[1].y * region->gradient[2].z);
}

/* Which cells an atom's images may have to be put into. */
static void
find_cells(Pass *pass)
{
  for (int i = 0; i < 3; i++) {
    pass->first_cell[i] = INFINITY;
    pass->last_cell[i] = -INFINITY;
    for (int corner = 0; corner < 8; corner++) {
      double fraction = debye_vec3_dot(pass->lattice.reciprocal[i], pass->region.corner[corner]);
      pass->first_cell[i] = fmin(pass->first_cell[i], fraction);
      pass->last_cell[i] = fmax(pass->last_cell[i], fraction);
    }
  }
}

static DebyeVec3
atom_position(const Pass *pass, size_t atom)
{
  const DebyeTurnedGrid *grid = &pass->bins->grid;
  const DebyeCharges *charges = pass->charges;
  DebyeVec3 point = debye_vec3((double)charges->x[atom], (double)charges->y[atom], (double)charges->z[atom]);
  DebyeVec3 from_origin = debye_vec3_subtract(point, grid->origin);
  return debye_vec3(debye_vec3_dot(from_origin, grid->axis[0]), debye_vec3_dot(from_origin, grid->axis[1]),
                    debye_vec3_dot(from_origin, grid->axis[2]));
}

/* Writes the images of an atom where `image` is not NULL; returns how many there are. */
static size_t
find_images(const Pass *pass, size_t atom, Image *image)
{
  const DebyeCellImages *lattice = &pass->lattice;
  DebyeVec3 home = atom_position(pass, atom);
  double first[3] = {0.0}, last[3] = {0.0};
  size_t n = 0;
  for (int i = 0; pass->has_cell && i < 3; i++) {
    if (!lattice->periodic[i])
      continue;
    double fraction = debye_vec3_dot(lattice->reciprocal[i], home);
    first[i] = ceil(pass->first_cell[i] - fraction - 1e-9);
    last[i] = floor(pass->last_cell[i] - fraction + 1e-9);
  }
  for (double c = first[2]; c <= last[2]; c++)
    for (double b = first[1]; b <= last[1]; b++)
      for (double a = first[0]; a <= last[0]; a++) {
        DebyeVec3 p = home;
        if (pass->has_cell) {
          p = debye_vec3_add(p, debye_vec3_scale(lattice->edge[0], a));
          p = debye_vec3_add(p, debye_vec3_scale(lattice->edge[1], b));
          p = debye_vec3_add(p, debye_vec3_scale(lattice->edge[2], c));
        }
        if (!region_contains(&pass->region, p))
          continue;
        if (image != NULL)
          image[n] = (Image){p.x, p.y, p.z, pass->charges->charge[atom], NO_BIN};
        n++;
      }
  return n;
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
  size_t n_chunks = (pass->charges->n + CHUNK_ATOMS - 1) / CHUNK_ATOMS;
  if (pass->has_cell) {
    const DebyeCell cell = {pass->lattice.edge[0], pass->lattice.edge[1], pass->lattice.edge[2]};
    double expected = region_volume(&pass->region) / fabs(debye_cell_volume(&cell));
    /* Along axes that are not periodic there is one cell, not so many as its made-up edge says. */
    if (bins->periodic == DEBYE_PERIODIC_ALL && expected * (double)pass->charges->n > MOST_IMAGES)
      return no_memory(expected * (double)pass->charges->n, status);
    double cells = 1.0;
    for (int i = 0; i < 3; i++)
      if (pass->lattice.periodic[i])
        cells *= pass->last_cell[i] - pass->first_cell[i] + 1.0;
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

/* A box around the images, cut into bins; so many at most that their number doesn't matter beside the
 * atoms'. */
static void
lay_out_bins(DebyeCutoffBins *bins)
{
  const struct DebyeBinImages *images = bins->images;
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < bins->n_atoms; i++) {
    const double p[3] = {images->image[i].x, images->image[i].y, images->image[i].z};
    for (int axis = 0; axis < 3; axis++) {
      low[axis] = fmin(low[axis], p[axis]);
      high[axis] = fmax(high[axis], p[axis]);
    }
  }
  const double most = 262144.0 + 8.0 * (double)bins->n_atoms;
  double edge = bins->wanted_edge, n_bins = INFINITY;
  for (; n_bins > most; edge *= n_bins > most ? 1.25 : 1.0) {
    n_bins = 1.0;
    for (int axis = 0; axis < 3; axis++) {
      double extent = bins->n_atoms > 0 ? high[axis] - low[axis] : 0.0;
      double n = floor(extent / edge) + 1.0;
      bins->map.corner[axis] = bins->n_atoms > 0 ? low[axis] : 0.0;
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

static uint32_t
bin_of(const DebyeBinMap *map, const Image *image)
{
  const double p[3] = {image->x, image->y, image->z};
  long at[3];
  for (int axis = 0; axis < 3; axis++) {
    at[axis] = (long)((p[axis] - map->corner[axis]) / map->edge[axis]);
    at[axis] = at[axis] < map->shape[axis] ? at[axis] : map->shape[axis] - 1;
  }
  return (uint32_t)(at[0] + map->shape[0] * (at[1] + map->shape[1] * at[2]));
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

/* The smallest capacity, from what was asked for on, that leaves few enough atoms over. */
static unsigned
choose_capacity(const DebyeCutoffBins *bins)
{
  size_t with_count[COUNTED_CAPACITY + 1] = {0}, over = 0, above = 0, most = 0;
  if (bins->wanted_capacity > 0)
    return bins->wanted_capacity;
  for (size_t bin = 0; bin < bins->n_bins; bin++) {
    size_t n = bins->start[bin];
    most = n > most ? n : most;
    with_count[n < COUNTED_CAPACITY ? n : COUNTED_CAPACITY]++;
    over += n > COUNTED_CAPACITY ? n - COUNTED_CAPACITY : 0;
  }
  /* A bin that holds so much that the others don't matter is the GPU's, whole: its few blocks take long, but
   * the host would take longer. */
  if ((double)over > OVERFLOW_FRACTION * (double)bins->n_atoms)
    return (unsigned)most;
  unsigned capacity = COUNTED_CAPACITY;
  for (; capacity > DEBYE_BIN_CAPACITY; capacity--) {
    above += with_count[capacity];
    if ((double)(over + above) > OVERFLOW_FRACTION * (double)bins->n_atoms)
      break;
    over += above;
  }
  return capacity;
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
  bins->capacity = choose_capacity(bins);
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
  bins->n_atoms = bins->n_overflow = 0;
  if (check_charges(bins, charges, status) != DEBYE_STATUS_OK ||
      debye_cell_images_set(&pass.lattice, &bins->grid, bins->periodic, cell, status) != DEBYE_STATUS_OK)
    return DEBYE_STATUS_INVALID;
  pass.region = region_of(&bins->grid, bins->map.cutoff);
  find_cells(&pass);
  DebyeStatusCode code = gather_images(&pass, runner, status);
  if (code != DEBYE_STATUS_OK)
    return code;
  lay_out_bins(bins);
  bins->unit = choose_unit(bins);
  if (!reserve_bins(bins))
    return no_memory((double)bins->n_atoms, status);
  size_t n_images = bins->n_atoms;
  memset(bins->start, 0, (bins->n_bins + 1) * sizeof *bins->start);
  for (size_t i = 0; i < n_images; i++)
    bins->start[bins->images->image[i].bin = bin_of(&bins->map, &bins->images->image[i])]++;
  if (bins->limited)
    apply_capacity(bins, charges);
  bins->n_atoms = sum_counts(bins->start, bins->n_bins);
  sort_images(bins, n_images);
  bins->map.start = bins->start;
  return debye_status_ok(status);
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
      .wanted_edge = settings->bin_size > 0.0 ? settings->bin_size : DEBYE_BIN_SIZE,
      .wanted_capacity = settings->bin_capacity,
      .limited = limited,
      .exact = exact,
      .periodic = settings->periodic,
      .max_charges = settings->max_charges,
      .map.cutoff = cutoff,
      .images = calloc(1, sizeof *bins->images),
  };
  bool good = bins->images != NULL;
  if (good) {
    bins->images->n_of_atom = calloc(n, sizeof(uint32_t));
    bins->images->first_of_chunk = calloc(n / CHUNK_ATOMS + 2, sizeof(size_t));
    good = bins->images->n_of_atom != NULL && bins->images->first_of_chunk != NULL;
  }
  for (int i = 0; good && limited && i < 4; i++)
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
