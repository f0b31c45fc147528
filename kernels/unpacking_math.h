/* SPDX-License-Identifier: MIT */
/* How a segment of packed coordinates (data/packed_coordinates.h) is unpacked: one copy for the CPU, the GPU and tests. The bits
 * were checked by whoever found the segments, so that nothing is checked here. Results are those of the reader's own decoder
 * (data/formats/gromacs) to the last bit. */
#pragma once

#include "data/packed_coordinates.h"
#include "shared_math.h"

#include <stdbool.h>

/* What is the same for all atoms of a frame. */
typedef struct {
  uint32_t minimum[3];
  /* Of an atom that is not relative to another: three digits of one number of `bits` bits, or, with 0, three numbers. */
  uint32_t range[3], bits, bits_of[3];
  uint32_t length; /* bits, both ways */
  float unit;
  uint64_t reciprocal[3]; /* floor((2^64 − 1) / range) */
  uint32_t small_range[DEBYE_PACKED_WIDTHS];
  uint64_t small_reciprocal[DEBYE_PACKED_WIDTHS];
} DebyePackedScale;

/* The stream's bytes as big-endian words, or a ring of them: word i is words[i & mask]. */
typedef struct {
  const uint32_t *words;
  uint32_t mask;
} DebyePackedWords;

/* A place in the stream, by bits of those words. */
typedef struct {
  uint32_t position, atom, run, small_index;
} DebyePackedWalk;

/* A group: an atom, then `run` others relative to it. */
typedef struct {
  uint32_t position, run_position, atom, run, small_index;
} DebyePackedGroup;

/* The 32 bits from a position on. */
DEBYE_SHARED_MATH uint32_t
debye_packed_peek(DebyePackedWords words, uint32_t position)
{
  const uint32_t i = position >> 5;
  const uint64_t two = (uint64_t)words.words[i & words.mask] << 32 | words.words[(i + 1) & words.mask];
  return (uint32_t)(two << (position & 31) >> 32);
}

/* The next group; the walk stands behind it then. */
DEBYE_SHARED_MATH DebyePackedGroup
debye_packed_next(const DebyePackedScale *scale, DebyePackedWords words, DebyePackedWalk *walk)
{
  const uint32_t head = debye_packed_peek(words, walk->position + scale->length) >> 26;
  const uint32_t code = head & 31;
  const bool changes = head >= 32;
  DebyePackedGroup group;
  group.position = walk->position;
  group.run_position = walk->position + scale->length + (changes ? 6 : 1);
  group.atom = walk->atom;
  group.run = changes ? code / 3 : walk->run;
  group.small_index = walk->small_index;
  walk->position = group.run_position + group.run * group.small_index;
  walk->atom += group.run + 1;
  walk->run = group.run;
  walk->small_index += changes ? code % 3 - 1 : 0;
  return group;
}

DEBYE_SHARED_MATH uint32_t
debye_packed_swap(uint32_t word)
{
  return word << 24 | (word << 8 & 0xff0000u) | (word >> 8 & 0xff00u) | word >> 24;
}

/* A number of up to 64 bits: its bytes stand lowest first, and of the last one only the bits that are needed. */
DEBYE_SHARED_MATH uint64_t
debye_packed_number(DebyePackedWords words, uint32_t position, uint32_t bits)
{
  const uint32_t whole = (bits - 1) / 8 * 8;
  const uint64_t number = debye_packed_swap(debye_packed_peek(words, position)) |
                          (uint64_t)debye_packed_swap(debye_packed_peek(words, position + 32)) << 32;
  const uint64_t last = (number >> whole & 0xff) >> (8 - (bits - whole));
  return (number & (((uint64_t)1 << whole) - 1)) | last << whole;
}

DEBYE_SHARED_MATH uint64_t
debye_packed_high_product(uint64_t a, uint64_t b)
{
#ifdef __CUDA_ARCH__
  return __umul64hi(a, b);
#else
  __extension__ typedef unsigned __int128 Wide;
  return (uint64_t)((Wide)a * b >> 64);
#endif
}

/* The last digit, and what is before it. The product is the quotient or one less than it. */
DEBYE_SHARED_MATH uint64_t
debye_packed_split(uint64_t number, uint32_t range, uint64_t reciprocal, uint32_t *digit)
{
  const uint64_t quotient = debye_packed_high_product(number, reciprocal);
  const uint64_t rest = number - quotient * range;
  const bool is_short = rest >= range;
  *digit = (uint32_t)(rest - (is_short ? range : 0));
  return quotient + is_short;
}

/* Of a number of 65 to 72 bits, by three words from the highest on: large boxes at high precision only. */
DEBYE_SHARED_MATH void
debye_packed_wide_digits(DebyePackedWords words, uint32_t position, uint32_t bits, const uint32_t range[3],
                         uint32_t digits[3])
{
  const uint64_t low = debye_packed_number(words, position, 64);
  uint32_t word[3] = {debye_packed_peek(words, position + 64) >> (96 - bits), (uint32_t)(low >> 32),
                      (uint32_t)low};
  for (int k = 2; k > 0; k--) {
    uint64_t rest = 0;
    for (int i = 0; i < 3; i++) {
      const uint64_t part = rest << 32 | word[i];
      word[i] = (uint32_t)(part / range[k]);
      rest = part % range[k];
    }
    digits[k] = (uint32_t)rest;
  }
  digits[0] = word[2];
}

/* An atom that is not relative to another. */
DEBYE_SHARED_MATH void
debye_packed_first(const DebyePackedScale *scale, DebyePackedWords words, uint32_t position, uint32_t at[3])
{
  if (scale->bits == 0) {
    for (int k = 0; k < 3; k++) {
      at[k] = debye_packed_peek(words, position) >> (32 - scale->bits_of[k]);
      position += scale->bits_of[k];
    }
  } else if (scale->bits > 64) {
    debye_packed_wide_digits(words, position, scale->bits, scale->range, at);
  } else {
    uint64_t number = debye_packed_number(words, position, scale->bits);
    number = debye_packed_split(number, scale->range[2], scale->reciprocal[2], &at[2]);
    at[0] = (uint32_t)debye_packed_split(number, scale->range[1], scale->reciprocal[1], &at[1]);
  }
  for (int k = 0; k < 3; k++)
    at[k] += scale->minimum[k];
}

/* Three small numbers of a run. */
DEBYE_SHARED_MATH void
debye_packed_small(const DebyePackedScale *scale, DebyePackedWords words, uint32_t position, uint32_t bits,
                   uint32_t digits[3])
{
  const uint32_t range = scale->small_range[bits];
  if (bits > 64) {
    const uint32_t ranges[3] = {range, range, range};
    debye_packed_wide_digits(words, position, bits, ranges, digits);
    return;
  }
  const uint64_t reciprocal = scale->small_reciprocal[bits];
  uint64_t number = debye_packed_number(words, position, bits);
  number = debye_packed_split(number, range, reciprocal, &digits[2]);
  digits[0] = (uint32_t)debye_packed_split(number, range, reciprocal, &digits[1]);
}

/* In float and in this order, as the programs do that write and read XTC; Å. */
DEBYE_SHARED_MATH void
debye_packed_store(const DebyePackedScale *scale, const uint32_t at[3], float *x, float *y, float *z)
{
  *x = (float)(int32_t)at[0] * scale->unit * 10.0f;
  *y = (float)(int32_t)at[1] * scale->unit * 10.0f;
  *z = (float)(int32_t)at[2] * scale->unit * 10.0f;
}

/* All atoms of a group, run + 1 of them. The group's first atom comes second where others follow. */
DEBYE_SHARED_MATH void
debye_packed_group(const DebyePackedScale *scale, DebyePackedWords words, const DebyePackedGroup *group,
                   float *x, float *y, float *z)
{
  const uint32_t half = scale->small_range[group->small_index] / 2;
  uint32_t at[3], position = group->run_position;
  const uint32_t first = group->run > 0 ? 1 : 0;
  debye_packed_first(scale, words, group->position, at);
  debye_packed_store(scale, at, x + first, y + first, z + first);
  for (uint32_t k = 0; k < group->run; k++) {
    uint32_t difference[3];
    const uint32_t i = k == 0 ? 0 : k + 1;
    debye_packed_small(scale, words, position, group->small_index, difference);
    position += group->small_index;
    for (int axis = 0; axis < 3; axis++)
      at[axis] += difference[axis] - half;
    debye_packed_store(scale, at, x + i, y + i, z + i);
  }
}
