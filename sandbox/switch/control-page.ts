import { numberField, select } from '../shared/fields.ts'
import { type Html, html, type Page } from '../shared/html.ts'
import type { CallRecord } from './call.ts'
import type { SwitchFaults } from './faults.ts'

const MARK = 'demo switch — generated calls only, no phone rings'
const SHOWN = 30

export interface SwitchView {
  id: string
  now: number
  startedAt: number
  connections: number
  keptEvents: number
  isTrafficOn: boolean
  live: CallRecord[]
  /** Newest first. */
  over: CallRecord[]
  faults: SwitchFaults
}

/** The page reloads when this value changes. */
export const versionOf = ({ connections, isTrafficOn, live, over }: Omit<SwitchView, 'faults'>): string =>
  [connections, isTrafficOn, over[0]?.call ?? '', ...live.map((call) => `${call.call}${stateOf(call)}`)].join(
    ' ',
  )

export function controlPage(view: SwitchView): Page {
  const { id, connections, keptEvents, isTrafficOn, live, over, faults, startedAt, now } = view
  const body = html`
<h1>Demo switch</h1>
<p class="quiet">A switch without phones. It sends generated calls to call control, simulates the carriers, and can simulate
faults.</p>
<section class="card" data-watch="/sandbox/version" data-version="${versionOf(view)}"><h2>State</h2>
<dl class="facts">
<dt>Name</dt><dd class="mono">${id}</dd>
<dt>Up since</dt><dd class="mono">${new Date(startedAt).toISOString().slice(0, 19)} UTC</dd>
<dt>Call controls</dt><dd>${connections === 0 ? html`<span class="state bad">none connected</span>` : html`<span class="state good">${connections} connected</span>`}</dd>
<dt>Unacknowledged events</dt><dd>${keptEvents}</dd>
<dt>Generated calls</dt><dd>${isTrafficOn ? html`<span class="state good">running</span>` : html`<span class="state wait">paused</span>`}</dd>
</dl>
<div class="actions">
${button('/sandbox/traffic', isTrafficOn ? 'Pause calls' : 'Resume calls', { running: String(!isTrafficOn) })}
${button('/sandbox/drop', 'Close connections')}
${button('/sandbox/garbage', 'Send garbage')}
${button('/sandbox/die', 'Crash and restart')}
</div>
</section>
${placeForm()}
<section class="card"><h2>Live calls (${live.length})</h2>
${live.length === 0 ? html`<p class="quiet">No live calls.</p>` : liveTable(live, now)}
</section>
${faultForm(faults)}
<section class="card"><h2>Completed calls</h2>
${over.length === 0 ? html`<p class="quiet">No completed calls yet.</p>` : overTable(over)}
</section>`
  return { title: 'Sandbox demo switch', mark: MARK, body, width: 'wide' }
}

function button(action: string, words: string, fields: Record<string, string> = {}): Html {
  return html`<form method="post" action="${action}">${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button>${words}</button></form>`
}

function placeForm(): Html {
  return html`<section class="card"><h2>Place a call</h2>
<form method="post" action="/sandbox/calls">
<fieldset class="grid">
<label>User (empty: by address)<input name="user" value="alice"></label>
<label>Source address<input name="address" value="198.51.100.10" required></label>
<label>Number<input name="to" value="+12125550142" required></label>
${select('code', 'Carrier', '200', { 200: 'answers', 486: 'is busy', 480: 'rings, no answer', 503: 'fails', 603: 'declines' })}
${numberField('after_ms', 'Ring time in milliseconds', 4000)}
${numberField('talk_seconds', 'Talk time in seconds', 60)}
${select('hangs_up', 'Hangs up', 'caller', { caller: 'caller', callee: 'callee', nobody: 'nobody' })}
</fieldset>
<div class="actions"><button>Call</button></div>
</form></section>`
}

function faultForm({ doubled, delay_ms, jitter_ms, ignores, frozen }: SwitchFaults): Html {
  const yesNo = { false: 'no', true: 'yes' }
  return html`<section class="card"><h2>Faults</h2>
<form method="post" action="/sandbox/faults">
<fieldset class="grid">
${select('doubled', 'Send everything twice', String(doubled), yesNo)}
${numberField('delay_ms', 'Event delay in milliseconds', delay_ms)}
${numberField('jitter_ms', 'Random extra delay up to', jitter_ms)}
${select('ignores', 'Ignore call control', ignores.join(','), { '': 'never', extend: 'extensions', hangup: 'hangups', 'extend,hangup': 'both' })}
${select('frozen', 'Frozen', String(frozen), yesNo)}
</fieldset>
<div class="actions"><button>Set faults</button><button name="reset" value="1">Reset faults</button></div>
</form></section>`
}

function stateOf({ decision, answeredAt, ringingAt }: CallRecord): string {
  if (decision === 'asking') return 'asking'
  if (answeredAt !== null) return 'talking'
  return ringingAt !== null ? 'ringing' : 'trying'
}

function liveTable(live: CallRecord[], now: number): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Live calls"><table>
<thead><tr><th>Call</th><th>Caller</th><th>Number</th><th>State</th><th class="number">Seconds</th><th class="number">Covered</th><th></th></tr></thead>
<tbody>${live.slice(0, SHOWN).map((record) => {
    const state = stateOf(record)
    const since = record.answeredAt ?? record.startedAt
    return html`<tr>
<td class="mono whole">${record.call}</td><td>${record.user ?? record.address}</td><td class="mono">${record.to}</td>
<td><span class="state ${state === 'talking' ? 'good' : 'wait'}">${state}</span></td>
<td class="number">${Math.floor((now - since) / 1000)}</td><td class="number">${record.coveredSeconds ?? '—'}</td>
<td><form method="post" action="/sandbox/calls/${record.call}/hangup"><button class="slim">Hang up</button></form></td>
</tr>`
  })}</tbody></table></div>`
}

function overTable(over: CallRecord[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Completed calls"><table>
<thead><tr><th>Started</th><th>Caller</th><th>Number</th><th>Reply</th><th>Trunks</th><th class="number">Seconds</th><th>Ended by</th></tr></thead>
<tbody>${over.slice(0, SHOWN).map(
    ({ startedAt, user, address, to, code, reason, attempts, seconds, by }) => html`<tr>
<td class="mono whole">${new Date(startedAt).toISOString().slice(11, 19)}</td><td>${user ?? address}</td><td class="mono">${to}</td>
<td>${code ?? '—'} <span class="quiet">${reason}</span></td>
<td class="mono">${attempts.map(({ trunk, code: answer }) => `${trunk}: ${answer}`).join(', ') || '—'}</td>
<td class="number">${seconds}</td><td>${by}</td>
</tr>`,
  )}</tbody></table></div>`
}
