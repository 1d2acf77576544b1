# For OpenBench (`make EXE=name [EVALFILE=network]`) and for a build tuned to the machine it runs
# on. Everything else is cargo's: `cargo build --release` makes one program for all machines.

EXE ?= arborist
EVALFILE ?=
CARGO ?= cargo
ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
# No .exe twice.
PROGRAM := $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)
NATIVE := -C target-cpu=native
PROFILE := $(CURDIR)/target/profile
PROFDATA = $(shell rustc --print target-libdir)/../bin/llvm-profdata

export EVALFILE

.PHONY: native pgo

native:
	RUSTFLAGS="$(NATIVE)" $(CARGO) build --release --target-dir target/native
	cp target/native/release/arborist$(SUFFIX) $(PROGRAM)

# Profile-guided: `rustup component add llvm-tools` first.
pgo:
	rm -rf $(PROFILE)
	RUSTFLAGS="$(NATIVE) -C profile-generate=$(PROFILE)" $(CARGO) build --release --target-dir target/profiling
	target/profiling/release/arborist$(SUFFIX) bench
	$(PROFDATA) merge -o $(PROFILE)/merged $(PROFILE)
	RUSTFLAGS="$(NATIVE) -C profile-use=$(PROFILE)/merged" $(CARGO) build --release --target-dir target/native
	cp target/native/release/arborist$(SUFFIX) $(PROGRAM)
