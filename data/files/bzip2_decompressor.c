/* SPDX-License-Identifier: MIT */
/* Undoes one stream of bzip2 by its library; made by input_packed.c. */
#include "decompressors.h"

#include <bzlib.h>

#include "data/messages/message.h"

#define DEBYE_TYPE_BZIP2_DECOMPRESSOR (debye_bzip2_decompressor_get_type())
G_DECLARE_FINAL_TYPE(DebyeBzip2Decompressor, debye_bzip2_decompressor, DEBYE, BZIP2_DECOMPRESSOR, GObject)

struct _DebyeBzip2Decompressor {
  GObject parent_instance;
  bz_stream stream;
  gboolean is_open;
};

static void debye_bzip2_decompressor_converter_init(GConverterIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE(DebyeBzip2Decompressor, debye_bzip2_decompressor, G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(G_TYPE_CONVERTER,
                                                    debye_bzip2_decompressor_converter_init))

static void
reset(GConverter *converter)
{
  DebyeBzip2Decompressor *self = DEBYE_BZIP2_DECOMPRESSOR(converter);
  if (self->is_open)
    BZ2_bzDecompressEnd(&self->stream);
  self->stream = (bz_stream){0};
  self->is_open = BZ2_bzDecompressInit(&self->stream, 0, 0) == BZ_OK;
}

static const char *
describe(int result)
{
  return result == BZ_MEM_ERROR ? N_("there is not enough memory") : N_("they are damaged");
}

static GConverterResult
convert(GConverter *converter, const void *in, gsize n_in, void *out, gsize n_out,
        G_GNUC_UNUSED GConverterFlags flags, gsize *n_read, gsize *n_written, GError **error)
{
  DebyeBzip2Decompressor *self = DEBYE_BZIP2_DECOMPRESSOR(converter);
  guint given = (guint)MIN(n_in, G_MAXUINT), room = (guint)MIN(n_out, G_MAXUINT);
  self->stream.next_in = (char *)in;
  self->stream.avail_in = given;
  self->stream.next_out = out;
  self->stream.avail_out = room;
  int result = self->is_open ? BZ2_bzDecompress(&self->stream) : BZ_MEM_ERROR;
  *n_read = given - self->stream.avail_in;
  *n_written = room - self->stream.avail_out;
  if (result == BZ_STREAM_END)
    return G_CONVERTER_FINISHED;
  if (result == BZ_OK && (*n_read > 0 || *n_written > 0))
    return G_CONVERTER_CONVERTED;
  g_set_error_literal(error, G_IO_ERROR, result == BZ_OK ? G_IO_ERROR_PARTIAL_INPUT : G_IO_ERROR_INVALID_DATA,
                      describe(result));
  return G_CONVERTER_ERROR;
}

static void
debye_bzip2_decompressor_converter_init(GConverterIface *iface)
{
  iface->convert = convert;
  iface->reset = reset;
}

static void
debye_bzip2_decompressor_finalize(GObject *object)
{
  DebyeBzip2Decompressor *self = DEBYE_BZIP2_DECOMPRESSOR(object);
  if (self->is_open)
    BZ2_bzDecompressEnd(&self->stream);
  G_OBJECT_CLASS(debye_bzip2_decompressor_parent_class)->finalize(object);
}

static void
debye_bzip2_decompressor_class_init(DebyeBzip2DecompressorClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_bzip2_decompressor_finalize;
}

static void
debye_bzip2_decompressor_init(DebyeBzip2Decompressor *self)
{
  reset(G_CONVERTER(self));
}

GConverter *
debye_bzip2_decompressor_new(void)
{
  return g_object_new(DEBYE_TYPE_BZIP2_DECOMPRESSOR, NULL);
}
