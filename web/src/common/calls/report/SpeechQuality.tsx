import type { CdrDetails, SideQuality } from '@trunkline/contract/cdr'
import { Table, TBody, Td, THead, Th, Tr } from '../../../ui/Table.tsx'
import { Part } from '../../Details.tsx'
import { qualityRows } from './speech-quality.ts'

type SpeechQualityProps = {
  media: NonNullable<CdrDetails['media']>
  /** The names of the sides. */
  names: readonly [phone: string, carrier: string]
}

/** What each side heard, by its own reports. */
export function SpeechQuality({ media: { phone, carrier }, names }: SpeechQualityProps) {
  const sides: SideQuality[] = carrier ? [phone, carrier] : [phone]
  // The score always stays, so that a call without reports says so.
  const rows = qualityRows.filter(({ show }, at) => at === 0 || sides.some((side) => show(side) !== null))
  const silent = sides.flatMap(({ reports }, at) => (reports === 0 ? [names[at] ?? ''] : []))
  return (
    <Part title="Speech quality">
      <Table className="text-sm">
        <caption className="sr-only">Speech quality of both sides</caption>
        <THead>
          <Tr>
            <Th scope="col">
              <span className="sr-only">Figure</span>
            </Th>
            {sides.map((_, at) => (
              <Th key={names[at]} scope="col" className="text-right">
                {names[at]}
              </Th>
            ))}
          </Tr>
        </THead>
        <TBody>
          {rows.map(({ name, show }) => (
            <Tr key={name}>
              <th scope="row" className="py-2 pr-3 text-left font-normal text-muted">
                {name}
              </th>
              {sides.map((side, at) => (
                <Td key={names[at]} className="figures text-right">
                  {show(side) ?? <span className="text-muted">Not measured</span>}
                </Td>
              ))}
            </Tr>
          ))}
        </TBody>
      </Table>
      {silent.length > 0 && (
        <p className="mt-3 text-muted text-sm">
          No quality reports (RTCP) arrived from: {silent.join(', ')}. Loss, jitter and MOS are unknown there.
        </p>
      )}
    </Part>
  )
}
