/* SPDX-License-Identifier: MIT */
/* Checks datatype messages (HDF5 File Format Specification 3.0, IV.A.2.d); called by h5_check.c and
 * h5_check_message.c. */
#include "h5_check_private.h"

#define NESTING_MAXIMUM 32

static gboolean check_type(DebyeH5Cursor *type, guint64 *size, guint depth);

/* Bits beyond a value would be taken from its neighbours, or from behind the last. */
static gboolean
check_bits(guint64 first, guint64 n, guint64 size)
{
  return first + n <= 8 * size;
}

/* Where the bits of a value are, and how many. */
static gboolean
take_precision(DebyeH5Cursor *type, guint64 size, guint64 *n)
{
  guint64 first = debye_h5_take(type, 2);
  *n = debye_h5_take(type, 2);
  return check_bits(first, *n, size);
}

/* The library looks for the sign in the last bit, which must be there, and what it cuts off when it makes a
 * float of a long integer it takes for 64 bits at most. */
static gboolean
check_integer(DebyeH5Cursor *type, guint64 size)
{
  guint64 n;
  return take_precision(type, size, &n) && n >= 1 && n <= 64;
}

static gboolean
check_bit_field(DebyeH5Cursor *type, guint64 size)
{
  guint64 n;
  return take_precision(type, size, &n);
}

/* When it makes an integer of a float, the library keeps the mantissa in as many bits as the exponent counts
 * to. A float of 128 bits has 15 of exponent. */
static gboolean
check_float(DebyeH5Cursor *type, guint64 flags, guint64 size)
{
  guint64 n;
  gboolean good = take_precision(type, size, &n);
  guint64 exponent = debye_h5_take(type, 1), n_exponent = debye_h5_take(type, 1);
  guint64 mantissa = debye_h5_take(type, 1), n_mantissa = debye_h5_take(type, 1);
  debye_h5_skip(type, 4); /* bias */
  return good && check_bits((flags >> 8) & 0xff, 1, size) && check_bits(exponent, n_exponent, size) &&
         check_bits(mantissa, n_mantissa, size) && n_exponent >= 1 && n_exponent <= 16 &&
         n_mantissa < (guint64)1 << n_exponent;
}

static gboolean
check_compound(DebyeH5Cursor *type, guint version, guint64 n_members, guint64 size, guint depth)
{
  for (guint64 i = 0; i < n_members; i++) {
    guint64 member_size;
    debye_h5_take_text(type, version < 3 ? 8 : 1);
    guint64 offset = debye_h5_take(type, version < 3 ? 4 : debye_h5_count_bytes(size));
    if (version == 1)
      debye_h5_skip(type, 28); /* the member's own dimensions */
    if (!check_type(type, &member_size, depth + 1) || offset > size || member_size > size - offset)
      return FALSE;
  }
  return TRUE;
}

/* The library copies as many bytes of each value as the enumeration itself is long. */
static gboolean
check_enumeration(DebyeH5Cursor *type, guint version, guint64 n_members, guint64 size, guint depth)
{
  guint64 value_size;
  if (!check_type(type, &value_size, depth + 1) || value_size != size)
    return FALSE;
  for (guint64 i = 0; i < n_members && !type->is_short; i++)
    debye_h5_take_text(type, version < 3 ? 8 : 1);
  return debye_h5_skip(type, n_members * value_size);
}

static gboolean
check_array(DebyeH5Cursor *type, guint version, guint64 size, guint depth)
{
  guint64 n = 1, element_size, rank = debye_h5_take(type, 1);
  if (version < 3)
    debye_h5_skip(type, 3);
  for (guint64 i = 0; i < rank; i++)
    if (!g_uint64_checked_mul(&n, n, debye_h5_take(type, 4)))
      return FALSE;
  if (version < 3)
    debye_h5_skip(type, 4 * rank); /* permutation */
  return check_type(type, &element_size, depth + 1) && g_uint64_checked_mul(&n, n, element_size) && n == size;
}

static gboolean
check_properties(DebyeH5Cursor *type, guint class_and_version, guint64 flags, guint64 *size, guint depth)
{
  guint version = class_and_version >> 4;
  guint64 base_size;
  switch (class_and_version & 0x0f) {
  case 0:
    return check_integer(type, *size);
  case 1:
    return check_float(type, flags, *size);
  case 2: /* time */
    return debye_h5_skip(type, 2);
  case 4:
    return check_bit_field(type, *size);
  case 5: /* opaque, with a tag */
    return debye_h5_skip(type, flags & 0xff);
  case 6:
    return check_compound(type, version, flags & 0xffff, *size, depth);
  case 8:
    return check_enumeration(type, version, flags & 0xffff, *size, depth);
  case 9: /* of variable length */
    return check_type(type, &base_size, depth + 1);
  case 10:
    return check_array(type, version, *size, depth);
  default: /* texts and references have none; what else there may be, the library refuses */
    return TRUE;
  }
}

static gboolean
check_type(DebyeH5Cursor *type, guint64 *size, guint depth)
{
  guint class_and_version = (guint)debye_h5_take(type, 1);
  guint64 flags = debye_h5_take(type, 3);
  *size = debye_h5_take(type, 4);
  return depth < NESTING_MAXIMUM && !type->is_short &&
         check_properties(type, class_and_version, flags, size, depth) && !type->is_short;
}

gboolean
debye_h5_check_type(DebyeH5Cursor *type, guint64 *size)
{
  return check_type(type, size, 0);
}
