import type binaryenApi from 'binaryen'

/** Modules in text form: smaller than what a compiler makes, and with what compilers rarely use. */

let loading: Promise<typeof binaryenApi> | undefined

export async function assemble(text: string): Promise<Uint8Array<ArrayBuffer>> {
  loading ??= import('binaryen').then((module) => module.default)
  const binaryen = await loading
  const module = binaryen.parseText(text)
  try {
    // With GC on, even plain references are written in its way.
    const { All, GC } = binaryen.Features
    module.setFeatures(/struct/.test(text) ? All : All & ~GC)
    return Uint8Array.from(module.emitBinary())
  } finally {
    module.dispose()
  }
}

/**
 * Two threads add to a counter, with a lock or without, while `_start` waits until both are done; it then traps unless
 * the sum is right. Has a start function, passive and active data, a table, and globals of all types.
 */
export function counterText({ lock = true }: { lock?: boolean } = {}): string {
  return `(module
  (type $worker (func (param i32)))
  (import "env" "memory" (memory 1 2 shared))
  (import "wasi" "thread-spawn" (func $spawn (param i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (global $number (mut i32) (i32.const 0))
  (global $wide (mut i64) (i64.const 7))
  (global $ratio (mut f64) (f64.const 0.5))
  (global $part (mut f32) (f32.const 0.25))
  (table 2 funcref)
  (elem (i32.const 1) $add)
  (data $text "done\\n")
  (data (i32.const 64) "\\50\\00\\00\\00\\05\\00\\00\\00")
  (func $prepare
    (if (i32.eqz (i32.atomic.rmw.cmpxchg (i32.const 32) (i32.const 0) (i32.const 1)))
      (then (memory.init $text (i32.const 80) (i32.const 0) (i32.const 5))))
    (data.drop $text))
  (func $lock
    (block $taken
      (loop $again
        (br_if $taken (i32.eqz (i32.atomic.rmw.xchg (i32.const 8) (i32.const 1))))
        (drop (memory.atomic.wait32 (i32.const 8) (i32.const 1) (i64.const -1)))
        (br $again))))
  (func $unlock
    (i32.atomic.store (i32.const 8) (i32.const 0))
    (drop (memory.atomic.notify (i32.const 8) (i32.const 1))))
  (func $add (type $worker) (param $by i32)
    ${lock ? '(call $lock)' : ''}
    (i32.store (i32.const 16) (i32.add (i32.load (i32.const 16)) (local.get $by)))
    ${lock ? '(call $unlock)' : ''})
  (func (export "wasi_thread_start") (param $number i32) (param $by i32)
    (global.set $number (local.get $number))
    (call_indirect (type $worker) (local.get $by) (i32.const 1))
    (if (i32.ne (global.get $number) (local.get $number)) (then (unreachable)))
    (drop (i32.atomic.rmw.add (i32.const 24) (i32.const 1)))
    (drop (memory.atomic.notify (i32.const 24) (i32.const 1))))
  (func (export "_start")
    (local $seen i32)
    (drop (call $spawn (i32.const 1)))
    (drop (call $spawn (i32.const 2)))
    (block $out
      (loop $again
        (local.set $seen (i32.atomic.load (i32.const 24)))
        (br_if $out (i32.eq (local.get $seen) (i32.const 2)))
        (drop (memory.atomic.wait32 (i32.const 24) (local.get $seen) (i64.const -1)))
        (br $again)))
    (if (i32.ne (i32.load (i32.const 16)) (i32.const 3)) (then (unreachable)))
    (drop (call $write (i32.const 1) (i32.const 64) (i32.const 1) (i32.const 40))))
  (start $prepare))`
}

/** A module with this before and inside an otherwise good `_start`. */
export function withFeature(declarations: string, code = ''): string {
  return `(module
  ${declarations}
  ${/\(memory/.test(declarations) ? '' : '(memory 1 1 shared)'}
  (func (export "_start") ${code}))`
}
