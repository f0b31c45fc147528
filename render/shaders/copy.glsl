// SPDX-License-Identifier: MIT
// A picture onto the whole view (with SCALED interpolation where it was drawn smaller), or a piece of overlay onto a
// rectangle of it (PIECE). FARTHEST: of depths, the farthest of each 4×4 (NEAREST: in front of which a fragment would be kept).
#ifdef VERTEX
out vec2 at;
#ifdef PIECE
uniform vec4 rectangle;   // left, top, right, bottom in normalised device coordinates
#endif

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
#ifdef PIECE
  at = corner;
  gl_Position = vec4(mix(rectangle.xy, rectangle.zw, corner), 0.0, 1.0);
#else
  at = corner * 2.0;
  gl_Position = vec4(corner * 4.0 - 1.0, 0.0, 1.0);
#endif
}
#endif

#ifdef FRAGMENT
uniform sampler2D image;
#ifdef FARTHEST
uniform sampler2D depth_image;
#endif
in vec2 at;
out vec4 result;

#ifdef FARTHEST
float depth_there(ivec2 pixel) {
  float depth = texelFetch(depth_image, pixel, 0).r;
#ifdef NEAREST
  depth = kept_before(pixel, depth);
#endif
  return depth;
}

float farthest(ivec2 corner) {
  ivec2 last = textureSize(depth_image, 0) - 1;
  float depth = 0.0;
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++)
      depth = max(depth, depth_there(min(corner + ivec2(x, y), last)));
  return depth;
}
#endif

#ifdef SMOOTH
float brightness(vec4 color) {
  return dot(color.rgb, vec3(0.3, 0.6, 0.1));
}

// For pictures of a single sample: along an edge, half a pixel's step to either side (after Lottes' FXAA).
vec4 smoothed(vec2 place) {
  vec2 step = 1.0 / vec2(textureSize(image, 0));
  vec4 here = texture(image, place);
  float nw = brightness(texture(image, place + step * vec2(-0.5, 0.5)));
  float ne = brightness(texture(image, place + step * vec2(0.5, 0.5)));
  float sw = brightness(texture(image, place + step * vec2(-0.5, -0.5)));
  float se = brightness(texture(image, place + step * vec2(0.5, -0.5)));
  float low = min(min(nw, ne), min(sw, se));
  float high = max(max(nw, ne), max(sw, se));
  if (high - low < 0.04)
    return here;
  vec2 way = vec2(sw + se - nw - ne, nw + sw - ne - se);
  way /= min(abs(way.x), abs(way.y)) + 0.02;
  way = clamp(way, -4.0, 4.0) * step;
  return 0.5 * (texture(image, place + way * -0.1667) + texture(image, place + way * 0.1667));
}
#endif

void main() {
#if defined(FARTHEST)
  result = vec4(farthest(4 * ivec2(gl_FragCoord.xy)));
#elif defined(SMOOTH)
  result = smoothed(at);
#else
#ifdef PIECE
  // cairo keeps blue first.
  result = texture(image, at).bgra;
#else
  result = texture(image, at);
#endif
#endif
}
#endif
