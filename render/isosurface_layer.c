/* SPDX-License-Identifier: MIT */
/* Not written yet. */
typedef int debye_empty_isosurface_layer_c;
