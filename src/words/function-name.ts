/** Names of functions that fit a line; longer ones go without what their templates are made with. */
const whole = 40

/** A name of a function as people would say it: `pool<F>::pool(int)` where the compiler says a line or more. */
export function briefFunction(name: string): string {
  // Which version of the library it is.
  const plain = name.replaceAll('std::__2::', 'std::')
  return plain.length <= whole ? plain : withoutTemplates(plain)
}

/** Without template arguments. `operator<`, `operator->` and their like are no brackets. */
function withoutTemplates(name: string): string {
  let kept = ''
  let depth = 0
  for (let i = 0; i < name.length; i++) {
    const [operator] =
      depth === 0 ? (/^\boperator(?:<=>|<<=?|>>=?|<=?|>=?|->\*?)/.exec(name.slice(i)) ?? []) : []
    if (operator !== undefined && !/\w/.test(name[i - 1] ?? '')) {
      kept += operator
      i += operator.length - 1
    } else if (name[i] === '<') depth++
    else if (name[i] === '>' && depth > 0 && name[i - 1] !== '-') depth--
    else if (depth === 0) kept += name[i]
  }
  return depth === 0 ? kept : name
}
