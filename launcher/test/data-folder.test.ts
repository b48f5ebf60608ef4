import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const STARTS = 6
const ROUNDS = 20
const MODULE = JSON.stringify(fileURLToPath(new URL('../data-folder.ts', import.meta.url)))

it('locks a data folder for one of several processes that start at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'locks-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const program = join(folder, 'program.ts')
  await writeFile(
    program,
    `import { lockDataFolder } from ${MODULE}
     process.on('message', async (data) => {
       const release = await lockDataFolder(data).catch((error) => error.message)
       process.send(typeof release === 'string' ? release : 'locked')
     })
     process.send('ready')`,
  )
  const starts = Array.from({ length: STARTS }, () => fork(program))
  onTestFinished(() => {
    for (const start of starts) start.kill()
  })
  await Promise.all(starts.map((start) => once(start, 'message')))
  for (let round = 0; round < ROUNDS; round++) {
    const data = join(folder, `data-${round}`)
    const answers = starts.map(async (start) => {
      const [answer] = await once(start, 'message')
      return String(answer)
    })
    for (const start of starts) start.send(data)
    const refusals = (await Promise.all(answers)).filter((answer) => answer !== 'locked')
    expect(refusals).toHaveLength(STARTS - 1)
    for (const refusal of refusals) expect(refusal).toContain('Another Trunkline')
    expect(await readdir(data)).toEqual(['trunkline.pid'])
  }
})
