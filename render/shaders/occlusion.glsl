// SPDX-License-Identifier: MIT
// Ambient occlusion from depth: how much of the sky over a point is hidden by what stands around it (after McGuire's
// "Alchemy" estimator). The pattern of 4×4 pixels is smoothed away by the second pass (SMOOTH); with many samples, each of
// which has its own pattern, by a mean over 2×2 (NARROW). SHADOW: what the key light's
// absence leaves of the colour, where something stands nearer to the light in its own picture of depths (overview).
#ifdef VERTEX
void main() {
  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
#endif

#ifdef FRAGMENT
uniform sampler2D depth_image;
out vec4 result;

#ifdef SMOOTH
uniform sampler2D image;

#ifdef NARROW
const int half_side = 1;
#else
const int half_side = 2;
#endif

void main() {
  ivec2 here = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(image, 0) - 1;
  float depth = texelFetch(depth_image, here, 0).r;
  if (depth >= 1.0) {
    result = vec4(1.0);
    return;
  }
  float z = z_at(depth);
  // Depths of 1 Å before and behind, which each neighbour's is compared with: cheaper than its position.
  float before = depth_at(min(z + 1.0, -1e-3)), behind = depth_at(z - 1.0);
  float sum = 0.0, weight = 0.0;
  for (int y = -half_side; y < half_side; y++)
    for (int x = -half_side; x < half_side; x++) {
      ivec2 place = clamp(here + ivec2(x, y), ivec2(0), last);
      float there = texelFetch(depth_image, place, 0).r;
      float w = there > before && there < behind ? 1.0 : 0.02;
      sum += w * texelFetch(image, place, 0).r;
      weight += w;
    }
  result = vec4(sum / weight);
}
#else
uniform vec3 reach;   // Å, the number of looks, the widest look in pixels
// A tile sees what stands beyond its edges in a coarse picture of the whole (TILE).
uniform vec4 whole;   // the corner of the tile in the whole picture; pixels of the coarse one a pixel
#if defined(TILE) || defined(SHADOW)
uniform sampler2D overview;
#endif

vec3 place_at(ivec2 pixel) {
  float z = z_at(texelFetch(depth_image, pixel, 0).r);
  vec2 slope = ray_slope(vec2(pixel) + 0.5);
  return vec3(is_orthographic() ? slope : slope * -z, z);
}

// What is seen at a pixel that may lie outside.
vec3 look_at(ivec2 pixel) {
#ifdef TILE
  ivec2 texel = ivec2(floor((vec2(pixel) + 0.5 + whole.xy) * whole.zw));
  texel = clamp(texel, ivec2(0), textureSize(overview, 0) - 1);
  float z = z_at(texelFetch(overview, texel, 0).r);
  vec2 slope = ray_slope((vec2(texel) + 0.5) / whole.zw - whole.xy);
  return vec3(is_orthographic() ? slope : slope * -z, z);
#else
  return place_at(clamp(pixel, ivec2(0), textureSize(depth_image, 0) - 1));
#endif
}

// The difference to whichever neighbour is nearer in depth: normals stay whole at silhouettes.
vec3 tangent(vec3 here, ivec2 pixel, ivec2 way, ivec2 last) {
  vec3 after = place_at(min(pixel + way, last)) - here;
  vec3 before = here - place_at(max(pixel - way, ivec2(0)));
  return abs(after.z) < abs(before.z) ? after : before;
}

vec3 normal_at(ivec2 pixel, vec3 here) {
  ivec2 last = textureSize(depth_image, 0) - 1;
  return normalize(cross(tangent(here, pixel, ivec2(1, 0), last), tangent(here, pixel, ivec2(0, 1), last)));
}

// A turn that differs between neighbours. Four samples move the pattern by two pixels each, so that also the narrow mean
// has all its 16 turns.
float turn_at(ivec2 pixel) {
  int number = int(look.w);
  ivec2 place = pixel + ivec2(whole.xy) + 2 * ivec2(number & 1, (number >> 1) & 1);
  int cell = (place.x & 3) * 4 + (place.y & 3);
  return (float((cell * 7) & 15) + look.w * 0.618) * 0.3927;
}

#ifdef SHADOW
// How much of a disc around the point is in shadow. What lies behind it on the same slope is none.
float shadow_at(ivec2 pixel, vec3 here, vec3 normal) {
  const int looks = 16;
  float facing = dot(normal, light.xyz);
  vec3 seen = 0.5 + 0.5 * (to_light * vec4(here + 0.5 * shadow.z * normal, 1.0)).xyz;
  float same = (0.1 + shadow.z * sqrt(max(1.0 - facing * facing, 0.0)) / max(facing, 0.25)) * shadow.w;
  float turn = turn_at(pixel), hidden = 0.0;
  for (int i = 0; i < looks; i++) {
    float angle = turn + float(i) * 2.39996, reach = shadow.y * sqrt((float(i) + 0.5) / float(looks));
    float depth = texture(overview, seen.xy + reach * vec2(cos(angle), sin(angle))).r;
    hidden += depth < seen.z - same ? 1.0 : 0.0;
  }
  return hidden / float(looks);
}
#endif

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  if (texelFetch(depth_image, pixel, 0).r >= 1.0) {
    result = vec4(1.0);
    return;
  }
  vec3 here = place_at(pixel);
  vec3 normal = normal_at(pixel, here);
#ifdef SHADOW
  float ambient = ambient_light(normal).g;
  float left = sqrt(ambient / (ambient + key_light(normal)));
  result = vec4(mix(1.0, left, shadow.x * shadow_at(pixel, here, normal)));
#else
  float radius = min(reach.x * pixels.w / (is_orthographic() ? 1.0 : -here.z), reach.z);
  int looks = int(reach.y);
  // Three turns of a spiral, from look to look by the same angle.
  float step = 6.2832 * 3.0 / float(looks), first = turn_at(pixel) + 0.5 * step;
  vec2 arm = vec2(cos(first), sin(first)), next = vec2(cos(step), sin(step));
  float hidden = 0.0;
  for (int i = 0; i < looks; i++) {
    float part = (float(i) + 0.5) / float(looks);
    ivec2 there = pixel + ivec2(arm * radius * part);
    arm = vec2(arm.x * next.x - arm.y * next.y, arm.y * next.x + arm.x * next.y);
    vec3 way = look_at(there) - here;
    float square = dot(way, way);
    float rise = dot(way, normal) - 0.02 - 0.0015 * abs(here.z) / max(pixels.w, 1.0);
    float fade = max(1.0 - square / (reach.x * reach.x), 0.0);
    hidden += fade * max(rise, 0.0) / sqrt(square + 0.01);
  }
  result = vec4(clamp(1.0 - 2.2 * hidden / float(looks), 0.0, 1.0));
#endif
}
#endif
#endif
