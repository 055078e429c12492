#include "sapi/http_head.h"

#include <algorithm>

namespace ephpm::sapi {
namespace {

char LowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

}  // namespace

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return LowerAscii(x) == LowerAscii(y); });
}

void HeaderList::Add(std::string_view name, std::string_view value) {
  const Field field{static_cast<std::uint32_t>(bytes_.size()),
                    static_cast<std::uint32_t>(name.size()),
                    static_cast<std::uint32_t>(value.size())};
  bytes_.append(name).append(value);
  fields_.push_back(field);
}

void HeaderList::Remove(std::string_view name) {
  // The bytes stay behind in bytes_: a list is short-lived, compacting it is not worth the copy.
  std::erase_if(fields_, [&](const Field& field) {
    return EqualsIgnoringCase(std::string_view(bytes_).substr(field.offset, field.name_size), name);
  });
}

void HeaderList::Clear() {
  bytes_.clear();
  fields_.clear();
}

HeaderView HeaderList::operator[](std::size_t index) const {
  const Field& field = fields_[index];
  const std::string_view bytes = bytes_;
  return {bytes.substr(field.offset, field.name_size),
          bytes.substr(field.offset + field.name_size, field.value_size)};
}

std::size_t HeaderList::FirstIndexOf(std::string_view name) const {
  std::size_t index = 0;
  while (index < fields_.size() && !EqualsIgnoringCase((*this)[index].name, name)) ++index;
  return index;
}

std::string_view HeaderList::Find(std::string_view name) const {
  const std::size_t index = FirstIndexOf(name);
  return index < fields_.size() ? (*this)[index].value : std::string_view();
}

}  // namespace ephpm::sapi
