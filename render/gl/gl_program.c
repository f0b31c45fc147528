/* SPDX-License-Identifier: MIT */
/* Compiles and links shader programs for all that draws with GL, and keeps the driver's own words where it
 * fails. */
#include "gl_program.h"

#include <string.h>

#include <gio/gio.h>

#include "data/files/error.h"
#include "render/gl/debye-shader-resources.h"

struct _DebyePrograms {
  GHashTable *programs; /* "name options" → program */
  GError *error;
  gboolean desktop, conservative_depth, software, float_targets, keeps_nearest, tried_nearest;
};

static const char *const samplers[DEBYE_N_UNITS] = {
    [DEBYE_UNIT_POSITIONS] = "positions", [DEBYE_UNIT_STYLES] = "styles",
    [DEBYE_UNIT_PEELED] = "peeled",       [DEBYE_UNIT_COLOR_MAP] = "color_map",
    [DEBYE_UNIT_IMAGE] = "image",         [DEBYE_UNIT_DEPTH] = "depth_image",
    [DEBYE_UNIT_OCCLUSION] = "occlusion", [DEBYE_UNIT_TRANSPARENT] = "transparent",
    [DEBYE_UNIT_OVERVIEW] = "overview",
};

static const struct {
  const char *name;
  GLuint location;
} attributes[] = {{"atom", 0},  {"bond", 0},  {"position", 0}, {"normal", 1},
                  {"color", 2}, {"value", 3}, {"from", 0},     {"to", 1}};

/* Extensions that the nearest fragments of pixels need beyond OpenGL 3.3. */
static const char *const nearest_extensions[] = {
    "GL_ARB_shader_storage_buffer_object", "GL_ARB_clear_buffer_object",
    "GL_ARB_shader_image_load_store",      "GL_ARB_shading_language_420pack",
    "GL_ARB_shading_language_packing",     "GL_ARB_gpu_shader_int64",
};
#define LONG_MINIMA "GL_NV_shader_atomic_int64"

gboolean
debye_gl_is_software(void)
{
  const char *renderer = (const char *)glGetString(GL_RENDERER);
  return renderer &&
         (strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe") || strstr(renderer, "SWR"));
}

/* Threads of a GPU need minima that nothing comes between; llvmpipe draws all of a pixel by one thread. */
static gboolean
offers_nearest(const DebyePrograms *self)
{
  const char *renderer = (const char *)glGetString(GL_RENDERER);
  gboolean offers =
      self->desktop && g_getenv("DEBYE_PEELING") == NULL &&
      (epoxy_has_gl_extension(LONG_MINIMA) || (renderer != NULL && g_str_has_prefix(renderer, "llvmpipe")));
  for (gsize i = 0; i < G_N_ELEMENTS(nearest_extensions); i++)
    offers = offers && epoxy_has_gl_extension(nearest_extensions[i]);
  return offers;
}

DebyePrograms *
debye_programs_new(void)
{
  DebyePrograms *self = g_new0(DebyePrograms, 1);
  self->programs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  self->desktop = epoxy_is_desktop_gl();
  self->conservative_depth = self->desktop ? epoxy_has_gl_extension("GL_ARB_conservative_depth")
                                           : epoxy_has_gl_extension("GL_EXT_conservative_depth");
  self->software = debye_gl_is_software();
  self->float_targets = self->desktop || epoxy_has_gl_extension("GL_EXT_color_buffer_float") ||
                        epoxy_has_gl_extension("GL_EXT_color_buffer_half_float");
  self->keeps_nearest = offers_nearest(self);
  if (epoxy_gl_version() < (self->desktop ? 33 : 30))
    debye_error_set(&self->error, DEBYE_ERROR_DEVICE,
                    "drawing needs OpenGL 3.3 or OpenGL ES 3.0, and this system offers %s %d.%d",
                    self->desktop ? "OpenGL" : "OpenGL ES", epoxy_gl_version() / 10, epoxy_gl_version() % 10);
  return self;
}

void
debye_programs_free(DebyePrograms *self, gboolean context_lost)
{
  if (!self)
    return;
  GHashTableIter iter;
  gpointer program;
  g_hash_table_iter_init(&iter, self->programs);
  while (!context_lost && g_hash_table_iter_next(&iter, NULL, &program))
    glDeleteProgram(GPOINTER_TO_UINT(program));
  g_hash_table_unref(self->programs);
  g_clear_error(&self->error);
  g_free(self);
}

const GError *
debye_programs_get_error(DebyePrograms *self)
{
  return self->error;
}

gboolean
debye_programs_is_software(DebyePrograms *self)
{
  return self->software;
}

gboolean
debye_programs_has_float_targets(DebyePrograms *self)
{
  return self->float_targets;
}

static void
append_file(GString *text, const char *name)
{
  g_autofree char *path = g_strdup_printf("/org/debye/shaders/%s.glsl", name);
  g_autoptr(GBytes) bytes =
      g_resource_lookup_data(debye_shaders_get_resource(), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  if (bytes)
    g_string_append_len(text, g_bytes_get_data(bytes, NULL), (gssize)g_bytes_get_size(bytes));
}

static char *
shader_text(const DebyePrograms *self, const char *stage, const char *name, const char *options)
{
  g_auto(GStrv) words = g_strsplit(options, " ", -1);
  const gboolean nearest = g_strv_contains((const char *const *)words, "NEAREST");
  const gboolean keeps =
      nearest && g_str_equal(stage, "FRAGMENT") && g_strv_contains((const char *const *)words, "PEEL");
  GString *text = g_string_new(self->desktop ? "#version 330 core\n" : "#version 300 es\n");
  for (gsize i = 0; nearest && i < G_N_ELEMENTS(nearest_extensions); i++)
    g_string_append_printf(text, "#extension %s : enable\n", nearest_extensions[i]);
  if (nearest)
    g_string_append(text, "#extension " LONG_MINIMA " : enable\n");
  if (self->conservative_depth)
    g_string_append_printf(text, "#extension GL_%s_conservative_depth : enable\n#define CONSERVATIVE_DEPTH\n",
                           self->desktop ? "ARB" : "EXT");
  if (!self->desktop)
    g_string_append(text, "precision highp float;\nprecision highp int;\nprecision highp sampler2D;\n"
                          "precision highp sampler2DArray;\n");
  g_string_append_printf(text, "#define %s\n", stage);
  for (char **word = words; *word; word++)
    if (**word)
      g_string_append_printf(text, "#define %s\n", *word);
  append_file(text, "view");
  append_file(text, "light");
  /* Wraps main: a fragment is kept when its colour is known. */
  g_string_append(text, keeps ? "#define main draw_fragment\n" : "");
  append_file(text, name);
  g_string_append(text, keeps ? "#undef main\nvoid main() {\n  draw_fragment();\n  keep_nearest(result);\n}\n"
                              : "");
  return g_string_free(text, FALSE);
}

static GLuint
compile(DebyePrograms *self, GLenum kind, const char *name, const char *options)
{
  g_autofree char *text = shader_text(self, kind == GL_VERTEX_SHADER ? "VERTEX" : "FRAGMENT", name, options);
  GLuint shader = glCreateShader(kind);
  GLint done = GL_FALSE;
  glShaderSource(shader, 1, (const char *const *)&text, NULL);
  glCompileShader(shader);
  glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
  if (!done && !self->error) {
    char message[1024] = "";
    glGetShaderInfoLog(shader, sizeof message, NULL, message);
    debye_error_set(&self->error, DEBYE_ERROR_DEVICE, "the OpenGL driver can't compile the shader “%s”: %s",
                    name, g_strstrip(message));
  }
  return shader;
}

static void
bind_names(GLuint program)
{
  GLuint block = glGetUniformBlockIndex(program, "View");
  if (block != GL_INVALID_INDEX)
    glUniformBlockBinding(program, block, 0);
  glUseProgram(program);
  for (GLint unit = 0; unit < DEBYE_N_UNITS; unit++) {
    GLint location = glGetUniformLocation(program, samplers[unit]);
    if (location >= 0)
      glUniform1i(location, unit);
  }
}

static GLuint
make_program(DebyePrograms *self, const char *name, const char *options)
{
  GLuint vertex = compile(self, GL_VERTEX_SHADER, name, options);
  GLuint fragment = compile(self, GL_FRAGMENT_SHADER, name, options);
  GLuint program = glCreateProgram();
  GLint done = GL_FALSE;
  glAttachShader(program, vertex);
  glAttachShader(program, fragment);
  for (gsize i = 0; i < G_N_ELEMENTS(attributes); i++)
    glBindAttribLocation(program, attributes[i].location, attributes[i].name);
  glLinkProgram(program);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  glGetProgramiv(program, GL_LINK_STATUS, &done);
  if (!done && !self->error) {
    char message[1024] = "";
    glGetProgramInfoLog(program, sizeof message, NULL, message);
    debye_error_set(&self->error, DEBYE_ERROR_DEVICE, "the OpenGL driver can't link the shader “%s”: %s",
                    name, g_strstrip(message));
  }
  if (!done) {
    glDeleteProgram(program);
    return 0;
  }
  bind_names(program);
  return program;
}

GLuint
debye_programs_use(DebyePrograms *self, const char *name, const char *options)
{
  options = options ? options : "";
  g_autofree char *key = g_strconcat(name, " ", options, NULL);
  gpointer known;
  if (!g_hash_table_lookup_extended(self->programs, key, NULL, &known)) {
    known = GUINT_TO_POINTER(make_program(self, name, options));
    g_hash_table_insert(self->programs, g_steal_pointer(&key), known);
  }
  glUseProgram(GPOINTER_TO_UINT(known));
  return GPOINTER_TO_UINT(known);
}

/* Drivers have offered what they then can't compile. */
gboolean
debye_programs_keeps_nearest(DebyePrograms *self)
{
  if (self->keeps_nearest && !self->tried_nearest && self->error == NULL) {
    self->tried_nearest = TRUE;
    self->keeps_nearest = debye_programs_use(self, "nearest", "NEAREST") != 0 &&
                          debye_programs_use(self, "mesh", "PEEL NEAREST") != 0;
    g_clear_error(&self->error);
  }
  return self->keeps_nearest;
}
