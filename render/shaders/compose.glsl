// SPDX-License-Identifier: MIT
// One sample of the picture: opaque things with occlusion, outlines and depth cueing, over the background, under the
// transparent layers. The result is premultiplied.
#ifdef VERTEX
void main() {
  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
#endif

#ifdef FRAGMENT
uniform sampler2D image;
uniform sampler2D depth_image;
uniform sampler2D occlusion;
uniform sampler2D transparent;
#ifdef SHADOW
uniform sampler2D overview;  // what shadows leave
#endif
uniform vec4 outline;      // rgb, strength
uniform float coverage;    // alpha of the background
out vec4 result;

float depth_there(ivec2 place, ivec2 last) {
  return texelFetch(depth_image, clamp(place, ivec2(0), last), 0).r;
}

// A step in depth, or a fold, across this pixel: 0 … 1. Where nothing is, depth is the far end of the scene.
float edge_here(ivec2 pixel, float depth) {
  ivec2 last = textureSize(depth_image, 0) - 1;
  int reach = max(int(pixels.z * 0.75 + 0.5), 1);
  float z = z_at(depth);
  float across = 0.0;
  for (int i = 0; i < 2; i++) {
    ivec2 way = i == 0 ? ivec2(reach, 0) : ivec2(0, reach);
    float a = z_at(depth_there(pixel + way, last));
    float b = z_at(depth_there(pixel - way, last));
    // Only the nearer side is inked, so lines sit on the thing in front.
    across = max(across, max(2.0 * z - a - b, 0.0));
  }
  float pixel_size = (is_orthographic() ? 1.0 : -z) / pixels.w * float(reach);
  return smoothstep(0.35, 1.1, across / (1.0 + 5.0 * pixel_size));
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec4 sheet = vec4(background.rgb, 1.0) * coverage;
  float depth = texelFetch(depth_image, pixel, 0).r;
  vec4 color = sheet;
  if (depth < 1.0) {
    vec4 surface = texelFetch(image, pixel, 0);
    float z = z_at(depth);
    float open = look.y > 0.0 ? mix(1.0, texelFetch(occlusion, pixel, 0).r, look.y * surface.a) : 1.0;
    color = vec4(surface.rgb * open, 1.0);
#ifdef SHADOW
    color.rgb *= mix(1.0, texelFetch(overview, pixel, 0).r, surface.a);
#endif
    if (outline.a > 0.0)
      color.rgb = mix(color.rgb, outline.rgb, outline.a * edge_here(pixel, depth));
    color.rgb = mix(color.rgb, background.rgb, cue_at(z) * surface.a);
  }
  vec4 over = texelFetch(transparent, pixel, 0);
  result = over + (1.0 - over.a) * color;
}
#endif
