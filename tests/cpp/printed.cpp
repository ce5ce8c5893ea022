// Text that is printed is read: by an argument, as a C string, a string or by its length.
#include <cstring>
#include <iostream>
#include <string>
#include <thread>

int main(int, char **arguments) {
  auto *text = new char[16];
  auto *string = new std::string("a text that is too long to lie in its object");
  std::strcpy(text, "hello");
  std::thread other([=] { delete[] text, delete string; });
  switch (arguments[1][0]) {
  case '1':
    std::cout << text;
    break;
  case '2':
    std::cout << *string;
    break;
  case '3':
    std::cout.write(text, 3);
    break;
  }
  other.join();
}
