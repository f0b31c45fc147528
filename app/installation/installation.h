/* SPDX-License-Identifier: MIT */
/* Where the parts that come with the program lie: back end modules, samples and translations. Both programs
 * ask here. */
#pragma once

#include <glib.h>

/* DEBYE_BACKEND_DIR where set, else the installed folder. */
const char *debye_installation_get_backend_dir(void);

/* DEBYE_LOCALE_DIR where set, else the installed folder. */
const char *debye_installation_get_locale_dir(void);

/* A program of ours that is started by the others: in DEBYE_LIBEXEC_DIR where set, else beside the folder of this program
 * where it isn't installed, else in the installed folder. NULL with DEBYE_ERROR_MISSING. */
char *debye_installation_find_helper(const char *name, GError **error);

/* Where recordings of the class room's ladders may lie (app/classroom/classroom_recording.h): the user's own,
 * ~/.local/share/debye/recordings, and beside the samples. */
char **debye_installation_list_recording_dirs(void);

/* A step of a sample's guide. */
typedef struct {
  char *title, *text;
  char *answer;  /* to the question of the text, to be shown when it is asked for; NULL: none */
  guint minutes; /* that it takes in a lecture; 0: not told */
  char *drawing; /* of ui/manual/guide_drawing.h; NULL: none */
  char *button;  /* what the button says that does it; NULL: there is nothing but to read */
  char **deeds; /* in order: "run map --spacing 1", or an action of the window such as "show-page('scene')" */
} DebyeSampleStep;

/* A sample that comes with the program. */
typedef struct {
  char *name, *title, *description;
  char *command;     /* arguments of debye-cli that show what it is for, without files; or NULL */
  char **paths;      /* where its files lie, in the order to open them */
  char *grow;        /* its only file is grown where it is asked for: the rule of app/aggregates; or NULL */
  GArray *steps;     /* (element-type DebyeSampleStep): its guide, in the words of the locale; may be empty */
  gboolean is_first; /* one of those that a newcomer sees first */
} DebyeSample;

/* All, in the order of the index. NULL with DEBYE_ERROR_MISSING or the reason. */
GPtrArray *debye_installation_list_samples(GError **error); /* (element-type DebyeSample) */
