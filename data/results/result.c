/* SPDX-License-Identifier: MIT */
/* What an analysis made, in memory; result_file.c writes it and result_hdf5_load.c brings it back. */
#include "result.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "data/files/provenance.h"
#include "data/messages/message.h"
#include "data/settings/setting_file.h"

struct _DebyeResult {
  GObject parent_instance;
  DebyeRequest *request;
  char *title, *title_message;
  char *name;                              /* a person's; NULL: none. Under its mutex. */
  GListStore *parts[DEBYE_ARRAY_AXES + 1]; /* arrays by the number of their axes; 0: tables */
  DebyeTopology *molecule;                 /* NULL: none */
  DebyeFrame *places;                      /* of its atoms */
  char **inputs;
  GPtrArray *notes; /* DebyeNote */
  gboolean partial;
  double wall_time;
  DebyeStages stages;
  GDateTime *created;
  char *version;
  char *command;
  GMutex name_mutex;  /* a name is asked for while records are made */
  GMutex mutex;       /* over the records */
  GPtrArray *records; /* DebyeInputRecord; NULL until hashed or loaded */
  GPtrArray *setting_records;
  DebyeHashing *hashing; /* that the records come from; NULL: none, or they are there */
};

static guint renamed_signal;

G_DEFINE_FINAL_TYPE(DebyeResult, debye_result, G_TYPE_OBJECT)

static void
debye_result_finalize(GObject *object)
{
  DebyeResult *self = DEBYE_RESULT(object);
  g_object_unref(self->request);
  for (guint i = 0; i < G_N_ELEMENTS(self->parts); i++)
    g_object_unref(self->parts[i]);
  g_clear_object(&self->molecule);
  g_clear_pointer(&self->places, debye_frame_unref);
  g_free(self->title);
  g_free(self->title_message);
  g_free(self->name);
  g_strfreev(self->inputs);
  g_ptr_array_unref(self->notes);
  g_clear_pointer(&self->created, g_date_time_unref);
  g_free(self->version);
  g_free(self->command);
  g_clear_pointer(&self->records, g_ptr_array_unref);
  g_clear_pointer(&self->setting_records, g_ptr_array_unref);
  g_clear_pointer(&self->hashing, debye_hashing_unref);
  g_mutex_clear(&self->name_mutex);
  g_mutex_clear(&self->mutex);
  G_OBJECT_CLASS(debye_result_parent_class)->finalize(object);
}

static void
debye_result_class_init(DebyeResultClass *class)
{
  G_OBJECT_CLASS(class)->finalize = debye_result_finalize;
  renamed_signal =
      g_signal_new("renamed", DEBYE_TYPE_RESULT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
debye_result_init(DebyeResult *self)
{
  for (guint i = 0; i < G_N_ELEMENTS(self->parts); i++)
    self->parts[i] = g_list_store_new(i == 0 ? DEBYE_TYPE_TABLE : DEBYE_TYPE_ARRAY);
  self->inputs = g_new0(char *, 1);
  self->notes = g_ptr_array_new_with_free_func((GDestroyNotify)debye_note_free);
  self->created = g_date_time_new_now_utc();
  self->version = g_strdup(debye_provenance_get_version());
  g_mutex_init(&self->name_mutex);
  g_mutex_init(&self->mutex);
}

DebyeResult *
debye_result_new(DebyeRequest *request, const char *title)
{
  g_return_val_if_fail(DEBYE_IS_REQUEST(request), NULL);
  DebyeResult *self = g_object_new(DEBYE_TYPE_RESULT, NULL);
  self->request = g_object_ref(request);
  self->title_message = g_strdup(title != NULL ? title : "");
  self->title = debye_message_english(self->title_message);
  return self;
}

DebyeRequest *
debye_result_get_request(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  return self->request;
}

const char *
debye_result_get_title(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  return self->title;
}

const char *
debye_result_get_title_message(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  return self->title_message;
}

void
debye_result_set_name(DebyeResult *self, const char *name)
{
  g_return_if_fail(DEBYE_IS_RESULT(self));
  g_autofree char *stripped = name != NULL ? g_strstrip(g_strdup(name)) : NULL;
  const char *set = stripped != NULL && *stripped != '\0' ? stripped : NULL;
  g_mutex_lock(&self->name_mutex);
  const gboolean is_other = g_strcmp0(self->name, set) != 0;
  g_free(self->name);
  self->name = g_strdup(set);
  g_mutex_unlock(&self->name_mutex);
  if (is_other)
    g_signal_emit(self, renamed_signal, 0);
}

char *
debye_result_dup_name(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  g_mutex_lock(&self->name_mutex);
  char *name = g_strdup(self->name);
  g_mutex_unlock(&self->name_mutex);
  return name;
}

void
debye_result_add_array(DebyeResult *self, DebyeArray *array)
{
  g_return_if_fail(DEBYE_IS_RESULT(self) && DEBYE_IS_ARRAY(array));
  g_list_store_append(self->parts[debye_array_get_content(array)->n_axes], array);
}

GListModel *
debye_result_get_arrays(DebyeResult *self, guint n_axes)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self) && n_axes >= 1 && n_axes <= DEBYE_ARRAY_AXES, NULL);
  return G_LIST_MODEL(self->parts[n_axes]);
}

void
debye_result_add_table(DebyeResult *self, DebyeTable *table)
{
  g_return_if_fail(DEBYE_IS_RESULT(self) && DEBYE_IS_TABLE(table));
  g_list_store_append(self->parts[0], table);
}

GListModel *
debye_result_get_tables(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  return G_LIST_MODEL(self->parts[0]);
}

DebyeTable *
debye_result_find_table(DebyeResult *self, const char *name)
{
  GListModel *tables = debye_result_get_tables(self);
  for (guint i = 0; i < g_list_model_get_n_items(tables); i++) {
    g_autoptr(DebyeTable) table = g_list_model_get_item(tables, i);
    if (g_str_equal(debye_table_get_name(table), name))
      return table;
  }
  return NULL;
}

gboolean
debye_result_is_empty(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), TRUE);
  guint n = 0;
  for (guint i = 0; i < G_N_ELEMENTS(self->parts); i++)
    n += g_list_model_get_n_items(G_LIST_MODEL(self->parts[i]));
  return n == 0;
}

void
debye_result_set_molecule(DebyeResult *self, DebyeTopology *topology, const DebyeFrame *frame)
{
  g_return_if_fail(DEBYE_IS_RESULT(self) && DEBYE_IS_TOPOLOGY(topology) && frame != NULL);
  g_set_object(&self->molecule, topology);
  g_clear_pointer(&self->places, debye_frame_unref);
  self->places = debye_frame_ref((DebyeFrame *)frame);
}

DebyeTopology *
debye_result_get_molecule(DebyeResult *self, const DebyeFrame **frame)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  *frame = self->places;
  return self->molecule;
}

void
debye_result_set_inputs(DebyeResult *self, const char *const *paths)
{
  g_return_if_fail(DEBYE_IS_RESULT(self) && paths != NULL);
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&self->mutex);
  char **copy = g_strdupv((char **)paths);
  g_strfreev(self->inputs);
  self->inputs = copy;
  g_clear_pointer(&self->records, g_ptr_array_unref);
}

const char *const *
debye_result_get_inputs(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  return (const char *const *)self->inputs;
}

/* An input that has gone since can't be hashed any more; the result is worth keeping all the same. */
static DebyeInputRecord *
record_input(const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr(GError) reason = NULL;
  DebyeInputRecord *record = debye_provenance_record_file(path, cancellable, &reason);
  if (record == NULL && g_access(path, R_OK) != 0)
    return debye_input_record_new(path, 0, NULL);
  if (record == NULL)
    g_propagate_error(error, g_steal_pointer(&reason));
  return record;
}

static GPtrArray *
record_inputs(const char *const *paths, GCancellable *cancellable, GError **error)
{
  g_autoptr(GPtrArray) records = g_ptr_array_new_with_free_func((GDestroyNotify)debye_input_record_free);
  for (; *paths != NULL; paths++) {
    DebyeInputRecord *record = record_input(*paths, cancellable, error);
    if (record == NULL)
      return NULL;
    g_ptr_array_add(records, record);
  }
  return g_steal_pointer(&records);
}

GPtrArray *
debye_result_get_input_records(DebyeResult *self, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&self->mutex);
  if (self->records == NULL)
    self->records = record_inputs((const char *const *)self->inputs, cancellable, error);
  if (self->records != NULL)
    g_clear_pointer(&self->hashing, debye_hashing_unref);
  return self->records != NULL ? g_ptr_array_ref(self->records) : NULL;
}

void
debye_result_set_hashing(DebyeResult *self, DebyeHashing *hashing)
{
  g_return_if_fail(DEBYE_IS_RESULT(self) && hashing != NULL);
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&self->mutex);
  g_clear_pointer(&self->hashing, debye_hashing_unref);
  self->hashing = debye_hashing_ref(hashing);
}

void
debye_result_set_input_records(DebyeResult *self, GPtrArray *records)
{
  g_return_if_fail(DEBYE_IS_RESULT(self) && records != NULL);
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&self->mutex);
  g_clear_pointer(&self->records, g_ptr_array_unref);
  self->records = g_ptr_array_ref(records);
  g_clear_pointer(&self->hashing, debye_hashing_unref);
}

static GPtrArray *
record_setting_files(DebyeRequest *request)
{
  const DebyeSettingTable *table = debye_request_get_table(request);
  GPtrArray *records = g_ptr_array_new_with_free_func((GDestroyNotify)debye_input_record_free);
  for (gsize i = 0; i < table->n_settings; i++) {
    const char *key = table->settings[i].key;
    g_auto(GStrv) paths = debye_setting_list_files(&table->settings[i], debye_request_get(request, key));
    for (char **path = paths; path != NULL && *path != NULL; path++) {
      DebyeInputRecord *record = debye_provenance_record_file(*path, NULL, NULL);
      g_ptr_array_add(records, record != NULL ? record : debye_input_record_new(*path, 0, NULL));
    }
  }
  return records;
}

GPtrArray *
debye_result_get_setting_records(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&self->mutex);
  if (self->setting_records == NULL)
    self->setting_records = record_setting_files(self->request);
  return g_ptr_array_ref(self->setting_records);
}

void
debye_result_set_setting_records(DebyeResult *self, GPtrArray *records)
{
  g_return_if_fail(DEBYE_IS_RESULT(self) && records != NULL);
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&self->mutex);
  g_clear_pointer(&self->setting_records, g_ptr_array_unref);
  self->setting_records = g_ptr_array_ref(records);
}

void
debye_result_take_note(DebyeResult *self, DebyeNote *note)
{
  g_return_if_fail(DEBYE_IS_RESULT(self));
  g_ptr_array_add(self->notes, note);
}

void
debye_result_add_note(DebyeResult *self, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  debye_result_take_note(self, debye_note_new_valist(DEBYE_NOTE_PLAIN, NULL, format, arguments));
  va_end(arguments);
}

void
debye_result_add_note_of(DebyeResult *self, DebyeNoteKind kind, const char *about, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  debye_result_take_note(self, debye_note_new_valist(kind, about, format, arguments));
  va_end(arguments);
}

void
debye_result_copy_notes(DebyeResult *self, GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++)
    debye_result_take_note(self, debye_note_copy(g_ptr_array_index(notes, i)));
}

GPtrArray *
debye_result_get_notes(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  return self->notes;
}

void
debye_result_set_partial(DebyeResult *self, gboolean partial)
{
  g_return_if_fail(DEBYE_IS_RESULT(self));
  self->partial = partial;
}

gboolean
debye_result_is_partial(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), FALSE);
  return self->partial;
}

void
debye_result_set_wall_time(DebyeResult *self, double seconds)
{
  g_return_if_fail(DEBYE_IS_RESULT(self));
  self->wall_time = seconds;
}

void
debye_result_set_stages(DebyeResult *self, const DebyeStages *stages)
{
  g_return_if_fail(DEBYE_IS_RESULT(self));
  self->stages = *stages;
}

const DebyeStages *
debye_result_get_stages(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  return &self->stages;
}

double
debye_result_get_wall_time(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), 0.0);
  return self->wall_time;
}

void
debye_result_set_origin(DebyeResult *self, GDateTime *created, const char *version)
{
  g_return_if_fail(DEBYE_IS_RESULT(self));
  GDateTime *kept = created != NULL ? g_date_time_ref(created) : NULL;
  char *copy = g_strdup(version);
  g_clear_pointer(&self->created, g_date_time_unref);
  g_free(self->version);
  self->created = kept;
  self->version = copy;
}

GDateTime *
debye_result_get_created(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  return self->created;
}

const char *
debye_result_get_version(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  return self->version;
}

void
debye_result_set_command(DebyeResult *self, const char *command)
{
  g_return_if_fail(DEBYE_IS_RESULT(self));
  g_free(self->command);
  self->command = g_strdup(command);
}

const char *
debye_result_get_command(DebyeResult *self)
{
  g_return_val_if_fail(DEBYE_IS_RESULT(self), NULL);
  return self->command;
}
