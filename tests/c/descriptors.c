/* Pipes, event counters, pairs of sockets; waiting for several of them. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include "case.h"

static int ends[2], events, plain;

static void alone(void) {
  char text[8] = "";
  assert(pipe2(ends, O_NONBLOCK) == 0);
  assert(read(ends[0], text, 8) == -1 && errno == EAGAIN);
  assert(write(ends[1], "abc", 3) == 3 && read(ends[0], text, 2) == 2 && !strcmp(text, "ab"));
  assert(write(ends[0], "x", 1) == -1 && errno == EBADF);
  assert(fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) & ~O_NONBLOCK) == 0);
  assert(close(ends[1]) == 0 && read(ends[0], text, 8) == 1 && read(ends[0], text, 8) == 0);
  assert(close(ends[0]) == 0 && close(ends[0]) == -1 && errno == EBADF);

  eventfd_t value;
  events = eventfd(2, EFD_NONBLOCK);
  assert(eventfd_write(events, 3) == 0 && eventfd_read(events, &value) == 0 && value == 5);
  assert(eventfd_read(events, &value) == -1 && errno == EAGAIN);
  int counted = eventfd(2, EFD_SEMAPHORE);
  assert(eventfd_read(counted, &value) == 0 && value == 1);

  int pair[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  assert(send(pair[0], "to", 2, 0) == 2 && write(pair[1], "fro", 3) == 3);
  assert(recv(pair[1], text, 8, 0) == 2 && read(pair[0], text, 8) == 3 && !strncmp(text, "fro", 3));
  assert(close(pair[1]) == 0 && send(pair[0], "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
  signal(SIGPIPE, SIG_IGN);
  assert(write(pair[0], "x", 1) == -1 && errno == EPIPE);

  struct pollfd files[] = {{events, POLLIN | POLLOUT, 0}, {pair[0], POLLIN, 0}, {63, POLLIN, 0}};
  assert(poll(files, 3, 0) == 3 && files[0].revents == POLLOUT && files[2].revents == POLLNVAL);
  assert(files[1].revents & POLLHUP);
}

static void *send_byte(void *unused) {
  plain = 1;
  write(ends[1], "x", 1);
  return unused;
}
static void *send_event(void *unused) {
  eventfd_write(events, 1);
  return unused;
}

/* What was written before is seen after, and is no race. */
static void handed_over(void) {
  char byte;
  pthread_t other;
  pipe(ends);
  pthread_create(&other, NULL, send_byte, NULL);
  assert(read(ends[0], &byte, 1) == 1 && byte == 'x' && plain == 1);
  pthread_join(other, NULL);
}

/* Whichever comes first ends the wait. */
static void either(int selects) {
  pthread_t first, second;
  pipe(ends);
  events = eventfd(0, 0);
  pthread_create(&first, NULL, send_byte, NULL);
  pthread_create(&second, NULL, send_event, NULL);
  struct pollfd files[] = {{ends[0], POLLIN, 0}, {events, POLLIN, 0}};
  fd_set in;
  FD_ZERO(&in);
  FD_SET(ends[0], &in);
  FD_SET(events, &in);
  if (selects)
    assert(select(events + 1, &in, NULL, NULL, NULL) >= 1 && (FD_ISSET(ends[0], &in) || FD_ISSET(events, &in)));
  else
    assert(poll(files, 2, -1) >= 1 && (files[0].revents | files[1].revents) == POLLIN);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}
static void polled(void) { either(0); }
static void selected(void) { either(1); }

/* A wait with a time limit may end without. */
static void in_time(void) {
  pthread_t other;
  pipe(ends);
  pthread_create(&other, NULL, send_byte, NULL);
  struct pollfd file = {ends[0], POLLIN, 0};
  int ready = poll(&file, 1, 10);
  pthread_join(other, NULL);
  assert(ready == 1);
}

static void *take_byte(void *unused) {
  char byte;
  read(ends[0], &byte, 1);
  return unused;
}

/* Two wait for one byte. */
static void too_few(void) {
  pthread_t first, second;
  pipe(ends);
  pthread_create(&first, NULL, take_byte, NULL);
  pthread_create(&second, NULL, take_byte, NULL);
  write(ends[1], "x", 1);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

int main(int argc, char **argv) {
  static void (*const cases[])(void) = {alone, handed_over, polled, selected, in_time, too_few};
  choose_case(argc, argv);
  cases[CASE]();
  return 0;
}
