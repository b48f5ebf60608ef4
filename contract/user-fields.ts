import {
  CATALOGUE_NAME_MAX,
  COMPANY_MAX,
  EMAIL_MAX,
  HOST_MAX,
  PERSON_NAME_MAX,
  USERNAME_MAX,
} from './limits.ts'

type UserFieldDefinition = {
  label: string
  max: number
  /** Customers edit it in their profile. */
  isInProfile: boolean
  /** Shown in the short form beside the list of users, not only on the page of the user. */
  isInShortForm: boolean
}

/**
 * The text fields of a user, in the order of the forms. Schemas, views, the changes in the audit log and both forms
 * are built from this list. A new field needs a line here, a migration and its column in `platform/tables.ts`.
 */
export const userFields = {
  email: { label: 'Email', max: EMAIL_MAX, isInProfile: false, isInShortForm: true },
  username: { label: 'Username', max: USERNAME_MAX, isInProfile: true, isInShortForm: true },
  name: { label: 'Name', max: PERSON_NAME_MAX, isInProfile: false, isInShortForm: false },
  company: { label: 'Company', max: COMPANY_MAX, isInProfile: true, isInShortForm: true },
  country: { label: 'Country', max: CATALOGUE_NAME_MAX, isInProfile: false, isInShortForm: true },
  home_country: { label: 'Home country', max: 2, isInProfile: true, isInShortForm: false },
  // Customers change it by an endpoint of its own.
  host: { label: 'Host', max: HOST_MAX, isInProfile: false, isInShortForm: false },
  websiteip: { label: 'Website IP', max: HOST_MAX, isInProfile: false, isInShortForm: true },
} as const satisfies Record<string, UserFieldDefinition>

export type UserField = keyof typeof userFields
export const userFieldNames = Object.keys(userFields) as UserField[]

export type ProfileField = {
  [Name in UserField]: (typeof userFields)[Name]['isInProfile'] extends true ? Name : never
}[UserField]
export const profileFieldNames = userFieldNames.filter(
  (name) => userFields[name].isInProfile,
) as ProfileField[]

/** The given fields of an object that has them all. */
export const pickFields = <From extends object, Name extends keyof From>(
  from: From,
  names: readonly Name[],
): Pick<From, Name> => Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>
