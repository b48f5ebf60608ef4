/**
 * Metrics in the Prometheus text format. Counting is one addition; text is generated on read. Label values come from closed lists and
 * never contain names, numbers or ids.
 */
export type Metrics = ReturnType<typeof createMetrics>

type Kind = 'counter' | 'gauge' | 'histogram'
/** Label values, in the order of the label names. */
type Labels = readonly string[]
export type Sample = { labels?: Labels; value: number }
type Printed = { suffix?: string; labels: readonly (readonly [string, string])[]; value: number }
type Family<Read> = { name: string; help: string; kind: Kind; read: () => Read }

type Counter = { add(by: number, ...labels: string[]): void }
type Histogram = { observe(value: number, ...labels: string[]): void }
type Found = number | Sample[]

type Options = { name: string; help: string; labels?: readonly string[] }

const SEPARATOR = '\u0000'
const keyOf = (labels: Labels): string => (labels.length === 1 ? (labels[0] ?? '') : labels.join(SEPARATOR))

export function createMetrics() {
  const families = new Map<string, Family<Printed[]>>()
  const asked = new Map<string, Family<Promise<Printed[]>>>()

  function ensureNew(name: string): void {
    if (families.has(name) || asked.has(name)) throw new Error(`metric ${name} is defined twice`)
  }
  function register(family: Family<Printed[]>): void {
    ensureNew(family.name)
    families.set(family.name, family)
  }

  return {
    counter({ name, help, labels: names = [] }: Options): Counter {
      const values = new Map<string, number>()
      // A metric without labels has one series, which starts at 0.
      if (names.length === 0) values.set('', 0)
      register({
        name,
        help,
        kind: 'counter',
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
        name,
        help,
        kind: 'histogram',
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

    gauge({ name, help, labels = [] }: Options, read: () => Found): void {
      register({ name, help, kind: 'gauge', read: () => printed(labels, read()) })
    },
    /** A counter whose value is read on demand. */
    counted({ name, help, labels = [] }: Options, read: () => Found): void {
      register({ name, help, kind: 'counter', read: () => printed(labels, read()) })
    },
    /** A gauge with an asynchronous read. Null omits the metric. */
    asked({ name, help, labels = [] }: Options, read: () => Promise<Found | null>): void {
      ensureNew(name)
      asked.set(name, {
        name,
        help,
        kind: 'gauge',
        read: async () => printed(labels, (await read()) ?? []),
      })
    },

    /** Reads in-memory values before asynchronous ones, because queries would change the pool metrics. */
    async text(): Promise<string> {
      const parts = [...families.values()].map((family) => write(family, family.read()))
      const answers = [...asked.values()].map(async (family) => write(family, await family.read()))
      return [...parts, ...(await Promise.all(answers))].join('')
    },
  }
}

const paired = (names: readonly string[], values: Labels) =>
  names.map((name, index) => [name, values[index] ?? ''] as const)

const printed = (names: readonly string[], found: Found): Printed[] =>
  (typeof found === 'number' ? [{ value: found }] : found).map(({ labels = [], value }: Sample) => ({
    labels: paired(names, labels),
    value,
  }))

function write({ name, help, kind }: Family<unknown>, found: readonly Printed[]): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`]
  for (const { suffix = '', labels, value } of found) {
    const shown = labels.map(([label, text]) => `${label}="${escaped(text)}"`).join(',')
    lines.push(`${name}${suffix}${shown && `{${shown}}`} ${value}`)
  }
  return `${lines.join('\n')}\n`
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
