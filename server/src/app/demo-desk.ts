import { reasonTexts } from '@trunkline/contract/call-reasons'
import type { Caller } from '@trunkline/domain/access'
import type { PastEvent } from '../features/calls/demo-history/service.ts'
import type { UserNotes } from '../features/desk/admin-users/notes.ts'
import type { UserTags } from '../features/desk/admin-users/tags.ts'
import type { ContactAdministration } from '../features/desk/contact/administration.ts'
import type { Contact } from '../features/desk/contact/service.ts'
import type { TicketAdministration } from '../features/desk/tickets/administration.ts'
import type { CannedReplies } from '../features/desk/tickets/canned-replies.ts'
import type { Tickets } from '../features/desk/tickets/service.ts'
import type { AlertAdministration } from '../features/identity/alerts/administration.ts'
import type { Alerts } from '../features/identity/alerts/service.ts'
import { earlier, HOUR, later, MINUTE } from '../platform/clock.ts'

type Desk = {
  tickets: Tickets
  ticketAdministration: TicketAdministration
  cannedReplies: CannedReplies
  contact: Contact
  contactAdministration: ContactAdministration
  userNotes: UserNotes
  userTags: UserTags
  alerts: Alerts
  alertAdministration: AlertAdministration
}

/** `after` is the time since the previous message. A note is internal. */
type Said = { by: 'customer' | 'staff' | 'note'; after: number; text: string }
type DemoTicket = {
  username: string
  hoursAgo: number
  subject: string
  priority: 'high' | 'medium'
  text: string
  thread: readonly Said[]
  isAssigned?: boolean
  isClosed?: boolean
}

const cannedReplies = [
  {
    name: 'One-way audio',
    text: 'Please turn off SIP ALG on your router and allow UDP from our media ports. Then make a test call to +44 20 7946 0958 and tell us the time of the call.',
  },
  {
    name: 'Payment under review',
    text: 'Thank you. Your payment arrived with a different amount than the invoice. We check it today and credit what we received.',
  },
  {
    name: 'Route quality',
    text: 'We moved this destination to another carrier. Please try again and send us the number and time of any call that still fails.',
  },
]

const tickets: readonly DemoTicket[] = [
  {
    username: 'northwind',
    hoursAgo: 41 * 24,
    subject: 'Second trusted address for our PBX',
    priority: 'medium',
    text: 'We move our PBX to a second line next week. Can calls come from both addresses for some days?',
    thread: [
      {
        by: 'staff',
        after: 3 * HOUR,
        text: 'Yes. Add the second address under Connect. Both stay valid until you remove one.',
      },
      { by: 'customer', after: 20 * HOUR, text: 'Works, thank you.' },
    ],
    isAssigned: true,
    isClosed: true,
  },
  {
    username: 'contoso-support',
    hoursAgo: 20.5 * 24,
    subject: 'Paid twice',
    priority: 'high',
    text: 'Our bookkeeper paid the invoice over $300 although we had topped up before. Please pay it back.',
    thread: [
      {
        by: 'note',
        after: HOUR,
        text: 'Checked the statement: both payments arrived. Refund the second one.',
      },
      { by: 'staff', after: 2 * HOUR, text: 'We sent the $300 back today.' },
    ],
    isAssigned: true,
    isClosed: true,
  },
  {
    username: 'globe-imports',
    hoursAgo: 6 * 24,
    subject: 'Calls to Mumbai ring very late',
    priority: 'high',
    text: 'Since Monday calls to +91 22 need eight seconds until they ring, and every second call fails.',
    thread: [
      { by: 'staff', after: 90 * MINUTE, text: cannedReplies[2]?.text ?? '' },
      { by: 'customer', after: 26 * HOUR, text: 'A little better, but still slow in the morning.' },
      {
        by: 'note',
        after: HOUR,
        text: 'Ganga Transit: low answer rate and long post-dial delay all week. Ask them, or lower the priority.',
      },
    ],
    isAssigned: true,
  },
  {
    username: 'acme-dialer',
    hoursAgo: 7.5 * 24,
    subject: 'Payment of $1,000 is missing',
    priority: 'high',
    text: 'We paid on our side, but the balance did not change. The exchange kept a fee.',
    thread: [{ by: 'staff', after: 4 * HOUR, text: cannedReplies[1]?.text ?? '' }],
    isAssigned: true,
  },
  {
    username: 'alice',
    hoursAgo: 30,
    subject: 'No sound on some calls to Germany',
    priority: 'medium',
    text: 'Since this morning two of ten calls to +49 30 are silent for the first seconds. Can you look at them?',
    thread: [
      { by: 'staff', after: 50 * MINUTE, text: cannedReplies[0]?.text ?? '' },
      {
        by: 'note',
        after: 5 * MINUTE,
        text: 'Rheinfunk had a short outage at the same time, see the alert.',
      },
    ],
  },
  {
    username: 'pixel-rentals',
    hoursAgo: 5,
    subject: 'Which coins can we pay with?',
    priority: 'medium',
    text: 'Our balance is almost used up. Is there a way to pay without the 30 minute limit?',
    thread: [],
  },
  {
    username: 'paula',
    hoursAgo: 1.4,
    subject: 'Invoice for our accountant',
    priority: 'medium',
    text: 'Please tell us where we find a list of all payments of this year.',
    thread: [],
  },
]

const contactRequests = [
  {
    hoursAgo: 15 * 24,
    isHandled: true,
    name: 'Ingrid Solheim',
    email: 'ingrid@fjordhotels.example',
    phone: '+47 22 55 01 23',
    message: 'We run six hotels and want to replace our telephone lines. Can you port our numbers?',
  },
  {
    hoursAgo: 52,
    isHandled: false,
    name: 'Marco Bianchi',
    email: 'marco@nordsud.example',
    phone: '',
    message: 'How many calls at the same time are possible on one account? We need about 200.',
  },
  {
    hoursAgo: 3,
    isHandled: false,
    name: 'Dana Whitfield',
    email: 'dana@clearwaterclinic.example',
    phone: '+1 312 555 0147',
    message: 'Please send me prices for calls from a medical office in Chicago, about 2,000 minutes a month.',
  },
]

const tags: Readonly<Record<string, readonly string[]>> = {
  northwind: ['key-account', 'pbx'],
  paula: ['key-account'],
  'acme-dialer': ['call-center', 'watch'],
  'contoso-support': ['call-center', 'pbx'],
  'harbor-dental': ['small-office'],
  'globe-imports': ['international'],
  'pixel-rentals': ['small-office', 'watch'],
  'oldtown-cafe': ['closed'],
}

const notes = [
  {
    username: 'northwind',
    daysAgo: 60,
    isPinned: true,
    text: 'Contact in emergencies: IT desk, day and night.',
  },
  {
    username: 'acme-dialer',
    daysAgo: 33,
    isPinned: true,
    text: 'Many short calls. Keep the limit of 30 calls per second; carriers complained in spring.',
  },
  { username: 'acme-dialer', daysAgo: 8, isPinned: false, text: 'Payment under review, customer was told.' },
  {
    username: 'globe-imports',
    daysAgo: 16,
    isPinned: false,
    text: 'Gets the introductory price to Brazil until the end of the year. We lose money on it.',
  },
  { username: 'oldtown-cafe', daysAgo: 33, isPinned: true, text: 'Closed at the wish of the owner.' },
]

type Past = {
  now: Date
  admin: Caller
  idOf(username: string): number
  trunkIdOf(name: string): number
}

/** Tickets, contact requests, notes, tags and alerts. */
export function deskEvents(desk: Desk, { now, admin, idOf, trunkIdOf }: Past): PastEvent[] {
  const hoursBefore = (hours: number) => earlier(now, Math.round(hours * HOUR))
  const events: PastEvent[] = []
  const happens = (at: Date, run: () => Promise<unknown>) =>
    events.push({
      at,
      async run() {
        await run()
      },
    })

  for (const [index, reply] of cannedReplies.entries())
    happens(hoursBefore(70.2 * 24 - index), () => desk.cannedReplies.create(admin, reply))
  for (const [index, [username, wanted]] of Object.entries(tags).entries())
    happens(hoursBefore((60.3 - 5 * index) * 24), async () => {
      for (const tag of wanted) await desk.userTags.add(admin, idOf(username), tag)
    })
  for (const { username, daysAgo, isPinned, text } of notes)
    happens(hoursBefore(daysAgo * 24 + 2.3), async () => {
      const { id } = await desk.userNotes.add(admin, idOf(username), text)
      if (isPinned) await desk.userNotes.change(admin, id, { is_pinned: true })
    })
  tickets.forEach(addTicket)
  contactRequests.forEach(addContactRequest)
  addAlerts()
  return events

  function addTicket({ hoursAgo, subject, priority, text: message, ...ticket }: DemoTicket): void {
    const caller = { userId: idOf(ticket.username), isAdmin: false }
    let at = hoursBefore(hoursAgo)
    let id = 0
    happens(at, async () => {
      const opened = await desk.tickets.open(caller, { subject, priority, message })
      id = opened.id
      if (ticket.isAssigned) await desk.ticketAdministration.change(admin, id, { assignee_id: admin.userId })
    })
    for (const { by, after, text } of ticket.thread) {
      at = later(at, after)
      happens(at, () => {
        if (by === 'customer') return desk.tickets.reply(caller, id, text)
        if (by === 'staff') return desk.ticketAdministration.reply(admin, id, text)
        return desk.ticketAdministration.addNote(admin, id, text)
      })
    }
    if (ticket.isClosed)
      happens(later(at, HOUR), () => desk.ticketAdministration.change(admin, id, { status: 'closed' }))
  }

  function addContactRequest({ hoursAgo, isHandled, ...request }: (typeof contactRequests)[number]): void {
    happens(hoursBefore(hoursAgo), () => desk.contact.receive(request, ADDRESS))
    if (isHandled)
      happens(hoursBefore(hoursAgo - 4), async () => {
        const { requests } = await desk.contactAdministration.list(admin, { state: 'open', limit: 1 })
        for (const { id } of requests) await desk.contactAdministration.mark(admin, id, true)
      })
  }

  /** Payments and calls have raised their own alerts. These are the other kinds. */
  function addAlerts(): void {
    const acme = idOf('acme-dialer')
    const alice = idOf('alice')
    const rheinfunk = `trunk:${trunkIdOf('Rheinfunk Frankfurt')}`
    happens(hoursBefore(30), () =>
      desk.alerts.raise({
        kind: 'trunk_down',
        subject: rheinfunk,
        userId: null,
        details: { switch: 'demo', code: 408 },
        message:
          'Rheinfunk Frankfurt does not respond to Demo switch (408). It gets no calls until it recovers.',
      }),
    )
    happens(hoursBefore(29.6), () => desk.alerts.close('trunk_down', rheinfunk))
    for (const hoursAgo of [27, 26.5, 26.1])
      happens(hoursBefore(hoursAgo), () =>
        desk.alerts.raise({
          kind: 'too_many_calls_per_second',
          subject: `user:${acme}`,
          userId: acme,
          details: { dialed: '12125550123', route: 'USA Wholesale' },
          message: reasonTexts.too_many_calls_per_second,
        }),
      )
    happens(hoursBefore(9), () =>
      desk.alerts.raise({
        kind: 'failed_sign_ins',
        subject: `user:${alice}`,
        userId: alice,
        details: { address: '203.0.113.17' },
        message: '5 sign-ins to the account failed, the last from 203.0.113.17.',
      }),
    )
    // The operator has read the older alerts.
    happens(hoursBefore(13.7 * 24), async () => {
      const { alerts } = await desk.alertAdministration.list(admin, { state: 'open', limit: 100 })
      const ids = alerts.map(({ id }) => id)
      if (ids.length > 0) await desk.alertAdministration.acknowledgeMany(admin, ids)
    })
  }
}

/** From a range reserved for documentation. */
const ADDRESS = '203.0.113.200'
