import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../paths.ts'
import { dataFolder } from './portal-process.ts'

/** Stands in for apt-get. It logs its arguments and the exit code of the start policy. */
const APT = `#!/bin/sh
echo "$@" >> "$FOLDER/asked"
case "$*" in *install*)
  "$FOLDER/policy"; echo "may start: $?" >> "$FOLDER/asked"
  [ -z "$BROKEN" ] || exit 100
  [ -z "$SLOW" ] || { touch "$FOLDER/installing"; sleep 60; } ;;
esac
`

async function fakeMachine() {
  const folder = await dataFolder()
  const programs = join(folder, 'programs')
  await mkdir(programs)
  const add = async (name: string, text: string) => {
    await writeFile(join(programs, name), text)
    await chmod(join(programs, name), 0o755)
  }
  await add('apt-get', APT)
  await add('sudo', '#!/bin/sh\n[ "$1" = -n ] && [ -n "$MAY" ] && shift && exec "$@"\n')
  const policy = join(folder, 'policy')
  return {
    policy,
    asked: async () => (await readFile(join(folder, 'asked'), 'utf8')).trim().split('\n'),
    isInstalling: () => existsSync(join(folder, 'installing')),
    install(env: Record<string, string> = {}, as?: number) {
      const script = `
        ${as ? `process.getuid = () => ${as}` : ''}
        const { installPackages } = await import(${JSON.stringify(join(root, 'launcher/debian.ts'))})
        try { await installPackages(['one', 'two'], ${JSON.stringify(policy)}) } catch (error) { console.log(error.message) }`
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        env: { ...process.env, ...env, FOLDER: folder, PATH: `${programs}:${process.env.PATH}` },
        // Its own process group, because a terminal sends Ctrl-C to the whole group.
        detached: true,
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
      const ended = new Promise<string>((resolve) => child.once('close', () => resolve(said)))
      return { ended, interrupt: () => process.kill(-(child.pid ?? 0), 'SIGINT') }
    },
  }
}

const INSTALL = '-q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends one two'

it('installs all packages at once without starting their services, as root and through sudo', async () => {
  for (const [env, as] of [[{}], [{ MAY: 'yes' }, 1000]] as const) {
    const machine = await fakeMachine()
    expect(await machine.install(env, as).ended).toBe('Installing one two ...\n')
    expect(await machine.asked()).toEqual(['-q update', INSTALL, 'may start: 101'])
    expect(existsSync(machine.policy)).toBe(false)
  }
})

it('keeps an existing start policy', async () => {
  const machine = await fakeMachine()
  await writeFile(machine.policy, '#!/bin/sh\nexit 7\n', { mode: 0o755 })
  await machine.install().ended
  expect(await machine.asked()).toContain('may start: 7')
  expect(existsSync(machine.policy)).toBe(true)
})

it('says which command to run when it lacks root, and names the packages that failed', async () => {
  const machine = await fakeMachine()
  expect(await machine.install({}, 1000).ended).toBe(
    'Installing packages needs root. Run "sudo apt-get install one two", then try again.\n',
  )
  expect(await machine.install({ BROKEN: 'yes' }).ended).toContain(
    'Could not install the packages one two. Fix the error above and try again.\n',
  )
  expect(existsSync(machine.policy)).toBe(false)
})

it('removes its start policy when the installation is interrupted', async () => {
  const machine = await fakeMachine()
  const { ended, interrupt } = machine.install({ SLOW: 'yes' })
  await expect.poll(machine.isInstalling, { timeout: 30_000 }).toBe(true)
  expect(existsSync(machine.policy)).toBe(true)
  interrupt()
  await ended
  await expect.poll(() => existsSync(machine.policy), { timeout: 30_000 }).toBe(false)
})
