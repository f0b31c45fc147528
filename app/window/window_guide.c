/* SPDX-License-Identifier: MIT */
/* The guide of a window's sample, step by step; added by window_controller.c, started by window_opening.c. */
#include "window_guide.h"

#include <glib/gi18n.h>

#include "app/lessons/hand_out.h"
#include "window_exports.h"

#define KEY "debye-window-guide"
/* The word before what debye-cli would take. */
#define RUN "run "

typedef struct {
  GPtrArray *samples;        /* all, NULL: there is no guide now */
  const DebyeSample *sample; /* of these the one whose guide it is, as are its */
  GArray *steps;
  guint number; /* of the step that is shown */
  guint n_done; /* of the deeds of the step that is being done */
  gboolean is_doing;
} Guide;

static void
guide_free(gpointer data)
{
  Guide *guide = data;
  g_clear_pointer(&guide->steps, g_array_unref);
  g_clear_pointer(&guide->samples, g_ptr_array_unref);
  g_free(guide);
}

static Guide *
get_guide(DebyeWindowComputing *self)
{
  return g_object_get_data(G_OBJECT(self), KEY);
}

static DebyeWindow *
get_window(DebyeWindowComputing *self)
{
  return debye_window_document_get_window(debye_window_computing_get_document(self));
}

static DebyeGuideBar *
get_bar(DebyeWindowComputing *self)
{
  return debye_window_get_guide_bar(get_window(self));
}

/* --- Steps --- */

void
debye_window_guide_show_step(DebyeWindowComputing *self, int number)
{
  Guide *guide = get_guide(self);
  if (guide->steps == NULL || number < 0 || (guint)number >= guide->steps->len)
    return;
  const DebyeSampleStep *step = &g_array_index(guide->steps, DebyeSampleStep, number);
  guide->number = (guint)number;
  guide->is_doing = FALSE;
  const DebyeGuideStep shown = {.title = step->title,
                                .text = step->text != NULL ? step->text : "",
                                .answer = step->answer,
                                .minutes = step->minutes,
                                .drawing = step->drawing,
                                .deed = step->button};
  debye_guide_bar_show_step(get_bar(self), guide->number, guide->steps->len, &shown);
}

/* "show-page('scene')", "frame(0)", "play(true)": a parameter where the action takes one, else its state. */
static void
activate(DebyeWindowComputing *self, const char *deed)
{
  GActionGroup *group = G_ACTION_GROUP(get_window(self));
  g_autoptr(GVariant) value = NULL;
  g_autofree char *name = NULL;
  if (!g_action_parse_detailed_name(deed, &name, &value, NULL) ||
      !g_action_group_get_action_enabled(group, name))
    return;
  if (value != NULL && g_action_group_get_action_state_type(group, name) != NULL)
    g_action_group_change_action_state(group, name, value);
  else
    g_action_group_activate_action(group, name, value);
}

static void
run(DebyeWindowComputing *self, const char *command)
{
  DebyeAnalysisForm *form = debye_window_computing_fill_form(self, command);
  debye_window_show_page(get_window(self), "analyse");
  debye_window_computing_run_form(self, form);
}

/* What stands behind a computation waits for its result. */
static void
go_on(DebyeWindowComputing *self)
{
  Guide *guide = get_guide(self);
  while (guide->is_doing) {
    const DebyeSampleStep *step = &g_array_index(guide->steps, DebyeSampleStep, guide->number);
    const char *deed = step->deeds[guide->n_done];
    guide->is_doing = deed != NULL;
    guide->n_done++;
    if (deed != NULL && g_str_has_prefix(deed, RUN)) {
      run(self, deed + strlen(RUN));
      return;
    }
    if (deed != NULL)
      activate(self, deed);
  }
}

static void
on_results_changed(DebyeWindowComputing *self, guint position G_GNUC_UNUSED, guint n_removed G_GNUC_UNUSED,
                   guint n_added)
{
  if (n_added > 0)
    go_on(self);
}

void
debye_window_guide_do_step(DebyeWindowComputing *self)
{
  Guide *guide = get_guide(self);
  guide->is_doing = guide->steps != NULL;
  guide->n_done = 0;
  go_on(self);
}

/* --- Hand-out --- */

typedef struct {
  DebyeWindowDocument *document;
  GPtrArray *samples;
  const DebyeSample *sample; /* one of these */
  gboolean has_answers;
  char *path;
} HandOut;

static void
hand_out_free(gpointer data)
{
  HandOut *self = data;
  g_ptr_array_unref(self->samples);
  g_free(self->path);
  g_free(self);
}

static gpointer
write_hand_out(DebyeJob *job, gpointer data, GError **error)
{
  const HandOut *self = data;
  (void)job;
  debye_hand_out_save(self->sample, self->has_answers, self->path, error);
  return NULL;
}

static void
on_hand_out_path(const char *path, gpointer data)
{
  HandOut *writing = g_new(HandOut, 1);
  *writing = *(const HandOut *)data;
  writing->path = g_strdup(path);
  g_ptr_array_ref(writing->samples);
  g_autoptr(DebyeJob) job = debye_window_exports_job_new(path, write_hand_out, writing, hand_out_free);
  debye_window_exports_add(writing->document, job);
}

static void
on_hand_out(DebyeWindowComputing *self, gboolean has_answers)
{
  const char *const suffixes[] = {"pdf", N_("PDF"), NULL};
  const Guide *guide = get_guide(self);
  if (guide->samples == NULL)
    return;
  HandOut *asked = g_new0(HandOut, 1);
  *asked = (HandOut){.document = debye_window_computing_get_document(self),
                     .samples = g_ptr_array_ref(guide->samples),
                     .sample = guide->sample,
                     .has_answers = has_answers};
  g_autofree char *name = g_strconcat(guide->sample->name, ".pdf", NULL);
  debye_window_exports_choose_path(get_window(self), _("Hand-out as PDF"), name, suffixes, on_hand_out_path,
                                   asked, hand_out_free);
}

/* --- Beginning and end --- */

void
debye_window_guide_start(DebyeWindowComputing *self, const char *name)
{
  g_return_if_fail(DEBYE_IS_WINDOW_COMPUTING(self) && name != NULL);
  g_autoptr(GPtrArray) samples = debye_installation_list_samples(NULL);
  debye_window_guide_end(self);
  for (guint i = 0; samples != NULL && i < samples->len; i++) {
    const DebyeSample *sample = g_ptr_array_index(samples, i);
    if (!g_str_equal(sample->name, name) || sample->steps->len == 0)
      continue;
    Guide *guide = get_guide(self);
    guide->steps = g_array_ref(sample->steps);
    guide->samples = g_ptr_array_ref(samples);
    guide->sample = sample;
    break;
  }
  debye_window_guide_show_step(self, 0);
}

void
debye_window_guide_end(DebyeWindowComputing *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_COMPUTING(self));
  get_guide(self)->is_doing = FALSE;
  g_clear_pointer(&get_guide(self)->steps, g_array_unref);
  g_clear_pointer(&get_guide(self)->samples, g_ptr_array_unref);
  debye_guide_bar_hide(get_bar(self));
}

void
debye_window_guide_add(DebyeWindowComputing *self)
{
  DebyeGuideBar *bar = get_bar(self);
  GListModel *results = debye_window_document_get_results(debye_window_computing_get_document(self));
  g_object_set_data_full(G_OBJECT(self), KEY, g_new0(Guide, 1), guide_free);
  g_signal_connect_object(results, "items-changed", G_CALLBACK(on_results_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(bar, "do", G_CALLBACK(debye_window_guide_do_step), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(bar, "step", G_CALLBACK(debye_window_guide_show_step), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(bar, "hand-out", G_CALLBACK(on_hand_out), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(bar, "closed", G_CALLBACK(debye_window_guide_end), self, G_CONNECT_SWAPPED);
}
