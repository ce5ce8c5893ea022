// What the library reads of a text is what was there when it was seen to read it; told by argument who reads.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

static std::string text = "12", long_text = "1234567890123456789";
static size_t end = 9;
static int flag;

// The library's functions call these as the program has compiled them: not at once.
static std::string made(const char *from) { return std::string(from) + from; }

int main(int, char **arguments) {
  int number = std::atoi(arguments[1]), seen = 0;
  if (made("a").size() != 2) return 1;
  std::thread writer([&] {
    if (number == 3) {
      std::stoul("123", &end);
    } else {
      text[0] = '3';
      long_text[0] = '3';
    }
    flag = 1;
  });
  switch (number) {
  case 1:
    seen = std::stoi(text);
    break;
  case 2:
    std::cout << text;
    break;
  case 3:
    seen = (int)end;
    break;
  case 4:
    seen = std::runtime_error(long_text).what()[0];
    break;
  }
  int after = flag;
  writer.join();
  std::printf(" %d %d", seen, after);
  std::fflush(stdout);
  return 0;
}
