import { formatRate } from '../../common/format/money.ts'
import { BlockTable, headCells, numeric } from '../../ui/BlockTable.tsx'
import { Td, Tr } from '../../ui/Table.tsx'
import { type PriceTableProps, RouteCell } from './PriceTable.tsx'
import { keyOf, skipWords } from './words.ts'

export const SkippedTable = ({ rows, caption, isOld }: PriceTableProps) => (
  <BlockTable
    caption={`Prices: ${caption}`}
    isOld={isOld}
    heads={headCells(['Route', 'Reason', numeric('Price')])}
  >
    {rows.map((row) => (
      <Tr key={keyOf(row)} className="max-md:flex max-md:flex-col max-md:gap-1 max-md:px-4 max-md:py-3">
        <RouteCell row={row} />
        <Td className="max-md:p-0 max-md:text-sm">{row.skipped && skipWords[row.skipped]}</Td>
        <Td numeric className="max-md:p-0 max-md:text-left md:pr-4">
          {formatRate(row.before)}
        </Td>
      </Tr>
    ))}
  </BlockTable>
)
