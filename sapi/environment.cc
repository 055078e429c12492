#include "sapi/environment.h"

#include <unistd.h>

#include <cstring>

namespace ephpm::sapi {

Environment::Environment() {
  variables_ = static_cast<HashTable*>(pemalloc(sizeof(HashTable), 1));
  zend_hash_init(variables_, 0, nullptr, nullptr, 1);
  // Permanent strings are shared by all threads and never freed before the engine ends.
  zend_interned_strings_switch_storage(0);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const char* equals = std::strchr(*entry, '=');
    if (equals == nullptr || equals == *entry) continue;
    zend_string* name =
        zend_string_init_interned(*entry, static_cast<std::size_t>(equals - *entry), true);
    zval value;
    ZVAL_INTERNED_STR(&value, zend_string_init_interned(equals + 1, std::strlen(equals + 1), true));
    zend_hash_update(variables_, name, &value);
  }
  zend_interned_strings_switch_storage(1);
}

Environment::~Environment() {
  zend_hash_destroy(variables_);
  pefree(variables_, 1);
}

void Environment::AddTo(HashTable* array) const {
  zend_string* name;
  zval* value;
  ZEND_HASH_FOREACH_STR_KEY_VAL(variables_, name, value) { zend_hash_update(array, name, value); }
  ZEND_HASH_FOREACH_END();
}

}  // namespace ephpm::sapi
