import { describe, expect, it } from 'vitest'
import { createPortal, type Portal, type SignedIn, signUp } from '../../../test/portal.ts'

const read = async (portal: Portal, { token }: SignedIn) =>
  (await portal.call('GET /api/user/callerid', { token })).answer

describe('a caller ID', () => {
  it('is digits, whatever was typed between them, and carries the user name', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    const bob = await signUp(portal, 'bob')
    expect(await read(portal, alice)).toEqual({ callerid: null, countrycode: '', name: '' })
    const body = { callerid: '+1 (415) 555-0100', countrycode: '' }
    const { status, answer } = await portal.call('POST /api/user/callerid', { token: alice.token, body })
    expect(status).toBe(200)
    expect(answer).toMatchObject({ callerid: '14155550100', name: 'alice' })
    const changed = { callerid: '4930123456', countrycode: '49', name: 'Front desk' }
    await portal.call('POST /api/user/callerid', { token: alice.token, body: changed })
    expect(await read(portal, alice)).toEqual(changed)
    expect((await read(portal, bob)).callerid).toBeNull()
  })

  it('has 7 to 16 digits, and belongs to whoever sends it', async () => {
    const portal = await createPortal()
    const alice = await signUp(portal, 'alice')
    const send = (body: object) => portal.call('POST /api/user/callerid', { token: alice.token, body })
    for (const callerid of ['123456', '12345678901234567', 'no number', '', null])
      expect(await send({ callerid })).toMatchObject({
        status: 400,
        message: 'Please enter a valid phone number (country code + number, 7-16 digits)',
      })
    expect((await send({ callerid: '1234567' })).status).toBe(200)
    expect((await send({ callerid: '1234567890123456' })).status).toBe(200)
    expect((await send({ callerid: '1234567', user_id: 1 })).status).toBe(400)
  })
})
