# Files that follow from host/lists/*.def: CMake reads the rows that it needs, so that a row is written once. They are made in
# generated/lists when the build is configured, again whenever a list has changed.
set(omniroll_lists ${PROJECT_SOURCE_DIR}/host/lists)
set(OMNIROLL_GENERATED_LISTS ${PROJECT_BINARY_DIR}/generated/lists)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${omniroll_lists}/models.def ${omniroll_lists}/laws.def)

# Words of the small models, in the order of the list.
file(STRINGS ${omniroll_lists}/models.def omniroll_rows REGEX "^SMALL\\(")
set(OMNIROLL_SMALL_MODELS "")
foreach(row IN LISTS omniroll_rows)
  if(NOT row MATCHES "^SMALL\\([A-Z0-9_]+, ([a-z0-9_]+),")
    message(FATAL_ERROR "host/lists/models.def: not a row of a small model: ${row}")
  endif()
  list(APPEND OMNIROLL_SMALL_MODELS ${CMAKE_MATCH_1})
endforeach()

set(omniroll_small_parameters "")
set(omniroll_small_tables "")
set(omniroll_small_layouts "")
set(omniroll_small_kernels "")
foreach(model IN LISTS OMNIROLL_SMALL_MODELS)
  string(APPEND omniroll_small_parameters "#include \"host/lists/parameters/${model}.def\"\n")
  string(APPEND omniroll_small_tables
    "#define NAME ${model}\n#define SAMPLES \"samples/${model}.def\"\n#define WORDS \"words/${model}.def\"\n#include \"lists/small_table.h\"\n")
  string(APPEND omniroll_small_layouts "#include \"kernels/small/${model}_layout.h\"\n")
  string(APPEND omniroll_small_kernels "#include \"kernels/small/${model}.h\"\n")
endforeach()

# Written only where the text differs, so that nothing is built again for nothing.
file(CONFIGURE OUTPUT ${OMNIROLL_GENERATED_LISTS}/small_parameters.def @ONLY CONTENT "@omniroll_small_parameters@")
file(CONFIGURE OUTPUT ${OMNIROLL_GENERATED_LISTS}/small_tables.h @ONLY CONTENT "@omniroll_small_tables@")
file(CONFIGURE OUTPUT ${OMNIROLL_GENERATED_LISTS}/small_layouts.h @ONLY CONTENT "@omniroll_small_layouts@")
file(CONFIGURE OUTPUT ${OMNIROLL_GENERATED_LISTS}/small_kernels.h @ONLY CONTENT "@omniroll_small_kernels@")

# Laws of contact by their names, the class of each, and the kernel files of those of friction.
file(STRINGS ${omniroll_lists}/laws.def omniroll_rows REGEX "^X\\(")
set(OMNIROLL_LAWS "")
set(omniroll_law_kernels "")
foreach(row IN LISTS omniroll_rows)
  if(NOT row MATCHES "^X\\(([A-Z0-9_]+), ([a-z0-9_]+), \"[a-z0-9_]+\", ([A-Z]+), [01],")
    message(FATAL_ERROR "host/lists/laws.def: not a row of a law: ${row}")
  endif()
  set(law ${CMAKE_MATCH_2})
  set(omniroll_law_id_${law} ${CMAKE_MATCH_1})
  set(omniroll_law_class_${law} ${CMAKE_MATCH_3})
  list(APPEND OMNIROLL_LAWS ${law})
  if(omniroll_law_class_${law} STREQUAL "FRICTION")
    string(APPEND omniroll_law_kernels "#include \"kernels/laws/${law}.h\"\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${OMNIROLL_GENERATED_LISTS}/law_kernels.h @ONLY CONTENT "@omniroll_law_kernels@")
