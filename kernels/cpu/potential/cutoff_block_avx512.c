/* SPDX-License-Identifier: MIT */
/* The cutoff's inner loops for AVX-512: the CPU's own estimate of 1/√r², good to 6e-5, and one Newton
 * step; those that are not near by tables. */
#include "cutoff_block.h"

#include <string.h>

#include <immintrin.h>

#define LANES 16
#define ROWS 8
#define UNROLL _Pragma("GCC unroll 8")

typedef __m512 Vector;
typedef __mmask16 VectorMask;

#define vector_load(at) _mm512_loadu_ps(at)
#define vector_set(value) _mm512_set1_ps(value)
#define vector_max(a, b) _mm512_max_ps(a, b)
#define vector_below(a, b) _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ)
#define vector_keep(mask, v) _mm512_maskz_mov_ps(mask, v)
#define vector_bits(mask) ((uint32_t)(mask))

static inline __attribute__((always_inline)) __m512
vector_term(__m512 r2, __m512 charge)
{
  const __m512 y = _mm512_rsqrt14_ps(r2), half = _mm512_set1_ps(0.5f), three = _mm512_set1_ps(3.0f);
  return (half * charge * y) * (three - r2 * y * y);
}

#include "cutoff_loops.h"

/* Rows that go through the steps together: a step waits four cycles for the one before, and a CPU that
 * shares its core with another thread doesn't look far enough ahead to find other work itself. */
#define TOGETHER 4

#define INLINE static inline __attribute__((always_inline))

typedef struct {
  __m512 low[DEBYE_CUTOFF_TABLE_TERMS], high[DEBYE_CUTOFF_TABLE_TERMS];
} Table;

INLINE Table
load_table(const DebyeCutoffTable *table, const int n_terms)
{
  Table loaded;
  for (int n = 0; n < n_terms; n++) {
    loaded.low[n] = _mm512_loadu_ps(table->c[n]);
    loaded.high[n] = _mm512_loadu_ps(table->c[n] + DEBYE_CUTOFF_INTERVALS / 2);
  }
  return loaded;
}

/* f of TOGETHER rows. */
INLINE void
look_up(const Table *table, const int n_terms, const int shift, const __m512 *u, __m512 *f)
{
  __m512i interval[TOGETHER];
  UNROLL
  for (int i = 0; i < TOGETHER; i++) {
    interval[i] = _mm512_srli_epi32(_mm512_castps_si512(u[i]), (unsigned)shift);
    f[i] = _mm512_permutex2var_ps(table->low[n_terms - 1], interval[i], table->high[n_terms - 1]);
  }
  UNROLL
  for (int n = n_terms - 2; n >= 0; n--) {
    UNROLL
    for (int i = 0; i < TOGETHER; i++)
      f[i] = _mm512_fmadd_ps(f[i], u[i], _mm512_permutex2var_ps(table->low[n], interval[i], table->high[n]));
  }
}

/* The tables' two shapes; constants, so that a shift is one of the instruction. */
INLINE void
add_form_by_table(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile, size_t column, const uint32_t *list,
                  size_t n, const bool is_far, const int first_row, const int end_row, const bool sheared,
                  const bool steps, float (*sum)[DEBYE_CUTOFF_POINTS])
{
  const int n_terms = is_far ? DEBYE_CUTOFF_FAR_TERMS : DEBYE_CUTOFF_MIDDLE_TERMS;
  const int shift = is_far ? DEBYE_CUTOFF_FAR_SHIFT : DEBYE_CUTOFF_MIDDLE_SHIFT;
  const Table table = load_table(is_far ? &frame->tables->far : &frame->tables->middle, n_terms);
  const __m512 x = _mm512_loadu_ps(frame->point_x[column]), y = _mm512_loadu_ps(frame->point_y),
               z = _mm512_loadu_ps(frame->point_z), edge = _mm512_set1_ps(frame->pair.edge_low);
  __m512 part[DEBYE_CUTOFF_ROWS];
  for (int row = first_row; row < end_row; row++)
    part[row] = _mm512_setzero_ps();
  for (size_t i = 0; i < n; i++) {
    const size_t atom = list[i];
    const __m512 dx = _mm512_set1_ps(tile->x[atom]) - x, dz = _mm512_set1_ps(tile->z[atom]) - z;
    const __m512 charge = _mm512_set1_ps(tile->charge[atom]);
    __m512 d2 = dx * dx + dz * dz, along = dx;
    if (sheared) {
      /* (d − row·shift)² = d² − 2·row·(d·shift) + row²·shift²: good enough as far away as this. */
      const __m512 dy = _mm512_set1_ps(tile->y[atom] - frame->row_y[0]) - y;
      d2 = d2 + dy * dy;
      along = dx * _mm512_set1_ps(-2.0f * frame->shift_x) + dy * _mm512_set1_ps(-2.0f * frame->shift_y);
    }
    UNROLL
    for (int row = first_row; row < end_row; row += TOGETHER) {
      __m512 u[TOGETHER], f[TOGETHER];
      UNROLL
      for (int j = 0; j < TOGETHER; j++) {
        u[j] = d2 + _mm512_set1_ps(tile->s[atom][row + j]);
        if (sheared)
          u[j] = u[j] + along * _mm512_set1_ps((float)(row + j));
        if (steps)
          list_edge_pairs(&frame->pair, u[j], atom, (size_t)(row + j), 0, tile);
      }
      look_up(&table, n_terms, shift, u, f);
      UNROLL
      for (int j = 0; j < TOGETHER; j++)
        part[row + j] = _mm512_mask3_fmadd_ps(charge, f[j], part[row + j], vector_below(u[j], edge));
    }
  }
  for (int row = first_row; row < end_row; row++)
    _mm512_storeu_ps(sum[row], _mm512_loadu_ps(sum[row]) + part[row]);
}

INLINE void
add_rows(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile, size_t column, const uint32_t *list, size_t n,
         const bool is_far, const int first, const int end, float (*sum)[DEBYE_CUTOFF_POINTS])
{
  const bool steps = frame->pair.edge_low < frame->pair.edge_high;
  if (frame->sheared && steps)
    add_form_by_table(frame, tile, column, list, n, is_far, first, end, true, true, sum);
  else if (frame->sheared)
    add_form_by_table(frame, tile, column, list, n, is_far, first, end, true, false, sum);
  else if (steps)
    add_form_by_table(frame, tile, column, list, n, is_far, first, end, false, true, sum);
  else
    add_form_by_table(frame, tile, column, list, n, is_far, first, end, false, false, sum);
}

static void
add_by_table(const DebyeCutoffFrame *frame, DebyeCutoffTile *tile, size_t column, DebyeCutoffClass class,
             const uint32_t *list, size_t n, float (*sum)[DEBYE_CUTOFF_POINTS])
{
  const int half = DEBYE_CUTOFF_ROWS / 2;
  if (class == DEBYE_CUTOFF_MIDDLE)
    add_rows(frame, tile, column, list, n, false, 0, 2 * half, sum);
  else if (class == DEBYE_CUTOFF_FAR)
    add_rows(frame, tile, column, list, n, true, 0, 2 * half, sum);
  else if (class == DEBYE_CUTOFF_FAR_LOW)
    add_rows(frame, tile, column, list, n, true, 0, half, sum);
  else
    add_rows(frame, tile, column, list, n, true, half, 2 * half, sum);
}

/* How far atoms are from an interval around 0. */
INLINE __m512
gap(__m512 at, float half)
{
  return _mm512_max_ps(_mm512_abs_ps(at) - _mm512_set1_ps(half), _mm512_setzero_ps());
}

INLINE __m512
gap2_of(__m512 x, __m512 y, __m512 z, const float half[3])
{
  const __m512 gap_x = gap(x, half[0]), gap_y = gap(y, half[1]), gap_z = gap(z, half[2]);
  return gap_x * gap_x + gap_y * gap_y + gap_z * gap_z;
}

/* The chosen lanes one after the other; a whole vector is written. */
INLINE void
append(float *to, __mmask16 chosen, __m512 from)
{
  _mm512_storeu_ps(to, _mm512_maskz_compress_ps(chosen, from));
}

INLINE __mmask16
first_lanes(size_t n)
{
  return n < 16 ? (__mmask16)((1u << n) - 1u) : (__mmask16)0xffff;
}

/* In units of the cutoff from the block's middle. */
INLINE __m512
place(__m512i fixed, uint32_t middle, float unit)
{
  const __m512i from_middle = _mm512_sub_epi32(fixed, _mm512_set1_epi32((int)middle));
  return _mm512_cvtepi32_ps(from_middle) * _mm512_set1_ps(unit);
}

/* 16 atoms are four vectors of four; turned around within each quarter they are a vector of each component,
 * of atoms 0, 4, 8, 12, 1, 5 and so on. */
static void
select_atoms(const DebyeCutoffFrame *frame, const DebyeBinnedAtom *atoms, size_t n, uint32_t first_index,
             DebyeCutoffTile *tile)
{
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const __m512 seen2 = _mm512_set1_ps(frame->seen2);
  for (size_t i = 0; i < n; i += 16) {
    __m512i four[4];
    for (size_t j = 0; j < 4; j++) {
      const size_t at = i + 4 * j, left = at < n ? 4 * (n - at) : 0;
      four[j] = _mm512_maskz_loadu_epi32(first_lanes(left), atoms + (at < n ? at : 0));
    }
    const __m512i low01 = _mm512_unpacklo_epi32(four[0], four[1]),
                  low23 = _mm512_unpacklo_epi32(four[2], four[3]);
    const __m512i high01 = _mm512_unpackhi_epi32(four[0], four[1]),
                  high23 = _mm512_unpackhi_epi32(four[2], four[3]);
    const __m512 x = place(_mm512_unpacklo_epi64(low01, low23), frame->middle[0], frame->unit);
    const __m512 y = place(_mm512_unpackhi_epi64(low01, low23), frame->middle[1], frame->unit);
    const __m512 z = place(_mm512_unpacklo_epi64(high01, high23), frame->middle[2], frame->unit);
    const __m512 charge = _mm512_castsi512_ps(_mm512_unpackhi_epi64(high01, high23));
    const __mmask16 there = _mm512_cmplt_epi32_mask(order, _mm512_set1_epi32((int)(n - i)));
    const __mmask16 seen = _mm512_mask_cmp_ps_mask(there, gap2_of(x, y, z, frame->half), seen2, _CMP_LT_OQ);
    append(tile->x + tile->n, seen, x);
    append(tile->y + tile->n, seen, y);
    append(tile->z + tile->n, seen, z);
    append(tile->charge + tile->n, seen, charge * _mm512_set1_ps(frame->charge_unit));
    _mm512_storeu_si512(
        tile->index + tile->n,
        _mm512_maskz_compress_epi32(
            seen, _mm512_add_epi32(order, _mm512_set1_epi32((int)(first_index + (uint32_t)i)))));
    tile->n += (size_t)__builtin_popcount(seen);
  }
}

INLINE size_t
append_atoms(uint32_t *list, size_t n, __mmask16 chosen, __m512i atom)
{
  _mm512_storeu_si512(list + n, _mm512_maskz_compress_epi32(chosen, atom));
  return n + (size_t)__builtin_popcount(chosen);
}

static void
list_atoms(const DebyeCutoffFrame *frame, const DebyeCutoffTile *tile, size_t column, DebyeCutoffLists *lists)
{
  const __m512 x = _mm512_set1_ps(frame->column_x[column]), y = _mm512_set1_ps(frame->column_y),
               z = _mm512_set1_ps(frame->column_z), seen2 = _mm512_set1_ps(frame->seen2);
  __m512i atom = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  size_t n[DEBYE_CUTOFF_CLASSES] = {0};
  for (size_t i = 0; i < tile->n; i += 16) {
    const __m512 dx = gap(_mm512_loadu_ps(tile->x + i) - x, frame->column_half[0]);
    const __m512 dz = gap(_mm512_loadu_ps(tile->z + i) - z, frame->column_half[2]);
    const __m512 at_y = _mm512_loadu_ps(tile->y + i) - y, dy = gap(at_y, frame->column_half[1]);
    const __m512 across2 = dx * dx + dz * dz, gap2 = across2 + dy * dy;
    __mmask16 beyond = _mm512_mask_cmp_ps_mask(first_lanes(tile->n - i), gap2, seen2, _CMP_LE_OQ);
    UNROLL
    for (int class = DEBYE_CUTOFF_CORE; class < DEBYE_CUTOFF_FAR; class ++) {
      const __mmask16 rest =
          _mm512_mask_cmp_ps_mask(beyond, gap2, _mm512_set1_ps(frame->above2[class + 1]), _CMP_GT_OQ);
      n[class] = append_atoms(lists->atom[class], n[class], beyond & (__mmask16)~rest, atom);
      beyond = rest;
    }
    const __m512 low = gap(at_y - _mm512_set1_ps(frame->half_y[0]), frame->half_half_y);
    const __m512 high = gap(at_y - _mm512_set1_ps(frame->half_y[1]), frame->half_half_y);
    const __mmask16 by_low = _mm512_mask_cmp_ps_mask(beyond, across2 + low * low, seen2, _CMP_LE_OQ);
    const __mmask16 by_high = _mm512_mask_cmp_ps_mask(beyond, across2 + high * high, seen2, _CMP_LE_OQ);
    const __mmask16 of_far[3] = {by_low & by_high, by_low & (__mmask16)~by_high,
                                 by_high & (__mmask16)~by_low};
    UNROLL
    for (int i_far = 0; i_far < 3; i_far++)
      n[DEBYE_CUTOFF_FAR + i_far] = append_atoms(lists->atom[DEBYE_CUTOFF_FAR + i_far],
                                                 n[DEBYE_CUTOFF_FAR + i_far], of_far[i_far], atom);
    atom = _mm512_add_epi32(atom, _mm512_set1_epi32(16));
  }
  memcpy(lists->n, n, sizeof n);
}

const DebyeCutoffBlock DEBYE_AT_LEVEL(debye_cutoff_block) = {
    .select = select_atoms,
    .fill_rows = fill_rows,
    .list = list_atoms,
    .add = add,
    .add_by_table = add_by_table,
    .add_double = add_double,
};
