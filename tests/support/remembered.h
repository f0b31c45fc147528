/* SPDX-License-Identifier: MIT */
/* What an oracle has found once, for the oracles beside it: a test asks the same of them for each device, instruction set and
 * size of tiles. For one thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A key of all that an answer depends on, which begins as 0 and takes one thing after the other. */
uint64_t debye_remembered_key(uint64_t key, const void *bytes, size_t n_bytes);
/* The answer's place, of so many bytes; *is_new: nobody has asked with this key, and what is
 * there is to be filled. It stays until the program ends. */
void *debye_remembered_get(uint64_t key, size_t n_bytes, bool *is_new);
