/*
 * Interrupts and blocking on one processor (include/faultline_kernel.h). A region without interrupts is an atomic section;
 * a device is a thread of its own that comes with its handler whenever no other is in a region, which is when interrupts
 * are on. bare-threads.c has the threads, and comes before this file.
 */
#include "host.h"
#include "include/faultline_kernel.h"

#include <semaphore.h>

#define FL_MOST_DEVICES 16

enum { FL_INTERRUPTS_ON, FL_INTERRUPTS_OFF, FL_IN_HANDLER };

/* Stands for the processor; never read. */
static int fl_processor;
static _Bool fl_is_processor_named;
static _Thread_local int fl_regions;
static _Thread_local _Bool fl_is_handling;

static void fl_enter_region(int region) {
  /* mutant: region begins */ fl_atomic_begin();
  if (!fl_is_processor_named) {
    fl_is_processor_named = 1;
    fl_name_object(&fl_processor, sizeof fl_processor, "the processor");
  }
  fl_region(region, &fl_processor);
}

static void fl_leave_region(void) {
  fl_region(FL_INTERRUPTS_ON, &fl_processor);
  /* mutant: region ends */ fl_atomic_end();
}

__attribute__((weak)) void faultline_disable_interrupts(void) {
  /* mutant: disable nests */ if (fl_regions++ == 0) fl_enter_region(FL_INTERRUPTS_OFF);
}

__attribute__((weak)) void faultline_enable_interrupts(void) {
  /* mutant: enable when on */
  if (fl_regions == 0) fl_interrupt_misuse("enables interrupts, which are on");
  /* mutant: enable in a handler */
  if (fl_is_handling && fl_regions == 1) fl_interrupt_misuse("enables interrupts in an interrupt handler");
  /* mutant: enable nests */ if (--fl_regions == 0) fl_leave_region();
}

__attribute__((weak)) int faultline_interrupts_are_off(void) { return fl_regions > 0; }
__attribute__((weak)) int faultline_is_in_handler(void) { return fl_is_handling; }

static struct fl_device {
  const char *name;
  void (*handler)(void *);
  void *argument;
  int times;
} fl_devices[FL_MOST_DEVICES];
static int fl_device_count;

static void *fl_run_device(void *argument) {
  struct fl_device *device = argument;
  fl_name_thread(device->name);
  for (int i = 0; i < device->times; i++) {
    fl_enter_region(FL_IN_HANDLER);
    /* mutant: handler begins */ fl_regions = 1;
    fl_is_handling = 1;
    device->handler(device->argument);
    /* mutant: return from a region */
    if (fl_regions != 1) fl_interrupt_misuse("returns from its handler in a region that has not ended");
    fl_is_handling = 0;
    /* mutant: handler ends */ fl_regions = 0;
    fl_leave_region();
  }
  return 0;
}

/* Devices are there before threads are, so that their number need not be logged. */
__attribute__((weak)) void faultline_interrupt(const char *name, void (*handler)(void *), void *argument,
                                               int times) {
  pthread_t id;
  pthread_attr_t detached;
  if (fl_device_count == FL_MOST_DEVICES) fl_unsupported("more than 16 devices");
  struct fl_device *device = &fl_devices[fl_device_count++];
  /* mutant: times */ *device = (struct fl_device){name, handler, argument, times};
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_create(&id, &detached, fl_run_device, device);
}

__attribute__((weak)) void faultline_block(void) {
  /* mutant: block in a handler */
  if (fl_is_handling) fl_interrupt_misuse("blocks in an interrupt handler");
  fl_atomic_begin();
  struct fl_bare_thread *self = fl_this_thread();
  /* mutant: blocks at once */ sem_post(&self->asleep);
  /* mutant: on while blocked */
  if (fl_regions > 0) fl_region(FL_INTERRUPTS_ON, &fl_processor);
  sem_wait(&self->wake);
  /* mutant: off again */
  if (fl_regions > 0) fl_region(FL_INTERRUPTS_OFF, &fl_processor);
  fl_atomic_end();
}

__attribute__((weak)) int faultline_unblock(int id) { return faultline_make_runnable(id); }
