export type ServerEvent = { event: string; data: string; id: string | undefined }

/**
 * Parses server-sent events from chunks of any size. Uses fetch instead of EventSource, which cannot send the token in a
 * header.
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
    // A line that starts with a colon is a comment, sent as a keepalive.
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
