/* SPDX-License-Identifier: MIT */
/* Not written yet. */
typedef int debye_empty_xtc_coding_c;
