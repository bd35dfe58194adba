# Toolchain: 64-bit Arm on another machine, with Debian's gcc-aarch64-linux-gnu. Libraries of that processor lie under
# OMNIROLL_AARCH64_ROOT (a folder with usr/include and usr/lib/aarch64-linux-gnu); tests/long/neon.sh makes one.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES OMNIROLL_AARCH64_ROOT)
set(OMNIROLL_AARCH64_ROOT "" CACHE PATH "Folder with the libraries of aarch64")
set(CMAKE_FIND_ROOT_PATH ${OMNIROLL_AARCH64_ROOT} /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# Libraries that those libraries need.
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-Wl,-rpath-link,${OMNIROLL_AARCH64_ROOT}/usr/lib/aarch64-linux-gnu:${OMNIROLL_AARCH64_ROOT}/lib/aarch64-linux-gnu")
# What the build runs itself, such as the program that writes its manual pages.
find_program(OMNIROLL_QEMU qemu-aarch64)
if(OMNIROLL_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${OMNIROLL_QEMU} -L /usr/aarch64-linux-gnu
    -E LD_LIBRARY_PATH=${OMNIROLL_AARCH64_ROOT}/usr/lib/aarch64-linux-gnu:${OMNIROLL_AARCH64_ROOT}/lib/aarch64-linux-gnu)
endif()
