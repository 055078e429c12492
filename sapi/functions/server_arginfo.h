/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: dc75e81f1d98f3f6728b848cce82d8eabe823427 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_ephpm_info, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_ephpm_finish_request, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

#define arginfo_getallheaders arginfo_ephpm_info

#define arginfo_apache_request_headers arginfo_ephpm_info

#define arginfo_fastcgi_finish_request arginfo_ephpm_finish_request

ZEND_FUNCTION(ephpm_info);
ZEND_FUNCTION(ephpm_finish_request);
ZEND_FUNCTION(getallheaders);

static const zend_function_entry ext_functions[] = {
	ZEND_FE(ephpm_info, arginfo_ephpm_info)
	ZEND_FE(ephpm_finish_request, arginfo_ephpm_finish_request)
	ZEND_FE(getallheaders, arginfo_getallheaders)
	ZEND_RAW_FENTRY("apache_request_headers", zif_getallheaders, arginfo_apache_request_headers, 0, NULL, NULL)
	ZEND_RAW_FENTRY("fastcgi_finish_request", zif_ephpm_finish_request, arginfo_fastcgi_finish_request, 0, NULL, NULL)
	ZEND_FE_END
};
