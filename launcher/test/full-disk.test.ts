import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const moduleOf = (name: string) => JSON.stringify(fileURLToPath(new URL(`../${name}`, import.meta.url)))

/** Runs a program with `folder` on a small disk of its own, and returns what it prints. */
async function onSmallDisk(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'full-disk-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const script = join(folder, 'program.ts')
  await writeFile(
    script,
    `import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
     const folder = ${JSON.stringify(join(folder, 'disk'))}
     function fillDisk() {
       const file = openSync(folder + '/filler', 'w')
       for (const size of [4096, 1])
         try { for (;;) writeSync(file, Buffer.alloc(size)) } catch {}
       closeSync(file)
     }
     ${program}`,
  )
  return withDisk(join(folder, 'disk'), [process.execPath, script]).output
}

/** An ordinary user needs a user namespace to mount a disk, which a chroot does not allow to root. */
function withDisk(disk: string, command: string[]): { isMounted: boolean; output: string } {
  const isRoot = process.getuid?.() === 0
  const mount =
    'disk="$1"; shift; mkdir "$disk" && mount -t tmpfs -o size=1m none "$disk" && echo && exec "$@"'
  const shell = [...(isRoot ? [] : ['unshare', '--map-root-user', '--mount']), 'sh', '-c', mount, 'sh', disk]
  const { stdout, stderr } = spawnSync('env', [...shell, ...command], { encoding: 'utf8', timeout: 30_000 })
  if (isRoot) spawnSync('umount', [disk])
  return { isMounted: stdout.startsWith('\n'), output: `${stdout}${stderr}`.trim() }
}

const probe = join(tmpdir(), `full-disk-probe-${process.pid}`)
const { isMounted } = withDisk(probe, ['true'])
rmSync(probe, { recursive: true, force: true })
/** Some containers do not allow root to mount a disk. */
const it = test.runIf(isMounted)

it('empties a log that fills the disk, without a copy', async () => {
  const output = await onSmallDisk(`
    import { rotateLog } from ${moduleOf('log-rotation.ts')}
    const log = folder + '/kamailio.log'
    writeFileSync(log, Buffer.alloc(700_000))
    fillDisk()
    await rotateLog(log, 500_000)
    console.log(statSync(log).size, readdirSync(folder).join())
  `)
  expect(output).toBe('0 filler,kamailio.log')
})

it('keeps one copy of a log that has grown too large', async () => {
  const output = await onSmallDisk(`
    import { rotateLog } from ${moduleOf('log-rotation.ts')}
    const log = folder + '/kamailio.log'
    writeFileSync(log, 'short')
    await rotateLog(log, 100)
    writeFileSync(log, Buffer.alloc(100))
    await rotateLog(log, 100)
    console.log(statSync(log).size, statSync(log + '.1').size)
  `)
  expect(output).toBe('0 100')
})

it('does not lock a data folder on a full disk', async () => {
  const output = await onSmallDisk(`
    import { lockDataFolder } from ${moduleOf('data-folder.ts')}
    fillDisk()
    console.log(await lockDataFolder(folder).catch((error) => error.code), readdirSync(folder).join())
  `)
  expect(output).toBe('ENOSPC filler')
})
