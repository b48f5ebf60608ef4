import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'

/** A process in a network namespace, and its output so far. */
export type Inside = { lines(): string[]; exitCode(): number | null; kill(): void; ended: Promise<void> }

export type Namespace = {
  /** Runs `ip` with these arguments. */
  ip(words: string): void
  /** Runs a TypeScript program. */
  run(source: string, environment?: Record<string, string>): Promise<Inside>
  /** Runs an installed program. */
  spawn(program: string, args: string[], environment?: Record<string, string>): Inside
}

export type Network = { near: Namespace; far: Namespace; close(): Promise<void> }

/** Returns why namespaces are unavailable, or null. */
export function namespacesFault(): string | null {
  const { status, stderr } = spawnSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up'], {
    encoding: 'utf8',
  })
  return status === 0 ? null : `network namespaces need root, unshare and ip (iproute2): ${stderr}`
}

/**
 * Two network namespaces connected by a veth pair. The host's network is not changed, and the kernel removes the namespaces with
 * their processes.
 */
export async function connectNamespaces(): Promise<Network> {
  const fault = namespacesFault()
  if (fault) throw new Error(fault)
  const folder = await mkdtemp(join(tmpdir(), 'namespaces-'))
  const children: ChildProcess[] = []
  const near = await open()
  const far = await open()
  near.namespace.ip(`link add cable type veth peer name cable netns ${far.pid}`)
  return {
    near: near.namespace,
    far: far.namespace,
    async close() {
      for (const child of children.reverse()) await end(child)
      await rm(folder, { recursive: true, force: true })
    },
  }

  async function open() {
    const holder = spawn('unshare', ['-n', 'sh', '-c', 'ip link set lo up && echo up && exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(holder)
    let isUp = false
    holder.stdout.once('data', () => {
      isUp = true
    })
    await eventually(() => isUp, 'namespace')
    const pid = holder.pid ?? 0
    const enter = ['-t', String(pid), '-n']

    function inside(program: string, args: string[], environment: Record<string, string> = {}): Inside {
      const child = spawn('nsenter', [...enter, program, ...args], {
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      children.push(child)
      let text = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (bytes) => {
          text += bytes
        })
      return {
        lines: () => text.split('\n'),
        exitCode: () => child.exitCode,
        kill: () => void child.kill('SIGTERM'),
        ended: new Promise((resolve) => void child.once('exit', () => resolve())),
      }
    }

    const namespace: Namespace = {
      ip(words) {
        const { status, stderr } = spawnSync('nsenter', [...enter, 'ip', ...words.split(' ')], {
          encoding: 'utf8',
        })
        if (status !== 0) throw new Error(`ip ${words}: ${stderr}`)
      },
      async run(source, environment) {
        const file = join(folder, `program-${children.length}.ts`)
        await writeFile(file, source)
        return inside(process.execPath, [file], environment)
      },
      spawn: inside,
    }
    return { pid, namespace }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => void child.once('exit', resolve))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await gone
  clearTimeout(late)
}
