import { type Habit, habits } from '../carriers/start.ts'
import { select } from '../shared/fields.ts'
import { type Html, html, type Page } from '../shared/html.ts'
import type { DialedCall } from './caller.ts'
import { resultOf } from './results.ts'

const MARK = 'public telephone network — calls stay on this machine'
const SHOWN = 30
const KEYPAD = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#']

/** A number that the page calls with one click. */
export type OfferedNumber = { number: string; username: string; area: string }

export type DialView = {
  calls: readonly DialedCall[]
  offered: readonly OfferedNumber[]
  hasSwitch: boolean
  /** Phones that customers call. */
  outside: { habit: Habit; ringing: number; answered: number; keysHeard: string }
  now: number
}

/** The form for any number, filled in with `number`. `isDialing`: it sends itself. */
export type DialForm = { number: string; isDialing: boolean; problem: string }

/** The page reloads when this value changes. */
export const versionOf = ({ calls, hasSwitch, outside }: DialView): string =>
  [
    hasSwitch,
    ...Object.values(outside),
    ...calls.slice(0, SHOWN).map(({ id, state, keysHeard }) => `${id}${state}${keysHeard}`),
  ].join(' ')

export function dialPage(view: DialView, form: DialForm): Page {
  const { calls, offered, hasSwitch } = view
  const ended = calls.filter(({ state }) => state === 'ended')
  const body = html`
<h1>Public telephone network</h1>
<p class="quiet">Call one of the provider’s numbers from an ordinary phone. The call reaches the switch through the test
carrier, and rings where the owner of the number wants it to ring.</p>
${!hasSwitch && html`<p><span class="state bad">No switch is running.</span> Run ./trunkline install-switch, then start again.</p>`}
<section class="card" data-watch="/public-network/version" data-version="${versionOf(view)}"><h2>Calls</h2>
${currentCalls(view)}
</section>
${hasSwitch && offered.length > 0 && offers(offered)}
${dialForm(form)}
${outsidePhones(view.outside)}
<section class="card"><h2>Ended calls</h2>
${ended.length === 0 ? html`<p class="quiet">No ended calls yet.</p>` : endedTable(ended)}
</section>`
  return { title: 'Sandbox public network', mark: MARK, body, width: 'wide' }
}

/** The live calls, or the result of the last one. */
function currentCalls({ calls, now }: DialView): Html | Html[] {
  const live = calls.filter(({ state }) => state !== 'ended')
  if (live.length > 0) return live.map((call) => liveCall(call, now))
  const [last] = calls
  if (!last) return html`<p class="quiet">No calls.</p>`
  const { tone, word, detail } = resultOf(last)
  return html`<article>
<p><strong class="mono">${last.number}</strong> <span class="state ${tone}">${word}</span></p>
<p class="quiet">${detail}</p>
</article>`
}

function liveCall(call: DialedCall, now: number): Html {
  const { id, number, state, callerId, isWithheld, answeredAt, heard, keysHeard } = call
  const since = answeredAt === null ? '' : ` for ${Math.floor((now - answeredAt) / 1000)} s`
  return html`<article>
<p><strong class="mono">${number}</strong> from ${isWithheld ? 'a withheld number' : callerId}
<span class="state ${state === 'answered' ? 'good' : 'wait'}">${state}${since}</span></p>
<p class="quiet">${
    state === 'answered'
      ? `${heard > 0 ? 'Hears sound.' : 'Hears nothing yet.'}${keysHeard && ` Keys heard: ${keysHeard}`}`
      : 'Answer it in the portal, or on a phone of the owner.'
  }</p>
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

const offers = (offered: readonly OfferedNumber[]): Html => html`<section class="card"><h2>Demo numbers</h2>
<p class="quiet">Sign in to the portal as the owner, in another tab. The phone there rings, unless the number leads to a flow.</p>
<ul class="offers">${offered.map(
  ({ number, username, area }) => html`<li><form method="post" action="/public-network/calls">
<input type="hidden" name="number" value="${number}"><input type="hidden" name="name" value="Grace Hopper">
<button class="whole" aria-label="Call ${number}, ${username}">Call ${number}</button>
<span class="quiet small">${username}, ${area}</span></form></li>`,
)}</ul>
</section>`

const dialForm = ({
  number,
  isDialing,
  problem,
}: DialForm): Html => html`<section class="card"><h2>Dial any number</h2>
${problem !== '' && html`<p role="alert"><span class="state bad">${problem}</span></p>`}
<form method="post" action="/public-network/calls"${isDialing && html` data-submits`}>
<fieldset class="grid">
<label>Number<input name="number" type="tel" value="${number}" placeholder="+44 20 7946 0123" required></label>
<label>Caller ID<input name="callerId" type="tel" value="+12025550143" required></label>
<label>Caller’s name<input name="name" maxlength="60" value="Grace Hopper"></label>
${select('isWithheld', 'Caller ID shown', 'false', { false: 'yes', true: 'no, withheld' })}
${select('sound', 'The caller', 'echo', { echo: 'repeats what it hears', tone: 'plays a tone' })}
</fieldset>
<div class="actions"><button class="main">Dial</button></div>
</form></section>`

const outsidePhones = ({
  habit,
  ringing,
  answered,
  keysHeard,
}: DialView['outside']): Html => html`<section class="card"><h2>Phones that customers call</h2>
<p class="quiet">Calls from the portal to outside numbers arrive here. Numbers that end in 86 are busy, in 80 never answered.</p>
<form method="post" action="/public-network/outside">
<fieldset class="grid">${select('habit', 'Outside phones', habit, habits)}</fieldset>
<div class="actions"><button>Save</button></div>
</form>
<p>${ringing} ringing, ${answered} answered.${keysHeard && ` Keys heard: ${keysHeard}`}</p>
<div class="actions">
${ringing > 0 && html`<form method="post" action="/public-network/outside/answer"><button>Answer ringing calls</button></form>`}
${answered > 0 && html`<form method="post" action="/public-network/outside/hangup"><button>Hang up answered calls</button></form>`}
</div></section>`

function endedTable(ended: readonly DialedCall[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Ended calls"><table>
<thead><tr><th>Started</th><th>Number</th><th>From</th><th>Result</th><th class="number whole">Seconds</th><th class="number whole">Packets heard</th></tr></thead>
<tbody>${ended.slice(0, SHOWN).map((call) => {
    const { startedAt, number, callerId, isWithheld, outcome, answeredAt, endedAt, heard } = call
    const { tone, word } = resultOf(call)
    return html`<tr>
<td class="mono whole">${new Date(startedAt).toISOString().slice(11, 19)}</td><td class="mono whole">${number}</td>
<td class="mono whole">${isWithheld ? 'withheld' : callerId}</td><td><span class="state ${tone}">${word}</span> <span class="quiet">${outcome}</span></td>
<td class="number">${answeredAt === null ? '—' : Math.round(((endedAt ?? answeredAt) - answeredAt) / 1000)}</td><td class="number">${heard}</td>
</tr>`
  })}</tbody></table></div>`
}
