/* SPDX-License-Identifier: MIT */
/* Pictures compared with those kept in tests/golden. */
#pragma once

#include <glib.h>

/* The share of pixels, of two pictures of as many bytes, in which a channel differs by more than `shade`. */
double golden_difference(GBytes *picture, GBytes *other, int shade);
/* Fails where the picture is not tests/golden/NAME.png. With DEBYE_UPDATE_GOLDEN set, writes it instead. */
void golden_check(GBytes *rgba, int width, int height, const char *name);
