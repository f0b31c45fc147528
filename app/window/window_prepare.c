/* SPDX-License-Identifier: MIT */
/* Implementation of window_prepare.h: between the page, what opens documents and what computes. */
#include "window_prepare.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/analysis/prepare/prepare_job.h"
#include "app/preparing/prepare_page.h"
#include "app/scene/electrostatic_surface.h"
#include "ui/widgets/file_question.h"
#include "window_exports.h"
#include "window_residue.h"

struct _DebyeWindowPrepare {
  GObject parent_instance;
  DebyeWindowDocument *document;
  DebyeWindowOpening *opening;
  DebyeWindowComputing *computing;
  DebyePreparePage *page;
  gboolean wants_surface; /* once what is being prepared is there */
  DebyeWindowFrames *frames;
  DebyeResult *solved;   /* the titration that was listed last; NULL: none */
  AdwToast *offer;       /* until the structure is another one; NULL: it isn't shown */
  DebyeDataset *origin;  /* of the document that was shown last, compared only: weak, as it may be gone */
  guint frame;           /* that is shown of a prepared structure's file */
  DebyeDataset *offered; /* was it prepared? asked once for each; NULL: for none */
};

G_DEFINE_FINAL_TYPE(DebyeWindowPrepare, debye_window_prepare, G_TYPE_OBJECT)

static DebyeWindow *
get_window(DebyeWindowPrepare *self)
{
  return debye_window_document_get_window(self->document);
}

static DebyeDocument *
get_document(DebyeWindowPrepare *self)
{
  return debye_window_document_get_document(self->document);
}

/* --- Preparing --- */

/* In the picture, in the colours of the charges that there are; NULL: none. */
static DebyeLayer *
find_surface(DebyeWindowPrepare *self)
{
  DebyeWindowScene *scene = debye_window_document_get_scene(self->document);
  GListModel *layers = scene != NULL ? debye_scene_get_layers(debye_window_scene_get_scene(scene)) : NULL;
  DebyeLayer *surface = layers != NULL ? debye_electrostatic_surface_find(layers, NULL) : NULL;
  return surface != NULL && debye_layer_get_visible(surface) ? surface : NULL;
}

static void
on_order(DebyeWindowPrepare *self, const DebyePreparationOrder *order)
{
  self->wants_surface |= find_surface(self) != NULL;
  debye_window_opening_prepare(self->opening, order);
}

static void
on_show(DebyeWindowPrepare *self, DebyePreparation *preparation)
{
  DebyeLayer *surface = find_surface(self);
  self->wants_surface = preparation != NULL && surface != NULL;
  /* Without charges it would show those that are gone. */
  if (preparation == NULL && surface != NULL)
    debye_layer_set_visible(surface, FALSE);
  debye_window_opening_show_preparation(self->opening, preparation);
}

static void
on_ended(DebyeWindowPrepare *self, const char *problem)
{
  self->wants_surface = FALSE;
  debye_prepare_page_end(self->page, problem);
  if (problem != NULL)
    debye_window_prepare_show(self);
}

static void
run(DebyeWindowPrepare *self, gboolean drops_water)
{
  DebyeFrame *frame = debye_window_document_get_file_frame(self->document);
  const gboolean is_prepared = debye_document_get_preparation(get_document(self)) != NULL;
  if (!is_prepared)
    debye_prepare_page_set_frame(self->page, frame != NULL ? frame->index : 0);
  debye_prepare_page_run(self->page, drops_water);
}

void
debye_window_prepare_run(DebyeWindowPrepare *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_PREPARE(self));
  run(self, FALSE);
}

void
debye_window_prepare_show(DebyeWindowPrepare *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_PREPARE(self));
  debye_window_set_has_page(get_window(self), "prepare", TRUE);
  debye_window_show_page(get_window(self), "prepare");
}

void
debye_window_prepare_undo(DebyeWindowPrepare *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_PREPARE(self));
  debye_prepare_page_undo(self->page);
}

void
debye_window_prepare_choose_state(DebyeWindowPrepare *self, GVariant *values)
{
  g_return_if_fail(DEBYE_IS_WINDOW_PREPARE(self));
  const char *chain, *residue, *state;
  g_variant_get(values, "(&s&s&s)", &chain, &residue, &state);
  debye_prepare_page_choose(self->page, chain, residue, *state != '\0' ? state : NULL);
}

/* --- The electrostatic surface --- */

/* What has no residues that could be prepared leads to what the form says of it. */
void
debye_window_prepare_show_electrostatic(DebyeWindowPrepare *self)
{
  g_return_if_fail(DEBYE_IS_WINDOW_PREPARE(self));
  if (!debye_prepare_page_may_be_bare(self->page)) {
    debye_window_electrostatic_show(self->computing);
    return;
  }
  self->wants_surface = TRUE;
  run(self, TRUE);
}

/* --- In the picture --- */

/* "HIS 57A" is residue 57A; the ends of chains, NTR and CTR, are of the residue with their number. */
static gboolean
is_named(DebyeTopology *topology, const DebyeResidue *residue, const char *chain, const char *name)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(topology);
  const char insertion[2] = {residue->insertion_code, '\0'};
  g_autofree char *number = g_strdup_printf(" %d%s", residue->number, insertion);
  g_autofree char *whole = g_strconcat(debye_string_pool_get(pool, residue->name), number, NULL);
  const gboolean is_end = g_str_has_prefix(name, "NTR ") || g_str_has_prefix(name, "CTR ");
  return strcmp(debye_string_pool_get(pool, residue->chain), chain) == 0 &&
         (is_end ? strcmp(name + 3, number) == 0 : strcmp(name, whole) == 0);
}

static void
show_residue(DebyeWindowPrepare *self, const char *chain, const char *name)
{
  DebyeTopology *topology = debye_document_get_topology(get_document(self));
  const gsize n_residues = topology != NULL ? debye_topology_get_n_residues(topology) : 0;
  for (gsize r = 0; r < n_residues; r++)
    if (is_named(topology, &debye_topology_get_residue_table(topology)[r], chain, name)) {
      debye_window_residue_show(self->document, (guint32)r);
      return;
    }
}

void
debye_window_prepare_show_residue(DebyeWindowPrepare *self, GVariant *values)
{
  g_return_if_fail(DEBYE_IS_WINDOW_PREPARE(self));
  const char *chain, *residue;
  g_variant_get(values, "(&s&s)", &chain, &residue);
  show_residue(self, chain, residue);
}

/* --- Into a file --- */

typedef struct {
  DebyePreparation *preparation;
  char *path;
} Saving;

static void
saving_free(gpointer data)
{
  Saving *saving = data;
  g_object_unref(saving->preparation);
  g_free(saving->path);
  g_free(saving);
}

static gpointer
write_prepared(DebyeJob *job G_GNUC_UNUSED, gpointer data, GError **error)
{
  const Saving *saving = data;
  const DebyePrepared *prepared = debye_preparation_get_prepared(saving->preparation);
  const char *const outputs[] = {saving->path, NULL};
  g_autofree char *lower = g_ascii_strdown(saving->path, -1);
  const gboolean is_written =
      g_str_has_suffix(lower, ".csv")
          ? debye_prepare_job_save_report(prepared, debye_preparation_get_request(saving->preparation),
                                          saving->path, error)
          : debye_prepare_job_save(prepared, outputs, error);
  return is_written ? g_object_ref(saving->preparation) : NULL;
}

void
debye_window_prepare_save(DebyeWindowPrepare *self, const char *path)
{
  g_return_if_fail(DEBYE_IS_WINDOW_PREPARE(self) && path != NULL);
  DebyePreparation *preparation = debye_document_get_preparation(get_document(self));
  if (preparation == NULL)
    return;
  Saving *saving = g_new0(Saving, 1);
  saving->preparation = g_object_ref(preparation);
  saving->path = g_strdup(path);
  g_autoptr(DebyeJob) job = debye_window_exports_job_new(path, write_prepared, saving, saving_free);
  debye_window_exports_add(self->document, job);
}

static void
on_path_chosen(const char *path, gpointer data)
{
  debye_window_prepare_save(data, path);
}

static void
on_ligand_chosen(GtkFileChooser *chooser, gpointer data)
{
  g_autofree char *path = debye_file_question_get_path(chooser);
  if (path != NULL)
    debye_prepare_page_add_ligand(DEBYE_WINDOW_PREPARE(data)->page, path);
}

static void
on_choose_ligand(DebyeWindowPrepare *self)
{
  GtkFileFilter *filter = gtk_file_filter_new();
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new(
      _("Choose a ligand"), GTK_WINDOW(get_window(self)), GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  gtk_file_filter_set_name(filter, _("Ligands (Mol2, SDF, mmCIF)"));
  for (const char *const *suffix = (const char *const[]){"mol2", "sdf", "mol", "cif", NULL}; *suffix != NULL;
       suffix++)
    gtk_file_filter_add_suffix(filter, *suffix);
  gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(chooser), filter);
  g_object_unref(filter);
  debye_file_question_ask(chooser, on_ligand_chosen, self, NULL);
}

static void
on_save(DebyeWindowPrepare *self)
{
  static const char *const suffixes[] = {"pqr", N_("Charges and radii"),
                                         "pdb", N_("Protein Data Bank"),
                                         "cif", N_("mmCIF with charges, radii and bonds"),
                                         "csv", N_("CSV, the list of residues"),
                                         NULL};
  g_autofree char *name = debye_window_document_suggest_name(self->document, ".pqr");
  debye_window_exports_choose_path(get_window(self), _("Save the prepared structure"), name, suffixes,
                                   on_path_chosen, self, NULL);
}

/* --- The offer --- */

/* Once for each file: a form is shown that needs charges, which the file lacks. */
static void
offer(DebyeWindowPrepare *self)
{
  static const char *const needing[] = {"map", "ions", NULL};
  DebyeAnalysisForm *form = debye_analysis_panel_get_form(debye_window_get_analysis_panel(get_window(self)));
  DebyeDataset *dataset = debye_window_document_get_dataset(self->document);
  if (form == NULL || !g_strv_contains(needing, debye_analysis_form_get_table(form)->id) ||
      dataset == self->offered)
    return;
  g_autofree char *lack = debye_prepare_page_describe_lack(self->page);
  if (lack == NULL)
    return;
  g_autofree char *text = g_strdup_printf(_("This file lacks %s"), lack);
  g_set_object(&self->offered, dataset);
  g_set_weak_pointer(&self->offer,
                     debye_window_toast_with_action(get_window(self), text, _("Prepare…"), "win.prepare"));
}

static void
on_found(DebyeWindowPrepare *self, gboolean is_found)
{
  debye_window_set_has_page(get_window(self), "prepare", is_found);
}

/* After a step back to the file the model that was prepared stays in the picture. */
static void
keep_model(DebyeWindowPrepare *self, DebyeDocument *document)
{
  DebyePreparation *preparation = document != NULL ? debye_document_get_preparation(document) : NULL;
  DebyePrepareJobSettings settings = {.model = 1};
  if (preparation != NULL)
    debye_request_fill(debye_preparation_get_request(preparation), &settings);
  else if (self->frame > 0 && document != NULL && self->origin != NULL &&
           self->origin == debye_document_get_origin(document))
    debye_window_frames_go_to(self->frames, self->frame);
  self->frame = (guint)(settings.model - 1);
  g_set_weak_pointer(&self->origin, document != NULL ? debye_document_get_origin(document) : NULL);
}

/* Of sites beside the plot: charges as the structure has them. */
static void
show_ph(DebyeWindowPrepare *self, DebyePreparation *preparation)
{
  DebyePlotPanel *panel = debye_window_get_plot_panel(get_window(self));
  DebyePrepareJobSettings settings = {.ph = (double)NAN};
  if (preparation != NULL)
    debye_request_fill(debye_preparation_get_request(preparation), &settings);
  debye_plot_numbers_set_ph(debye_plot_panel_get_numbers(panel), settings.ph);
}

/* Once: one that a person removed from the list stays away. */
static void
list_titration(DebyeWindowPrepare *self, DebyePreparation *preparation)
{
  DebyeResult *solved = preparation != NULL ? debye_preparation_get_solved(preparation) : NULL;
  if (solved != NULL && g_set_object(&self->solved, solved))
    debye_window_document_add_result(self->document, solved);
}

static void
on_document_changed(DebyeWindowPrepare *self)
{
  DebyePreparation *preparation = debye_document_get_preparation(get_document(self));
  if (self->offer != NULL)
    adw_toast_dismiss(self->offer);
  debye_prepare_page_set_document(self->page, get_document(self));
  if (preparation != NULL && self->wants_surface)
    debye_window_electrostatic_show(self->computing);
  self->wants_surface = FALSE;
  list_titration(self, preparation);
  show_ph(self, preparation);
  keep_model(self, get_document(self));
}

/* --- The object --- */

DebyeWindowPrepare *
debye_window_prepare_new(DebyeWindowOpening *opening, DebyeWindowComputing *computing,
                         DebyeWindowFrames *frames)
{
  DebyeWindowPrepare *self = g_object_new(DEBYE_TYPE_WINDOW_PREPARE, NULL);
  const GConnectFlags swapped = G_CONNECT_SWAPPED;
  self->opening = g_object_ref(opening);
  self->computing = g_object_ref(computing);
  self->frames = g_object_ref(frames);
  self->document = g_object_ref(debye_window_computing_get_document(computing));
  self->page = debye_prepare_page_new(debye_window_get_prepare_panel(get_window(self)));
  g_signal_connect_object(self->page, "order", G_CALLBACK(on_order), self, swapped);
  g_signal_connect_object(self->page, "show", G_CALLBACK(on_show), self, swapped);
  g_signal_connect_object(self->page, "residue", G_CALLBACK(show_residue), self, swapped);
  g_signal_connect_object(self->page, "save", G_CALLBACK(on_save), self, swapped);
  g_signal_connect_object(self->page, "choose-ligand", G_CALLBACK(on_choose_ligand), self, swapped);
  g_signal_connect_object(self->page, "found", G_CALLBACK(on_found), self, swapped);
  g_signal_connect_object(self->page, "found", G_CALLBACK(offer), self, swapped);
  g_signal_connect_object(opening, "preparing-ended", G_CALLBACK(on_ended), self, swapped);
  g_signal_connect_object(self->document, "changed", G_CALLBACK(on_document_changed), self, swapped);
  g_signal_connect_object(debye_plot_panel_get_numbers(debye_window_get_plot_panel(get_window(self))),
                          "site-chosen", G_CALLBACK(show_residue), self, swapped);
  g_signal_connect_object(debye_window_get_analysis_panel(get_window(self)), "turned", G_CALLBACK(offer),
                          self, swapped);
  return self;
}

static void
debye_window_prepare_finalize(GObject *object)
{
  DebyeWindowPrepare *self = DEBYE_WINDOW_PREPARE(object);
  g_clear_object(&self->page);
  g_clear_weak_pointer(&self->offer);
  g_clear_weak_pointer(&self->origin);
  g_clear_object(&self->offered);
  g_clear_object(&self->solved);
  g_clear_object(&self->frames);
  g_clear_object(&self->computing);
  g_clear_object(&self->opening);
  g_clear_object(&self->document);
  G_OBJECT_CLASS(debye_window_prepare_parent_class)->finalize(object);
}

static void
debye_window_prepare_class_init(DebyeWindowPrepareClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_window_prepare_finalize;
}

static void
debye_window_prepare_init(DebyeWindowPrepare *self)
{
  self->wants_surface = FALSE;
}
