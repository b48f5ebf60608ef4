/**
 * Figures in the text format that Prometheus reads. Counting costs an addition: names and labels are put together when somebody reads.
 * A label holds what comes from a closed list, never a name, a number or an id of anybody.
 */
export type Metrics = ReturnType<typeof createMetrics>

type Kind = 'counter' | 'gauge' | 'histogram'
/** Values of the labels, in the order of their names. */
type Labels = readonly string[]
export type Sample = { labels?: Labels; value: number }
type Printed = { suffix?: string; labels: readonly (readonly [string, string])[]; value: number }
type Family = { name: string; help: string; kind: Kind; read: () => Printed[] | Promise<Printed[]> }

export type Counter = { add(by: number, ...labels: string[]): void }
export type Histogram = { observe(value: number, ...labels: string[]): void }
/** Asked whenever somebody reads. Null: not known now, and then nothing is said. */
export type Reading = () => number | Sample[] | null | Promise<number | Sample[] | null>

type Options = { name: string; help: string; labels?: readonly string[] }

const SEPARATOR = '\u0000'
const keyOf = (labels: Labels): string => (labels.length === 1 ? (labels[0] ?? '') : labels.join(SEPARATOR))

export function createMetrics() {
  const families = new Map<string, Family>()

  function register(family: Family): void {
    if (families.has(family.name)) throw new Error(`there are two metrics called ${family.name}`)
    families.set(family.name, family)
  }

  function registerReading(kind: Kind, { name, help, labels: names = [] }: Options, read: Reading): void {
    register({
      ...{ name, help, kind },
      async read() {
        const found = await read()
        const samples = typeof found === 'number' ? [{ value: found }] : (found ?? [])
        return samples.map(({ labels = [], value }) => ({ labels: paired(names, labels), value }))
      },
    })
  }

  return {
    counter({ name, help, labels: names = [] }: Options): Counter {
      const values = new Map<string, number>()
      // Without labels there is one series, which is there from the beginning.
      if (names.length === 0) values.set('', 0)
      register({
        ...{ name, help, kind: 'counter' },
        read: () =>
          [...values].map(([key, value]) => ({ labels: paired(names, key.split(SEPARATOR)), value })),
      })
      return {
        add(by, ...labels) {
          const key = keyOf(labels)
          values.set(key, (values.get(key) ?? 0) + by)
        },
      }
    },

    histogram({
      name,
      help,
      labels: names = [],
      bounds,
    }: Options & { bounds: readonly number[] }): Histogram {
      type Series = { counts: number[]; sum: number }
      const all = new Map<string, Series>()
      register({
        ...{ name, help, kind: 'histogram' },
        read: () =>
          [...all].flatMap(([key, { counts, sum }]) => {
            const labels = paired(names, key.split(SEPARATOR))
            let count = 0
            const buckets = counts.map((inBucket, index) => {
              count += inBucket
              const le = String(bounds[index] ?? '+Inf')
              return { suffix: '_bucket', labels: [...labels, ['le', le] as const], value: count }
            })
            return [
              ...buckets,
              { suffix: '_sum', labels, value: sum },
              { suffix: '_count', labels, value: count },
            ]
          }),
      })
      return {
        observe(value, ...labels) {
          const key = keyOf(labels)
          let series = all.get(key)
          if (!series) {
            series = { counts: Array(bounds.length + 1).fill(0), sum: 0 }
            all.set(key, series)
          }
          let bucket = 0
          while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++
          series.counts[bucket] = (series.counts[bucket] as number) + 1
          series.sum += value
        },
      }
    },

    gauge: (options: Options, read: Reading): void => registerReading('gauge', options, read),
    /** A counter that somebody else keeps. */
    counted: (options: Options, read: Reading): void => registerReading('counter', options, read),

    names: (): string[] => [...families.keys()],

    async text(): Promise<string> {
      const parts = await Promise.all([...families.values()].map(async (family) => write(family)))
      return parts.join('')
    },
  }
}

const paired = (names: readonly string[], values: Labels) =>
  names.map((name, index) => [name, values[index] ?? ''] as const)

async function write({ name, help, kind, read }: Family): Promise<string> {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`]
  for (const { suffix = '', labels, value } of await read()) {
    const shown = labels.map(([label, text]) => `${label}="${escaped(text)}"`).join(',')
    lines.push(`${name}${suffix}${shown && `{${shown}}`} ${value}`)
  }
  return `${lines.join('\n')}\n`
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
