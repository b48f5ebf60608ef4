import { normalSource } from '@trunkline/contract/hosts'
import type { Trunk } from '@trunkline/contract/trunks'

/** A trunk as the form holds it. Numbers stay text until they are sent. */
export type TrunkDraft = {
  name: string
  provider: string
  type: 'sip' | 'pstn'
  /** Empty for every country. */
  country: string
  host: string
  port: string
  transport: 'udp' | 'tcp' | 'tls'
  auth_username: string
  /** Empty leaves the password as it is. */
  auth_password: string
  forgetPassword: boolean
  strip_digits: string
  add_prefix: string
  capacity: string
  buy_rate: string
  buy_connect_fee: string
  buy_first_increment: string
  buy_next_increment: string
  priority: string
  status: 'active' | 'inactive'
  plans: readonly string[]
  /** One address per line. */
  incoming_sources: string
  /** Empty for international formats only. */
  incoming_country: string
  incoming_prefix: string
  /** Empty leaves the password as it is. */
  incoming_password: string
  forgetIncomingPassword: boolean
  registers: boolean
}

export const BLANK: TrunkDraft = {
  name: '',
  provider: '',
  type: 'sip',
  country: '',
  host: '',
  port: '5060',
  transport: 'udp',
  auth_username: '',
  auth_password: '',
  forgetPassword: false,
  strip_digits: '0',
  add_prefix: '',
  capacity: '30',
  buy_rate: '',
  buy_connect_fee: '0',
  buy_first_increment: '1',
  buy_next_increment: '1',
  priority: '100',
  status: 'active',
  plans: [],
  incoming_sources: '',
  incoming_country: '',
  incoming_prefix: '',
  incoming_password: '',
  forgetIncomingPassword: false,
  registers: false,
}

export const draftOf = (trunk: Trunk): TrunkDraft => ({
  name: trunk.name,
  provider: trunk.provider,
  type: trunk.type,
  country: trunk.country_code ?? '',
  host: trunk.host ?? '',
  port: String(trunk.port ?? ''),
  transport: trunk.transport ?? 'udp',
  auth_username: trunk.auth_username ?? '',
  auth_password: '',
  forgetPassword: false,
  strip_digits: String(trunk.strip_digits ?? ''),
  add_prefix: trunk.add_prefix ?? '',
  capacity: String(trunk.capacity),
  buy_rate: String(trunk.buy_rate ?? ''),
  buy_connect_fee: String(trunk.buy_connect_fee ?? ''),
  buy_first_increment: String(trunk.buy_first_increment ?? ''),
  buy_next_increment: String(trunk.buy_next_increment ?? ''),
  priority: String(trunk.priority ?? ''),
  status: trunk.configured_status ?? 'active',
  plans: trunk.plans ?? [],
  incoming_sources: (trunk.incoming_sources ?? []).join('\n'),
  incoming_country: trunk.incoming_country ?? '',
  incoming_prefix: trunk.incoming_prefix ?? '',
  incoming_password: '',
  forgetIncomingPassword: false,
  registers: trunk.registers ?? false,
})

const sourcesIn = (typed: string): string[] => typed.split(/[\s,;]+/).filter(Boolean)

/** Names the first address that is not one, because the server can only name its position. */
export function faultsIn({ incoming_sources }: TrunkDraft): { incoming_sources?: string } {
  const wrong = sourcesIn(incoming_sources).find((source) => normalSource(source) === null)
  return wrong === undefined
    ? {}
    : { incoming_sources: `“${wrong}” isn’t an IP address with or without a port.` }
}

/** The request. Invalid numbers are sent as they are; the server explains them. */
const sent = (draft: TrunkDraft) => ({
  name: draft.name,
  provider: draft.provider,
  type: draft.type,
  country: draft.country || null,
  host: draft.host,
  port: numberIn(draft.port),
  transport: draft.transport,
  auth_username: draft.auth_username.trim() || null,
  strip_digits: numberIn(draft.strip_digits),
  add_prefix: draft.add_prefix,
  capacity: numberIn(draft.capacity),
  buy_rate: numberIn(draft.buy_rate),
  buy_connect_fee: numberIn(draft.buy_connect_fee),
  buy_first_increment: numberIn(draft.buy_first_increment),
  buy_next_increment: numberIn(draft.buy_next_increment),
  priority: numberIn(draft.priority),
  status: draft.status,
  plans: [...draft.plans],
  incoming_sources: sourcesIn(draft.incoming_sources),
  incoming_country: draft.incoming_country || null,
  incoming_prefix: draft.incoming_prefix,
  registers: draft.registers,
})

/** NaN is serialized as null, which the server rejects too. */
const numberIn = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed.trim()))

export const newTrunk = (draft: TrunkDraft) => ({
  ...sent(draft),
  ...(draft.auth_password !== '' && { auth_password: draft.auth_password }),
  ...(draft.incoming_password !== '' && { incoming_password: draft.incoming_password }),
})

/** Only changed fields. */
export function changedIn(
  base: TrunkDraft,
  draft: TrunkDraft,
): Partial<ReturnType<typeof sent>> & Partial<Record<'auth_password' | 'incoming_password', string | null>> {
  const before: Record<string, unknown> = sent(base)
  const changed = Object.fromEntries(
    Object.entries(sent(draft)).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]),
    ),
  )
  const password = draft.forgetPassword ? null : draft.auth_password
  const incomingPassword = draft.forgetIncomingPassword ? null : draft.incoming_password
  return {
    ...changed,
    ...(password !== '' && { auth_password: password }),
    ...(incomingPassword !== '' && { incoming_password: incomingPassword }),
  }
}

export const fieldLabels: Readonly<Record<keyof TrunkDraft, string>> = {
  name: 'Name',
  provider: 'Provider',
  type: 'Type',
  country: 'Country',
  host: 'Host',
  port: 'Port',
  transport: 'Transport',
  auth_username: 'Username',
  auth_password: 'Password',
  forgetPassword: 'Password',
  strip_digits: 'Digits to strip',
  add_prefix: 'Prefix to add',
  capacity: 'Capacity',
  buy_rate: 'Buy rate',
  buy_connect_fee: 'Connect fee',
  buy_first_increment: 'First increment',
  buy_next_increment: 'Next increment',
  priority: 'Priority',
  status: 'Status',
  plans: 'Plans',
  incoming_sources: 'Addresses of the carrier',
  incoming_country: 'National numbers',
  incoming_prefix: 'Prefix to remove',
  incoming_password: 'Password for incoming calls',
  forgetIncomingPassword: 'Password for incoming calls',
  registers: 'Register at the carrier',
}
