#pragma once

// The only place that includes PHP. Its headers are C and do not survive our warning flags.
#pragma GCC system_header

#include <SAPI.h>
#include <Zend/zend_exceptions.h>
#include <Zend/zend_extensions.h>
#include <Zend/zend_interfaces.h>
#include <Zend/zend_smart_str.h>
#include <Zend/zend_stream.h>
#include <php.h>
#include <php_main.h>
#include <php_output.h>
#include <php_variables.h>
#include <php_version.h>

#include <ext/filter/php_filter.h>
#include <ext/standard/info.h>

// ext/filter keeps its own copy of the superglobals; its header names them but does not declare
// them.
BEGIN_EXTERN_C()
ZEND_EXTERN_MODULE_GLOBALS(filter)
END_EXTERN_C()
