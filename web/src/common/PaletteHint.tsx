import { Search } from 'lucide-react'
import { useLayoutEffect } from 'react'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Ctrl-K or Cmd-K. The palette itself is loaded on first use. */
export function usePaletteKey(open: () => void): void {
  // The key works as soon as its hint is visible.
  useLayoutEffect(() => {
    function listen(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      if (event.altKey || event.shiftKey) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [open])
}

export function PaletteHint({ onOpen }: { onOpen: () => void }) {
  const keys = isApple ? '⌘ K' : 'Ctrl K'
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onOpen}
      className="flex h-9 items-center gap-2 rounded-md border border-line bg-surface pr-1.5 pl-3 text-muted text-sm transition-colors hover:border-edge hover:text-ink max-lg:hidden"
    >
      <Search aria-hidden className="size-4" />
      Go to…
      <kbd className="ml-4 rounded-sm border border-line bg-ground px-1.5 py-px font-mono text-xs">
        {keys}
      </kbd>
    </button>
  )
}
