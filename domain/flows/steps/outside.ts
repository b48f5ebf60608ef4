import { cut, fill } from '../variables.ts'
import { type Handler, leave, stay } from './handler.ts'

/** Steps that talk to other systems. */

export const http: Handler<'http'> = {
  enter: ({ url, seconds, saves }, { variables }) =>
    stay({ kind: 'http' }, { type: 'http', url, variables, seconds, saves }),
  react({ saves }, _phase, event) {
    if (event.type === 'http_failed') return leave(event.isTimeout ? 'timeout' : 'failed')
    if (event.type !== 'http') return null
    const isGood = event.status >= 200 && event.status < 300
    return isGood ? leave('next', [], cut(event.variables, [...saves])) : leave('failed')
  },
}

export const mail: Handler<'mail'> = {
  enter: ({ to, subject, text }, { variables }) =>
    stay(
      { kind: 'mail' },
      {
        type: 'mail',
        to: fill(to, variables).trim(),
        subject: fill(subject, variables),
        text: fill(text, variables),
      },
    ),
  react(_step, _phase, event) {
    if (event.type === 'mailed') return leave('next')
    return event.type === 'mail_failed' ? leave('failed') : null
  },
}
