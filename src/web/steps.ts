/** What the page's script works on: plain data in the page. What is left out is null, false or empty. */

export interface PageData {
  readonly files: readonly FileData[]
  readonly bugs: readonly BugData[]
}

export interface FileData {
  readonly file: string
  readonly path: string
  readonly lines: readonly string[]
}

export interface BugData {
  readonly threads: readonly string[]
  readonly steps: readonly StepData[]
  readonly stacks: readonly (readonly { readonly function: string; readonly location: string | null }[])[]
  /** From, to, kind. */
  readonly edges: readonly (readonly [number, number, string])[]
}

export interface StepData {
  readonly thread: number
  readonly operation: string
  readonly object?: string
  /** The object without its kind, where the operation tells that. */
  readonly brief?: string
  readonly file?: string
  readonly line?: number
  readonly location?: string
  readonly value?: string
  readonly before?: string
  readonly locks?: readonly string[]
  /** Another thread ran before: 2 if that was preempted, else 1. */
  readonly switched?: number
  readonly isPrivate?: boolean
  readonly failed?: boolean
  /** Its part in the explanation. */
  readonly role?: string
  readonly stack: number
}

/** Index of the first number of an ascending list that is not less. */
export function firstFrom(list: readonly number[], least: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle] < least) low = middle + 1
    else high = middle
  }
  return low
}

/** `write counter → 1`. */
export function stepText({ operation, object, brief = object, value, before }: StepData): string {
  const what = brief ? `${operation} ${brief}` : operation
  if (value === undefined) return what
  return before === undefined ? `${what} = ${value}` : `${what}, ${before} → ${value}`
}

type Child = Node | string | null | undefined | false

/** Makes an element; text is only ever text. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>>,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  for (const child of children) if (child) made.append(child)
  return made
}
