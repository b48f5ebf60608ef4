import { type Html, html, type Page } from '../shared/html.ts'
import {
  confirmedMicros,
  fromMicros,
  type Invoice,
  remainingMicros,
  type Status,
  toMicros,
} from './invoice.ts'

const MARK = 'payment page — test money only, nothing is charged'

const WORDS: Record<Status, { label: string; tone: 'good' | 'wait' | 'bad' }> = {
  new: { label: 'New', tone: 'wait' },
  waiting: { label: 'Waiting', tone: 'wait' },
  paying: { label: 'Confirming', tone: 'wait' },
  paid: { label: 'Paid', tone: 'good' },
  manual_accept: { label: 'Accepted manually', tone: 'good' },
  underpaid: { label: 'Underpaid', tone: 'bad' },
  refunding: { label: 'Refunding', tone: 'wait' },
  refunded: { label: 'Refunded', tone: 'bad' },
  expired: { label: 'Expired', tone: 'bad' },
}

export function stateBadge(status: Status): Html {
  return html`<span class="state ${WORDS[status].tone}">${WORDS[status].label}</span>`
}

/** The page reloads when this value changes. */
export function versionOf(invoice: Invoice): string {
  return `${invoice.status} ${invoice.payments.length} ${confirmedMicros(invoice)}`
}

export function paymentPage(invoice: Invoice, now: number, problem?: string): Page {
  const { request, status, track_id } = invoice
  const isOver = now >= invoice.expiresAt
  const body = html`
<section class="card" data-watch="/pay/${track_id}/version" data-version="${versionOf(invoice)}">
<div class="bar"><span class="quiet">Payment request</span>${stateBadge(status)}</div>
<h1 class="amount">${money(toMicros(request.amount))} <small>${request.currency}</small></h1>
<p>${request.description || 'No description'}</p>
<dl class="facts">
<dt>Order</dt><dd class="mono">${request.order_id || '—'}</dd>
<dt>Track id</dt><dd class="mono">${track_id}</dd>
${received(invoice)}
${timeLeft(invoice, now)}
</dl>
</section>
${problem && html`<p class="card" role="alert">${problem}</p>`}
${isPayable(invoice, isOver) ? payForms(invoice) : outcome(invoice)}
${request.return_url && html`<p class="way-back"><a class="${returnStyle(status)}" href="${request.return_url}">Return to merchant</a></p>`}`
  return { title: `Pay ${money(toMicros(request.amount))} · Sandbox payment page`, mark: MARK, body }
}

export const MISSING_MARK = MARK

/** The rest of an underpaid invoice can be paid until it expires. */
function isPayable({ status }: Invoice, isOver: boolean): boolean {
  return status === 'new' || status === 'waiting' || (status === 'underpaid' && !isOver)
}

function received(invoice: Invoice): Html | null {
  if (invoice.payments.length === 0) return null
  const remaining = remainingMicros(invoice)
  return html`<dt>Received</dt><dd>${money(confirmedMicros(invoice))}</dd>
${remaining > 0 && html`<dt>Missing</dt><dd>${money(remaining)}</dd>`}`
}

function timeLeft(invoice: Invoice, now: number): Html | null {
  const seconds = Math.ceil((invoice.expiresAt - now) / 1000)
  if (seconds <= 0 || !isPayable(invoice, false)) return null
  const minutes = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return html`<dt>Time left</dt><dd><span data-seconds-left="${seconds}">${minutes}</span></dd>`
}

function payForms(invoice: Invoice): Html {
  const due = remainingMicros(invoice)
  const action = `/pay/${invoice.track_id}`
  return html`<section class="card" aria-label="Pay">
<form method="post" action="${action}"><button class="main">Pay ${money(due)}</button></form>
${amountForm(action, { id: 'less', label: 'Or an amount below', button: 'Pay less', amount: due * 0.9 })}
${amountForm(action, { id: 'more', label: 'Or an amount above', button: 'Pay more', amount: due * 1.1 })}
<form class="line" method="post" action="${action}/expire">
<span class="small quiet">Or skip the waiting time</span><button>Let it expire</button>
</form>
</section>`
}

function amountForm(
  action: string,
  field: { id: string; label: string; button: string; amount: number },
): Html {
  const cents = (Math.max(1, Math.round(field.amount / 10_000)) / 100).toFixed(2)
  return html`<form class="line" method="post" action="${action}">
<label for="${field.id}">${field.label}
<input id="${field.id}" name="amount" type="number" inputmode="decimal" min="0.01" max="1000000" step="0.01" value="${cents}" required></label>
<button>${field.button}</button>
</form>`
}

function outcome(invoice: Invoice): Html {
  const { request, status } = invoice
  if (status === 'expired') {
    return html`<section class="card"><h2>This request has expired</h2>
<p class="quiet">Nothing was paid. On a real blockchain a payment can still arrive late. You can test that here:</p>
<form method="post" action="/pay/${invoice.track_id}"><button>Pay ${money(remainingMicros(invoice))} late</button></form>
</section>`
  }
  return html`<section class="card" role="status"><h2>${HEADLINES[status]}</h2>
<p class="quiet">${status === 'paid' ? request.thanks_message : EXPLANATIONS[status]}</p></section>`
}

const HEADLINES: Partial<Record<Status, string>> = {
  paying: 'Payment detected',
  paid: 'Payment received',
  manual_accept: 'Payment accepted',
  underpaid: 'Underpaid',
  refunding: 'Refund in progress',
  refunded: 'The payment was refunded',
}
const EXPLANATIONS: Partial<Record<Status, string>> = {
  paying: 'Waiting for confirmation by the network. This page updates automatically.',
  manual_accept: 'The merchant accepted this payment manually.',
  underpaid: 'The time to pay the rest is over. The merchant decides what happens next.',
}

function returnStyle(status: Status): string {
  return status === 'paid' || status === 'manual_accept' ? 'button main' : ''
}

export function money(micros: number): string {
  const amount = fromMicros(micros)
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 6 }
  return `$${amount.toLocaleString('en-US', digits)}`
}
