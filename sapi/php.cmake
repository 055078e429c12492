# The half that embeds PHP. sapi/php/build.sh makes the static library and everything beside it.
if(NOT EXISTS ${EPHPM_PHP_PREFIX}/lib/libphp.a)
  message(FATAL_ERROR "EPHPM_PHP_PREFIX has no lib/libphp.a: run sapi/php/build.sh, "
                      "or `make build`, which does")
endif()
execute_process(COMMAND ${EPHPM_PHP_PREFIX}/bin/php-config --includes
                OUTPUT_VARIABLE PHP_INCLUDES OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${EPHPM_PHP_PREFIX}/bin/php-config --libs
                OUTPUT_VARIABLE PHP_LIBS OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${EPHPM_PHP_PREFIX}/bin/php-config --ldflags
                OUTPUT_VARIABLE PHP_LDFLAGS OUTPUT_STRIP_TRAILING_WHITESPACE)
separate_arguments(PHP_INCLUDES)
separate_arguments(PHP_LIBS)
separate_arguments(PHP_LDFLAGS)
list(TRANSFORM PHP_INCLUDES REPLACE "^-I" "")

add_library(ephpm_php STATIC environment.cc php_engine.cc php_ini.cc php_pool.cc php_thread.cc
                             request_mode.cc sapi_module.cc functions/server_functions.cc)
target_include_directories(ephpm_php SYSTEM PRIVATE ${PHP_INCLUDES})
target_compile_definitions(ephpm_php PRIVATE ZEND_ENABLE_STATIC_TSRMLS_CACHE=1
                                             EPHPM_VERSION="${PROJECT_VERSION}")
target_link_libraries(ephpm_php PUBLIC ephpm_flags ephpm_config ephpm_exchange ephpm_kv
                      PRIVATE spdlog::spdlog)
# libphp.a is position-dependent, so the whole program is: thread-local variables cost less that way.
target_compile_options(ephpm_php PRIVATE -fno-pie)
target_link_options(ephpm_php INTERFACE -no-pie)
# Whole archive and exported symbols: opcache.so and other shared extensions take from the
# executable what nothing in it refers to.
target_link_libraries(ephpm_php INTERFACE
                      -Wl,--whole-archive ${EPHPM_PHP_PREFIX}/lib/libphp.a -Wl,--no-whole-archive
                      ${PHP_LDFLAGS} ${PHP_LIBS} -rdynamic)
