/* SPDX-License-Identifier: MIT */
/* What is allocated by the size of a map or a frame is asked for and may be refused with an error. What grows
 * with the lists of a file (names, bonds, places of frames) is GLib's, which ends a program that gets no
 * memory by a trap. Here that end becomes an orderly one: one sentence, exit status 1, and nothing half
 * written, since files that are being written have no name yet. */
#pragma once

/* Once, before any file is opened. */
void debye_out_of_memory_install(void);
