# The C interface as a port of vcpkg, an overlay of a checkout: vcpkg install runecast --overlay-ports=crates/capi/vcpkg
#
# It is built by crates/capi/install.sh, so it needs a Rust toolchain and an ELF system. What that installs is made what vcpkg expects: the
# library of the triplet's linkage alone, CMake's files in share/, and no absolute path. There is no debug build: a library
# of Rust has a profile of its own for releases, and C sees no difference.
#
# (In a registry, where there is no checkout around it, SOURCE_PATH would come from vcpkg_from_github.)

set(VCPKG_POLICY_MISMATCHED_NUMBER_OF_BINARIES enabled)
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)

vcpkg_execute_required_process(
    COMMAND "${CMAKE_COMMAND}" -E env "CARGO_TARGET_DIR=${CURRENT_BUILDTREES_DIR}/cargo"
        "${SOURCE_PATH}/crates/capi/install.sh" "${CURRENT_PACKAGES_DIR}"
    WORKING_DIRECTORY "${SOURCE_PATH}"
    LOGNAME "install-${TARGET_TRIPLET}")

# One linkage. Without the shared library, CMake's `runecast::runecast` is the static one.
file(READ "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/runecast.pc" pc)
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
    file(GLOB shared "${CURRENT_PACKAGES_DIR}/lib/librunecast.so*")
    file(REMOVE ${shared})
    # Whoever links it needs what it needs.
    string(REGEX REPLACE "(Libs: [^\n]*)\nLibs.private: ([^\n]*)" "\\1 \\2" pc "${pc}")
else()
    file(REMOVE "${CURRENT_PACKAGES_DIR}/lib/librunecast.a")
endif()

# From where it lies, wherever that is.
string(REGEX REPLACE "^prefix=[^\n]*" "prefix=\${pcfiledir}/../.." pc "${pc}")
file(WRITE "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/runecast.pc" "${pc}")
file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/share")
file(RENAME "${CURRENT_PACKAGES_DIR}/lib/cmake/runecast" "${CURRENT_PACKAGES_DIR}/share/runecast")
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib/cmake")
set(config "${CURRENT_PACKAGES_DIR}/share/runecast/runecastConfig.cmake")
file(READ "${config}" text)
string(REPLACE "\${CMAKE_CURRENT_LIST_DIR}/../../.." "\${CMAKE_CURRENT_LIST_DIR}/../.." text "${text}")
string(REPLACE "lies in lib/cmake/runecast of what install.sh installs" "lies in share/runecast" text "${text}")
file(WRITE "${config}" "${text}")

vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE-APACHE" "${SOURCE_PATH}/LICENSE-MIT")
