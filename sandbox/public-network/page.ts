import { select } from '../shared/fields.ts'
import { type Html, html, type Page } from '../shared/html.ts'
import type { DialedCall } from './caller.ts'

const MARK = 'public telephone network — calls stay on this machine'
const SHOWN = 30
const KEYPAD = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#']

export type DialView = { calls: readonly DialedCall[]; hasSwitch: boolean; now: number }

/** The page reloads when this value changes. */
export const versionOf = ({ calls, hasSwitch }: Omit<DialView, 'now'>): string =>
  [hasSwitch, ...calls.slice(0, SHOWN).map(({ id, state, keysHeard }) => `${id}${state}${keysHeard}`)].join(
    ' ',
  )

export function dialPage(view: DialView, number: string): Page {
  const { calls, hasSwitch, now } = view
  const live = calls.filter(({ state }) => state !== 'ended')
  const over = calls.filter(({ state }) => state === 'ended')
  const body = html`
<h1>Public telephone network</h1>
<p class="quiet">Dial one of the provider’s numbers, as somebody with an ordinary phone would. The call reaches the switch
through the test carrier, and rings where the number’s owner wants it to ring.</p>
${!hasSwitch && html`<p><span class="state bad">No switch is running.</span> Run ./trunkline install-switch, then start again.</p>`}
<section class="card" data-watch="/public-network/version" data-version="${versionOf(view)}"><h2>Dial</h2>
<form method="post" action="/public-network/calls">
<fieldset class="grid">
<label>Number<input name="number" type="tel" value="${number}" placeholder="+44 20 7946 0123" required></label>
<label>Caller’s number<input name="callerId" type="tel" value="+12025550143" required></label>
<label>Caller’s name<input name="name" maxlength="60" value="Grace Hopper"></label>
${select('isWithheld', 'Number shown', 'false', { false: 'yes', true: 'no, withheld' })}
${select('sound', 'The caller', 'echo', { echo: 'repeats what it hears', tone: 'plays a tone' })}
</fieldset>
<div class="actions"><button class="main">Dial</button></div>
</form></section>
<section class="card"><h2>Calls</h2>
${live.length === 0 ? html`<p class="quiet">No calls.</p>` : live.map((call) => liveCall(call, now))}
</section>
<section class="card"><h2>Ended calls</h2>
${over.length === 0 ? html`<p class="quiet">No ended calls yet.</p>` : overTable(over)}
</section>`
  return { title: 'Sandbox public network', mark: MARK, body, width: 'middle' }
}

function liveCall(call: DialedCall, now: number): Html {
  const { id, number, state, callerId, isWithheld, answeredAt, heard, keysHeard } = call
  const since = answeredAt === null ? '' : ` for ${Math.floor((now - answeredAt) / 1000)} s`
  return html`<article>
<p><strong class="mono">${number}</strong> from ${isWithheld ? 'a withheld number' : callerId}
<span class="state ${state === 'answered' ? 'good' : 'wait'}">${state}${since}</span></p>
${state === 'answered' && html`<p class="quiet">${heard > 0 ? 'Hears sound.' : 'Hears nothing yet.'}${keysHeard !== '' && ` Keys heard: ${keysHeard}`}</p>`}
<div class="actions"><form method="post" action="/public-network/calls/${id}/hangup"><button>Hang up</button></form>
${
  state === 'answered' &&
  KEYPAD.map(
    (key) =>
      html`<form method="post" action="/public-network/calls/${id}/keys"><input type="hidden" name="keys" value="${key}"><button class="slim" aria-label="Press ${key}">${key}</button></form>`,
  )
}</div>
</article>`
}

function overTable(over: readonly DialedCall[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Ended calls"><table>
<thead><tr><th>Started</th><th>Number</th><th>From</th><th>Result</th><th class="number">Seconds</th><th class="number">Packets heard</th></tr></thead>
<tbody>${over.slice(0, SHOWN).map(
    ({ startedAt, number, callerId, isWithheld, outcome, answeredAt, endedAt, heard }) => html`<tr>
<td class="mono whole">${new Date(startedAt).toISOString().slice(11, 19)}</td><td class="mono">${number}</td>
<td class="mono">${isWithheld ? 'withheld' : callerId}</td><td>${outcome}</td>
<td class="number">${answeredAt === null ? '—' : Math.round(((endedAt ?? answeredAt) - answeredAt) / 1000)}</td><td class="number">${heard}</td>
</tr>`,
  )}</tbody></table></div>`
}
