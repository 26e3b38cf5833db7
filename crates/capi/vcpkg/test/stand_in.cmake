# What vcpkg does around a portfile, as far as that of runecast needs it: cmake -D… -P stand_in.cmake
#
# vcpkg sets these variables, includes the portfile, and copies the package to where it is installed. The two functions of it that
# the portfile calls are written here from their documentation. So it is the portfile that is tried, not vcpkg: not its checks of
# a package, and not its toolchain file.

foreach(name CURRENT_PORT_DIR CURRENT_BUILDTREES_DIR CURRENT_PACKAGES_DIR TARGET_TRIPLET VCPKG_LIBRARY_LINKAGE)
    if(NOT DEFINED ${name})
        message(FATAL_ERROR "${name} is not set")
    endif()
endforeach()
set(PORT runecast)

function(vcpkg_execute_required_process)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "WORKING_DIRECTORY;LOGNAME" "COMMAND")
    execute_process(COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${arg_WORKING_DIRECTORY}" RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${arg_COMMAND}: ${status}")
    endif()
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "COMMENT" "FILE_LIST")
    set(all "")
    foreach(file IN LISTS arg_FILE_LIST)
        file(READ "${file}" text)
        string(APPEND all "${text}\n")
    endforeach()
    file(WRITE "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright" "${all}")
endfunction()

file(MAKE_DIRECTORY "${CURRENT_BUILDTREES_DIR}" "${CURRENT_PACKAGES_DIR}")
include("${CURRENT_PORT_DIR}/portfile.cmake")
