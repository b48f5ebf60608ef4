import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes of Kamailio's shared memory in use, read through its RPC FIFO. */
export async function sharedMemoryOf(runFolder: string): Promise<number> {
  // Kamailio replies to a FIFO in /tmp, whose name may contain only letters and digits.
  const name = `answer${randomBytes(8).toString('hex')}`
  const answers = join('/tmp', name)
  try {
    execFileSync('mkfifo', ['-m', '666', answers])
    // Opened for reading and writing, so that opening does not block until Kamailio writes.
    const reading = await open(answers, 'r+')
    try {
      const question = { jsonrpc: '2.0', method: 'core.shmmem', params: ['b'], reply_name: name, id: 1 }
      const commands = await open(join(runFolder, 'rpc.fifo'), 'w')
      await commands.write(`${JSON.stringify(question)}\n`)
      await commands.close()
      const { buffer, bytesRead } = await reading.read(Buffer.alloc(4096), 0, 4096, null)
      return Number(JSON.parse(buffer.toString('utf8', 0, bytesRead)).result.real_used)
    } finally {
      await reading.close()
    }
  } finally {
    await rm(answers, { force: true })
  }
}
