// SPDX-License-Identifier: MIT
// An isosurface. A transparent one is a thin shell of glass: denser where the eye looks along it.
uniform vec4 paint;   // rgb, opacity

#ifdef VERTEX
in vec3 position, normal;
out vec3 place, surface;

void main() {
  vec4 seen = view * vec4(position, 1.0);
  place = seen.xyz;
  surface = mat3(view) * normal;
  gl_Position = projection * seen;
}
#endif

#ifdef FRAGMENT
in vec3 place, surface;
out vec4 result;

void main() {
  peel(gl_FragCoord.z);
  vec3 to_eye = is_orthographic() ? vec3(0.0, 0.0, 1.0) : normalize(-place);
  vec3 normal = normalize(surface);
  float facing = dot(normal, to_eye);
  if (facing < 0.0)
    normal = -normal;
#ifdef PEEL
  float alpha = 1.0 - pow(1.0 - min(paint.a, 0.995), 1.0 / max(abs(facing), 0.28));
  result = finished(shaded(paint.rgb, normal, to_eye, 0.0), alpha, place.z);
  // Glass that hardly dims what is behind it still mirrors the lamp.
  result += vec4(0.42 * shine(normal, to_eye, 70.0) * (1.0 - cue_at(place.z)) * (1.0 - result.a));
#else
  result = finished(lit(paint.rgb, normal, to_eye), 1.0, place.z);
#endif
}
#endif
