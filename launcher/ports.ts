import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Fails as a later listen would, before anything else has been started. */
export function ensurePortIsFree(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

const PATIENCE_MS = 3_000

/**
 * The port wished for, or 0 (any) when somebody else has it. After a kill -9 our own stand-ins need a moment to notice and
 * let go of theirs, so this is asked more than once.
 */
export async function portOrAny(port: number, host: string): Promise<number> {
  for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt; await pause(100)) {
    const isFree = await ensurePortIsFree(port, host).then(
      () => true,
      () => false,
    )
    if (isFree) return port
  }
  return 0
}

/**
 * Whether a switch could have this port, for UDP and TCP, and the next one, for TLS. One of ours that was killed a moment ago
 * is waited for.
 */
export async function isSipPortFree(
  port: number,
  hosts: readonly string[],
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  for (const giveUpAt = Date.now() + patienceMs; ; await pause(100)) {
    const tries = hosts.flatMap((host) => [
      ensurePortIsFree(port, host),
      ensurePortIsFree(port + 1, host),
      ensureUdpPortIsFree(port, host),
    ])
    const results = await Promise.allSettled(tries)
    if (results.every(({ status }) => status === 'fulfilled')) return true
    if (Date.now() >= giveUpAt) return false
  }
}

export function ensureUdpPortIsFree(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    probe.once('error', reject)
    probe.bind(port, host, () => probe.close(() => resolve()))
  })
}
