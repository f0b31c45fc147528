/* SPDX-License-Identifier: MIT */
/* Not written yet. */
typedef int debye_empty_slice_layer_c;
