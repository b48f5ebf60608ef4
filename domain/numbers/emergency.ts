import type { CountryCode } from '../countries/index.ts'

/** Emergency numbers in every country. Mobile phones treat 112 and 911 the same way. */
const EVERYWHERE: ReadonlySet<string> = new Set(['112', '911', '999'])

/** Additional numbers for police, fire brigade and ambulance. */
const byCountry: Readonly<Record<CountryCode, string>> = {
  AE: '997 998',
  AR: '100 101 107',
  AT: '122 133 144',
  AU: '000 106',
  BE: '100 101',
  BO: '110 118 119',
  BR: '190 192 193',
  CH: '117 118 144',
  CL: '131 132 133',
  CN: '110 119 120',
  CO: '123',
  CZ: '150 155 158',
  DE: '110',
  EG: '122 123 180',
  ES: '061 062 080 085 088 091 092',
  FR: '15 17 18 114',
  GR: '100 166 199',
  HU: '104 105 107',
  ID: '110 113 118 119',
  IL: '100 101 102',
  IN: '100 101 102 108',
  IT: '113 115 118',
  JP: '110 118 119',
  KR: '119',
  LK: '110 119',
  MA: '15 19 150 177',
  MY: '994',
  NG: '199',
  NO: '110 113',
  NZ: '111',
  PE: '105 106 116',
  PH: '117',
  PK: '15 16 1122',
  PL: '997 998',
  RO: '113',
  RU: '101 102 103 104',
  SA: '997 998',
  SG: '995',
  SK: '150 155 158',
  TH: '191 199 1669',
  TR: '110 155 156',
  TW: '110 119',
  UA: '101 102 103 104',
  VN: '113 114 115',
  ZA: '10111 10177',
}

/** The dialed emergency number as digits, or null for any other number. */
export function emergencyNumber(dialed: string, home: CountryCode | null = null): string | null {
  const number = (dialed.split(';')[0] ?? '').replace(/[\s().\-/]/g, '')
  const ofHome = home === null ? undefined : byCountry[home]?.split(' ')
  return EVERYWHERE.has(number) || ofHome?.includes(number) ? number : null
}
