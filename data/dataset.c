/* SPDX-License-Identifier: MIT */
/* Not written yet. */
typedef int debye_empty_dataset_c;
