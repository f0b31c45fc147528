/* SPDX-License-Identifier: MIT */
/* The page of the side bar that lists which residues were in the blobs of a density map; filled by window_blobs.c.
 *
 * Signal: "residue-chosen" (guint residue, guint frame): a row was selected; the residue counts from 0, and the frame is the
 * first one in which it was there. */
#pragma once

#include <adwaita.h>

#include "data/results/result.h"

#define DEBYE_TYPE_BLOB_PANEL (debye_blob_panel_get_type())
G_DECLARE_FINAL_TYPE(DebyeBlobPanel, debye_blob_panel, DEBYE, BLOB_PANEL, AdwBin)

/* Whether a result lists residues in blobs. */
gboolean debye_blob_panel_can_show(DebyeResult *result);
/* Shows the list of this result. NULL: the panel is empty. */
void debye_blob_panel_set_result(DebyeBlobPanel *self, DebyeResult *result);
