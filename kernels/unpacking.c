/* SPDX-License-Identifier: MIT */
/* Packed coordinates unpacked on the CPU; called by kernels that a frame may reach packed, and by tests of their twins. */
#include "unpacking.h"

#include <string.h>

/* Mixed digits where no range is wider than this; part of the format. */
#define MIXED_LIMIT 0xffffffu
/* Of a segment, whose last group may reach beyond its end, and what is looked at behind it. */
#define MOST_WORDS ((DEBYE_PACKED_SEGMENT_ATOMS + DEBYE_PACKED_MAX_RUN) * DEBYE_PACKED_ATOM_BITS / 32 + 5)

DebyeStatusCode
debye_packed_check(const DebyePackedCoordinates *packed, size_t max_atoms, DebyeStatus *status)
{
  if (packed->n_atoms > max_atoms)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "%zu packed atoms were given; the plan holds at most %zu.", packed->n_atoms,
                            max_atoms);
  if (packed->n_bytes > debye_packed_max_bytes(packed->n_atoms) ||
      packed->n_segments > debye_packed_max_segments(packed->n_atoms))
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The packed frame has more bytes or segments than %zu atoms can take.",
                            packed->n_atoms);
  return debye_status_ok(status);
}

DebyeStatusCode
debye_packed_atoms_check(const DebyePackedAtoms *atoms, const DebyePackedCoordinates *packed,
                         DebyeStatus *status)
{
  if (packed->n_atoms < atoms->n_atoms)
    return debye_status_set(status, DEBYE_STATUS_INVALID,
                            "The packed frame has %zu atoms; %zu were asked for.", packed->n_atoms,
                            atoms->n_atoms);
  return debye_packed_check(packed, atoms->n_atoms, status);
}

__extension__ typedef unsigned __int128 Wide;

static uint32_t
bit_length(Wide value)
{
  uint32_t length = 0;
  for (; value > 0; value >>= 1)
    length++;
  return length;
}

void
debye_packed_scale_init(DebyePackedScale *scale, const DebyePackedCoordinates *packed)
{
  bool is_mixed = true;
  Wide all = 1;
  memset(scale, 0, sizeof *scale);
  scale->unit = packed->unit;
  for (int k = 0; k < 3; k++) {
    scale->minimum[k] = (uint32_t)packed->minimum[k];
    scale->range[k] = packed->range[k];
    scale->bits_of[k] = bit_length(packed->range[k]);
    scale->reciprocal[k] = UINT64_MAX / packed->range[k];
    is_mixed = is_mixed && packed->range[k] <= MIXED_LIMIT;
    all *= packed->range[k];
  }
  scale->bits = is_mixed ? bit_length(all) : 0;
  scale->length = is_mixed ? scale->bits : scale->bits_of[0] + scale->bits_of[1] + scale->bits_of[2];
  for (int i = 0; i < DEBYE_PACKED_WIDTHS; i++) {
    scale->small_range[i] = packed->small_ranges[i];
    scale->small_reciprocal[i] = packed->small_ranges[i] > 0 ? UINT64_MAX / packed->small_ranges[i] : 0;
  }
}

void
debye_packed_unpack_segment(const DebyePackedCoordinates *packed, const DebyePackedScale *scale,
                            size_t segment, float *x, float *y, float *z)
{
  uint32_t words[MOST_WORDS];
  const DebyePackedSegment *begin = &packed->segments[segment];
  const bool is_last = segment + 1 == packed->n_segments;
  const uint64_t first_word = begin->position / 32;
  const uint64_t end = is_last ? 8 * packed->n_bytes : begin[1].position;
  const uint64_t n_words = end / 32 - first_word + 4;
  const uint32_t end_atom = is_last ? (uint32_t)packed->n_atoms : begin[1].atom;
  const DebyePackedWords stream = {words, UINT32_MAX};
  DebyePackedWalk walk = {(uint32_t)(begin->position % 32), begin->atom, begin->run, begin->small_index};
  for (size_t i = 0; i < MOST_WORDS; i++) {
    const uint8_t *at = packed->bytes + 4 * (first_word + i);
    words[i] = i < n_words ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3] : 0;
  }
  while (walk.atom < end_atom) {
    const DebyePackedGroup group = debye_packed_next(scale, stream, &walk);
    debye_packed_group(scale, stream, &group, x + group.atom, y + group.atom, z + group.atom);
  }
}
