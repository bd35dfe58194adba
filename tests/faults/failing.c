/* A library to be loaded before others (LD_PRELOAD): the n-th call of one kind fails. Calls on
 * files, threads and devices fail whoever makes them. Allocations fail that the program, with
 * libomniroll in it, or cJSON makes itself, or those that the other libraries make, many of which
 * do not check theirs (HDF5 1.10, UDUNITS, OpenCL drivers).
 *
 *   OMR_FAIL_KIND   memory: malloc, calloc, realloc, aligned_alloc, posix_memalign, strdup
 *                   library_memory: the same of all other libraries
 *                   system: calls on files and folders, with ENOSPC, EACCES or EIO as it suits them
 *                   thread: pthread_create, with EAGAIN
 *                   opencl: calls that make or run something, with CL_OUT_OF_RESOURCES
 *   OMR_FAIL_AT     n, from 1; 0: none
 *   OMR_FAIL_COUNT  a file into which the number of calls is written at the end
 *   OMR_FAIL_WHO    a file into which the path of the library is written whose allocation failed
 *
 * Calls before main, of the linker and of libraries that begin, are not counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MEMORY = 1, SYSTEM, THREAD, OPENCL, LIBRARY_MEMORY };

static int kind;
static long at;
static atomic_long calls;
static atomic_bool counting;

/* The code of the program and of cJSON. */
static struct { const char *begin, *end; } own[8];
static int own_count;

static int note_own(struct dl_phdr_info *info, size_t size, void *user) {
  (void)size, (void)user;
  if (info->dlpi_name[0] && !strstr(info->dlpi_name, "libcjson")) return 0;
  for (int i = 0; i < info->dlpi_phnum && own_count < 8; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    own[own_count].begin = (const char *)(uintptr_t)(info->dlpi_addr + part->p_vaddr);
    own[own_count].end = own[own_count].begin + part->p_memsz;
    own_count++;
  }
  return 0;
}

static bool is_own(const void *caller) {
  for (int i = 0; i < own_count; i++)
    if ((const char *)caller >= own[i].begin && (const char *)caller < own[i].end) return true;
  return false;
}

static bool fails(int of) {
  if (!atomic_load(&counting) || of != kind) return false;
  return atomic_fetch_add(&calls, 1) + 1 == at;
}

/* Digits by hand: printf would allocate. */
static void report(void) {
  const char *path = getenv("OMR_FAIL_COUNT");
  char digits[24];
  size_t i = sizeof digits;
  atomic_store(&counting, false);
  if (!path) return;
  long n = atomic_load(&calls);
  do digits[--i] = (char)('0' + n % 10);
  while (n /= 10);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  if (write(file, digits + i, sizeof digits - i) < 0) _exit(99);
  close(file);
}

/* The next function of this name; found without counting, since looking for it allocates. */
#define NEXT(result, name, ...)                                                                    \
  static result (*next)(__VA_ARGS__);                                                              \
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name)

/* glibc's own names: dlsym needs memory before it can find any. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/* By system calls alone: those of the C library above would be counted. */
static void name_caller(const void *caller) {
  const char *path = getenv("OMR_FAIL_WHO");
  Dl_info found;
  if (!path || !dladdr(caller, &found) || !found.dli_fname) return;
  const long file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  if (syscall(SYS_write, file, found.dli_fname, strlen(found.dli_fname)) < 0) _exit(99);
  syscall(SYS_close, file);
}

static bool memory_fails(const void *caller) {
  if (!atomic_load(&counting) || !fails(is_own(caller) ? MEMORY : LIBRARY_MEMORY)) return false;
  name_caller(caller);
  return true;
}

#define NO_MEMORY() memory_fails(__builtin_return_address(0))

static void *no_memory(void) {
  errno = ENOMEM;
  return NULL;
}

void *malloc(size_t size) {
  return NO_MEMORY() ? no_memory() : __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  return NO_MEMORY() ? no_memory() : __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) {
  return NO_MEMORY() ? no_memory() : __libc_realloc(memory, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  return NO_MEMORY() ? no_memory() : __libc_memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (NO_MEMORY()) return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

/* glibc's own calls malloc without coming by here. */
char *strdup(const char *text) {
  if (NO_MEMORY()) return no_memory();
  const size_t size = strlen(text) + 1;
  char *copy = __libc_malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

#define REFUSE(cause)                                                                              \
  do {                                                                                             \
    if (fails(SYSTEM)) {                                                                           \
      errno = cause;                                                                               \
      return -1;                                                                                   \
    }                                                                                              \
  } while (0)

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  REFUSE(EACCES);
  NEXT(int, open, const char *, int, ...);
  return next(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  REFUSE(EACCES);
  NEXT(int, open64, const char *, int, ...);
  return next(path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  REFUSE(EACCES);
  NEXT(int, openat, int, const char *, int, ...);
  return next(folder, path, flags, mode);
}
FILE *fopen(const char *path, const char *mode) {
  if (fails(SYSTEM)) {
    errno = EMFILE;
    return NULL;
  }
  NEXT(FILE *, fopen, const char *, const char *);
  return next(path, mode);
}
ssize_t write(int file, const void *bytes, size_t count) {
  REFUSE(ENOSPC);
  NEXT(ssize_t, write, int, const void *, size_t);
  return next(file, bytes, count);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
  REFUSE(ENOSPC);
  NEXT(ssize_t, pwrite, int, const void *, size_t, off_t);
  return next(file, bytes, count, place);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
  REFUSE(ENOSPC);
  NEXT(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  return next(file, bytes, count, place);
}
ssize_t read(int file, void *bytes, size_t count) {
  REFUSE(EIO);
  NEXT(ssize_t, read, int, void *, size_t);
  return next(file, bytes, count);
}
ssize_t pread64(int file, void *bytes, size_t count, off64_t place) {
  REFUSE(EIO);
  NEXT(ssize_t, pread64, int, void *, size_t, off64_t);
  return next(file, bytes, count, place);
}
ssize_t pread(int file, void *bytes, size_t count, off_t place) {
  REFUSE(EIO);
  NEXT(ssize_t, pread, int, void *, size_t, off_t);
  return next(file, bytes, count, place);
}
int fsync(int file) {
  REFUSE(EIO);
  NEXT(int, fsync, int);
  return next(file);
}
int fdatasync(int file) {
  REFUSE(EIO);
  NEXT(int, fdatasync, int);
  return next(file);
}
int ftruncate(int file, off_t length) {
  REFUSE(ENOSPC);
  NEXT(int, ftruncate, int, off_t);
  return next(file, length);
}
int rename(const char *from, const char *to) {
  REFUSE(ENOSPC);
  NEXT(int, rename, const char *, const char *);
  return next(from, to);
}
int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  REFUSE(ENOSPC);
  NEXT(int, renameat, int, const char *, int, const char *);
  return next(from_folder, from, to_folder, to);
}
int link(const char *from, const char *to) {
  REFUSE(ENOSPC);
  NEXT(int, link, const char *, const char *);
  return next(from, to);
}
int unlink(const char *path) {
  REFUSE(EACCES);
  NEXT(int, unlink, const char *);
  return next(path);
}
int unlinkat(int folder, const char *path, int flags) {
  REFUSE(EACCES);
  NEXT(int, unlinkat, int, const char *, int);
  return next(folder, path, flags);
}
int mkdir(const char *path, mode_t mode) {
  REFUSE(EACCES);
  NEXT(int, mkdir, const char *, mode_t);
  return next(path, mode);
}
int rmdir(const char *path) {
  REFUSE(EACCES);
  NEXT(int, rmdir, const char *);
  return next(path);
}
int dup(int file) {
  REFUSE(EMFILE);
  NEXT(int, dup, int);
  return next(file);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
  if (fails(THREAD)) return EAGAIN;
  NEXT(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  return next(thread, attributes, start, argument);
}

/* OpenCL, by the types that its functions have in C, without its headers: handles are pointers,
 * cl_int an int. */
enum { CL_OUT_OF_RESOURCES = -5 };

#define CL_MAKES(name, parameters, arguments)                                                      \
  void *name parameters {                                                                          \
    if (fails(OPENCL)) {                                                                           \
      if (error) *error = CL_OUT_OF_RESOURCES;                                                     \
      return NULL;                                                                                 \
    }                                                                                              \
    static void *(*next)parameters;                                                                \
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name);                                          \
    return next arguments;                                                                         \
  }
#define CL_DOES(name, parameters, arguments)                                                       \
  int name parameters {                                                                            \
    if (fails(OPENCL)) return CL_OUT_OF_RESOURCES;                                                 \
    static int(*next) parameters;                                                                  \
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name);                                          \
    return next arguments;                                                                         \
  }

CL_MAKES(clCreateContext,
         (const void *properties, unsigned count, const void *devices, void *notify, void *user,
          int *error),
         (properties, count, devices, notify, user, error))
CL_MAKES(clCreateCommandQueue, (void *context, void *device, unsigned long properties, int *error),
         (context, device, properties, error))
CL_MAKES(clCreateCommandQueueWithProperties,
         (void *context, void *device, const void *properties, int *error),
         (context, device, properties, error))
CL_MAKES(clCreateProgramWithSource,
         (void *context, unsigned count, const char **texts, const size_t *lengths, int *error),
         (context, count, texts, lengths, error))
CL_MAKES(clCreateProgramWithBinary,
         (void *context, unsigned count, const void *devices, const size_t *lengths,
          const void *binaries, int *status, int *error),
         (context, count, devices, lengths, binaries, status, error))
CL_MAKES(clCreateKernel, (void *program, const char *name, int *error), (program, name, error))
CL_MAKES(clCreateBuffer, (void *context, unsigned long flags, size_t size, void *host, int *error),
         (context, flags, size, host, error))
CL_DOES(clGetPlatformIDs, (unsigned entries, void *platforms, unsigned *count),
        (entries, platforms, count))
CL_DOES(clGetDeviceIDs,
        (void *platform, unsigned long type, unsigned entries, void *devices, unsigned *count),
        (platform, type, entries, devices, count))
CL_DOES(clGetDeviceInfo, (void *device, unsigned what, size_t size, void *value, size_t *needed),
        (device, what, size, value, needed))
CL_DOES(clBuildProgram,
        (void *program, unsigned count, const void *devices, const char *options, void *notify,
         void *user),
        (program, count, devices, options, notify, user))
CL_DOES(clSetKernelArg, (void *kernel, unsigned index, size_t size, const void *value),
        (kernel, index, size, value))
CL_DOES(clEnqueueNDRangeKernel,
        (void *queue, void *kernel, unsigned dimensions, const size_t *offset, const size_t *global,
         const size_t *local, unsigned waits, const void *wait, void *event),
        (queue, kernel, dimensions, offset, global, local, waits, wait, event))
CL_DOES(clEnqueueWriteBuffer,
        (void *queue, void *buffer, unsigned blocking, size_t offset, size_t size, const void *host,
         unsigned waits, const void *wait, void *event),
        (queue, buffer, blocking, offset, size, host, waits, wait, event))
CL_DOES(clEnqueueReadBuffer,
        (void *queue, void *buffer, unsigned blocking, size_t offset, size_t size, void *host,
         unsigned waits, const void *wait, void *event),
        (queue, buffer, blocking, offset, size, host, waits, wait, event))
CL_DOES(clFinish, (void *queue), (queue))
CL_DOES(clFlush, (void *queue), (queue))

/* After the constructors of all libraries that the program names: this one is the last to begin,
 * since it is loaded first. */
__attribute__((constructor)) static void begin(void) {
  static const char *const kinds[] = {"", "memory", "system", "thread", "opencl", "library_memory"};
  const char *word = getenv("OMR_FAIL_KIND"), *number = getenv("OMR_FAIL_AT");
  for (int i = MEMORY; word && i <= LIBRARY_MEMORY; i++)
    if (strcmp(word, kinds[i]) == 0) kind = i;
  at = number ? strtol(number, NULL, 10) : 0;
  dl_iterate_phdr(note_own, NULL);
  atexit(report);
  atomic_store(&counting, kind != 0);
}
