import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { median } from '../measure.ts'
import { askKamailio, descendsFrom, processorTime } from '../processor-time.ts'
import type { Provider } from './provider.ts'

/** Memory and CPU time of every process of the product. */
const SAMPLE_EVERY_MS = 10_000
/** Warm-up share: caches are filled by then. */
const WARM_SHARE = 0.25
/** Growth that counts as flat, because garbage collection varies. */
const FLAT_SHARE = 0.1
const FLAT_MB = 10

const POSTGRES = 'PostgreSQL, without its cache'
const KAMAILIO = 'Kamailio'
const SHARED = 'Kamailio, shared memory in use'
const HEAP = ', heap'
const PARTIES = { ours: 'this benchmark', sipp: 'SIPp', sandbox: 'sandbox' }

export type Grown = { name: string; earlyMb: number; lateMb: number; mostMb: number; isFlat: boolean }
export type Worked = { name: string; cores: number }

export function watchMemory(provider: Provider) {
  const samples = new Map<string, number[]>()
  const before = timeByParty()
  const beganAt = performance.now()
  const leaving = new AbortController()
  const sampling = keepSampling()

  function partyOf(pid: number, used: ReturnType<typeof processorTime>): string | null {
    const title = used.get(pid)?.title ?? ''
    if (pid === process.pid) return PARTIES.ours
    if (!descendsFrom(used, pid, process.pid)) return null
    const part = provider.parts.find(({ child }) => child.pid === pid)
    if (part) return part.name
    if (/\brtpengine\b/.test(title)) return 'rtpengine'
    if (/\bkamailio\b/.test(title)) return KAMAILIO
    if (/\bpostgres\b/.test(title)) return POSTGRES
    if (/^sipp /.test(title)) return PARTIES.sipp
    return title.includes('sandbox/main') ? PARTIES.sandbox : null
  }

  function timeByParty(): Map<string, number> {
    const used = processorTime()
    const sums = new Map<string, number>()
    for (const [pid, { ms }] of used) {
      const party = partyOf(pid, used)
      if (party) sums.set(party, (sums.get(party) ?? 0) + ms)
    }
    return sums
  }

  async function keepSampling(): Promise<void> {
    while (!leaving.signal.aborted) {
      await sample()
      await pause(SAMPLE_EVERY_MS, null, leaving).catch(() => {})
    }
  }

  async function sample(): Promise<void> {
    const used = processorTime()
    const sums = new Map<string, number>()
    for (const pid of used.keys()) {
      const party = partyOf(pid, used)
      if (party === null || Object.values(PARTIES).includes(party)) continue
      // Proportional set size. PostgreSQL's cache is limited by its settings and fills up.
      const field = party === POSTGRES ? 'Pss_Anon' : party === KAMAILIO ? 'Pss' : 'Rss'
      sums.set(party, (sums.get(party) ?? 0) + (await kilobytes(pid, field)))
    }
    for (const { name, metricsPort } of provider.parts) {
      const heap = metricsPort === undefined ? 0 : await heapOf(metricsPort)
      if (heap > 0) sums.set(`${name}${HEAP}`, heap / 1_024)
    }
    const shared = /"real_used":\s*(\d+)/.exec(await askKamailio(provider.switchFolder, 'core.shmmem'))?.[1]
    if (shared) sums.set(SHARED, Number(shared) / 1_024)
    for (const [party, size] of sums) samples.set(party, [...(samples.get(party) ?? []), size / 1_024])
  }

  return {
    async ended(): Promise<{ grown: Grown[]; worked: Worked[] }> {
      leaving.abort()
      await sampling
      const after = timeByParty()
      const tookMs = performance.now() - beganAt
      const worked = [...after].map(([name, ms]) => ({
        name,
        cores: (ms - (before.get(name) ?? 0)) / tookMs,
      }))
      return { grown: [...samples].map(([name, sizes]) => judge(name, sizes)), worked }
    },
  }
}

/**
 * Compares the first and last third after the warm-up. For heaps it uses the minimum, which is the size right after a garbage
 * collection.
 */
function judge(name: string, sizes: readonly number[]): Grown {
  const warm = sizes.slice(Math.floor(sizes.length * WARM_SHARE))
  const third = Math.max(1, Math.floor(warm.length / 3))
  const of = name.endsWith(HEAP) ? (all: readonly number[]) => Math.min(...all) : median
  const earlyMb = of(warm.slice(0, third))
  const lateMb = of(warm.slice(-third))
  const isFlat = lateMb - earlyMb <= Math.max(FLAT_MB, earlyMb * FLAT_SHARE)
  return { name, earlyMb, lateMb, mostMb: Math.max(...sizes), isFlat }
}

async function kilobytes(pid: number, field: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
}

/** Bytes from the process's metrics; 0 if it did not respond. */
async function heapOf(port: number): Promise<number> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`)
    .then((response) => response.text())
    .catch(() => '')
  return Number(/^nodejs_heap_size_used_bytes(?:{[^}]*})? ([\d.e+]+)/m.exec(text)?.[1] ?? 0)
}
