// The arithmetic of the reader: transformer layers with 8-bit weights in WebAssembly SIMD.
// Activations are quantised row by row to 12 bits, so that sums of 1,536 products fit 32 bits.
// Build: npm run kernel (clang with wasm-ld). Everything else is in lib/reader/model.ts.
#include <stdint.h>
#include <wasm_simd128.h>

#define HIDDEN 384
#define HEADS 12
#define HEAD 32
#define INNER 1536
#define LEVELS 2047.0f

extern unsigned char __heap_base;

__attribute__((export_name("heap"))) int heap(void) { return (int)&__heap_base; }

static inline float max_abs(const float *x, int n) {
  v128_t m = wasm_f32x4_splat(0);
  for (int i = 0; i < n; i += 4) m = wasm_f32x4_pmax(m, wasm_f32x4_abs(wasm_v128_load(x + i)));
  float a = wasm_f32x4_extract_lane(m, 0), b = wasm_f32x4_extract_lane(m, 1);
  float c = wasm_f32x4_extract_lane(m, 2), d = wasm_f32x4_extract_lane(m, 3);
  a = a > b ? a : b; c = c > d ? c : d;
  return a > c ? a : c;
}

static void quantize(const float *x, int rows, int n, int16_t *q, float *scale) {
  for (int r = 0; r < rows; r++, x += n, q += n) {
    float m = max_abs(x, n);
    scale[r] = m / LEVELS;
    v128_t f = wasm_f32x4_splat(m > 0 ? LEVELS / m : 0);
    for (int i = 0; i < n; i += 8) {
      v128_t a = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(x + i), f)));
      v128_t b = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(x + i + 4), f)));
      wasm_v128_store(q + i, wasm_i16x8_narrow_i32x4(a, b));
    }
  }
}

static inline int32_t sum(v128_t v) {
  return wasm_i32x4_extract_lane(v, 0) + wasm_i32x4_extract_lane(v, 1) + wasm_i32x4_extract_lane(v, 2) + wasm_i32x4_extract_lane(v, 3);
}

#define DOT(acc, a, w) acc = wasm_i32x4_add(acc, wasm_i32x4_dot_i16x8(a, w))

// out[row][col] = x[row] · w[col] + bias[col]; cols a multiple of 4.
static void linear(const int16_t *x, const float *xs, int rows, int n, const int8_t *w, const float *ws,
                   const float *bias, int cols, float *out) {
  for (int c = 0; c < cols; c += 4) {
    const int8_t *w0 = w + (long)c * n, *w1 = w0 + n, *w2 = w1 + n, *w3 = w2 + n;
    int r = 0;
    for (; r + 1 < rows; r += 2) {
      const int16_t *x0 = x + (long)r * n, *x1 = x0 + n;
      v128_t z = wasm_i32x4_splat(0), a0 = z, a1 = z, a2 = z, a3 = z, b0 = z, b1 = z, b2 = z, b3 = z;
      for (int i = 0; i < n; i += 8) {
        v128_t p = wasm_v128_load(x0 + i), q = wasm_v128_load(x1 + i), k;
        k = wasm_i16x8_load8x8(w0 + i); DOT(a0, p, k); DOT(b0, q, k);
        k = wasm_i16x8_load8x8(w1 + i); DOT(a1, p, k); DOT(b1, q, k);
        k = wasm_i16x8_load8x8(w2 + i); DOT(a2, p, k); DOT(b2, q, k);
        k = wasm_i16x8_load8x8(w3 + i); DOT(a3, p, k); DOT(b3, q, k);
      }
      float *o = out + (long)r * cols + c, *o1 = o + cols;
      o[0] = sum(a0) * xs[r] * ws[c] + bias[c]; o[1] = sum(a1) * xs[r] * ws[c + 1] + bias[c + 1];
      o[2] = sum(a2) * xs[r] * ws[c + 2] + bias[c + 2]; o[3] = sum(a3) * xs[r] * ws[c + 3] + bias[c + 3];
      o1[0] = sum(b0) * xs[r + 1] * ws[c] + bias[c]; o1[1] = sum(b1) * xs[r + 1] * ws[c + 1] + bias[c + 1];
      o1[2] = sum(b2) * xs[r + 1] * ws[c + 2] + bias[c + 2]; o1[3] = sum(b3) * xs[r + 1] * ws[c + 3] + bias[c + 3];
    }
    for (; r < rows; r++) {
      const int16_t *x0 = x + (long)r * n;
      v128_t z = wasm_i32x4_splat(0), a0 = z, a1 = z, a2 = z, a3 = z;
      for (int i = 0; i < n; i += 8) {
        v128_t p = wasm_v128_load(x0 + i);
        DOT(a0, p, wasm_i16x8_load8x8(w0 + i)); DOT(a1, p, wasm_i16x8_load8x8(w1 + i));
        DOT(a2, p, wasm_i16x8_load8x8(w2 + i)); DOT(a3, p, wasm_i16x8_load8x8(w3 + i));
      }
      float *o = out + (long)r * cols + c;
      o[0] = sum(a0) * xs[r] * ws[c] + bias[c]; o[1] = sum(a1) * xs[r] * ws[c + 1] + bias[c + 1];
      o[2] = sum(a2) * xs[r] * ws[c + 2] + bias[c + 2]; o[3] = sum(a3) * xs[r] * ws[c + 3] + bias[c + 3];
    }
  }
}

// e^x for x <= 0 or small: 2^(x log2 e) by splitting off the whole part; error under 3e-6 of the value.
static inline float exp_of(float x) {
  if (x < -87.0f) return 0;
  if (x > 87.0f) x = 87.0f;
  float t = x * 1.44269504f, f = __builtin_floorf(t), r = t - f;
  float p = 1.0f + r * (0.69314718f + r * (0.24022651f + r * (0.05550411f + r * (0.00961813f + r * 0.00133336f))));
  union { int32_t i; float f; } u = { ((int32_t)f + 127) << 23 };
  return p * u.f;
}

// x Φ(x), with erf by Abramowitz and Stegun 7.1.26 (error under 1.5e-7).
static inline float gelu(float x) {
  float z = __builtin_fabsf(x) * 0.70710678f, t = 1.0f / (1.0f + 0.3275911f * z);
  float y = t * (0.254829592f + t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f))));
  float e = 1.0f - y * exp_of(-z * z);
  return 0.5f * x * (1.0f + (x < 0 ? -e : e));
}

// x = normalise(x + y) * gain + bias; y may be absent.
static void norm(float *x, const float *y, int rows, const float *gain, const float *bias) {
  for (int r = 0; r < rows; r++, x += HIDDEN) {
    float mean = 0, var = 0;
    for (int i = 0; i < HIDDEN; i++) { if (y) x[i] += y[i]; mean += x[i]; }
    mean /= HIDDEN;
    for (int i = 0; i < HIDDEN; i++) { float d = x[i] - mean; var += d * d; }
    float f = 1.0f / __builtin_sqrtf(var / HIDDEN + 1e-12f);
    for (int i = 0; i < HIDDEN; i++) x[i] = (x[i] - mean) * f * gain[i] + bias[i];
    if (y) y += HIDDEN;
  }
}

static inline float dot32(const float *a, const float *b) {
  v128_t s = wasm_f32x4_splat(0);
  for (int i = 0; i < HEAD; i += 4) s = wasm_f32x4_add(s, wasm_f32x4_mul(wasm_v128_load(a + i), wasm_v128_load(b + i)));
  return wasm_f32x4_extract_lane(s, 0) + wasm_f32x4_extract_lane(s, 1) + wasm_f32x4_extract_lane(s, 2) + wasm_f32x4_extract_lane(s, 3);
}

static void attend(const float *qkv, int n, float *out, float *row) {
  for (int h = 0; h < HEADS; h++)
    for (int i = 0; i < n; i++) {
      const float *q = qkv + (long)i * 3 * HIDDEN + h * HEAD;
      float top = -1e30f, total = 0;
      for (int j = 0; j < n; j++) {
        float s = dot32(q, qkv + (long)j * 3 * HIDDEN + HIDDEN + h * HEAD) * 0.17677670f;
        row[j] = s; if (s > top) top = s;
      }
      for (int j = 0; j < n; j++) { row[j] = exp_of(row[j] - top); total += row[j]; }
      v128_t o[HEAD / 4];
      for (int k = 0; k < HEAD / 4; k++) o[k] = wasm_f32x4_splat(0);
      for (int j = 0; j < n; j++) {
        const float *v = qkv + (long)j * 3 * HIDDEN + 2 * HIDDEN + h * HEAD;
        v128_t p = wasm_f32x4_splat(row[j] / total);
        for (int k = 0; k < HEAD / 4; k++) o[k] = wasm_f32x4_add(o[k], wasm_f32x4_mul(p, wasm_v128_load(v + 4 * k)));
      }
      float *to = out + (long)i * HIDDEN + h * HEAD;
      for (int k = 0; k < HEAD / 4; k++) wasm_v128_store(to + 4 * k, o[k]);
    }
}

__attribute__((export_name("normalise")))
void normalise(float *x, int rows, const float *gain, const float *bias) { norm(x, 0, rows, gain, bias); }

// One layer over n rows at x, in place. `w`: the layer's weights in the order read below, each 16-byte aligned.
// `work`: room for n * (3 * 384 + 1536 * 1.5 + 384) * 4 + n * 4 * 2 bytes.
__attribute__((export_name("layer")))
void layer(float *x, int n, const int8_t *w, float *work) {
#define TAKE(type, name, count) const type *name = (const type *)w; w += (count) * sizeof(type)
  TAKE(int8_t, qkv_w, 3 * HIDDEN * HIDDEN); TAKE(float, qkv_s, 3 * HIDDEN); TAKE(float, qkv_b, 3 * HIDDEN);
  TAKE(int8_t, out_w, HIDDEN * HIDDEN); TAKE(float, out_s, HIDDEN); TAKE(float, out_b, HIDDEN);
  TAKE(float, g1, HIDDEN); TAKE(float, b1, HIDDEN);
  TAKE(int8_t, up_w, INNER * HIDDEN); TAKE(float, up_s, INNER); TAKE(float, up_b, INNER);
  TAKE(int8_t, down_w, INNER * HIDDEN); TAKE(float, down_s, HIDDEN); TAKE(float, down_b, HIDDEN);
  TAKE(float, g2, HIDDEN); TAKE(float, b2, HIDDEN);
  float *big = work;                                  // n × 1536
  float *mid = big + (long)n * INNER;                 // n × 384
  int16_t *q = (int16_t *)(mid + (long)n * HIDDEN);   // n × 1536 of 16 bits
  float *scale = (float *)(q + (long)n * INNER);      // n
  float *row = scale + ((n + 3) & ~3);                // n
  quantize(x, n, HIDDEN, q, scale);
  linear(q, scale, n, HIDDEN, qkv_w, qkv_s, qkv_b, 3 * HIDDEN, big);
  attend(big, n, mid, row);
  quantize(mid, n, HIDDEN, q, scale);
  linear(q, scale, n, HIDDEN, out_w, out_s, out_b, HIDDEN, mid);
  norm(x, mid, n, g1, b1);
  quantize(x, n, HIDDEN, q, scale);
  linear(q, scale, n, HIDDEN, up_w, up_s, up_b, INNER, big);
  for (long i = 0; i < (long)n * INNER; i++) big[i] = gelu(big[i]);
  quantize(big, n, INNER, q, scale);
  linear(q, scale, n, INNER, down_w, down_s, down_b, HIDDEN, mid);
  norm(x, mid, n, g2, b2);
}
