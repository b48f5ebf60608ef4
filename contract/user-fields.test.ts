import { expect, it } from 'vitest'
import { accounts, User } from './accounts.ts'
import { AdminUser, adminUsers } from './admin-users.ts'
import { profileFieldNames, userFieldNames } from './user-fields.ts'

const parses = (schema: { safeParse: (given: unknown) => { success: boolean } }, given: unknown) =>
  schema.safeParse(given).success

it.each(userFieldNames)('%s is in both views of a user and can be edited by administrators', (name) => {
  expect(User.shape).toHaveProperty(name)
  expect(AdminUser.shape).toHaveProperty(name)
  expect(parses(adminUsers['PATCH /api/admin/user/update'].body, { id: 1, [name]: '' })).toBe(
    !['username', 'host'].includes(name),
  )
  expect(parses(adminUsers['PATCH /api/admin/user/update'].body, { id: 1, [`no_${name}`]: '' })).toBe(false)
})

it('lets customers edit the fields of their profile and no others', () => {
  const { body } = accounts['PATCH /api/user/profile']
  const isKnown = (name: string) => {
    const { error } = body.safeParse({ [name]: 1 })
    return !error?.issues.some(({ code }) => code === 'unrecognized_keys')
  }
  expect(userFieldNames.filter(isKnown)).toEqual(
    userFieldNames.filter((name) => [...profileFieldNames, 'websiteip'].includes(name)),
  )
})
