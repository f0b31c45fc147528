/* SPDX-License-Identifier: MIT */
/* The SHA-256 of a file (FIPS 180-4), by libcrypto, which takes the processor's own instructions for it. */
#pragma once

#include "input.h"

/* Reads the file through, in pieces. 64 lower-case hexadecimal digits and its size in bytes; NULL with DEBYE_ERROR_OPEN,
 * or with G_IO_ERROR_CANCELLED where `progress` gave FALSE. */
char *debye_sha256_of_file(const char *path, DebyeProgressFunc progress, gpointer data, guint64 *size,
                           GError **error);
