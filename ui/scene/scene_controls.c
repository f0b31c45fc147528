/* SPDX-License-Identifier: MIT */
/* The controls of layers that belong to the scene or annotate it, called by layer_controls.c: the box and its
 * neighbours, the clipping plane, labels, hydrogen bonds, measurements. */
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
