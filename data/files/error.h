/* SPDX-License-Identifier: MIT */
/* Every error of the data layer: one sentence that names the file, the place (line, frame or byte), what was
 * expected and what was found, e.g. "water.gro: line 12: expected a number for x, found “1,234”". */
#pragma once

#include <glib.h>

#define DEBYE_ERROR (debye_error_quark())

typedef enum {
  DEBYE_ERROR_OPEN,      /* can't be opened or read: the system's own reason follows */
  DEBYE_ERROR_UNKNOWN,   /* no format recognises the content */
  DEBYE_ERROR_SYNTAX,    /* the content contradicts its format */
  DEBYE_ERROR_TRUNCATED, /* the file ends before it should */
  DEBYE_ERROR_LIMIT,     /* a count in the file is beyond what the file can hold */
  DEBYE_ERROR_MISMATCH,  /* two files, or two frames, don't belong together */
  DEBYE_ERROR_VALUE,     /* a value that can't be used: NaN, a singular cell, a setting out of range */
  DEBYE_ERROR_SELECTION, /* a selection text that can't be understood or applied */
  DEBYE_ERROR_MISSING,   /* something needed is not there: charges, a cell, coordinates */
  DEBYE_ERROR_WRITE,     /* can't be written; the old file stands */
  DEBYE_ERROR_MEMORY,    /* more memory needed than there is or than was allowed */
  DEBYE_ERROR_DEVICE,    /* no device could do the work */
  DEBYE_ERROR_SETTING,   /* a setting's text that means nothing, whatever the files hold */
  DEBYE_ERROR_STOPPED,   /* an analysis was stopped and says what is left of it */
} DebyeError;

GQuark debye_error_quark(void);

/* Whether somebody stopped the work: an analysis, or with G_IO_ERROR_CANCELLED the reading or writing of a file. */
gboolean debye_error_is_stop(const GError *error);

/* A sentence in the language of the program (data/messages/message.h), whose format is marked for translation by
 * standing here. What it is filled in with may be a message. All that set an error are always FALSE, to be returned. */
gboolean debye_error_set(GError **error, DebyeError code, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* The same with "NAME: " before it, of the file or of the setting that it is about. A setting's label is kept as it is,
 * and put into the language. */
gboolean debye_error_set_of_file(GError **error, DebyeError code, const char *name, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
gboolean debye_error_set_about(GError **error, DebyeError code, const char *label, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
void debye_error_name_setting(GError **error, const char *label);
/* The label, NULL where it is about none; the sentence without such a name, and the same as data. */
const char *debye_error_get_setting(const GError *error);
const char *debye_error_get_text(const GError *error);
const char *debye_error_get_message(const GError *error);
/* Puts it before the message, as g_prefix_error. */
void debye_error_prefix(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Where a pointer is to be returned: return debye_null(debye_error_set(…)). */
static inline gpointer
debye_null(gboolean has_set G_GNUC_UNUSED)
{
  return NULL;
}

/* "water.gro: not enough memory for 300 velocities"; NULL where whoever asked will put the file before it. */
gboolean debye_error_set_memory(GError **error, const char *file, gsize n, const char *what);

/* How a message calls a file, in valid UTF-8: as it was given, so that run1/a.xtc isn't taken for run2/a.xtc;
 * of an absolute path, which the window's dialogs give, the last part. */
char *debye_error_name_file(const char *path);
/* Puts the output's name before an error that came while it was written, unless it has one. */
void debye_error_name_output(const char *path, GError **error);
