/* SPDX-License-Identifier: MIT */
/* The header of classic NetCDF files (NetCDF Classic Format Specification, Unidata; CDF-5 as PnetCDF defines
 * it): dimensions, attributes of the file, variables with their attributes. What the header claims is held
 * against the size of the file before it is believed. */
#include <string.h>

#include "data/files/error.h"
#include "netcdf_file_private.h"
#include "data/files/xdr.h"
#include "data/messages/message.h"

enum { TAG_DIMENSION = 10, TAG_VARIABLE = 11, TAG_ATTRIBUTE = 12 };

#define LONGEST_NAME 4096
#define LONGEST_TEXT 65536

typedef struct {
  DebyeInput *input;
  guint64 offset;
  gsize count_bytes;  /* of numbers of things: 4, and 8 in CDF-5 */
  gsize offset_bytes; /* of places in the file: 4 in CDF-1, else 8 */
  guint64 n_records;  /* as announced */
  gboolean is_streaming;
  GArray *dimensions;   /* guint64: lengths, 0 for that of records */
  guint64 record_bytes; /* from record to record */
  guint64 records_end;  /* of the first record */
  guint n_record_variables;
  guint64 last_row_bytes; /* of the record variable seen last, without padding */
} Header;

/* --- Numbers and names --- */

static gboolean
read_bytes(Header *header, gpointer bytes, gsize n, GError **error)
{
  guint64 size = debye_input_get_size(header->input);
  if (n > size || header->offset > size - n)
    return debye_input_set_error(header->input, error, DEBYE_ERROR_TRUNCATED,
                                 "the file ends at byte %" G_GUINT64_FORMAT ", inside the NetCDF header",
                                 size);
  if (!debye_input_read(header->input, header->offset, bytes, n, error))
    return FALSE;
  header->offset += n;
  return TRUE;
}

static gboolean
read_number(Header *header, gsize n, guint64 *value, GError **error)
{
  guint8 bytes[8];
  if (!read_bytes(header, bytes, n, error))
    return FALSE;
  *value = n == 8 ? debye_xdr_get_uint64(bytes) : debye_xdr_get_uint32(bytes);
  return TRUE;
}

static gboolean G_GNUC_PRINTF(3, 4) set_fault(const Header *header, GError **error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *text = debye_message_new_valist(format, arguments);
  va_end(arguments);
  return debye_input_set_error(header->input, error, DEBYE_ERROR_SYNTAX, "byte %" G_GUINT64_FORMAT ": %s",
                               header->offset, text);
}

/* A number of things, each of which takes `least` bytes of the file at least. */
static gboolean
read_count(Header *header, gsize least, const char *what, guint64 *count, GError **error)
{
  if (!read_number(header, header->count_bytes, count, error))
    return FALSE;
  guint64 rest = debye_input_get_size(header->input) - header->offset;
  if (*count <= rest / least)
    return TRUE;
  return debye_input_set_error(header->input, error, DEBYE_ERROR_LIMIT,
                               "byte %" G_GUINT64_FORMAT ": expected a number of %s that the file can hold, "
                               "found %" G_GUINT64_FORMAT " with %" G_GUINT64_FORMAT " bytes left",
                               header->offset, what, *count, rest);
}

static guint64
round_up(guint64 n)
{
  return (n + 3) & ~(guint64)3;
}

static gboolean
read_name(Header *header, char **name, GError **error)
{
  guint64 n;
  if (!read_count(header, 1, "letters", &n, error))
    return FALSE;
  if (n > LONGEST_NAME)
    return set_fault(header, error, "expected a name of %d bytes at most, found %" G_GUINT64_FORMAT,
                     LONGEST_NAME, n);
  g_autofree char *text = g_malloc0(round_up(n) + 1);
  if (!read_bytes(header, text, round_up(n), error))
    return FALSE;
  text[n] = '\0';
  *name = g_steal_pointer(&text);
  return TRUE;
}

/* The head of a list: its tag and the number of its entries, or twice zero. */
static gboolean
read_list(Header *header, guint32 tag, gsize least, const char *what, guint64 *n, GError **error)
{
  guint64 found;
  if (!read_number(header, 4, &found, error) || !read_count(header, least, what, n, error))
    return FALSE;
  if (found == tag || (found == 0 && *n == 0))
    return TRUE;
  return set_fault(header, error, "expected the list of %s (tag %u), found tag %" G_GUINT64_FORMAT, what, tag,
                   found);
}

/* --- Dimensions and attributes --- */

static gboolean
read_dimensions(Header *header, GError **error)
{
  guint64 n;
  if (!read_list(header, TAG_DIMENSION, 2 * header->count_bytes, "dimensions", &n, error))
    return FALSE;
  for (guint64 i = 0; i < n; i++) {
    g_autofree char *name = NULL;
    guint64 length;
    if (!read_name(header, &name, error) || !read_number(header, header->count_bytes, &length, error))
      return FALSE;
    g_array_append_val(header->dimensions, length);
  }
  return TRUE;
}

/* What is wanted of an attribute: its text, or its one number. */
typedef struct {
  const char *name;
  char **text;
  double *number;
} Wanted;

static gboolean
take_text(Header *header, guint64 n, char **text, GError **error)
{
  g_autofree char *bytes = g_malloc0(n + 1);
  if (!read_bytes(header, bytes, n, error))
    return FALSE;
  header->offset -= n;
  g_free(*text);
  *text = g_utf8_make_valid(bytes, -1);
  return TRUE;
}

static gboolean
take_number(Header *header, DebyeNetcdfType type, double *number, GError **error)
{
  guint8 bytes[8];
  gsize n = debye_netcdf_type_width(type);
  if (!read_bytes(header, bytes, n, error))
    return FALSE;
  header->offset -= n;
  if (type == DEBYE_NETCDF_FLOAT)
    *number = (double)debye_xdr_get_float(bytes);
  else if (type == DEBYE_NETCDF_DOUBLE)
    *number = debye_xdr_get_double(bytes);
  else if (type == DEBYE_NETCDF_INT)
    *number = debye_xdr_get_int32(bytes);
  return TRUE;
}

static gboolean
read_attribute(Header *header, const Wanted *wanted, gsize n_wanted, GError **error)
{
  g_autofree char *name = NULL;
  guint64 type, n;
  if (!read_name(header, &name, error) || !read_number(header, 4, &type, error))
    return FALSE;
  gsize width = type <= DEBYE_NETCDF_UINT64 ? debye_netcdf_type_width((DebyeNetcdfType)type) : 0;
  if (width == 0)
    return set_fault(header, error, "expected the type of the attribute “%s”, found %" G_GUINT64_FORMAT, name,
                     type);
  if (!read_count(header, width, "values", &n, error))
    return FALSE;
  for (gsize k = 0; k < n_wanted; k++) {
    if (strcmp(wanted[k].name, name) != 0)
      continue;
    if (wanted[k].text != NULL && type == DEBYE_NETCDF_CHAR && n <= LONGEST_TEXT &&
        !take_text(header, n, wanted[k].text, error))
      return FALSE;
    if (wanted[k].number != NULL && n == 1 &&
        !take_number(header, (DebyeNetcdfType)type, wanted[k].number, error))
      return FALSE;
  }
  header->offset += round_up(n * width);
  return TRUE;
}

static gboolean
read_attributes(Header *header, const Wanted *wanted, gsize n_wanted, GError **error)
{
  guint64 n;
  if (!read_list(header, TAG_ATTRIBUTE, 2 * header->count_bytes + 4, "attributes", &n, error))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    if (!read_attribute(header, wanted, n_wanted, error))
      return FALSE;
  return TRUE;
}

/* --- Variables --- */

/* The bytes of a row: of a record, or of what lies under one index of the first dimension. */
static gboolean
measure_row(const DebyeNetcdfVariable *variable, guint64 *bytes)
{
  *bytes = debye_netcdf_type_width(variable->type);
  for (guint k = 1; k < variable->rank; k++)
    if (!g_uint64_checked_mul(bytes, *bytes, variable->shape[k]))
      return FALSE;
  return TRUE;
}

static gboolean
read_shape(Header *header, DebyeNetcdfVariable *variable, guint64 rank, GError **error)
{
  for (guint64 k = 0; k < rank; k++) {
    guint64 number;
    if (!read_number(header, header->count_bytes, &number, error))
      return FALSE;
    if (number >= header->dimensions->len)
      return set_fault(header, error,
                       "expected one of %u dimensions for “%s”, found number %" G_GUINT64_FORMAT,
                       header->dimensions->len, variable->name, number);
    guint64 length = g_array_index(header->dimensions, guint64, number);
    if (length == 0 && k > 0)
      return set_fault(header, error, "expected the record dimension of “%s” to be its first",
                       variable->name);
    if (k < DEBYE_NETCDF_RANK)
      variable->shape[k] = length;
    variable->has_records |= length == 0;
  }
  return TRUE;
}

/* Adds a record variable's row to the record; each is padded to four bytes. */
static gboolean
add_to_record(Header *header, const DebyeNetcdfVariable *variable, guint64 row_bytes, GError **error)
{
  guint64 end;
  if (!g_uint64_checked_add(&end, variable->offset, row_bytes) || row_bytes > G_MAXUINT64 - 3 ||
      !g_uint64_checked_add(&header->record_bytes, header->record_bytes, round_up(row_bytes)))
    return set_fault(header, error, "the records of “%s” are longer than any file", variable->name);
  header->records_end = MAX(header->records_end, end);
  header->last_row_bytes = row_bytes;
  header->n_record_variables++;
  return TRUE;
}

static gboolean
read_variable(Header *header, DebyeNetcdfFile *file, GError **error)
{
  g_autoptr(DebyeNetcdfVariable) variable = debye_netcdf_variable_new();
  const Wanted wanted[] = {{"units", &variable->units, NULL},
                           {"scale_factor", NULL, &variable->scale_factor}};
  guint64 rank, type, stored_bytes, row_bytes;
  if (!read_name(header, &variable->name, error) ||
      !read_count(header, header->count_bytes, "dimensions", &rank, error) ||
      !read_shape(header, variable, rank, error) ||
      !read_attributes(header, wanted, G_N_ELEMENTS(wanted), error) || !read_number(header, 4, &type, error))
    return FALSE;
  if (type == 0 || type > DEBYE_NETCDF_UINT64)
    return set_fault(header, error, "expected the type of “%s”, found %" G_GUINT64_FORMAT, variable->name,
                     type);
  variable->type = (DebyeNetcdfType)type;
  variable->rank = (guint)MIN(rank, DEBYE_NETCDF_RANK);
  /* The stored size is not used: 32 bits are too few for it in large files. */
  if (!read_number(header, header->count_bytes, &stored_bytes, error) ||
      !read_number(header, header->offset_bytes, &variable->offset, error))
    return FALSE;
  if (rank > DEBYE_NETCDF_RANK)
    return variable->has_records
               ? set_fault(header, error, "expected %d dimensions of “%s” at most, found %" G_GUINT64_FORMAT,
                           DEBYE_NETCDF_RANK, variable->name, rank)
               : TRUE;
  if (!measure_row(variable, &row_bytes))
    return set_fault(header, error, "the product of the dimensions of “%s” is larger than any file",
                     variable->name);
  variable->stride = row_bytes;
  if (variable->has_records && !add_to_record(header, variable, row_bytes, error))
    return FALSE;
  g_ptr_array_add(file->variables, g_steal_pointer(&variable));
  return TRUE;
}

/* --- Records --- */

/* Records of one variable alone aren't padded. */
static guint64
get_record_bytes(const Header *header)
{
  return header->n_record_variables == 1 ? header->last_row_bytes : header->record_bytes;
}

/* The number in the header may be missing (a stream), too large (the file was cut) or made up: only what is
 * whole in the file counts. */
static guint64
count_records(const Header *header, DebyeNetcdfFile *file)
{
  guint64 size = debye_input_get_size(header->input), bytes = get_record_bytes(header);
  if (header->n_record_variables == 0)
    return 0;
  guint64 whole = header->records_end > size ? 0
                  : bytes == 0               ? header->n_records
                                             : (size - header->records_end) / bytes + 1;
  if (header->is_streaming || header->n_records <= whole)
    return header->is_streaming ? whole : header->n_records;
  file->warning =
      debye_message_new("the header announces %" G_GUINT64_FORMAT " frames, the file has %" G_GUINT64_FORMAT,
                        header->n_records, whole);
  return whole;
}

/* Variables that lie beyond the end of the file aren't there. */
static void
settle_variables(const Header *header, DebyeNetcdfFile *file)
{
  guint64 size = debye_input_get_size(header->input), n_records = count_records(header, file);
  for (guint i = file->variables->len; i-- > 0;) {
    DebyeNetcdfVariable *variable = g_ptr_array_index(file->variables, i);
    guint64 bytes = variable->stride, end;
    if (variable->has_records) {
      variable->shape[0] = n_records;
      variable->stride = get_record_bytes(header);
      continue;
    }
    if (!g_uint64_checked_mul(&bytes, bytes, variable->rank > 0 ? variable->shape[0] : 1) ||
        !g_uint64_checked_add(&end, bytes, variable->offset) || end > size)
      g_ptr_array_remove_index(file->variables, i);
  }
}

static gboolean
read_lists(Header *header, DebyeNetcdfFile *file, GError **error)
{
  const Wanted wanted[] = {{"Conventions", &file->conventions, NULL}};
  guint64 n;
  if (!read_dimensions(header, error) || !read_attributes(header, wanted, G_N_ELEMENTS(wanted), error) ||
      !read_list(header, TAG_VARIABLE, 2 * header->count_bytes + 12, "variables", &n, error))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    if (!read_variable(header, file, error))
      return FALSE;
  return TRUE;
}

gboolean
debye_netcdf_classic_read_header(DebyeNetcdfFile *file, DebyeInput *input, GError **error)
{
  guint8 magic[4];
  g_autoptr(GArray) dimensions = g_array_new(FALSE, FALSE, sizeof(guint64));
  Header header = {.input = input, .dimensions = dimensions};
  if (!read_bytes(&header, magic, sizeof magic, error))
    return FALSE;
  header.count_bytes = magic[3] == 5 ? 8 : 4;
  header.offset_bytes = magic[3] == 1 ? 4 : 8;
  if (!read_number(&header, header.count_bytes, &header.n_records, error) ||
      !read_lists(&header, file, error))
    return FALSE;
  header.is_streaming = header.n_records == (header.count_bytes == 8 ? G_MAXUINT64 : G_MAXUINT32);
  settle_variables(&header, file);
  return TRUE;
}
