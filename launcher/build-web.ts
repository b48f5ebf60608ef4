import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './paths.ts'
import { showProgress } from './progress.ts'
import { UserError } from './user-error.ts'

const SOURCES = ['web', 'contract', 'domain', 'package-lock.json']

/** Builds the web app if it is missing or its sources have changed. */
export async function buildWeb(): Promise<void> {
  const built = join(root, 'web/dist')
  const stamp = join(built, '.sources')
  const sources = await fingerprint()
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === sources) return
  await access(join(root, 'web'), constants.W_OK).catch(() => {
    throw new UserError(
      `The web app must be built first, but you cannot write to ${root}. Ask its owner to run: ./trunkline build`,
    )
  })
  // Built in a separate folder and then renamed, so that a running portal never serves a partial build.
  const fresh = join(root, `web/dist.${process.pid}`)
  try {
    await showProgress('Building the web app', () => runVite(fresh))
    await writeFile(join(fresh, '.sources'), sources)
    await rm(built, { recursive: true, force: true })
    await rename(fresh, built)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES)
    for (const file of await filesUnder(source)) hash.update(file).update(await readFile(join(root, file)))
  return hash.digest('hex')
}

async function filesUnder(path: string): Promise<string[]> {
  if (path.includes('.')) return [path]
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((file) => !/\/(node_modules|dist[^/]*)\//.test(file))
    .sort()
}

function runVite(outDir: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const vite = spawn(
      process.execPath,
      [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', outDir, '--logLevel', 'warn'],
      {
        cwd: join(root, 'web'),
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, NODE_ENV: 'production' },
      },
    )
    vite.once('error', reject)
    vite.once('exit', (code) =>
      code === 0
        ? resolve()
        : reject(new UserError('Could not build the web app. Fix the error above and try again.')),
    )
  })
}
