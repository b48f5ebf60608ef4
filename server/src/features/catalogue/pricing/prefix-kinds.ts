import { completions } from '@trunkline/domain/numbers'

export type Kind = 'mobile' | 'landline'

const MAX_REMEMBERED = 20_000

/** Line types behind a prefix, found by generating numbers. Results are cached, because this is slow. */
export function createPrefixKinds(): (prefix: string) => readonly Kind[] {
  const known = new Map<string, readonly Kind[]>()
  return (prefix) => {
    const found = known.get(prefix) ?? kindsOf(prefix)
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(prefix, found)
    return found
  }
}

function kindsOf(prefix: string): readonly Kind[] {
  const [first] = completions(prefix)
  switch (first?.lineType) {
    case 'mobile':
      return ['mobile']
    case 'landline':
      return ['landline']
    case 'landline_or_mobile':
      return ['landline', 'mobile']
    default:
      return []
  }
}
