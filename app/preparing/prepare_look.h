/* SPDX-License-Identifier: MIT */
/* What a structure lacks, found on a thread. Called by prepare_page.c. */
#pragma once

#include <gio/gio.h>

#include "data/molecule/frame.h"
#include "data/prepare/prepare_survey.h"
#include "data/settings/request.h"

/* `ready` is called with `source` unless `cancellable` is cancelled before. */
void debye_prepare_look_start(GObject *source, DebyeTopology *topology, DebyeFrame *frame,
                              DebyeRequest *request, GCancellable *cancellable, GAsyncReadyCallback ready);
/* Clear it and g_free it; NULL: it was cancelled. */
DebyePrepareSurvey *debye_prepare_look_finish(GAsyncResult *result);
