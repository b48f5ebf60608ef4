import { userFieldNames } from '@trunkline/contract/user-fields'
import { expect, it } from 'vitest'
import { changesOf } from './changes.ts'
import type { UserRow } from './store.ts'

it.each(userFieldNames)('saves and logs a change of %s', (name) => {
  const row = { [name]: 'before' } as unknown as UserRow
  expect(changesOf(row, { id: 1, [name]: 'after' })).toEqual({
    change: { [name]: 'after' },
    before: { [name]: 'before' },
    after: { [name]: 'after' },
  })
})
