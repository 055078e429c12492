#include "config/schema.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <set>
#include <utility>

#include "config/key_builders.h"
#include "config/listen_address.h"
#include "config/nearest.h"
#include "config/toml_text.h"

namespace ephpm::config {
namespace {

constexpr std::int64_t kKi = 1024;
constexpr std::int64_t kMi = 1024 * kKi;
constexpr std::int64_t kGi = 1024 * kMi;
constexpr std::int64_t kTi = 1024 * kGi;
constexpr std::int64_t kDay = 24LL * 60 * 60 * 1000;

constexpr Range kTimeout = {
    1, kDay, "a time of 0 would cut every client off, one above a day never frees its connection"};

void CheckListen(const std::vector<std::string>& addresses) {
  if (addresses.empty()) throw BadValue("without an address nobody can reach the server");
  std::set<std::string> seen;
  for (const std::string& text : addresses) {
    const ListenAddress address = ParseListenAddress(text);
    const bool free_port = address.family != ListenAddress::Family::kUnix && address.port == 0;
    if (!seen.insert(text).second && !free_port) throw BadValue(Quoted(text) + " stands twice");
  }
}

void CheckIndexFiles(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (file.find('/') == std::string::npos) continue;
    throw BadValue(Quoted(file) + " is no plain file name; index files lie in the folder itself");
  }
}

void CheckFallback(const std::vector<std::string>& steps) {
  if (steps.empty()) throw BadValue(R"(without a step no URL finds a file; the least is ["$uri"])");
  for (const std::string& step : steps) {
    // The router knows the rest of the grammar; what begins otherwise is a mistake for certain.
    if (step.starts_with('/') || step.starts_with("$uri") || step.starts_with('=')) continue;
    throw BadValue(Quoted(step) + R"( is no step; write "$uri", "$uri/", a path from the document )"
                                  R"(root such as "/index.php?$query_string", or "=404")");
  }
}

void CheckExtensions(const std::vector<std::string>& extensions) {
  for (const std::string& extension : extensions) {
    if (extension.starts_with('.')) {
      throw BadValue("write " + Quoted(extension.substr(1)) + " instead of " + Quoted(extension));
    }
    const bool plain = std::all_of(extension.begin(), extension.end(), [](unsigned char c) {
      return std::islower(c) != 0 || std::isdigit(c) != 0;
    });
    if (!plain) throw BadValue(Quoted(extension) + " is no extension of a-z and 0-9");
    if (extension == "php") throw BadValue("\"php\" is no static type: the file would be sent");
  }
}

void Append(std::vector<Key>& schema, std::vector<Key> section) {
  std::move(section.begin(), section.end(), std::back_inserter(schema));
}

std::vector<Key> ServerKeys() {
  using S = ServerConfig;
  constexpr auto kSection = &Config::server;
  return {
      List({"server.listen",
            "Addresses to accept connections on: `ADDR:PORT`, `:PORT` (every address), "
            "`[::1]:PORT`, `unix:/path`; port 0 takes a free one"},
           Field{kSection, &S::listen}, CheckListen),
      Count({"server.io_threads", "Event loops; 0 is one a CPU"}, Field{kSection, &S::io_threads},
            {0, kMostIoThreads, "a loop serves thousands of connections, one a CPU is enough"}),
      Count({"server.backlog", "Connections that the kernel holds until they are accepted"},
            Field{kSection, &S::backlog},
            {1, 65535, "the kernel takes no other length of a queue"}),
      Count({"server.max_connections", "Open client connections; more wait in the backlog"},
            Field{kSection, &S::max_connections},
            {1, 1'000'000, "each connection costs a file descriptor and memory"}),
      Path({"server.document_root", "Folder of the site that URLs map into"},
           Field{kSection, &S::document_root}, Empty::kRefused),
      List({"server.index_files", "Files that answer for a folder, the first that exists"},
           Field{kSection, &S::index_files}, CheckIndexFiles),
      List({"server.fallback",
            "What a URL path is tried as, in order: `$uri` a file, `$uri/` a folder with an index "
            "file, a script of the document root, or `=404`"},
           Field{kSection, &S::fallback}, CheckFallback),
      Bool({"server.missing_static_404",
            "A missing file of a static type is 404 at once, without the last fallback step"},
           Field{kSection, &S::missing_static_404}),
      List({"server.static_extensions", "The static types, lower case and without the dot"},
           Field{kSection, &S::static_extensions}, CheckExtensions),
  };
}

std::vector<Key> LimitsKeys() {
  using S = LimitsConfig;
  constexpr auto kSection = &Config::limits;
  constexpr Range kHead = {
      kKi, 16 * kMi, "browsers send up to 1K in plain requests, and a head is held in memory"};
  return {
      Size({"limits.request_line", "Longest request line (method, URL, version); longer is 414"},
           Field{kSection, &S::request_line}, kHead),
      Size({"limits.header_bytes", "All header fields of a request together; more is 431"},
           Field{kSection, &S::header_bytes}, kHead),
      Count({"limits.header_count", "Header fields of a request; more is 431"},
            Field{kSection, &S::header_count},
            {8, 10'000, "browsers send a dozen fields, and each costs memory"}),
      Size({"limits.body",
            "Largest request body; larger is 413. php.ini's post_max_size applies too"},
           Field{kSection, &S::body}, {0, kTi, "a body is kept on disk until PHP has read it"}),
      Size({"limits.body_memory", "A longer body waits in a file in `php.temp_dir`"},
           Field{kSection, &S::body_memory},
           {0, kGi, "every connection may hold this much memory at once"}),
  };
}

std::vector<Key> TimeoutsKeys() {
  using S = TimeoutsConfig;
  constexpr auto kSection = &Config::timeouts;
  return {
      Duration({"timeouts.header", "From the first byte of a request to the end of its head"},
               Field{kSection, &S::header}, kTimeout),
      Duration({"timeouts.body", "Between two pieces of a request body"}, Field{kSection, &S::body},
               kTimeout),
      Duration({"timeouts.idle", "A keep-alive connection without a request"},
               Field{kSection, &S::idle}, kTimeout),
      Duration({"timeouts.write", "A client that takes no byte of its response"},
               Field{kSection, &S::write}, kTimeout),
      Duration({"timeouts.shutdown", "After SIGTERM, for the requests that are running"},
               Field{kSection, &S::shutdown}, {0, kDay, "a stop takes a day at most"}),
  };
}

std::vector<Key> PhpKeys() {
  using S = PhpConfig;
  constexpr auto kSection = &Config::php;
  return {
      Choice({"php.mode", "`request`: a script starts anew for each request; `worker`: it stays"},
             Field{kSection, &S::mode}, {"request", "worker"}),
      Count({"php.workers", "PHP threads; 0 is two a CPU"}, Field{kSection, &S::workers},
            {0, kMostWorkers, "each PHP thread has an interpreter of its own"}),
      Count({"php.queue", "Requests that may wait for a PHP thread; more are 503"},
            Field{kSection, &S::queue},
            {1, 1'000'000, "every request passes the queue, and each that waits holds memory"}),
      Bool({"php.opcache", "Load OPcache; the server refuses to start if it does not run then"},
           Field{kSection, &S::opcache}),
      Path({"php.ini_file", "A php.ini to read; empty is none"}, Field{kSection, &S::ini_file},
           Empty::kAllowed),
      Size({"php.stack_size", "C stack of a PHP thread; deep recursion needs it"},
           Field{kSection, &S::stack_size},
           {kMi, kGi, "PHP needs about 1M for itself, and every thread reserves as much"}),
      Path({"php.temp_dir", "Folder for uploads and long request bodies"},
           Field{kSection, &S::temp_dir}, Empty::kRefused),
      IniTable({"php.ini", "Table of php.ini settings; they win over `php.ini_file`"},
               Field{kSection, &S::ini}),
  };
}

std::vector<Key> LogKeys() {
  using S = LogConfig;
  constexpr auto kSection = &Config::log;
  return {
      Choice({"log.level", "Least level that is written: `debug`, `info`, `warn`, `error`"},
             Field{kSection, &S::level}, {"debug", "info", "warn", "error"}),
      Choice({"log.format", "`text` for people, `json` (one object a line) for programs"},
             Field{kSection, &S::format}, {"text", "json"}),
      Path({"log.file", "File of the server's log; empty is standard error"},
           Field{kSection, &S::file}, Empty::kAllowed),
      Bool({"log.access", "Write a line for every request"}, Field{kSection, &S::access}),
      Path({"log.access_file", "File of the access log; empty is standard output"},
           Field{kSection, &S::access_file}, Empty::kAllowed),
  };
}

std::vector<Key> AllKeys() {
  std::vector<Key> schema;
  Append(schema, ServerKeys());
  Append(schema, LimitsKeys());
  Append(schema, TimeoutsKeys());
  Append(schema, PhpKeys());
  Append(schema, LogKeys());
  return schema;
}

std::string_view LastPart(std::string_view dotted) {
  return dotted.substr(dotted.rfind('.') + 1);  // npos + 1 is 0: the whole name
}

std::vector<std::string> Sections() {
  std::vector<std::string> sections;
  for (const Key& key : Schema()) {
    const std::string section(key.name.substr(0, key.name.find('.')));
    if (sections.empty() || sections.back() != section) sections.push_back(section);
  }
  return sections;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

const std::vector<Key>& Schema() {
  static const std::vector<Key> schema = AllKeys();
  return schema;
}

std::optional<Match> FindKey(std::string_view dotted) {
  for (const Key& key : Schema()) {
    if (key.name == dotted) return Match{&key, ""};
    const bool inside = key.type == KeyType::kTable && dotted.starts_with(key.name) &&
                        dotted.size() > key.name.size() + 1 && dotted[key.name.size()] == '.';
    if (inside) return Match{&key, std::string(dotted.substr(key.name.size() + 1))};
  }
  return std::nullopt;
}

bool IsSection(std::string_view dotted) {
  const std::vector<std::string> sections = Sections();
  return std::find(sections.begin(), sections.end(), dotted) != sections.end();
}

std::string ExplainUnknown(std::string_view dotted) {
  std::vector<std::string> names;
  for (const Key& key : Schema()) {
    // The right word in the wrong section is a better guess than any similar word.
    if (LastPart(key.name) == LastPart(dotted)) {
      return "no such setting; it is called " + std::string(key.name);
    }
    names.emplace_back(key.name);
  }
  const std::string nearest = Nearest(dotted, names);
  if (!nearest.empty()) return "no such setting; the nearest is " + nearest;

  std::vector<std::string> siblings;
  for (const std::string& name : names) {
    if (name.substr(0, name.find('.')) == dotted.substr(0, dotted.find('.'))) {
      siblings.push_back(name);
    }
  }
  if (!siblings.empty()) return "no such setting; there are " + Joined(siblings);
  return "no such setting; the sections are " + Joined(Sections());
}

std::string VariableName(std::string_view dotted) {
  std::string name = "EPHPM_";
  for (const char c : dotted) {
    if (c == '.') {
      name += "__";
    } else {
      name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  return name;
}

}  // namespace ephpm::config
