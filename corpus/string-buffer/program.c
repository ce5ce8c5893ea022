/* Appending one buffer to another asks for its length first and copies later: the length may be stale by then. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
struct buffer {
  pthread_mutex_t lock;
  int length;
  char text[16];
};
static struct buffer source = {PTHREAD_MUTEX_INITIALIZER, 3, "abc"};
static struct buffer target = {PTHREAD_MUTEX_INITIALIZER, 1, "x"};

static int length_of(struct buffer *b) {
  pthread_mutex_lock(&b->lock);
  int length = b->length;
  pthread_mutex_unlock(&b->lock);
  return length;
}

static void copy(struct buffer *b, int length, char *to) {
  assert(length <= b->length);
  memcpy(to, b->text, length);
}

static void append(struct buffer *to, struct buffer *from) {
  pthread_mutex_lock(&to->lock);
#ifdef BUG
  int length = length_of(from); // cause
  pthread_mutex_lock(&from->lock);
#else
  pthread_mutex_lock(&from->lock);
  int length = from->length;
#endif
  copy(from, length, to->text + to->length);
  to->length += length;
  pthread_mutex_unlock(&from->lock);
  pthread_mutex_unlock(&to->lock);
}

static void *erase(void *unused) {
  pthread_mutex_lock(&source.lock);
  source.length = 0; // cause
  pthread_mutex_unlock(&source.lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  (void)length_of;
  pthread_create(&thread, 0, erase, 0);
  append(&target, &source);
  pthread_join(thread, 0);
}
