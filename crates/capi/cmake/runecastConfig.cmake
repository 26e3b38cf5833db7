# For find_package(runecast): the targets runecast::runecast, which is shared, and runecast::static. Where only one of the libraries
# was left by whoever packages them, there is no runecast::static, or runecast::runecast is that.
# It lies in lib/cmake/runecast of what install.sh installs, and knows the rest from there.

get_filename_component(_runecast_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET runecast::runecast)
  if(EXISTS "${_runecast_prefix}/lib/librunecast.a")
    add_library(runecast::static STATIC IMPORTED)
    set_target_properties(runecast::static PROPERTIES
      IMPORTED_LOCATION "${_runecast_prefix}/lib/librunecast.a"
      INTERFACE_INCLUDE_DIRECTORIES "${_runecast_prefix}/include"
      INTERFACE_LINK_LIBRARIES "@LIBRARIES@")
  endif()

  if(EXISTS "${_runecast_prefix}/lib/librunecast.so")
    add_library(runecast::runecast SHARED IMPORTED)
    set_target_properties(runecast::runecast PROPERTIES
      IMPORTED_LOCATION "${_runecast_prefix}/lib/librunecast.so"
      IMPORTED_SONAME "@SONAME@"
      INTERFACE_INCLUDE_DIRECTORIES "${_runecast_prefix}/include")
  else()
    add_library(runecast::runecast INTERFACE IMPORTED)
    set_target_properties(runecast::runecast PROPERTIES INTERFACE_LINK_LIBRARIES runecast::static)
  endif()
endif()

unset(_runecast_prefix)
