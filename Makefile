# The two commands of the README are `make run` and `make test`; both set up what they need.
#
#   make build            build/ephpmd
#   make run [SITE=DIR]   serve a site on LISTEN (default: the welcome site on 0.0.0.0:8080)
#   make test             everything: unit, PHP, black-box and application tests, sanitizers
#   make test-quick       the same without sanitizers and applications
#   make image-test       the Dockerfile's steps in a debootstrap root (as root)
#   make clean            remove the build folders; the PHP build stays in its cache

SHELL  := /bin/bash
JOBS   ?= $(shell nproc)
LISTEN ?= 0.0.0.0:8080
SITE   ?= welcome
BUILD  ?= build

site_dir = $(if $(filter welcome,$(SITE)),docker/site,$(SITE))

configure = cmake -S . -B $(1) -G Ninja \
	-DEPHPM_PHP_PREFIX="$$(sapi/php/build.sh --prefix)" \
	-DEPHPM_DEPS_PREFIX="$$(docker/packages.sh prefix)" $(2)
compile   = cmake --build $(1) --parallel $(JOBS) $(if $(2),--target $(2))
# A sanitizer's report fails the test that caused it. Slow unwinding sees through libphp, which has no frame
# pointers, so that suppressions can name the function that leaks.
ctest     = ASAN_OPTIONS=detect_leaks=1:fast_unwind_on_malloc=0:exitcode=99 \
	LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0 \
	UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1:suppressions=$(CURDIR)/tests/tsan.supp \
	ctest --test-dir $(1) --output-on-failure $(2)

.PHONY: build run test test-quick test-release test-asan test-tsan image-test setup setup-test clean

setup:
	docker/packages.sh build
	sapi/php/build.sh

setup-test:
	docker/packages.sh test
	sapi/php/build.sh

build: setup
	$(call configure,$(BUILD),-DEPHPM_TESTS=OFF)
	$(call compile,$(BUILD),ephpmd)

run: build
	$(BUILD)/ephpmd --root $(site_dir) --listen $(LISTEN)

unit_tests = config_test kv_test sapi_test server_test

# ASan + UBSan over the units, and over scripts that end in every way inside the test's process.
test-asan: setup-test
	$(call configure,build-asan,-DEPHPM_TESTS=ON -DEPHPM_SANITIZE=address$(comma)undefined)
	$(call compile,build-asan,$(unit_tests) php_test)
	$(call ctest,build-asan,--tests-regex '^(unit[.]|php$$)')

# TSan over what threads share: units and the exchange; libphp is not built for it.
test-tsan: setup-test
	$(call configure,build-tsan,-DEPHPM_TESTS=ON -DEPHPM_PHP=OFF -DEPHPM_SANITIZE=thread)
	$(call compile,build-tsan,$(unit_tests))
	$(call ctest,build-tsan,--tests-regex '^unit[.]')

test-release: setup-test
	$(call configure,$(BUILD),-DEPHPM_TESTS=ON)
	$(call compile,$(BUILD))
	$(call ctest,$(BUILD),--parallel $(JOBS))

test-quick: setup-test
	$(call configure,$(BUILD),-DEPHPM_TESTS=ON)
	$(call compile,$(BUILD))
	$(call ctest,$(BUILD),--parallel $(JOBS) --label-exclude apps)

test:
	$(MAKE) test-asan
	$(MAKE) test-tsan
	$(MAKE) test-release

image-test:
	docker/image-test.sh

clean:
	rm -rf build build-asan build-tsan

comma := ,
