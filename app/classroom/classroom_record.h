/* SPDX-License-Identifier: MIT */
/* A record in the making, between the class room's jobs. */
#pragma once

#include "classroom.h"

G_BEGIN_DECLS

DebyeClassroomRecord *debye_classroom_record_new(const char *subject);
DebyeClassroomRecord *debye_classroom_record_copy(DebyeClassroomRecord *self);

G_END_DECLS
