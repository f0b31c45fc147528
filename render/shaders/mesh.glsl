// SPDX-License-Identifier: MIT
// A mesh: an isosurface, a molecule's surface, a cartoon. Painted alike (nothing defined), with a colour a vertex
// (COLORS; between vertices mixed as light is), or by a map's value at each (VALUES; beyond 1e29: no value). A transparent one is a thin shell of glass:
// denser where the eye looks along it.
uniform vec4 paint;   // rgb, opacity
#ifdef VALUES
uniform sampler2D color_map;
uniform vec2 limits;  // minimum, 1 / (maximum − minimum)
#endif

#ifdef VERTEX
in vec3 position, normal;
out vec3 place, surface;
#if defined(COLORS)
in vec4 color;
out vec3 painted;
#elif defined(VALUES)
in float value;
out float level;
#endif

void main() {
#if defined(COLORS)
  painted = color.rgb * color.rgb;
#elif defined(VALUES)
  level = value;
#endif
  vec4 seen = view * vec4(position, 1.0);
  place = seen.xyz;
  surface = mat3(view) * normal;
  gl_Position = projection * seen;
}
#endif

#ifdef FRAGMENT
in vec3 place, surface;
out vec4 result;
#if defined(COLORS)
in vec3 painted;

vec3 own_color() {
  return sqrt(painted);
}
#elif defined(VALUES)
in float level;

vec3 own_color() {
  float fraction = clamp((level - limits.x) * limits.y, 0.0, 1.0);
  vec3 mapped = texture(color_map, vec2(mix(0.5, 255.5, fraction) / 256.0, 0.5)).rgb;
  return level < 1e20 ? mapped : paint.rgb;
}
#else
vec3 own_color() {
  return paint.rgb;
}
#endif

void main() {
  peel(gl_FragCoord.z);
  vec3 to_eye = is_orthographic() ? vec3(0.0, 0.0, 1.0) : normalize(-place);
  vec3 normal = normalize(surface);
  float facing = dot(normal, to_eye);
  if (facing < 0.0)
    normal = -normal;
#ifdef PEEL
  float alpha = 1.0 - pow(1.0 - min(paint.a, 0.995), 1.0 / max(abs(facing), 0.28));
  result = finished(shaded(own_color(), normal, to_eye, 0.0), alpha, place.z);
  // Glass that hardly dims what is behind it still mirrors the lamp.
  result += vec4(0.42 * light.w * shine(normal, to_eye, 70.0) * (1.0 - cue_at(place.z)) * (1.0 - result.a));
#else
  result = finished(lit(own_color(), normal, to_eye), 1.0, place.z);
#endif
}
#endif
