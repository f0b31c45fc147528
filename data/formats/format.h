/* SPDX-License-Identifier: MIT */
/* What a file format is to the rest of Debye: one constant struct, listed in format_list.c. A format is
 * recognised by what a file holds; its ending only breaks ties. All functions may run on any thread; state is
 * in the reader they make. */
#pragma once

#include "data/molecule/frame.h"
#include "data/files/input.h"
#include "data/molecule/topology.h"

typedef struct _DebyeFormat DebyeFormat;
typedef struct _DebyeFrameIndex DebyeFrameIndex;

/* Where each frame begins in one file, in bytes of its content. Made once by DebyeFormat.index_frames and
 * cached beside the file (see frame_cache.h). */
struct _DebyeFrameIndex {
  gsize n_atoms;       /* when index_frames begins: the topology's, 0 where there is none */
  GArray *offsets;     /* guint64, one a frame, ascending */
  GPtrArray *warnings; /* messages; e.g. "the file ends inside frame 12: the 12 frames before it are used" */
  double first_time, last_time, time_step; /* ps; NAN where unknown (or with fewer than two frames) */
  double cell_angles[3]; /* degrees; the topology's, for files that hold lengths only. NAN: unknown. Not
                            cached */
  /* 1 + the number of the warning that the file ends inside a frame, which is none where a running simulation
   * is still writing it; 0: it doesn't. Not cached. */
  guint unfinished;
  /* Some frames have other atoms than the first one, and whether they are used depends on known_atoms, what n_atoms was
   * when index_frames began. */
  gboolean has_odd_frames;
  gsize known_atoms;
  guint64
      first_line; /* text formats may keep line numbers sparse: 0 means "count from the start when needed" */
};

typedef enum {
  DEBYE_WRITE_TOPOLOGY = 1 << 0, /* the format keeps names, residues … */
  DEBYE_WRITE_MANY = 1 << 1,     /* more than one frame fits into one file */
  DEBYE_WRITE_CHARGES = 1 << 2,
  DEBYE_WRITE_ALIGNED = 1 << 3, /* the cell lies along the axes: frames go through cell_orientation.h first */
} DebyeWriteFlags;

struct _DebyeFormat {
  const char *name;            /* "pdb": what `info` prints */
  const char *title;           /* "Protein Data Bank" */
  const char *const *suffixes; /* without the dot, NULL-terminated; the first is the one written */

  /* How surely the first `n` bytes of a file are of this format: 0 no, 100 certain. `n` is at most 64 KiB and
   * may be less than the file. */
  int (*probe)(const guint8 *head, gsize n);

  /* A trajectory whose columns also tell something of its atoms: beside a structure file it is the
   * trajectory, and completes the other's topology at most. */
  gboolean is_trajectory;
  /* The whole system as a simulation starts from it: beside other structure files it knows best what the
   * atoms are, and its one frame counts only where no other file has coordinates. */
  gboolean is_run_input;
  /* The file doesn't say how many atoms a frame has: index_frames needs the topology's number. */
  gboolean needs_n_atoms;
  /* Nor in which unit coordinates and cell are: frames are read as Å and scaled, see length_unit.h. */
  gboolean leaves_unit_open;
  /* For formats in a container that the first bytes only name, as HDF5 holds H5MD, MDTraj's and NetCDF-4:
   * looks into a file that `probe` gives more than 0, and its answer stands in place of probe's. NULL: probe
   * knows. */
  int (*look)(DebyeInput *input);

  /* The topology. NULL: the format has none. */
  gboolean (*read_topology)(DebyeInput *input, DebyeTopologyBuilder *builder, GError **error);

  /* Of a trajectory whose frames hold different atoms, where read_topology tells of the first frame's: all
   * `n_atoms` of the index, in the order that frames have them in. NULL: frames with other atoms are left out. */
  gboolean (*read_all_atoms)(DebyeInput *input, gsize n_atoms, DebyeTopologyBuilder *builder, GError **error);

  /* Coordinates. NULL, all three: the format has none. index_frames fills n_atoms, offsets, warnings and
   * times; on an error after whole frames it keeps them, adds a warning and returns TRUE (nothing is lost);
   * with no whole frame it is an error. A reader belongs to one thread. `frame` has index->n_atoms atoms. */
  /* index_frames may find frames in the index, of the same file when it was shorter, and goes on from the
   * last of them. */
  gboolean can_resume;
  /* Whether more readers than one gain nothing, as where frames lie in a container behind one lock, or many in one compressed
   * block. NULL: several are faster. */
  gboolean (*has_one_reader)(DebyeInput *input);
  gboolean (*index_frames)(DebyeInput *input, DebyeFrameIndex *index, DebyeProgressFunc progress,
                           gpointer data, GError **error);
  gpointer (*reader_new)(DebyeInput *input, const DebyeFrameIndex *index, GError **error);
  gboolean (*read_frame)(gpointer reader, DebyeInput *input, const DebyeFrameIndex *index, gsize frame_number,
                         DebyeFrame *frame, GError **error);
  void (*reader_free)(gpointer reader);
  /* read_frame may leave coordinates packed in a frame that has room for it (debye_frame_add_packed). */
  gboolean can_stay_packed;

  /* Writing. NULL, all three: not written. The stream is a temporary file that the caller renames when all is
   * done. `topology` may be NULL for formats without DEBYE_WRITE_TOPOLOGY. */
  DebyeWriteFlags write_flags;
  gpointer (*writer_new)(GOutputStream *stream, DebyeTopology *topology, gsize n_atoms, gsize n_frames,
                         GError **error);
  /* Steps a nanometre that coordinates are rounded to; before the first frame. NULL: they aren't. */
  void (*writer_set_precision)(gpointer writer, double steps);
  /* "key: value", one line each, for the head of the file; before the first frame. NULL: it takes none. */
  void (*writer_set_remarks)(gpointer writer, const char *const *remarks);
  gboolean (*write_frame)(gpointer writer, const DebyeFrame *frame, GError **error);
  /* Ends the file (back-patches counts; where it has a place for words, says that it is partial if fewer
   * frames than `n_frames` were written) and frees the writer; with `error` NULL frees only. */
  gboolean (*writer_finish)(gpointer writer, GError **error);
};

DebyeFrameIndex *debye_frame_index_new(void);
DebyeFrameIndex *debye_frame_index_copy(const DebyeFrameIndex *index);
void debye_frame_index_free(DebyeFrameIndex *index);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DebyeFrameIndex, debye_frame_index_free)
void debye_frame_index_warn(DebyeFrameIndex *index, const char *format, ...) G_GNUC_PRINTF(2, 3);
