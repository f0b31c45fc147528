/* SPDX-License-Identifier: MIT */
/* Artificial motions, for teaching and testing, applied by scattering_frames.c: the atoms of a selection move
 * as one body, frame by frame, on top of what the trajectory says.
 *
 *   linear:vx,vy,vz             v·t                                       Å/ps
 *   oscillation:ax,ay,az:period a·sin(2πt/period)                         Å, ps
 *   random-walk:step            a step of that length each frame, any direction
 *   brownian:step               a step of three Gaussian parts each frame, whose root mean square is that: so
 *                               ⟨exp(iq·d)⟩ = exp(−q²·step²·n/6) after n frames
 *   localised:step:radius       the same, but steps that would leave a ball of the radius aren't taken
 *   rotational:degrees          each frame a turn about the centre of mass, its three Gaussian parts together
 *                               of that root mean square
 *   fixed                       as in the first frame */
#pragma once

#include "data/molecule/frame.h"
#include "scattering_settings.h"
#include "data/molecule/topology.h"

typedef struct _DebyeScatteringMotions DebyeScatteringMotions;

/* The settings “motion” and “seed”; `frame` is what selections by place look at. Where there are
 * none, *motions is NULL. FALSE with an error. */
gboolean debye_scattering_motions_new(const DebyeScatteringSettings *settings, DebyeTopology *topology,
                                      const DebyeFrame *frame, DebyeScatteringMotions **motions,
                                      GError **error);
void debye_scattering_motions_free(DebyeScatteringMotions *motions);

/* Back to the first frame: every pass has the same steps. */
void debye_scattering_motions_begin(DebyeScatteringMotions *motions);
/* Frames in order of time, each once. Where their times aren't known, a frame is a ps. */
void debye_scattering_motions_apply(DebyeScatteringMotions *motions, DebyeFrame *frame);
