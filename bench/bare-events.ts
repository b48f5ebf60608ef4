import { createServer, type ServerResponse } from 'node:http'

/** Baseline: a minimal event-stream server that broadcasts its parent's messages to all connections. */
const viewers = new Set<ServerResponse>()

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
  viewers.add(response)
  response.on('close', () => viewers.delete(response))
}).listen(Number(process.env.PORT), '127.0.0.1')

process.on('message', (text: string) => {
  const bytes = Buffer.from(text)
  for (const viewer of viewers) viewer.write(bytes)
})
process.on('disconnect', () => process.exit())
