/* A cache that forgets what was not asked for the longest, with a loader that may throw. */
#ifndef LRU_CACHE_H
#define LRU_CACHE_H

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#if __cplusplus >= 201703L
#include <shared_mutex>
using lru_mutex = std::shared_mutex;
using lru_read_guard = std::shared_lock<std::shared_mutex>;
#elif __cplusplus >= 201402L
#include <shared_mutex>
using lru_mutex = std::shared_timed_mutex;
using lru_read_guard = std::shared_lock<std::shared_timed_mutex>;
#else
using lru_mutex = std::mutex;
using lru_read_guard = std::lock_guard<std::mutex>;
#endif
using lru_write_guard = std::lock_guard<lru_mutex>;

template <class Key, class Value> class LruCache {
public:
  using Loader = std::function<Value(const Key &)>;

  LruCache(std::size_t capacity, Loader loader) : capacity(capacity), loader(std::move(loader)) {}

  std::shared_ptr<const Value> get(const Key &key) {
    {
      lru_write_guard guard(lock);
      auto found = places.find(key);
      if (found != places.end()) {
        entries.splice(entries.begin(), entries, found->second);
        return found->second->second;
      }
    }
    auto loaded = std::make_shared<const Value>(loader(key));
    lru_write_guard guard(lock);
#ifndef BUG
    auto found = places.find(key); /* Another thread may have loaded it meanwhile. */
    if (found != places.end()) return found->second->second;
#endif
    entries.emplace_front(key, std::move(loaded));
    places[key] = entries.begin();
    if (entries.size() > capacity) {
      places.erase(entries.back().first);
      entries.pop_back();
    }
    return entries.front().second;
  }

  std::size_t size() const {
    lru_read_guard guard(lock);
    return entries.size();
  }

  bool holds(const Key &key) const {
    lru_read_guard guard(lock);
    return places.count(key) != 0;
  }

private:
  const std::size_t capacity;
  Loader loader;
  mutable lru_mutex lock;
  std::list<std::pair<Key, std::shared_ptr<const Value>>> entries;
  std::unordered_map<Key, typename std::list<std::pair<Key, std::shared_ptr<const Value>>>::iterator> places;
};

#endif
