import { type Html, html } from '../shared/html.ts'

const ADDRESS = /https?:\/\/[^\s<>"'`]+/gi
/** Punctuation after a URL is not part of it. */
const TRAILING = /[.,;:!?)\]}]+$/

interface Piece {
  text: string
  isLink: boolean
}

function split(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(ADDRESS)) {
    const address = match[0].replace(TRAILING, '')
    if (!URL.canParse(address)) continue
    pieces.push({ text: text.slice(from, match.index), isLink: false }, { text: address, isLink: true })
    from = match.index + address.length
  }
  return [...pieces, { text: text.slice(from), isLink: false }]
}

export function findLinks(text: string): string[] {
  return split(text).flatMap((piece) => (piece.isLink ? [piece.text] : []))
}

/** The text with clickable http(s) links. */
export function withLinks(text: string): Html[] {
  return split(text).map((piece) =>
    piece.isLink
      ? html`<a href="${piece.text}" rel="noreferrer noopener">${piece.text}</a>`
      : html`${piece.text}`,
  )
}
