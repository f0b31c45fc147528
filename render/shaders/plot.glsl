// SPDX-License-Identifier: MIT
// Plots in pixels, y down. What covers a pixel in part is blended by how much of it is covered: no multisampling.
// LINE: a piece of a curve with round joins; BUTT with it: a single line, cut straight. BAND: between two edges.
// MARKER. RECTANGLE. TEXT and PICTURE: from a texture.
uniform vec4 page;     // width and height in pixels, pixels a point
uniform vec4 ink;      // premultiplied
uniform vec4 stroke;   // width, dash, gap: pixels; 1: a dot in the middle of each gap

vec4 to_clip(vec2 place) {
  return vec4(2.0 * place.x / page.x - 1.0, 1.0 - 2.0 * place.y / page.y, 0.0, 1.0);
}

#ifdef VERTEX
vec2 corner() {
  return vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
}
#endif

// How much of a pixel at `at` lies between two ends.
float covered(float low, float high, float at) {
  return clamp(min(high, at + 0.5) - max(low, at - 0.5), 0.0, 1.0);
}

#ifdef LINE
#ifdef VERTEX
layout(location = 0) in vec3 before;   // x, y, length so far; x beyond 1e29: nothing there
layout(location = 1) in vec3 first;
layout(location = 2) in vec3 second;
layout(location = 3) in vec3 after;
flat out vec4 ends;
flat out vec4 cuts;      // normals of the planes that part this piece from its neighbours; 0: none
flat out float start;
out vec2 place;

vec2 direction(vec2 a, vec2 b) {
  vec2 way = b - a;
  float span = length(way);
  return span > 1e-6 ? way / span : vec2(1.0, 0.0);
}

// Each pixel belongs to the piece that is nearest, so that none is drawn twice where two meet; where a line turns
// back upon itself there is no such plane.
vec2 cut(vec2 one, vec2 other) {
  vec2 normal = one + other;
  return dot(normal, normal) > 0.01 ? normal : vec2(0.0);
}

void main() {
  vec2 a = first.xy * page.z, b = second.xy * page.z;
  vec2 way = direction(a, b);
  vec2 across = vec2(-way.y, way.x);
  float reach = 0.5 * stroke.x + 1.0;
  vec2 at = corner();
  place = mix(a - reach * way, b + reach * way, at.x) + across * reach * (2.0 * at.y - 1.0);
  ends = vec4(a, b);
  start = first.z * page.z;
  cuts = vec4(0.0);
#ifndef BUTT
  if (before.x < 1e29)
    cuts.xy = cut(direction(before.xy * page.z, a), way);
  if (after.x < 1e29)
    cuts.zw = cut(way, direction(b, after.xy * page.z));
#endif
  gl_Position = first.x > 1e29 || second.x > 1e29 ? vec4(2.0, 2.0, 2.0, 1.0) : to_clip(place);
}
#endif

#ifdef FRAGMENT
flat in vec4 ends;
flat in vec4 cuts;
flat in float start;
in vec2 place;
out vec4 result;

void main() {
  if (dot(place - ends.xy, cuts.xy) < 0.0 || (cuts.zw != vec2(0.0) && dot(place - ends.zw, cuts.zw) >= 0.0))
    discard;
  vec2 way = ends.zw - ends.xy;
  float span = length(way);
  way = span > 1e-6 ? way / span : vec2(1.0, 0.0);
  vec2 from = place - ends.xy;
  float along = dot(from, way);
  float across = abs(dot(from, vec2(-way.y, way.x)));
  float half_width = 0.5 * stroke.x;
#ifdef BUTT
  float alpha = covered(0.0, span, along) * covered(-half_width, half_width, across);
#else
  float beyond = max(max(-along, along - span), 0.0);
  if (stroke.y > 0.0) {
    float period = stroke.y + stroke.z;
    float into = mod(start + clamp(along, 0.0, span), period);
    beyond = max(beyond, into <= stroke.y ? 0.0 : min(into - stroke.y, period - into));
    if (stroke.w > 0.0)
      beyond = min(beyond, max(max(-along, along - span), abs(into - stroke.y - 0.5 * stroke.z)));
  }
  float alpha = covered(-half_width, half_width, length(vec2(beyond, across)));
#endif
  result = ink * alpha;
}
#endif
#endif

#ifdef BAND
#ifdef VERTEX
layout(location = 0) in vec3 first;    // x, low, high: pages have low below
layout(location = 1) in vec3 second;
flat out vec3 one, other;
out vec2 place;

void main() {
  one = first * page.z;
  other = second * page.z;
  vec2 at = corner();
  place = vec2(mix(one.x, other.x, at.x), mix(min(one.z, other.z) - 1.0, max(one.y, other.y) + 1.0, at.y));
  gl_Position = first.x > 1e29 || second.x > 1e29 ? vec4(2.0, 2.0, 2.0, 1.0) : to_clip(place);
}
#endif

#ifdef FRAGMENT
flat in vec3 one, other;
in vec2 place;
out vec4 result;

void main() {
  float width = max(other.x - one.x, 1e-6);
  float part = (place.x - one.x) / width;
  vec2 slope = (other.yz - one.yz) / width;
  vec2 edge = mix(one.yz, other.yz, part);
  vec2 away = (place.y - edge) * inversesqrt(1.0 + slope * slope);
  result = ink * clamp(clamp(0.5 - away.x, 0.0, 1.0) + clamp(0.5 + away.y, 0.0, 1.0) - 1.0, 0.0, 1.0);
}
#endif
#endif

#ifdef MARKER
uniform vec2 corners[12];
uniform ivec4 shape;   // number of corners; 0: a circle

#ifdef VERTEX
layout(location = 0) in vec2 centre;
out vec2 from;

void main() {
  float reach = 0.65 * stroke.x + 1.0;
  from = (2.0 * corner() - 1.0) * reach;
  gl_Position = to_clip(centre * page.z + from);
}
#endif

#ifdef FRAGMENT
in vec2 from;
out vec4 result;

// Distance from a polygon's outline, negative inside; the sign from how often its edges pass above.
float outline(vec2 at, float radius) {
  float nearest = 1e20;
  float sign = 1.0;
  for (int i = 0; i < shape.x; i++) {
    vec2 a = corners[i] * radius;
    vec2 b = corners[(i + 1) % shape.x] * radius;
    vec2 edge = b - a;
    vec2 to = at - a;
    vec2 rest = to - edge * clamp(dot(to, edge) / dot(edge, edge), 0.0, 1.0);
    nearest = min(nearest, dot(rest, rest));
    bool above = a.y > at.y;
    if (above != (b.y > at.y) && at.x < a.x + edge.x * (at.y - a.y) / edge.y)
      sign = -sign;
  }
  return sign * sqrt(nearest);
}

void main() {
  float radius = 0.5 * stroke.x;
  float distance = shape.x == 0 ? length(from) - radius : outline(from, radius);
  result = ink * clamp(0.5 - distance, 0.0, 1.0);
}
#endif
#endif

#ifdef FLAT
uniform vec4 box;      // left, top, width, height in pixels
uniform vec4 part;     // of the texture: left, top in texels; of a picture its size
uniform sampler2D image;

#ifdef VERTEX
out vec2 place;

void main() {
#ifdef RECTANGLE
  place = box.xy - 1.0 + corner() * (box.zw + 2.0);
#else
  place = box.xy + corner() * box.zw;
#endif
  gl_Position = to_clip(place);
}
#endif

#ifdef FRAGMENT
in vec2 place;
out vec4 result;

void main() {
#if defined(RECTANGLE)
  result = ink * covered(box.x, box.x + box.z, place.x) * covered(box.y, box.y + box.w, place.y);
#elif defined(TEXT)
  result = ink * texelFetch(image, ivec2(part.xy + floor(place - box.xy)), 0).r;
#else
  // Cairo's words have blue in their first byte.
  vec2 at = clamp((place - box.xy) / box.zw * part.xy, vec2(0.0), part.xy - 0.5);
  result = texelFetch(image, ivec2(at), 0).bgra;
#endif
}
#endif
#endif
