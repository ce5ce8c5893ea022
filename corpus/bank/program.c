/* Transfers between accounts lock only one of them. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define N_ACC 2
typedef struct { int id; int balance; pthread_mutex_t lock; } account_t;
account_t accounts[N_ACC];
void transfer(account_t *from, account_t *to, int amount) {
  account_t *a = from->id < to->id ? from : to, *b = from->id < to->id ? to : from;
#ifdef BUG
  if (from->balance < amount) return;
  usleep(10);
  pthread_mutex_lock(&a->lock); pthread_mutex_lock(&b->lock);
#else
  pthread_mutex_lock(&a->lock); pthread_mutex_lock(&b->lock);
  if (from->balance >= amount) {
#endif
  from->balance -= amount; to->balance += amount;
#ifndef BUG
  }
#endif
  pthread_mutex_unlock(&b->lock); pthread_mutex_unlock(&a->lock);
}
void *teller(void *x) { transfer(&accounts[0], &accounts[1], 70); return NULL; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < N_ACC; i++) { accounts[i].id = i; accounts[i].balance = 100; pthread_mutex_init(&accounts[i].lock, NULL); }
  for (int i = 0; i < 2; i++) if (pthread_create(&t[i], NULL, teller, NULL) != 0) { perror("pthread_create"); exit(1); }
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  printf("final %d %d\n", accounts[0].balance, accounts[1].balance);
  assert(accounts[0].balance >= 0);
  return 0;
}
