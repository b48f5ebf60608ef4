/** Safe markup. Only `html` creates it, so external text is always escaped. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = string | number | Html | null | undefined | false | Part[]

/** Escapes every value, except markup created by `html`. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(strings.reduce((markup, text, index) => markup + render(values[index - 1]) + text))
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.markup
  if (Array.isArray(part)) return part.map(render).join('')
  return escapeText(String(part))
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}

export interface Page {
  title: string
  /** Text of the colored banner that marks the page as a sandbox. */
  mark: string
  body: Html
  width?: 'narrow' | 'middle' | 'wide'
}

export function renderPage({ title, mark, body, width = 'narrow' }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/sandbox.css">
<script type="module" src="/assets/live.js"></script>
</head>
<body>
<header class="mark"><strong>Sandbox</strong> ${mark}</header>
<main class="${width}">
${body}
</main>
</body>
</html>
`.markup
}
