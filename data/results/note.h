/* SPDX-License-Identifier: MIT */
/* A note of a result: a sentence as data, what kind of note it is and what it is about, so that nobody
 * looks for that in the sentence. */
#pragma once

#include "quantity.h"

/* Files name them (note_kinds): add at the end, rename none. */
typedef enum {
  DEBYE_NOTE_PLAIN,
  DEBYE_NOTE_WARNING,
  DEBYE_NOTE_UNFINISHED, /* a warning that is outdated when the job is continued */
  DEBYE_NOTE_FRAMES,     /* which frames were used */
  DEBYE_NOTE_CAPTION,    /* how a quantity is normalised, what was subtracted: belongs in a plot's caption */
  DEBYE_NOTE_DEVICE,     /* what a device computed */
  DEBYE_NOTE_SPAN,       /* how many frames and from when to when: in a caption instead of which */
  DEBYE_NOTE_STRUCTURE,  /* the same as FRAMES of a single structure, which has none that a reader asks for */
  DEBYE_NOTE_N_KINDS,
} DebyeNoteKind;

/* Immutable. */
typedef struct {
  DebyeNoteKind kind;
  char *about;      /* of a caption the label of its quantity, NULL: of all; of a device its name */
  char *sentence;   /* whole, in English: "Warning: …" */
  const char *text; /* the sentence without "Warning: " */
  char *message;    /* the same as data (data/messages/message.h) */
} DebyeNote;

/* The format of a warning is without "Warning: ". What it is filled in with may be a message. */
DebyeNote *debye_note_new(DebyeNoteKind kind, const char *about, const char *format, ...) G_GNUC_PRINTF(3, 4);
DebyeNote *debye_note_new_valist(DebyeNoteKind kind, const char *about, const char *format, va_list arguments)
    G_GNUC_PRINTF(3, 0);
DebyeNote *debye_note_copy(const DebyeNote *note);
void debye_note_free(DebyeNote *note);

/* The sentence in the language of the window, with true minus signs. Free with g_free. */
char *debye_note_translate(const DebyeNote *note);

/* A note of a file: `kind` and `about` as debye_note_kind_name() and the member gave them. NULL: the file is of
 * a version that stored the sentence only, whose kind is then found by how that version began it. */
DebyeNote *debye_note_load(const char *sentence, const char *kind, const char *about);
/* All of a file; kinds and subjects that are missing, or not as many, are ignored. `messages`: what the file has of
 * them, by their English texts. (element-type DebyeNote) */
GPtrArray *debye_note_load_all(char **sentences, char **kinds, char **subjects, GHashTable *messages);
const char *debye_note_kind_name(DebyeNoteKind kind);

gboolean debye_note_is_warning(const DebyeNote *note);
/* Which frames were used, or that there was only one. */
gboolean debye_note_is_of_frames(const DebyeNote *note);
/* Whether the note says how the quantity is normalised, what was taken off, or of which frames it is. */
gboolean debye_note_is_in_caption(const DebyeNote *note, const DebyeQuantity *quantity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeNote, debye_note_free)
