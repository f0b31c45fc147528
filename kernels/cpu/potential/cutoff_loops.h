/* SPDX-License-Identifier: MIT */
/* The loops of cutoff_block.h for vectors of any length, of each instruction set's cutoff_block_*.c, which
 * defines before LANES, ROWS (at a time), UNROLL, Vector, VectorMask and
 *
 *   vector_load(float *), vector_set(float), vector_max(v, v), vector_term(r2, q) for q/√r2,
 *   vector_below(v, v) giving a VectorMask, vector_keep(mask, v) with 0 elsewhere, vector_bits(mask). */

#define INLINE static inline __attribute__((always_inline))

/* Σ coefficient·vⁿ. */
INLINE Vector
polynomial(const DebyePairFloats *pair, Vector v, const int n)
{
  Vector b = vector_set(pair->coefficient[n - 1]);
  for (int i = n - 2; i >= 0; i--)
    b = b * v + vector_set(pair->coefficient[i]);
  return b;
}

/* q·f where the pair is within the cutoff, 0 elsewhere; `clamped` is r2 or the core's. */
INLINE Vector
pair_value(const DebyePairFloats *pair, Vector r2, Vector clamped, Vector charge, const DebyePairForm form)
{
  Vector term = vector_term(clamped, charge);
  if (form == DEBYE_PAIR_SCREENED || form == DEBYE_PAIR_ANY) {
    /* Nothing but 0 beyond the cutoff, without a comparison. */
    Vector t = vector_max(vector_set(1.0f) - clamped, vector_set(0.0f));
    if (form == DEBYE_PAIR_SCREENED)
      return term * (t * t);
    term = term * (vector_set(pair->screened) * (t * t - vector_set(1.0f)) + vector_set(1.0f));
  }
  if (form != DEBYE_PAIR_STEP) {
    const int n = form == DEBYE_PAIR_EVEN_4    ? 4
                  : form == DEBYE_PAIR_EVEN_8  ? 8
                  : form == DEBYE_PAIR_EVEN_12 ? 12
                                               : 16;
    term = term - charge * polynomial(pair, r2 - vector_set(0.5f), n);
  }
  return vector_keep(vector_below(r2, vector_set(pair->edge_low)), term);
}

INLINE void
list_edge_pairs(const DebyePairFloats *pair, Vector r2, size_t atom, size_t row, int first,
                DebyeCutoffTile *tile)
{
  VectorMask not_above = vector_below(r2, vector_set(pair->edge_high));
  uint32_t points = vector_bits(not_above) & ~vector_bits(vector_below(r2, vector_set(pair->edge_low)));
  if (__builtin_expect(points != 0, 0))
    tile->edge_pair[tile->n_edge_pairs++] = (DebyeEdgePair){(uint16_t)atom, (uint16_t)row, points << first};
}

/* ROWS rows at a time, LANES points at a time. `careful`: a point may be in an atom's core, or the rows are
 * shifted against each other. */
INLINE void
add_strip(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile, size_t column, const uint32_t *list, size_t n,
          const size_t first_row, const int first, const DebyePairForm form, const bool careful,
          float (*sum)[DEBYE_CUTOFF_POINTS])
{
  const DebyePairFloats *pair = &frame->pair;
  const bool steps = form == DEBYE_PAIR_STEP || form == DEBYE_PAIR_ANY;
  const Vector x = vector_load(frame->point_x[column] + first), y = vector_load(frame->point_y + first),
               z = vector_load(frame->point_z + first);
  Vector part[ROWS];
  for (size_t row = 0; row < ROWS; row++)
    part[row] = vector_set(0.0f);
  for (size_t i = 0; i < n; i++) {
    const size_t atom = list[i];
    const Vector dx = vector_set(tile->x[atom]) - x, dz = vector_set(tile->z[atom]) - z;
    const Vector charge = vector_set(tile->charge[atom]), dz2 = dz * dz, across = dx * dx + dz2;
    const Vector dy = vector_set(tile->y[atom]) - y;
    UNROLL
    for (size_t row = 0; row < ROWS; row++) {
      const size_t at = first_row + row;
      Vector r2, clamped;
      if (careful) {
        const Vector ex = dx - vector_set((float)at * frame->shift_x), ey = dy - vector_set(frame->row_y[at]);
        r2 = ex * ex + ey * ey + dz2;
        clamped = vector_max(r2, vector_set(pair->core2));
      } else {
        clamped = r2 = across + vector_set(tile->s[atom][at]);
      }
      if (steps)
        list_edge_pairs(pair, r2, atom, at, first, tile);
      part[row] = part[row] + pair_value(pair, r2, clamped, charge, form);
    }
  }
  for (size_t row = 0; row < ROWS; row++)
    for (int i = 0; i < LANES; i++)
      sum[first_row + row][first + i] += part[row][i];
}

INLINE void
add_form(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile, size_t column, const uint32_t *list, size_t n,
         const DebyePairForm form, bool careful, float (*sum)[DEBYE_CUTOFF_POINTS])
{
  for (size_t row = 0; row < DEBYE_CUTOFF_ROWS; row += ROWS)
    for (int first = 0; first < DEBYE_CUTOFF_POINTS; first += LANES) {
      if (careful)
        add_strip(frame, tile, column, list, n, row, first, form, true, sum);
      else
        add_strip(frame, tile, column, list, n, row, first, form, false, sum);
    }
}

static void
add(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile, size_t column, const uint32_t *list, size_t n,
    bool clamped, float (*sum)[DEBYE_CUTOFF_POINTS])
{
  const bool careful = clamped || frame->sheared;
  switch (frame->form) {
  case DEBYE_PAIR_SCREENED:
    add_form(frame, tile, column, list, n, DEBYE_PAIR_SCREENED, careful, sum);
    break;
  case DEBYE_PAIR_STEP:
    add_form(frame, tile, column, list, n, DEBYE_PAIR_STEP, careful, sum);
    break;
  case DEBYE_PAIR_EVEN_4:
    add_form(frame, tile, column, list, n, DEBYE_PAIR_EVEN_4, careful, sum);
    break;
  case DEBYE_PAIR_EVEN_8:
    add_form(frame, tile, column, list, n, DEBYE_PAIR_EVEN_8, careful, sum);
    break;
  case DEBYE_PAIR_EVEN_12:
    add_form(frame, tile, column, list, n, DEBYE_PAIR_EVEN_12, careful, sum);
    break;
  case DEBYE_PAIR_EVEN_16:
    add_form(frame, tile, column, list, n, DEBYE_PAIR_EVEN_16, careful, sum);
    break;
  default:
    add_form(frame, tile, column, list, n, DEBYE_PAIR_ANY, careful, sum);
    break;
  }
}

/* On its own, because the compiler then does a row a lane. Where rows are shifted, what all points of a row
 * share is only the square of its shift. */
static void
fill_rows(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile)
{
  const float shift2 = frame->shift_x * frame->shift_x + frame->shift_y * frame->shift_y;
  if (frame->sheared) {
    for (size_t atom = 0; atom < tile->n; atom++)
      for (size_t row = 0; row < DEBYE_CUTOFF_ROWS; row++)
        tile->s[atom][row] = (float)(row * row) * shift2;
    return;
  }
  for (size_t atom = 0; atom < tile->n; atom++)
    for (size_t row = 0; row < DEBYE_CUTOFF_ROWS; row++) {
      const float dy = tile->y[atom] - frame->row_y[row];
      tile->s[atom][row] = dy * dy;
    }
}

static void
add_double(const DebyeCutoffDoubleRow *row, double *sum)
{
  double part[DEBYE_CUTOFF_POINTS] = {0.0};
  const DebyePairFunction pair = *row->pair;
  const double cutoff2 = pair.cutoff * pair.cutoff;
  for (size_t atom = 0; atom < row->n_atoms; atom++) {
    const DebyeBinnedExactAtom a = row->atom[atom];
    const double gap_x = debye_interval_gap(a.x, a.x, row->low[0], row->high[0]);
    const double gap_y = debye_interval_gap(a.y, a.y, row->low[1], row->high[1]);
    const double gap_z = debye_interval_gap(a.z, a.z, row->low[2], row->high[2]);
    if (!(gap_x * gap_x + gap_y * gap_y + gap_z * gap_z < cutoff2))
      continue;
    for (int i = 0; i < DEBYE_CUTOFF_POINTS; i++) {
      const double dx = a.x - row->x[i], dy = a.y - row->y[i], dz = a.z - row->z[i];
      const double r2 = dx * dx + dy * dy + dz * dz;
      const double value = a.charge * debye_pair_value(&pair, r2, row->core2);
      part[i] += r2 < cutoff2 ? value : 0.0;
    }
  }
  for (int i = 0; i < DEBYE_CUTOFF_POINTS; i++)
    sum[i] += part[i];
}
