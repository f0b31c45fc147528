/* SPDX-License-Identifier: MIT */
/* Implementation of assembly.h. */
#include "assembly.h"

#include <math.h>
#include <string.h>

#include "data/files/error.h"
#include "data/messages/message.h"

#define MOST_ATOMS 50000000

static void
part_clear(gpointer data)
{
  DebyeAssemblyPart *part = data;
  g_strfreev(part->chains);
  g_array_unref(part->operations);
}

DebyeAssembly *
debye_assembly_new(gboolean of_segment)
{
  DebyeAssembly *self = g_new0(DebyeAssembly, 1);
  self->parts = g_array_new(FALSE, FALSE, sizeof(DebyeAssemblyPart));
  g_array_set_clear_func(self->parts, part_clear);
  self->of_segment = of_segment;
  return self;
}

void
debye_assembly_free(DebyeAssembly *self)
{
  if (self == NULL)
    return;
  g_array_unref(self->parts);
  g_free(self);
}

void
debye_assembly_add_part(DebyeAssembly *self, char **chains, GArray *operations)
{
  const DebyeAssemblyPart part = {chains, operations};
  g_array_append_val(self->parts, part);
}

/* --- Copies --- */

typedef struct {
  const DebyeAssembly *assembly;
  DebyeTopology *topology;
  const DebyeFrame *frame;
  DebyeTopologyBuilder *builder;
  GArray *positions;    /* DebyeVec3 */
  GHashTable *names;    /* of chains that are there already */
  GHashTable *n_copies; /* chain → how often */
  guint32 *numbers;     /* of the copy that is being made, by atom; G_MAXUINT32: not in it */
} Making;

static const char *
get_string(const Making *making, guint32 code)
{
  return debye_string_pool_get(debye_topology_get_string_pool(making->topology), code);
}

static const char *
get_part_name(const Making *making, const DebyeResidue *residue)
{
  return get_string(making, making->assembly->of_segment ? residue->segment : residue->chain);
}

/* Only a new name may be added: adding one that is there frees the string which others hold. */
static const char *
keep_name(Making *making, char *name)
{
  g_hash_table_add(making->names, name);
  return name;
}

/* A name that no chain has; it belongs to `names`. */
static const char *
make_name(Making *making, const char *chain, guint copy)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  for (const char *letter = letters; *letter != '\0'; letter++) {
    const char name[] = {*letter, '\0'};
    if (!g_hash_table_contains(making->names, name))
      return keep_name(making, g_strdup(name));
  }
  for (;; copy++) {
    g_autofree char *name = g_strdup_printf("%s-%u", chain, copy);
    if (!g_hash_table_contains(making->names, name))
      return keep_name(making, g_steal_pointer(&name));
  }
}

/* Of a chain in this copy: its own name the first time. `renamed` keeps those of this copy. */
static const char *
choose_name(Making *making, GHashTable *renamed, const DebyeResidue *residue)
{
  const char *chain = get_string(making, residue->chain), *part = get_part_name(making, residue);
  const char *known = g_hash_table_lookup(renamed, chain);
  if (known != NULL)
    return known;
  const guint copy = GPOINTER_TO_UINT(g_hash_table_lookup(making->n_copies, part)) + 1;
  const char *name = copy == 1 ? chain : make_name(making, chain, copy);
  g_hash_table_insert(renamed, (gpointer)chain, (gpointer)name);
  return name;
}

static void
add_atom(Making *making, guint32 i, const DebyeAssemblyOperation *operation)
{
  const DebyeFrame *frame = making->frame;
  const double p[3] = {(double)frame->x[i], (double)frame->y[i], (double)frame->z[i]};
  const double t[3] = {operation->translation.x, operation->translation.y, operation->translation.z};
  double q[3];
  for (int r = 0; r < 3; r++)
    q[r] = operation->rotation[r][0] * p[0] + operation->rotation[r][1] * p[1] +
           operation->rotation[r][2] * p[2] + t[r];
  const DebyeVec3 position = debye_vec3(q[0], q[1], q[2]);
  const DebyeAtom atom = debye_topology_describe_atom(making->topology, i);
  g_array_append_val(making->positions, position);
  making->numbers[i] = debye_topology_builder_add_atom(making->builder, &atom);
}

static void
add_residue(Making *making, GHashTable *renamed, const DebyeResidue *residue,
            const DebyeAssemblyOperation *operation)
{
  debye_topology_builder_set_residue(making->builder, get_string(making, residue->name), -1, residue->number,
                                     residue->insertion_code, choose_name(making, renamed, residue), -1,
                                     get_string(making, residue->segment), -1);
  debye_topology_builder_new_residue(making->builder);
  for (guint32 i = residue->first_atom; i < residue->first_atom + residue->n_atoms; i++)
    add_atom(making, i, operation);
}

static void
add_bonds(Making *making)
{
  gsize n_bonds;
  const DebyeBond *bonds = debye_topology_get_bonds(making->topology, &n_bonds);
  for (gsize b = 0; b < n_bonds; b++) {
    const guint32 i = making->numbers[bonds[b].i], j = making->numbers[bonds[b].j];
    if (i != G_MAXUINT32 && j != G_MAXUINT32)
      debye_topology_builder_add_bond(making->builder, i, j);
  }
}

static void
count_copy(Making *making, char **chains)
{
  for (; *chains != NULL; chains++) {
    const guint n = GPOINTER_TO_UINT(g_hash_table_lookup(making->n_copies, *chains)) + 1;
    g_hash_table_insert(making->n_copies, *chains, GUINT_TO_POINTER(n));
  }
}

static gboolean
add_copy(Making *making, const DebyeAssemblyPart *part, const DebyeAssemblyOperation *operation,
         GError **error)
{
  g_autoptr(GHashTable) renamed = g_hash_table_new(g_str_hash, g_str_equal);
  const DebyeResidue *residues = debye_topology_get_residue_table(making->topology);
  memset(making->numbers, 0xff, debye_topology_get_n_atoms(making->topology) * sizeof(guint32));
  for (gsize r = 0; r < debye_topology_get_n_residues(making->topology); r++)
    if (g_strv_contains((const char *const *)part->chains, get_part_name(making, &residues[r])))
      add_residue(making, renamed, &residues[r], operation);
  add_bonds(making);
  count_copy(making, part->chains);
  if (making->positions->len <= MOST_ATOMS)
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_LIMIT, "the assembly has more than %d atoms. Choose another one",
                         MOST_ATOMS);
}

static DebyeFrame *
make_frame(const Making *making, GError **error)
{
  DebyeFrame *frame = debye_frame_new(making->positions->len);
  if (frame == NULL)
    return debye_null(debye_error_set_memory(error, NULL, making->positions->len, N_("positions")));
  for (guint i = 0; i < making->positions->len; i++)
    debye_frame_set_position(frame, i, g_array_index(making->positions, DebyeVec3, i));
  frame->time = making->frame->time;
  return frame;
}

static gboolean
add_all(Making *making, GError **error)
{
  const DebyeResidue *residues = debye_topology_get_residue_table(making->topology);
  for (gsize r = 0; r < debye_topology_get_n_residues(making->topology); r++)
    g_hash_table_add(making->names, g_strdup(get_string(making, residues[r].chain)));
  for (guint k = 0; k < making->assembly->parts->len; k++) {
    const DebyeAssemblyPart *part = &g_array_index(making->assembly->parts, DebyeAssemblyPart, k);
    for (guint o = 0; o < part->operations->len; o++)
      if (!add_copy(making, part, &g_array_index(part->operations, DebyeAssemblyOperation, o), error))
        return FALSE;
  }
  if (making->positions->len > 0)
    return TRUE;
  return debye_error_set(error, DEBYE_ERROR_MISSING, "none of the assembly's chains is among the atoms");
}

gboolean
debye_assembly_make(const DebyeAssembly *self, DebyeTopology *topology, const DebyeFrame *frame,
                    DebyeTopology **made, DebyeFrame **made_frame, GError **error)
{
  g_autoptr(DebyeTopologyBuilder) builder = debye_topology_builder_new();
  g_autoptr(GArray) positions = g_array_new(FALSE, FALSE, sizeof(DebyeVec3));
  g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GHashTable) n_copies = g_hash_table_new(g_str_hash, g_str_equal);
  g_autofree guint32 *numbers = g_new(guint32, MAX(debye_topology_get_n_atoms(topology), 1));
  Making making = {.assembly = self,
                   .topology = topology,
                   .frame = frame,
                   .builder = builder,
                   .positions = positions,
                   .names = names,
                   .n_copies = n_copies,
                   .numbers = numbers};
  debye_topology_builder_set_title(builder, debye_topology_get_title(topology), -1);
  debye_topology_builder_trust_residues(builder);
  if (!add_all(&making, error) || (*made_frame = make_frame(&making, error)) == NULL)
    return FALSE;
  *made = debye_topology_builder_finish(builder);
  return TRUE;
}
