/* SPDX-License-Identifier: MIT */
/* Every record of a version 2 B-tree (HDF5 File Format Specification 3.0, III.A.2). Private to the data
 * layer. */
#pragma once

#include "h5_check_private.h"

/* The record types that are followed here. */
typedef enum {
  DEBYE_H5_HUGE_OBJECTS = 1,
  DEBYE_H5_LINK_NAMES = 5,
  DEBYE_H5_LINK_ORDER = 6,
  DEBYE_H5_ATTRIBUTE_NAMES = 8,
  DEBYE_H5_ATTRIBUTE_ORDER = 9,
  DEBYE_H5_CHUNKS = 10,
  DEBYE_H5_FILTERED_CHUNKS = 11,
} DebyeH5RecordType;

typedef gboolean (*DebyeH5RecordFunction)(DebyeH5Check *check, DebyeH5RecordType type, DebyeH5Cursor record,
                                          gpointer data);

/* FALSE: the tree isn't whole, or `take` returned FALSE. `address`: of its header. */
gboolean debye_h5_check_tree(DebyeH5Check *check, guint64 address, DebyeH5RecordFunction take, gpointer data);
