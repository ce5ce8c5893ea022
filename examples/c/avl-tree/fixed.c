// expect: verified
// The transaction looks whether somebody has the lock.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node *left, *right;
  int key, height;
};

static struct node *root;
static atomic_int is_locked;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int height(const struct node *tree) { return tree ? tree->height : 0; }

static struct node *measured(struct node *tree) {
  int left = height(tree->left), right = height(tree->right);
  tree->height = 1 + (left > right ? left : right);
  return tree;
}

static struct node *turn_left(struct node *tree) {
  struct node *top = tree->right;
  tree->right = top->left;
  top->left = measured(tree);
  return measured(top);
}

static struct node *turn_right(struct node *tree) {
  struct node *top = tree->left;
  tree->left = top->right;
  top->right = measured(tree);
  return measured(top);
}

static struct node *balanced(struct node *tree) {
  if (height(tree->right) > height(tree->left) + 1) {
    if (height(tree->right->left) > height(tree->right->right)) tree->right = turn_right(tree->right);
    return turn_left(tree);
  }
  if (height(tree->left) > height(tree->right) + 1) {
    if (height(tree->left->right) > height(tree->left->left)) tree->left = turn_left(tree->left);
    return turn_right(tree);
  }
  return measured(tree);
}

static struct node *with(struct node *tree, struct node *fresh) {
  if (!tree) return fresh;
  if (fresh->key < tree->key) tree->left = with(tree->left, fresh);
  else tree->right = with(tree->right, fresh);
  return balanced(tree);
}

static void insert(int key) {
  struct node *fresh = calloc(1, sizeof *fresh);
  fresh->key = key;
  fresh->height = 1;
  if (_xbegin() == _XBEGIN_STARTED) {
    if (atomic_load(&is_locked)) _xabort(0xff);
    root = with(root, fresh);
    _xend();
    return;
  }
  pthread_mutex_lock(&m);
  atomic_store(&is_locked, 1);
  root = with(root, fresh);
  atomic_store(&is_locked, 0);
  pthread_mutex_unlock(&m);
}

static int size(const struct node *tree, int from, int to) {
  if (!tree) return 0;
  assert(from < tree->key && tree->key < to);
  assert(abs(height(tree->left) - height(tree->right)) <= 1);
  return 1 + size(tree->left, from, tree->key) + size(tree->right, tree->key, to);
}

static void *add_two(void *arg) {
  insert(2);
  return arg;
}

static void *add_three(void *arg) {
  insert(3);
  return arg;
}

int main(void) {
  pthread_t a, b;
  insert(1);
  pthread_create(&a, NULL, add_two, NULL);
  pthread_create(&b, NULL, add_three, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(size(root, 0, 4) == 3);
}
