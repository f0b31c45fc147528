/* SPDX-License-Identifier: MIT */
/* What a preset says of a picture of a view, as debye-cli render takes it; called by the window. */
#pragma once

#include "render/scene/picture_size.h"
#include "render/scene/scene.h"

/* Size, resolution, text and background as the preset of that name says; what it leaves open is as usual, its size as it is.
 * FALSE with an error, and all as it is: it can't be read. */
gboolean debye_presets_apply_to_picture(const char *name, DebyePictureSize *size, gboolean *transparent,
                                        GError **error);
/* Gives the scene the look of the preset (NULL: its own), and its text the size. FALSE with an error. */
gboolean debye_presets_apply_to_scene(const char *name, const DebyePictureSize *size, DebyeScene *scene,
                                      GError **error);
