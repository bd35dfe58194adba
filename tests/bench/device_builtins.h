/* OpenCL's built-in functions that the kernels use, for clang -target nvptx64 and amdgcn
 * (compilers.py). Division and square root are correctly rounded unless asked otherwise. */
#define OVERLOADED static __attribute__((overloadable, always_inline))
#define BUILT_IN(type, suffix)                                                                     \
  OVERLOADED type own_fma(type a, type b, type c) {                                                \
    return __builtin_fma##suffix(a, b, c);                                                         \
  }                                                                                                \
  OVERLOADED type own_sqrt(type a) {                                                               \
    return __builtin_sqrt##suffix(a);                                                              \
  }                                                                                                \
  OVERLOADED type own_rint(type a) {                                                               \
    return __builtin_rint##suffix(a);                                                              \
  }                                                                                                \
  OVERLOADED type own_fabs(type a) {                                                               \
    return __builtin_fabs##suffix(a);                                                              \
  }
BUILT_IN(float, f)
#if !OMR_SINGLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
BUILT_IN(double, )
#endif
#define fma own_fma
#define sqrt own_sqrt
#define rint own_rint
#define fabs own_fabs

static unsigned long own_global_id(void) {
#if defined(__AMDGCN__)
  return __builtin_amdgcn_workgroup_id_x() * (unsigned long)OMR_GROUP +
         __builtin_amdgcn_workitem_id_x();
#else
  return (unsigned long)__nvvm_read_ptx_sreg_ctaid_x() *
             (unsigned long)__nvvm_read_ptx_sreg_ntid_x() +
         (unsigned long)__nvvm_read_ptx_sreg_tid_x();
#endif
}
#define get_global_id(dimension) own_global_id()
