/* SPDX-License-Identifier: MIT */
/* Small files written as texts, opened as a person would open them. */
#pragma once

#include "data/trajectory/dataset.h"
#include "tests/support/temporary.h"

DebyeDataset *text_file_open(const DebyeTemporaryFolder *folder, const char *name, const char *text);
/* Two files together. */
DebyeDataset *text_file_open_two(const DebyeTemporaryFolder *folder, const char *first_name,
                                 const char *first, const char *second_name, const char *second);
/* The whole sentence of the error, which begins with the name. */
void text_file_assert_fails(const DebyeTemporaryFolder *folder, const char *name, const char *text, int code,
                            const char *sentence);

DebyeFrame *text_file_read(DebyeDataset *dataset, gsize frame_number);
/* The error of reading a frame of a file that opens. */
void text_file_assert_frame_fails(DebyeDataset *dataset, gsize frame_number, int code, const char *sentence);

gboolean text_file_has_warning(DebyeDataset *dataset, const char *text);
gsize text_file_count_warnings(DebyeDataset *dataset);
const char *text_file_get_name(DebyeDataset *dataset, gsize atom);
const char *text_file_get_type(DebyeDataset *dataset, gsize atom);
const DebyeResidue *text_file_get_residue(DebyeDataset *dataset, gsize atom);
/* To half a unit in the last place of single precision at 1,000 Å. */
void text_file_assert_position(const DebyeFrame *frame, gsize atom, double x, double y, double z);
void text_file_assert_vector(DebyeVec3 v, double x, double y, double z);
