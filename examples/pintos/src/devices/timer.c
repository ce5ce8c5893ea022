/* The clock, and an alarm for those who sleep. */
#include "devices/timer.h"

#include "threads/interrupt.h"
#include "threads/synch.h"
#include "threads/thread.h"

static int64_t ticks;
static struct list sleepers;

static void timer_interrupt(struct intr_frame *frame) {
  (void)frame;
  ticks++;
#ifdef MISTAKE_handler_takes_lock
  static struct semaphore semaphore = {1, {{&semaphore.waiters.ring, &semaphore.waiters.ring}}};
  sema_down(&semaphore);
  sema_up(&semaphore);
#endif
  struct list_elem *at = list_begin(&sleepers);
  while (at != list_end(&sleepers)) {
    struct thread *sleeper = list_entry(at, struct thread, elem);
#ifdef MISTAKE_wakes_too_early
    if (sleeper->wakes_at > ticks + 1) {
#else
    if (sleeper->wakes_at > ticks) {
#endif
      at = list_next(at);
      continue;
    }
    at = list_remove(at);
    thread_unblock(sleeper);
#ifdef MISTAKE_wakes_one_sleeper
    break;
#endif
  }
  thread_tick();
  thread_give_way();
}

void timer_init(void) {
  list_init(&sleepers);
  intr_register_ext(0x20, timer_interrupt, "8254 Timer");
}

int64_t timer_ticks(void) {
  enum intr_level level = intr_disable();
  int64_t now = ticks;
  intr_set_level(level);
  return now;
}

int64_t timer_elapsed(int64_t since) { return timer_ticks() - since; }

void timer_sleep(int64_t duration) {
  if (duration <= 0) return;
  ASSERT(intr_get_level() == INTR_ON);
#if defined MISTAKE_sleepers_unguarded
  thread_current()->wakes_at = timer_ticks() + duration;
  list_push_back(&sleepers, &thread_current()->elem);
  intr_disable();
  thread_block();
  intr_enable();
#else
  intr_disable();
  thread_current()->wakes_at = ticks + duration;
  list_push_back(&sleepers, &thread_current()->elem);
#ifdef MISTAKE_enabled_before_block
  intr_enable();
  intr_disable();
#endif
  thread_block();
  intr_enable();
#endif
}
