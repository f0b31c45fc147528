/* SPDX-License-Identifier: MIT */
/* Method (scattering_method.h): orientational averages by multipoles. */
#include <string.h>

#include "kernels/scattering/scattering_multipole_lanes.h"
#include "scattering_sums.h"
#include "scattering_method.h"

#define MUCH_LEFT_OUT 1e-4 /* share of the last order from which on it is said */

typedef struct {
  DebyeScatteringTask task;
  DebyeSharing *lanes;
  unsigned order;
  double *products; /* of a frame, complex pairs */
  double *shares;   /* what the last order adds, of each q */
  double largest_share, q_of_it;
} Multipoles;

static void
multipoles_close(gpointer state)
{
  Multipoles *multipoles = state;
  debye_sharing_free(multipoles->lanes);
  g_free(multipoles->products);
  g_free(multipoles->shares);
  g_free(multipoles);
}

static gpointer
multipoles_open(const DebyeScatteringTask *task, GError **error)
{
  const DebyeOrientation *orientation = &task->plan->orientation;
  gsize n_pairs = debye_scattering_n_pairs(task->groups.n_groups);
  Multipoles *multipoles = g_new0(Multipoles, 1);
  DebyeStatus status = {0};
  multipoles->task = *task;
  multipoles->order = (unsigned)orientation->n;
  multipoles->products = g_new(double, 2 * n_pairs * task->n_q);
  multipoles->shares = g_new(double, task->n_q);
  const DebyeMultipoleLanesSettings settings = {
      .multipole = {.multipole = {.order = multipoles->order,
                                  .cylindrical = orientation->is_cylindrical,
                                  .axis = orientation->axis,
                                  .axial = orientation->axial},
                    .n_atoms = debye_topology_get_n_atoms(task->plan->topology),
                    .groups = task->groups,
                    .max_q = task->n_q},
      .memory_limit = task->plan->memory_limit};
  if (debye_multipole_lanes_create(&settings, task->devices, task->n_devices, &multipoles->lanes, &status) ==
      DEBYE_STATUS_OK)
    return multipoles;
  debye_device_set_error(error, &status);
  multipoles_close(multipoles);
  return NULL;
}

static gsize
multipoles_get_frames_at_once(const DebyeScatteringTask *task G_GNUC_UNUSED)
{
  return 1;
}

/* The middle of what scatters: the expansion is shortest from there. */
static DebyeVec3
find_center(const DebyeScatteringGroups *groups, const DebyeFrame *frame)
{
  DebyeVec3 sum = {0};
  gsize n = debye_scattering_n_entries(groups);
  for (gsize i = 0; i < n; i++) {
    guint32 atom = groups->atoms[i];
    sum = debye_vec3_add(sum,
                         debye_vec3((double)frame->x[atom], (double)frame->y[atom], (double)frame->z[atom]));
  }
  return debye_vec3_scale(sum, 1.0 / (double)MAX(n, 1));
}

static void
remember_share(Multipoles *multipoles)
{
  for (gsize k = 0; k < multipoles->task.n_q; k++)
    if (multipoles->shares[k] > multipoles->largest_share) {
      multipoles->largest_share = multipoles->shares[k];
      multipoles->q_of_it = multipoles->task.q[k];
    }
}

static gboolean
multipoles_sum(gpointer state, DebyeFrame *const *frames, gsize n_frames, double complex *products,
               GError **error)
{
  Multipoles *multipoles = state;
  const DebyeScatteringTask *task = &multipoles->task;
  gsize n_values = debye_scattering_n_pairs(task->groups.n_groups) * task->n_q;
  memset(products, 0, n_values * sizeof *products);
  for (gsize i = 0; i < n_frames; i++) {
    const DebyeScatteringFrame frame = {.x = frames[i]->x, .y = frames[i]->y, .z = frames[i]->z};
    const DebyeLaneReport *reports = NULL;
    DebyeStatus status = {0};
    const DebyeStatusCode code = debye_multipole_lanes_execute(
        multipoles->lanes, &frame, find_center(&task->groups, frames[i]), task->q, task->n_q,
        multipoles->products, multipoles->shares, task->cancel, &status);
    const gsize n_reports = debye_sharing_get_reports(multipoles->lanes, &reports);
    debye_lane_totals_add(task->lanes, reports, n_reports);
    if (!debye_device_check_frame(code, &status, frames[i], error))
      return FALSE;
    remember_share(multipoles);
    for (gsize k = 0; k < n_values; k++)
      products[k] += multipoles->products[2 * k] + I * multipoles->products[2 * k + 1];
  }
  return TRUE;
}

static void
multipoles_add_notes(gpointer state, DebyeResult *result)
{
  const Multipoles *multipoles = state;
  char share[G_ASCII_DTOSTR_BUF_SIZE], q[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(share, sizeof share, "%.1e", multipoles->largest_share);
  g_ascii_formatd(q, sizeof q, "%g", multipoles->q_of_it);
  debye_result_add_note_of(
      result, multipoles->largest_share > MUCH_LEFT_OUT ? DEBYE_NOTE_WARNING : DEBYE_NOTE_PLAIN, NULL,
      "Multipoles up to order %u: the last order adds at most %s of I, at q = %s Å⁻¹%s", multipoles->order,
      share, q, multipoles->largest_share > MUCH_LEFT_OUT ? "; a higher one is needed there" : "");
}

const DebyeScatteringMethod debye_scattering_by_multipoles = {
    .open = multipoles_open,
    .get_frames_at_once = multipoles_get_frames_at_once,
    .sum = multipoles_sum,
    .add_notes = multipoles_add_notes,
    .close = multipoles_close,
};
