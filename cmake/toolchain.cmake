# cmake -DCMAKE_TOOLCHAIN_FILE=…/faultline/cmake/toolchain.cmake: compiles and links with Faultline, so that
# `faultline check` takes the programs and libraries of the build.
get_filename_component(_faultline_bin "${CMAKE_CURRENT_LIST_DIR}/../bin" ABSOLUTE)
set(CMAKE_C_COMPILER "${_faultline_bin}/faultline-cc.js")
set(CMAKE_CXX_COMPILER "${_faultline_bin}/faultline-c++.js")
set(CMAKE_AR "${_faultline_bin}/faultline-ar.js" CACHE FILEPATH "")
set(CMAKE_RANLIB "${_faultline_bin}/faultline-ranlib.js" CACHE FILEPATH "")
set(CMAKE_C_COMPILER_AR "${CMAKE_AR}")
set(CMAKE_CXX_COMPILER_AR "${CMAKE_AR}")
set(BUILD_SHARED_LIBS OFF CACHE BOOL "")
# Asserts are what a check looks at: CMake's release builds take them out.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
endif()
