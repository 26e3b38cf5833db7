"""Programs in C and C++ against the package, in a folder of their own, by CMake; `conan create` runs this."""

from pathlib import Path

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class Programs(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeToolchain", "CMakeDeps", "PkgConfigDeps", "VirtualRunEnv"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if not can_run(self):
            return
        expected = Path(self.source_folder, "../../tests/demo.txt").resolve()
        for program in "demo-shared", "demo-static", "demo-cpp":
            self.run(f'"{self.cpp.build.bindir}/{program}" >{program}.txt', env="conanrun")
            self.run(f'diff {program}.txt "{expected}"')
