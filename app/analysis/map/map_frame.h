/* SPDX-License-Identifier: MIT */
/* What of a frame a potential is summed over: the charged ones of its chosen atoms, moved as the plan says,
 * and its cell. */
#pragma once

#include "kernels/registry.h"
#include "map_plan.h"

/* What is common to all frames of a plan. */
typedef struct {
  const DebyeMapPlan *plan; /* borrowed */
  DebyeFrameEdit *edit;     /* NULL: frames stay where they are */
  gboolean gathers;         /* FALSE: every atom of a frame counts, so its own arrays serve */
  /* Of frames that stay packed; no atoms: none does. */
  DebyePackedAtoms packed;
  const float *packed_charge;
  guint32 *own_chosen; /* what these are, where not every atom counts */
  float *own_charge;
} DebyeMapFrames;

gboolean debye_map_frames_init(DebyeMapFrames *frames, const DebyeMapPlan *plan, GError **error);
/* Lets frames stay packed, each for itself, where these devices sum over the same charges in each of them, which nothing moves, and it
 * pays. */
void debye_map_frames_choose_packed(DebyeMapFrames *frames, const DebyeDeviceEntry *const *devices,
                                    gsize n_devices);
/* Where the first frames are others': the first one that is used is what the rest are superposed on. FALSE with an error. */
gboolean debye_map_frames_skip(DebyeMapFrames *frames, gsize n_frames, GError **error);
void debye_map_frames_clear(DebyeMapFrames *frames);
/* TRUE where a frame with coordinates that are no numbers can be used: the chosen atoms have some. */
gboolean debye_map_frames_can_use(const DebyeMapFrames *frames, const DebyeFrame *frame);
/* Bytes that each DebyeMapFrame takes beside the frame it is set to. */
gsize debye_map_frames_bytes(const DebyeMapFrames *frames);

/* One frame at a time; all zero to begin with. */
typedef struct {
  DebyeFrame *frame;         /* held: the one that was given, or its copy that was moved */
  float *x, *y, *z, *charge; /* room for what is gathered; NULL: not needed */
  float *own_radius;         /* likewise, of a method that needs radii */
  const float *radius;       /* of the charges, valid as long as they */
  DebyePotentialFrame view;  /* as a kernel takes it, valid until the next set or let_go */
} DebyeMapFrame;

/* Allocates the room. */
gboolean debye_map_frame_init(DebyeMapFrame *self, const DebyeMapFrames *frames, GError **error);
void debye_map_frame_clear(DebyeMapFrame *self);
gboolean debye_map_frame_set(DebyeMapFrame *self, const DebyeMapFrames *frames, const DebyeFrame *frame,
                             GError **error);
/* Of the frame: its buffer can be read into again. The room stays. */
void debye_map_frame_let_go(DebyeMapFrame *self);
