import { useEffect, useRef, useState } from 'react'
import type { CallLook } from './engine/call.ts'
import { wordsOfCaller } from './engine/caller.ts'
import type { Phone } from './engine/phone.ts'
import { playRingTone } from './engine/ring-tone.ts'
import { createTabs, type Tabs } from './engine/tabs.ts'
import { canNotify, showCall } from './notifications.ts'

/** Ring tone, page title and desktop notification of incoming calls. */
export function useRinging(
  phone: Phone,
  ringing: readonly CallLook[],
  isTalking: boolean,
): { isBlocked: boolean; silence: (id: string) => void } {
  const tabs = useRef<Tabs | null>(null)
  useEffect(() => {
    const opened = createTabs(phone.silence)
    tabs.current = opened
    return opened.close
  }, [phone])

  const isLoud = ringing.some(({ isSilenced }) => !isSilenced)
  const isBlocked = useTone(tabs, isLoud, isTalking)
  const first = ringing[0]
  const words = first?.caller ? wordsOfCaller(first.caller) : null
  useTitle(words && `Call from ${words}`)
  useNotification(tabs, words, first?.id)

  return {
    isBlocked,
    silence(id) {
      phone.silence(id)
      tabs.current?.silence(id)
    },
  }
}

type TabsRef = { readonly current: Tabs | null }

/** Returns true if the browser allows no sound before the first click on the page. */
function useTone(tabs: TabsRef, isLoud: boolean, isTalking: boolean): boolean {
  const [isActive, setActive] = useState(hasBeenActive)
  useEffect(() => {
    if (!isLoud || isActive) return
    const check = () => hasBeenActive() && setActive(true)
    check()
    for (const event of ['pointerup', 'keyup']) addEventListener(event, check)
    return () => {
      for (const event of ['pointerup', 'keyup']) removeEventListener(event, check)
    }
  }, [isLoud, isActive])

  useEffect(() => {
    if (!isLoud || !isActive) return
    const ending = new AbortController()
    void tabs.current?.soundAlone(ending.signal, () => playRingTone(isTalking))
    return () => ending.abort()
  }, [tabs, isLoud, isActive, isTalking])
  return isLoud && !isActive
}

/** Browsers play no sound on a page that was never clicked. */
const hasBeenActive = (): boolean => navigator.userActivation?.hasBeenActive ?? true

function useTitle(words: string | null): void {
  useEffect(() => {
    if (words === null) return
    const before = document.title
    document.title = words
    return () => {
      // A new screen has set its own title.
      if (document.title === words) document.title = before
    }
  }, [words])
}

function useNotification(tabs: TabsRef, words: string | null, id: string | undefined): void {
  const isHidden = useHidden()
  useEffect(() => {
    if (words === null || id === undefined || !isHidden || !canNotify()) return
    const ending = new AbortController()
    void (async () => {
      if (!tabs.current || (await tabs.current.isSeen()) || ending.signal.aborted) return
      await tabs.current.notifyAlone(ending.signal, () => showCall(words, id))
    })()
    return () => ending.abort()
  }, [tabs, words, id, isHidden])
}

function useHidden(): boolean {
  const [isHidden, setHidden] = useState(() => document.hidden)
  useEffect(() => {
    const read = () => setHidden(document.hidden)
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [])
  return isHidden
}
