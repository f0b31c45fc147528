/* SPDX-License-Identifier: MIT */
/* Numbers of a scene as values of a session and back; called by session_scene.c and camera_file.c. */
#pragma once

#include <glib.h>

/* One number, or an array of them. (transfer floating) */
GVariant *debye_scene_values_save(const float *values, gsize n_values);
/* Up to four: all of them within the bounds, or none is taken. */
gboolean debye_scene_values_load(GVariant *saved, const char *key, double low, double high, float *values,
                                 gsize n_values);
