/* SPDX-License-Identifier: MIT */
/* The scene of a picture made without a window: built once from settings, then given frame after frame. */
#pragma once

#include "data/trajectory/dataset.h"
#include "data/settings/request.h"
#include "render/scene/scene.h"
#include "app/scene/scene_builder.h"

G_BEGIN_DECLS

typedef struct {
  DebyeScene *scene;
  GPtrArray *molecules; /* DebyeLayer, of atoms */
  GPtrArray *surfaces;  /* DebyeIsosurfaceLayer */
  GPtrArray *slices;    /* DebyeSliceLayer */
  DebyeBoxLayer *box;   /* or NULL */
} DebyePicture;

void debye_picture_init(DebyePicture *picture);
void debye_picture_clear(DebyePicture *picture);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyePicture, debye_picture_clear)

gboolean debye_picture_add_molecules(DebyePicture *picture, DebyeRequest *request, DebyeTopology *topology,
                                     DebyeFrame *frame, GError **error);
/* Surfaces at `levels` and slices at `places`; with neither the default picture of the map. */
gboolean debye_picture_add_map(DebyePicture *picture, DebyeRequest *request, DebyeField *field,
                               const char *const *levels, const char *const *places, GError **error);
/* Colours the surfaces by another map; limits NULL: by what it has on them. */
void debye_picture_color_surfaces(DebyePicture *picture, DebyeField *coloring, const double limits[2]);
/* What annotates and cuts: hydrogen bonds, labels, images of the cell, the clipping plane. After the
 * molecules. */
gboolean debye_picture_add_notes(DebyePicture *picture, DebyeRequest *request, DebyeTopology *topology,
                                 DebyeFrame *frame, GError **error);
void debye_picture_set_frame(DebyePicture *picture, DebyeFrame *frame);
void debye_picture_set_map(DebyePicture *picture, DebyeField *field);
/* Look and camera. */
gboolean debye_picture_set_view(DebyePicture *picture, DebyeRequest *request, double aspect, GError **error);

G_END_DECLS
