/* SPDX-License-Identifier: MIT */
/* Not written yet. */
typedef int debye_empty_lanes_c;
