import { focusPlace } from '../ui/focus-heading.ts'

/** Visible only with focus. A button and not a link, because a hash would replace the filters in the URL. */
export const SkipLink = () => (
  <button
    type="button"
    onClick={() => {
      const content = document.querySelector('main')
      if (content) focusPlace(content)
    }}
    className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md border bg-raised px-4 py-2 font-medium focus:translate-y-0 focus:shadow-far"
  >
    Skip to content
  </button>
)
