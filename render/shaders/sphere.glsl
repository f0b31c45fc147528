// SPDX-License-Identifier: MIT
// Atoms as spheres hit by the ray of each pixel. Drawn as points where small (a vertex an atom), as instanced quads where
// large, and as plain discs without a depth of their own where a pixel or two wide (FLAT).
uniform sampler2DArray positions;   // x, y, z in three layers, rows of 2048 atoms
uniform sampler2D styles;           // rgb, radius in fiftieths of Å
uniform vec4 size;                  // scale and offset of the radius, opacity

#ifdef VERTEX
in uint atom;
flat out vec3 centre;
flat out float radius;
flat out vec3 color;

vec3 position_of(ivec2 place) {
  return vec3(texelFetch(positions, ivec3(place, 0), 0).r, texelFetch(positions, ivec3(place, 1), 0).r,
              texelFetch(positions, ivec3(place, 2), 0).r);
}

void main() {
  ivec2 place = ivec2(int(atom & 2047u), int(atom >> 11u));
  vec4 style = texelFetch(styles, place, 0);
  color = style.rgb;
  radius = style.a * 5.1 * size.x + size.y;
  centre = (view * vec4(position_of(place), 1.0)).xyz;
  vec3 c = centre;
#ifdef QUADS
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  // The quad lies in the plane that touches the sphere before it, so that its depth never lies behind the sphere's.
  vec3 toward = is_orthographic() ? vec3(0.0, 0.0, 1.0) : normalize(-c);
  float away = is_orthographic() ? 1e9 : max(length(c), radius * 1.0001);
  float half_side = is_orthographic() ? radius : radius * sqrt((away - radius) / (away + radius));
  vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), toward));
  vec3 up = cross(toward, right);
  half_side *= 1.02;
  gl_Position = projection * vec4(c + toward * radius + half_side * (corner.x * right + corner.y * up), 1.0);
#else
  float front = c.z + radius;
  float extent = radius;
  vec3 middle = c;
  if (!is_orthographic()) {
    // The outline of a sphere in perspective is an ellipse; its long half axis bounds it.
    float rest = max(c.z * c.z - radius * radius, 1e-6);
    extent = radius * sqrt(max(dot(c, c) - radius * radius, 0.0)) / rest;
    middle.xy = c.xy * (c.z * c.z / rest);
  }
#ifdef FLAT
  gl_Position = projection * vec4(middle, 1.0);
  gl_PointSize = max(2.0 * extent * pixels.w, 1.0);
#else
  gl_Position = projection * vec4(middle, 1.0);
  gl_Position.z = (2.0 * depth_at(front) - 1.0) * gl_Position.w;
  gl_PointSize = 2.0 * extent * pixels.w + 1.0;
#endif
#endif
  // Coordinates that are no numbers, and radii of zero, draw nothing.
  if (!(radius > 0.0 && dot(c, c) < 1e18))
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
#endif

#ifdef FRAGMENT
flat in vec3 centre;
flat in float radius;
flat in vec3 color;
out vec4 result;
#ifndef FLAT
#ifdef CONSERVATIVE_DEPTH
layout(depth_greater) out float gl_FragDepth;
#endif
#endif

void main() {
#ifdef FLAT
  peel(gl_FragCoord.z);
  result = finished(lit(color, vec3(0.0, 0.0, 1.0), vec3(0.0, 0.0, 1.0)), size.z, centre.z);
#else
  vec3 origin, direction;
  view_ray(gl_FragCoord.xy, origin, direction);
  vec3 to_centre = centre - origin;
  vec3 aside = to_centre - dot(to_centre, direction) * direction;
  float inside = radius * radius - dot(aside, aside);
  if (inside < 0.0)
    discard;
  vec3 normal = (-aside - sqrt(inside) * direction) / radius;
  float z = centre.z + radius * normal.z;
  // A sphere that is cut shows its inside as a flat disc.
  vec3 front = centre + radius * normal;
  float before = dot(clip, vec4(front, 1.0));
  if (before < 0.0) {
    float steepness = dot(clip.xyz, direction);
    vec3 hit = front - before / max(steepness, 1e-6) * direction;
    if (steepness <= 1e-6 || distance(hit, centre) > radius)
      discard;
    normal = -clip.xyz;
    z = hit.z;
  }
  float depth = depth_at(z);
  if (depth < 0.0 || (!is_orthographic() && z >= 0.0))
    discard;
  peel(depth);
  gl_FragDepth = depth;
  result = finished(lit(color, normal, -direction), size.z, z);
#endif
}
#endif
