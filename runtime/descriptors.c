/*
 * Pipes, event counters and pairs of sockets between the threads of the program. What threads share is changed in steps of
 * one `fl_touch` each; who has to wait waits for the next change of its channel, or, in poll and select, of any of several.
 */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wasi/api.h>

FL_HOST(fl_atomic_wait) void fl_atomic_wait(const volatile void *address, const void *expected, size_t size);
int __wrap_raise(int signal);
FL_HOST(fl_atomic_notify) void fl_atomic_notify(const volatile void *address, int all);

/* Below are the standard streams and files. */
#define FL_FIRST_OF_OURS 16
#define FL_MOST_OF_OURS 48
#define FL_MOST_CHANNELS 24
#define FL_CHANNEL_SIZE 4096

/* Bytes on their way, or, of an event counter, a number. */
static struct fl_channel {
  uint32_t changes;
  int readers, writers, pollers;
  _Bool is_counter, is_semaphore;
  uint64_t count;
  size_t first, length;
  char bytes[FL_CHANNEL_SIZE];
} fl_channels[FL_MOST_CHANNELS];

static struct fl_descriptor {
  struct fl_channel *from, *to;
  _Bool is_open, is_nonblocking;
} fl_descriptors[FL_MOST_OF_OURS];

/* How often a channel has changed that somebody polls. */
static uint32_t fl_polled_changes;

static int fl_fails_with(int error) {
  errno = error;
  return -1;
}

static _Bool fl_is_ours(int file) { return file >= FL_FIRST_OF_OURS && file < FL_FIRST_OF_OURS + FL_MOST_OF_OURS; }

/* Null if it is closed. */
static struct fl_descriptor *fl_descriptor(int file) {
  struct fl_descriptor *descriptor = &fl_descriptors[file - FL_FIRST_OF_OURS];
  fl_touch(descriptor, 0);
  return descriptor->is_open ? descriptor : 0;
}

static struct fl_channel *fl_new_channel(void) {
  for (int i = 0; i < FL_MOST_CHANNELS; i++) {
    struct fl_channel *channel = &fl_channels[i];
    fl_touch(channel, 1);
    if (channel->readers || channel->writers) continue;
    uint32_t changes = channel->changes;
    memset(channel, 0, sizeof *channel);
    channel->changes = changes;
    channel->readers = channel->writers = 1;
    return channel;
  }
  fl_unsupported("more than 24 pipes, event counters and sockets at once");
}

static int fl_open(struct fl_channel *from, struct fl_channel *to, int is_nonblocking) {
  for (int i = 0; i < FL_MOST_OF_OURS; i++) {
    struct fl_descriptor *descriptor = &fl_descriptors[i];
    fl_touch(descriptor, 1);
    if (descriptor->is_open) continue;
    *descriptor = (struct fl_descriptor){from, to, 1, is_nonblocking != 0};
    fl_name_numbered(descriptor, sizeof *descriptor, "descriptor ", FL_FIRST_OF_OURS + i);
    return FL_FIRST_OF_OURS + i;
  }
  fl_unsupported("more than 48 open pipes, event counters and sockets");
}

/* The channel has changed: who waits for that looks again. */
static void fl_has_changed(struct fl_channel *channel) {
  _Bool is_polled = channel->pollers > 0;
  channel->changes++;
  fl_atomic_notify(&channel->changes, 1);
  if (!is_polled) return;
  fl_touch(&fl_polled_changes, 1);
  fl_polled_changes++;
  fl_atomic_notify(&fl_polled_changes, 1);
}

static void fl_wait_for_change(struct fl_channel *channel) {
  uint32_t seen = channel->changes;
  fl_atomic_wait(&channel->changes, &seen, sizeof seen);
}

FL_WEAK int pipe2(int files[2], int flags) {
  struct fl_channel *channel = fl_new_channel();
  int reader = fl_open(channel, 0, flags & O_NONBLOCK), writer = fl_open(0, channel, flags & O_NONBLOCK);
  fl_name_numbered(&channel->changes, sizeof channel->changes, "pipe ", reader);
  fl_write(files, 2 * sizeof *files);
  files[0] = reader;
  files[1] = writer;
  return 0;
}

FL_WEAK int pipe(int files[2]) { return pipe2(files, 0); }

FL_WEAK int socketpair(int domain, int type, int protocol, int files[2]) {
  (void)protocol;
  if (domain != AF_UNIX) return fl_fails_with(EAFNOSUPPORT);
  if ((type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != SOCK_STREAM) fl_unsupported("sockets of another type than SOCK_STREAM");
  struct fl_channel *there = fl_new_channel(), *back = fl_new_channel();
  int one = fl_open(back, there, type & SOCK_NONBLOCK), other = fl_open(there, back, type & SOCK_NONBLOCK);
  fl_name_numbered(&there->changes, sizeof there->changes, "socket ", other);
  fl_name_numbered(&back->changes, sizeof back->changes, "socket ", one);
  fl_write(files, 2 * sizeof *files);
  files[0] = one;
  files[1] = other;
  return 0;
}

FL_WEAK int eventfd(unsigned count, int flags) {
  struct fl_channel *channel = fl_new_channel();
  channel->is_counter = 1;
  channel->is_semaphore = (flags & EFD_SEMAPHORE) != 0;
  channel->count = count;
  int file = fl_open(channel, channel, flags & EFD_NONBLOCK);
  fl_name_numbered(&channel->changes, sizeof channel->changes, "event counter ", file);
  return file;
}

static _Bool fl_can_read(const struct fl_channel *channel) {
  return channel->is_counter ? channel->count > 0 : channel->length > 0 || channel->writers == 0;
}

static _Bool fl_can_write(const struct fl_channel *channel, size_t size) {
  if (channel->is_counter) return 1;
  return channel->readers == 0 || FL_CHANNEL_SIZE - channel->length >= size;
}

/* What is there, at most `size` bytes. */
static size_t fl_take_bytes(struct fl_channel *channel, char *to, size_t size) {
  size_t count = size < channel->length ? size : channel->length;
  for (size_t i = 0; i < count; i++) to[i] = channel->bytes[(channel->first + i) % FL_CHANNEL_SIZE];
  channel->first = (channel->first + count) % FL_CHANNEL_SIZE;
  channel->length -= count;
  return count;
}

static void fl_put_bytes(struct fl_channel *channel, const char *from, size_t size) {
  for (size_t i = 0; i < size; i++)
    channel->bytes[(channel->first + channel->length + i) % FL_CHANNEL_SIZE] = from[i];
  channel->length += size;
}

static ssize_t fl_read_from(int file, void *to, size_t size) {
  char taken[FL_CHANNEL_SIZE];
  struct fl_descriptor *descriptor = fl_descriptor(file);
  if (!descriptor || !descriptor->from) return fl_fails_with(EBADF);
  struct fl_channel *channel = descriptor->from;
  if (channel->is_counter && size < sizeof(uint64_t)) return fl_fails_with(EINVAL);
  for (;;) {
    fl_touch(channel, 1);
    if (fl_can_read(channel)) break;
    if (descriptor->is_nonblocking) return fl_fails_with(EAGAIN);
    fl_wait_for_change(channel);
  }
  size_t count;
  if (channel->is_counter) {
    uint64_t value = channel->is_semaphore ? 1 : channel->count;
    channel->count -= value;
    count = sizeof value;
    memcpy(taken, &value, count);
  } else
    count = fl_take_bytes(channel, taken, size);
  if (count > 0) fl_has_changed(channel);
  fl_write(to, count);
  memcpy(to, taken, count);
  return (ssize_t)count;
}

static ssize_t fl_write_to(int file, const void *from, size_t size, _Bool signals) {
  char given[FL_CHANNEL_SIZE];
  struct fl_descriptor *descriptor = fl_descriptor(file);
  if (!descriptor || !descriptor->to) return fl_fails_with(EBADF);
  struct fl_channel *channel = descriptor->to;
  if (channel->is_counter && size < sizeof(uint64_t)) return fl_fails_with(EINVAL);
  size_t count = size < FL_CHANNEL_SIZE ? size : FL_CHANNEL_SIZE;
  fl_read(from, count);
  memcpy(given, from, count);
  for (;;) {
    fl_touch(channel, 1);
    if (fl_can_write(channel, count)) break;
    if (descriptor->is_nonblocking) return fl_fails_with(EAGAIN);
    fl_wait_for_change(channel);
  }
  if (channel->is_counter) {
    uint64_t value;
    memcpy(&value, given, sizeof value);
    channel->count += value;
    fl_has_changed(channel);
    return sizeof value;
  }
  if (channel->readers == 0) {
    if (signals) __wrap_raise(SIGPIPE);
    return fl_fails_with(EPIPE);
  }
  fl_put_bytes(channel, given, count);
  fl_has_changed(channel);
  if (count == size) return (ssize_t)size;
  ssize_t rest = fl_write_to(file, (const char *)from + count, size - count, signals);
  return rest < 0 ? (ssize_t)count : (ssize_t)count + rest;
}

/* Of the standard streams and files; what is read or written of the program's memory is the rest of the step. */
static ssize_t fl_result_of(__wasi_errno_t error, size_t count) {
  return error ? fl_fails_with(error) : (ssize_t)count;
}

ssize_t __wrap_read(int file, void *to, size_t size) {
  if (fl_is_ours(file)) return fl_read_from(file, to, size);
  size_t count = 0;
  __wasi_iovec_t part = {to, size};
  __wasi_errno_t error = __wasi_fd_read(file, &part, 1, &count);
  if (count) fl_log_range(fl_site() | FL_WROTE, to, count);
  return fl_result_of(error, count);
}

ssize_t __wrap_write(int file, const void *from, size_t size) {
  if (fl_is_ours(file)) return fl_write_to(file, from, size, 1);
  size_t count = 0;
  __wasi_ciovec_t part = {from, size};
  fl_read(from, size);
  return fl_result_of(__wasi_fd_write(file, &part, 1, &count), count);
}

ssize_t __wrap_recv(int file, void *to, size_t size, int flags) {
  if (flags & ~MSG_NOSIGNAL) fl_unsupported("recv with flags");
  return fl_is_ours(file) ? fl_read_from(file, to, size) : fl_fails_with(EBADF);
}

ssize_t __wrap_send(int file, const void *from, size_t size, int flags) {
  if (flags & ~MSG_NOSIGNAL) fl_unsupported("send with flags");
  return fl_is_ours(file) ? fl_write_to(file, from, size, !(flags & MSG_NOSIGNAL)) : fl_fails_with(EBADF);
}

FL_WEAK int eventfd_read(int file, eventfd_t *value) {
  return __wrap_read(file, value, sizeof *value) == sizeof *value ? 0 : -1;
}

FL_WEAK int eventfd_write(int file, eventfd_t value) {
  return __wrap_write(file, &value, sizeof value) == sizeof value ? 0 : -1;
}

int __wrap_close(int file) {
  if (!fl_is_ours(file)) return (int)fl_result_of(__wasi_fd_close(file), 0);
  struct fl_descriptor *descriptor = &fl_descriptors[file - FL_FIRST_OF_OURS];
  fl_touch(descriptor, 1);
  if (!descriptor->is_open) return fl_fails_with(EBADF);
  struct fl_channel *from = descriptor->from, *to = descriptor->to;
  descriptor->is_open = 0;
  if (from) {
    fl_touch(from, 1);
    from->readers--;
    fl_has_changed(from);
  }
  if (to) {
    fl_touch(to, 1);
    to->writers--;
    fl_has_changed(to);
  }
  return 0;
}

/* Of a file: only whether it is there. */
static int fl_control_file(int file, int command) {
  __wasi_fdstat_t status;
  __wasi_errno_t error = __wasi_fd_fdstat_get(file, &status);
  if (error) return fl_fails_with(error);
  return command == F_GETFD || command == F_SETFD || command == F_GETFL ? 0 : fl_fails_with(EINVAL);
}

int __wrap_fcntl(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  int value = command == F_SETFL || command == F_SETFD ? va_arg(arguments, int) : 0;
  va_end(arguments);
  if (!fl_is_ours(file)) return fl_control_file(file, command);
  struct fl_descriptor *descriptor = fl_descriptor(file);
  if (!descriptor) return fl_fails_with(EBADF);
  switch (command) {
    case F_GETFD:
    case F_SETFD: return 0;
    case F_GETFL: return (descriptor->from ? descriptor->to ? O_RDWR : O_RDONLY : O_WRONLY) |
                         (descriptor->is_nonblocking ? O_NONBLOCK : 0);
    case F_SETFL:
      fl_touch(descriptor, 1);
      descriptor->is_nonblocking = (value & O_NONBLOCK) != 0;
      return 0;
    default: fl_unsupported("fcntl of a pipe with another command than F_GETFL and F_SETFL");
  }
}

/* What of it could be done at once; registers the caller with its channels, or takes it out again. */
static short fl_ready(int file, short wanted, int pollers) {
  if (file < 0) return 0;
  if (!fl_is_ours(file)) return wanted & (file == STDIN_FILENO ? POLLIN : POLLOUT);
  struct fl_descriptor *descriptor = fl_descriptor(file);
  if (!descriptor) return POLLNVAL;
  struct fl_channel *from = descriptor->from, *to = descriptor->to;
  short ready = 0;
  if (from && (wanted & POLLIN || !to)) {
    fl_touch(from, pollers != 0);
    from->pollers += pollers;
    if (fl_can_read(from)) ready |= from->is_counter || from->length > 0 ? POLLIN : 0;
    if (!from->is_counter && from->writers == 0) ready |= POLLHUP;
  }
  if (to && (wanted & POLLOUT || !from)) {
    if (to != from || !(wanted & POLLIN)) {
      fl_touch(to, pollers != 0);
      to->pollers += pollers;
    }
    if (fl_can_write(to, 1)) ready |= to->readers == 0 ? POLLERR : POLLOUT;
  }
  return ready & (wanted | POLLHUP | POLLERR);
}

static int fl_poll_once(struct pollfd *files, nfds_t count, int pollers) {
  int ready = 0;
  for (nfds_t i = 0; i < count; i++) {
    files[i].revents = fl_ready(files[i].fd, files[i].events, pollers);
    if (files[i].revents) ready++;
  }
  return ready;
}

/* Whether anything is ready in time is up to the schedule, as with all times. */
static int fl_poll(struct pollfd *files, nfds_t count, double nanoseconds, _Bool is_timed) {
  int ready = fl_poll_once(files, count, 0);
  if (ready || (is_timed && nanoseconds == 0)) return ready;
  if (is_timed) {
    fl_sleep(nanoseconds);
    return fl_poll_once(files, count, 0);
  }
  for (;;) {
    fl_touch(&fl_polled_changes, 0);
    uint32_t seen = fl_polled_changes;
    ready = fl_poll_once(files, count, 1);
    if (!ready) fl_atomic_wait(&fl_polled_changes, &seen, sizeof seen);
    fl_name_object(&fl_polled_changes, sizeof fl_polled_changes, "what is polled");
    struct pollfd other;
    for (nfds_t i = 0; i < count; i++) {
      other = files[i];
      fl_poll_once(&other, 1, -1);
    }
    if (ready) return ready;
  }
}

int __wrap_poll(struct pollfd *files, nfds_t count, int milliseconds) {
  fl_write(files, count * sizeof *files);
  return fl_poll(files, count, milliseconds * 1e6, milliseconds >= 0);
}

static short fl_wanted(int file, fd_set *in, fd_set *out) {
  return (in && FD_ISSET(file, in) ? POLLIN : 0) | (out && FD_ISSET(file, out) ? POLLOUT : 0);
}

int __wrap_select(int end, fd_set *in, fd_set *out, fd_set *errors, struct timeval *timeout) {
  struct pollfd files[FL_FIRST_OF_OURS + FL_MOST_OF_OURS];
  nfds_t count = 0;
  if (in) fl_write(in, sizeof *in);
  if (out) fl_write(out, sizeof *out);
  for (int file = 0; file < end && file < FL_FIRST_OF_OURS + FL_MOST_OF_OURS; file++) {
    short wanted = fl_wanted(file, in, out);
    if (wanted) files[count++] = (struct pollfd){file, wanted, 0};
  }
  double time = timeout ? timeout->tv_sec * 1e9 + timeout->tv_usec * 1e3 : 0;
  fl_poll(files, count, time, timeout != 0);
  if (in) FD_ZERO(in);
  if (out) FD_ZERO(out);
  if (errors) FD_ZERO(errors);
  int ready = 0;
  for (nfds_t i = 0; i < count; i++) {
    if (files[i].revents & POLLNVAL) return fl_fails_with(EBADF);
    if (files[i].events & POLLIN && files[i].revents & (POLLIN | POLLHUP)) FD_SET(files[i].fd, in), ready++;
    if (files[i].events & POLLOUT && files[i].revents & (POLLOUT | POLLERR)) FD_SET(files[i].fd, out), ready++;
  }
  return ready;
}
