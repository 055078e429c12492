#pragma once

#include "sapi/zend.h"

namespace ephpm::sapi {

/// The PHP functions of server.stub.php, ended by an empty entry.
const zend_function_entry* ServerFunctions();

}  // namespace ephpm::sapi
