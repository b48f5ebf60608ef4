import { Fragment } from 'react'
import { phoneNumberBlocks } from './format/phone-numbers.ts'

type PhoneNumberProps = {
  of: string
  /** For a number as it was dialed: the same number in E.164. */
  e164?: string | undefined
}

/** A phone number in blocks. The gaps are margins, so the plain number is copied and found on the page. */
export const PhoneNumber = ({ of, e164 }: PhoneNumberProps) => {
  const blocks = phoneNumberBlocks(of, e164)
  if (blocks.length === 1) return of
  return (
    <span className="whitespace-nowrap">
      {blocks.map((block, at) => (
        <span key={blocks.slice(0, at + 1).join(' ')} className={at > 0 ? 'ml-[0.3em]' : undefined}>
          {block}
        </span>
      ))}
    </span>
  )
}

/** A sentence of the server with its phone numbers in blocks. */
export const TextWithPhoneNumbers = ({ text }: { text: string }) =>
  text.split(/(\+\d{7,15})(?!\d)/).map((part, at) =>
    // The split puts the numbers at odd places.
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
      <PhoneNumber key={at} of={part} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
      <Fragment key={at}>{part}</Fragment>
    ),
  )
