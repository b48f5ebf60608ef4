import { HangUpDialog } from '../../common/calls/HangUpDialog.tsx'
import { hangUp, useLiveCalls } from './live-calls.ts'

export function HangUpOwn({ uniqueid, onClose }: { uniqueid: string; onClose: () => void }) {
  const call = useLiveCalls(({ calls }) => calls.find((one) => one.uniqueid === uniqueid))
  return <HangUpDialog call={call} keep="Keep talking" hangUp={() => hangUp(uniqueid)} onClose={onClose} />
}
