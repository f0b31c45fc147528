// SPDX-License-Identifier: MIT
// A plane of a map. Values are interpolated here and not by the sampler, so that 32-bit floats do everywhere and points
// without a value (beyond 1e30) leave a clean hole. Unlit: its colours are data.
uniform sampler2D image;
uniform sampler2D color_map;
uniform vec4 limits;   // minimum, 1 / (maximum − minimum), opacity, distance between contours (0: none)

#ifdef VERTEX
uniform vec3 corner, side_u, side_v;
uniform vec2 corners[6]; // of the map's cut, in parts of the sides
out vec2 at;

void main() {
  at = corners[gl_VertexID];
  vec4 seen = view * vec4(corner + at.x * side_u + at.y * side_v, 1.0);
  gl_Position = projection * seen;
}
#endif

#ifdef FRAGMENT
in vec2 at;
out vec4 result;

void main() {
  ivec2 last = textureSize(image, 0) - 1;
  vec2 place = clamp(at, 0.0, 1.0) * vec2(last);
  ivec2 low = min(ivec2(place), max(last - 1, ivec2(0)));
  ivec2 high = min(low + 1, last);
  vec2 w = place - vec2(low);
  vec4 v = vec4(texelFetch(image, low, 0).r, texelFetch(image, ivec2(high.x, low.y), 0).r,
                texelFetch(image, ivec2(low.x, high.y), 0).r, texelFetch(image, high, 0).r);
  float value = mix(mix(v.x, v.y, w.x), mix(v.z, v.w, w.x), w.y);
  float steepness = fwidth(value);
  if (max(max(v.x, v.y), max(v.z, v.w)) > 1e29)
    discard;
  peel(gl_FragCoord.z);
  float fraction = clamp((value - limits.x) * limits.y, 0.0, 1.0);
  vec3 color = texture(color_map, vec2(mix(0.5, 255.5, fraction) / 256.0, 0.5)).rgb;
  // Beyond the limits the colour says no more, and lines would only crowd around charges.
  float beyond = max(limits.x - value, value - limits.x - 1.0 / limits.y);
  if (limits.w > 0.0 && beyond < 0.25 * limits.w) {
    float away = abs(fract(value / limits.w + 0.5) - 0.5) * limits.w / max(steepness, 1e-12);
    // Darker on light colours, lighter on dark ones, where black would be lost.
    float ink = dot(color, vec3(0.3, 0.6, 0.1)) > 0.25 ? 0.0 : 1.0;
    // Where they are a few pixels apart they fade, and don't break up.
    float strength = 0.5 * (1.0 - smoothstep(0.2, 0.5, steepness / limits.w));
    // What is flat at a level, as around an orbital, is no line.
    strength *= smoothstep(1e-7, 1e-5, steepness / limits.w);
    color = mix(color, vec3(ink), strength * clamp(0.5 * pixels.z + 0.5 - away, 0.0, 1.0));
  }
  // Neither lit nor cued, or no bar would have its colours.
#ifdef PEEL
  result = vec4(color * limits.z, limits.z);
#else
  result = vec4(color, 0.0);
#endif
}
#endif
