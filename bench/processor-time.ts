import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** CPU time in milliseconds, command line and parent by process ID. */
export type Used = Map<number, { ms: number; title: string; parent: number }>

export function processorTime(): Used {
  const all: Used = new Map()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      const nanoseconds = readdirSync(`/proc/${pid}/task`).map((task) =>
        Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
      )
      const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      all.set(pid, { ms: nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6, title, parent })
    } catch {
      // The process has exited.
    }
  }
  return all
}

export function descendsFrom(used: Used, pid: number, ancestor: number): boolean {
  for (let one: number | undefined = pid; one; one = used.get(one)?.parent) if (one === ancestor) return true
  return false
}

/** Calls a Kamailio RPC method. */
export async function askKamailio(runFolder: string, method: string): Promise<string> {
  // Kamailio replies to a FIFO in /tmp.
  const name = `answer-${process.pid}`
  const reply = join('/tmp', name)
  execFileSync('mkfifo', ['-m', '666', reply])
  const reader = spawn('timeout', ['3', 'cat', reply], { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  reader.stdout.on('data', (bytes) => {
    text += bytes
  })
  const question = { jsonrpc: '2.0', method, reply_name: name, id: 1 }
  writeFileSync(join(runFolder, 'rpc.fifo'), `${JSON.stringify(question)}\n`)
  await once(reader, 'exit')
  rmSync(reply)
  return text
}

/** Kamailio's description of each of its processes. */
export async function dutiesOf(runFolder: string): Promise<Map<number, string>> {
  const text = await askKamailio(runFolder, 'core.psx')
  const found = text.matchAll(/"PID":\s*(\d+),[^{}]*?"DSC":\s*"([^"]*)"/g)
  return new Map(
    [...found].map(([, pid, duty = '']) => [Number(pid), duty.replace(/ child=.*| sock=.*/g, '')]),
  )
}
