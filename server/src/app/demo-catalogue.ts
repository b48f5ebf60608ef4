import type { CountryCode } from '@trunkline/domain/countries'
import type { WirePrefixRate } from '../features/catalogue/prefix-rates/wire.ts'

/**
 * The catalogue of the demo: fictional carriers with realistic prices. Prices are dollars per minute and are stored as
 * micro-dollars.
 */

export const demoPlans = ['Gold CLI', 'Silver', 'Wholesale', 'Premium CLI'] as const
type DemoPlan = (typeof demoPlans)[number]

/** Mobile prefixes of countries that distinguish them. */
const mobiles: Readonly<Record<CountryCode, readonly string[]>> = {
  GB: ['447'],
  DE: ['4915', '4916', '4917'],
  FR: ['336', '337'],
  AU: ['614'],
  ES: ['346', '347'],
  NL: ['316'],
  JP: ['8170', '8180', '8190'],
}

/** Typical wholesale price per minute by prefix. Buy rates of trunks derive from it. */
const tradePrices: Readonly<Record<string, number>> = {
  1: 0.0044,
  44: 0.0051,
  447: 0.0148,
  49: 0.0056,
  4915: 0.0168,
  4916: 0.0168,
  4917: 0.0168,
  33: 0.0052,
  336: 0.0159,
  337: 0.0159,
  91: 0.0098,
  61: 0.0112,
  614: 0.0275,
  34: 0.0054,
  346: 0.0189,
  347: 0.0189,
  31: 0.0061,
  316: 0.0198,
  55: 0.0142,
  81: 0.0179,
  8170: 0.049,
  8180: 0.049,
  8190: 0.049,
  52: 0.0069,
}

type DemoTrunk = {
  name: string
  provider: string
  country: CountryCode | null
  type?: 'sip' | 'pstn'
  host: string
  transport?: 'udp' | 'tcp' | 'tls'
  addPrefix?: string
  plans: readonly DemoPlan[]
  capacity: number
  priority: number
  isPrimary?: boolean
  isActive?: boolean
  /** Factor on the wholesale price. */
  share: number
  /** Price for prefixes without a wholesale price. */
  otherwise: number
  /** Billed by the second if missing. */
  increments?: readonly [number, number]
}

export const demoTrunks: readonly DemoTrunk[] = [
  {
    name: 'Meridian Global',
    provider: 'Meridian Telecom',
    country: null,
    host: 'sip.meridian-telecom.example',
    transport: 'tls',
    plans: ['Gold CLI', 'Premium CLI'],
    capacity: 160,
    priority: 20,
    isPrimary: true,
    share: 1.1,
    otherwise: 0.24,
  },
  {
    name: 'Aurora Direct',
    provider: 'Aurora Voice',
    country: null,
    host: 'edge1.aurora-voice.example',
    transport: 'tls',
    plans: ['Premium CLI'],
    capacity: 90,
    priority: 10,
    share: 1.45,
    otherwise: 0.3,
  },
  {
    name: 'Liberty US',
    provider: 'Liberty Exchange',
    country: 'US',
    host: 'gw.liberty-exchange.example',
    plans: ['Gold CLI', 'Silver', 'Wholesale'],
    capacity: 200,
    priority: 30,
    isPrimary: true,
    share: 0.92,
    otherwise: 0.02,
  },
  {
    name: 'Albion London',
    provider: 'Albion Interconnect',
    country: 'GB',
    host: 'lon.albion-interconnect.example',
    plans: ['Gold CLI', 'Silver'],
    capacity: 120,
    priority: 30,
    isPrimary: true,
    share: 0.95,
    otherwise: 0.03,
  },
  {
    name: 'Rheinfunk Frankfurt',
    provider: 'Rheinfunk',
    country: 'DE',
    type: 'pstn',
    host: 'fra.rheinfunk.example',
    transport: 'tcp',
    plans: ['Gold CLI', 'Silver'],
    capacity: 60,
    priority: 30,
    isPrimary: true,
    share: 0.97,
    otherwise: 0.03,
  },
  {
    name: 'Ganga Transit',
    provider: 'Ganga Networks',
    country: 'IN',
    addPrefix: '8800',
    host: 'mum.ganga-networks.example',
    increments: [60, 60],
    plans: ['Silver', 'Wholesale'],
    capacity: 90,
    priority: 40,
    isPrimary: true,
    share: 0.9,
    otherwise: 0.04,
  },
  {
    name: 'Harbour Wholesale',
    provider: 'Harbour Carrier Services',
    country: null,
    host: 'sip.harbour-carrier.example',
    plans: ['Silver', 'Wholesale', 'Gold CLI'],
    capacity: 300,
    priority: 60,
    share: 1,
    otherwise: 0.2,
  },
  {
    name: 'Southern Cross',
    provider: 'Southern Cross Voice',
    country: 'AU',
    host: 'syd.southern-cross-voice.example',
    plans: ['Gold CLI', 'Silver'],
    capacity: 30,
    priority: 30,
    isActive: false,
    share: 1.05,
    otherwise: 0.06,
  },
]

type DemoRule = { plan: DemoPlan; country: CountryCode; minAsr: number | null; order: readonly string[] }

/** Routing rules. A rule without an order prefers the least cost. */
export const demoRules: readonly DemoRule[] = [
  { plan: 'Gold CLI', country: 'GB', minAsr: null, order: ['Albion London', 'Meridian Global'] },
  { plan: 'Silver', country: 'IN', minAsr: 30, order: [] },
]

/** Rounded up to a hundredth of a cent, as in real price lists. */
export const buyRatesOf = ({ share, increments: [first, next] = [1, 1] }: DemoTrunk): WirePrefixRate[] =>
  Object.entries(tradePrices).map(([prefix, price]) => ({
    prefix,
    price: Math.ceil(price * share * 10_000) / 10_000,
    connect_fee: 0,
    first_increment: first,
    next_increment: next,
  }))

type DemoRoute = {
  country: CountryCode
  name: string
  plan: DemoPlan
  price: number
  isPremium: boolean
  sellsBelowCost: boolean
  connectFee: number
  increments: readonly [first: number, next: number]
  rates: { prefix: string; price: number }[]
}

type Terms = {
  mobile?: number
  increments?: readonly [number, number]
  fee?: number
  sellsBelowCost?: boolean
}

function route(country: CountryCode, place: string, plan: DemoPlan, price: number, terms: Terms): DemoRoute {
  const { mobile, increments = [1, 1], fee = 0, sellsBelowCost = false } = terms
  const rates =
    mobile === undefined ? [] : (mobiles[country] ?? []).map((prefix) => ({ prefix, price: mobile }))
  const isPremium = plan === 'Premium CLI'
  return {
    country,
    name: `${place} ${plan}`,
    plan,
    price,
    isPremium,
    sellsBelowCost,
    connectFee: fee,
    increments,
    rates,
  }
}

const SIX_SIX = [6, 6] as const
const MINUTES = [60, 60] as const

export const demoRoutes: readonly DemoRoute[] = [
  route('US', 'USA', 'Gold CLI', 0.012, {}),
  route('US', 'USA', 'Silver', 0.0085, { increments: SIX_SIX }),
  route('US', 'USA', 'Wholesale', 0.0059, { increments: SIX_SIX }),
  route('US', 'USA', 'Premium CLI', 0.018, {}),
  route('GB', 'UK', 'Gold CLI', 0.0145, { mobile: 0.029 }),
  route('GB', 'UK', 'Silver', 0.011, { mobile: 0.024, increments: SIX_SIX }),
  route('GB', 'UK', 'Wholesale', 0.0072, { mobile: 0.0195, increments: SIX_SIX }),
  route('GB', 'UK', 'Premium CLI', 0.021, { mobile: 0.038 }),
  route('DE', 'Germany', 'Gold CLI', 0.0155, { mobile: 0.032 }),
  route('DE', 'Germany', 'Silver', 0.012, { mobile: 0.0265, increments: SIX_SIX }),
  route('DE', 'Germany', 'Premium CLI', 0.022, { mobile: 0.041 }),
  route('FR', 'France', 'Gold CLI', 0.0148, { mobile: 0.031 }),
  route('FR', 'France', 'Silver', 0.0115, { mobile: 0.0255, increments: SIX_SIX }),
  route('FR', 'France', 'Premium CLI', 0.0215, { mobile: 0.0395 }),
  route('IN', 'India', 'Gold CLI', 0.0225, {}),
  route('IN', 'India', 'Silver', 0.0165, { increments: MINUTES }),
  route('IN', 'India', 'Wholesale', 0.0128, { increments: MINUTES }),
  route('IN', 'India', 'Premium CLI', 0.031, {}),
  route('CA', 'Canada', 'Gold CLI', 0.013, {}),
  route('CA', 'Canada', 'Silver', 0.0092, { increments: SIX_SIX }),
  route('CA', 'Canada', 'Premium CLI', 0.0195, {}),
  route('AU', 'Australia', 'Gold CLI', 0.026, { mobile: 0.055 }),
  route('AU', 'Australia', 'Silver', 0.0205, { mobile: 0.0445, increments: SIX_SIX }),
  route('AU', 'Australia', 'Premium CLI', 0.036, { mobile: 0.072 }),
  route('ES', 'Spain', 'Gold CLI', 0.0152, { mobile: 0.036 }),
  route('ES', 'Spain', 'Silver', 0.0118, { mobile: 0.03, increments: SIX_SIX }),
  route('NL', 'Netherlands', 'Gold CLI', 0.0168, { mobile: 0.038 }),
  route('NL', 'Netherlands', 'Silver', 0.0132, { mobile: 0.031, increments: SIX_SIX }),
  route('BR', 'Brazil', 'Gold CLI', 0.032, {}),
  // An introductory price below the buy rate, so that the reports show a loss.
  route('BR', 'Brazil', 'Silver', 0.0115, { increments: [30, 6], sellsBelowCost: true }),
  route('JP', 'Japan', 'Gold CLI', 0.039, { mobile: 0.092 }),
  route('JP', 'Japan', 'Silver', 0.031, { mobile: 0.078, increments: SIX_SIX }),
  route('MX', 'Mexico', 'Gold CLI', 0.0175, { fee: 0.002 }),
  route('MX', 'Mexico', 'Silver', 0.013, { increments: MINUTES }),
]

export type DemoCustomer = {
  username: string
  company: string
  isPremium: boolean
  callerId: string
  /** Preferred plans for route selection, in order. */
  prefers: readonly DemoPlan[]
  guards: { concurrent: number; perSecond: number; dailySpend: number }
}

/** Customers with generated calls. */
export const demoCustomers: readonly DemoCustomer[] = [
  {
    username: 'alice',
    company: 'Alder & Sons',
    isPremium: false,
    callerId: '14155550142',
    prefers: ['Gold CLI'],
    guards: { concurrent: 20, perSecond: 5, dailySpend: 250 },
  },
  {
    username: 'paula',
    company: 'Paragon Travel',
    isPremium: true,
    callerId: '442079460958',
    prefers: ['Premium CLI', 'Gold CLI'],
    guards: { concurrent: 40, perSecond: 10, dailySpend: 500 },
  },
  {
    username: 'northwind',
    company: 'Northwind Logistics',
    isPremium: true,
    callerId: '493023125118',
    prefers: ['Gold CLI'],
    guards: { concurrent: 80, perSecond: 20, dailySpend: 2_000 },
  },
  {
    username: 'acme-dialer',
    company: 'Acme Outreach',
    isPremium: false,
    callerId: '12125550176',
    prefers: ['Wholesale', 'Silver'],
    guards: { concurrent: 150, perSecond: 30, dailySpend: 3_000 },
  },
  {
    username: 'contoso-support',
    company: 'Contoso Support',
    isPremium: false,
    callerId: '61255501234',
    prefers: ['Silver'],
    guards: { concurrent: 60, perSecond: 15, dailySpend: 1_000 },
  },
  {
    username: 'harbor-dental',
    company: 'Harbor Dental Care',
    isPremium: false,
    callerId: '13125550188',
    prefers: ['Gold CLI'],
    guards: { concurrent: 4, perSecond: 1, dailySpend: 20 },
  },
  {
    username: 'globe-imports',
    company: 'Globe Imports',
    isPremium: false,
    callerId: '33199001234',
    prefers: ['Silver'],
    guards: { concurrent: 25, perSecond: 5, dailySpend: 400 },
  },
  {
    username: 'pixel-rentals',
    company: 'Pixel Rentals',
    isPremium: false,
    callerId: '34910555019',
    prefers: ['Silver'],
    guards: { concurrent: 5, perSecond: 2, dailySpend: 25 },
  },
  {
    username: 'oldtown-cafe',
    company: 'Oldtown Café',
    isPremium: false,
    callerId: '31207946015',
    prefers: ['Gold CLI'],
    guards: { concurrent: 3, perSecond: 1, dailySpend: 10 },
  },
]
