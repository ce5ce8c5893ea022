import ts from 'typescript'

export interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}

/**
 * Where a JSON schema and a TypeScript type differ: fields that only one of them has, fields that only one of them
 * requires, kinds of values, members of enumerations. Empty when they agree.
 */
export function differences(checker: ts.TypeChecker, type: ts.Type, schema: Schema): string[] {
  const found: string[] = []
  const busy = new Set<string>()

  const resolve = (node: Schema): Schema => {
    if (node.$ref === undefined) return node
    const definition = node.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], schema)
    if (definition === undefined) throw new RangeError(`the schema has no ${node.$ref}`)
    return resolve(definition as Schema)
  }

  const visit = (of: ts.Type, unresolved: Schema, path: string): void => {
    const key = `${checker.typeToString(of)} ${JSON.stringify(unresolved).slice(0, 200)}`
    if (busy.has(key)) return
    busy.add(key)
    const node = resolve(unresolved)
    const alternatives = [...(node.oneOf ?? []), ...(node.anyOf ?? [])].map(resolve)
    const nodes = alternatives.length > 0 ? alternatives : [node]
    const [kinds, described] = [kindsOf(of), new Set(nodes.flatMap(schemaKinds))]
    for (const kind of kinds) if (!described.has(kind)) found.push(`${path}: the schema lacks ${kind}`)
    for (const kind of described) if (!kinds.has(kind)) found.push(`${path}: the type lacks ${kind}`)
    for (const part of partsOf(of)) {
      if (isArray(part)) {
        const items = nodes.find((n) => n.items)?.items
        if (items) visit(checker.getTypeArguments(part as ts.TypeReference)[0], items, `${path}[]`)
      } else if (isObject(part)) {
        const shape = nodes.find((n) => n.properties)
        // A record has fields by any name; the schema tells of those it knows.
        if (shape && checker.getIndexInfosOfType(part).length === 0) fields(part, shape, path)
      }
    }
  }

  const fields = (of: ts.Type, node: Schema, path: string): void => {
    const members = new Map(checker.getPropertiesOfType(of).map((p) => [p.name, p]))
    for (const name of Object.keys(node.properties!)) {
      if (!members.has(name)) found.push(`${path}.${name}: only the schema has it`)
    }
    for (const [name, member] of members) {
      const property = node.properties![name]
      if (property === undefined) {
        found.push(`${path}.${name}: only the type has it`)
        continue
      }
      const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0
      if (isOptional === (node.required ?? []).includes(name)) {
        found.push(`${path}.${name}: ${isOptional ? 'optional' : 'required'} in the type only`)
      }
      visit(checker.getTypeOfSymbol(member), property, `${path}.${name}`)
    }
  }

  /** What is not there is a matter of `required`. */
  const partsOf = (of: ts.Type): readonly ts.Type[] =>
    (of.isUnion() ? of.types : [of]).filter((part) => (part.flags & ts.TypeFlags.Undefined) === 0)
  const isArray = (of: ts.Type) => checker.isArrayType(of) || checker.isTupleType(of)
  const isObject = (of: ts.Type) => (of.flags & ts.TypeFlags.Object) !== 0

  const kindsOf = (of: ts.Type): Set<string> => new Set(partsOf(of).map(kindOf))
  const kindOf = (part: ts.Type): string => {
    if (part.isStringLiteral()) return JSON.stringify(part.value)
    if (part.isNumberLiteral()) return String(part.value)
    if (part.flags & ts.TypeFlags.StringLike) return 'string'
    if (part.flags & ts.TypeFlags.NumberLike) return 'number'
    if (part.flags & ts.TypeFlags.BooleanLike) return 'boolean'
    if (part.flags & ts.TypeFlags.Null) return 'null'
    return isArray(part) ? 'array' : 'object'
  }

  visit(type, schema, 'report')
  return found
}

/** What a node allows: names of types, and the values of enumerations. */
function schemaKinds(node: Schema): string[] {
  if (node.const !== undefined) return [JSON.stringify(node.const)]
  if (node.enum) return node.enum.map((value) => (value === null ? 'null' : JSON.stringify(value)))
  const types = typeof node.type === 'string' ? [node.type] : (node.type ?? ['object'])
  return types.map((type) => (type === 'integer' ? 'number' : type))
}
