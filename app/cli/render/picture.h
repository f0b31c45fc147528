/* SPDX-License-Identifier: MIT */
/* The scene of a picture made without a window: built once from settings, then given frame after frame. */
#pragma once

#include "data/settings/request.h"
#include "render/scene/scene.h"
#include "app/scene/scene_builder.h"
#include "render_settings.h"

typedef struct {
  DebyeScene *scene;
} DebyePicture;

void debye_picture_init(DebyePicture *picture);
void debye_picture_clear(DebyePicture *picture);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DebyePicture, debye_picture_clear)

/* The atoms, as --select, --style, --color and --water have them. */
gboolean debye_picture_add_molecules(DebyePicture *picture, DebyeRequest *request, DebyeWater water,
                                     const DebyeSceneSource *source, GError **error);
/* The layers that options add, but for those of a map; after the molecules. */
gboolean debye_picture_add_layers(DebyePicture *picture, DebyeRequest *request,
                                  const DebyeSceneSource *source, GError **error);
/* The layers of a map that options add; where none does, the default picture of the map. */
gboolean debye_picture_add_map(DebyePicture *picture, DebyeRequest *request, const DebyeSceneSource *source,
                               GError **error);
/* The electrostatic surface of the atoms whose charges made the map (NULL: the solute). */
gboolean debye_picture_add_electrostatic(DebyePicture *picture, DebyeRequest *request,
                                         const DebyeSceneSource *source, const char *selection,
                                         const double limits[2], GError **error);
/* Colours the surfaces by another map; limits NULL: by what it has on them. */
void debye_picture_color_surfaces(DebyePicture *picture, DebyeRequest *request, DebyeField *coloring,
                                  const double limits[2]);
void debye_picture_set_frame(DebyePicture *picture, DebyeFrame *frame);
/* The map in place of `before`. */
void debye_picture_set_map(DebyePicture *picture, DebyeField *before, DebyeField *field);
/* The preset and its projection. */
void debye_picture_set_preset(DebyePicture *picture, const DebyeRenderSettings *settings);
/* What else of the look the request says, see render/scene/look_settings.h. */
gboolean debye_picture_set_look(DebyePicture *picture, DebyeRequest *request, GError **error);
/* All that there is, from the direction of view, in a picture of that many logical pixels. What would lie under the legend
 * is moved aside. */
gboolean debye_picture_frame(DebyePicture *picture, const DebyeRenderSettings *settings, double width,
                             double height, GError **error);
/* The camera that is there, turned and zoomed by --orbit and --zoom. */
gboolean debye_picture_turn(DebyePicture *picture, const DebyeRenderSettings *settings, GError **error);
/* The same of the camera in a file. */
gboolean debye_picture_look_through(DebyePicture *picture, const DebyeRenderSettings *settings,
                                    const char *path, GError **error);
