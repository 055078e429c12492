#include "sapi/server_variables.h"

#include <algorithm>

namespace ephpm::sapi {
namespace {

constexpr std::string_view kDefaultHttpPort = "80";
constexpr std::string_view kDefaultHttpsPort = "443";

/// HTTP_X_NAME for X-Name, or an empty string for a name that must not reach PHP.
std::string VariableName(std::string_view header) {
  if (EqualsIgnoringCase(header, "proxy")) return {};
  std::string name = "HTTP_";
  name.reserve(name.size() + header.size());
  for (const char c : header) {
    if (c == '-') {
      name.push_back('_');
    } else if (c >= 'a' && c <= 'z') {
      name.push_back(static_cast<char>(c - 'a' + 'A'));
    } else if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) {
      name.push_back(c);
    } else {
      return {};
    }
  }
  return name;
}

void AddHeaders(const HeaderList& headers, std::vector<ServerVariable>& variables) {
  const std::size_t first = variables.size();
  for (std::size_t i = 0; i < headers.size(); ++i) {
    std::string name = VariableName(headers[i].name);
    if (name.empty()) continue;
    const auto known =
        std::find_if(variables.begin() + static_cast<std::ptrdiff_t>(first), variables.end(),
                     [&](const ServerVariable& variable) { return variable.first == name; });
    if (known == variables.end()) {
      variables.emplace_back(std::move(name), headers[i].value);
    } else {
      known->second.append(name == "HTTP_COOKIE" ? "; " : ", ").append(headers[i].value);
    }
  }
}

std::string ServerPort(const RequestHead& request) {
  if (request.peers.local_port != 0) return std::to_string(request.peers.local_port);
  return std::string(request.https ? kDefaultHttpsPort : kDefaultHttpPort);
}

}  // namespace

std::string ServerSoftware() { return "ephpmd/" EPHPM_VERSION " (nginx)"; }

std::vector<ServerVariable> BuildServerVariables(const RequestHead& request,
                                                 std::uint64_t body_size) {
  const Script& script = request.script;
  const Peers& peers = request.peers;
  const std::string_view content_length = request.headers.Find("content-length");
  const bool has_body = body_size > 0 || content_length.data() != nullptr;

  std::vector<ServerVariable> variables;
  variables.reserve(24 + request.headers.size());
  variables.emplace_back("SCRIPT_FILENAME", script.filename);
  variables.emplace_back("SCRIPT_NAME", script.name);
  variables.emplace_back("DOCUMENT_ROOT", script.document_root);
  variables.emplace_back("DOCUMENT_URI", script.name + script.path_info);
  variables.emplace_back("PHP_SELF", script.name + script.path_info);
  if (!script.path_info.empty()) {
    variables.emplace_back("PATH_INFO", script.path_info);
    variables.emplace_back("PATH_TRANSLATED", script.document_root + script.path_info);
  }
  variables.emplace_back("REQUEST_METHOD", request.method);
  variables.emplace_back("REQUEST_URI", request.target);
  variables.emplace_back("QUERY_STRING", request.query);
  // Present and empty without a body, as nginx sends them.
  variables.emplace_back("CONTENT_TYPE", request.headers.Find("content-type"));
  variables.emplace_back("CONTENT_LENGTH", has_body ? std::to_string(body_size) : std::string());
  variables.emplace_back("SERVER_PROTOCOL", request.http_minor == 0 ? "HTTP/1.0" : "HTTP/1.1");
  variables.emplace_back("REQUEST_SCHEME", request.https ? "https" : "http");
  if (request.https) variables.emplace_back("HTTPS", "on");
  variables.emplace_back("GATEWAY_INTERFACE", "CGI/1.1");
  variables.emplace_back("SERVER_SOFTWARE", ServerSoftware());
  variables.emplace_back("SERVER_NAME", request.host.empty() ? peers.local_address : request.host);
  variables.emplace_back("SERVER_ADDR", peers.local_address);
  variables.emplace_back("SERVER_PORT", ServerPort(request));
  variables.emplace_back("REMOTE_ADDR", peers.remote_address);
  variables.emplace_back("REMOTE_PORT",
                         peers.remote_port == 0 ? "" : std::to_string(peers.remote_port));
  // CGI builds of PHP refuse to run without it; applications test for it.
  variables.emplace_back("REDIRECT_STATUS", "200");
  AddHeaders(request.headers, variables);
  return variables;
}

std::string JoinCookies(const HeaderList& headers) {
  std::string cookies;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const HeaderView header = headers[i];
    if (!EqualsIgnoringCase(header.name, "cookie")) continue;
    if (!cookies.empty()) cookies.append("; ");
    cookies.append(header.value);
  }
  return cookies;
}

}  // namespace ephpm::sapi
