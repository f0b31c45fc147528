/* SPDX-License-Identifier: MIT */
/* Questions for files, see file_question.h. */
#include "file_question.h"

#define KEY "debye-file-question"

/* Kept with the chooser. */
typedef struct {
  DebyeFileChosen chosen;
  gpointer data;
  GDestroyNotify free_data;
  gulong window_handler;
} Question;

static void
question_free(gpointer data)
{
  Question *question = data;
  if (question->free_data != NULL)
    question->free_data(question->data);
  g_free(question);
}

static void
on_window_destroyed(GtkNativeDialog *chooser)
{
  gtk_native_dialog_hide(chooser);
  g_object_unref(chooser);
}

/* The answer may close the window, which must not let go of the chooser a second time. GTK's own handler of
 * that signal stays: it has the same data, so this one goes by its number. */
static void
on_response(GtkNativeDialog *chooser, int response, const Question *question)
{
  g_signal_handler_disconnect(gtk_native_dialog_get_transient_for(chooser), question->window_handler);
  if (response == GTK_RESPONSE_ACCEPT)
    question->chosen(GTK_FILE_CHOOSER(chooser), question->data);
  g_object_unref(chooser);
}

void
debye_file_question_ask(GtkFileChooserNative *chooser, DebyeFileChosen chosen, gpointer data,
                        GDestroyNotify free_data)
{
  GtkNativeDialog *dialog = GTK_NATIVE_DIALOG(chooser);
  g_return_if_fail(gtk_native_dialog_get_transient_for(dialog) != NULL);
  Question *question = g_new(Question, 1);
  *question = (Question){.chosen = chosen, .data = data, .free_data = free_data};
  g_object_set_data_full(G_OBJECT(chooser), KEY, question, question_free);
  g_signal_connect(chooser, "response", G_CALLBACK(on_response), question);
  question->window_handler =
      g_signal_connect_object(gtk_native_dialog_get_transient_for(dialog), "destroy",
                              G_CALLBACK(on_window_destroyed), chooser, G_CONNECT_SWAPPED);
  gtk_native_dialog_set_modal(dialog, TRUE);
  gtk_native_dialog_show(dialog);
}

char *
debye_file_question_get_path(GtkFileChooser *chooser)
{
  g_autoptr(GFile) file = gtk_file_chooser_get_file(chooser);
  return file != NULL ? g_file_get_path(file) : NULL;
}
