import { expect, test } from 'vitest'
import type { CodeSite } from './artifact.js'
import { operationScope } from './scope.js'

const site = (kind: CodeSite['kind'], size: number, callee?: string): CodeSite => ({
  name: 'a.c:1:1',
  kind,
  size,
  offset: 0,
  function: 'main',
  ...(callee === undefined ? {} : { callee }),
})

test.each([
  [site('load', 4), []],
  [site('call', 0, 'pthread_mutex_lock'), []],
  [site('store', 8), ['accesses of 8 bytes in one step (a structure of two numbers is copied so)']],
  [site('call', 0, 'memcpy'), ['accesses of 8 bytes in one step (a structure of two numbers is copied so)']],
])('%j has the scope %j', (only, scope) => {
  expect(operationScope({ sites: [only] })).toEqual(scope)
})
