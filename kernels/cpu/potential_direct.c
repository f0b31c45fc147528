/* SPDX-License-Identifier: MIT */
/* Not written yet. */
typedef int debye_empty_potential_direct_c;
