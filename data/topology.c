/* SPDX-License-Identifier: MIT */
/* Not written yet. */
typedef int debye_empty_topology_c;
