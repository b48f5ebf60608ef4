import type { User } from '@trunkline/contract/accounts'
import { paymentStates } from '@trunkline/contract/payment-states'
import type { Payment } from '@trunkline/contract/payments'
import type { Site } from '@trunkline/contract/site'
import { jsPDF } from 'jspdf'
import { formatDateTimeWithZone } from '../format/dates.ts'
import { formatMoney } from '../format/money.ts'
import { printable } from '../printable.ts'

export type ReceiptSubject = { payment: Payment; site: Site | undefined; user: User | null }
type Row = [name: string, value: string]

const LEFT = 22
const RIGHT = 188
const ROW = 9
const INK = 30
const MUTED = 110
const RULE = 205

/** One A4 page with the standard PDF fonts. */
export function drawReceipt(subject: ReceiptSubject): ArrayBuffer {
  const { payment, site } = subject
  const sheet = new jsPDF({ unit: 'mm', format: 'a4', compress: true })
  const name = site?.name ?? 'Trunkline'
  sheet.setProperties({ title: `Receipt ${payment.order_id}`, author: printable(name) })

  const write = (text: string, x: number, y: number, look: Look = {}) => {
    sheet.setFont(look.font ?? 'helvetica', look.bold ? 'bold' : 'normal')
    sheet.setFontSize(look.size ?? 10)
    sheet.setTextColor(look.muted ? MUTED : INK)
    sheet.text(printable(text), x, y, { align: look.right ? 'right' : 'left' })
  }
  const rule = (y: number) => {
    sheet.setDrawColor(RULE)
    sheet.setLineWidth(0.2)
    sheet.line(LEFT, y, RIGHT, y)
  }
  const list = (rows: Row[], from: number) =>
    rows.reduce((y, [label, value]) => {
      write(label, LEFT, y, { muted: true })
      write(value, RIGHT, y, { right: true, font: label === 'Order ID' ? 'courier' : 'helvetica' })
      rule(y + 3)
      return y + ROW
    }, from)

  write(name, LEFT, 28, { size: 13, bold: true })
  write('Receipt', RIGHT, 28, { size: 13, muted: true, right: true })
  rule(34)
  write(formatMoney(payment.amount), LEFT, 56, { size: 30, bold: true })
  write(payment.kind === 'upgrade' ? 'Upgrade to Premium' : 'Balance top-up', LEFT, 64, { muted: true })

  const below = list(factsOf(subject), 82)
  const end = list(amountsOf(payment), below + ROW)
  write('Amounts are in US dollars.', LEFT, end + 4, { size: 9, muted: true })
  if (site) write(`${site.support.email} · ${site.support.phone}`, LEFT, 280, { size: 9, muted: true })
  return sheet.output('arraybuffer')
}

type Look = {
  size?: number
  bold?: boolean
  muted?: boolean
  right?: boolean
  font?: 'helvetica' | 'courier'
}

function factsOf({ payment, user }: ReceiptSubject): Row[] {
  const rows: Row[] = [
    ['Order ID', payment.order_id],
    ['Requested', formatDateTimeWithZone(payment.created_at)],
  ]
  if (payment.paid_at) rows.push(['Paid', formatDateTimeWithZone(payment.paid_at)])
  if (user) rows.push(['Account', user.username])
  if (user?.company) rows.push(['Company', user.company])
  rows.push(['Status', paymentStates[payment.state].label])
  return rows
}

function amountsOf(payment: Payment): Row[] {
  const rows: Row[] = [['Amount', formatMoney(payment.amount)]]
  const bonusName = payment.promo_code ? `Bonus (code ${payment.promo_code})` : 'Bonus'
  rows.push([bonusName, formatMoney(payment.bonus)])
  rows.push(['Credited to balance', formatMoney(payment.credited)])
  if (payment.refunded > 0) rows.push(['Refunded', formatMoney(payment.refunded)])
  return rows
}
