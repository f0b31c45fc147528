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
  float alpha = paint.a;
#ifdef PEEL
  alpha = 1.0 - pow(1.0 - min(alpha, 0.995), 1.0 / max(abs(facing), 0.28));
#endif
  result = finished(lit(paint.rgb, normal, to_eye), alpha, place.z);
}
#endif
