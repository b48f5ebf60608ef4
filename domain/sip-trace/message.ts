/** The parts of a SIP message that tell which call it belongs to. */
export type SipHead = {
  firstLine: string
  isRequest: boolean
  /** Of a request its method, of a reply the method that it answers. */
  method: string
  /** Null for a request. */
  status: number | null
  callId: string
  fromTag: string
  /** Empty before the dialog exists. */
  toTag: string
  cseq: string
  /** Branch and transport of the topmost Via. */
  branch: string
  transport: string
}

/** Header lines with continuation lines joined, and the body. Lines end with CRLF, LF or CR. */
export function splitMessage(text: string): { firstLine: string; headers: string[]; body: string } {
  const end = /\r\n\r\n|\n\n|\r\r|\r\n\n|\n\r\n/.exec(text)
  const head = end ? text.slice(0, end.index) : text
  const body = end ? text.slice(end.index + end[0].length) : ''
  const [firstLine = '', ...lines] = head.split(/\r\n|\n|\r/)
  const headers: string[] = []
  for (const line of lines)
    if (/^[ \t]/.test(line) && headers.length > 0) headers.push(`${headers.pop()} ${line.trim()}`)
    else if (line !== '') headers.push(line)
  return { firstLine, headers, body }
}

const COMPACT: Readonly<Record<string, string>> = {
  c: 'Content-Type',
  f: 'From',
  i: 'Call-ID',
  l: 'Content-Length',
  m: 'Contact',
  t: 'To',
  v: 'Via',
}

/** The name in lower case and the value. Null for a line without a colon. */
export function readHeader(line: string): { name: string; value: string } | null {
  const colon = line.indexOf(':')
  if (colon < 1) return null
  const name = line.slice(0, colon).trim().toLowerCase()
  return { name: COMPACT[name]?.toLowerCase() ?? name, value: line.slice(colon + 1).trim() }
}

/** Null if this is no SIP message of a dialog. */
export function readHead(text: string): SipHead | null {
  const { firstLine, headers } = splitMessage(text)
  const reply = /^SIP\/2\.0 (\d{3})/.exec(firstLine)
  const request = /^([A-Z]+) \S+ SIP\/2\.0$/.exec(firstLine.trim())
  if (!reply && !request) return null
  const found = new Map<string, string>()
  for (const line of headers) {
    const header = readHeader(line)
    if (header && !found.has(header.name)) found.set(header.name, header.value)
  }
  const header = (name: string) => found.get(name.toLowerCase()) ?? ''
  const via = /^SIP\s*\/\s*2\.0\s*\/\s*(\w+)/i.exec(header('Via'))
  const cseq = /^(\d+)\s+([A-Za-z]+)/.exec(header('CSeq'))
  const callId = header('Call-ID')
  const fromTag = tagOf(header('From'))
  if (!cseq || callId === '' || fromTag === '') return null
  return {
    firstLine: firstLine.trim(),
    isRequest: reply === null,
    method: request?.[1] ?? cseq[2]?.toUpperCase() ?? '',
    status: reply ? Number(reply[1]) : null,
    callId,
    fromTag,
    toTag: tagOf(header('To')),
    cseq: `${cseq[1]} ${cseq[2]}`,
    branch: /;\s*branch\s*=\s*([^\s;,]+)/i.exec(header('Via').split(',')[0] ?? '')?.[1] ?? '',
    transport: via?.[1]?.toLowerCase() ?? '',
  }
}

/**
 * The tag parameter after the address, so that a tag inside the URI or the name does not count. The sender may be hostile, so an
 * unclosed quote or bracket must not cost more than one pass.
 */
const tagOf = (value: string): string =>
  /;\s*tag\s*=\s*([^\s;,]+)/i.exec(
    value.replace(/"(?:[^"\\]|\\.?)*(?:"|$)/g, '').replace(/<[^<>]*>/, ''),
  )?.[1] ?? ''
