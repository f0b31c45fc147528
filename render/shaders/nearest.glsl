// SPDX-License-Identifier: MIT
// Layers of transparency over each other, of the fragments that light.glsl has kept (NEAREST). Premultiplied.
#ifdef VERTEX
void main() {
  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}
#endif

#ifdef FRAGMENT
out vec4 result;

void main() {
  uint first = slot_of(ivec2(gl_FragCoord.xy));
  float last = -1.0;
  result = vec4(0.0);
  for (uint i = 0u; i < n_slots(); i++) {
    uvec2 kept = unpackUint2x32(nearest[first + i]);
    float depth = uintBitsToFloat(kept.y);
    if (kept.y == 0xffffffffu)
      break;
    // What is as near counts once, as where layers are peeled.
    if (depth > last + 1e-7) {
      result += (1.0 - result.a) * unpackUnorm4x8(kept.x);
      last = depth;
    }
  }
}
#endif
