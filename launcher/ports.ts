import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { UserError } from './user-error.ts'

export function readPort(name: string, text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UserError(`The ${name} must be a number from 1 to 65535, not "${text}".`)
  return port
}

/** Rejects with the error that listening on this port would give. */
export function ensurePortIsFree(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

const RELEASE_TIMEOUT_MS = 3_000

/**
 * Returns the wanted port, or 0 (any port) if it is in use. It retries, because after a kill -9 our sandbox needs a moment
 * to release its ports.
 */
export async function portOrAny(port: number, host: string): Promise<number> {
  for (const deadline = Date.now() + RELEASE_TIMEOUT_MS; Date.now() < deadline; await pause(100)) {
    const isFree = await ensurePortIsFree(port, host).then(
      () => true,
      () => false,
    )
    if (isFree) return port
  }
  return 0
}

/**
 * Whether a switch can use this port for UDP and TCP, and the next one for TLS. It retries, because a killed switch needs a
 * moment to release its ports.
 */
export async function isSipPortFree(
  port: number,
  hosts: readonly string[],
  timeoutMs = RELEASE_TIMEOUT_MS,
): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; ; await pause(100)) {
    const tries = hosts.flatMap((host) => [
      ensurePortIsFree(port, host),
      ensurePortIsFree(port + 1, host),
      ensureUdpPortIsFree(port, host),
    ])
    const results = await Promise.allSettled(tries)
    if (results.every(({ status }) => status === 'fulfilled')) return true
    if (Date.now() >= deadline) return false
  }
}

export function ensureUdpPortIsFree(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    probe.once('error', reject)
    probe.bind(port, host, () => probe.close(() => resolve()))
  })
}
