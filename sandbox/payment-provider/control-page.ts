import { numberField, select } from '../shared/fields.ts'
import { type Html, html, type Page } from '../shared/html.ts'
import type { CallbackLogEntry } from './callbacks.ts'
import type { FaultState } from './faults.ts'
import { canAct, HAND_ACTIONS, type HandAction, type Invoice, toMicros } from './invoice.ts'
import { money, stateBadge } from './payment-page.ts'

const MARK = 'payment provider — control page, test money only'
const SHOWN = 50

interface View {
  invoices: Invoice[]
  log: readonly CallbackLogEntry[]
  faults: FaultState
  now: number
  retrySeconds: number[]
}

export function controlPage({ invoices, log, faults, now, retrySeconds }: View): Page {
  const body = html`
<h1>Payment provider</h1>
<p class="quiet">Invoices and callbacks of the demo's crypto payment provider, and faults to test the portal with.</p>
<section class="card"><h2>Clock</h2>
<p>Provider time: <strong class="mono">${new Date(now).toISOString().slice(0, 19)} UTC</strong>.
<span class="quiet">A callback without an “ok” response is retried after ${retrySeconds.map(spell).join(', ')}.</span></p>
<div class="actions">${CLOCK_STEPS.map(clockButton)}</div>
</section>
${faultForm(faults)}
<section class="card"><h2>Invoices</h2>
${invoices.length === 0 ? html`<p class="quiet">No invoices yet. Top up in the portal to create one.</p>` : invoiceTable(invoices)}
</section>
<section class="card"><h2>Callbacks</h2>
${log.length === 0 ? html`<p class="quiet">No callbacks since the provider started.</p>` : logTable(log)}
</section>`
  return { title: 'Sandbox payment provider', mark: MARK, body, width: 'wide' }
}

const CLOCK_STEPS = [60, 31 * 60, 4 * 3600]

function spell(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

function clockButton(seconds: number): Html {
  return html`<form method="post" action="/sandbox/advance"><input type="hidden" name="seconds" value="${seconds}">
<button>Advance ${spell(seconds)}</button></form>`
}

/** One field for each simple fault; the others can be set by JSON. */
function faultForm({ callbacks, create, read, confirmation_seconds }: FaultState): Html {
  const drop = Array.isArray(callbacks.drop) ? callbacks.drop.join(',') : String(callbacks.drop)
  return html`<section class="card"><h2>Faults</h2>
<form method="post" action="/sandbox/faults">
<fieldset class="grid">
${numberField('copies', 'Copies of each callback', callbacks.copies, 1)}
${select('order', 'Order of callbacks', callbacks.order, { kept: 'original', reversed: 'reversed', shuffled: 'shuffled' })}
${numberField('delay_seconds', 'Callbacks delayed by seconds', callbacks.delay_seconds, 0)}
${select('drop', 'Callbacks dropped', drop, { false: 'none', true: 'all', paid: 'only “paid”' })}
${select('signature', 'Signature', callbacks.signature, { right: 'valid', wrong: 'wrong', missing: 'missing', altered_body: 'body altered' })}
${select('create', 'Create an invoice', createChoice(create), CREATE_CHOICES)}
${select('read', 'Read a payment', read?.kind ?? 'ok', READ_CHOICES)}
${numberField('confirmation_seconds', 'Seconds until confirmation', confirmation_seconds, 0)}
</fieldset>
<div class="actions"><button>Set faults</button><button name="reset" value="1">Reset faults</button></div>
</form></section>`
}

function createChoice(create: FaultState['create']): string {
  if (!create) return 'ok'
  if (!('created' in create)) return create.kind
  return `${create.kind}_${create.created ? 'created' : 'not_created'}`
}

const CREATE_CHOICES = {
  ok: 'answered',
  error: 'fails with an error',
  garbage: 'returns invalid JSON',
  no_payment_url: 'returns no payment_url',
  timeout_created: 'never answered, but created',
  timeout_not_created: 'never answered, not created',
  disconnect_created: 'cut off, but created',
  disconnect_not_created: 'cut off, not created',
}
const READ_CHOICES = {
  ok: 'answered',
  error: 'fails with an error',
  garbage: 'returns invalid JSON',
  timeout: 'never answered',
  disconnect: 'cut off',
}

const ACTION_WORDS: Record<HandAction, string> = {
  accept: 'Accept',
  refund: 'Refund',
  'complete-refund': 'Complete refund',
}

function invoiceTable(invoices: Invoice[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Invoices"><table>
<thead><tr><th>Track id</th><th>Order</th><th class="number">Amount</th><th>State</th><th>Actions</th></tr></thead>
<tbody>${invoices.slice(0, SHOWN).map(
    (invoice) => html`<tr>
<td class="mono whole"><a href="/pay/${invoice.track_id}">${invoice.track_id}</a></td>
<td class="mono">${invoice.request.order_id}</td>
<td class="number">${money(toMicros(invoice.request.amount))}</td>
<td>${stateBadge(invoice.status)}</td>
<td><div class="actions">${HAND_ACTIONS.filter((action) => canAct(invoice, action)).map(
      (action) => html`<form method="post" action="/sandbox/${action}/${invoice.track_id}">
<button class="slim">${ACTION_WORDS[action]}</button></form>`,
    )}</div></td>
</tr>`,
  )}</tbody></table></div>`
}

function logTable(log: readonly CallbackLogEntry[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Callbacks"><table>
<thead><tr><th>Time</th><th>Track id</th><th>Status</th><th>Attempt</th><th>Outcome</th></tr></thead>
<tbody>${log
    .slice(-SHOWN)
    .toReversed()
    .map(
      (entry) => html`<tr>
<td class="mono whole">${entry.at.slice(11, 19)}</td>
<td class="mono whole">${entry.track_id}</td>
<td>${entry.status}</td>
<td>${entry.attempt || '—'}</td>
<td>${entry.outcome}${entry.answer_status !== null && html` <span class="quiet">${entry.answer_status} ${entry.answer_body?.slice(0, 60)}</span>`}
${entry.error && html` <span class="quiet">${entry.error}</span>`}</td>
</tr>`,
    )}</tbody></table></div>`
}
