#include "tests/apps/html.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace ephpm::apps {
namespace {

/// As much of a page as a failure message bears.
std::string Excerpt(const std::string& page) {
  constexpr std::size_t kLongest = 500;
  return page.size() <= kLongest ? page : page.substr(0, kLongest) + "...";
}

/// One tag of a page and where it stands.
struct Tag {
  std::string_view text;  // "<input name="x">"
  std::string name;       // "input", "/form"
  std::size_t end = 0;    // behind the ">"
};

/// The next tag at or behind `from`.
std::optional<Tag> NextTag(std::string_view page, std::size_t from) {
  const std::size_t begin = page.find('<', from);
  if (begin == std::string_view::npos) return std::nullopt;
  char quote = 0;
  std::size_t end = begin + 1;
  for (; end < page.size(); ++end) {
    const char c = page[end];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      break;
    }
  }
  if (end == page.size()) return std::nullopt;
  Tag tag{.text = page.substr(begin, end + 1 - begin), .name = {}, .end = end + 1};
  for (std::size_t i = begin + 1; i < end; ++i) {
    const auto c = static_cast<unsigned char>(page[i]);
    if (!std::isalnum(c) && c != '/') break;
    tag.name.push_back(static_cast<char>(std::tolower(c)));
  }
  return tag;
}

/// Decodes the entities that WordPress writes into attributes.
std::string Decode(std::string_view html) {
  struct Entity {
    std::string_view name;
    char character;
  };
  static constexpr std::array<Entity, 5> kNamed = {
      {{"amp", '&'}, {"quot", '"'}, {"lt", '<'}, {"gt", '>'}, {"apos", '\''}}};
  std::string text;
  while (!html.empty()) {
    const std::size_t semicolon = html.front() == '&' ? html.find(';') : std::string_view::npos;
    if (semicolon == std::string_view::npos) {
      text.push_back(html.front());
      html.remove_prefix(1);
      continue;
    }
    const std::string_view name = html.substr(1, semicolon - 1);
    int code = 0;
    if (name.starts_with('#')) std::from_chars(name.begin() + 1, name.end(), code);
    for (const Entity& entity : kNamed) {
      if (entity.name == name) code = entity.character;
    }
    if (code > 0 && code < 128) {
      text.push_back(static_cast<char>(code));
    } else {
      text.append(html.substr(0, semicolon + 1));
    }
    html.remove_prefix(semicolon + 1);
  }
  return text;
}

/// The value of an attribute; nothing if the tag does not have it, empty if it has no value.
std::optional<std::string> Attribute(std::string_view tag, std::string_view name) {
  std::size_t at = 1;
  while (at < tag.size()) {
    at = tag.find_first_of(" \t\r\n", at);
    if (at == std::string_view::npos) break;
    at = tag.find_first_not_of(" \t\r\n/", at);
    const std::size_t name_end = tag.find_first_of("= \t\r\n/>", at);
    if (at == std::string_view::npos || name_end == std::string_view::npos) break;
    const std::string_view found = tag.substr(at, name_end - at);
    std::string_view value;
    at = name_end;
    if (tag[name_end] == '=') {
      const char quote = tag[name_end + 1];
      const bool quoted = quote == '"' || quote == '\'';
      const std::size_t begin = name_end + (quoted ? 2 : 1);
      const std::size_t end =
          quoted ? tag.find(quote, begin) : tag.find_first_of(" \t\r\n>", begin);
      if (end == std::string_view::npos) break;
      value = tag.substr(begin, end - begin);
      at = end + (quoted ? 1 : 0);
    }
    if (found == name) return Decode(value);
  }
  return std::nullopt;
}

std::string_view TextUntil(std::string_view page, std::size_t from, std::string_view end) {
  return page.substr(from, std::min(page.find(end, from), page.size()) - from);
}

/// Adds what an <input> sends.
void AddInput(std::string_view tag, Fields& fields) {
  const std::optional<std::string> name = Attribute(tag, "name");
  if (!name) return;
  const std::string type = Attribute(tag, "type").value_or("text");
  static constexpr std::array<std::string_view, 5> kSilent = {"submit", "button", "image", "file",
                                                              "reset"};
  if (std::find(kSilent.begin(), kSilent.end(), type) != kSilent.end()) return;
  const bool has_choice = type == "checkbox" || type == "radio";
  if (has_choice && !Attribute(tag, "checked")) return;
  fields.emplace_back(*name, Attribute(tag, "value").value_or(has_choice ? "on" : ""));
}

/// Adds what a <select> sends: the selected option, else the first one.
void AddSelect(std::string_view tag, std::string_view options, Fields& fields) {
  const std::optional<std::string> name = Attribute(tag, "name");
  if (!name) return;
  std::optional<std::string> value;
  std::size_t at = 0;
  while (const std::optional<Tag> option = NextTag(options, at)) {
    at = option->end;
    if (option->name != "option") continue;
    const bool selected = Attribute(option->text, "selected").has_value();
    if (selected || !value) {
      value = Attribute(option->text, "value").value_or(Decode(TextUntil(options, at, "<")));
    }
    if (selected) break;
  }
  if (value) fields.emplace_back(*name, *value);
}

}  // namespace

void Form::Set(const std::string& name, const std::string& value) {
  for (auto& [known, content] : fields) {
    if (known == name) {
      content = value;
      return;
    }
  }
  fields.emplace_back(name, value);
}

const std::string& Form::Get(const std::string& name) const {
  for (const auto& [known, content] : fields) {
    if (known == name) return content;
  }
  throw std::runtime_error("the form has no field " + name);
}

Form FindForm(const std::string& page, std::string_view mark) {
  std::optional<Tag> tag;
  std::size_t at = 0;
  do {
    tag = NextTag(page, at);
    if (!tag)
      throw std::runtime_error("no form with " + std::string(mark) + " in\n" + Excerpt(page));
    at = tag->end;
  } while (tag->name != "form" || tag->text.find(mark) == std::string_view::npos);
  Form form{.action = Attribute(tag->text, "action").value_or(""),
            .method = Attribute(tag->text, "method").value_or("get"),
            .fields = {}};
  for (char& c : form.method) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  while ((tag = NextTag(page, at)) && tag->name != "/form") {
    at = tag->end;
    if (tag->name == "input") {
      AddInput(tag->text, form.fields);
    } else if (tag->name == "select") {
      AddSelect(tag->text, TextUntil(page, at, "</select>"), form.fields);
    } else if (tag->name == "textarea") {
      const std::string_view text = TextUntil(page, at, "</textarea>");
      const std::optional<std::string> name = Attribute(tag->text, "name");
      if (name) form.fields.emplace_back(*name, Decode(text));
      at += text.size();
    }
  }
  return form;
}

std::string FindAttribute(const std::string& page, std::string_view mark, std::string_view name) {
  std::size_t at = 0;
  while (const std::optional<Tag> tag = NextTag(page, at)) {
    at = tag->end;
    if (tag->text.find(mark) == std::string_view::npos) continue;
    if (const std::optional<std::string> value = Attribute(tag->text, name)) return *value;
  }
  throw std::runtime_error("no tag with " + std::string(mark) + " in\n" + Excerpt(page));
}

std::string Between(const std::string& page, std::string_view before, std::string_view after) {
  const std::size_t begin = page.find(before);
  const std::size_t end =
      begin == std::string::npos ? begin : page.find(after, begin + before.size());
  if (end == std::string::npos) {
    throw std::runtime_error("nothing between " + std::string(before) + " and " +
                             std::string(after) + " in\n" + Excerpt(page));
  }
  return page.substr(begin + before.size(), end - begin - before.size());
}

std::string UrlEncode(const Fields& fields) {
  std::string encoded;
  const auto append = [&](const std::string& text) {
    static constexpr std::string_view kDigits = "0123456789ABCDEF";
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (std::isalnum(byte) || c == '-' || c == '.' || c == '_') {
        encoded.push_back(c);
      } else if (c == ' ') {
        encoded.push_back('+');
      } else {
        encoded.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
      }
    }
  };
  for (const auto& [name, value] : fields) {
    if (!encoded.empty()) encoded.push_back('&');
    append(name);
    encoded.push_back('=');
    append(value);
  }
  return encoded;
}

}  // namespace ephpm::apps
