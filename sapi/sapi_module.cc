#include "sapi/sapi_module.h"

#include <spdlog/spdlog.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "sapi/environment.h"
#include "sapi/functions/server_functions.h"
#include "sapi/server_variables.h"

namespace ephpm::sapi {
namespace {

// libphp calls everything below. Functions that call into Zend may be left by a jump at each such
// call, which skips destructors: they hold no C++ object across one.

using ErrorCallback = void (*)(int, zend_string*, const uint32_t, zend_string*);

using InterruptCallback = void (*)(zend_execute_data*);

/// What the engine's hooks were before InstallEngineHooks. Set once, before any PHP thread runs.
ErrorCallback next_error_callback = nullptr;
InterruptCallback next_interrupt_callback = nullptr;

void OnInterrupt(zend_execute_data* frame) {
  if (next_interrupt_callback != nullptr) next_interrupt_callback(frame);
  const RequestContext* context = CurrentRequest();
  if (context == nullptr || !context->pool.ending.load() || EG(exception) != nullptr) return;
  zend_throw_unwind_exit();
}

/// A jump alone is no failure: exit() in a shutdown function jumps, and so does a SOAP server that
/// has sent its fault. What ends a script by mistake always comes by here first.
void OnError(int type, zend_string* file, const uint32_t line, zend_string* message) {
  constexpr int kFatal =
      E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR;
  RequestContext* context = CurrentRequest();
  if (context != nullptr && (type & kFatal) != 0) {
    context->fatal_error = true;
    if (context->exchange.has_head() && !context->answered_failure) context->cut = true;
  }
  next_error_callback(type, file, line, message);
}

int Startup(sapi_module_struct* module) { return php_module_startup(module, nullptr); }

int Deactivate() {
  if (RequestContext* context = CurrentRequest(); context != nullptr) {
    context->peak_memory = zend_memory_peak_usage(false);
  }
  return SUCCESS;
}

std::size_t UnbufferedWrite(const char* bytes, std::size_t size) {
  RequestContext* context = CurrentRequest();
  if (context == nullptr) return size;  // output while the engine starts goes nowhere
  if (!context->exchange.Write({bytes, size})) php_handle_aborted_connection();
  return size;
}

void Flush(void* server_context) {
  if (server_context == nullptr) return;
  sapi_send_headers();
  if (!static_cast<RequestContext*>(server_context)->exchange.Flush()) {
    php_handle_aborted_connection();
  }
}

/// The reason phrase of "HTTP/1.1 418 I'm a teapot"; empty if there is none.
std::string_view ReasonOf(const char* status_line) {
  if (status_line == nullptr) return {};
  std::string_view line(status_line);
  for (int blanks = 0; blanks < 2; ++blanks) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) return {};
    line.remove_prefix(blank + 1);
  }
  return line;
}

/// Splits "Name: value". PHP has checked that it is one line.
HeaderView SplitHeader(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  std::string_view value = line.substr(colon + 1);
  while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
  return {line.substr(0, colon), value};
}

ResponseHead HeadFrom(sapi_headers_struct& headers) {
  ResponseHead head;
  head.status = headers.http_response_code;
  head.reason = ReasonOf(headers.http_status_line);
  zend_llist_position position;
  auto* header =
      static_cast<sapi_header_struct*>(zend_llist_get_first_ex(&headers.headers, &position));
  for (; header != nullptr; header = static_cast<sapi_header_struct*>(
                                zend_llist_get_next_ex(&headers.headers, &position))) {
    const auto [name, value] = SplitHeader({header->header, header->header_len});
    if (name.empty()) continue;
    if (EqualsIgnoringCase(name, "status")) {
      // CGI's way to set the status, which counts where the script used no other.
      const int status = std::atoi(std::string(value).c_str());
      if (head.status == 200 && status >= 100 && status <= 999) {
        head.status = status;
        head.reason = value.size() > 4 ? value.substr(4) : std::string_view();
      }
      continue;
    }
    head.headers.Add(name, value);
  }
  return head;
}

int SendHeaders(sapi_headers_struct* headers) {
  RequestContext* context = CurrentRequest();
  if (context == nullptr || context->exchange.has_head()) return SAPI_HEADER_SENT_SUCCESSFULLY;
  context->answered_failure = context->fatal_error;
  context->exchange.SetHead(HeadFrom(*headers));
  return SAPI_HEADER_SENT_SUCCESSFULLY;
}

std::size_t ReadPost(char* buffer, std::size_t size) {
  RequestContext* context = CurrentRequest();
  if (context == nullptr) return 0;
  std::size_t total = 0;
  while (total < size) {
    const std::ptrdiff_t count = context->exchange.body().Read(buffer + total, size - total);
    if (count < 0)
      spdlog::error("the body of a request cannot be read back: {}", std::strerror(errno));
    if (count <= 0) break;
    total += static_cast<std::size_t>(count);
  }
  return total;
}

char* ReadCookies() {
  RequestContext* context = CurrentRequest();
  return context == nullptr || context->cookies.empty() ? nullptr : context->cookies.data();
}

void AddVariable(HashTable* array, const ServerVariable& variable) {
  zval value;
  ZVAL_STRINGL(&value, variable.second.data(), variable.second.size());
  zend_hash_str_update(array, variable.first.data(), variable.first.size(), &value);
}

void RegisterServerVariables(zval* array) {
  RequestContext* context = CurrentRequest();
  if (context == nullptr) return;
  context->pool.environment.AddTo(Z_ARRVAL_P(array));
  // Kept by the context: a jump out of the loop must not lose it.
  context->variables =
      BuildServerVariables(context->exchange.request(), context->exchange.body().size());
  for (const ServerVariable& variable : context->variables)
    AddVariable(Z_ARRVAL_P(array), variable);
  // filter_input(INPUT_SERVER) looks into an array of its own. Filling it through PHP's input
  // filter copies every value a second time; sharing the array is the same as long as the default
  // filter changes nothing.
  zval_ptr_dtor(&IF_G(server_array));
  ZVAL_COPY(&IF_G(server_array), array);
}

void LogMessage(const char* message, int) {
  const std::shared_ptr<spdlog::logger> logger = spdlog::get("php");
  (logger != nullptr ? logger.get() : spdlog::default_logger_raw())->error("{}", message);
}

zend_result RequestTime(double* seconds) {
  RequestContext* context = CurrentRequest();
  if (context == nullptr) return FAILURE;
  *seconds = std::chrono::duration<double>(context->exchange.made_at().time_since_epoch()).count();
  return SUCCESS;
}

sapi_module_struct MakeModule() {
  sapi_module_struct module{};
  // OPcache and some libraries know SAPIs by name; the OPcache of our build knows this one.
  module.name = const_cast<char*>("ephpm");
  module.pretty_name = const_cast<char*>("ephpmd");
  module.startup = Startup;
  module.shutdown = php_module_shutdown_wrapper;
  module.deactivate = Deactivate;
  module.ub_write = UnbufferedWrite;
  module.flush = Flush;
  module.sapi_error = php_error;
  module.send_headers = SendHeaders;
  module.read_post = ReadPost;
  module.read_cookies = ReadCookies;
  module.register_server_variables = RegisterServerVariables;
  module.log_message = LogMessage;
  module.get_request_time = RequestTime;
  module.additional_functions = ServerFunctions();
  return module;
}

}  // namespace

RequestContext::RequestContext(Exchange& of, const PoolView& served_by)
    : exchange(of),
      pool(served_by),
      cookies(JoinCookies(of.request().headers)),
      content_type(of.request().headers.Find("content-type")),
      authorization(of.request().headers.Find("authorization")) {}

sapi_module_struct& SapiModule() {
  static sapi_module_struct module = MakeModule();
  return module;
}

void InstallEngineHooks() {
  next_error_callback = zend_error_cb;
  zend_error_cb = OnError;
  next_interrupt_callback = zend_interrupt_function;
  zend_interrupt_function = OnInterrupt;
}

void BindRequest(RequestContext& context) {
  const RequestHead& request = context.exchange.request();
  sapi_request_info& info = SG(request_info);
  info = {};
  // PHP declares these as char*, but reads them only: what it changes it copies first.
  info.request_method = request.method.c_str();
  info.query_string = const_cast<char*>(request.query.c_str());
  info.path_translated = const_cast<char*>(request.script.filename.c_str());
  info.request_uri = const_cast<char*>(request.target.c_str());
  info.content_type = context.content_type.empty() ? nullptr : context.content_type.c_str();
  info.content_length = static_cast<zend_long>(context.exchange.body().size());
  SG(server_context) = &context;
  SG(sapi_headers).http_response_code = 200;
  EG(exit_status) = 0;
  if (!context.authorization.empty()) php_handle_auth_data(context.authorization.c_str());
}

}  // namespace ephpm::sapi
