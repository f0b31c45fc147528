/* SPDX-License-Identifier: MIT */
/* From where the window shows a molecule first: across what is long of it. */
#pragma once

#include "data/trajectory/dataset.h"
#include "render/layers/camera.h"

/* Turns the camera where it looks along a molecule's long axis, or nearly: by as little as brings that axis from left to right.
 * What has no long axis, or lies across already, is seen as its file has it. Target and height are left to who frames it. */
void debye_first_view_turn(DebyeCamera *camera, DebyeTopology *topology, const DebyeFrame *frame);
