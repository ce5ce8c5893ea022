import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderWith } from '../cli/run.js'
import { isFull } from '../support/effort.js'

const bin = fileURLToPath(new URL('../../bin/faultline.js', import.meta.url))
const isBuilt = existsSync(new URL('../../dist/cli/main.js', import.meta.url))

/** Makes a process end where it imports binaryen. */
const hooks = `export function resolve(name, context, next) {
  if (name === 'binaryen') throw new Error('binaryen is loaded')
  return next(name, context)
}`
const asData = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
const registering = asData(
  `import { register } from 'node:module'; register(${JSON.stringify(asData(hooks))})`,
)

const c = `#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic long long count;
static jmp_buf start;
static int compare(const void *a, const void *b) {
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  return *(const int *)a - *(const int *)b;
}
static void *run(void *argument) {
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof *numbers, compare);
  char *copy = strdup("text");
  printf("%s %f %d\\n", copy, sqrt(numbers[0]) * (float)count, (int)lround(2.5));
  free(copy);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  if (setjmp(start) == 0) longjmp(start, 1);
  return pthread_join(thread, NULL);
}
`

const cxx = `#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
static std::mutex mutex;
static std::map<std::string, std::vector<double>> values;
static void add(const std::string &name) {
  std::lock_guard lock(mutex);
  if (values.count(name) > 0) throw std::runtime_error(name);
  values[name].push_back(1.5);
}
int main() {
  auto shared = std::make_shared<int>(3);
  std::thread other([shared] {
    try {
      add("one");
    } catch (const std::exception &error) {
      throw std::logic_error(error.what());
    }
  });
  add("two");
  other.join();
}
`

/** A process of its own: in one with other tests binaryen may be there already. */
function check(name: string, text: string, optimize: string): string {
  const cwd = folderWith({ [name]: text })
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      registering,
      bin,
      'check',
      name,
      `-O${optimize}`,
      '--strategy',
      'random',
      '--executions',
      '1',
    ],
    { cwd, encoding: 'utf8', env: { ...process.env, FAULTLINE_CACHE: `${cwd}/cache` } },
  )
  return stdout + stderr
}

/** Loading it takes longer than all that building a small program costs otherwise. */
describe('programs built without binaryen', () => {
  beforeEach(({ skip }) => skip(!isBuilt, 'not built: npm run build'))

  it('C', () => {
    expect(check('usual.c', c, '0')).toMatch(/^NO BUG FOUND/)
  })

  it.runIf(isFull).each([
    ['usual.c', c, '2'],
    ['usual.cpp', cxx, '0'],
    ['usual.cpp', cxx, '2'],
  ])('%s', (name, text, optimize) => {
    expect(check(name, text, optimize)).toMatch(/^NO BUG FOUND/)
  })
})
