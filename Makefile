# blescript, on Debian 12 with Swift 6.3. Each target installs the Debian packages it lacks.
# `make` alone lists the targets.
PREFIX  ?= /usr/local
DESTDIR ?=
export PATH := $(PATH):/opt/swift/usr/bin

NEED    := .ci/need
# Package.swift names the packages of system libraries; Lua's is linked without one.
TO_BUILD := pkg-config liblua5.4-dev $(shell sed -n 's/.*\.apt(\["\([^"]*\)"\]).*/\1/p' Package.swift)
TO_TEST  := $(TO_BUILD) dbus-daemon dbus-bin bluez python3-venv
TO_CHECK := $(TO_BUILD) lua-check shellcheck

DEBUG   := .build/debug/blescript
RELEASE := .build/release/blescript
SOURCES := Package.swift $(shell find Sources -type f)
SHELL_SCRIPTS := $(shell grep -lrE '^\#!/bin/(ba)?sh' .ci Tests)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: swift
swift:
	@command -v swift >/dev/null || { echo "Swift 6.3 is needed: on PATH or in /opt/swift; see https://www.swift.org/install" >&2; exit 1; }

.PHONY: demo
demo: debug ## a heart rate monitor that needs no hardware: simulated world, real script
	@$(NEED) dbus-daemon
	$(DEBUG) --sim scripts/worlds/heart-rate.lua scripts/examples/heart-rate.lua

.PHONY: debug
debug: swift ## the program, to work on: .build/debug/blescript
	@$(NEED) $(TO_BUILD)
	@swift build --product blescript

.PHONY: test
test: debug ## all tests that need no Bluetooth: units, the command line, behaviour in the simulator
	@$(NEED) $(TO_TEST)
	swift test --no-parallel
	set -e; for file in Tests/Lua/*_test.lua; do $(DEBUG) "$$file"; done
	$(DEBUG) Tests/Vectors/score.lua
	$(DEBUG) test Tests/Behaviour/*.lua
	$(DEBUG) test Tests/Annotations/annotations.lua Tests/Examples/*_test.lua docs/samples/*_test.lua
	$(DEBUG) test scripts/decoders/*.lua docs/samples/decoders/*.lua
	Tests/Interop/run-tests
	$(DEBUG) test Tests/Soak/*.lua

.PHONY: test-sanitize
test-sanitize: export ASAN_OPTIONS = detect_leaks=1
test-sanitize: export LSAN_OPTIONS = suppressions=$(CURDIR)/Tests/leaks.supp:print_suppressions=0
test-sanitize: swift ## the unit and behaviour tests again, under the address and leak sanitizers
	@$(NEED) $(TO_TEST)
	swift test --no-parallel --sanitize=address --disable-xctest --scratch-path .build/sanitize
	.build/sanitize/debug/blescript test Tests/Behaviour/*.lua

.PHONY: test-real
test-real: debug ## behaviour tests and demo on a real bluetoothd, in a virtual machine
	Tests/RealBlueZ/run-tests

.PHONY: check
check: swift ## format, lint, and who may import whom
	@$(NEED) $(TO_CHECK)
	swift format lint --strict --recursive Package.swift Sources Tests
	luacheck --quiet scripts Tests docs
	shellcheck $(SHELL_SCRIPTS)
	swift test --filter ArchitectureTests

.PHONY: build
build: $(RELEASE) ## the program, optimised, with Swift's libraries in it

$(RELEASE): $(SOURCES) | swift
	@$(NEED) $(TO_BUILD)
	swift build -c release --static-swift-stdlib --product blescript
	@touch $@

.PHONY: install
install: $(RELEASE) ## to PREFIX (/usr/local), below DESTDIR if that is set
	install -D $(RELEASE) '$(DESTDIR)$(PREFIX)/bin/blescript'
	find scripts -name '*.lua' -exec install -D -m 644 {} '$(DESTDIR)$(PREFIX)/share/blescript/{}' \;
	install -D -m 644 LICENSE '$(DESTDIR)$(PREFIX)/share/doc/blescript/LICENSE'
