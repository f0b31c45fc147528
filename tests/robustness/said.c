/* SPDX-License-Identifier: MIT */
/* Laid over GLib and the C library by LD_PRELOAD, this notes what the program says: the pattern of each sentence,
 * the format of each text that is filled in and each error's message go to the file DEBYE_SAID, with a NUL after
 * each. From that a test knows which of the data layer's sentences no test has ever met. */
#include <dlfcn.h>
#include <fcntl.h>
#include <glib.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name))

/* Appended in one call, so that programs and threads may share the file. Where a test lets writing fail, it
 * fails here too, and nothing is noted. */
static void
note(const char *text)
{
  const char *path = g_getenv("DEBYE_SAID");
  int fd = path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (fd < 0)
    return;
  gssize n_written G_GNUC_UNUSED = write(fd, text, strlen(text) + 1);
  close(fd);
}

/* Sentences become messages by a format that has their pattern between two marks (data/message_text.h). */
static void
note_pattern(const char *format)
{
  char pattern[2048];
  gsize length = 0;
  if (format[0] != '\x02')
    return;
  for (const char *at = format + 1;
       *at != '\0' && *at != '\x1f' && *at != '\x03' && length + 1 < sizeof pattern; at++) {
    at += at[0] == '%' && at[1] == '%';
    pattern[length++] = *at;
  }
  pattern[length] = '\0';
  note(pattern);
}

int
vsnprintf(char *text, size_t size, const char *format, va_list arguments)
{
  note_pattern(format);
  return NEXT(vsnprintf)(text, size, format, arguments);
}

/* The same where the C library is told to look for overflows. */
int __vsnprintf_chk(char *text, size_t size, int flag, size_t room, const char *format, va_list arguments);

int
__vsnprintf_chk(char *text, size_t size, int flag, size_t room, const char *format, va_list arguments)
{
  note_pattern(format);
  return NEXT(__vsnprintf_chk)(text, size, flag, room, format, arguments);
}

GError *
g_error_new_literal(GQuark domain, int code, const char *message)
{
  note(message);
  return NEXT(g_error_new_literal)(domain, code, message);
}

char *
g_strdup_vprintf(const char *format, va_list arguments)
{
  note(format);
  return NEXT(g_strdup_vprintf)(format, arguments);
}

static void
set_error(GError **error, GQuark domain, int code, const char *message)
{
  note(message);
  NEXT(g_set_error_literal)(error, domain, code, message);
}

void
g_set_error(GError **error, GQuark domain, int code, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  set_error(error, domain, code, message);
}

void
g_set_error_literal(GError **error, GQuark domain, int code, const char *message)
{
  set_error(error, domain, code, message);
}
