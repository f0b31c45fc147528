// SPDX-License-Identifier: MIT
// Lines some pixels wide: bonds (BONDS: atoms' places and colours from textures) or the edges of a cell.
#ifdef BONDS
uniform sampler2DArray positions;
uniform sampler2D styles;
#else
uniform vec3 line_color;
#endif
uniform vec4 size;   // width in pixels, longest line drawn, opacity, 0 … 1 of the later steps

#ifdef VERTEX
#ifdef BONDS
in uvec2 bond;

vec3 position_of(ivec2 place) {
  return vec3(texelFetch(positions, ivec3(place, 0), 0).r, texelFetch(positions, ivec3(place, 1), 0).r,
              texelFetch(positions, ivec3(place, 2), 0).r);
}
#else
in vec3 from, to;
#endif
flat out vec3 first_color, second_color;
out float along;
out float view_z;

void main() {
#ifdef BONDS
  ivec2 i = ivec2(int(bond.x & 2047u), int(bond.x >> 11u));
  ivec2 j = ivec2(int(bond.y & 2047u), int(bond.y >> 11u));
  vec3 from = position_of(i);
  vec3 to = position_of(j);
  first_color = texelFetch(styles, i, 0).rgb;
  second_color = texelFetch(styles, j, 0).rgb;
#else
  first_color = line_color;
  second_color = line_color;
#endif
  vec3 ends[2] = vec3[2]((view * vec4(from, 1.0)).xyz, (view * vec4(to, 1.0)).xyz);
  float span = distance(ends[0], ends[1]);
  if (!is_orthographic()) {
    // Cut at a plane before the eye: beyond it the width in pixels has no meaning.
    float near = -0.02;
    float t = clamp((ends[0].z - near) / (ends[0].z - ends[1].z), 0.0, 1.0);
    if (ends[0].z > near && ends[1].z < near)
      ends[0] = mix(ends[0], ends[1], t);
    else if (ends[1].z > near && ends[0].z < near)
      ends[1] = mix(ends[0], ends[1], t);
  }
  vec4 a = projection * vec4(ends[0], 1.0);
  vec4 b = projection * vec4(ends[1], 1.0);
  vec2 way = (b.xy / b.w - a.xy / a.w) * pixels.xy;
  way = dot(way, way) > 1e-8 ? normalize(way) : vec2(1.0, 0.0);
  float end = float(gl_VertexID & 1);
  float side = float(gl_VertexID >> 1) * 2.0 - 1.0;
  gl_Position = end > 0.5 ? b : a;
  vec2 shift = vec2(-way.y, way.x) * side + way * (2.0 * end - 1.0);
  gl_Position.xy += shift * size.x / pixels.xy * gl_Position.w;
  along = end;
  view_z = end > 0.5 ? ends[1].z : ends[0].z;
  if (!(span < size.y))
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
#endif

#ifdef FRAGMENT
flat in vec3 first_color, second_color;
in float along;
in float view_z;
out vec4 result;

void main() {
  peel(gl_FragCoord.z);
  result = finished(along < 0.5 ? first_color : second_color, size.z, view_z);
#ifndef PEEL
  result.a = size.w;
#endif
}
#endif
