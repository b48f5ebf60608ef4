import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'

/** Below the media ports and the system's ephemeral ports, so that nothing else gets one of these by chance. */
const FIRST = 10_000
const LAST = 19_999
const BLOCK = 100

/**
 * Each test process claims its own block of ports, because a port that is free when checked may be taken when it is used. The claim
 * is an abstract Unix socket: only one process can hold it, and the kernel releases it when the process ends.
 */
const first = await claimBlock()
let used = 0

/** Returns the first of `count` consecutive ports. After the end of the block it starts over. */
export function nextPorts(count: number): number {
  if ((used % BLOCK) + count > BLOCK) used += BLOCK - (used % BLOCK)
  const port = first + (used % BLOCK)
  used += count
  return port
}

async function claimBlock(): Promise<number> {
  const blocks = Math.floor((LAST + 1 - FIRST) / BLOCK)
  const start = Math.floor(Math.random() * blocks)
  const used = await usedPorts()
  for (let tried = 0; tried < blocks; tried++) {
    const block = FIRST + ((start + tried) % blocks) * BLOCK
    if (used.some((port) => port >= block && port < block + BLOCK)) continue
    if (await claim(`\0trunkline-test-ports-${block}`)) return block
  }
  throw new Error('All blocks of test ports are in use.')
}

/** Ports that other programs on this machine have open. */
async function usedPorts(): Promise<number[]> {
  const tables = ['tcp', 'tcp6', 'udp', 'udp6'].map((name) =>
    readFile(`/proc/net/${name}`, 'utf8').catch(() => ''),
  )
  return (await Promise.all(tables)).flatMap((table) =>
    [...table.matchAll(/^ *\d+: [0-9A-F]+:([0-9A-F]{4}) /gm)].map(([, port = '0']) =>
      Number.parseInt(port, 16),
    ),
  )
}

/** Abstract sockets belong to the same network namespace as the ports. */
function claim(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const claimed = createServer()
    claimed.once('error', () => resolve(false))
    claimed.listen(name, () => {
      claimed.unref()
      resolve(true)
    })
  })
}
