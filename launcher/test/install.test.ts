import { spawnSync } from 'node:child_process'
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../paths.ts'
import { dataFolder } from './portal-process.ts'

/** Stands in for npm. Environment variables choose its behavior. */
const NPM = `#!/bin/sh
case "$1" in
  ping) [ -z "$AWAY" ] || { echo "npm error code ECONNREFUSED" >&2; exit 1; } ;;
  config) echo https://registry.example/ ;;
  install)
    [ ! -e node_modules/half ] || echo "half a package is taken for a whole one"
    case "$AWAY$*" in yes*--offline*) echo "npm error code ENOTCACHED" >&2; exit 1 ;; yes*) exit 1 ;; esac
    mkdir -p node_modules/.bin
    touch node_modules/half
    echo "npm warn EBADENGINE of no interest" >&2
    echo "npm http fetch GET 200 https://registry.example/one 5ms (cache miss)" >&2
    echo "npm http fetch GET 200 https://registry.example/one/-/one-1.0.0.tgz 5ms (cache miss)" >&2
    [ -z "$CUT" ] || { echo "npm error it broke" >&2; exit 1; }
    sleep 6
    printf '#!/bin/sh\\necho "started: $*"\\n' > node_modules/.bin/node
    chmod +x node_modules/.bin/node ;;
esac
`
const OLD_NODE = '#!/bin/sh\n[ "$1" != --version ] || { echo v18.20.8; exit; }\nexit 1\n'

/** A clone with nothing installed, in a folder with a space in its name. */
async function freshClone() {
  const folder = join(await dataFolder(), 'a clone')
  const programs = join(folder, 'programs')
  await mkdir(programs, { recursive: true })
  await copyFile(join(root, 'trunkline'), join(folder, 'trunkline'))
  const packages = { '': {}, 'node_modules/one': {}, 'node_modules/two': { os: ['plan9'] } }
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
  const add = async (name: string, text: string) => {
    await writeFile(join(programs, name), text)
    await chmod(join(programs, name), 0o755)
  }
  await add('npm', NPM)
  return {
    folder,
    add,
    run(env: Record<string, string> = {}) {
      const path = `${programs}:${process.env.PATH}`
      const { status, stdout, stderr } = spawnSync(join(folder, 'trunkline'), ['build'], {
        env: { ...process.env, ...env, PATH: path },
        encoding: 'utf8',
      })
      return { code: status, said: (stdout + stderr).trim().split('\n') }
    },
  }
}

it('a first start explains that the registry is unreachable or Node is too old', async () => {
  const clone = await freshClone()
  const { code, said } = clone.run({ AWAY: 'yes' })
  expect(code).toBe(1)
  // A slow machine also shows progress.
  expect(said.filter((line) => !/^ {2}\d+ resolved, /.test(line))).toEqual([
    expect.stringContaining('Installing packages'),
    expect.stringContaining('The registry at https://registry.example/ is unreachable (ECONNREFUSED)'),
    'npm error code ENOTCACHED',
    expect.stringContaining('Could not install the packages'),
    expect.stringContaining('npm config set registry'),
  ])
  await clone.add('node', OLD_NODE)
  expect(clone.run()).toMatchObject({
    code: 1,
    said: [expect.stringContaining('needs Node.js 20 or newer, but found v18.20.8')],
  })
})

it('a first start shows progress, starts over after an interrupted installation, and installs only once', async () => {
  const clone = await freshClone()
  const first = 'Installing packages (about a minute the first time) ...'
  expect(clone.run({ CUT: 'yes' })).toEqual({
    code: 1,
    said: [first, 'npm error it broke', expect.stringContaining('Could not install the packages')],
  })
  const { code, said } = clone.run()
  expect(code).toBe(0)
  expect(said.join('\n')).not.toContain('half a package')
  expect(said).toContainEqual(expect.stringMatching(/^ {2}1 resolved, 1 of 1 packages downloaded, \d+ s$/))
  expect(said.join('\n')).not.toContain('EBADENGINE')
  expect(said).toContainEqual(expect.stringMatching(/^started: .*main\.ts build$/))
  expect(await readFile(join(clone.folder, '.install.lock'), 'utf8')).toBe('')
  expect(clone.run().said).toEqual([expect.stringMatching(/^started: .*main\.ts build$/)])
})
