import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { namespacesFault } from '../../sip/test/namespaces.ts'

export type TcpOnlyNetwork = {
  /** Starts the given program inside. Use it as the browser's executable. */
  wrap(program: string): Promise<string>
  /** Makes a TCP port of this machine's loopback reachable inside, at the same port. */
  forward(port: number): Promise<void>
  close(): Promise<void>
}

const FORWARDER = `
  const { connect, createServer } = require('node:net')
  const [path, port] = process.argv.slice(1)
  const join = (socket) => {
    const other = connect(path)
    socket.on('error', () => other.destroy()).pipe(other)
    other.on('error', () => socket.destroy()).pipe(socket)
  }
  createServer(join).listen(Number(port), '127.0.0.1', () => console.log('ready'))
`

/** A network namespace with a loopback of its own and nothing else. TCP connections leave it through Unix sockets; UDP does not. */
export async function openTcpOnlyNetwork(): Promise<TcpOnlyNetwork> {
  const fault = namespacesFault()
  if (fault) throw new Error(fault)
  const folder = await mkdtemp(join(tmpdir(), 'tcp-only-'))
  const children: ChildProcess[] = []
  const servers: Server[] = []

  async function start(program: string, args: string[]): Promise<ChildProcess> {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    await once(child.stdout, 'data')
    return child
  }

  const holder = await start('unshare', ['-n', 'sh', '-c', 'ip link set lo up && echo up && exec sleep 1200'])
  const enter = ['-t', String(holder.pid), '-n']

  return {
    async wrap(program) {
      const path = join(folder, 'inside')
      await writeFile(path, `#!/bin/sh\nexec nsenter ${enter.join(' ')} ${program} "$@"\n`)
      await chmod(path, 0o755)
      return path
    },
    async forward(port) {
      const path = join(folder, `${port}.socket`)
      const server = createServer((socket) => {
        const other = connect(port, '127.0.0.1')
        socket.on('error', () => other.destroy()).pipe(other)
        other.on('error', () => socket.destroy()).pipe(socket)
      })
      servers.push(server)
      await once(server.listen(path), 'listening')
      await start('nsenter', [...enter, process.execPath, '-e', FORWARDER, path, String(port)])
    },
    async close() {
      for (const server of servers) server.close()
      for (const child of children.reverse())
        if (child.exitCode === null && child.kill()) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
