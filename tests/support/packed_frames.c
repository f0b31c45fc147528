/* SPDX-License-Identifier: MIT */
/* Streams of random groups, written by the description of the format alone; for tests of data and kernels. */
#include "packed_frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SMALL 9

typedef struct {
  uint8_t *bytes;
  uint64_t position;
  uint64_t random;
} Writer;

static uint32_t
draw(Writer *writer, uint32_t below)
{
  writer->random ^= writer->random << 13;
  writer->random ^= writer->random >> 7;
  writer->random ^= writer->random << 17;
  return (uint32_t)((writer->random >> 32) * below >> 32);
}

static void
put(Writer *writer, uint32_t value, uint32_t n_bits)
{
  for (uint32_t i = n_bits; i-- > 0; writer->position++)
    writer->bytes[writer->position / 8] |= (uint8_t)((value >> i & 1) << (7 - writer->position % 8));
}

static void
put_random(Writer *writer, uint32_t n_bits)
{
  for (; n_bits > 0; n_bits--)
    put(writer, draw(writer, 2), 1);
}

static uint32_t
bit_length(double value)
{
  uint32_t length = 0;
  for (; value >= 1.0; value /= 2.0)
    length++;
  return length;
}

/* Products of three whole numbers below 2^24 are rounded in double, which only matters next to a power of two. */
static uint32_t
first_length(const uint32_t range[3])
{
  const double product = (double)range[0] * range[1] * range[2];
  if (range[0] > 0xffffff || range[1] > 0xffffff || range[2] > 0xffffff)
    return bit_length(range[0]) + bit_length(range[1]) + bit_length(range[2]);
  return bit_length(product);
}

static uint32_t
least(size_t a, size_t b)
{
  return (uint32_t)(a < b ? a : b);
}

void
debye_packed_random(DebyePackedCoordinates *packed, size_t n_atoms, int small_index, unsigned seed)
{
  const uint32_t length = first_length(packed->range);
  Writer writer = {calloc(debye_packed_max_bytes(n_atoms) + DEBYE_PACKED_PADDING, 1), 0,
                   88172645463325252u + seed};
  packed->segments = calloc(debye_packed_max_segments(n_atoms), sizeof *packed->segments);
  if (writer.bytes == NULL || packed->segments == NULL)
    abort();
  packed->bytes = writer.bytes;
  packed->n_atoms = n_atoms;
  uint32_t run = 0;
  for (size_t atom = 0, next = 0; atom < n_atoms; atom += run + 1) {
    const uint32_t width = (uint32_t)small_index, most = least(n_atoms - atom - 1, DEBYE_PACKED_MAX_RUN);
    int change = 0;
    if (atom >= next) {
      packed->segments[packed->n_segments++] =
          (DebyePackedSegment){writer.position, (uint32_t)atom, (uint8_t)width, (uint8_t)run};
      next = atom + DEBYE_PACKED_SEGMENT_ATOMS;
    }
    put_random(&writer, length);
    if (run > most || draw(&writer, 3) == 0) {
      run = draw(&writer, most + 1);
      change = (int)draw(&writer, 3) - 1;
      if (small_index + change < FIRST_SMALL || small_index + change >= DEBYE_PACKED_WIDTHS || run == 10)
        change = 0;
      put(&writer, 32 | (uint32_t)((int)run * 3 + change + 1), 6);
    } else {
      put(&writer, 0, 1);
    }
    put_random(&writer, run * width);
    small_index += change;
  }
  packed->n_bytes = (writer.position + 7) / 8;
}

void
debye_packed_clear(DebyePackedCoordinates *packed)
{
  free(packed->bytes);
  free(packed->segments);
  *packed = (DebyePackedCoordinates){0};
}

const uint32_t *
debye_packed_test_ranges(void)
{
  static uint32_t ranges[DEBYE_PACKED_WIDTHS];
  for (int i = FIRST_SMALL; i < DEBYE_PACKED_WIDTHS; i++)
    ranges[i] = (uint32_t)floor(pow(2.0, i / 3.0) * (1.0 + 1e-12));
  return ranges;
}
