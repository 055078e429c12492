#pragma once

#include <string>
#include <vector>

#include "sapi/exchange.h"
#include "sapi/pool_view.h"
#include "sapi/server_variables.h"
#include "sapi/zend.h"

namespace ephpm::sapi {

/// What PHP's callbacks need of the request that a PHP thread serves; SG(server_context) points at
/// it. Belongs to its PHP thread.
struct RequestContext {
  RequestContext(Exchange& of, const PoolView& served_by);

  Exchange& exchange;
  const PoolView& pool;
  // PHP borrows these for the length of the request.
  std::string cookies;  ///< all Cookie headers joined
  std::string content_type;
  std::string authorization;
  std::vector<ServerVariable> variables;
  // How the script failed, if it did. A head that is made after the failure can say so; one that
  // was made before it cannot, and the response has to be cut where it stands.
  bool fatal_error = false;       ///< the engine reported an error that ends scripts
  bool answered_failure = false;  ///< the head was made after the failure
  bool cut = false;               ///< the head was made before the failure
  std::size_t peak_memory = 0;    ///< bytes, taken before PHP frees the request
};

/// The context of the request that this thread serves; null outside of one.
inline RequestContext* CurrentRequest() { return static_cast<RequestContext*>(SG(server_context)); }

/// The table of callbacks by which PHP reads a request and writes its response. Static, as PHP
/// wants it; filled once before the engine starts.
sapi_module_struct& SapiModule();

/// Makes the engine tell RequestContext::fatal_error, and look at PoolView::ending when it is
/// interrupted. Requires: the engine has started and runs no thread yet.
void InstallEngineHooks();

/// Sets SG(request_info) for `context`, and what PHP derives from it before a request starts.
/// May jump.
void BindRequest(RequestContext& context);

}  // namespace ephpm::sapi
