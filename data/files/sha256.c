/* SPDX-License-Identifier: MIT */
/* Computes the SHA-256 of a file; called by provenance.c and hashing.c. */
#include "sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

#define PIECE (1 << 16)
#define DIGEST 32 /* bytes */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(EVP_MD_CTX, EVP_MD_CTX_free)

typedef struct {
  const char *path;
  int descriptor;
  DebyeProgressFunc progress;
  gpointer data;
} Watched;

static gboolean
set_open_error(GError **error, const char *path, int code)
{
  g_autofree char *name = g_filename_display_basename(path);
  return debye_error_set(error, DEBYE_ERROR_OPEN, "%s: can't be read: %s", name, g_strerror(code));
}

static double
get_fraction(const Watched *file, guint64 n_read)
{
  struct stat status;
  gboolean is_known = fstat(file->descriptor, &status) == 0 && status.st_size > 0;
  return is_known ? MIN((double)n_read / (double)status.st_size, 1.0) : 0.0;
}

static gboolean
hash(const Watched *file, EVP_MD_CTX *context, guint64 *size, GError **error)
{
  guchar piece[PIECE];
  for (;;) {
    if (!file->progress(get_fraction(file, *size), file->data)) {
      g_autofree char *name = g_filename_display_basename(file->path);
      g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: reading was stopped", name);
      return FALSE;
    }
    gssize n = read(file->descriptor, piece, PIECE);
    if (n == 0)
      return TRUE;
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return set_open_error(error, file->path, errno);
    EVP_DigestUpdate(context, piece, (gsize)n);
    *size += (guint64)n;
  }
}

static char *
get_digits(EVP_MD_CTX *context)
{
  guchar digest[DIGEST];
  GString *digits = g_string_sized_new(2 * DIGEST);
  EVP_DigestFinal_ex(context, digest, NULL);
  for (gsize i = 0; i < DIGEST; i++)
    g_string_append_printf(digits, "%02x", digest[i]);
  return g_string_free(digits, FALSE);
}

char *
debye_sha256_of_file(const char *path, DebyeProgressFunc progress, gpointer data, guint64 *size,
                     GError **error)
{
  g_autoptr(EVP_MD_CTX) context = EVP_MD_CTX_new();
  const Watched file = {path, open(path, O_RDONLY | O_CLOEXEC), progress, data};
  *size = 0;
  if (file.descriptor < 0)
    return debye_null(set_open_error(error, path, errno));
  const gboolean is_begun = context != NULL && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1;
  const gboolean is_done = is_begun && hash(&file, context, size, error);
  close(file.descriptor);
  return is_done ? get_digits(context) : NULL;
}
