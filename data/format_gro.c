/* SPDX-License-Identifier: MIT */
/* Not written yet. */
typedef int debye_empty_format_gro_c;
