import { nice, ticks } from 'd3-array'

type Ends = readonly [from: number, to: number]

const shareOf = (value: number, [from, to]: Ends): number =>
  from === to ? 0.5 : (value - from) / (to - from)
const between = (share: number, [from, to]: Ends): number => from * (1 - share) + to * share

type LinearOptions = {
  domain: Ends
  range: Ends
  /** Extends the domain to round values for about so many ticks. */
  nice?: number
}

/** The position of a number, like `scaleLinear` of d3-scale. */
export function scaleLinear({ domain, range, nice: count }: LinearOptions) {
  const ends: Ends = count === undefined ? domain : nice(...domain, count)
  const scale = (value: number): number => between(shareOf(value, ends), range)
  scale.ticks = (about: number): number[] => ticks(...ends, about)
  scale.invert = (position: number): number => between(shareOf(position, range), ends)
  return scale
}

type BandOptions = {
  domain: readonly string[]
  range: Ends
  /** The space beside each band, as a share of the step. */
  padding: number
}

/** Equal bands for names, like `scaleBand` of d3-scale. */
export function scaleBand({ domain, range: [from, to], padding }: BandOptions) {
  const indexes = new Map([...new Set(domain)].map((name, index) => [name, index]))
  const step = (to - from) / Math.max(1, indexes.size - padding + padding * 2)
  const start = from + (to - from - step * (indexes.size - padding)) * 0.5
  const scale = (name: string): number | undefined => {
    const index = indexes.get(name)
    return index === undefined ? undefined : start + step * index
  }
  scale.step = (): number => step
  scale.bandwidth = (): number => step * (1 - padding)
  return scale
}
