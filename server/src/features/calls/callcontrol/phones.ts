import { isIPv6 } from 'node:net'
import { isWebPhone } from '@trunkline/contract/phone-names'
import type { FromSwitchOf, ToSwitch } from '@trunkline/contract/switch-protocol'
import type { Clock } from '../../../platform/clock.ts'
import { fingerprintOf, sipDigest } from '../../../platform/tokens.ts'
import { type Catalogue, trustedOf } from '../../catalogue/snapshot/catalogue.ts'
import type { MediaServer } from '../../catalogue/snapshot/media-store.ts'
import { carrierAccount, isCarrierAccount } from '../../catalogue/snapshot/numbers.ts'
import type { Carrier } from '../../catalogue/snapshot/numbers-store.ts'
import type { PhoneFacts, UserFacts } from '../../catalogue/snapshot/store.ts'
import type { NewAlert } from '../../identity/alerts/service.ts'
import { mediaAccount, mediaIdOf } from '../live-calls/media-address.ts'
import type { Session } from './session.ts'

export type Phones = ReturnType<typeof createPhones>

type Trusted = { address: string; user: string }

type ListedFingerprint = { user: string; fingerprint?: string | undefined }

type Deps = {
  clock: Clock
  catalogue: Catalogue
  /** Before the catalog is loaded, nothing is sent. */
  isLoaded: () => boolean
  /** Reads a web phone that may have just been created. */
  lookUpPhone: (name: string) => Promise<void>
  realm: string
  sessions: () => Iterable<Session>
  raise: (alert: NewAlert) => Promise<void>
}

/** A message may have 32,000 bytes; an address with its user has at most 130. */
const MAX_ADDRESSES = 100
const MAX_NAMES = 100

/**
 * Sends credentials and trusted addresses to the switches, on request and when they change. Switches cache hashes for minutes, so a
 * changed password is sent immediately.
 */
export function createPhones(deps: Deps) {
  const { clock, catalogue, isLoaded, realm, sessions, raise } = deps
  /** Repeated with the next tick, because the switch may just have been storing the old hash. */
  let saidLately = new Set<string>()

  const tellAll = (message: ToSwitch) => {
    for (const session of sessions()) if (!session.isDemo) session.send(message)
  }

  /** The credentials of a web phone are valid until it expires, while its user may call. */
  function credentialsOf(user: string): UserFacts['credentials'] {
    const phone = catalogue.phone(user)
    const facts = phone ? catalogue.factsById(phone.userId) : catalogue.factsByName(user)
    const known = phone ? phone.expiresAt > clock.now() && phone.credentials : facts?.credentials
    return facts && !facts.isDisabled && known && known.realm === realm ? known : null
  }

  function isRegistrationValid({ user, fingerprint }: ListedFingerprint): boolean {
    // These have other credentials, and a web phone may be newer than the catalog.
    if (isWebPhone(user) || isCarrierAccount(user) || mediaIdOf(user) !== null) return true
    const known = credentialsOf(user)
    if (!known || fingerprint === undefined) return known !== null
    return [known.md5, known.sha256].some((ha1) => ha1 !== null && fingerprintOf(ha1) === fingerprint)
  }

  function forget(names: ReadonlySet<string>): void {
    for (const users of chunksOf([...names], MAX_NAMES)) tellAll({ type: 'forget', users })
  }

  /** Sends changes for these usernames. */
  function sendChange(before: UserFacts | undefined, after: UserFacts | undefined): void {
    const isRenamed = before && before.username !== after?.username
    const isReplaced = hasOtherPassword(before, after)
    if (before?.isDisabled === after?.isDisabled && !isReplaced && !isRenamed) return
    const names = new Set([before, after].flatMap((facts) => facts?.username ?? []))
    forget(names)
    for (const name of names) saidLately.add(name)
    // A phone with the old password must not be called.
    if (before && (isRenamed || after?.isDisabled || (before.credentials && isReplaced)))
      tellAll({ type: 'unregister', user: before.username })
  }

  function sendAddresses(session: Session, clear: boolean, add: Trusted[], remove: string[]): void {
    const spelled = add.flatMap(({ address, user }) =>
      spellings(address).map((spelling) => ({ address: spelling, user })),
    )
    const adding = chunksOf(spelled, MAX_ADDRESSES)
    const removing = chunksOf(remove.flatMap(spellings), MAX_ADDRESSES)
    const count = Math.max(adding.length, removing.length, clear ? 1 : 0)
    for (let part = 0; part < count; part++)
      session.send({
        type: 'addresses',
        clear: clear && part === 0,
        add: adding[part] ?? [],
        remove: removing[part] ?? [],
      })
  }

  return {
    /** A switch has connected; its cached data may be old. */
    greet(session: Session): void {
      if (session.isDemo || !isLoaded()) return
      session.send({ type: 'forget', users: null })
      sendAddresses(session, true, catalogue.trustedAddresses(), [])
      session.send({ type: 'list_phones' })
    },

    /** While switch and call control were apart, users may have been disabled or renamed, or have replaced their SIP password. */
    unregisterInvalid(session: Session, listed: readonly ListedFingerprint[]): void {
      if (!isLoaded()) return
      const invalid = listed.filter((phone) => !isRegistrationValid(phone)).map(({ user }) => user)
      for (const user of new Set(invalid)) session.send({ type: 'unregister', user })
    },

    async answer(session: Session, { request, user }: FromSwitchOf<'credentials'>): Promise<void> {
      if (!isLoaded()) return
      if (isCarrierAccount(user)) {
        const md5 = catalogue.carrierDigest(user, realm)
        return session.send({ type: 'credentials', request, user, md5, sha256: null })
      }
      const media = catalogue.mediaServer(mediaIdOf(user) ?? '')
      if (media) {
        const md5 = sipDigest('md5', user, realm, media.password)
        return session.send({ type: 'credentials', request, user, md5, sha256: null })
      }
      if (isWebPhone(user) && !catalogue.phone(user)) await deps.lookUpPhone(user)
      const known = credentialsOf(user)
      session.send({
        type: 'credentials',
        request,
        user,
        md5: known?.md5 ?? null,
        sha256: known?.sha256 ?? null,
      })
    },

    /** Sends a changed password of a carrier immediately. */
    onCarrier(before: Carrier | undefined, after: Carrier | undefined): void {
      const digestOf = (carrier: Carrier | undefined) => (carrier?.isActive ? carrier.digest?.ha1 : undefined)
      const carrier = after ?? before
      if (!carrier || digestOf(before) === digestOf(after)) return
      const account = carrierAccount(carrier.id)
      forget(new Set([account]))
      saidLately.add(account)
    },

    /** A media process has a new password after each start. */
    onMedia(before: readonly MediaServer[]): void {
      const changed = before.filter(({ id, password }) => catalogue.mediaServer(id)?.password !== password)
      const accounts = changed.map(({ id }) => mediaAccount(id))
      if (accounts.length > 0) forget(new Set(accounts))
      for (const account of accounts) saidLately.add(account)
    },

    /** Removes a web phone immediately. */
    onPhone(before: PhoneFacts | undefined, after: PhoneFacts | undefined): void {
      if (!before || after) return
      forget(new Set([before.name]))
      saidLately.add(before.name)
    },

    onUser(before: UserFacts | undefined, after: UserFacts | undefined): void {
      sendChange(before, after)
      if (addressKey(before) === addressKey(after)) return
      const touched = new Set([before, after].flatMap((facts) => (facts ? trustedOf(facts) : [])))
      const addresses = [...new Set([...touched].map(({ address }) => address))]
      const add = addresses.flatMap((address) => catalogue.trustedFor(address) ?? [])
      const remove = addresses.filter((address) => catalogue.trustedFor(address) === null)
      for (const session of sessions()) if (!session.isDemo) sendAddresses(session, false, add, remove)
    },

    onEverything(before: readonly UserFacts[]): void {
      for (const session of sessions()) this.greet(session)
      for (const facts of before) {
        const after = catalogue.factsById(facts.id)
        if (facts.username !== after?.username || (after.isDisabled && !facts.isDisabled))
          tellAll({ type: 'unregister', user: facts.username })
        // The list of phones tells which of them have the old password: some may have registered with the new one already.
        if (hasOtherPassword(facts, after)) saidLately.add(facts.username)
      }
    },

    /** Alerts the customer whose password was guessed. */
    async banned({ switchId }: Session, { address, user }: FromSwitchOf<'banned'>): Promise<void> {
      const facts = catalogue.factsByName(user)
      await raise({
        kind: 'address_banned',
        // One alert per account and one for all unknown usernames, because an attacker can use any number of addresses.
        subject: facts ? `user:${facts.id}` : `switch:${switchId}`,
        userId: facts?.id ?? null,
        message: `${address} is blocked for a while: it sent too many wrong SIP passwords${facts ? ` for ${facts.username}` : ''}.`,
        details: { address, user, switch: switchId },
      })
    },

    tick(): void {
      const names = saidLately
      saidLately = new Set()
      forget(names)
    },
  }
}

const hasOtherPassword = (before: UserFacts | undefined, after: UserFacts | undefined): boolean =>
  before?.credentials?.md5 !== after?.credentials?.md5 ||
  before?.credentials?.sha256 !== after?.credentials?.sha256 ||
  before?.credentials?.realm !== after?.credentials?.realm

/** A user's addresses as sent to switches, to detect changes. */
const addressKey = (facts: UserFacts | undefined): string =>
  facts ? JSON.stringify([facts.username, trustedOf(facts)]) : ''

export function chunksOf<Item>(items: readonly Item[], most: number): Item[][] {
  const chunks: Item[][] = []
  for (let from = 0; from < items.length; from += most) chunks.push(items.slice(from, from + most))
  return chunks
}

/** Kamailio compares addresses as strings and writes all eight groups of an IPv6 address. */
export function spellings(address: string): string[] {
  if (!isIPv6(address)) return [address]
  const [head = '', tail] = address.split('::')
  const front = head.split(':').filter(Boolean)
  const back = (tail ?? '').split(':').filter(Boolean)
  const zeros = Array<string>(8 - front.length - back.length).fill('0')
  return [address, [...front, ...zeros, ...back].join(':')]
}
