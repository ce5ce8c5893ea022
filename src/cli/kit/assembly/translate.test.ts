import { describe, expect, it } from 'vitest'
import { NotUnderstood, parseAssembly } from './parse.js'
import { prototypesIn } from './prototypes.js'
import { translateAssembly } from './translate.js'

/** The statements that instructions become, in order. */
function statementsOf(text: string): string[] {
  const c = translateAssembly(text, 'a.S', { prototypes: new Map(), addresses: [], provided: new Set() })
  return c.split('\n').flatMap((line, i, lines) => (lines[i - 1]?.startsWith('#line') ? [line.trim()] : []))
}

describe('assembly in C', () => {
  it('has a statement for each instruction', () => {
    expect(statementsOf('movl 8(%ebp), %eax')).toEqual(['eax = faultline_stack_get(8 + ebp);'])
    expect(statementsOf('movl %eax, 4(%ecx,%edx,4)')).toEqual(['*(int *)(4 + ecx + edx * 4) = eax;'])
    expect(statementsOf('subl $8, %esp')).toEqual(['right = (8); left = esp; esp = left - right;'])
    expect(statementsOf('sete %al; movzbl %al, %eax')).toEqual([
      'eax = (eax & ~0xff) | (((left == right)) & 0xff);',
      'eax = (unsigned char)eax;',
    ])
    expect(statementsOf('1: jmp 1b')).toEqual(['at = 0; continue;'])
    expect(statementsOf('jnz 2f; nop; 2: ret')[0]).toBe('if (left != right) { at = 2; continue; }')
  })

  it('takes every instruction for atomic, with or without a prefix: there is one processor', () => {
    const atomics = ['xchg %eax, (%ecx)', 'xchgl (%ecx), %eax', 'lock xadd %eax, (%ecx)', 'lock; incl (%ecx)']
    for (const text of [...atomics, 'cmpxchg %edx, (%ecx)', 'lock decl 4(%ecx)'])
      expect(statementsOf(text).join(' ')).toContain('__atomic_')
    expect(statementsOf('cmpxchg %edx, (%ecx)')[0]).toMatch(/^left = right = eax; .* eax = right;$/)
  })

  it('leaves comments out and lines where they are', () => {
    const { items, exported } = parseAssembly('/* one\n two */ .global a, b\na: ret # ends\n// nothing\n')
    expect(exported).toEqual(['a', 'b'])
    expect(items.map(({ kind, line }) => `${kind} ${line}`)).toEqual(['label 3', 'instruction 3'])
  })

  it('says what it does not understand, and where', () => {
    for (const text of ['\ncpuid', '\nmovl %cr3, %eax', '\nmovl %eax', '\nrep movsb', '\n.word 1']) {
      expect(() => statementsOf(text)).toThrow(NotUnderstood)
      expect(() => statementsOf(text)).toThrow(/is not understood/)
    }
  })
})

describe('prototypes', () => {
  it('are found in headers and in definitions', () => {
    const found = prototypesIn([
      '/* int no(int); */ int fork_it();\nint fork_it(void *stack, void *(*f)(void *));\nstatic void own(void) { if (x) f(1); }\n',
      'void panic(const char *text, ...);\nvoid *\nbegin( int a )\n{\n}\nvoid leave(void) NORETURN;',
    ])
    expect(Object.fromEntries(found)).toEqual({
      fork_it: { parameters: 2, isVariadic: false, returns: true, isStatic: false },
      own: { parameters: 0, isVariadic: false, returns: false, isStatic: true },
      panic: { parameters: 1, isVariadic: true, returns: false, isStatic: false },
      begin: { parameters: 1, isVariadic: false, returns: true, isStatic: false },
      leave: { parameters: 0, isVariadic: false, returns: false, isStatic: false },
    })
  })
})
