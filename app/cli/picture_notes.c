/* SPDX-License-Identifier: MIT */
/* Adds labels, measurements and the clipping plane to a picture; declared in picture.h, called by
 * command_render.c. */
#include "picture.h"

#include <string.h>

#include "arguments.h"
#include "data/molecule/bonds.h"
#include "data/files/error.h"
#include "data/selection/selection.h"

static void
add(DebyePicture *picture, gpointer layer)
{
  debye_scene_add(picture->scene, DEBYE_LAYER(layer));
  g_ptr_array_add(picture->molecules, layer);
}

/* Of the first of these settings that is given; NULL without an error: none is. */
static GArray *
choose(DebyeRequest *request, const char *const *keys, DebyeTopology *topology, DebyeFrame *frame,
       GError **error)
{
  while (*keys != NULL && !debye_request_is_set(request, *keys))
    keys++;
  if (*keys == NULL)
    return NULL;
  const char *text = debye_request_get(request, *keys);
  g_autoptr(DebyeSelection) selection = debye_selection_parse(text, NULL, error);
  g_autoptr(GArray) atoms =
      selection != NULL ? debye_selection_evaluate(selection, topology, frame, error) : NULL;
  if (atoms == NULL)
    return NULL;
  if (atoms->len > 0)
    return g_steal_pointer(&atoms);
  g_set_error(error, DEBYE_ERROR, DEBYE_ERROR_SELECTION, "--%s: “%s” chooses no atom", *keys, text);
  return NULL;
}

static gboolean
add_hydrogen_bonds(DebyePicture *picture, DebyeRequest *request, DebyeTopology *topology, DebyeFrame *frame,
                   GError **error)
{
  static const char *const keys[] = {"select", NULL};
  g_autoptr(GError) reason = NULL;
  if (!debye_request_get_boolean(request, "hydrogen-bonds"))
    return TRUE;
  g_autoptr(GArray) atoms = choose(request, keys, topology, frame, &reason);
  if (reason != NULL) {
    g_propagate_error(error, g_steal_pointer(&reason));
    return FALSE;
  }
  DebyeHydrogenBondLayer *layer = debye_scene_builder_hydrogen_bonds(topology, frame);
  if (atoms != NULL)
    debye_molecule_mesh_layer_set_atoms(DEBYE_MOLECULE_MESH_LAYER(layer),
                                        (const guint32 *)(gpointer)atoms->data, atoms->len);
  add(picture, layer);
  return TRUE;
}

static int
content_of(const char *text)
{
  static const char *const words[] = {
      [DEBYE_LABEL_RESIDUE] = "residue", [DEBYE_LABEL_ATOM] = "atom", [DEBYE_LABEL_INDEX] = "index"};
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
    if (strcmp(words[i], text) == 0)
      return (int)i;
  return DEBYE_LABEL_RESIDUE;
}

static gboolean
add_labels(DebyePicture *picture, DebyeRequest *request, DebyeTopology *topology, DebyeFrame *frame,
           GError **error)
{
  static const char *const keys[] = {"label-select", "select", NULL};
  g_autoptr(GError) reason = NULL;
  if (!debye_request_is_set(request, "labels"))
    return TRUE;
  g_autoptr(GArray) atoms = choose(request, keys, topology, frame, &reason);
  if (reason != NULL) {
    g_propagate_error(error, g_steal_pointer(&reason));
    return FALSE;
  }
  DebyeLabelLayer *layer = debye_scene_builder_labels(topology, frame);
  g_object_set(layer, "content", content_of(debye_request_get(request, "labels")), NULL);
  if (atoms != NULL)
    debye_label_layer_set_atoms(layer, (const guint32 *)(gpointer)atoms->data, atoms->len);
  add(picture, layer);
  return TRUE;
}

/* --- The cell's images --- */

static gboolean
parse_images(const char *text, int images[3])
{
  g_auto(GStrv) parts = g_strsplit(text, ",", -1);
  for (int i = 0; i < 3; i++) {
    guint64 number;
    if (g_strv_length(parts) != 3 ||
        !g_ascii_string_to_unsigned(g_strstrip(parts[i]), 10, 0, DEBYE_MAX_IMAGES, &number, NULL))
      return FALSE;
    images[i] = (int)number;
  }
  return TRUE;
}

static gboolean
add_images(DebyePicture *picture, DebyeRequest *request, DebyeFrame *frame, GError **error)
{
  int images[3];
  if (!debye_request_is_set(request, "images"))
    return TRUE;
  if (!parse_images(debye_request_get(request, "images"), images)) {
    g_set_error(error, DEBYE_USAGE_ERROR, 0,
                "render: --images: expected A,B,C, each from 0 to %d, found “%s”", DEBYE_MAX_IMAGES,
                debye_request_get(request, "images"));
    return FALSE;
  }
  if (frame == NULL || !frame->has_cell) {
    g_set_error_literal(error, DEBYE_ERROR, DEBYE_ERROR_MISSING,
                        "--images: the first frame that is drawn has no cell to repeat");
    return FALSE;
  }
  if (picture->box == NULL) {
    picture->box = debye_scene_builder_box(frame);
    debye_layer_set_visible(DEBYE_LAYER(picture->box), TRUE);
    debye_scene_add(picture->scene, DEBYE_LAYER(picture->box));
  }
  g_object_set(picture->box, "images-a", images[0], "images-b", images[1], "images-c", images[2], NULL);
  return TRUE;
}

/* --- The clipping plane --- */

/* "view", "z:0.3". */
static gboolean
parse_clip(const char *text, int *direction, double *position)
{
  static const char *const words[] = {
      [DEBYE_CLIP_X] = "x", [DEBYE_CLIP_Y] = "y", [DEBYE_CLIP_Z] = "z", [DEBYE_CLIP_VIEW] = "view"};
  g_auto(GStrv) parts = g_strsplit(text, ":", -1);
  char *end = NULL;
  guint n = g_strv_length(parts);
  *direction = -1;
  *position = 0.5;
  for (gsize i = 0; n >= 1 && i < G_N_ELEMENTS(words); i++)
    if (strcmp(words[i], parts[0]) == 0)
      *direction = (int)i;
  if (n == 2)
    *position = g_ascii_strtod(parts[1], &end);
  gboolean is_number = n == 1 || (n == 2 && end != parts[1] && *end == '\0');
  return *direction >= 0 && is_number && *position >= 0.0 && *position <= 1.0;
}

static gboolean
add_clip(DebyePicture *picture, DebyeRequest *request, GError **error)
{
  int direction;
  double position;
  if (!debye_request_is_set(request, "clip"))
    return TRUE;
  if (!parse_clip(debye_request_get(request, "clip"), &direction, &position)) {
    g_set_error(error, DEBYE_USAGE_ERROR, 0,
                "render: --clip: expected x, y, z or view, or one of them and a place from 0 to 1 such as "
                "z:0.3, found “%s”",
                debye_request_get(request, "clip"));
    return FALSE;
  }
  g_autoptr(DebyeClipLayer) layer = debye_clip_layer_new();
  g_object_set(layer, "direction", direction, "position", position, "flipped",
               debye_request_get_boolean(request, "clip-flipped"), NULL);
  debye_scene_add(picture->scene, DEBYE_LAYER(layer));
  return TRUE;
}

gboolean
debye_picture_add_notes(DebyePicture *picture, DebyeRequest *request, DebyeTopology *topology,
                        DebyeFrame *frame, GError **error)
{
  gboolean has_atoms = topology != NULL && frame != NULL;
  if (has_atoms && !(add_hydrogen_bonds(picture, request, topology, frame, error) &&
                     add_labels(picture, request, topology, frame, error)))
    return FALSE;
  return add_images(picture, request, frame, error) && add_clip(picture, request, error);
}
