// SPDX-License-Identifier: MIT
// One light for everything: a key light, a sky above, a warm ground below. Colours are lit as squares (gamma 2 stands for sRGB's
// 2.2).
#ifdef FRAGMENT
float shine(vec3 normal, vec3 to_eye, float hardness) {
  return pow(max(dot(normal, normalize(light.xyz + to_eye)), 0.0), hardness);
}

// What the key light gives, and all else.
float key_light(vec3 normal) {
  return 0.74 * clamp(0.82 * dot(normal, light.xyz) + 0.18, 0.0, 1.0);
}

vec3 ambient_light(vec3 normal) {
  return mix(vec3(0.21, 0.20, 0.20), vec3(0.36, 0.38, 0.41), 0.5 + 0.5 * normal.y);
}

vec3 shaded(vec3 color, vec3 normal, vec3 to_eye, float shine) {
  vec3 albedo = color * color;
  float rim = 1.0 - max(dot(normal, to_eye), 0.0);
  vec3 seen = albedo * (ambient_light(normal) + key_light(normal)) * (1.0 - 0.25 * rim * rim) + vec3(shine);
  return sqrt(clamp(seen * light.w, 0.0, 1.0));
}

vec3 lit(vec3 color, vec3 normal, vec3 to_eye) {
  return shaded(color, normal, to_eye, 0.11 * shine(normal, to_eye, 48.0));
}

// What the clipping plane cuts away. A little beyond it is let stand, since what closes a cut lies right on it.
void cut(float depth) {
  float z = z_at(depth);
  vec2 slope = ray_slope(gl_FragCoord.xy);
  if (dot(clip, vec4(is_orthographic() ? slope : slope * -z, z, 1.0)) < -2e-3)
    discard;
}

#ifdef PEEL
uniform sampler2D peeled;

// Keeps what lies behind the layers already taken.
void peel(float depth) {
  cut(depth);
  if (look.z > 0.5 && depth <= texelFetch(peeled, ivec2(gl_FragCoord.xy), 0).r + 1e-7)
    discard;
}

// Transparent things are cued here, since nothing after this knows their depth.
vec4 finished(vec3 color, float alpha, float z) {
  return vec4(mix(color, background.rgb, cue_at(z)) * alpha, alpha);
}
#else
void peel(float depth) {
  cut(depth);
}

// Alpha holds how much the later steps (occlusion, cueing, outlines) may change the colour.
vec4 finished(vec3 color, float alpha, float z) {
  return vec4(color, 1.0);
}
#endif
#endif
