/* SPDX-License-Identifier: MIT */
/* What a widget's class binds of its .ui file: its members by name, and the functions that signals of the file name. */
#pragma once

#include <gtk/gtk.h>

#define DEBYE_EACH_1(M, C, T, a) M(C, T, a)
#define DEBYE_EACH_2(M, C, T, a, ...) M(C, T, a) DEBYE_EACH_1(M, C, T, __VA_ARGS__)
#define DEBYE_EACH_3(M, C, T, a, ...) M(C, T, a) DEBYE_EACH_2(M, C, T, __VA_ARGS__)
#define DEBYE_EACH_4(M, C, T, a, ...) M(C, T, a) DEBYE_EACH_3(M, C, T, __VA_ARGS__)
#define DEBYE_EACH_5(M, C, T, a, ...) M(C, T, a) DEBYE_EACH_4(M, C, T, __VA_ARGS__)
#define DEBYE_EACH_6(M, C, T, a, ...) M(C, T, a) DEBYE_EACH_5(M, C, T, __VA_ARGS__)
#define DEBYE_EACH_7(M, C, T, a, ...) M(C, T, a) DEBYE_EACH_6(M, C, T, __VA_ARGS__)
#define DEBYE_EACH_8(M, C, T, a, ...) M(C, T, a) DEBYE_EACH_7(M, C, T, __VA_ARGS__)
#define DEBYE_EACH_OF(a, b, c, d, e, f, g, h, Chosen, ...) Chosen
#define DEBYE_EACH(M, C, T, ...)                                                                   \
  DEBYE_EACH_OF(__VA_ARGS__, DEBYE_EACH_8, DEBYE_EACH_7, DEBYE_EACH_6, DEBYE_EACH_5, DEBYE_EACH_4, \
                DEBYE_EACH_3, DEBYE_EACH_2, DEBYE_EACH_1, 0)                                       \
  (M, C, T, __VA_ARGS__)

/* Up to eight in a call, of the class of a widget whose instances are of that type. */
#define DEBYE_BIND_CHILD(C, Type, name) gtk_widget_class_bind_template_child(GTK_WIDGET_CLASS(C), Type, name);
#define DEBYE_BIND_CHILDREN(C, Type, ...) DEBYE_EACH(DEBYE_BIND_CHILD, C, Type, __VA_ARGS__)
#define DEBYE_BIND_CALLBACK(C, Type, name) gtk_widget_class_bind_template_callback(GTK_WIDGET_CLASS(C), name);
#define DEBYE_BIND_CALLBACKS(C, ...) DEBYE_EACH(DEBYE_BIND_CALLBACK, C, , __VA_ARGS__)
