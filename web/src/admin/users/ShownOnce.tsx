import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

type ShownOnceProps = { title: string; text: string; username: string; password: string; onClose: () => void }

/** A password that is shown only once. */
export function ShownOnce({ title, text, username, password, onClose }: ShownOnceProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={text}
      maxWidth={440}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <dl className="flex flex-col gap-3">
        <Secret name="Username" value={username} />
        <Secret name="Password" value={password} />
      </dl>
    </Dialog>
  )
}

const Secret = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="mb-1 text-muted text-sm">{name}</dt>
    <dd className="flex items-center justify-between gap-3 rounded-md border bg-sunken py-1.5 pr-1.5 pl-3 font-mono text-sm">
      <span className="min-w-0 break-all">{value}</span>
      <CopyButton text={value} what={name.toLowerCase()} />
    </dd>
  </div>
)
