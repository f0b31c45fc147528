/* SPDX-License-Identifier: MIT */
/* Makes the small parts of an H5MD file in memory for format_h5md.c. It uses the oldest format of HDF5, whose
 * headers have no checksums: an address can be filled in, and every program reads it. */
#include "h5md_skeleton.h"

#include <string.h>

#include "data/tables/elements.h"
#include "data/h5/h5.h"

#define GROUP_NAME "system"
/* Superblock of version 0 (HDF5 File Format Specification II.A): the address of the end of the file. */
#define END_OF_FILE_AT 40
/* How far behind the beginning of its header a data set's layout may stand. */
#define HEADER_BYTES 1024

static gboolean
check(gboolean is_good, const char *what, GError **error)
{
  return is_good || debye_h5_set_write_error(error, what);
}

/* --- Attributes --- */

/* Strings of variable length are what readers in Python expect. */
static gboolean
put_text(hid_t object, const char *name, const char *const *texts, hsize_t n, GError **error)
{
  g_auto(DebyeH5Type) type = H5Tcopy(H5T_C_S1);
  g_auto(DebyeH5Space) space = n == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, NULL);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  g_auto(DebyeH5Attribute) attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  return check(attribute >= 0 && H5Awrite(attribute, type, texts) >= 0, name, error);
}

static gboolean
put_word(hid_t object, const char *name, const char *text, GError **error)
{
  return put_text(object, name, &text, 0, error);
}

static gboolean
put_integers(hid_t object, const char *name, const int *values, hsize_t n, GError **error)
{
  g_auto(DebyeH5Space) space = n == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, NULL);
  g_auto(DebyeH5Attribute) attribute =
      H5Acreate2(object, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
  return check(attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT, values) >= 0, name, error);
}

/* --- Data sets --- */

static hid_t
add_group(hid_t parent, const char *name, GError **error)
{
  hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  check(group >= 0, name, error);
  return group;
}

/* `values` NULL: the values come later, and so does their place. */
static hid_t
add_dataset(hid_t parent, const char *name, hid_t type, int rank, const hsize_t *shape, hid_t memory_type,
            const void *values, GError **error)
{
  g_auto(DebyeH5Space) space = H5Screate_simple(rank, shape, NULL);
  g_auto(DebyeH5Dataset) dataset =
      H5Dcreate2(parent, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  gboolean is_good = dataset >= 0 && (values == NULL || H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL,
                                                                 H5P_DEFAULT, values) >= 0);
  hid_t added = is_good ? dataset : H5I_INVALID_HID;
  if (is_good)
    dataset = H5I_INVALID_HID;
  check(is_good, name, error);
  return added;
}

static gboolean
put_dataset(hid_t parent, const char *name, hid_t type, int rank, const hsize_t *shape, hid_t memory_type,
            const void *values, const char *unit, GError **error)
{
  static const double nothing = 0.0;
  g_auto(DebyeH5Dataset) dataset =
      add_dataset(parent, name, type, rank, shape, memory_type, shape[0] > 0 ? values : &nothing, error);
  return dataset >= 0 && (unit == NULL || put_word(dataset, "unit", unit, error));
}

/* Step and time of the positions are those of all elements: the same data sets under more names. */
static gboolean
link_counters(hid_t element, hid_t position, const DebyeH5mdContents *contents, GError **error)
{
  gboolean is_good = H5Lcreate_hard(position, "step", element, "step", H5P_DEFAULT, H5P_DEFAULT) >= 0;
  if (is_good && contents->has_times)
    is_good = H5Lcreate_hard(position, "time", element, "time", H5P_DEFAULT, H5P_DEFAULT) >= 0;
  return check(is_good, "step", error);
}

static gboolean
put_counters(hid_t position, const DebyeH5mdContents *contents, GError **error)
{
  hsize_t n = contents->n_frames;
  return put_dataset(position, "step", H5T_STD_I64LE, 1, &n, H5T_NATIVE_INT64, contents->steps, NULL,
                     error) &&
         (!contents->has_times || put_dataset(position, "time", H5T_IEEE_F64LE, 1, &n, H5T_NATIVE_DOUBLE,
                                              contents->times, "ps", error));
}

/* The vectors of an element, without their place; `header` gets where its description is. */
static gboolean
put_vectors(hid_t element, const DebyeH5mdContents *contents, const char *unit, haddr_t *header,
            GError **error)
{
  const hsize_t shape[3] = {contents->n_frames, contents->n_atoms, 3};
  g_auto(DebyeH5Dataset) dataset =
      add_dataset(element, "value", H5T_IEEE_F32LE, 3, shape, H5T_NATIVE_FLOAT, NULL, error);
  return dataset >= 0 && put_word(dataset, "unit", unit, error) &&
         check(debye_h5_get_header_address(dataset, header), "value", error);
}

/* --- The particles --- */

static hid_t
make_species_type(const guint8 *elements, gsize n)
{
  gboolean is_used[DEBYE_N_ELEMENTS] = {FALSE};
  hid_t type = H5Tenum_create(H5T_STD_I8LE);
  for (gsize i = 0; i < n; i++)
    is_used[elements[i]] = TRUE;
  for (gint8 k = 0; k < DEBYE_N_ELEMENTS; k++)
    if (is_used[k])
      H5Tenum_insert(type, debye_element_get((guint8)k)->symbol, &k);
  return type;
}

static gboolean
put_species(hid_t group, const DebyeH5mdContents *contents, GError **error)
{
  hsize_t n = contents->n_atoms;
  const guint8 *elements = debye_topology_get_elements(contents->topology);
  g_auto(DebyeH5Type) type = make_species_type(elements, contents->n_atoms);
  return put_dataset(group, "species", type, 1, &n, type, elements, NULL, error);
}

static gboolean
put_column(hid_t group, const char *name, const float *values, const char *unit, gsize n_atoms,
           GError **error)
{
  hsize_t n = n_atoms;
  return values == NULL ||
         put_dataset(group, name, H5T_IEEE_F32LE, 1, &n, H5T_NATIVE_FLOAT, values, unit, error);
}

/* H5MD has no names: they are beside its elements, one for each particle, and the number of its row in /parameters/residues. */
static gboolean
put_names(hid_t group, const DebyeH5mdContents *contents, GError **error)
{
  const DebyeStringPool *pool = debye_topology_get_string_pool(contents->topology);
  const guint32 *codes = debye_topology_get_names(contents->topology);
  g_autofree const char **names = g_new(const char *, contents->n_atoms + 1);
  for (gsize i = 0; i < contents->n_atoms; i++)
    names[i] = debye_string_pool_get(pool, codes[i]);
  return debye_h5_put_strings(group, DEBYE_H5MD_NAMES, names, contents->n_atoms, error) &&
         debye_h5_put_numbers(group, DEBYE_H5MD_RESIDUES, H5T_NATIVE_UINT32,
                              debye_topology_get_residues(contents->topology), contents->n_atoms, NULL,
                              error);
}

static gboolean
put_atoms(hid_t group, const DebyeH5mdContents *contents, GError **error)
{
  DebyeTopology *topology = contents->topology;
  return put_species(group, contents, error) &&
         put_column(group, "mass", debye_topology_get_masses(topology), "u", contents->n_atoms, error) &&
         put_column(group, "charge", debye_topology_get_charges(topology), "e", contents->n_atoms, error) &&
         put_column(group, DEBYE_H5MD_RADII, debye_topology_get_radii(topology), "Angstrom",
                    contents->n_atoms, error) &&
         put_names(group, contents, error);
}

static gboolean
put_box(hid_t group, hid_t position, const DebyeH5mdContents *contents, GError **error)
{
  static const char *const none[] = {"none", "none", "none"};
  static const char *const periodic[] = {"periodic", "periodic", "periodic"};
  const int dimension = 3;
  const hsize_t shape[3] = {contents->n_frames, 3, 3};
  g_auto(DebyeH5Group) box = add_group(group, "box", error);
  if (box < 0 || !put_integers(box, "dimension", &dimension, 0, error) ||
      !put_text(box, "boundary", contents->has_cell ? periodic : none, 3, error))
    return FALSE;
  if (!contents->has_cell)
    return TRUE;
  g_auto(DebyeH5Group) edges = add_group(box, "edges", error);
  return edges >= 0 &&
         put_dataset(edges, "value", H5T_IEEE_F64LE, 3, shape, H5T_NATIVE_DOUBLE, contents->edges, "Angstrom",
                     error) &&
         link_counters(edges, position, contents, error);
}

static gboolean
put_velocities(hid_t group, hid_t position, const DebyeH5mdContents *contents, haddr_t *header,
               GError **error)
{
  g_auto(DebyeH5Group) velocity = add_group(group, "velocity", error);
  return velocity >= 0 && put_vectors(velocity, contents, "Angstrom ps-1", header, error) &&
         link_counters(velocity, position, contents, error);
}

typedef struct {
  haddr_t position, velocity;
} Headers;

static gboolean
put_particles(hid_t file, const DebyeH5mdContents *contents, Headers *headers, GError **error)
{
  g_auto(DebyeH5Group) particles = add_group(file, "particles", error);
  g_auto(DebyeH5Group) group = particles < 0 ? H5I_INVALID_HID : add_group(particles, GROUP_NAME, error);
  g_auto(DebyeH5Group) position = group < 0 ? H5I_INVALID_HID : add_group(group, "position", error);
  return position >= 0 && put_counters(position, contents, error) &&
         put_vectors(position, contents, "Angstrom", &headers->position, error) &&
         put_box(group, position, contents, error) &&
         (!contents->has_velocities ||
          put_velocities(group, position, contents, &headers->velocity, error)) &&
         (contents->topology == NULL || put_atoms(group, contents, error));
}

/* --- The rest --- */

static gboolean
put_bonds(hid_t file, const DebyeH5mdContents *contents, GError **error)
{
  gsize n_bonds = 0;
  const DebyeBond *bonds =
      contents->topology != NULL ? debye_topology_get_bonds(contents->topology, &n_bonds) : NULL;
  if (n_bonds == 0)
    return TRUE;
  G_STATIC_ASSERT(sizeof(DebyeBond) == 2 * sizeof(guint32));
  const hsize_t shape[2] = {n_bonds, 2};
  hobj_ref_t group;
  g_auto(DebyeH5Group) connectivity = add_group(file, "connectivity", error);
  g_auto(DebyeH5Dataset) dataset = connectivity < 0 ? H5I_INVALID_HID
                                                    : add_dataset(connectivity, "bonds", H5T_STD_I32LE, 2,
                                                                  shape, H5T_NATIVE_UINT32, bonds, error);
  if (dataset < 0)
    return FALSE;
  g_auto(DebyeH5Space) space = H5Screate(H5S_SCALAR);
  g_auto(DebyeH5Attribute) attribute =
      H5Acreate2(dataset, "particles_group", H5T_STD_REF_OBJ, space, H5P_DEFAULT, H5P_DEFAULT);
  return check(attribute >= 0 &&
                   H5Rcreate(&group, file, "particles/" GROUP_NAME, H5R_OBJECT, H5I_INVALID_HID) >= 0 &&
                   H5Awrite(attribute, H5T_STD_REF_OBJ, &group) >= 0,
               "particles_group", error);
}

static gboolean
put_residues(hid_t file, const DebyeH5mdContents *contents, GError **error)
{
  if (contents->topology == NULL)
    return TRUE;
  const gsize n = debye_topology_get_n_residues(contents->topology);
  const DebyeResidue *residues = debye_topology_get_residue_table(contents->topology);
  const DebyeStringPool *pool = debye_topology_get_string_pool(contents->topology);
  g_autofree const char **texts = g_new(const char *, 4 * n + 1);
  g_autofree char *codes = g_new0(char, 2 * n + 1);
  g_autofree gint32 *numbers = g_new(gint32, n + 1);
  for (gsize r = 0; r < n; r++) {
    codes[2 * r] = residues[r].insertion_code;
    texts[r] = debye_string_pool_get(pool, residues[r].name);
    texts[n + r] = debye_string_pool_get(pool, residues[r].chain);
    texts[2 * n + r] = debye_string_pool_get(pool, residues[r].segment);
    texts[3 * n + r] = codes + 2 * r;
    numbers[r] = residues[r].number;
  }
  g_auto(DebyeH5Group) parameters = add_group(file, "parameters", error);
  g_auto(DebyeH5Group) group = parameters < 0 ? H5I_INVALID_HID : add_group(parameters, "residues", error);
  return group >= 0 && debye_h5_put_strings(group, "name", texts, n, error) &&
         debye_h5_put_strings(group, "chain", texts + n, n, error) &&
         debye_h5_put_strings(group, "segment", texts + 2 * n, n, error) &&
         debye_h5_put_strings(group, "insertion_code", texts + 3 * n, n, error) &&
         debye_h5_put_numbers(group, "number", H5T_NATIVE_INT32, numbers, n, NULL, error);
}

static gboolean
put_description(hid_t file, GError **error)
{
  static const int version[2] = {1, 1};
  g_auto(DebyeH5Group) group = add_group(file, "h5md", error);
  g_auto(DebyeH5Group) author = group < 0 ? H5I_INVALID_HID : add_group(group, "author", error);
  g_auto(DebyeH5Group) creator = author < 0 ? H5I_INVALID_HID : add_group(group, "creator", error);
  return creator >= 0 && put_integers(group, "version", version, 2, error) &&
         put_word(author, "name", g_get_user_name(), error) && put_word(creator, "name", "Debye", error) &&
         put_word(creator, "version", DEBYE_VERSION, error);
}

/* --- Places --- */

static void
put_address(guint8 *at, guint64 address)
{
  guint64 bytes = GUINT64_TO_LE(address);
  memcpy(at, &bytes, sizeof bytes);
}

/* The layout message of a contiguous data set that has no place yet (IV.A.2.i): version 3, class 1, an
 * address that is none, the number of bytes. */
static gboolean
put_place(guint8 *image, gsize size, haddr_t header, guint64 n_bytes, guint64 address, GError **error)
{
  guint8 wanted[18] = {3, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  put_address(wanted + 10, n_bytes);
  for (gsize at = header; at + sizeof wanted <= MIN(size, header + HEADER_BYTES); at++)
    if (memcmp(image + at, wanted, sizeof wanted) == 0) {
      put_address(image + at + 2, address);
      return TRUE;
    }
  /* Another version of HDF5 that describes data sets in another way. */
  return debye_h5_set_write_error(error, "where the values are");
}

static hid_t
create_file(GError **error)
{
  g_auto(DebyeH5Properties) access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 1 << 16, FALSE);
  H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  hid_t file = H5Fcreate("trajectory.h5md", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  check(file >= 0, "the file", error);
  return file;
}

static guint8 *
get_image(hid_t file, gsize *size, GError **error)
{
  gssize n = H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(file, NULL, 0);
  if (!check(n > END_OF_FILE_AT + 8, "the file", error))
    return NULL;
  g_autofree guint8 *image = g_malloc((gsize)n);
  if (!check(H5Fget_file_image(file, image, (gsize)n) == n, "the file", error))
    return NULL;
  *size = (gsize)n;
  return g_steal_pointer(&image);
}

guint8 *
debye_h5md_skeleton_make(const DebyeH5mdContents *contents, guint64 position_at, guint64 velocity_at,
                         guint64 end, gsize *size, GError **error)
{
  DEBYE_H5_LOCKED();
  Headers headers = {0};
  guint64 n_bytes = (guint64)contents->n_frames * contents->n_atoms * 3 * sizeof(float);
  g_auto(DebyeH5File) file = create_file(error);
  if (file < 0 || !put_description(file, error) || !put_particles(file, contents, &headers, error) ||
      !put_bonds(file, contents, error) || !put_residues(file, contents, error))
    return NULL;
  g_autofree guint8 *image = get_image(file, size, error);
  if (image == NULL)
    return NULL;
  gboolean is_empty = n_bytes == 0;
  if (!is_empty &&
      (!put_place(image, *size, headers.position, n_bytes, position_at, error) ||
       (contents->has_velocities && !put_place(image, *size, headers.velocity, n_bytes, velocity_at, error))))
    return NULL;
  put_address(image + END_OF_FILE_AT, end);
  return g_steal_pointer(&image);
}
