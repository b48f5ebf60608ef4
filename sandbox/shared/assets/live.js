// Keeps a page true while it is looked at. Without this script every page still works; one reloads by hand.

const WATCH_MS = 2000

// <span data-seconds-left="90"> counts down. Seconds, not a time of day: the provider's clock can be moved.
for (const place of document.querySelectorAll('[data-seconds-left]')) {
  const end = performance.now() + Number(place.dataset.secondsLeft) * 1000
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000))
    place.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
    if (left === 0) clearInterval(timer)
  }
  const timer = setInterval(tick, 1000)
  tick()
}

// <form data-submits> sends itself. The address loses its query first, so that a reload does not send the form again.
const submits = document.querySelector('form[data-submits]')
if (submits) {
  history.replaceState(null, '', location.pathname)
  submits.requestSubmit()
}

// <div data-watch="/address" data-version="x"> reloads the page when the address answers something else.
const watched = document.querySelector('[data-watch]')
if (watched) {
  setInterval(async () => {
    // A reload would discard the input of a focused field.
    if (document.hidden || document.activeElement?.matches('input, select, textarea')) return
    const answer = await fetch(watched.dataset.watch).catch(() => null)
    if (answer?.ok && (await answer.text()) !== watched.dataset.version) location.reload()
  }, WATCH_MS)
}
