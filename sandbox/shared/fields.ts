import { type Html, html } from './html.ts'

export function select(name: string, label: string, chosen: string, choices: Record<string, string>): Html {
  // A value set by JSON may have no label; show it as is.
  const all = chosen in choices ? choices : { ...choices, [chosen]: chosen }
  return html`<label>${label}<select name="${name}">${Object.entries(all).map(
    ([value, words]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`,
  )}</select></label>`
}

export function numberField(name: string, label: string, value: number, min = 0): Html {
  return html`<label>${label}<input name="${name}" type="number" min="${min}" step="1" value="${value}" required></label>`
}
