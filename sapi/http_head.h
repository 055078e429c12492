#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ephpm::sapi {

/// One header field as it was sent: no folding, no case changes, no surrounding blanks.
struct HeaderView {
  std::string_view name;
  std::string_view value;
};

/// Compares two ASCII strings without regard to case. Bytes above 127 compare as they are.
bool EqualsIgnoringCase(std::string_view a, std::string_view b);

/// An ordered list of header fields in one allocation; a name may stand in it more than once.
///
/// Value type. Views that it returns live until the next change of the list.
class HeaderList {
 public:
  void Add(std::string_view name, std::string_view value);
  /// Removes every field called `name` (case-insensitive).
  void Remove(std::string_view name);
  void Clear();

  std::size_t size() const { return fields_.size(); }
  bool empty() const { return fields_.empty(); }
  /// The field at `index`. Requires: index < size().
  HeaderView operator[](std::size_t index) const;
  /// Where the first field called `name` stands; size() if there is none.
  std::size_t FirstIndexOf(std::string_view name) const;
  /// The value of the first field called `name`; a null view (data() == nullptr) if there is none.
  std::string_view Find(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name).data() != nullptr; }

 private:
  struct Field {
    std::uint32_t offset;
    std::uint32_t name_size;
    std::uint32_t value_size;
  };
  std::string bytes_;
  std::vector<Field> fields_;
};

/// Which script answers a request, in the words of CGI. Paths are absolute.
struct Script {
  std::string document_root;  ///< as configured, symbolic links resolved, no trailing slash
  std::string name;           ///< SCRIPT_NAME: the URL path of the script, starts with '/'
  std::string filename;       ///< SCRIPT_FILENAME: the file to execute
  std::string path_info;      ///< PATH_INFO: what follows the script in the URL path, or empty
};

/// The two ends of a client's connection. Addresses are textual; empty on a unix socket.
struct Peers {
  std::string remote_address;
  std::uint16_t remote_port = 0;
  std::string local_address;
  std::uint16_t local_port = 0;
};

/// What the client asked for. Value type; complete and unchanging once its Exchange is submitted.
struct RequestHead {
  std::string method;
  std::string target;  ///< the request target as sent: REQUEST_URI
  std::string query;   ///< what follows the first '?' after routing, without it
  std::string host;    ///< host of the Host header without port, or empty
  int http_minor = 1;  ///< 1 for HTTP/1.1, 0 for HTTP/1.0
  bool https = false;  ///< the client's connection is encrypted
  HeaderList headers;
  Script script;
  Peers peers;
};

/// The start of a response. Value type.
struct ResponseHead {
  int status = 200;
  std::string reason;  ///< empty: the standard phrase of the status
  HeaderList headers;
};

}  // namespace ephpm::sapi
