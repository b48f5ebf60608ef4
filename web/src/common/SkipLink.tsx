import { focusPlace } from '../ui/focus-heading.ts'

/**
 * The first stop of the keyboard: past what stands on every screen, seen only while it has the focus. No link, as the
 * address is the screen's own and keeps its filters.
 */
export const SkipLink = () => (
  <button
    type="button"
    onClick={() => {
      const content = document.querySelector('main')
      if (content) focusPlace(content)
    }}
    className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md border bg-raised px-4 py-2 font-medium shadow-far focus:translate-y-0"
  >
    Skip to content
  </button>
)
