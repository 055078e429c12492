#include "sapi/php_thread.h"

#include <unistd.h>

#include <string>
#include <system_error>

#include "sapi/guard.h"
#include "sapi/php_engine.h"
#include "sapi/request_mode.h"

namespace ephpm::sapi {

PhpThread::PhpThread(const PhpEngine& engine, RequestQueue& queue, PhpThreadObserver& observer,
                     const Options& options)
    : engine_(engine), queue_(queue), observer_(observer), options_(options) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, options_.stack_size);
  const int error = pthread_create(&thread_, &attributes, Entry, this);
  pthread_attr_destroy(&attributes);
  if (error != 0)
    throw std::system_error(error, std::generic_category(), "cannot start a PHP thread");
}

PhpThread::~PhpThread() { pthread_join(thread_, nullptr); }

void* PhpThread::Entry(void* self) {
  static_cast<PhpThread*>(self)->Main();
  return nullptr;
}

void PhpThread::Main() {
  pthread_setname_np(pthread_self(), ("php-" + std::to_string(options_.index)).c_str());
  ts_resource(0);
  ZEND_TSRMLS_CACHE_UPDATE();
  {
    std::lock_guard lock(slot_mutex_);
    slot_ = &EG(vm_interrupt);
  }
  const PhpThreadObserver::Reason reason = ServeUntilClosed();
  {
    std::lock_guard lock(slot_mutex_);
    slot_ = nullptr;
  }
  if (reason == PhpThreadObserver::Reason::kQueueClosed) ts_free_thread();
  observer_.OnThreadEnded(options_.index, reason);
  // A thread that ended would give its id to another, which the engine would then take for this one
  // and hand it the memory that cannot be trusted.
  while (reason == PhpThreadObserver::Reason::kPoisoned) ::pause();
}

PhpThreadObserver::Reason PhpThread::ServeUntilClosed() {
  RequestMode mode({engine_.environment(), queue_, options_.pool_threads, ending_});
  while (const std::shared_ptr<Exchange> exchange = queue_.Pop()) {
    if (exchange->client_gone()) continue;
    if (mode.Serve(*exchange) == ThreadState::kPoisoned) {
      return PhpThreadObserver::Reason::kPoisoned;
    }
  }
  return PhpThreadObserver::Reason::kQueueClosed;
}

void PhpThread::Interrupt() {
  ending_.store(true);
  std::lock_guard lock(slot_mutex_);
  if (slot_ != nullptr) zend_atomic_bool_store(slot_, true);
}

}  // namespace ephpm::sapi
