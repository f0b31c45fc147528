// SPDX-License-Identifier: MIT
// Bonds as cylinders hit by the ray of each pixel; each half has the colour of its atom.
uniform sampler2DArray positions;
uniform sampler2D styles;
uniform vec4 size;   // radius, longest bond drawn, opacity

#ifdef VERTEX
in uvec2 bond;
flat out vec3 first, axis;
flat out float span;
flat out vec3 first_color, second_color;

vec3 position_of(ivec2 place) {
  return vec3(texelFetch(positions, ivec3(place, 0), 0).r, texelFetch(positions, ivec3(place, 1), 0).r,
              texelFetch(positions, ivec3(place, 2), 0).r);
}

void main() {
  ivec2 i = ivec2(int(bond.x & 2047u), int(bond.x >> 11u));
  ivec2 j = ivec2(int(bond.y & 2047u), int(bond.y >> 11u));
  first_color = texelFetch(styles, i, 0).rgb;
  second_color = texelFetch(styles, j, 0).rgb;
  first = (view * vec4(position_of(i), 1.0)).xyz;
  vec3 last = (view * vec4(position_of(j), 1.0)).xyz;
  span = length(last - first);
  axis = (last - first) / max(span, 1e-6);
  // A box around the cylinder that faces the eye: its front covers all of it, and lies before all of it.
  vec3 middle = 0.5 * (first + last);
  vec3 toward = is_orthographic() ? vec3(0.0, 0.0, 1.0) : normalize(-middle);
  float along = dot(axis, toward);
  vec3 right = axis - along * toward;
  right = dot(right, right) > 1e-6 ? normalize(right) : normalize(cross(vec3(0.0, 1.0, 0.0), toward));
  vec3 up = cross(toward, right);
  float radius = size.x;
  float across = sqrt(max(1.0 - along * along, 0.0));
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec3 place = middle + toward * (0.5 * span * abs(along) + radius * across + 1e-3) +
               corner.x * right * (0.5 * span * across + radius * abs(along) + 1e-3) +
               corner.y * up * (radius * 1.02);
  gl_Position = projection * vec4(place, 1.0);
  // A bond through the wall of the cell would cross the whole picture.
  if (!(span > 1e-4 && span < size.y))
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
#endif

#ifdef FRAGMENT
flat in vec3 first, axis;
flat in float span;
flat in vec3 first_color, second_color;
out vec4 result;
#ifdef CONSERVATIVE_DEPTH
layout(depth_greater) out float gl_FragDepth;
#endif

void main() {
  vec3 origin, direction;
  view_ray(gl_FragCoord.xy, origin, direction);
  // Start near the cylinder: squares of distances to a far eye would eat the bits.
  float start = dot(first - origin, direction);
  origin += start * direction;
  vec3 from = origin - first;
  vec3 u = direction - dot(direction, axis) * axis;
  vec3 v = from - dot(from, axis) * axis;
  float a = dot(u, u);
  float b = dot(u, v);
  float c = dot(v, v) - size.x * size.x;
  float inside = b * b - a * c;
  if (inside < 0.0 || a < 1e-8)
    discard;
  float t = (-b - sqrt(inside)) / a;
  vec3 hit = from + t * direction;
  float along = dot(hit, axis);
  if (along < 0.0 || along > span)
    discard;
  vec3 normal = (hit - along * axis) / size.x;
  float z = first.z + hit.z;
  float depth = depth_at(z);
  if (depth < 0.0 || (!is_orthographic() && z >= 0.0))
    discard;
  peel(depth);
  gl_FragDepth = depth;
  result = finished(lit(along < 0.5 * span ? first_color : second_color, normal, -direction), size.z, z);
}
#endif
