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

#ifdef NEAREST
// Eight a pixel, from near to far: depth, and below it the colour; all bits set where there is none.
layout(std430, binding = 0) coherent buffer Nearest {
  uint64_t nearest[];
};

uint slot_of(ivec2 pixel) {
  return 8u * (uint(pixel.y) * max(uint(pixels.x), 1u) + uint(pixel.x));
}

uint n_slots() {
  return uint(look.z);
}

// What lies there or behind has no slot.
float kept_before(ivec2 pixel, float opaque) {
  uint last = unpackUint2x32(nearest[slot_of(pixel) + n_slots() - 1u]).y;
  return last == 0xffffffffu ? opaque : min(opaque, uintBitsToFloat(last));
}
#endif

#ifdef PEEL
uniform sampler2D peeled;

#ifdef NEAREST
float kept_depth;

// `peeled` has the depths of what is opaque.
void peel(float depth) {
  cut(depth);
  kept_depth = depth;
  if (depth >= kept_before(ivec2(gl_FragCoord.xy), texelFetch(peeled, ivec2(gl_FragCoord.xy), 0).r))
    discard;
}

// Puts it there where it is less, and returns what was there.
uint64_t exchange_less(uint slot, uint64_t kept) {
#ifdef GL_NV_shader_atomic_int64
  return atomicMin(nearest[slot], kept);
#else
  uint64_t other = nearest[slot];
  nearest[slot] = min(other, kept);
  return other;
#endif
}

// Each slot keeps the nearer one, and the other goes on to the next. The same fragment again is none.
void keep_nearest(vec4 color) {
  uint64_t kept = packUint2x32(uvec2(packUnorm4x8(color), floatBitsToUint(kept_depth)));
  uint first = slot_of(ivec2(gl_FragCoord.xy));
  for (uint i = 0u; i < n_slots(); i++) {
    uint64_t other = exchange_less(first + i, kept);
    if (other == kept || unpackUint2x32(other).y == 0xffffffffu)
      break;
    kept = max(kept, other);
  }
}
#else
// Keeps what lies behind the layers already taken.
void peel(float depth) {
  cut(depth);
  if (look.z > 0.5 && depth <= texelFetch(peeled, ivec2(gl_FragCoord.xy), 0).r + 1e-7)
    discard;
}
#endif

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
