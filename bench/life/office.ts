import { setTimeout as pause } from 'node:timers/promises'
import type { Paid } from './payments.ts'
import type { Person, Random } from './person.ts'
import { OTHER_PRICE, PRICE, type Town } from './town.ts'

const timezone = 'Europe/London'

/** Results of the administrators' work, and violations. */
export type OfficeWork = {
  adjustments: number
  refunds: number
  reviews: number
  edits: number
  /** Concurrent saves of two administrators where not exactly one succeeded. */
  overwritten: string[]
  hangUps: number
  exportedLines: number
}

/** Runs several administrators until a given time, each task at its own rate. */
export function startOffice(town: Town, payments: () => readonly Paid[], random: Random, until: number) {
  const { administrators, boss, readers, phones, pbxs, watched, addToBooks } = town
  const done: OfficeWork = {
    adjustments: 0,
    refunds: 0,
    reviews: 0,
    edits: 0,
    overwritten: [],
    hangUps: 0,
    exportedLines: 0,
  }
  const anyAdmin = () => random.of(administrators)
  const customers = [...readers, ...phones, ...pbxs]
  const refunded = new Set<number>()
  let key = 0
  const newKey = (what: string) => `${what}-${String(++key).padStart(6, '0')}`

  async function adjust(): Promise<void> {
    const user_id = random.of(customers).person.id
    // More credits than debits, and never a debit above the balance.
    const amount = random.below(3) === 0 ? -random.between(1, 40) / 100 : random.between(10, 300) / 100
    const body = { user_id, amount, reason: 'A correction', request_key: newKey('adjust') }
    const admin = anyAdmin()
    // Sent twice with the same key; applied once.
    const answers = await Promise.all(
      [0, 1].map(() => admin.call('POST /api/admin/balance-adjustments', { body })),
    )
    if (answers.some(Boolean)) addToBooks(user_id, amount)
    done.adjustments++
    await admin.read(['GET /api/admin/users/:id/statement', { params: { id: user_id } }])
  }

  async function refund(): Promise<void> {
    const candidate = payments().find(({ id, outcome }) => outcome === 'paid' && !refunded.has(id))
    if (!candidate) return
    const { id, kind, person, amount } = candidate
    const admin = anyAdmin()
    const seen = await admin.call('GET /api/admin/payments/:id', { params: { id } })
    if (seen?.payment.state !== 'completed') return
    refunded.add(id)
    const part = Math.round(amount * 10) / 100
    // The refund of an upgrade increases the balance; that of a top-up decreases it.
    const to = kind === 'upgrade' ? 'balance' : 'paid_out'
    const body = {
      ...({ amount: part, to, reason: 'Asked for it' } as const),
      request_key: newKey('refund'),
      ...(to === 'paid_out' && { reference: 'by transfer' }),
    }
    const answer = await admin.call('POST /api/admin/payments/:id/refunds', { params: { id }, body })
    if (!answer) return
    addToBooks(person.id, to === 'balance' ? part : -part)
    done.refunds++
  }

  async function review(): Promise<void> {
    const admin = anyAdmin()
    const list = await admin.call('GET /api/admin/payment-reviews', { query: { state: 'open' } })
    const [open] = list?.reviews ?? []
    if (!open?.payment) return
    const body = { action: 'credit', reason: 'It came' } as const
    const answer = await admin.call('POST /api/admin/payment-reviews/:id/resolve', {
      params: { id: open.id },
      body,
      allowed: [409],
    })
    if (!answer) return
    addToBooks(open.payment.user.id, answer.review.credited)
    done.reviews++
  }

  /** Two administrators save the same version: one succeeds, the other gets a conflict. */
  async function bothSave(what: string, save: (admin: Person) => Promise<unknown>): Promise<void> {
    const [one, other] = [random.of(administrators), boss]
    const saved = (await Promise.all([save(one), save(other)])).filter((answer) => answer !== null).length
    if (saved !== 1) done.overwritten.push(`${what}: ${saved} of two saved`)
    done.edits += saved
  }

  async function changePrice(): Promise<void> {
    const id = town.routeIds[2] ?? 0
    const list = await anyAdmin().call('GET /api/routes')
    const route = list?.routes.find((one) => one.id === id)
    if (!route) return
    const { version } = route
    const price = route.price === PRICE ? OTHER_PRICE : PRICE
    await bothSave('price', (admin) =>
      admin.call('PATCH /api/routes/:id', { params: { id }, body: { price, version }, allowed: [409] }),
    )
  }

  async function changeTrunk(): Promise<void> {
    const id = random.of(town.trunkIds)
    const list = await anyAdmin().call('GET /api/trunks')
    const trunk = list?.trunks.find((one) => one.id === id)
    if (trunk?.version === undefined) return
    const body = { capacity: 4_000 + random.below(1_000), version: trunk.version }
    await bothSave('trunk', (admin) =>
      admin.call('PATCH /api/trunks/:id', { params: { id }, body, allowed: [409] }),
    )
  }

  async function acknowledge(): Promise<void> {
    const admin = anyAdmin()
    const list = await admin.call('GET /api/admin/alerts')
    const ids = (list?.alerts ?? []).slice(0, 5).map(({ id }) => id)
    if (ids.length > 0) await admin.call('POST /api/admin/alerts/acknowledge', { body: { ids } })
  }

  async function lookSomebodyUp(): Promise<void> {
    const admin = anyAdmin()
    const { username, id } = random.of(customers).person
    await admin.call('GET /api/users', {
      query: { search: username.slice(0, random.between(2, username.length)) },
    })
    const params = { id }
    await Promise.all([
      admin.call('GET /api/admin/users/:id', { params }),
      admin.call('GET /api/admin/users/:id/guards', { params }),
      admin.call('GET /api/admin/cdr', { query: { user: id, timezone } }),
      admin.call('GET /api/admin/live-calls', { query: { user: id } }),
    ])
  }

  async function hangUp(): Promise<void> {
    const admin = anyAdmin()
    for (const { person } of watched) {
      const list = await admin.call('GET /api/admin/live-calls', { query: { user: person.id } })
      for (const { uniqueid, state, hangup_requested } of list?.liveCallsDetails ?? []) {
        if (state !== 'answered' || hangup_requested) continue
        const body = { uniqueid, reason: 'Looked odd' }
        // Another administrator may have been faster.
        if (await admin.call('POST /api/admin/live-calls/hangup', { body, allowed: [404] })) done.hangUps++
      }
    }
  }

  async function exportFiles(): Promise<void> {
    const admin = anyAdmin()
    const query = { timezone }
    done.exportedLines += await admin.download(['GET /api/admin/cdr.csv', { query }])
    done.exportedLines += await admin.download(['GET /api/admin/payments.csv', { query }])
    const { person } = random.of(pbxs)
    done.exportedLines += await person.download(['GET /api/cdr.csv', { query }])
  }

  async function keepDoing(everyMs: number, act: () => Promise<void>): Promise<void> {
    for (await pause(random.below(everyMs)); Date.now() < until; await pause(everyMs)) await act()
  }

  const working = Promise.all([
    keepDoing(1_500, adjust),
    keepDoing(6_000, refund),
    keepDoing(5_000, review),
    keepDoing(7_000, changePrice),
    keepDoing(9_000, changeTrunk),
    keepDoing(8_000, acknowledge),
    keepDoing(1_000, lookSomebodyUp),
    keepDoing(30_000, exportFiles),
  ])
  // Also ends the calls that are still live at the end.
  let isOver = false
  const clicking = (async () => {
    for (; !isOver; await pause(2_000)) await hangUp()
  })()
  return {
    async ended(): Promise<OfficeWork> {
      await working
      return done
    },
    async stopClicking() {
      isOver = true
      await clicking
    },
  }
}
