/* SPDX-License-Identifier: MIT */
/* Newer structures of HDF5 end with a checksum, and the library decodes nothing behind one that is wrong: no
 * change of a fuzzer would come further, where whoever means harm writes the right one. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The library's own function, which its calls find here first: what stands behind the bytes is believed. */
__attribute__((visibility("default"))) uint32_t H5_checksum_metadata(const void *bytes, size_t n,
                                                                     uint32_t first);

/* Ends the program where the library calls its own after all. */
void believe_checksums(void);

/* The one checksum that stands before what it is for, in blocks of heaps: they are made to be without. */
void believe_heaps(uint8_t *bytes, size_t n);
