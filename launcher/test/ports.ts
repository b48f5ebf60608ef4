import { createServer } from 'node:net'

/** Below the ports for speech, and far below those that the system gives out: nobody is given one of these by chance. */
const FIRST = 10_000
const LAST = 19_999
const BLOCK = 100

/**
 * The ports of this process, while it lives: no other process that runs tests on this machine has them, be it of this run or of another. A
 * port that is merely free when one looks may be taken by the time it is used. A block is claimed by a name that only one process can
 * have at a time, and that the system takes back whatever way the process ends.
 */
const first = await claimBlock()
let given = 0

/** Ports in a row, with the one that is answered first. After a whole block those given out long ago come again. */
export function nextPorts(count: number): number {
  if ((given % BLOCK) + count > BLOCK) given += BLOCK - (given % BLOCK)
  const port = first + (given % BLOCK)
  given += count
  return port
}

async function claimBlock(): Promise<number> {
  const blocks = Math.floor((LAST + 1 - FIRST) / BLOCK)
  const start = Math.floor(Math.random() * blocks)
  for (let tried = 0; tried < blocks; tried++) {
    const block = FIRST + ((start + tried) % blocks) * BLOCK
    if (await claim(`\0trunkline-test-ports-${block}`)) return block
  }
  throw new Error('All ports for tests are taken.')
}

/** A socket with a name and no file, which lives in the same network as the ports do. */
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
