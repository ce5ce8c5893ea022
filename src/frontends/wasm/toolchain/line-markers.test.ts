import { expect, test } from 'vitest'
import { markedNames, relocateMarkers } from './line-markers.js'

const text = `int a;
#line 7 "there.y"
int b;
# 40 "/usr/include/gone.h" 1 3
int c;
  #  line   9 "gone.y"
#define line 9
int d;`

test('names what a source was generated from', () => {
  expect([...markedNames(text)]).toEqual(['there.y', '/usr/include/gone.h', 'gone.y'])
  expect(markedNames('#pragma once\n#include "a.h"\n')).toEqual(new Set())
})

test('leads to files that are there, or to the source itself', () => {
  const moved = relocateMarkers(text, '/user/x.c', (name) =>
    name === 'there.y' ? '/user/there.y' : undefined,
  )
  expect(moved.split('\n')).toEqual([
    'int a;',
    '#line 7 "/user/there.y"',
    'int b;',
    '#line 5 "/user/x.c"',
    'int c;',
    '#line 7 "/user/x.c"',
    '#define line 9',
    'int d;',
  ])
})
