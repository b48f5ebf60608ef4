import { describe, expect, it } from 'vitest'
import { alice, allow, credentialsOf, harnessForFile } from './harness.ts'

const harness = await harnessForFile()

const quick = { kind: 'echo', ringMs: 50 } as const

describe('two call controls', () => {
  it('both get every event, the first answer counts, and a list goes only to the requester', async () => {
    const carrier = await harness.carrier(quick)
    const options = { authorize: () => allow([carrier]), credentials: credentialsOf(alice) }
    const [one, two] = [await harness.peer(options), await harness.peer(options)]
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567')
    expect((await call.ended).status).toBe(200)
    const name = one.all('authorize')[0]?.call
    const ofThis = (event: { call: string }) => event.call === name
    await one.next('answered', ofThis)
    await two.next('answered', ofThis)
    two.send({ type: 'list', request: 'of two' })
    expect((await two.next('live')).calls.filter(ofThis)).toMatchObject([{ state: 'answered' }])
    await call.hangUp()
    await two.next('ended', ofThis)
    await one.next('ended', ofThis)
    expect(one.all('live')).toEqual([])
    expect(carrier.requests.filter(({ method }) => method === 'INVITE')).toHaveLength(1)
    expect([...one.all('failed'), ...two.all('failed')].filter(ofThis)).toEqual([])
  })

  it('both send credentials, and the call is authorized once', async () => {
    const carrier = await harness.carrier(quick)
    // A new user, whose credentials are not cached.
    const carol = { user: 'carol', password: 'a secret of hers' }
    const knows = credentialsOf(carol)
    const one = await harness.peer({ credentials: knows, addresses: [] })
    const two = await harness.peer({ credentials: () => 'silence' })
    const phone = await harness.phone({ account: carol })
    const call = await phone.call('442071234567')
    const { call: name } = await one.next('authorize')
    const { request, user } = await two.next('credentials')
    two.send({ type: 'credentials', request, user, ...(knows(user) ?? { md5: null, sha256: null }) })
    await two.processed()
    one.send({ ...allow([carrier]), call: name })
    expect((await call.ended).status).toBe(200)
    await call.hangUp()
    await one.next('ended', (event) => event.call === name)
    expect(one.all('authorize').map((asked) => asked.call)).toEqual([name])
  })
})
