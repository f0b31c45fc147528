/* SPDX-License-Identifier: MIT */
/* Whether what describes an HDF5 file's groups and data sets is whole, before the library decodes it:
 * libhdf5 1.10 trusts the lengths and texts that stand there, and a damaged or hostile file would have it
 * read beyond its memory. All that is looked at is in the HDF5 File Format Specification, version 3.0 (The
 * HDF Group): superblocks (II.A), object headers and their messages (IV.A), symbol tables (III.A to D),
 * version 2 B-trees (III.A.2), fractal heaps (III.G) and the arrays that index chunks (VII).
 *
 * What the library refuses by itself (versions it doesn't know, wrong signatures and checksums) is left to
 * it. Refused here although the format allows it, as no program is known to write it: messages shared through
 * the file's own heap (SOHM), an image of the metadata cache, links or attributes in a heap that is
 * filtered, arrays of chunks whose blocks aren't as long as the library makes them, numbers of more than
 * eight bytes, and files split into several; h5_driver.c keeps virtual data sets from it. Private to the data
 * layer.
 *
 * Why the format is read twice, and not by the library alone in a child process without rights (some 600 to 800
 * lines for these 1,760): a child that ends or takes too long is noticed, one that reads beyond its memory and
 * goes on isn't, and hands back wrong values. Of the 13 files that the fuzzer found, tests/fuzz/regressions/hdf5-*,
 * libhdf5 1.10.8 without this check and that of heaps in h5_driver.c
 *
 * - ends the process for 5: chunks-of-no-dimensions, integer-of-no-bits, link-to-nothing, links-of-no-version,
 *   more-records-than-a-node-has (the last only where malloc notices);
 * - takes 6 s of a processor's time, or all there is, for 2: sixteen-million-chunks, array-without-end;
 * - reads quietly beyond its memory for 3 (valgrind counts 13, 5 and 3 reads): enumeration-longer-than-its-values
 *   and virtual-longer-than-its-heap, which end without an error, and continuation-without-a-message.
 *   AddressSanitizer sees the first only, as it knows nothing of the library's own reads;
 * - refuses 2 itself (driver-longer-than-the-file, header-at-the-end), and links-that-end-early is met by how
 *   links are listed (h5_read.c).
 *
 * A child takes 12 ms of a processor's time to start and load the library, for each file; this check takes 0.05 ms.
 * It can go when the oldest library that is supported checks lengths itself: build without it and count again. */
#pragma once

#include "data/files/input.h"

typedef struct _DebyeH5Check DebyeH5Check;

/* The superblock is found as the library does. What isn't HDF5 at all passes: the library says so. The input
 * stays the caller's, and must outlive the check. */
DebyeH5Check *debye_h5_check_new(DebyeInput *input);
void debye_h5_check_free(DebyeH5Check *check);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeH5Check, debye_h5_check_free)

/* The root group and what its hard links lead to, a hundred objects at most: what lies beyond is looked at
 * when it is read. FALSE with DEBYE_ERROR_SYNTAX, which names the first object header that isn't whole. */
gboolean debye_h5_check_objects(DebyeH5Check *check, GError **error);

/* What kind of block the library is about to read. */
typedef enum {
  DEBYE_H5_BLOCK_HEADER, /* an object header or its continuation (also heads of heaps, which pass) */
  DEBYE_H5_BLOCK_TREE,   /* a node of a B-tree or of a symbol table */
} DebyeH5Block;

/* Whether `n` bytes at `address` of the file may be given to the library: an object header is checked whole,
 * with all it leads to, once; `end`: of the space that the file says it uses, in bytes. */
gboolean debye_h5_check_block(DebyeH5Check *check, DebyeH5Block kind, guint64 address, gsize n, guint64 end);
