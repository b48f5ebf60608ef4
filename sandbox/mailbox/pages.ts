import { html, type Page } from '../shared/html.ts'
import { withLinks } from './links.ts'
import type { Message } from './store.ts'

export const MARK = 'mailbox — emails of the demo, nothing leaves this machine'

/** The list reloads when this value changes. */
export function versionOf(messages: Message[]): string {
  return `${messages.length} ${messages[0]?.id ?? ''}`
}

export function listPage(messages: Message[]): Page {
  const body = html`
<div class="bar" data-watch="/version" data-version="${versionOf(messages)}">
<div><h1>Mailbox</h1><p class="quiet">${countOf(messages)}</p></div>
${messages.length > 0 && html`<form method="post" action="/clear"><button>Delete all</button></form>`}
</div>
${messages.length > 0 ? html`<ul class="mails">${messages.map(row)}</ul>` : empty}`
  return { title: 'Sandbox mailbox', mark: MARK, body, width: 'middle' }
}

function row(message: Message) {
  return html`<li><a href="/messages/${message.id}">
<strong>${message.subject}</strong><span class="quiet small">${timeOf(message)}</span>
<span class="quiet small">to ${message.to.join(', ')}</span>
</a></li>`
}

const empty = html`<section class="card">
<h2>No mail yet</h2>
<p class="quiet">Emails that the portal sends, such as a password reset, appear here automatically.</p>
</section>`

export function messagePage(message: Message): Page {
  const body = html`
<p><a href="/">Back to the mailbox</a></p>
<h1>${message.subject}</h1>
<dl class="facts">
<dt>To</dt><dd>${message.to.join(', ')}</dd>
<dt>From</dt><dd>${message.from}</dd>
<dt>Received</dt><dd>${timeOf(message)}</dd>
${(message.attachments ?? []).map(({ name, bytes }) => html`<dt>Attachment</dt><dd>${name}, ${String(bytes)} bytes</dd>`)}
</dl>
<article class="card"><div class="letter">${withLinks(message.text)}</div></article>`
  return { title: `${message.subject} · Sandbox mailbox`, mark: MARK, body, width: 'middle' }
}

function countOf(messages: Message[]): string {
  if (messages.length === 0) return 'Nothing here'
  return messages.length === 1 ? '1 mail' : `${messages.length} mails, newest first`
}

function timeOf(message: Message) {
  const shown = `${message.received_at.slice(0, 10)} ${message.received_at.slice(11, 19)} UTC`
  return html`<time datetime="${message.received_at}">${shown}</time>`
}
