import ts from 'typescript'

/** What a module exports, one line per export and one per member, in an order that does not depend on the source's. */
export function describeApi(program: ts.Program, file: string): string {
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)
  if (module === undefined) throw new RangeError(`${file} is no module`)
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType
  const text = (type: ts.Type) => checker.typeToString(type, undefined, flags)
  const typeOf = (symbol: ts.Symbol) => checker.getTypeOfSymbol(symbol)

  const member = (symbol: ts.Symbol) => {
    const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0
    return `  ${symbol.name}${isOptional ? '?' : ''}: ${text(typeOf(symbol))}`
  }
  const isOwn = (symbol: ts.Symbol) =>
    symbol.declarations?.some((d) => program.getSourceFile(d.getSourceFile().fileName) !== undefined) &&
    !symbol.declarations?.some((d) => d.getSourceFile().hasNoDefaultLib) &&
    (ts.getCombinedModifierFlags(symbol.declarations![0]) & ts.ModifierFlags.Private) === 0
  const members = (type: ts.Type) => checker.getPropertiesOfType(type).filter(isOwn).map(member).sort()

  const describe = (exported: ts.Symbol): string[] => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const { name } = exported
    if (symbol.flags & ts.SymbolFlags.Class) {
      const statics = typeOf(symbol)
      const made = checker
        .getSignaturesOfType(statics, ts.SignatureKind.Construct)
        .map((s) => `  new ${checker.signatureToString(s, undefined, flags)}`)
      return [`class ${name}`, ...made, ...members(checker.getDeclaredTypeOfSymbol(symbol))]
    }
    if (symbol.flags & ts.SymbolFlags.Interface) {
      return [`interface ${name}`, ...members(checker.getDeclaredTypeOfSymbol(symbol))]
    }
    if (symbol.flags & ts.SymbolFlags.TypeAlias) {
      const type = checker.getDeclaredTypeOfSymbol(symbol)
      const expanded = checker.typeToString(type, undefined, flags | ts.TypeFormatFlags.InTypeAlias)
      return [`type ${name} = ${expanded}`]
    }
    const kind = symbol.flags & ts.SymbolFlags.Function ? 'function' : 'const'
    return [`${kind} ${name}: ${text(typeOf(symbol))}`]
  }

  const all = checker
    .getExportsOfModule(module)
    .map(describe)
    .map((lines) => lines.join('\n'))
    .sort()
    .join('\n')
  // Modules as values are called by their whole paths, which are of this computer.
  return `${all.replaceAll(`${ts.sys.getCurrentDirectory()}/`, '')}\n`
}
