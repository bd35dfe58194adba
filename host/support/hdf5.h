/* Every file includes HDF5 from here, so that each call takes its lock (turn.h). Debian's HDF5 is
 * built thread-safe, but its high-level part (H5LT, H5TB, H5DS) never is, other builds are not, and
 * no build survives a fork while another thread is inside. Callbacks from HDF5 may call HDF5. Other
 * users of the same HDF5 in the process, such as h5py, do not know this lock: together with them it
 * takes a thread-safe build. tests/structure/turns.py finds calls that are not listed. */
#ifndef OMR_HDF5_H
#define OMR_HDF5_H

#include "turn.h"

#include <hdf5.h>
#include <hdf5_hl.h>

#define OMR_HDF5(call)                                                                             \
  __extension__({                                                                                  \
    omr_turn_take(OMR_TURN_FILES);                                                                 \
    __auto_type omr_given = call;                                                                  \
    omr_turn_give(OMR_TURN_FILES);                                                                 \
    omr_given;                                                                                     \
  })

/* HDF5's names of types and properties expand to this call before a comma. */
static inline herr_t omr_hdf5_begin(void) {
  return OMR_HDF5(H5open());
}
#define H5open() omr_hdf5_begin()

#define H5Aclose(...) OMR_HDF5(H5Aclose(__VA_ARGS__))
#define H5Acreate2(...) OMR_HDF5(H5Acreate2(__VA_ARGS__))
#define H5Adelete(...) OMR_HDF5(H5Adelete(__VA_ARGS__))
#define H5Aexists(...) OMR_HDF5(H5Aexists(__VA_ARGS__))
#define H5Aexists_by_name(...) OMR_HDF5(H5Aexists_by_name(__VA_ARGS__))
#define H5Aget_space(...) OMR_HDF5(H5Aget_space(__VA_ARGS__))
#define H5Aget_type(...) OMR_HDF5(H5Aget_type(__VA_ARGS__))
#define H5Aiterate2(...) OMR_HDF5(H5Aiterate2(__VA_ARGS__))
#define H5Aopen(...) OMR_HDF5(H5Aopen(__VA_ARGS__))
#define H5Aread(...) OMR_HDF5(H5Aread(__VA_ARGS__))
#define H5Awrite(...) OMR_HDF5(H5Awrite(__VA_ARGS__))
#define H5DSattach_scale(...) OMR_HDF5(H5DSattach_scale(__VA_ARGS__))
#define H5DSset_scale(...) OMR_HDF5(H5DSset_scale(__VA_ARGS__))
#define H5Dclose(...) OMR_HDF5(H5Dclose(__VA_ARGS__))
#define H5Dcreate2(...) OMR_HDF5(H5Dcreate2(__VA_ARGS__))
#define H5Dget_chunk_storage_size(...) OMR_HDF5(H5Dget_chunk_storage_size(__VA_ARGS__))
#define H5Dget_create_plist(...) OMR_HDF5(H5Dget_create_plist(__VA_ARGS__))
#define H5Dget_space(...) OMR_HDF5(H5Dget_space(__VA_ARGS__))
#define H5Dget_storage_size(...) OMR_HDF5(H5Dget_storage_size(__VA_ARGS__))
#define H5Dget_type(...) OMR_HDF5(H5Dget_type(__VA_ARGS__))
#define H5Dopen2(...) OMR_HDF5(H5Dopen2(__VA_ARGS__))
#define H5Dread(...) OMR_HDF5(H5Dread(__VA_ARGS__))
#define H5Dread_chunk(...) OMR_HDF5(H5Dread_chunk(__VA_ARGS__))
#define H5Dvlen_reclaim(...) OMR_HDF5(H5Dvlen_reclaim(__VA_ARGS__))
#define H5Dwrite(...) OMR_HDF5(H5Dwrite(__VA_ARGS__))
#define H5Dwrite_chunk(...) OMR_HDF5(H5Dwrite_chunk(__VA_ARGS__))
#define H5Eclear2(...) OMR_HDF5(H5Eclear2(__VA_ARGS__))
#define H5Eget_auto2(...) OMR_HDF5(H5Eget_auto2(__VA_ARGS__))
#define H5Epush2(...) OMR_HDF5(H5Epush2(__VA_ARGS__))
#define H5Eset_auto2(...) OMR_HDF5(H5Eset_auto2(__VA_ARGS__))
#define H5Ewalk2(...) OMR_HDF5(H5Ewalk2(__VA_ARGS__))
#define H5FDregister(...) OMR_HDF5(H5FDregister(__VA_ARGS__))
#define H5Fclose(...) OMR_HDF5(H5Fclose(__VA_ARGS__))
#define H5Fcreate(...) OMR_HDF5(H5Fcreate(__VA_ARGS__))
#define H5Fget_obj_count(...) OMR_HDF5(H5Fget_obj_count(__VA_ARGS__))
#define H5Fopen(...) OMR_HDF5(H5Fopen(__VA_ARGS__))
#define H5Gclose(...) OMR_HDF5(H5Gclose(__VA_ARGS__))
#define H5Gcreate2(...) OMR_HDF5(H5Gcreate2(__VA_ARGS__))
#define H5Gget_create_plist(...) OMR_HDF5(H5Gget_create_plist(__VA_ARGS__))
#define H5Gget_info(...) OMR_HDF5(H5Gget_info(__VA_ARGS__))
#define H5Gopen2(...) OMR_HDF5(H5Gopen2(__VA_ARGS__))
#define H5Iget_name(...) OMR_HDF5(H5Iget_name(__VA_ARGS__))
#define H5Iget_type(...) OMR_HDF5(H5Iget_type(__VA_ARGS__))
#define H5Ldelete(...) OMR_HDF5(H5Ldelete(__VA_ARGS__))
#define H5Lexists(...) OMR_HDF5(H5Lexists(__VA_ARGS__))
#if H5_VERSION_GE(1, 12, 0)
#define H5Literate2(...) OMR_HDF5(H5Literate2(__VA_ARGS__))
#else
#define H5Literate(...) OMR_HDF5(H5Literate(__VA_ARGS__))
#endif
#define H5Lget_name_by_idx(...) OMR_HDF5(H5Lget_name_by_idx(__VA_ARGS__))
#define H5Oclose(...) OMR_HDF5(H5Oclose(__VA_ARGS__))
#define H5Oget_info2(...) OMR_HDF5(H5Oget_info2(__VA_ARGS__))
#define H5Oopen(...) OMR_HDF5(H5Oopen(__VA_ARGS__))
#define H5Pclose(...) OMR_HDF5(H5Pclose(__VA_ARGS__))
#define H5Pcreate(...) OMR_HDF5(H5Pcreate(__VA_ARGS__))
#define H5Pget_chunk(...) OMR_HDF5(H5Pget_chunk(__VA_ARGS__))
#define H5Pget_driver_info(...) OMR_HDF5(H5Pget_driver_info(__VA_ARGS__))
#define H5Pget_external_count(...) OMR_HDF5(H5Pget_external_count(__VA_ARGS__))
#define H5Pget_filter2(...) OMR_HDF5(H5Pget_filter2(__VA_ARGS__))
#define H5Pget_layout(...) OMR_HDF5(H5Pget_layout(__VA_ARGS__))
#define H5Pget_link_creation_order(...) OMR_HDF5(H5Pget_link_creation_order(__VA_ARGS__))
#define H5Pget_mdc_config(...) OMR_HDF5(H5Pget_mdc_config(__VA_ARGS__))
#define H5Pget_nfilters(...) OMR_HDF5(H5Pget_nfilters(__VA_ARGS__))
#define H5Pset_chunk(...) OMR_HDF5(H5Pset_chunk(__VA_ARGS__))
#define H5Pset_chunk_cache(...) OMR_HDF5(H5Pset_chunk_cache(__VA_ARGS__))
#define H5Pset_deflate(...) OMR_HDF5(H5Pset_deflate(__VA_ARGS__))
#define H5Pset_driver(...) OMR_HDF5(H5Pset_driver(__VA_ARGS__))
#define H5Pset_fclose_degree(...) OMR_HDF5(H5Pset_fclose_degree(__VA_ARGS__))
#define H5Pset_fill_value(...) OMR_HDF5(H5Pset_fill_value(__VA_ARGS__))
#define H5Pset_fletcher32(...) OMR_HDF5(H5Pset_fletcher32(__VA_ARGS__))
#define H5Pset_libver_bounds(...) OMR_HDF5(H5Pset_libver_bounds(__VA_ARGS__))
#define H5Pset_link_creation_order(...) OMR_HDF5(H5Pset_link_creation_order(__VA_ARGS__))
#define H5Pset_mdc_config(...) OMR_HDF5(H5Pset_mdc_config(__VA_ARGS__))
#define H5Pset_obj_track_times(...) OMR_HDF5(H5Pset_obj_track_times(__VA_ARGS__))
#define H5Pset_shuffle(...) OMR_HDF5(H5Pset_shuffle(__VA_ARGS__))
#define H5Pset_virtual(...) OMR_HDF5(H5Pset_virtual(__VA_ARGS__))
#define H5Rdereference2(...) OMR_HDF5(H5Rdereference2(__VA_ARGS__))
#define H5Sclose(...) OMR_HDF5(H5Sclose(__VA_ARGS__))
#define H5Screate(...) OMR_HDF5(H5Screate(__VA_ARGS__))
#define H5Screate_simple(...) OMR_HDF5(H5Screate_simple(__VA_ARGS__))
#define H5Sget_simple_extent_dims(...) OMR_HDF5(H5Sget_simple_extent_dims(__VA_ARGS__))
#define H5Sget_simple_extent_ndims(...) OMR_HDF5(H5Sget_simple_extent_ndims(__VA_ARGS__))
#define H5Sget_simple_extent_npoints(...) OMR_HDF5(H5Sget_simple_extent_npoints(__VA_ARGS__))
#define H5Sselect_hyperslab(...) OMR_HDF5(H5Sselect_hyperslab(__VA_ARGS__))
#define H5Tclose(...) OMR_HDF5(H5Tclose(__VA_ARGS__))
#define H5Tcopy(...) OMR_HDF5(H5Tcopy(__VA_ARGS__))
#define H5Tequal(...) OMR_HDF5(H5Tequal(__VA_ARGS__))
#define H5Tget_class(...) OMR_HDF5(H5Tget_class(__VA_ARGS__))
#define H5Tget_cset(...) OMR_HDF5(H5Tget_cset(__VA_ARGS__))
#define H5Tget_native_type(...) OMR_HDF5(H5Tget_native_type(__VA_ARGS__))
#define H5Tget_size(...) OMR_HDF5(H5Tget_size(__VA_ARGS__))
#define H5Tis_variable_str(...) OMR_HDF5(H5Tis_variable_str(__VA_ARGS__))
#define H5Tset_cset(...) OMR_HDF5(H5Tset_cset(__VA_ARGS__))
#define H5Tset_size(...) OMR_HDF5(H5Tset_size(__VA_ARGS__))
#define H5Zfilter_avail(...) OMR_HDF5(H5Zfilter_avail(__VA_ARGS__))
#define H5free_memory(...) OMR_HDF5(H5free_memory(__VA_ARGS__))

#endif
