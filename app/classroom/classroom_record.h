/* SPDX-License-Identifier: MIT */
/* A record in the making, between the class room's jobs. */
#pragma once

#include "classroom.h"

G_BEGIN_DECLS

DebyeClassroomRecord *debye_classroom_record_new(const char *subject);
DebyeClassroomRecord *debye_classroom_record_copy(DebyeClassroomRecord *self);
/* A ladder's record (NULL: none) and that of the class's own kernel as one, whose last step is the class's. */
DebyeClassroomRecord *debye_classroom_record_join(DebyeClassroomRecord *ladder, DebyeClassroomRecord *ours);

G_END_DECLS
