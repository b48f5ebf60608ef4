import { setTimeout as pause } from 'node:timers/promises'
import type { AddressState } from '@trunkline/contract/trusted-addresses'
import { describe, expect, it } from 'vitest'
import { challengeOf, digestFor } from '../digest.ts'
import { flood } from '../flood.ts'
import { providerForFile } from './for-file.ts'
import { type Customer, LONDON, until } from './provider.ts'

const provider = await providerForFile()

async function answering() {
  const carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 20 })
  await provider.newTrunk(carrier)
  return carrier
}

/** Two customers, of whom the first has this address, and a carrier that answers. */
async function customersAt(address: string, state: AddressState) {
  await answering()
  const customers = [await provider.newCustomer(), await provider.newCustomer()] as const
  await provider.setAddress(customers[0], address, state)
  await provider.settle()
  return customers
}

/** A PBX without a SIP password. */
const exchangeAt = (from: string) => provider.harness.phone({ from })
const phoneAt = (from: string, { account }: Customer) => provider.harness.phone({ from, account })

async function callFrom(phone: Awaited<ReturnType<typeof exchangeAt>>): Promise<number | undefined> {
  const call = await phone.call(LONDON)
  const { status } = await call.ended
  if (status === 200) await call.hangUp()
  return status
}

describe('a claimed but unproven address', () => {
  it('needs a password, and calls from it are not attributed to the account that claimed it', async () => {
    const [thief, owner] = await customersAt('127.0.1.1', 'pending')
    expect(await callFrom(await exchangeAt('127.0.1.1'))).toBe(407)
    expect(await callFrom(await phoneAt('127.0.1.1', owner))).toBe(200)
    expect(await provider.cdrOf(owner.id)).toMatchObject({ source_address: '127.0.1.1', status: 'completed' })
    expect(await provider.cdrs(thief.id)).toEqual([])
  })

  it('has the rate limit of an unknown address', async () => {
    const thief = await provider.newCustomer()
    await provider.setAddress(thief, '127.0.1.2', 'pending')
    await provider.settle()
    const flooder = await exchangeAt('127.0.1.2')
    flood(flooder, 0, 400)
    await pause(500)
    expect(flooder.messages.length).toBeLessThan(300)
  })

  it.each([
    ['REGISTER', '127.0.1.3'],
    ['call', '127.0.1.4'],
  ])('is proven by one %s with the SIP password of the account', async (method, address) => {
    const [customer] = await customersAt(address, 'pending')
    const exchange = await exchangeAt(address)
    expect(await callFrom(exchange)).toBe(407)
    const phone = await phoneAt(address, customer)
    if (method === 'REGISTER') expect((await phone.register()).status).toBe(200)
    else expect(await callFrom(phone)).toBe(200)
    await until(async () => (await provider.addressStates(address)).includes('proven'), 'proof')
    await provider.settle()
    expect(await callFrom(exchange)).toBe(200)
    expect(await provider.alerts()).toContainEqual(
      expect.objectContaining({ kind: 'address_trusted', user_id: customer.id }),
    )
  })

  it('is not proven by a wrong password, nor by the password of another account', async () => {
    const [thief, owner] = await customersAt('127.0.1.5', 'pending')
    const guesser = await provider.harness.phone({
      from: '127.0.1.5',
      account: { user: thief.username, password: 'guessed' },
    })
    expect(await callFrom(guesser)).toBe(403)
    expect((await (await phoneAt('127.0.1.5', owner)).register()).status).toBe(200)
    expect(await callFrom(await phoneAt('127.0.1.5', owner))).toBe(200)
    await provider.settle()
    expect(await provider.addressStates('127.0.1.5')).toEqual(['pending'])
  })
})

describe('a trusted address', () => {
  it('yields to valid credentials of another account', async () => {
    const [thief, victim] = await customersAt('127.0.1.6', 'proven')
    const phone = await phoneAt('127.0.1.6', victim)
    expect((await phone.register()).status).toBe(200)
    expect(await callFrom(phone)).toBe(200)
    expect(await provider.cdrOf(victim.id)).toMatchObject({ sip_account: victim.username })
    expect(await provider.cdrs(thief.id)).toEqual([])
    // Two accounts have authenticated from this address, so it no longer identifies the caller.
    expect(await callFrom(await exchangeAt('127.0.1.6'))).toBe(407)
  })

  it('is ignored when a call carries credentials: valid ones are used, wrong ones are refused', async () => {
    const [customer, other] = await customersAt('127.0.1.7', 'approved')
    const exchange = await exchangeAt('127.0.1.7')
    expect(await callWithCredentials(exchange, { user: other.username, password: 'guessed' })).toBe(403)
    expect(await callWithCredentials(exchange, other.account)).toBe(200)
    expect(await provider.cdrOf(other.id)).toMatchObject({ sip_account: other.username, status: 'completed' })
    expect(await provider.cdrs(customer.id)).toEqual([])
  })

  it('of a disabled account identifies nobody until the account is enabled again', async () => {
    const [thief, victim] = await customersAt('127.0.1.8', 'proven')
    const exchange = await exchangeAt('127.0.1.8')
    expect(await callFrom(exchange)).toBe(200)
    const disable = (disabled_at: Date | null) =>
      provider.db.updateTable('users').set({ disabled_at }).where('id', '=', thief.id).execute()
    await disable(new Date())
    await provider.settle()
    expect(await callFrom(exchange)).toBe(407)
    expect(await callFrom(await phoneAt('127.0.1.8', victim))).toBe(200)
    expect(await provider.cdrOf(victim.id)).toMatchObject({ status: 'completed' })
  })

  it('proven by two accounts identifies neither, until an administrator approves it for one', async () => {
    await answering()
    const [one, two] = [await provider.newCustomer(), await provider.newCustomer()]
    await provider.setAddress(one, '127.0.1.9', 'proven')
    await provider.setAddress(two, '127.0.1.9', 'proven')
    await provider.settle()
    const exchange = await exchangeAt('127.0.1.9')
    expect(await callFrom(exchange)).toBe(407)
    await provider.setAddress(two, '127.0.1.9', 'approved')
    await provider.settle()
    expect(await callFrom(exchange)).toBe(200)
    expect(await provider.cdrOf(two.id)).toMatchObject({ source_address: '127.0.1.9' })
    expect(await provider.cdrs(one.id)).toEqual([])
  })

  it('is not trusted while a carrier has it', async () => {
    const carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 20 }, { host: '127.0.1.10' })
    const customer = await provider.newCustomer()
    await provider.setAddress(customer, '127.0.1.10', 'approved')
    await provider.newTrunk(carrier)
    await provider.settle()
    expect(await callFrom(await exchangeAt('127.0.1.10'))).toBe(407)
  })

  it('needs a password again when it is removed', async () => {
    const [customer] = await customersAt('127.0.1.11', 'approved')
    const exchange = await exchangeAt('127.0.1.11')
    expect(await callFrom(exchange)).toBe(200)
    await provider.setAddress(customer, '127.0.1.11', null)
    await provider.settle()
    expect(await callFrom(exchange)).toBe(407)
  })
})

/** Sends credentials in the first INVITE, with the nonce of an earlier challenge. */
async function callWithCredentials(
  exchange: Awaited<ReturnType<typeof exchangeAt>>,
  account: Customer['account'],
): Promise<number | undefined> {
  const challenge = challengeOf(await exchange.register())
  if (!challenge) throw new Error('the switch did not challenge the REGISTER')
  const proof = digestFor(account, challenge, 'INVITE', `sip:${LONDON}@${exchange.server}`)
  const call = await exchange.call(LONDON, [['Proxy-Authorization', proof]])
  const { status } = await call.ended
  if (status === 200) await call.hangUp()
  return status
}
