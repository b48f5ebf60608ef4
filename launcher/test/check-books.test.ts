import { expect, it } from 'vitest'
import { dataFolder, trunkline } from './portal-process.ts'

it('./trunkline check-books checks the ledger of a stopped portal', async () => {
  const data = await dataFolder()
  expect(await trunkline(['admin', 'create', 'root', '--data', data]).ended).toBe(0)
  const command = trunkline(['check-books', '--data', data])
  expect(await command.ended, command.output()).toBe(0)
  expect(command.output()).toContain('every posting sums to zero: 0 checked, 0 at fault')
  expect(command.output()).toContain('The books add up.')
})

it('./trunkline check-books does not create a database', async () => {
  const data = await dataFolder()
  const command = trunkline(['check-books', '--data', data], { env: { DATABASE_URL: '' } })
  expect(await command.ended, command.output()).toBe(1)
  expect(command.output()).toContain('There is no Trunkline database in')
})
