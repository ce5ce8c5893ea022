import { expect, it } from 'vitest'
import { parseLinkMap } from './linkmap.js'

it('reads functions, segments and variables', () => {
  const map = parseLinkMap(`    Addr      Off     Size Out     In      Symbol
       -        8       54 TYPE
       0        0        0         __stack_pointer
       -      271     5e82 CODE
       -      272        5         <internal>:(__wasm_call_ctors)
       -      277      159         user-0.o:(__main_argc_argv)
       -      277      159                 main
       -      514        c         /usr/lib/libc.a(_Exit.c.obj):(_Exit)
       -      514        c                 _Exit
       -      514        c                 _exit
       -     60f3      a5c DATA
   10000     60f4        4 .tdata
   10000     60fb        4         user-0.o:(.tdata.own)
       0     60fb        4                 own
   10a60     60f3      634 .bss
   10a60        0        8         user-0.o:(.bss.counter)
   10a60        0        8                 counter
       -     6b4f       ef CUSTOM(.debug_abbrev)
`)
  expect(map.functions).toEqual([
    { object: '<internal>', symbol: '__wasm_call_ctors' },
    { object: 'user-0.o', symbol: '__main_argc_argv' },
    { object: '/usr/lib/libc.a(_Exit.c.obj)', symbol: '_Exit' },
  ])
  expect(map.segments).toEqual([
    { name: '.tdata', address: 0x10000, size: 4 },
    { name: '.bss', address: 0x10a60, size: 0x634 },
  ])
  expect(map.variables).toEqual([
    { name: 'own', address: 0, size: 4, object: 'user-0.o', segment: '.tdata' },
    { name: 'counter', address: 0x10a60, size: 8, object: 'user-0.o', segment: '.bss' },
  ])
})
