import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { Toaster, toast } from '../../ui/Toaster.tsx'
import { Samples } from './Samples.tsx'

const themes = ['light', 'dark'] as const

/** All primitives in both themes side by side. Only mounted in development. */
export function DevUi() {
  return (
    <main className="mx-auto max-w-[90rem] p-5">
      <h1 className="mb-5 font-semibold text-2xl tracking-tight">Primitives</h1>
      <Floating />
      <div className="grid gap-4 lg:grid-cols-2">
        {themes.map((theme) => (
          <section
            key={theme}
            aria-label={theme}
            data-theme={theme}
            className="min-w-0 rounded-xl border bg-ground p-4 text-ink"
          >
            <Samples theme={theme} />
          </section>
        ))}
      </div>
      <Toaster />
    </main>
  )
}

export default DevUi

/** Dialogs, toasts and tooltips follow the theme of the document. */
function Floating() {
  const [isOpen, setOpen] = useState(false)
  const [isDark, setDark] = useState(document.documentElement.dataset.theme === 'dark')

  function switchTheme() {
    document.documentElement.dataset.theme = isDark ? 'light' : 'dark'
    setDark(!isDark)
  }

  return (
    <div className="mb-5 flex flex-wrap gap-3">
      <Button onClick={switchTheme}>Theme of the page: {isDark ? 'dark' : 'light'}</Button>
      <Button onClick={() => setOpen(true)}>Open dialog</Button>
      <Button onClick={() => toast.success('Profile updated successfully!')}>Toast success</Button>
      <Button onClick={() => toast.error('Failed to update Caller ID on server.\nThe number is not yours.')}>
        Toast error
      </Button>
      <Button onClick={() => toast.info('Log in to your SIP client with username and password.')}>
        Toast info
      </Button>
      <Popover label="A panel" trigger={(props) => <Button {...props}>Popover</Button>}>
        {() => <p>A small panel below a button</p>}
      </Popover>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Select Route for Germany"
        description="The price holds from the next call on."
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button variant="primary" onClick={() => setOpen(false)}>
              Save
            </Button>
          </>
        }
      >
        <Field label="Route">
          <Input />
        </Field>
      </Dialog>
    </div>
  )
}
