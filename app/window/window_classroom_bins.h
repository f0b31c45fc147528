/* SPDX-License-Identifier: MIT */
/* The rows and figures of the classroom's lesson on bins; used by window_classroom.c. */
#pragma once

#include "app/classroom/classroom.h"
#include "ui/manual/classroom_lesson.h"

G_BEGIN_DECLS

void debye_window_classroom_show_bins(DebyeClassroomLesson *lesson, DebyeClassroomRecord *record);

G_END_DECLS
