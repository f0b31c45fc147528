/* SPDX-License-Identifier: MIT */
/* What can be set of how a scene is drawn, as one table: the options of debye-cli render (and so the keys of scene files and
 * presets), the look in sessions and the window's controls are all made from it. Texts are English, translated where they are
 * shown. */
#pragma once

#include "data/settings/setting.h"
#include "scene.h"

/* The member of the look or the camera, by the option's kind: float of a NUMBER, gboolean, an enum of a CHOICE, and of a TEXT a
 * colour, float[4]. */
typedef struct {
  DebyeSetting option; /* its key is that of sessions, too */
  gsize member;        /* of DebyeLook, or of DebyeCamera */
  gboolean of_camera;  /* sessions keep it with the camera */
} DebyeLookSetting;

const DebyeLookSetting *debye_look_settings(gsize *n_settings);
/* NULL: none has that key. */
const DebyeLookSetting *debye_look_setting_find_key(const char *key);
/* Appends the options. (element-type DebyeSetting) */
void debye_look_settings_append(GArray *settings);

/* Where a scene has the value. */
gpointer debye_look_setting_find(const DebyeLookSetting *setting, DebyeScene *scene);
/* Takes a value as typed, which counts as this scene's own from now on. FALSE with DEBYE_ERROR_SETTING. */
gboolean debye_look_setting_set(const DebyeLookSetting *setting, DebyeScene *scene, const char *text,
                                GError **error);
/* Emits the scene's "edit-look" with the setting, for those who keep what there was: to be called by controls, before they
 * set it. */
void debye_look_setting_edit(const DebyeLookSetting *setting, DebyeScene *scene);
/* Gives all that isn't the camera's the values of the appearance, each announced as above, between two emissions of
 * "reset-look": with TRUE before the first, with FALSE behind the last. */
void debye_look_settings_reset(DebyeScene *scene);
/* A setting's value, to be brought back by an undo: with whether it was the scene's own. */
typedef struct {
  float bytes[4]; /* of the member, whatever its type */
  gboolean is_own;
  const char *preset; /* which it was of, where it wasn't */
  gboolean is_dark;
} DebyeLookValue;
void debye_look_setting_keep(const DebyeLookSetting *setting, DebyeScene *scene, DebyeLookValue *value);
/* A value of a preset comes back as the value of the preset that the scene has now. */
void debye_look_setting_bring_back(const DebyeLookSetting *setting, DebyeScene *scene,
                                   const DebyeLookValue *value);
/* The value of the scene's preset again; nothing for settings of the camera, which has none. */
void debye_look_setting_reset(const DebyeLookSetting *setting, DebyeScene *scene);

/* Another preset (see debye_look_preset()), in which what is the scene's own stays. */
void debye_look_settings_change_preset(DebyeScene *scene, const char *preset, gboolean dark);
/* The same for a picture on the preset's paper: its background and outline are the preset's in any case. */
void debye_look_settings_change_paper(DebyeScene *scene, const char *preset, gboolean dark);
