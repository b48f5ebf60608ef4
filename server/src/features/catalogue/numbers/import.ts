import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import {
  NUMBER_CALLS_MAX,
  NUMBER_LABEL_MAX,
  NUMBER_NOTE_MAX,
  NUMBER_TAGS_MAX,
  PRICE_MAX_DOLLARS,
  RENT_MAX_DOLLARS,
} from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { ImportPreview } from '@trunkline/contract/numbers'
import { type AllUsers, type Caller, everyonesData } from '@trunkline/domain/access'
import { type InventoryLine, type LineFault, readInventory } from '@trunkline/domain/inventory'
import { dollars } from '@trunkline/domain/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { runYielding } from '../../../platform/event-loop.ts'
import { fingerprint } from '../../../platform/tokens.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { createImportProgress } from './import-progress.ts'
import { findImportProgress, type ImportProgress } from './import-progress-store.ts'
import {
  findImport,
  findTrunkIds,
  type InventoryValues,
  insertImport,
  insertNumbers,
  listNumbersByDigits,
  lockInventory,
  lockNumbersByDigits,
  type NewNumber,
  type NumberRow,
  updateNumbers,
} from './store.ts'
import { dollarsOf } from './view.ts'

export type NumberImports = ReturnType<typeof createNumberImports>

type Planned = {
  line: InventoryLine
  action: 'new' | 'update' | 'same' | 'invalid'
  problem: string | null
  /** The values after the import. Null for an invalid line. */
  number: NewNumber | null
  before: NumberRow | null
}

/** Numbers per statement of an import. */
const PART = 250
/** Lines in the answer. */
const SHOWN = 200
const TAG_MAX = 40
const limits = {
  rentMicros: dollars(RENT_MAX_DOLLARS),
  priceMicros: dollars(PRICE_MAX_DOLLARS),
  calls: NUMBER_CALLS_MAX,
  label: NUMBER_LABEL_MAX,
  note: NUMBER_NOTE_MAX,
  tags: NUMBER_TAGS_MAX,
  tag: TAG_MAX,
}

/** Imports lists of numbers. Known numbers are updated with the values of the list; empty fields change nothing. */
export function createNumberImports(db: Database, clock: Clock, audit: Audit) {
  async function read(csv: string): Promise<readonly InventoryLine[]> {
    const list = await runYielding(readInventory(csv, limits))
    if (list.ok) return list.lines
    const message = list.reason === 'empty' ? ownMessages.numbersFileEmpty : ownMessages.numbersFileNoColumn
    throw new Refusal('invalid_input', message, [{ field: 'csv', message }])
  }

  async function plan(
    handle: Database,
    scope: AllUsers,
    lines: readonly InventoryLine[],
    find: typeof listNumbersByDigits,
  ): Promise<Planned[]> {
    const known = new Map((await find(handle, scope, e164sOf(lines))).map((row) => [row.e164, row] as const))
    const names = new Set(lines.flatMap(({ values }) => values.trunk ?? []))
    const trunks = await findTrunkIds(handle, [...names])
    return lines.map((line) => planLine(line, known.get(line.e164 ?? '') ?? null, trunks))
  }

  return {
    async preview(caller: Caller, csv: string): Promise<ImportPreview> {
      const scope = everyonesData(caller)
      const planned = await plan(db, scope, await read(csv), listNumbersByDigits)
      const invalidFirst = [
        ...planned.filter(({ action }) => action === 'invalid'),
        ...planned.filter(({ action }) => action !== 'invalid'),
      ]
      return {
        counts: countsOf(planned),
        lines: invalidFirst.slice(0, SHOWN).map(({ line, action, problem }) => ({
          line: line.line,
          number: line.e164 === null ? line.written : `+${line.e164}`,
          country_code: line.country,
          action,
          problem,
        })),
      }
    },

    /** One transaction. A repeated request changes nothing, even if the numbers were changed since. */
    async run(
      caller: Caller,
      csv: string,
      requestKey: string,
    ): Promise<AnswerOf<'POST /api/admin/numbers/import'>> {
      const scope = everyonesData(caller)
      const lines = await read(csv)
      const hash = fingerprint(csv)
      const progress = createImportProgress(db, clock, scope, requestKey)
      const imported = db.transaction().execute(async (tx) => {
        await lockInventory(tx, scope)
        const done = await findImport(tx, requestKey)
        if (done) {
          if (done.fingerprint !== hash) throw new Refusal('key_conflict')
          return { imported: done.imported, updated: done.updated, skipped: done.skipped }
        }
        const planned = await plan(tx, scope, lines, lockNumbersByDigits)
        const numbersOf = (action: Planned['action']) =>
          planned.flatMap((each) => (each.action === action && each.number ? [each.number] : []))
        const [added, updated] = [numbersOf('new'), numbersOf('update')]
        let written = 0
        const write = async (
          numbers: readonly NewNumber[],
          save: (part: readonly NewNumber[]) => Promise<void>,
        ) => {
          for (let from = 0; from < numbers.length; from += PART) {
            progress.report(written, added.length + updated.length)
            const part = numbers.slice(from, from + PART)
            await save(part)
            written += part.length
          }
        }
        await write(added, (part) => insertNumbers(tx, part, clock.now()))
        await write(updated, (part) => updateNumbers(tx, scope, part))
        const counts = {
          imported: added.length,
          updated: updated.length,
          skipped: planned.length - added.length - updated.length,
        }
        await insertImport(tx, {
          request_key: requestKey,
          fingerprint: hash,
          ...counts,
          imported_by: caller.userId,
          imported_at: clock.now(),
        })
        await audit.writeAll(tx, caller, [
          {
            action: 'number.import',
            subject: 'numbers',
            userId: null,
            before: null,
            after: { ...counts, numbers: added.map(({ e164 }) => `+${e164}`) },
          },
          ...planned.flatMap(({ action, number, before }) =>
            action === 'update' && number && before
              ? [
                  {
                    action: 'number.update',
                    subject: `number +${number.e164}`,
                    userId: before.user_id,
                    before: auditValuesOf(before),
                    after: auditValuesOf(number),
                  },
                ]
              : [],
          ),
        ])
        return counts
      })
      return imported.finally(progress.forget)
    },

    /** Null before the first number is written, and after the end. */
    async progress(caller: Caller, requestKey: string): Promise<ImportProgress | null> {
      return (await findImportProgress(db, everyonesData(caller), requestKey)) ?? null
    },
  }
}

const e164sOf = (lines: readonly InventoryLine[]): string[] =>
  lines.flatMap(({ e164 }) => (e164 === null ? [] : [e164]))

function planLine(
  line: InventoryLine,
  before: NumberRow | null,
  trunks: ReadonlyMap<string, number>,
): Planned {
  const invalid = (problem: string): Planned => ({ line, action: 'invalid', problem, number: null, before })
  if (line.fault) return invalid(wordsOf(line.fault))
  const { values, e164, country } = line
  if (e164 === null || country === null) return invalid(ownMessages.numberInvalid)
  const trunkId = values.trunk === undefined ? before?.trunk_id : trunks.get(values.trunk.toLowerCase())
  if (values.trunk !== undefined && trunkId === undefined)
    return invalid(`There is no trunk with the name “${values.trunk}”.`)
  const monthly = values.monthly ?? before?.monthly_micros
  if (monthly === undefined) return invalid('The price per month is missing.')
  const after: InventoryValues = {
    area: values.area ?? before?.area ?? '',
    type: values.type ?? before?.type ?? line.usualType,
    trunk_id: trunkId ?? null,
    monthly_micros: monthly,
    setup_micros: values.setup ?? before?.setup_micros ?? 0n,
    price_micros: values.price ?? before?.price_micros ?? 0n,
    cost_monthly_micros: values.cost_monthly ?? before?.cost_monthly_micros ?? 0n,
    cost_micros: values.cost ?? before?.cost_micros ?? 0n,
    max_calls: values.max_calls ?? before?.max_calls ?? 10,
    tags: values.tags ?? before?.tags ?? [],
    note: values.note ?? before?.note ?? '',
  }
  const number = { e164, country: before?.country ?? country, ...after }
  const action = before === null ? 'new' : isSame(before, after) ? 'same' : 'update'
  return { line, action, problem: null, number, before }
}

const isSame = (before: NumberRow, after: InventoryValues): boolean =>
  Object.entries(after).every(
    ([name, value]) => String(before[name as keyof InventoryValues]) === String(value),
  )

const countsOf = (planned: readonly Planned[]): ImportPreview['counts'] => {
  const counts = { new: 0, update: 0, same: 0, invalid: 0 }
  for (const { action } of planned) counts[action]++
  return counts
}

const auditValuesOf = (values: InventoryValues): Record<string, unknown> => ({
  area: values.area,
  type: values.type,
  trunk_id: values.trunk_id,
  monthly: dollarsOf(values.monthly_micros),
  setup: dollarsOf(values.setup_micros),
  price: dollarsOf(values.price_micros),
  cost_monthly: dollarsOf(values.cost_monthly_micros),
  cost: dollarsOf(values.cost_micros),
  max_calls: values.max_calls,
  tags: values.tags,
  note: values.note,
})

const INVALID_VALUES: Readonly<Record<string, string>> = {
  area: `The area can have up to ${NUMBER_LABEL_MAX} characters.`,
  trunk: `The trunk can have up to ${NUMBER_LABEL_MAX} characters.`,
  note: `The note can have up to ${NUMBER_NOTE_MAX} characters.`,
  monthly: 'The price per month must be an amount from $0 to $10,000.',
  setup: 'The set-up fee must be an amount from $0 to $10,000.',
  price: 'The price per minute must be an amount from $0 to $1,000.',
  cost_monthly: 'The cost per month must be an amount from $0 to $10,000.',
  cost: 'The cost per minute must be an amount from $0 to $1,000.',
  max_calls: `The number of calls must be from 1 to ${NUMBER_CALLS_MAX}.`,
  tags: `A number can have up to ${NUMBER_TAGS_MAX} tags of ${TAG_MAX} characters.`,
}

function wordsOf(fault: LineFault): string {
  switch (fault.kind) {
    case 'number_invalid':
      return 'This is not a valid phone number. Write it in international format or give its country.'
    case 'country_unknown':
      return 'This country is unknown. Write its English name or its two-letter code.'
    case 'country_differs':
      return ownMessages.numberCountryDiffers
    case 'type_unknown':
      return 'The type must be local, mobile, national or toll-free.'
    case 'quote_open':
      return 'A quotation mark is never closed.'
    case 'duplicate':
      return `This number is already on line ${fault.line}.`
    case 'value_invalid':
      return INVALID_VALUES[fault.column] ?? 'This line has an invalid value.'
  }
}
