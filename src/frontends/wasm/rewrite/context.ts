import type { CodeSiteKind } from '../artifact.js'
import type { Hook } from './hooks.js'

/** Functions of `runtime/fl.h` that become code where they are called. */
export const inlineFunctions = ['site', 'words', 'point', 'record'] as const
export type InlineFunction = (typeof inlineFunctions)[number]

/** What the code of all functions refers to. */
export interface Context {
  /** New index of an old function index. */
  readonly remap: (index: number) => number
  /** Name of an old function index. */
  readonly nameOf: (index: number) => string
  /** What a call to a function of that name means. */
  readonly hookOf: (name: string) => Hook
  /** Whether a call to an old function index is a preemption point of its own. */
  readonly stopsBeforeCall: (index: number) => boolean
  /** Which inline function of the runtime an old function index stands for. */
  readonly inlineOf: (index: number) => InlineFunction | undefined
  /** Old index of the function to call instead, when user code calls this one. */
  readonly replacementOf: (index: number) => number
  readonly imports: {
    readonly point: number
    readonly loop: number
    readonly grow: number
    readonly overflow: number
    readonly notify: number
    readonly wait32: number
    readonly wait64: number
  }
  readonly globals: {
    readonly stackPointer: number
    readonly log: number
    readonly shadow: number
    readonly shadowEnd: number
    readonly stackEnd: number
    readonly fuel: number
    readonly site: number
  }
  readonly flags: number
  readonly log: number
  /** The log is full when its offset has a bit at or above this one. */
  readonly logBits: number
  readonly spill: number
  /** Whether the program may throw and catch. */
  readonly hasExceptions: boolean
  /** Set when the instructions themselves are hooked, instead of the calls that clang made. */
  readonly raw: RawContext | undefined
  /** A new site at that position of the original module; its id. */
  readonly addSite: (kind: CodeSiteKind, size: number, at: number, more?: SiteExtra) => number
}

export interface RawContext {
  /** From this address on memory is not the program's; 0 when the program may have all of it. */
  readonly limit: number
  /** Where a program that has a memory of its own finds how many pages it has; 0 when it has none of its own. */
  readonly sizeAddress: number
  /** By data segment: the global that tells whether the thread has dropped it. */
  readonly dropped: ReadonlyMap<number, number>
  /** The global that is the stack pointer, or -1. */
  readonly stackPointer: number
  /** Bytes that say what part of memory was changed without being logged; `changedMask` keeps indexes in bounds. */
  readonly changed: number
  readonly changedMask: number
  /** Mutable globals of the program: like the locals, part of the state that a loop may carry on. */
  readonly globals: readonly { readonly index: number; readonly type: number }[]
}

export interface SiteExtra {
  readonly callee?: string
  /** Position where a loop ends. */
  readonly end?: number
  readonly frame?: number
  /** What is thrown out of the call may be caught in the same function. */
  readonly catches?: true
}
