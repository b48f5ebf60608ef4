import type { ImportPreview } from '@trunkline/contract/numbers'
import { countryName } from '@trunkline/domain/countries'
import { formatNumber } from '../../common/format/numbers.ts'
import { PhoneNumber } from '../../common/PhoneNumber.tsx'
import { Badge, type BadgeTone } from '../../ui/Badge.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'

type Line = ImportPreview['lines'][number]

const actions: Record<Line['action'], { label: string; tone: BadgeTone }> = {
  new: { label: 'New', tone: 'success' },
  update: { label: 'Update', tone: 'signal' },
  same: { label: 'No change', tone: 'neutral' },
  invalid: { label: 'Skipped', tone: 'danger' },
}

type ImportLinesProps = {
  lines: readonly Line[]
  /** Number of lines in the file. */
  total: number
}

/** What happens with each line of a file. */
export const ImportLines = ({ lines, total }: ImportLinesProps) => (
  <div>
    <Table label="Lines of the file" maxHeight="18rem">
      <THead>
        <Tr>
          <Th numeric>Line</Th>
          <Th>Number</Th>
          <Th className="max-sm:hidden">Country</Th>
          <Th>Result</Th>
        </Tr>
      </THead>
      <TBody>
        {lines.map(({ line, number, country_code, action, problem }) => (
          <Tr key={line}>
            <Td numeric className="text-muted">
              {line}
            </Td>
            <Td className="figures break-all">
              <PhoneNumber of={number} />
            </Td>
            <Td className="whitespace-nowrap max-sm:hidden">
              {country_code ? countryName(country_code) : '–'}
            </Td>
            <Td>
              <span className="flex items-start gap-x-2 gap-y-1 max-sm:flex-wrap">
                <Badge tone={actions[action].tone}>{actions[action].label}</Badge>
                {problem}
              </span>
            </Td>
          </Tr>
        ))}
      </TBody>
    </Table>
    {lines.length < total && (
      <p className="figures mt-2 text-muted text-sm">
        The first {formatNumber(lines.length)} of {formatNumber(total)} lines.
      </p>
    )}
  </div>
)
