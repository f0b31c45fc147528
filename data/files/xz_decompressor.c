/* SPDX-License-Identifier: MIT */
/* Undoes one stream of xz by liblzma; made by input_packed.c. */
#include "decompressors.h"

#include <lzma.h>

#include "data/messages/message.h"

#define DEBYE_TYPE_XZ_DECOMPRESSOR (debye_xz_decompressor_get_type())
G_DECLARE_FINAL_TYPE(DebyeXzDecompressor, debye_xz_decompressor, DEBYE, XZ_DECOMPRESSOR, GObject)

struct _DebyeXzDecompressor {
  GObject parent_instance;
  lzma_stream stream;
  lzma_ret opened;
};

static void debye_xz_decompressor_converter_init(GConverterIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE(DebyeXzDecompressor, debye_xz_decompressor, G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(G_TYPE_CONVERTER, debye_xz_decompressor_converter_init))

static void
reset(GConverter *converter)
{
  DebyeXzDecompressor *self = DEBYE_XZ_DECOMPRESSOR(converter);
  const guint64 limit = (guint64)DEBYE_XZ_MEMORY << 20;
  self->opened = lzma_stream_decoder(&self->stream, limit, 0);
}

static const char *
describe(lzma_ret result)
{
  switch (result) {
  case LZMA_OPTIONS_ERROR:
    return N_("this version of liblzma doesn't know their filter");
  case LZMA_MEM_ERROR:
    return N_("there is not enough memory");
  default:
    return N_("they are damaged");
  }
}

static int
get_code(lzma_ret result)
{
  if (result == LZMA_OK || result == LZMA_BUF_ERROR)
    return G_IO_ERROR_PARTIAL_INPUT;
  return result == LZMA_MEMLIMIT_ERROR ? G_IO_ERROR_NO_SPACE : G_IO_ERROR_INVALID_DATA;
}

static GConverterResult
convert(GConverter *converter, const void *in, gsize n_in, void *out, gsize n_out,
        G_GNUC_UNUSED GConverterFlags flags, gsize *n_read, gsize *n_written, GError **error)
{
  DebyeXzDecompressor *self = DEBYE_XZ_DECOMPRESSOR(converter);
  self->stream.next_in = in;
  self->stream.avail_in = n_in;
  self->stream.next_out = out;
  self->stream.avail_out = n_out;
  lzma_ret result = self->opened == LZMA_OK ? lzma_code(&self->stream, LZMA_RUN) : self->opened;
  *n_read = n_in - self->stream.avail_in;
  *n_written = n_out - self->stream.avail_out;
  if (result == LZMA_STREAM_END)
    return G_CONVERTER_FINISHED;
  if (result == LZMA_OK && (*n_read > 0 || *n_written > 0))
    return G_CONVERTER_CONVERTED;
  g_set_error_literal(error, G_IO_ERROR, get_code(result), describe(result));
  return G_CONVERTER_ERROR;
}

static void
debye_xz_decompressor_converter_init(GConverterIface *iface)
{
  iface->convert = convert;
  iface->reset = reset;
}

static void
debye_xz_decompressor_finalize(GObject *object)
{
  lzma_end(&DEBYE_XZ_DECOMPRESSOR(object)->stream);
  G_OBJECT_CLASS(debye_xz_decompressor_parent_class)->finalize(object);
}

static void
debye_xz_decompressor_class_init(DebyeXzDecompressorClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_xz_decompressor_finalize;
}

static void
debye_xz_decompressor_init(DebyeXzDecompressor *self)
{
  self->stream = (lzma_stream)LZMA_STREAM_INIT;
  reset(G_CONVERTER(self));
}

GConverter *
debye_xz_decompressor_new(void)
{
  return g_object_new(DEBYE_TYPE_XZ_DECOMPRESSOR, NULL);
}
