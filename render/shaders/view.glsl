// SPDX-License-Identifier: MIT
// What every shader knows of the view; twin of DebyeViewBlock in gl_target.h.
layout(std140) uniform View {
  mat4 view;          // world to view, Å
  mat4 projection;    // with the tile's crop and the sample's shift in it
  vec4 ray;           // view.xy at unit distance (orthographic: anywhere) = gl_FragCoord.xy · ray.xy + ray.zw
  vec4 background;    // rgb
  vec4 cue;           // distances where it begins and ends, strength, 1 where orthographic
  vec4 pixels;        // width, height, pixels a logical pixel, pixels an Å at unit distance (orthographic: anywhere)
  vec4 look;          // outline, ambient occlusion, 1 in a peeling pass after the first (NEAREST: layers), number of the sample
  vec4 clip;          // plane in the view: cut away is where it is negative; 0, 0, 0, 1: nothing
  vec4 light;         // towards the light, in the view; brightness
  mat4 to_light;      // view to the picture of depths that the light sees: pixel and depth, 0 … 1
  vec4 shadow;        // strength, depth and reach of what counts as the same surface, pixels of that picture's side
};

bool is_orthographic() {
  return cue.w > 0.5;
}

// Depth in the buffer of a point at view z.
float depth_at(float z) {
  float clip = projection[2][2] * z + projection[3][2];
  return 0.5 + 0.5 * (is_orthographic() ? clip : clip / -z);
}

float z_at(float depth) {
  float ndc = 2.0 * depth - 1.0;
  return is_orthographic() ? (ndc - projection[3][2]) / projection[2][2]
                           : -projection[3][2] / (ndc + projection[2][2]);
}

vec2 ray_slope(vec2 pixel) {
  return pixel * ray.xy + ray.zw;
}

void view_ray(vec2 pixel, out vec3 origin, out vec3 direction) {
  vec2 slope = ray_slope(pixel);
  origin = is_orthographic() ? vec3(slope, 0.0) : vec3(0.0);
  direction = is_orthographic() ? vec3(0.0, 0.0, -1.0) : normalize(vec3(slope, -1.0));
}

// How far depth cueing has gone at a view z: 0 … strength.
float cue_at(float z) {
  float fraction = clamp((-z - cue.x) / max(cue.y - cue.x, 1e-3), 0.0, 1.0);
  return cue.z * fraction * (1.3 - 0.3 * fraction);
}
