interface Library {
  readonly name: string
  readonly sources: readonly string[]
  readonly standards: readonly string[]
  readonly kinds: readonly string[]
}

interface Verdict {
  readonly error?: string
  readonly verdict?: string
  readonly bugs: readonly { readonly kind: string; readonly message: string }[]
}

export const librariesFolder: string
export const cxxStandards: readonly string[]
export const libraries: readonly Library[]
export function judge(report: Verdict, kinds?: readonly string[]): string | null
