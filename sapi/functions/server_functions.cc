#include "sapi/functions/server_functions.h"

#include "sapi/pool_view.h"
#include "sapi/request_queue.h"
#include "sapi/sapi_module.h"

// Generated from server.stub.php; it declares the functions below and lists them.
#include "sapi/functions/server_arginfo.h"

ZEND_FUNCTION(ephpm_info) {
  ZEND_PARSE_PARAMETERS_NONE();
  const ephpm::sapi::RequestContext* context = ephpm::sapi::CurrentRequest();
  array_init(return_value);
  add_assoc_string(return_value, "version", EPHPM_VERSION);
  add_assoc_string(return_value, "mode", "request");
  if (context == nullptr) return;
  add_assoc_long(return_value, "threads", static_cast<zend_long>(context->pool.threads));
  add_assoc_long(return_value, "queued", static_cast<zend_long>(context->pool.queue.size()));
}

ZEND_FUNCTION(ephpm_finish_request) {
  ZEND_PARSE_PARAMETERS_NONE();
  ephpm::sapi::RequestContext* context = ephpm::sapi::CurrentRequest();
  if (context == nullptr || context->exchange.finished()) RETURN_FALSE;
  php_output_end_all();
  sapi_send_headers();
  ephpm::sapi::Usage& usage = context->exchange.usage();
  usage.php = ephpm::sapi::Exchange::Clock::now() - context->exchange.made() - usage.queued;
  usage.peak_memory = zend_memory_peak_usage(false);
  context->exchange.Finish(ephpm::sapi::Ending::kComplete);
  RETURN_TRUE;
}

ZEND_FUNCTION(getallheaders) {
  ZEND_PARSE_PARAMETERS_NONE();
  array_init(return_value);
  const ephpm::sapi::RequestContext* context = ephpm::sapi::CurrentRequest();
  if (context == nullptr) return;
  const ephpm::sapi::HeaderList& headers = context->exchange.request().headers;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const ephpm::sapi::HeaderView header = headers[i];
    // A name that came before, in whatever case, is joined where it stands first.
    if (headers.FirstIndexOf(header.name) != i) continue;
    smart_str joined = {};
    smart_str_appendl(&joined, header.value.data(), header.value.size());
    for (std::size_t k = i + 1; k < headers.size(); ++k) {
      if (!ephpm::sapi::EqualsIgnoringCase(headers[k].name, header.name)) continue;
      smart_str_appends(&joined, ", ");
      smart_str_appendl(&joined, headers[k].value.data(), headers[k].value.size());
    }
    add_assoc_str_ex(return_value, header.name.data(), header.name.size(),
                     smart_str_extract(&joined));
  }
}

namespace ephpm::sapi {

const zend_function_entry* ServerFunctions() { return ext_functions; }

}  // namespace ephpm::sapi
