/* SPDX-License-Identifier: MIT */
/* Maps a stretch of a file and turns SIGBUS into an error; used by the NetCDF reader. */
#include "input_view.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

/* What the handler may look at: the view of the thread that it interrupts. */
static _Thread_local struct {
  guint8 *volatile begin;
  volatile gsize n;
  volatile sig_atomic_t is_broken;
} seen;

static struct sigaction earlier;

/* Elsewhere it is a fault of the program: back to what was there before, and the access is repeated. */
static void
handle_missing_page(G_GNUC_UNUSED int signal_number, siginfo_t *info, G_GNUC_UNUSED void *context)
{
  guint8 *place = info->si_addr, *begin = seen.begin;
  if (begin == NULL || place < begin || place >= begin + seen.n ||
      mmap(begin, seen.n, PROT_READ, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) {
    sigaction(SIGBUS, &earlier, NULL);
    return;
  }
  seen.is_broken = 1;
}

static void
install_handler(void)
{
  static gsize is_installed = 0;
  if (!g_once_init_enter(&is_installed))
    return;
  struct sigaction action = {.sa_sigaction = handle_missing_page, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &earlier);
  g_once_init_leave(&is_installed, 1);
}

/* Beyond the end of a file the rest of its last page is zeros, and no signal tells. */
static gboolean
is_in_file(int fd, guint64 end)
{
  struct stat status;
  return fstat(fd, &status) == 0 && end <= (guint64)status.st_size;
}

gboolean
debye_input_view_open(DebyeInputView *view, DebyeInput *input, guint64 offset, gsize n)
{
  int fd = debye_input_get_descriptor(input);
  gsize before = offset % (gsize)sysconf(_SC_PAGESIZE);
  guint64 end;
  if (n < DEBYE_INPUT_VIEW_MINIMUM || seen.begin != NULL || !g_uint64_checked_add(&end, offset, n) ||
      end > G_MAXINT64 || !is_in_file(fd, end))
    return FALSE;
  install_handler();
  guint8 *begin = mmap(NULL, before + n, PROT_READ, MAP_SHARED, fd, (off_t)(offset - before));
  if (begin == MAP_FAILED)
    return FALSE;
  seen.is_broken = 0;
  seen.n = before + n;
  seen.begin = begin;
  *view = (DebyeInputView){begin + before, n, input, offset, begin, before + n};
  return TRUE;
}

gboolean
debye_input_view_close(DebyeInputView *view, GError **error)
{
  guint8 last;
  guint64 end = view->offset + view->n;
  gboolean is_whole = !seen.is_broken && is_in_file(debye_input_get_descriptor(view->input), end);
  seen.begin = NULL;
  munmap(view->begin, view->n_mapped);
  if (is_whole)
    return TRUE;
  /* The system's own reason, where it still has one. */
  if (debye_input_read(view->input, end - 1, &last, 1, error))
    debye_input_set_error(view->input, error, DEBYE_ERROR_OPEN,
                          "can't be read at byte %" G_GUINT64_FORMAT ": the file was changed meanwhile",
                          view->offset);
  return FALSE;
}
