import { spawn, spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { isSwitchInstalled } from '../../launcher/install-switch.ts'
import { root } from '../../launcher/paths.ts'
import { startSwitch } from '../../launcher/switch.ts'
import { answersOptions, answersPing } from '../../launcher/switch-probe.ts'
import { nextPorts } from '../../launcher/test/ports.ts'
import { eventually } from './eventually.ts'
import { alice, allow, credentialsOf, nextPort, startHarness } from './harness.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const optionsFor = (runFolder: string, sipPort: number) => ({
  runFolder,
  id: 'launched',
  realm: 'trunkline',
  secret: 'secret',
  host: '127.0.0.1',
  sipPort,
  tlsPort: null,
  controlPort: 0,
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'switch-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A launcher in a separate process that the test can kill. */
async function launch(runFolder: string, sipPort: number, as: string[] = [], repository = root) {
  const script = join(runFolder, '..', `launch-${sipPort}.ts`)
  const module = join(repository, 'launcher/switch.ts')
  await writeFile(
    script,
    `import { startSwitch } from ${JSON.stringify(module)}
     const running = await startSwitch(${JSON.stringify(optionsFor(runFolder, sipPort))})
     process.stdout.write('ready ' + running.kamailioPid() + '\\n')
     setInterval(() => {}, 1000)`,
  )
  ends.push(() => rm(script, { force: true }))
  const [program = '', ...args] = [...as, process.execPath, script]
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  ends.push(async () => {
    child.kill('SIGKILL')
    await eventually(() => processesIn(runFolder).length === 0, 'end of Kamailio')
  })
  let output = ''
  child.stdout.on('data', (bytes) => {
    output += bytes
  })
  child.stderr.on('data', (bytes) => {
    output += bytes
  })
  const pid = await eventually(() => Number(/^ready (\d+)/m.exec(output)?.[1] ?? 0), `switch: ${output}`)
  return { child, pid, output: () => output }
}

const processesIn = (folder: string): string[] =>
  spawnSync('pgrep', ['-f', folder], { encoding: 'utf8' }).stdout.trim().split('\n').filter(Boolean)

describe('a switch', () => {
  it('is installed', () => {
    expect(isSwitchInstalled()).toBe(true)
  })

  it('ends with a killed launcher, together with rtpengine', async () => {
    const folder = await newFolder()
    const port = nextPort()
    const { child } = await launch(folder, port)
    expect(processesIn(folder).length).toBeGreaterThan(1)
    child.kill('SIGKILL')
    await eventually(() => processesIn(folder).length === 0, 'end of Kamailio')
    const mediaPort =
      /MY_MEDIA_PORT\|(\d+)/.exec(await readFile(join(folder, 'kamailio.cfg'), 'utf8'))?.[1] ?? ''
    await eventually(() => processesIn(`listen-ng=127.0.0.1:${mediaPort}`).length === 0, 'end of rtpengine')
  })

  it('runs next to another switch', async () => {
    const first = await startHarness()
    const second = await startHarness()
    ends.push(first.close, second.close)
    const [one, two] = [await first.peer(), await second.peer()]
    expect([one.all('hello').length, two.all('hello').length]).toEqual([1, 1])
    await first.close()
    await eventually(() => answersOptions('127.0.0.1', second.sipPort), 'answer of the second switch')
    expect(await answersOptions('127.0.0.1', first.sipPort)).toBe(false)
  })

  it('never shares media ports with another switch, and refuses to start when configured to', async () => {
    const [first, second] = [await startHarness(), await startHarness()]
    ends.push(first.close, second.close)
    const [one, two] = [first.running.mediaPorts, second.running.mediaPorts]
    expect(one.to < two.from || two.to < one.from).toBe(true)
    const within = { from: one.from + 500, to: one.from + 1_999 }
    const third = startSwitch({ ...optionsFor(await newFolder(), nextPort()), mediaPorts: [within] })
    await expect(third).rejects.toThrow('Another switch on this machine uses the media ports')
    await first.close()
    const rtpenginePort = nextPort()
    const replacement = await startHarness({ mediaPorts: [one], rtpenginePort })
    ends.push(replacement.close)
    expect(replacement.running.mediaPorts).toMatchObject({ from: one.from, to: one.to })
    await eventually(() => answersPing(rtpenginePort), 'rtpengine at the given port')
  })

  it('uses no port both for commands to rtpengine and for audio', async () => {
    const from = nextPorts(20)
    const mediaPorts = [{ from, to: from + 11 }]
    const within = startSwitch({
      ...optionsFor(await newFolder(), nextPort()),
      mediaPorts,
      rtpenginePort: from + 4,
    })
    await expect(within).rejects.toThrow(`must not be one of SIP_MEDIA_PORTS (${from}-${from + 11})`)
    const harness = await startHarness({ mediaPorts })
    ends.push(harness.close)
    expect(harness.running.rtpenginePort).toBe(from)
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
    await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const calls = [await phone.call('442071234567'), await phone.call('442071234568')]
    for (const call of calls) expect((await call.ended).status).toBe(200)
    for (const call of calls) await call.speech.echoes(3)
    for (const call of calls) expect((await call.hangUp()).status).toBe(200)
  })

  it('runs for an ordinary user, and drops root privileges', async () => {
    const isRoot = process.getuid?.() === 0
    const folder = await newFolder()
    const port = nextPort()
    if (isRoot) {
      await chmod(folder, 0o777)
      // An ordinary Debian user has no /usr/sbin, where Kamailio is, in PATH. The folder name contains a space.
      const nobody = [
        'env',
        'PATH=/usr/bin:/bin',
        'setpriv',
        '--reuid=65534',
        '--regid=65534',
        '--clear-groups',
      ]
      const { pid } = await launch(join(folder, 'a run'), port, nobody)
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).toBe('65534')
    }
    const own = await launch(join(folder, 'own'), nextPort())
    const status = await readFile(`/proc/${own.pid}/status`, 'utf8')
    expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.toBe('0')
    if (isRoot) await eventually(() => answersOptions('127.0.0.1', port), 'answer of the first switch')
    else expect(await answersOptions('127.0.0.1', port)).toBe(false)
  })

  it('reports its log when it cannot start', async () => {
    const port = nextPort()
    const occupant = createServer()
    await new Promise<void>((resolve) => occupant.listen(port, '127.0.0.1', resolve))
    ends.push(() => occupant.close())
    const starting = startSwitch(optionsFor(await newFolder(), port))
    await expect(starting).rejects.toThrow(/Could not start the switch: kamailio exited[\s\S]*(bind|in use)/i)
  })

  it('is restarted as soon as its log can be opened again', async () => {
    const folder = await newFolder()
    const port = nextPort()
    const { pid, output } = await launch(folder, port)
    const log = join(folder, 'kamailio.log')
    await rename(log, `${log}.old`)
    await mkdir(log)
    process.kill(pid, 'SIGKILL')
    await eventually(() => output().includes('EISDIR'), 'report of the failed start')
    await rmdir(log)
    await eventually(() => answersOptions('127.0.0.1', port), 'answer of the new Kamailio')
  })

  it('is restarted with its own routes after an upgrade has changed the files', async () => {
    const repository = await newFolder()
    for (const folder of ['launcher', 'sip'])
      await cp(join(root, folder), join(repository, folder), { recursive: true })
    await symlink(join(root, 'node_modules'), join(repository, 'node_modules'))
    const port = nextPort()
    const { pid } = await launch(await newFolder(), port, [], repository)
    await writeFile(join(repository, 'sip/route/screen.cfg'), 'routes of a newer release')
    process.kill(pid, 'SIGKILL')
    await eventually(async () => !(await answersOptions('127.0.0.1', port)), 'end of Kamailio')
    await eventually(() => answersOptions('127.0.0.1', port), 'answer of the new Kamailio')
  })

  it('is restarted when it exits', async () => {
    const harness = await startHarness()
    ends.push(harness.close)
    const before = harness.running.kamailioPid() ?? 0
    process.kill(before, 'SIGTERM')
    await eventually(() => harness.running.kamailioPid() !== before, 'new Kamailio')
    expect((await harness.peer()).all('hello')).toHaveLength(1)
  })
})
