/* SPDX-License-Identifier: MIT */
/* bzip2 and xz undone piece by piece, as GZlibDecompressor does it for gzip; made by input_packed.c. Each undoes
 * one stream, g_converter_reset() begins the next. A stream that ends too early is G_IO_ERROR_PARTIAL_INPUT, one
 * that is broken G_IO_ERROR_INVALID_DATA, one that needs more memory than is granted G_IO_ERROR_NO_SPACE. */
#pragma once

#include <gio/gio.h>

GConverter *debye_bzip2_decompressor_new(void);
GConverter *debye_xz_decompressor_new(void);

/* MiB: four times what `xz -9` needs, and far from what a header could ask for (4 GiB). bzip2 needs 4 MiB. */
#define DEBYE_XZ_MEMORY 256
