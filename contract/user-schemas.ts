import { countryName } from '@trunkline/domain/countries'
import { z } from 'zod'
import { EmailAddress, textUpTo, Username } from './fields.ts'
import { GivenCountry } from './rates.ts'
import { SipHost, WebsiteIp } from './sip-hosts.ts'
import { type UserField, userFieldNames, userFields } from './user-fields.ts'

/** An empty text is stored as null. */
const emptyToNull = <Text extends z.ZodType<string>>(text: Text) =>
  z.union([z.literal('').transform(() => null), text]).nullable()

const plainText = (max: number) => emptyToNull(textUpTo(max))

/** The name or code of a country; null or empty for none. */
export const HomeCountry = emptyToNull(GivenCountry)

/** Fields with more rules than a maximum length. */
const checked = {
  username: Username,
  email: emptyToNull(EmailAddress),
  country: emptyToNull(GivenCountry.transform((code) => countryName(code))),
  home_country: HomeCountry,
  host: SipHost,
  websiteip: emptyToNull(WebsiteIp),
}

const shapeOf = <Name extends string, Schema>(
  names: readonly Name[],
  schemaOf: (name: Name) => Schema,
): Record<Name, Schema> =>
  Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as Record<Name, Schema>

type PlainField = Exclude<UserField, keyof typeof checked>
const plainFieldNames = userFieldNames.filter((name) => !(name in checked)) as PlainField[]
export const plainFields = shapeOf(plainFieldNames, (name) => plainText(userFields[name].max))

/** How each field is checked when an administrator writes it. */
export const writableFields = { ...checked, ...plainFields }

type NullableField = Exclude<UserField, 'username' | 'host'>

/** How each field is shown. */
export const shownFields = {
  ...shapeOf(
    userFieldNames.filter((name): name is NullableField => name !== 'username' && name !== 'host'),
    () => z.string().nullable(),
  ),
  username: z.string(),
  host: z.string(),
}
