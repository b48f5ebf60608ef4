import type { RoutingSimulation } from '@trunkline/contract/routing-rules'
import { formatDate } from '../../common/format/dates.ts'
import { formatMinutes } from '../../common/format/durations.ts'
import { formatCost } from '../../common/format/money.ts'
import { formatCount, formatNumber, formatPercent } from '../../common/format/numbers.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'

/** On a phone. */
const tight = 'max-sm:px-1.5!'

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
            <Th className={tight}>Trunk</Th>
            <Th numeric className={tight}>
              Tried first
            </Th>
            <Th numeric className={tight}>
              Cost
            </Th>
            <Th numeric className={tight}>
              ASR
            </Th>
          </Tr>
        </THead>
        <TBody>
          {result.trunks.filter(isUsed).map((trunk) => (
            <Tr key={trunk.id}>
              <Td className={tight}>
                {trunk.name ?? `Trunk ${trunk.id} (deleted)`}
                {trunk.demoted_minutes > 0 && (
                  <span className="block text-muted">last for {formatMinutes(trunk.demoted_minutes)}</span>
                )}
              </Td>
              <Td numeric className={tight}>
                {formatNumber(trunk.before.calls)} → {formatNumber(trunk.after.calls)}
              </Td>
              <Td numeric className={tight}>
                {formatCost(trunk.before.cost)} → {formatCost(trunk.after.cost)}
              </Td>
              <Td numeric className={tight}>
                {formatPercent(trunk.asr)}
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
      <p className="text-muted text-sm">
        A call that would begin on the same trunk stays as it was. For the others, this assumes the same
        outcome, duration and price on the new first trunk, which has free channels, charges today’s rates and
        answers as often as in the hour of the call (or in the whole week, if it had no attempts then).
        {after.unknown > 0 &&
          ` ${formatCount(after.unknown, 'call')} would start on a trunk without attempts, so the expected ASR leaves them out.`}
      </p>
    </div>
  )
}

/** Trunks of the plan that serve other countries only are not shown. */
const isUsed = ({ before, after, attempts }: RoutingSimulation['trunks'][number]): boolean =>
  before.calls + after.calls + attempts > 0 || before.cost + after.cost > 0

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
