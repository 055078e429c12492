#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ephpm::apps {

/// Names and values of a form, in its order.
using Fields = std::vector<std::pair<std::string, std::string>>;

/// A form as a browser would send it if nobody typed anything. Value type.
struct Form {
  std::string action;  ///< as the page says; empty: the page itself
  std::string method;  ///< "GET" or "POST"
  Fields fields;       ///< without buttons and files

  /// Types `value` into the field called `name`, which may also be a new one (such as a button).
  void Set(const std::string& name, const std::string& value);
  /// What stands in the field called `name`. Throws std::runtime_error if the form has none.
  const std::string& Get(const std::string& name) const;
};

/// The form in `page` whose opening tag contains `mark`. Throws std::runtime_error if there is
/// none.
Form FindForm(const std::string& page, std::string_view mark);

/// The value of attribute `name` of the first tag in `page` that contains `mark`, with its entities
/// decoded. Throws std::runtime_error if there is no such tag.
std::string FindAttribute(const std::string& page, std::string_view mark, std::string_view name);

/// The text of `page` between `before` and the `after` that follows it. Throws std::runtime_error
/// if they are not there.
std::string Between(const std::string& page, std::string_view before, std::string_view after);

/// "a=1&b=x+y", with everything but letters, digits and "-._" escaped.
std::string UrlEncode(const Fields& fields);

}  // namespace ephpm::apps
