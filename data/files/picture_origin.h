/* SPDX-License-Identifier: MIT */
/* How a picture was made, as its file keeps it: a title, the command that makes it again, the program's version, and the
 * inputs with their SHA-256. In PNG these are text chunks, in TIFF the description, in SVG and PDF metadata. */
#pragma once

#include "provenance.h"

typedef struct {
  char *title;       /* NULL: none */
  char *command;     /* one line for a shell, in UTF-8, without the output; NULL: none */
  GPtrArray *inputs; /* DebyeInputRecord */
} DebyePictureOrigin;

/* Of the command, bytes that are not UTF-8 and control characters become $'\xHH', which a shell reads as the byte; of the
 * title, \xHH. */
DebyePictureOrigin *debye_picture_origin_new(const char *title, const char *command);
void debye_picture_origin_set_command(DebyePictureOrigin *self, const char *command);
void debye_picture_origin_free(DebyePictureOrigin *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyePictureOrigin, debye_picture_origin_free)
/* Reads the file once. For files above 256 MB, only the size is stored: a picture is not to wait for it. */
gboolean debye_picture_origin_add_input(DebyePictureOrigin *self, const char *path, GError **error);

/* The words of the command with the bytes as they were; NULL: none, or no line of a shell. Free with g_strfreev. */
char **debye_picture_origin_split_command(const DebyePictureOrigin *self);
/* Leaves of each input's path the name: for pictures that are given away. */
void debye_picture_origin_drop_folders(DebyePictureOrigin *self);

/* "Debye 0.1.0". */
char *debye_picture_origin_get_software(void);
/* A line per input: SHA-256 (or -), size in bytes, path, whose backslashes and odd bytes are \xHH. */
char *debye_picture_origin_list_inputs(const DebyePictureOrigin *self);
/* All of it, a line "Title: …", "Software: …", "Command: …", and "Input: …" for each input. */
char *debye_picture_origin_to_text(const DebyePictureOrigin *self);

/* The texts of a PNG file, by their keywords. */
typedef struct {
  const char *keyword;
  char *text;
} DebyePictureText;

/* (element-type DebyePictureText) */
GArray *debye_picture_origin_list_texts(const DebyePictureOrigin *self);

/* From a file that ends in .png, .tiff, .tif or .svg; an error where it has none. */
DebyePictureOrigin *debye_picture_origin_read(const char *path, GError **error);
/* Whether the name ends so. */
gboolean debye_picture_origin_can_read(const char *path);
