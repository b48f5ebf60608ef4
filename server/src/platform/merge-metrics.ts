/**
 * Merges the metrics of two processes by family. If both have a family, samples of the second get the label `part`, so no series
 * occurs twice.
 */
export function mergeMetrics(first: string, second: string, part: string): string {
  const families = familiesOf(first)
  for (const [name, lines] of familiesOf(second)) {
    const known = families.get(name)
    if (!known) families.set(name, lines)
    else known.push(...lines.filter((line) => !line.startsWith('#')).map((line) => labelled(line, part)))
  }
  return [...families.values()].flat().join('\n').concat('\n')
}

function familiesOf(text: string): Map<string, string[]> {
  const families = new Map<string, string[]>()
  let lines: string[] = []
  for (const line of text.split('\n')) {
    const name = /^# HELP (\S+)/.exec(line)?.[1]
    if (name) {
      lines = []
      families.set(name, lines)
    }
    if (line !== '') lines.push(line)
  }
  return families
}

/** Handles `name{a="b"} 1` and `name 1`. */
const labelled = (sample: string, part: string): string =>
  sample.replace(/^([^\s{]+)(\{)?/, (_, name, brace) =>
    brace ? `${name}{part="${part}",` : `${name}{part="${part}"}`,
  )
