/** Countries with more than one pattern: the first whose digits match and whose blocks have the length of the number. */
type Pattern = readonly [begins: RegExp, blocks: string]

const ANY = /^/

/** Digits per block after the calling code; `*` is all that is left. Other countries get blocks of three. */
const patterns: Readonly<Record<string, readonly Pattern[]>> = {
  1: [[ANY, '3 3 4']],
  7: [
    [/^7/, '3 3 4'],
    [ANY, '3 3 2 2'],
  ],
  27: [[ANY, '2 3 4']],
  31: [
    [/^6/, '1 8'],
    [/^(1[16-8]|2[259]|3[124]|4[17-9]|5[124679])/, '3 3 3'],
    [ANY, '2 3 4'],
  ],
  32: [
    [/^4[5-9]/, '3 2 2 2'],
    [/^[239]|^4[23]/, '1 3 2 2'],
    [ANY, '2 2 2 2'],
  ],
  33: [[ANY, '1 2 2 2 2']],
  34: [[ANY, '3 2 2 2']],
  39: [
    [/^3/, '3 3 4'],
    [/^0[26]/, '2 4 4'],
  ],
  41: [[ANY, '2 3 2 2']],
  43: [
    [/^1/, '1 *'],
    [/^[68]/, '3 *'],
    [ANY, '4 *'],
  ],
  44: [
    [/^2/, '2 4 4'],
    [/^7/, '4 6'],
    [/^1[1-9]1|^11|^[389]/, '3 3 4'],
    [/^1/, '4 6'],
  ],
  45: [[ANY, '2 2 2 2']],
  46: [
    [/^8/, '1 3 3 2'],
    [/^(1[013689]|2[136]|3[1356]|4[0246]|54|6[03]|7|90)/, '2 3 2 2'],
    [ANY, '3 2 2 2'],
  ],
  47: [
    [/^8/, '3 2 3'],
    [ANY, '2 2 2 2'],
  ],
  48: [
    [/^(21|39|45|5[0137]|6[0469]|7[02389]|8[08])/, '3 3 3'],
    [ANY, '2 3 2 2'],
  ],
  49: [
    [/^3[02]|^40|^[68]9/, '2 *'],
    [/^15/, '4 *'],
    [/^1[67]|^[2-9]\d1|^3[3-9]5|^20[1-389]|^212|^800/, '3 *'],
    [/^[2-9]/, '4 *'],
  ],
  52: [
    [/^(33|55|56|81)/, '2 4 4'],
    [ANY, '3 3 4'],
  ],
  55: [
    [ANY, '2 5 4'],
    [ANY, '2 4 4'],
  ],
  61: [
    [/^4/, '3 3 3'],
    [/^1/, '4 3 3'],
    [ANY, '1 4 4'],
  ],
  65: [[ANY, '4 4']],
  81: [
    [/^[5-9]0/, '2 4 4'],
    [/^[36]/, '1 4 4'],
    [ANY, '2 3 4'],
  ],
  82: [
    [/^1/, '2 4 4'],
    [/^1/, '2 3 4'],
    [/^2/, '1 4 4'],
    [/^2/, '1 3 4'],
    [ANY, '2 3 4'],
  ],
  86: [
    [/^1[3-9]/, '3 4 4'],
    [/^10|^2/, '2 4 4'],
    [ANY, '3 4 4'],
  ],
  90: [[ANY, '3 3 2 2']],
  91: [
    [/^(11|2[02]|33|4[04])/, '2 4 4'],
    [/^[6-9]/, '5 5'],
  ],
  351: [
    [/^2[12]/, '2 3 4'],
    [ANY, '3 3 3'],
  ],
  353: [
    [/^1/, '1 3 4'],
    [/^8/, '2 3 4'],
  ],
  420: [[ANY, '3 3 3']],
  852: [[ANY, '4 4']],
  966: [[ANY, '2 3 4']],
  971: [
    [/^5/, '2 3 4'],
    [ANY, '1 3 4'],
  ],
  972: [
    [/^5/, '2 3 4'],
    [ANY, '1 3 4'],
  ],
}

/** Calling codes with one or two digits. All others have three. */
const SHORT_CODE = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/** Written before an international number. `011` is North American. */
const PREFIXES = ['+', '00', '011', '']

/**
 * `+442079460958` as `['+44', '20', '7946', '0958']`. Anything but an international number stays whole. A number as it
 * was dialed may have another prefix than `+`; `e164` then tells that it is international.
 */
export function phoneNumberBlocks(number: string, e164?: string | null): string[] {
  const digits = (e164 ?? number).replace(/^\+/, '')
  const prefix = number.slice(0, -digits.length)
  const isInternational = number.endsWith(digits) && (e164 ? PREFIXES.includes(prefix) : prefix === '+')
  if (!isInternational || !/^\d{7,15}$/.test(digits)) return [number]
  const code = SHORT_CODE.exec(digits)?.[0] ?? digits.slice(0, 3)
  const own = digits.slice(code.length)
  return [`${prefix}${code}`, ...(byPattern(code, own) ?? byThree(own))]
}

/** `+44 20 7946 0958`. Links, searches and exports use the plain number. */
export const formatPhoneNumber = (number: string, e164?: string | null): string =>
  phoneNumberBlocks(number, e164).join(' ')

/** Groups all international numbers in a sentence. */
export const formatPhoneNumbersIn = (text: string): string =>
  text.replace(/\+\d{7,15}(?!\d)/g, (number) => formatPhoneNumber(number))

function byPattern(code: string, own: string): string[] | null {
  for (const [begins, blocks] of patterns[code] ?? []) {
    const sizes = blocks.split(' ')
    const shape = sizes.map((size) => (size === '*' ? '(\\d{3,})' : `(\\d{${size}})`)).join('')
    const found = begins.test(own) && new RegExp(`^${shape}$`).exec(own)
    if (found) return found.slice(1)
  }
  return null
}

/** The last block has two to four digits. */
const byThree = (own: string): string[] => own.match(/\d{3}(?=\d{2})|\d+$/g) ?? [own]
