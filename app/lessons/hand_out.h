/* SPDX-License-Identifier: MIT */
/* A sample's guide on paper, for who sits in the class: its steps with room
 * for the answers to their questions, or with these. */
#pragma once

#include "app/installation/installation.h"

/* Writes a PDF of A4 pages; without answers there are lines to write them on. */
gboolean debye_hand_out_save(const DebyeSample *sample, gboolean has_answers, const char *path,
                             GError **error);
