/* SPDX-License-Identifier: MIT */
/* Implementation of note.h: the notes of a result; result.c keeps them. */
#include "note.h"

#include <string.h>

#include "data/messages/count_text.h"
#include "data/messages/message.h"

#define WARNING "Warning: "

static const char *const kinds[DEBYE_NOTE_N_KINDS] = {
    [DEBYE_NOTE_PLAIN] = "plain",
    [DEBYE_NOTE_WARNING] = "warning",
    [DEBYE_NOTE_UNFINISHED] = "unfinished",
    [DEBYE_NOTE_FRAMES] = "frames",
    [DEBYE_NOTE_CAPTION] = "caption",
    [DEBYE_NOTE_DEVICE] = "device",
    [DEBYE_NOTE_SPAN] = "span",
    [DEBYE_NOTE_STRUCTURE] = "structure",
};

gboolean
debye_note_is_warning(const DebyeNote *note)
{
  return note->kind == DEBYE_NOTE_WARNING || note->kind == DEBYE_NOTE_UNFINISHED;
}

gboolean
debye_note_is_of_frames(const DebyeNote *note)
{
  return note->kind == DEBYE_NOTE_FRAMES || note->kind == DEBYE_NOTE_STRUCTURE;
}

/* Of a sentence whose message isn't known it is the text. */
static DebyeNote *
take(DebyeNoteKind kind, const char *about, char *sentence, const char *message)
{
  DebyeNote *note = g_new(DebyeNote, 1);
  *note = (DebyeNote){kind, g_strdup(about), sentence, sentence, NULL};
  if (debye_note_is_warning(note) && g_str_has_prefix(sentence, WARNING))
    note->text += strlen(WARNING);
  note->message = g_strdup(message != NULL ? message : note->text);
  return note;
}

DebyeNote *
debye_note_new_valist(DebyeNoteKind kind, const char *about, const char *format, va_list arguments)
{
  gboolean is_warning = kind == DEBYE_NOTE_WARNING || kind == DEBYE_NOTE_UNFINISHED;
  g_autofree char *message = debye_message_new_valist(format, arguments);
  g_autofree char *text = debye_message_english(message);
  return take(kind, about, g_strconcat(is_warning ? WARNING : "", text, NULL), message);
}

DebyeNote *
debye_note_new(DebyeNoteKind kind, const char *about, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  DebyeNote *note = debye_note_new_valist(kind, about, format, arguments);
  va_end(arguments);
  return note;
}

DebyeNote *
debye_note_copy(const DebyeNote *note)
{
  return take(note->kind, note->about, g_strdup(note->sentence), note->message);
}

void
debye_note_free(DebyeNote *note)
{
  g_free(note->about);
  g_free(note->sentence);
  g_free(note->message);
  g_free(note);
}

char *
debye_note_translate(const DebyeNote *note)
{
  g_autofree char *words = note->text != note->sentence ? debye_say(WARNING "%s", note->message)
                                                        : debye_message_translate(note->message);
  return debye_true_minus_text(words);
}

/* --- Notes of files --- */

const char *
debye_note_kind_name(DebyeNoteKind kind)
{
  return kinds[kind];
}

/* The first versions had no kind of its own for a single structure. */
static DebyeNoteKind
tell_structure(DebyeNoteKind kind, const char *sentence)
{
  const gboolean is_one = kind == DEBYE_NOTE_FRAMES && g_str_has_suffix(sentence, ", 1 of 1 used");
  return is_one ? DEBYE_NOTE_STRUCTURE : kind;
}

/* Versions that stored sentences only began them with their subject and a colon. */
static DebyeNote *
load_old(const char *sentence)
{
  static const struct {
    const char *beginning;
    DebyeNoteKind kind;
  } old[] = {{WARNING, DEBYE_NOTE_WARNING},
             {"Frames: ", DEBYE_NOTE_FRAMES},
             {"Contrast: ", DEBYE_NOTE_CAPTION},
             {"Solvent: ", DEBYE_NOTE_CAPTION},
             {"Medium: ", DEBYE_NOTE_CAPTION}};
  for (gsize i = 0; i < G_N_ELEMENTS(old); i++)
    if (g_str_has_prefix(sentence, old[i].beginning))
      return take(tell_structure(old[i].kind, sentence), NULL, g_strdup(sentence), NULL);
  const char *name = g_str_has_prefix(sentence, "Device ") ? strstr(sentence, " (") : NULL;
  const char *colon = strstr(name != NULL ? name : sentence, name != NULL ? "): " : ": ");
  const char *begin = name != NULL ? name + strlen(" (") : sentence;
  if (colon == NULL)
    return take(DEBYE_NOTE_PLAIN, NULL, g_strdup(sentence), NULL);
  g_autofree char *about = g_strndup(begin, (gsize)(colon - begin));
  return take(name != NULL ? DEBYE_NOTE_DEVICE : DEBYE_NOTE_CAPTION, about, g_strdup(sentence), NULL);
}

DebyeNote *
debye_note_load(const char *sentence, const char *kind, const char *about)
{
  if (kind == NULL)
    return load_old(sentence);
  for (int i = 0; i < DEBYE_NOTE_N_KINDS; i++)
    if (g_str_equal(kind, kinds[i]))
      return take(tell_structure((DebyeNoteKind)i, sentence), about != NULL && *about != '\0' ? about : NULL,
                  g_strdup(sentence), NULL);
  return take(DEBYE_NOTE_PLAIN, NULL, g_strdup(sentence), NULL);
}

static gsize
count(char **texts)
{
  return texts != NULL ? g_strv_length(texts) : 0;
}

GPtrArray *
debye_note_load_all(char **sentences, char **kinds_of, char **subjects, GHashTable *messages)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func((GDestroyNotify)debye_note_free);
  const gsize n = count(sentences);
  const gboolean is_told = count(kinds_of) == n && count(subjects) == n;
  for (gsize i = 0; i < n; i++) {
    g_autofree char *sentence = g_utf8_make_valid(sentences[i], -1);
    g_autofree char *about = is_told ? g_utf8_make_valid(subjects[i], -1) : NULL;
    DebyeNote *note = debye_note_load(sentence, is_told ? kinds_of[i] : NULL, about);
    const char *message = g_hash_table_lookup(messages, note->text);
    g_ptr_array_add(notes, take(note->kind, note->about, g_steal_pointer(&sentence), message));
    debye_note_free(note);
  }
  return notes;
}

/* --- Captions --- */

gboolean
debye_note_is_in_caption(const DebyeNote *note, const DebyeQuantity *quantity)
{
  return note->kind == DEBYE_NOTE_FRAMES || note->kind == DEBYE_NOTE_SPAN ||
         (note->kind == DEBYE_NOTE_CAPTION &&
          (note->about == NULL || g_strcmp0(note->about, quantity->label) == 0));
}
