import { AudioLines, Phone } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { useOverlay } from '../overlay.ts'
import { type PhoneWish, useOpenPhone } from '../phone/phone-context.ts'

export function FromBrowser() {
  const show = useOverlay()
  const openPhone = useOpenPhone()
  const open = (wish?: PhoneWish) => () => {
    show(null)
    // The closing dialog returns the focus first; then the phone takes it.
    setTimeout(() => openPhone(wish))
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-muted text-sm">
        Calls use your selected route, its price and your Caller ID. The echo test is free and checks your
        microphone, speaker and network.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={open()}>
          <Phone aria-hidden />
          Call from the browser
        </Button>
        <Button onClick={open({ isEcho: true })}>
          <AudioLines aria-hidden />
          Echo test
        </Button>
      </div>
    </div>
  )
}
