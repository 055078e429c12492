#include "sapi/php_pool.h"

#include <spdlog/spdlog.h>

#include <string>
#include <system_error>
#include <utility>

namespace ephpm::sapi {
namespace {

/// How long an interrupted script gets for its shutdown functions and destructors.
constexpr std::chrono::milliseconds kInterruptGrace{1000};

}  // namespace

PhpPool::PhpPool(const PhpEngine& engine, const Options& options)
    : engine_(engine), options_(options), queue_(options.queue) {
  std::lock_guard lock(mutex_);
  threads_.reserve(options.threads);
  for (std::size_t i = 0; i < options.threads; ++i) {
    threads_.push_back(StartThread(i));
    ++alive_;
  }
}

PhpPool::~PhpPool() = default;

std::unique_ptr<PhpThread> PhpPool::StartThread(std::size_t index) {
  return std::make_unique<PhpThread>(
      engine_, queue_, *this, PhpThread::Options{index, options_.stack_size, options_.threads});
}

bool PhpPool::Submit(std::shared_ptr<Exchange> exchange) {
  return queue_.Push(std::move(exchange));
}

void PhpPool::OnThreadEnded(std::size_t index, Reason reason) noexcept {
  std::string trouble;
  {
    std::lock_guard lock(mutex_);
    if (reason == Reason::kPoisoned) poisoned_.push_back(std::move(threads_[index]));
    if (reason == Reason::kQueueClosed || !Replace(index, trouble)) --alive_;
  }
  ended_.notify_all();
  if (reason == Reason::kPoisoned) {
    spdlog::error("PHP thread {} could not end its request and is replaced{}", index, trouble);
  }
}

bool PhpPool::Replace(std::size_t index, std::string& trouble) {
  try {
    threads_[index] = StartThread(index);
    return true;
  } catch (const std::system_error& error) {
    trouble = std::string(": ") + error.what();
    return false;
  }
}

bool PhpPool::Stop(std::chrono::milliseconds patience) {
  queue_.Close();
  const auto all_ended = [&] { return alive_ == 0; };
  std::unique_lock lock(mutex_);
  if (!ended_.wait_for(lock, patience, all_ended)) {
    for (const std::unique_ptr<PhpThread>& thread : threads_) {
      if (thread != nullptr) thread->Interrupt();
    }
    if (!ended_.wait_for(lock, kInterruptGrace, all_ended)) return false;
  }
  return poisoned_.empty();
}

}  // namespace ephpm::sapi
