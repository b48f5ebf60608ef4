import { normalHost } from '@trunkline/contract/hosts'
import type { AddressState } from '@trunkline/contract/trusted-addresses'
import type { CallerIdPolicy, CallUser, EmergencyRoute } from '@trunkline/domain/callcontrol'
import { effectiveGuards } from '@trunkline/domain/guards'
import { drawOf, type Route, type Routing, type Trunk } from '@trunkline/domain/routing'
import type { RuleInForce } from '../routing-rules/store.ts'
import { createMediaIndex } from './media.ts'
import { createNumberIndex } from './numbers.ts'
import type { Facts, PhoneFacts, UserFacts } from './store.ts'

export type Catalogue = ReturnType<typeof createCatalogue>

/** Without a worker nothing ends a demotion. Calls then ignore it, this long after its end. */
const MAX_OVERDUE_MS = 5 * 60_000
/** Tabs of one customer that ring at once. */
const MAX_RINGING_BROWSERS = 16

type KnownUser = { facts: UserFacts; built: CallUser | null; routesAsOf: number }

/**
 * Users, routes and trunks in memory. Each change happens in one turn of the event loop, so readers never see a partial
 * change.
 */
export function createCatalogue(callerIds: CallerIdPolicy) {
  let users = new Map<number, KnownUser>()
  let byName = new Map<string, number>()
  /** Trusted addresses of active accounts. */
  let byAddress = new Map<string, Map<number, AddressState>>()
  let phones = new Map<string, PhoneFacts>()
  const phonesByUser = new Map<number, Map<string, PhoneFacts>>()
  const numbers = createNumberIndex()
  const media = createMediaIndex()
  let routes = new Map<number, Route>()
  let trunks = new Map<number, Trunk>()
  let trunkList: readonly Trunk[] = []
  let emergency: EmergencyRoute | null = null
  let rules = new Map<string, RuleInForce>()
  /** Incremented with changes of routes. Derived data of older versions is rebuilt on the next read. */
  let routesVersion = 0

  function add(facts: UserFacts): void {
    users.set(facts.id, { facts, built: null, routesAsOf: -1 })
    byName.set(facts.username.toLowerCase(), facts.id)
    for (const { address, state } of trustedOf(facts)) {
      const sharing = byAddress.get(address) ?? new Map<number, AddressState>()
      byAddress.set(address, sharing.set(facts.id, state))
    }
  }

  function remove(id: number): void {
    const known = users.get(id)
    if (!known) return
    users.delete(id)
    byName.delete(known.facts.username.toLowerCase())
    for (const { address } of trustedOf(known.facts)) {
      const sharing = byAddress.get(address)
      sharing?.delete(id)
      if (sharing?.size === 0) byAddress.delete(address)
    }
  }

  function indexPhone(phone: PhoneFacts): void {
    const own = phonesByUser.get(phone.userId) ?? new Map<string, PhoneFacts>()
    phonesByUser.set(phone.userId, own.set(phone.name, phone))
  }

  /** The account of an address. An address proven by several accounts identifies none, unless it is approved for one. */
  function ownerOf(address: string): number | undefined {
    const sharing = [...(byAddress.get(address) ?? [])]
    const approved = sharing.find(([, state]) => state === 'approved')
    const [owner] = approved ?? (sharing.length === 1 ? (sharing[0] ?? []) : [])
    return owner
  }

  function trustedFor(address: string): { address: string; user: string } | null {
    const facts = users.get(ownerOf(address) ?? -1)?.facts
    return facts ? { address, user: facts.username } : null
  }

  function build(known: KnownUser): CallUser {
    if (known.built && known.routesAsOf === routesVersion) return known.built
    const { facts } = known
    const selected = new Map<string, Route>()
    for (const [country, routeId] of facts.selected) {
      const route = routes.get(routeId)
      if (route) selected.set(country, route)
    }
    known.built = {
      id: facts.id,
      username: facts.username,
      isDisabled: facts.isDisabled,
      isPremium: facts.isPremium,
      callerId: facts.callerId,
      isCallerIdApproved: callerIds === 'any' || facts.isCallerIdApproved,
      homeCountry: facts.homeCountry,
      guards: effectiveGuards(facts.admin, facts.customer),
      routes: selected,
    }
    known.routesAsOf = routesVersion
    return known.built
  }

  const replaceRules = (all: readonly RuleInForce[]): void => {
    rules = new Map(all.map((rule) => [ruleKey(rule.planId, rule.country), rule]))
  }

  /** The rule of a call and the trunks that it demotes. */
  function routingFor(callId: string, planId: number, country: string, at: number): Routing | null {
    const rule = rules.get(ruleKey(planId, country)) ?? rules.get(ruleKey(planId, null))
    if (!rule) return null
    const demoted = new Set<number>()
    for (const [trunkId, { returnsAt }] of rule.demotions)
      if (at - returnsAt.getTime() < MAX_OVERDUE_MS) demoted.add(trunkId)
    return { rule, demoted, draw: drawOf(callId) }
  }

  const userById = (id: number): CallUser | null => {
    const known = users.get(id)
    return known ? build(known) : null
  }

  return {
    ...numbers,
    ...media,
    /** Returns all previous users. */
    replaceAll(facts: Facts): UserFacts[] {
      const before = [...users.values()].map((known) => known.facts)
      users = new Map()
      byName = new Map()
      byAddress = new Map()
      for (const user of facts.users) add(user)
      phones = new Map(facts.phones.map((phone) => [phone.name, phone]))
      phonesByUser.clear()
      for (const phone of facts.phones) indexPhone(phone)
      numbers.replaceNumbers(facts.numbers)
      numbers.replaceCarriers(facts.carriers)
      numbers.replaceInternalPrice(facts.internalPriceMicros)
      media.replaceFlows(facts.flows)
      routes = new Map(facts.routes.map((route) => [route.id, route]))
      trunks = new Map(facts.trunks.map((trunk) => [trunk.id, trunk]))
      trunkList = facts.trunks
      emergency = facts.emergency
      replaceRules(facts.rules)
      routesVersion++
      return before
    },
    /** Returns the previous value. */
    replaceUser(id: number, facts: UserFacts | undefined): UserFacts | undefined {
      const before = users.get(id)?.facts
      remove(id)
      if (facts) add(facts)
      return before
    },
    /** Returns the previous value. */
    replacePhone(name: string, phone: PhoneFacts | undefined): PhoneFacts | undefined {
      const before = phones.get(name)
      phones.delete(name)
      const own = before && phonesByUser.get(before.userId)
      own?.delete(name)
      if (before && own?.size === 0) phonesByUser.delete(before.userId)
      if (phone) {
        phones.set(name, phone)
        indexPhone(phone)
      }
      return before
    },
    replaceRoute(id: number, route: Route | undefined): void {
      if (route) routes.set(id, route)
      else routes.delete(id)
      routesVersion++
    },
    replaceTrunk(id: number, trunk: Trunk | undefined): void {
      if (trunk) trunks.set(id, trunk)
      else trunks.delete(id)
      trunkList = [...trunks.values()]
    },

    replaceEmergency(route: EmergencyRoute | null): void {
      emergency = route
    },

    replaceRules,

    userById,
    factsByName: (name: string): UserFacts | undefined =>
      users.get(byName.get(name.toLowerCase()) ?? -1)?.facts,
    factsById: (id: number): UserFacts | undefined => users.get(id)?.facts,
    phone: (name: string): PhoneFacts | undefined => phones.get(name),
    /** Names of the browser phones of a user that ring: those that expire last, because more would not fit in a message to a switch. */
    browsersOf: (userId: number, at: number): string[] =>
      [...(phonesByUser.get(userId)?.values() ?? [])]
        .filter(({ expiresAt }) => expiresAt.getTime() > at)
        .sort((one, other) => other.expiresAt.getTime() - one.expiresAt.getTime())
        .slice(0, MAX_RINGING_BROWSERS)
        .map(({ name }) => name),
    /** The account whose calls from here need no password, or null. */
    trustedFor,
    trustedAddresses: (): { address: string; user: string }[] =>
      [...byAddress.keys()].flatMap((address) => trustedFor(address) ?? []),
    userByName: (name: string): CallUser | null => userById(byName.get(name.toLowerCase()) ?? -1),
    /** The user with a valid digest, or without a digest the account of the trusted address. */
    caller({
      user,
      claimed,
      address,
      at,
    }: {
      user?: string | undefined
      claimed?: string | undefined
      address: string
      at: number
    }): CallUser | null {
      const phone = phones.get(user ?? '')
      if (phone) return phone.expiresAt.getTime() > at ? userById(phone.userId) : null
      if (user !== undefined) return userById(byName.get(user.toLowerCase()) ?? -1)
      if (claimed !== undefined) return null
      return userById(ownerOf(normalAddress(address)) ?? -1)
    },
    trunk: (id: number): Trunk | undefined => trunks.get(id),
    trunks: (): readonly Trunk[] => trunkList,
    emergency: (): EmergencyRoute | null => emergency,
    routingFor,
    userCount: (): number => users.size,
  }
}

const ruleKey = (planId: number, country: string | null): string => `${planId} ${country ?? '*'}`

/** Excludes pending addresses and those of disabled accounts. */
export const trustedOf = ({ isDisabled, addresses }: UserFacts): UserFacts['addresses'] =>
  isDisabled ? [] : addresses.filter(({ state }) => state !== 'pending')

/** Converts an address from a switch to canonical form. */
export const normalAddress = (address: string): string => normalHost(address) ?? address
