#include "sapi/request_mode.h"

#include <string_view>

#include "sapi/guard.h"
#include "sapi/sapi_module.h"

namespace ephpm::sapi {
namespace {

constexpr int kInternalServerError = 500;

/// Makes the script's folder the thread's working folder, as PHP-FPM does, without asking the file
/// system: the router has found the file there. (PHP itself writes the root as an empty string.)
void EnterFolderOf(const std::string& filename) {
  SG(options) |= SAPI_OPTION_NO_CHDIR;
  const std::size_t size = filename.rfind('/');
  efree(CWDG(cwd).cwd);
  CWDG(cwd).cwd = estrndup(filename.c_str(), size);
  CWDG(cwd).cwd_length = size;
}

void RunScript(const std::string& filename) {
  EnterFolderOf(filename);
  zend_file_handle file;
  zend_stream_init_filename(&file, filename.c_str());
  file.primary_script = true;
  php_execute_script(&file);
  zend_destroy_file_handle(&file);
}

/// The answer of a request that died before PHP had a head to send.
ResponseHead ServerError() {
  ResponseHead head;
  head.status = kInternalServerError;
  head.headers.Add("Content-Type", "text/html; charset=UTF-8");
  return head;
}

}  // namespace

ThreadState RequestMode::Serve(Exchange& exchange) {
  const auto started = Exchange::Clock::now();
  exchange.usage().queued = started - exchange.made();
  RequestContext context(exchange, pool_);

  const bool ran = Guarded([&] {
    BindRequest(context);
    if (php_request_startup() == SUCCESS) RunScript(exchange.request().script.filename);
  });
  const bool ended = Guarded([] { php_request_shutdown(nullptr); });
  SG(server_context) = nullptr;

  // After ephpm_finish_request the usage belongs to the loop.
  if (!exchange.finished()) {
    exchange.usage().php = Exchange::Clock::now() - started;
    exchange.usage().peak_memory = context.peak_memory;
  }
  if (!exchange.has_head()) exchange.SetHead(ServerError());
  const bool cut = context.cut || ((!ran || !ended) && !context.answered_failure);
  exchange.Finish(cut ? Ending::kBroken : Ending::kComplete);
  return ended ? ThreadState::kUsable : ThreadState::kPoisoned;
}

}  // namespace ephpm::sapi
