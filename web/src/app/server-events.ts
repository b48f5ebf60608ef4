export type ServerEvent = { event: string; data: string; id: string | undefined }

/**
 * Reads server-sent events out of text that arrives in pieces of any size. `fetch` brings them, not EventSource: that one
 * cannot send the token in a header, and a token has no business in an address.
 */
export function createEventReader(): (text: string) => ServerEvent[] {
  let read: ServerEvent[] = []
  let rest = ''
  let event = ''
  let data: string[] = []
  let id: string | undefined

  function readLine(line: string): void {
    if (line === '') {
      if (data.length > 0) read.push({ event: event || 'message', data: data.join('\n'), id })
      event = ''
      data = []
      id = undefined
      return
    }
    const colon = line.indexOf(':')
    // A line that begins with a colon is a comment: a sign of life.
    if (colon === 0) return
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'event') event = value
    else if (name === 'data') data.push(value)
    else if (name === 'id') id = value
  }

  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    read = []
    for (const line of lines) readLine(line)
    return read
  }
}
