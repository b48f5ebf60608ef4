import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TransportOptions } from '../../../common/TransportOptions.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { Options, Select } from '../../../ui/Select.tsx'
import { addressesQuery, trustedIn } from '../../connect/queries.ts'
import { binder, type DestinationProps } from './fields.ts'
import { SecondsField } from './SecondsField.tsx'

/** A PBX at one of the trusted addresses of the account. */
export function PbxFields({ values, path, errors, onEdit }: DestinationProps) {
  const bind = binder(values, path, onEdit)
  const { data } = useQuery(addressesQuery)
  const trusted = trustedIn(data)
  const { address } = values
  const isLost = data !== undefined && address !== '' && !trusted.includes(address)
  return (
    <div className="flex flex-col gap-4">
      {data && trusted.length === 0 && (
        <Notice tone="pending">
          You have no trusted addresses. Add the address of your PBX to your{' '}
          <Link to="/dashboard/profile" hash="addresses" className="font-medium underline">
            profile
          </Link>{' '}
          first.
        </Notice>
      )}
      <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-[9rem_9rem_minmax(0,1fr)]">
        <Field
          label="Trusted address"
          className="col-span-full sm:max-w-76"
          hint="A PBX that registers with your SIP account rings as a phone. It finds your number in the To header."
          error={
            errors[`${path}.address`] ??
            (isLost ? 'This address is no longer trusted, so the PBX does not ring.' : undefined)
          }
        >
          <Select {...bind('address')}>
            <option value="">Choose an address</option>
            <Options
              of={[...trusted, ...(isLost || !data ? [address] : [])]
                .filter(Boolean)
                .map((each) => [each, each])}
            />
          </Select>
        </Field>
        <Field label="Port" error={errors[`${path}.port`]}>
          <Input {...bind('port')} inputMode="numeric" autoComplete="off" className="figures" />
        </Field>
        <Field label="Transport">
          <Select {...bind('transport')}>
            <TransportOptions />
          </Select>
        </Field>
        <SecondsField {...bind('seconds')} error={errors[`${path}.seconds`]} />
      </div>
    </div>
  )
}
