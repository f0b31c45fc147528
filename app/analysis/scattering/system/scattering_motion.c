/* SPDX-License-Identifier: MIT */
/* Adds artificial motions to chosen atoms; called by scattering_frames.c. */
#include "scattering_motion.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/files/input.h"
#include "app/analysis/driver/atom_kinds.h"
#include "app/analysis/driver/random_numbers.h"

#define LABEL "Added motion"

typedef struct _Motion Motion;

/* What a motion does to its atoms of the frame that comes. */
typedef void (*MoveFunc)(Motion *motion, DebyeFrame *frame);

struct _Motion {
  MoveFunc move;
  GArray *atoms; /* guint32 */
  double numbers[4];
  DebyeRandom random;
  DebyeVec3 place;   /* a walk's, from its beginning */
  double turn[3][3]; /* since the beginning */
  DebyeVec3 *first;  /* places of the first frame, of what is fixed */
  const float *masses;
  double time; /* ps since the first frame */
  gsize n_done;
};

struct _DebyeScatteringMotions {
  DebyeTopology *topology; /* whose masses the motions look at */
  GArray *motions;         /* of Motion */
  guint64 seed;
  double first_time;
  gsize n_done;
};

/* --- The atoms of a motion --- */

static DebyeVec3
get_place(const DebyeFrame *frame, guint32 atom)
{
  return debye_vec3(frame->x[atom], frame->y[atom], frame->z[atom]);
}

static void
set_place(DebyeFrame *frame, guint32 atom, DebyeVec3 place)
{
  frame->x[atom] = (float)place.x;
  frame->y[atom] = (float)place.y;
  frame->z[atom] = (float)place.z;
}

static void
shift(const Motion *motion, DebyeFrame *frame, DebyeVec3 by)
{
  for (guint i = 0; i < motion->atoms->len; i++) {
    guint32 atom = g_array_index(motion->atoms, guint32, i);
    set_place(frame, atom, debye_vec3_add(get_place(frame, atom), by));
  }
}

/* Of all atoms alike where masses aren't known. */
static DebyeVec3
get_centre(const Motion *motion, const DebyeFrame *frame)
{
  DebyeVec3 weighted = debye_vec3(0.0, 0.0, 0.0), sum = weighted;
  double mass = 0.0;
  for (guint i = 0; i < motion->atoms->len; i++) {
    guint32 atom = g_array_index(motion->atoms, guint32, i);
    double weight = motion->masses != NULL ? motion->masses[atom] : 0.0;
    weighted = debye_vec3_add(weighted, debye_vec3_scale(get_place(frame, atom), weight));
    sum = debye_vec3_add(sum, get_place(frame, atom));
    mass += weight;
  }
  return mass > 0.0 ? debye_vec3_scale(weighted, 1.0 / mass)
                    : debye_vec3_scale(sum, 1.0 / (double)motion->atoms->len);
}

/* --- Motions --- */

static DebyeVec3
get_vector(const Motion *motion)
{
  return debye_vec3(motion->numbers[0], motion->numbers[1], motion->numbers[2]);
}

static void
move_linear(Motion *motion, DebyeFrame *frame)
{
  shift(motion, frame, debye_vec3_scale(get_vector(motion), motion->time));
}

static void
move_oscillation(Motion *motion, DebyeFrame *frame)
{
  double part = sin(2.0 * G_PI * motion->time / motion->numbers[3]);
  shift(motion, frame, debye_vec3_scale(get_vector(motion), part));
}

static void
move_random_walk(Motion *motion, DebyeFrame *frame)
{
  DebyeVec3 step = debye_vec3_scale(debye_random_direction(&motion->random), motion->numbers[0]);
  if (motion->n_done > 0)
    motion->place = debye_vec3_add(motion->place, step);
  shift(motion, frame, motion->place);
}

static void
move_brownian(Motion *motion, DebyeFrame *frame)
{
  DebyeVec3 step = debye_vec3_scale(debye_random_normal(&motion->random), motion->numbers[0] / sqrt(3.0));
  if (motion->n_done > 0)
    motion->place = debye_vec3_add(motion->place, step);
  shift(motion, frame, motion->place);
}

/* Steps that aren't taken count: so every place in the ball is as probable as another. */
static void
move_localised(Motion *motion, DebyeFrame *frame)
{
  DebyeVec3 step = debye_vec3_scale(debye_random_normal(&motion->random), motion->numbers[0] / sqrt(3.0));
  DebyeVec3 next = debye_vec3_add(motion->place, step);
  if (motion->n_done > 0 && debye_vec3_length(next) <= motion->numbers[1])
    motion->place = next;
  shift(motion, frame, motion->place);
}

static DebyeVec3
rotate(double turn[3][3], DebyeVec3 r)
{
  return debye_vec3(turn[0][0] * r.x + turn[0][1] * r.y + turn[0][2] * r.z,
                    turn[1][0] * r.x + turn[1][1] * r.y + turn[1][2] * r.z,
                    turn[2][0] * r.x + turn[2][1] * r.y + turn[2][2] * r.z);
}

/* v turned about the axis by an angle (Rodrigues' formula). */
static DebyeVec3
rotate_about(DebyeVec3 v, DebyeVec3 axis, double angle)
{
  DebyeVec3 along = debye_vec3_scale(axis, debye_vec3_dot(axis, v) * (1.0 - cos(angle)));
  DebyeVec3 across = debye_vec3_scale(debye_vec3_cross(axis, v), sin(angle));
  return debye_vec3_add(debye_vec3_add(debye_vec3_scale(v, cos(angle)), across), along);
}

/* Columns stay at right angles however many turns there were. */
static void
turn_further(Motion *motion, DebyeVec3 vector)
{
  double angle = debye_vec3_length(vector);
  DebyeVec3 columns[3];
  if (!(angle > 0.0))
    return;
  for (guint k = 0; k < 2; k++)
    columns[k] = rotate_about(debye_vec3(motion->turn[0][k], motion->turn[1][k], motion->turn[2][k]),
                              debye_vec3_scale(vector, 1.0 / angle), angle);
  columns[0] = debye_vec3_scale(columns[0], 1.0 / debye_vec3_length(columns[0]));
  columns[2] = debye_vec3_cross(columns[0], columns[1]);
  columns[2] = debye_vec3_scale(columns[2], 1.0 / debye_vec3_length(columns[2]));
  columns[1] = debye_vec3_cross(columns[2], columns[0]);
  for (guint k = 0; k < 3; k++) {
    motion->turn[0][k] = columns[k].x;
    motion->turn[1][k] = columns[k].y;
    motion->turn[2][k] = columns[k].z;
  }
}

static void
move_rotational(Motion *motion, DebyeFrame *frame)
{
  double part = motion->numbers[0] * G_PI / 180.0 / sqrt(3.0);
  DebyeVec3 vector = debye_vec3_scale(debye_random_normal(&motion->random), part);
  DebyeVec3 centre = get_centre(motion, frame);
  if (motion->n_done > 0)
    turn_further(motion, vector);
  for (guint i = 0; i < motion->atoms->len; i++) {
    guint32 atom = g_array_index(motion->atoms, guint32, i);
    DebyeVec3 arm = debye_vec3_subtract(get_place(frame, atom), centre);
    set_place(frame, atom, debye_vec3_add(centre, rotate(motion->turn, arm)));
  }
}

static void
move_fixed(Motion *motion, DebyeFrame *frame)
{
  for (guint i = 0; i < motion->atoms->len; i++) {
    guint32 atom = g_array_index(motion->atoms, guint32, i);
    if (motion->n_done == 0)
      motion->first[i] = get_place(frame, atom);
    set_place(frame, atom, motion->first[i]);
  }
}

/* --- What is asked for --- */

static const struct {
  const char *name, *expected;
  MoveFunc move;
  const char *separators; /* after each number but the last */
  guint n_any;            /* so many numbers first that may be 0 or negative */
} kinds[] = {
    {"linear", "linear:vx,vy,vz", move_linear, ",,", 3},
    {"oscillation", "oscillation:ax,ay,az:period", move_oscillation, ",,:", 3},
    {"random-walk", "random-walk:step", move_random_walk, "", 0},
    {"brownian", "brownian:step", move_brownian, "", 0},
    {"localised", "localised:step:radius", move_localised, ":", 0},
    {"rotational", "rotational:degrees", move_rotational, "", 0},
};

/* Numbers with the separators between them, and nothing after. */
static gboolean
parse_numbers(Motion *motion, gsize kind, const char *text)
{
  const char *separators = kinds[kind].separators;
  gsize n = strlen(separators) + 1;
  for (gsize k = 0; k < n; k++) {
    gsize length = k + 1 < n ? strcspn(text, (char[]){separators[k], '\0'}) : strlen(text);
    double *number = &motion->numbers[k];
    if (!debye_text_to_double(text, length, number) || !isfinite(*number) ||
        (k >= kinds[kind].n_any && !(*number > 0.0)) || (k + 1 < n && text[length] == '\0'))
      return FALSE;
    text += length + 1;
  }
  return TRUE;
}

static gboolean
parse_kind(Motion *motion, const char *text, GError **error)
{
  if (g_str_equal(text, "fixed")) {
    motion->move = move_fixed;
    motion->first = g_new(DebyeVec3, motion->atoms->len);
    return TRUE;
  }
  for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++) {
    gsize length = strlen(kinds[k].name);
    if (strncmp(text, kinds[k].name, length) != 0 || (text[length] != ':' && text[length] != '\0'))
      continue;
    motion->move = kinds[k].move;
    if (text[length] == ':' && parse_numbers(motion, k, text + length + 1))
      return TRUE;
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, LABEL, "expected %s with numbers, found “%s”",
                                 kinds[k].expected, text);
  }
  return debye_error_set_about(
      error, DEBYE_ERROR_SETTING, LABEL,
      "expected linear, oscillation, random-walk, brownian, localised, rotational or fixed, found “%s”",
      text);
}

/* "SELECTION=MOTION" */
static gboolean
add_motion(DebyeScatteringMotions *motions, const char *text, DebyeTopology *topology,
           const DebyeFrame *frame, GError **error)
{
  g_autofree char *selected = NULL;
  const char *kind;
  if (!debye_atom_kinds_split(text, &selected, &kind))
    return debye_error_set_about(error, DEBYE_ERROR_SETTING, LABEL, "expected SELECTION=MOTION, found “%s”",
                                 text);
  Motion motion = {.masses = debye_topology_get_masses(topology)};
  motion.atoms = debye_atom_kinds_select(topology, frame, selected, error);
  if (motion.atoms == NULL)
    return FALSE;
  g_array_append_val(motions->motions, motion);
  if (motion.atoms->len == 0)
    return debye_error_set_about(error, DEBYE_ERROR_SELECTION, LABEL, "“%s” selects no atoms", selected);
  g_autofree char *stripped = g_strstrip(g_strdup(kind));
  return parse_kind(&g_array_index(motions->motions, Motion, motions->motions->len - 1), stripped, error);
}

static void
motion_clear(gpointer data)
{
  Motion *motion = data;
  g_clear_pointer(&motion->atoms, g_array_unref);
  g_clear_pointer(&motion->first, g_free);
}

gboolean
debye_scattering_motions_new(const DebyeScatteringSettings *settings, DebyeTopology *topology,
                             const DebyeFrame *frame, DebyeScatteringMotions **motions, GError **error)
{
  g_auto(GStrv) texts = debye_setting_split_values(settings->motion);
  *motions = NULL;
  if (texts == NULL || texts[0] == NULL)
    return TRUE;
  *motions = g_new0(DebyeScatteringMotions, 1);
  (*motions)->topology = g_object_ref(topology);
  (*motions)->motions = g_array_new(FALSE, FALSE, sizeof(Motion));
  g_array_set_clear_func((*motions)->motions, motion_clear);
  (*motions)->seed = (guint64)settings->seed;
  for (char **text = texts; *text != NULL; text++)
    if (!add_motion(*motions, *text, topology, frame, error)) {
      g_clear_pointer(motions, debye_scattering_motions_free);
      return FALSE;
    }
  debye_scattering_motions_begin(*motions);
  return TRUE;
}

void
debye_scattering_motions_free(DebyeScatteringMotions *motions)
{
  g_array_unref(motions->motions);
  g_object_unref(motions->topology);
  g_free(motions);
}

void
debye_scattering_motions_begin(DebyeScatteringMotions *motions)
{
  static const double none[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  motions->n_done = 0;
  for (guint i = 0; i < motions->motions->len; i++) {
    Motion *motion = &g_array_index(motions->motions, Motion, i);
    debye_random_init(&motion->random, motions->seed, i);
    motion->place = debye_vec3(0.0, 0.0, 0.0);
    motion->n_done = 0;
    memcpy(motion->turn, none, sizeof none);
  }
}

void
debye_scattering_motions_apply(DebyeScatteringMotions *motions, DebyeFrame *frame)
{
  if (motions->n_done == 0)
    motions->first_time = frame->time;
  double time = frame->time - motions->first_time;
  if (!isfinite(time))
    time = (double)motions->n_done;
  for (guint i = 0; i < motions->motions->len; i++) {
    Motion *motion = &g_array_index(motions->motions, Motion, i);
    motion->time = time;
    motion->move(motion, frame);
    motion->n_done++;
  }
  motions->n_done++;
}
