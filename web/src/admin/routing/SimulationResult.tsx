import type { RoutingSimulation } from '@trunkline/contract/routing-rules'
import { formatDate } from '../../common/format/dates.ts'
import { formatMinutes } from '../../common/format/durations.ts'
import { formatCost } from '../../common/format/money.ts'
import { formatCount, formatNumber, formatPercent } from '../../common/format/numbers.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'

export function SimulationResult({ result }: { result: RoutingSimulation }) {
  if (result.compared === 0)
    return (
      <Notice tone="info" className="mt-3">
        There were no calls to replay since {formatDate(result.from)}.
      </Notice>
    )
  const { before, after } = result
  return (
    <div className="mt-4 flex flex-col gap-3">
      <p className="figures text-sm">{sayCalls(result)}</p>
      <Table label="Before and after" className="figures">
        <THead>
          <Tr>
            <Th>All trunks</Th>
            <Th numeric>Last week</Th>
            <Th numeric>With this rule</Th>
          </Tr>
        </THead>
        <TBody>
          <Pair name="Cost" before={formatCost(before.cost)} after={formatCost(after.cost)} />
          <Pair name="Margin" before={formatCost(before.margin)} after={formatCost(after.margin)} />
          <Pair
            name="Answered by the first trunk"
            before={formatPercent(before.first_asr)}
            after={`${formatPercent(after.first_asr)} expected`}
          />
        </TBody>
      </Table>
      <Table label="Trunks before and after" className="figures">
        <THead>
          <Tr>
            <Th>Trunk</Th>
            <Th numeric>Tried first</Th>
            <Th numeric>Cost</Th>
            <Th numeric>ASR</Th>
          </Tr>
        </THead>
        <TBody>
          {result.trunks.map((trunk) => (
            <Tr key={trunk.id}>
              <Td>
                {trunk.name ?? `Trunk ${trunk.id} (deleted)`}
                {trunk.demoted_minutes > 0 && (
                  <span className="block text-muted">last for {formatMinutes(trunk.demoted_minutes)}</span>
                )}
              </Td>
              <Td numeric>
                {formatNumber(trunk.before.calls)} → {formatNumber(trunk.after.calls)}
              </Td>
              <Td numeric>
                {formatCost(trunk.before.cost)} → {formatCost(trunk.after.cost)}
              </Td>
              <Td numeric>{formatPercent(trunk.asr)}</Td>
            </Tr>
          ))}
        </TBody>
      </Table>
      <p className="text-muted text-sm">
        Assumes that each call has the same outcome, duration and price on its new first trunk, that trunks
        have free channels and charge today’s rates, and that they answer as often as in the hour of the call
        (or in the whole week, if they had no attempts then).
        {after.unknown > 0 &&
          ` ${formatCount(after.unknown, 'call')} would start on a trunk without attempts, so the expected ASR leaves them out.`}
      </p>
    </div>
  )
}

function sayCalls({ calls, replayed, left_out }: RoutingSimulation): string {
  const sample = `Replayed ${formatNumber(replayed)} of ${formatCount(calls, 'call')}`
  const rest = left_out === 0 ? '' : ` No trunk could carry ${formatNumber(left_out)} of them today.`
  return replayed === calls
    ? `${sample}.${rest}`
    : `${sample}, spread over the week. Calls without an attempt at a trunk are left out.${rest}`
}

const Pair = ({ name, before, after }: { name: string; before: string; after: string }) => (
  <Tr>
    <Td>{name}</Td>
    <Td numeric>{before}</Td>
    <Td numeric>{after}</Td>
  </Tr>
)
