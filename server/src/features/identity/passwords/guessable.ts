import { readFileSync } from 'node:fs'
import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'

const common: ReadonlySet<string> = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
)

/** Common suffixes such as a year or an exclamation mark. */
const TAIL = /[^a-z]{1,5}$/
const KEYBOARD_ROWS = [
  '1234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
]
const LONGEST_REPEATED_BLOCK = 4

/** Refuses common and simple passwords. `names` are the username and the email address, if known. */
export function refuseGuessable(
  password: string,
  names: readonly (string | null | undefined)[],
  field: 'password' | 'newPassword',
): void {
  if (!isGuessable(password, names)) return
  const message = ownMessages.passwordGuessable
  throw new Refusal('invalid_input', message, [{ field, message }])
}

export function isGuessable(password: string, names: readonly (string | null | undefined)[] = []): boolean {
  const typed = password.toLowerCase()
  const word = typed.replace(TAIL, '')
  const own = names.flatMap((name) => (name ? [name.toLowerCase(), name.toLowerCase().split('@')[0]] : []))
  return (
    common.has(typed) ||
    common.has(word) ||
    own.some((name) => name !== '' && (name === typed || name === word || name === reversed(typed))) ||
    isRepetition(typed) ||
    isSequence(typed)
  )
}

/** Matches `aaaaaaaa`, `abababab` and `passpass`. */
function isRepetition(text: string): boolean {
  for (let size = 1; size <= LONGEST_REPEATED_BLOCK; size++) {
    const block = text.slice(0, size)
    if (block.repeat(Math.ceil(text.length / size)).slice(0, text.length) === text) return true
  }
  return false
}

/** Matches `12345678`, `hgfedcba` and `qwertyuiop`. */
function isSequence(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, at) => code - (codes[at] ?? 0)))
  if (steps.size === 1 && (steps.has(1) || steps.has(-1))) return true
  const rows = KEYBOARD_ROWS.flatMap((row) => [row + row, reversed(row + row)])
  return rows.some((row) => row.includes(text))
}

const reversed = (text: string): string => [...text].reverse().join('')
