/* SPDX-License-Identifier: MIT */
/* Hashes files on a thread of its own; begun by runs of analyses, asked by provenance.c. */
#include "hashing.h"

#include <sys/stat.h>

#include "sha256.h"

#define LOOK (G_USEC_PER_SEC / 20) /* between looks whether whoever waits still wants it */

/* Which file, and as it was when: another time or size is another content. */
typedef struct {
  dev_t device;
  ino_t number;
  off_t size;
  struct timespec modified;
} Identity;

typedef struct {
  char *path;
  Identity identity;
  gboolean is_there; /* it has an identity */
  /* Guarded by the mutex. */
  double fraction;
  char *digits;     /* NULL: not yet */
  gboolean is_over; /* … or never: it could not be read, or changed meanwhile */
} File;

struct _DebyeHashing {
  gatomicrefcount references;
  GPtrArray *files;  /* File */
  GPtrArray *others; /* DebyeHashing: that have files of ours already */
  GThread *thread;
  gboolean is_stopped; /* guarded by the mutex */
};

/* All that are alive, so that one asks for a file's digits without knowing who computes them. */
static GMutex mutex;
static GCond changed;
static GPtrArray *hashings;

static gboolean
identify(const char *path, Identity *identity)
{
  struct stat status;
  /* Whoever opens a pipe would wait for its writer. */
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
    return FALSE;
  *identity = (Identity){status.st_dev, status.st_ino, status.st_size, status.st_mtim};
  return TRUE;
}

static gboolean
is_same(const Identity *a, const Identity *b)
{
  return a->device == b->device && a->number == b->number && a->size == b->size &&
         a->modified.tv_sec == b->modified.tv_sec && a->modified.tv_nsec == b->modified.tv_nsec;
}

static File *
file_new(const char *path)
{
  File *file = g_new0(File, 1);
  file->path = g_strdup(path);
  file->is_there = identify(path, &file->identity);
  file->is_over = !file->is_there;
  return file;
}

static void
file_free(gpointer data)
{
  File *file = data;
  g_free(file->path);
  g_free(file->digits);
  g_free(file);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(File, file_free)

/* --- The thread --- */

typedef struct {
  DebyeHashing *self;
  File *file;
} Progress;

static gboolean
report(double fraction, gpointer data)
{
  const Progress *progress = data;
  g_mutex_lock(&mutex);
  progress->file->fraction = fraction;
  const gboolean goes_on = !progress->self->is_stopped;
  g_mutex_unlock(&mutex);
  return goes_on;
}

static void
hash_file(DebyeHashing *self, File *file)
{
  Progress progress = {self, file};
  guint64 size = 0;
  Identity after;
  char *digits = debye_sha256_of_file(file->path, report, &progress, &size, NULL);
  if (!identify(file->path, &after) || !is_same(&after, &file->identity))
    g_clear_pointer(&digits, g_free);
  g_mutex_lock(&mutex);
  file->digits = digits;
  file->is_over = TRUE;
  g_cond_broadcast(&changed);
  g_mutex_unlock(&mutex);
}

static gpointer
run(gpointer data)
{
  DebyeHashing *self = data;
  for (guint i = 0; i < self->files->len; i++) {
    File *file = g_ptr_array_index(self->files, i);
    if (file->is_there)
      hash_file(self, file);
  }
  return NULL;
}

/* --- Who wants it --- */

DebyeHashing *
debye_hashing_ref(DebyeHashing *self)
{
  g_atomic_ref_count_inc(&self->references);
  return self;
}

/* With the mutex. */
static File *
find_file(const Identity *identity, DebyeHashing **owner)
{
  for (guint i = 0; hashings != NULL && i < hashings->len; i++) {
    DebyeHashing *hashing = g_ptr_array_index(hashings, i);
    for (guint k = 0; k < hashing->files->len; k++) {
      File *file = g_ptr_array_index(hashing->files, k);
      if (!file->is_there || !is_same(&file->identity, identity) || (file->is_over && file->digits == NULL))
        continue;
      *owner = debye_hashing_ref(hashing);
      return file;
    }
  }
  return NULL;
}

DebyeHashing *
debye_hashing_begin(const char *const *paths)
{
  DebyeHashing *self = g_new0(DebyeHashing, 1);
  g_atomic_ref_count_init(&self->references);
  self->files = g_ptr_array_new_with_free_func(file_free);
  self->others = g_ptr_array_new_with_free_func((GDestroyNotify)debye_hashing_unref);
  g_mutex_lock(&mutex);
  for (; *paths != NULL; paths++) {
    g_autoptr(File) file = file_new(*paths);
    DebyeHashing *other = NULL;
    if (file->is_there && find_file(&file->identity, &other) != NULL)
      g_ptr_array_add(self->others, other);
    else
      g_ptr_array_add(self->files, g_steal_pointer(&file));
  }
  if (hashings == NULL)
    hashings = g_ptr_array_new();
  g_ptr_array_add(hashings, self);
  g_mutex_unlock(&mutex);
  /* Large files take minutes, in which the thread would be missing in a pool; the last who asks waits for it. */
  self->thread = g_thread_new("debye-hashing", run, self);
  return self;
}

/* Nobody may take a reference out of the list while the last one goes. */
static gboolean
let_go(DebyeHashing *self)
{
  g_mutex_lock(&mutex);
  const gboolean is_last = g_atomic_ref_count_dec(&self->references);
  if (is_last) {
    g_ptr_array_remove_fast(hashings, self);
    self->is_stopped = TRUE;
  }
  if (hashings->len == 0)
    g_clear_pointer(&hashings, g_ptr_array_unref);
  g_mutex_unlock(&mutex);
  return is_last;
}

void
debye_hashing_unref(DebyeHashing *self)
{
  if (!let_go(self))
    return;
  g_thread_join(self->thread);
  g_ptr_array_unref(self->files);
  g_ptr_array_unref(self->others);
  g_free(self);
}

/* With the mutex, which `progress` is called without. */
static gboolean
wait_for(const File *file, DebyeProgressFunc progress, gpointer data)
{
  gboolean goes_on = TRUE;
  while (goes_on && !file->is_over) {
    g_cond_wait_until(&changed, &mutex, g_get_monotonic_time() + LOOK);
    const double fraction = file->fraction;
    g_mutex_unlock(&mutex);
    goes_on = progress(fraction, data);
    g_mutex_lock(&mutex);
  }
  return goes_on;
}

char *
debye_hashing_find(const char *path, DebyeProgressFunc progress, gpointer data, guint64 *size, GError **error)
{
  Identity identity;
  g_autoptr(DebyeHashing) owner = NULL;
  if (!identify(path, &identity))
    return NULL;
  g_mutex_lock(&mutex);
  const File *file = find_file(&identity, &owner);
  const gboolean goes_on = file == NULL || wait_for(file, progress, data);
  char *digits = file != NULL && goes_on ? g_strdup(file->digits) : NULL;
  g_mutex_unlock(&mutex);
  *size = (guint64)identity.size;
  if (!goes_on) {
    g_autofree char *name = g_filename_display_basename(path);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: reading was stopped", name);
  }
  return digits;
}
