/* OpenCL's built-in functions that the kernels use, for clang -target nvptx64 (ptx.py). Division
 * and square root are correctly rounded there unless asked otherwise. */
#define OVERLOADED static __attribute__((overloadable, always_inline))

OVERLOADED float ptx_fma(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
OVERLOADED float ptx_sqrt(float a) {
  return __builtin_sqrtf(a);
}
OVERLOADED float ptx_rint(float a) {
  return __builtin_rintf(a);
}
OVERLOADED float ptx_fabs(float a) {
  return __builtin_fabsf(a);
}
#if !OMR_SINGLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
OVERLOADED double ptx_fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
OVERLOADED double ptx_sqrt(double a) {
  return __builtin_sqrt(a);
}
OVERLOADED double ptx_rint(double a) {
  return __builtin_rint(a);
}
OVERLOADED double ptx_fabs(double a) {
  return __builtin_fabs(a);
}
#endif
#define fma ptx_fma
#define sqrt ptx_sqrt
#define rint ptx_rint
#define fabs ptx_fabs

static unsigned long ptx_global_id(void) {
  return (unsigned long)__nvvm_read_ptx_sreg_ctaid_x() *
             (unsigned long)__nvvm_read_ptx_sreg_ntid_x() +
         (unsigned long)__nvvm_read_ptx_sreg_tid_x();
}
#define get_global_id(dimension) ptx_global_id()
