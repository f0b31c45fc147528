/* SPDX-License-Identifier: MIT */
/* The loops of cutoff_block.h for vectors of any length, included once for each instruction set. Who includes
 * it defines TARGET (the functions' attribute), NAME(function), LANES, Vector, VectorMask and
 *
 *   vector_load(float *), vector_set(float), vector_max(v, v), vector_term(r2, q) for q/√r2,
 *   vector_below(v, v) giving a VectorMask, vector_keep(mask, v) with 0 elsewhere, vector_bits(mask). */

#define INLINE static inline __attribute__((always_inline)) TARGET
#define VECTORS (DEBYE_CUTOFF_WIDTH / LANES)

/* Σ coefficient·vⁿ. */
INLINE Vector
NAME(polynomial)(const DebyePairFloats *pair, Vector v, const int n)
{
  Vector b = vector_set(pair->coefficient[n - 1]);
  for (int i = n - 2; i >= 0; i--)
    b = b * v + vector_set(pair->coefficient[i]);
  return b;
}

/* q·f where the pair is within the cutoff, 0 elsewhere; `clamped` is r2 or the core's. */
INLINE Vector
NAME(pair_value)(const DebyePairFloats *pair, Vector r2, Vector clamped, Vector charge,
                 const DebyePairForm form)
{
  const Vector inverse = vector_set(pair->inverse_cutoff2);
  Vector term = vector_term(clamped, charge);
  if (form == DEBYE_PAIR_SCREENED || form == DEBYE_PAIR_ANY) {
    Vector t = vector_max(vector_set(1.0f) - clamped * inverse, vector_set(0.0f));
    if (form == DEBYE_PAIR_SCREENED)
      return term * (t * t);
    term = term * (vector_set(pair->screened) * (t * t - vector_set(1.0f)) + vector_set(1.0f));
  }
  if (form != DEBYE_PAIR_STEP) {
    const int n = form == DEBYE_PAIR_EVEN_4    ? 4
                  : form == DEBYE_PAIR_EVEN_8  ? 8
                  : form == DEBYE_PAIR_EVEN_12 ? 12
                                               : 16;
    term = term - charge * NAME(polynomial)(pair, r2 * inverse - vector_set(0.5f), n);
  }
  return vector_keep(vector_below(r2, vector_set(pair->edge_low)), term);
}

INLINE void
NAME(list_edge_pairs)(const DebyePairFloats *pair, Vector r2, size_t atom, size_t row, int first,
                      DebyeCutoffTile *tile)
{
  VectorMask not_above = vector_below(r2, vector_set(pair->edge_high));
  uint32_t points = vector_bits(not_above) & ~vector_bits(vector_below(r2, vector_set(pair->edge_low)));
  if (__builtin_expect(points != 0, 0))
    tile->edge_pair[tile->n_edge_pairs++] = (DebyeEdgePair){(uint16_t)atom, (uint16_t)row, points << first};
}

/* ROWS rows at a time, LANES points at a time. */
INLINE void
NAME(add_strip)(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile, const size_t first_row, const int first,
                const DebyePairForm form, const bool careful, float (*sum)[DEBYE_CUTOFF_WIDTH])
{
  const DebyePairFloats *pair = &frame->pair;
  const bool steps = form == DEBYE_PAIR_STEP || form == DEBYE_PAIR_ANY;
  const Vector x = vector_load(frame->point_x + first);
  Vector part[ROWS];
  for (size_t row = 0; row < ROWS; row++)
    part[row] = vector_set(0.0f);
  for (size_t atom = 0; atom < tile->n; atom++) {
    const Vector dx = vector_set(tile->x[atom]) - x, charge = vector_set(tile->charge[atom]);
    const Vector dx2 = dx * dx;
    const float *s = tile->s[atom] + first_row;
    UNROLL
    for (size_t row = 0; row < ROWS; row++) {
      Vector r2 = dx2 + vector_set(s[row]), clamped = r2;
      if (careful) {
        Vector d = dx - vector_set(frame->row_x[first_row + row]);
        r2 = d * d + vector_set(s[row]);
        if (steps)
          NAME(list_edge_pairs)(pair, r2, atom, first_row + row, first, tile);
        clamped = vector_max(r2, vector_set(pair->core2));
      } else if (steps) {
        NAME(list_edge_pairs)(pair, r2, atom, first_row + row, first, tile);
      }
      part[row] = part[row] + NAME(pair_value)(pair, r2, clamped, charge, form);
    }
  }
  for (size_t row = 0; row < ROWS; row++)
    for (int i = 0; i < LANES; i++)
      sum[first_row + row][first + i] += part[row][i];
}

/* What y and z contribute to d², for all rows: on its own, because the compiler then does a row a lane. */
INLINE void
NAME(fill_rows)(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile)
{
  for (size_t atom = 0; atom < tile->n; atom++)
    for (size_t row = 0; row < DEBYE_CUTOFF_ROWS; row++) {
      float dy = tile->y[atom] - frame->row_y[row], dz = tile->z[atom] - frame->row_z[row];
      tile->s[atom][row] = dy * dy + dz * dz;
    }
}

INLINE void
NAME(add_form)(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile, const DebyePairForm form, bool careful,
               float (*sum)[DEBYE_CUTOFF_WIDTH])
{
  for (size_t row = 0; row < DEBYE_CUTOFF_ROWS; row += ROWS)
    for (int first = 0; first < DEBYE_CUTOFF_WIDTH; first += LANES) {
      if (careful)
        NAME(add_strip)(frame, tile, row, first, form, true, sum);
      else
        NAME(add_strip)(frame, tile, row, first, form, false, sum);
    }
}

static TARGET void
NAME(add_float)(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile, bool clamped,
                float (*sum)[DEBYE_CUTOFF_WIDTH])
{
  const bool careful = clamped || frame->sheared;
  NAME(fill_rows)(frame, tile);
  switch (frame->form) {
  case DEBYE_PAIR_SCREENED:
    NAME(add_form)(frame, tile, DEBYE_PAIR_SCREENED, careful, sum);
    break;
  case DEBYE_PAIR_STEP:
    NAME(add_form)(frame, tile, DEBYE_PAIR_STEP, careful, sum);
    break;
  case DEBYE_PAIR_EVEN_4:
    NAME(add_form)(frame, tile, DEBYE_PAIR_EVEN_4, careful, sum);
    break;
  case DEBYE_PAIR_EVEN_8:
    NAME(add_form)(frame, tile, DEBYE_PAIR_EVEN_8, careful, sum);
    break;
  case DEBYE_PAIR_EVEN_12:
    NAME(add_form)(frame, tile, DEBYE_PAIR_EVEN_12, careful, sum);
    break;
  case DEBYE_PAIR_EVEN_16:
    NAME(add_form)(frame, tile, DEBYE_PAIR_EVEN_16, careful, sum);
    break;
  default:
    NAME(add_form)(frame, tile, DEBYE_PAIR_ANY, careful, sum);
    break;
  }
}

static TARGET void
NAME(select)(const DebyeCutoffFrame *frame, const DebyeBinnedAtom *atoms, size_t n, uint32_t first_index,
             DebyeCutoffTile *far, DebyeCutoffTile *near)
{
  float x[DEBYE_CUTOFF_BATCH], y[DEBYE_CUTOFF_BATCH], z[DEBYE_CUTOFF_BATCH], gap2[DEBYE_CUTOFF_BATCH];
  const float unit = frame->unit;
  for (size_t i = 0; i < n; i++) {
    x[i] = unit * (float)(int32_t)(atoms[i].x - frame->middle[0]);
    y[i] = unit * (float)(int32_t)(atoms[i].y - frame->middle[1]);
    z[i] = unit * (float)(int32_t)(atoms[i].z - frame->middle[2]);
    float gap_x = fabsf(x[i]) - frame->half[0], gap_y = fabsf(y[i]) - frame->half[1];
    float gap_z = fabsf(z[i]) - frame->half[2];
    gap_x = gap_x > 0.0f ? gap_x : 0.0f;
    gap_y = gap_y > 0.0f ? gap_y : 0.0f;
    gap_z = gap_z > 0.0f ? gap_z : 0.0f;
    gap2[i] = gap_x * gap_x + gap_y * gap_y + gap_z * gap_z;
  }
  const float limit = 1.00001f * frame->pair.edge_high, core_limit = 1.01f * frame->pair.core2;
  for (size_t i = 0; i < n; i++) {
    DebyeCutoffTile *tile = gap2[i] > core_limit ? far : near;
    size_t at = tile->n;
    tile->x[at] = x[i];
    tile->y[at] = y[i];
    tile->z[at] = z[i];
    tile->charge[at] = atoms[i].charge;
    tile->index[at] = first_index + (uint32_t)i;
    tile->n += gap2[i] < limit;
  }
}

static TARGET void
NAME(add_double)(const DebyeCutoffDoubleRow *row, size_t count, double *sum)
{
  double x[DEBYE_CUTOFF_WIDTH], part[DEBYE_CUTOFF_WIDTH] = {0.0};
  const DebyePairFunction pair = *row->pair;
  const double cutoff2 = pair.cutoff * pair.cutoff;
  for (int i = 0; i < DEBYE_CUTOFF_WIDTH; i++)
    x[i] = row->row_x + (double)i * row->step_x;
  for (size_t atom = 0; atom < row->n_atoms; atom++) {
    const DebyeBinnedExactAtom a = row->atom[atom];
    const double dy = a.y - row->y, dz = a.z - row->z, s = dy * dy + dz * dz;
    if (!(s < cutoff2))
      continue;
    for (int i = 0; i < DEBYE_CUTOFF_WIDTH; i++) {
      double dx = a.x - x[i], r2 = dx * dx + s;
      double value = a.charge * debye_pair_value(&pair, r2, row->core2);
      part[i] += r2 < cutoff2 ? value : 0.0;
    }
  }
  for (size_t i = 0; i < count; i++)
    sum[i] += part[i];
}

#undef INLINE
#undef VECTORS
