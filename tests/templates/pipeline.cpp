// A chain of std::function stages over ranges, shared through a map of vectors.
#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <ranges>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

template <class T>
class Pipeline {
 public:
  using Stage = std::function<std::optional<T>(T)>;

  Pipeline& then(Stage stage) {
    stages_.push_back(std::move(stage));
    return *this;
  }

  std::optional<T> run(T value) const {
    std::optional<T> current(std::move(value));
    for (const auto& stage : stages_) {
      if (!current) return std::nullopt;
      current = stage(std::move(*current));
    }
    return current;
  }

 private:
  std::vector<Stage> stages_;
};

static std::mutex mutex;
static std::map<std::string, std::vector<std::tuple<int, std::string>>> results;

static void work(const Pipeline<int>& pipeline, const std::string& name) {
  auto even = std::views::iota(1, 5) | std::views::filter([](int n) { return n % 2 == 0; }) |
              std::views::transform([](int n) { return n * n; });
  for (int n : even) {
    if (auto result = pipeline.run(n)) {
      std::lock_guard<std::mutex> guard(mutex);
      results[name].emplace_back(*result, std::to_string(n));
    }
  }
}

int main() {
  auto offset = std::make_shared<int>(1);
  Pipeline<int> pipeline;
  pipeline.then([offset](int n) { return std::optional<int>(n + *offset); })
      .then([](int n) { return n > 100 ? std::nullopt : std::optional<int>(n); });
  std::thread a(work, std::cref(pipeline), "a");
  std::thread b(work, std::cref(pipeline), "b");
  a.join();
  b.join();
  int sum = 0;
  for (const auto& [name, list] : results) {
    sum = std::accumulate(list.begin(), list.end(), sum, [](int s, const auto& t) { return s + std::get<0>(t); });
  }
  assert(sum == 2 * (5 + 17));
}
