import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { openEmptyDatabase } from '../../test/database.ts'
import { copyOutOn } from './copy-out.ts'

it('frees the connection when the reader of the rows fails', async () => {
  const { client } = await openEmptyDatabase()
  // More than all buffers hold.
  const statement = `copy (select repeat('x', 1000) from generate_series(1, 20000)) to stdout`
  const rows = await copyOutOn(client, { statement, header: '' })
  const fullDisk = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no space left')) })
  await expect(pipeline(rows, fullDisk)).rejects.toThrow('no space left')
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
