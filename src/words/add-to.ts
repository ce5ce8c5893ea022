/** Adds an entry to a registry, which has each name once; the function returned takes it away again. */
export function addTo<T extends { readonly name: string }>(registry: T[], entry: T): () => void {
  if (registry.some(({ name }) => name === entry.name))
    throw new RangeError(`there is a ${entry.name} already`)
  registry.push(entry)
  return () => {
    registry.splice(registry.indexOf(entry), 1)
  }
}
