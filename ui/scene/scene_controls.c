/* SPDX-License-Identifier: MIT */
/* The controls of layers that belong to the scene or annotate it, called by layer_controls.c: the box and its
 * neighbours, the clipping plane, the alignment, labels, hydrogen bonds, measurements. */
#include "layer_controls.h"

#include <glib/gi18n.h>
#include "molecule_mesh_controls.h"
#include "layer_choice_controls.h"

/* A number of neighbours in a spin button. */
static GtkWidget *
create_count(DebyeLayer *layer, const char *property, const char *name)
{
  GtkWidget *spin = gtk_spin_button_new_with_range(0.0, DEBYE_MAX_IMAGES, 1.0);
  gtk_accessible_update_property(GTK_ACCESSIBLE(spin), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_tooltip_text(spin, name);
  debye_layer_controls_bind(layer, property, spin, "value");
  return spin;
}

void
debye_box_controls_fill(AdwExpanderRow *row, DebyeBoxLayer *layer)
{
  static const char *const placings[] = {N_("As in the file"), N_("Whole"), N_("In the cell"), NULL};
  DebyeLayer *base = DEBYE_LAYER(layer);
  GtkWidget *molecules =
      debye_layer_controls_choice(base, "molecules", _("Molecules at the cell's faces"), placings);
  gtk_widget_set_tooltip_text(molecules,
                              _("How the picture places molecules that the cell cuts. Maps and other results "
                                "are of frames as the file has them, and so is the picture in live mode."));
  debye_layer_controls_add_line(row, _("Molecules"), molecules);
  debye_layer_controls_add_line(row, _("Along a"),
                                create_count(base, "images-a", _("Neighbours on each side along a")));
  debye_layer_controls_add_line(row, _("Along b"),
                                create_count(base, "images-b", _("Neighbours on each side along b")));
  debye_layer_controls_add_line(row, _("Along c"),
                                create_count(base, "images-c", _("Neighbours on each side along c")));
}

void
debye_clip_controls_fill(AdwExpanderRow *row, DebyeClipLayer *layer)
{
  static const char *const directions[] = {N_("Across x"), N_("Across y"), N_("Across z"),
                                           N_("Across the view"), NULL};
  DebyeLayer *base = DEBYE_LAYER(layer);
  GtkWidget *flipped = gtk_switch_new();
  gtk_widget_set_halign(flipped, GTK_ALIGN_END);
  gtk_accessible_update_property(GTK_ACCESSIBLE(flipped), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Other side"), -1);
  debye_layer_controls_bind(base, "flipped", flipped, "active");
  debye_layer_controls_add_line(row, _("Plane"),
                                debye_layer_controls_choice(base, "direction", _("Plane"), directions));
  debye_layer_controls_add_line(
      row, _("Position"),
      debye_layer_controls_slider(base, "position", _("Position of the clipping plane"), 0.0, 1.0, NULL));
  debye_layer_controls_add_line(row, _("Other side"), flipped);
}

/* Half a name is no reference: Enter takes it, or leaving the entry. */
static void
take_reference(DebyeAlignmentLayer *layer, GtkWidget *entry)
{
  const char *text = gtk_editable_get_text(GTK_EDITABLE(entry));
  if (g_strcmp0(text, debye_alignment_layer_get_reference(layer)) == 0)
    return;
  debye_layer_edit(DEBYE_LAYER(layer), "reference");
  g_object_set(layer, "reference", text, NULL);
}

static void
on_reference_activated(GtkWidget *entry, DebyeAlignmentLayer *layer)
{
  take_reference(layer, entry);
}

static void
on_reference_left(GtkEventController *focus, DebyeAlignmentLayer *layer)
{
  take_reference(layer, gtk_event_controller_get_widget(focus));
}

static GtkWidget *
create_reference(DebyeAlignmentLayer *layer)
{
  GtkWidget *entry = gtk_entry_new();
  GtkEventController *focus = gtk_event_controller_focus_new();
  gtk_widget_set_tooltip_text(entry, _("frame:N (of the trajectory) or file:FILE"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Reference"), -1);
  g_object_bind_property(layer, "reference", entry, "text", G_BINDING_SYNC_CREATE);
  g_signal_connect_object(entry, "activate", G_CALLBACK(on_reference_activated), layer, G_CONNECT_DEFAULT);
  g_signal_connect_object(focus, "leave", G_CALLBACK(on_reference_left), layer, G_CONNECT_DEFAULT);
  gtk_widget_add_controller(entry, focus);
  return entry;
}

void
debye_alignment_controls_fill(AdwExpanderRow *row, DebyeAlignmentLayer *layer, DebyeTopology *topology)
{
  DebyeLayer *base = DEBYE_LAYER(layer);
  GtkWidget *entry = debye_layer_choice_controls_new(base, _("Atoms to superpose"), topology, NULL);
  GtkWidget *by_mass = gtk_switch_new();
  gtk_widget_set_tooltip_text(entry,
                              _("The picture superposes these atoms of each frame on the reference. Maps "
                                "and other results stay as they are."));
  gtk_widget_set_halign(by_mass, GTK_ALIGN_END);
  gtk_accessible_update_property(GTK_ACCESSIBLE(by_mass), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Weighted by mass"), -1);
  debye_layer_controls_bind(base, "by-mass", by_mass, "active");
  debye_layer_controls_add_line(row, _("Atoms"), entry);
  debye_layer_controls_add_line(row, _("Reference"), create_reference(layer));
  debye_layer_controls_add_line(row, _("Weighted by mass"), by_mass);
}

void
debye_label_controls_fill(AdwExpanderRow *row, DebyeLabelLayer *layer, DebyeTopology *topology)
{
  static const char *const contents[] = {N_("Residue"), N_("Atom name"), N_("Atom index"), NULL};
  GtkWidget *entry = debye_layer_choice_controls_new(DEBYE_LAYER(layer), _("Atoms to label"), topology,
                                                     debye_label_layer_get_frame(layer));
  debye_layer_controls_add_line(
      row, _("Text"),
      debye_layer_controls_choice(DEBYE_LAYER(layer), "content", _("Text of the labels"), contents));
  debye_layer_controls_add_line(row, _("Atoms"), entry);
}

void
debye_hydrogen_bond_controls_fill(AdwExpanderRow *row, DebyeHydrogenBondLayer *layer, DebyeTopology *topology)
{
  DebyeLayer *base = DEBYE_LAYER(layer);
  debye_layer_controls_add_line(row, _("Distance"),
                                debye_layer_controls_slider(base, "distance",
                                                            _("Largest distance of donor and acceptor"), 2.5,
                                                            4.5, "Å"));
  debye_layer_controls_add_line(row, _("Angle"),
                                debye_layer_controls_slider(base, "angle",
                                                            _("Largest angle of hydrogen, donor, acceptor"),
                                                            0.0, 90.0, "°"));
  debye_molecule_mesh_controls_add_atoms(row, DEBYE_MOLECULE_MESH_LAYER(layer), topology);
}
