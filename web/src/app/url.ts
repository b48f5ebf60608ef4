export type UrlParts = {
  params?: Record<string, string | number>
  query?: Record<string, unknown>
}

/** `PATCH /api/routes/:id` with its params and query becomes a method and a URL. */
export function toUrl(address: string, { params = {}, query = {} }: UrlParts = {}) {
  const space = address.indexOf(' ')
  const method = address.slice(0, space)
  const path = address.slice(space + 1).replace(/:([A-Za-z_]\w*)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === '') throw new Error(`${address} needs ${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) search.append(name, String(one))
    }
  }
  const asked = search.toString()
  return { method, url: asked ? `${path}?${asked}` : path }
}
