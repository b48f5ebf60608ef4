import { ownMessages } from '@trunkline/contract/messages'
import { Dialog } from '../../ui/Dialog.tsx'
import { ConnectGuide } from './ConnectGuide.tsx'

export function ConnectDialog({ isTestCall, onClose }: { isTestCall: boolean; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={isTestCall ? 'Make test Call' : 'Connect a phone'}
      description={isTestCall ? ownMessages.testCall : 'Settings for your phone or PBX'}
      maxWidth={720}
    >
      <ConnectGuide isTestCall={isTestCall} />
    </Dialog>
  )
}
