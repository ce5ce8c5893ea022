import { withoutLockedAssembly } from './locked-assembly.js'

/**
 * Inline assembly that headers are full of, whatever the machine: hints to the processor in loops that wait, and fences. They
 * become C that means the same, on the same line. All other assembly is refused by the compiler, with its line.
 */
const HINTS = 'pause|rep\\s*;?\\s*nop|nop|yield|isb(?:\\s+sy)?|wfe|sev'
const FENCES = 'mfence|lfence|sfence|dmb\\s+\\w+|dsb\\s+\\w+|lock;?\\s*addl\\s+\\$0\\s*,\\s*0?\\(%%?[er]sp\\)'

const IDIOM = new RegExp(
  `\\b(?:__asm__|__asm|asm)\\s*(?:(?:__volatile__|__volatile|volatile)\\s*)?` +
    `\\(\\s*"\\s*(?:(?<hint>${HINTS})|(?<fence>${FENCES}))(?:\\s|;|\\\\n|\\\\t)*"\\s*(?::[^()]*)?\\)`,
  'g',
)

/** What is instrumented is nothing a program should know of: it would ask for the sanitizer's library, or hide from it. */
const SANITIZER = /__has_feature\s*\(\s*thread_sanitizer\s*\)/g

export function withoutIdioms(text: string): string {
  const hidden = text.replace(SANITIZER, '0')
  return withoutLockedAssembly(hidden).replace(IDIOM, (...match) => {
    const groups = match.at(-1) as { hint?: string; fence?: string }
    return groups.hint === undefined
      ? '__atomic_thread_fence(__ATOMIC_SEQ_CST)'
      : '__asm__ volatile("" ::: "memory")'
  })
}
