import type { SourceFile } from './source-files.ts'

export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Which file imports which; imports of packages are left out. */
export function fileGraph(files: readonly SourceFile[]): Graph {
  const known = new Set(files.map(({ path }) => path))
  const fileOf = (to: string): string | undefined =>
    [to, `${to}.ts`, `${to}/index.ts`, `${to.replace(/^server\//, 'server/src/')}.ts`].find((path) =>
      known.has(path),
    )
  return new Map(
    files.map(({ path, imports }) => [
      path,
      new Set(imports.map(fileOf).filter((to): to is string => to !== undefined)),
    ]),
  )
}

/** The same graph between groups of files, for example features; files without a group are left out. */
export function groupGraph(graph: Graph, groupOf: (path: string) => string | undefined): Graph {
  const groups = new Map<string, Set<string>>()
  for (const [from, targets] of graph) {
    const group = groupOf(from)
    if (group === undefined) continue
    const known = groups.get(group) ?? new Set()
    for (const to of targets) {
      const target = groupOf(to)
      if (target !== undefined && target !== group) known.add(target)
    }
    groups.set(group, known)
  }
  return groups
}

/** Strongly connected components of more than one node, by Tarjan's algorithm. Each is a set of import cycles. */
export function cyclesIn(graph: Graph): string[][] {
  const order = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []

  function visit(node: string): number {
    const position = order.size
    order.set(node, position)
    let low = position
    stack.push(node)
    for (const next of graph.get(node) ?? [])
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, order.get(next) ?? low)
    if (low === position) {
      const component = stack.splice(stack.indexOf(node))
      if (component.length > 1 || graph.get(node)?.has(node)) cycles.push(component.toSorted())
    }
    return low
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return cycles
}
