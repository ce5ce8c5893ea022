import ts from 'typescript'

const marker = /\/[/*] mutant: (.+?)(?: \*\/|$)\s*(?:else\b\s*)?/gm

/** By name: the statement or expression that a marker stands before, the largest that begins there. */
export function markersIn(tree: ts.SourceFile): ReadonlyMap<string, ts.Node> {
  const found = new Map<string, ts.Node>()
  for (const match of tree.text.matchAll(marker)) {
    const [whole, name] = match
    if (found.has(name)) throw new Error(`${tree.fileName} has two markers "${name}"`)
    const node = largestAt(tree, match.index + whole.length)
    if (node === undefined) throw new Error(`${tree.fileName}: nothing begins behind the marker "${name}"`)
    found.set(name, node)
  }
  return found
}

function largestAt(tree: ts.SourceFile, start: number): ts.Node | undefined {
  const visit = (node: ts.Node): ts.Node | undefined => {
    if (node.pos > start || node.end <= start) return undefined
    const begins = node.getStart(tree) === start && (ts.isStatement(node) || ts.isExpression(node))
    return begins ? node : ts.forEachChild(node, visit)
  }
  return ts.forEachChild(tree, visit)
}

/** A property of a table: `lock.orders.write` is `write` in `orders` in the row `lock`. */
export function propertyAt(tree: ts.SourceFile, path: string): ts.Node | undefined {
  const [row, ...rest] = path.split('.')
  const visit = (node: ts.Node): ts.Node | undefined =>
    isProperty(node, row) ? node : ts.forEachChild(node, visit)
  return rest.reduce<ts.Node | undefined>((node, name) => node && valueIn(node, name), visit(tree))
}

function isProperty(node: ts.Node, name: string): node is ts.PropertyAssignment {
  return ts.isPropertyAssignment(node) && node.name.getText() === name
}

function valueIn(node: ts.Node, name: string): ts.Node | undefined {
  const value = ts.isPropertyAssignment(node) ? node.initializer : node
  if (!ts.isObjectLiteralExpression(value)) return undefined
  return value.properties.find((property) => isProperty(property, name))
}
