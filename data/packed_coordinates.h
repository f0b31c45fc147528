/* SPDX-License-Identifier: MIT */
/* A frame's coordinates as an XTC file packs them (data/formats/gromacs/xtc_coding.h), and where every 512 atoms or so begin in
 * the bits: plain structs. A reader that has checked the bits fills them, and kernels unpack them where they need them, a
 * segment independently of all others (kernels/unpacking.h). */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A segment is as long as the groups of atoms that begin within so many atoms. */
#define DEBYE_PACKED_SEGMENT_ATOMS 512
/* So many readable bytes of any value follow those of the frame. */
#define DEBYE_PACKED_PADDING 32
/* Widths of small numbers: the table's length. Atoms that follow the first one of a group at most. */
#define DEBYE_PACKED_WIDTHS 73
#define DEBYE_PACKED_MAX_RUN 10
/* Å: a reader leaves no frame packed that may reach farther from 0, so that kernels need no look at single atoms. */
#define DEBYE_PACKED_FARTHEST 1e5
/* Bits of an atom at most: three numbers of 32 bits and a head of six. */
#define DEBYE_PACKED_ATOM_BITS 102

/* Each begins with a group. */
typedef struct {
  uint64_t position;        /* bit, from the first byte's highest on */
  uint32_t atom;            /* the group's first */
  uint8_t small_index, run; /* what the group before leaves behind */
} DebyePackedSegment;

typedef struct {
  size_t n_atoms;
  uint8_t *bytes;
  uint64_t n_bytes; /* DEBYE_PACKED_ATOM_BITS an atom at most */
  int32_t minimum[3];
  uint32_t range[3];
  float unit;                   /* of the integers, nm */
  double farthest;              /* that any of them is from 0, or less */
  const uint32_t *small_ranges; /* DEBYE_PACKED_WIDTHS of them: of three small numbers in so many bits */
  DebyePackedSegment *
      segments; /* by atoms, the first one from atom 0 on; n_atoms / DEBYE_PACKED_SEGMENT_ATOMS + 1 at most */
  size_t n_segments;
} DebyePackedCoordinates;

static inline size_t
debye_packed_max_segments(size_t n_atoms)
{
  return n_atoms / DEBYE_PACKED_SEGMENT_ATOMS + 1;
}

static inline size_t
debye_packed_max_bytes(size_t n_atoms)
{
  return n_atoms * DEBYE_PACKED_ATOM_BITS / 8 + 1;
}
