"""The C interface as a package of Conan 2: `conan create crates/capi/conan`, from a checkout of the repository.

It is built by `crates/capi/install.sh`, so it needs a Rust toolchain and an ELF system, and nothing of Conan's. What is installed brings files
for CMake of its own, with the targets `runecast::runecast`, which is shared, and `runecast::static`; Conan's own generators of such files
are told to leave that to them.
"""

import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import copy


class Runecast(ConanFile):
    name = "runecast"
    description = "Validates, repairs and transcodes Unicode text at the speed of memory"
    license = "MIT OR Apache-2.0"
    url = homepage = "https://github.com/runecast/runecast"
    topics = "utf-8", "utf-16", "unicode", "transcoding", "simd"
    settings = "os", "arch", "compiler", "build_type"
    # The static library is there as well.
    package_type = "shared-library"

    @property
    def _root(self):
        return Path(self.recipe_folder, "../../..").resolve()

    def set_version(self):
        workspace = self._root.joinpath("Cargo.toml").read_text()
        self.version = re.search(r'^\[workspace\.package\]\nversion = "(.*)"', workspace, re.M).group(1)

    def export_sources(self):
        # Cargo wants to see the manifest of each member of the workspace, and what that names.
        for pattern in "Cargo.toml", "Cargo.lock", "LICENSE-*", "README.md", "src/*", "crates/*", "benches/*", "tests/*", "examples/*":
            copy(self, pattern, self._root, self.export_sources_folder, excludes=["*/target/*", "*/node_modules/*", "*/.*"])

    def validate(self):
        if self.settings.os in ("Windows", "Macos", "iOS"):
            raise ConanInvalidConfiguration("install.sh knows systems with ELF only")

    def package_id(self):
        # An interface of C, built by rustc, which has a profile of its own for releases.
        del self.info.settings.compiler
        del self.info.settings.build_type

    def package(self):
        self.run(f'"{self.build_folder}/crates/capi/install.sh" "{self.package_folder}"')
        copy(self, "LICENSE-*", self.build_folder, Path(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["runecast"]
        self.cpp_info.builddirs = ["lib/cmake/runecast"]
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.set_property("pkg_config_name", "runecast")
        if self.settings.os == "Linux":
            # What the static library wants.
            self.cpp_info.system_libs = ["pthread", "dl", "m"]
