import { describe, expect, it } from 'vitest'
import { dataFolder, freePort, signIn, startPortal, trunkline } from './portal-process.ts'
import { ownDatabase, settings } from './production-settings.ts'

describe('production', () => {
  it('refuses to start without the required settings, and lists all missing ones', async () => {
    const command = trunkline(['start', '--port', String(await freePort())], {
      env: { NODE_ENV: 'production' },
    })
    expect(await command.ended).toBe(1)
    for (const name of Object.keys(settings('')).slice(1))
      expect(command.output()).toContain(`${name} is missing`)
  })

  it('has no demo accounts; a command creates the first administrator', async () => {
    const env = settings(await ownDatabase({ hasTables: false }))
    const create = trunkline(['admin', 'create', 'boss', '--email', 'boss@portal.example'], { env })
    expect(await create.ended).toBe(0)
    const password = /Password \(shown only once\): (\S+)/.exec(create.output())?.[1] ?? ''
    const port = await freePort()
    const portal = await startPortal(await dataFolder(), { env: { ...env, LOG_LEVEL: 'silent' } }, port)
    const here = `http://127.0.0.1:${port}`
    expect((await signIn(here, 'boss', password)).answer.user).toMatchObject({ is_admin: true })
    expect((await signIn(here, 'admin', 'trunkline-admin')).status).toBe(401)
    expect(await (await fetch(`${here}/api/site`)).json()).toMatchObject({ demo: null })
    portal.child.kill('SIGTERM')
    expect(await portal.ended).toBe(0)
  })
})

describe('./trunkline admin create', () => {
  it.each([
    [['admin'], 'Usage: ./trunkline admin create NAME'],
    [['admin', 'create', 'not a name'], 'Usernames can have up to 64 characters'],
    [['admin', 'create', 'x', '--email', 'nowhere'], 'Please enter a valid email address'],
  ])('explains invalid arguments: %j', async (args, message) => {
    const command = trunkline(args)
    expect(await command.ended).toBe(1)
    expect(command.output()).toContain(message)
  })
})

it('./trunkline help lists the commands', async () => {
  const help = trunkline(['help'])
  expect(await help.ended).toBe(0)
  for (const command of ['start', 'test', 'admin create NAME', 'build', 'help'])
    expect(help.output()).toContain(`  ${command}`)
  expect(await trunkline(['dance']).ended).toBe(2)
})
