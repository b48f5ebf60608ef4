/** The numbers of the specification (sections 5 and 9), and the input limits we add to every field. */

export const API_TIMEOUT_MS = 10_000
/** Beginning a payment waits for the provider, which has ten seconds of its own. */
export const BEGIN_PAYMENT_TIMEOUT_MS = 15_000
export const USER_REFRESH_MS = 10_000
export const LIVE_CALLS_POLL_MS = 5_000
export const CARD_ANIMATION_STEP_MS = 300

export const PASSWORD_MIN = 8
/** How long a typed password counts for changes that need it. */
export const PROOF_MINUTES = 10
/** argon2 reads the whole password: without a bound a stranger could make one attempt arbitrarily expensive. */
export const PASSWORD_MAX = 256
export const USERNAME_MAX = 64
/** The user name is also the SIP user part later on, so it stays within what every PBX accepts. */
export const USERNAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._@+-]*$/
export const EMAIL_MAX = 254
export const COMPANY_MAX = 200
export const PERSON_NAME_MAX = 200

export const CONTACT_NAME_MAX = 120
export const CONTACT_PHONE_MAX = 40
/** May be left empty. Otherwise digits as people write them; no more is asked of it than that somebody can dial it. */
export const CONTACT_PHONE_PATTERN = /^$|^\+?[0-9 ()./-]{5,}$/
export const CONTACT_MESSAGE_MAX = 4_000

export const UPGRADE_PRICE_DOLLARS = 149.99
export const TOPUP_PRESETS_DOLLARS = [1000, 2000, 5000, 7000, 10000] as const
export const TOPUP_MIN_DOLLARS = 0.01
export const TOPUP_MAX_DOLLARS = 10_000
export const TOPUP_STEP_DOLLARS = 0.01

export const CALLER_ID_PATTERN = /^[0-9]{7,16}$/
export const HOST_MIN = 3
export const HOST_MAX = 255
/** Addresses that one account may claim or have. */
export const ADDRESSES_MAX = 20
/** The countries that the specification's route form offers first. */
export const ROUTE_COUNTRIES = ['US', 'GB', 'DE', 'FR', 'IN', 'CA', 'AU'] as const
export const PRICE_MAX_DOLLARS = 1_000
export const INCREMENT_MAX_SECONDS = 3_600
/** What one request may list, and an answer about a route: of a longer price list the rest is read page by page. */
export const ROUTE_RATES_MAX = 1_000
/** Rates of each route in a list of routes; `rate_count` says how many there are. */
export const ROUTE_RATES_LISTED = 20
export const BUY_RATES_MAX = 5_000
/** What a file may hold. A route is of one country, a carrier's deck of the whole world. */
export const ROUTE_DECK_MAX = 5_000
export const BUY_DECK_MAX = 100_000
/** A line of a carrier's deck has some 60 bytes. */
export const DECK_BYTES_MAX = 12 * 1024 * 1024
/** Sending a deck and comparing it takes longer than a look. */
export const DECK_TIMEOUT_MS = 60_000
export const RATES_PAGE_DEFAULT = 50
export const RATES_PAGE_MAX = 500
export const CATALOGUE_NAME_MAX = 100
export const TICKET_SUBJECT_MAX = 200
export const TICKET_MESSAGE_MAX = 4_000
export const ALERT_MAIL_ADDRESSES_MAX = 10

export const PAGE_DEFAULT = 20
export const PAGE_MAX = 100
export const REASON_MAX = 500
export const REFERENCE_MAX = 200
export const SEARCH_MAX = 100
export const PROMO_CODE_MAX = 40
export const PROMO_LIMIT_MAX = 1_000_000
/** A code is worth something: unless told otherwise it is worth it once to each. */
export const PROMO_PER_USER_DEFAULT = 1
/** Uses of a new code in all, unless told otherwise. A code that leaks costs this many times its value at most. */
export const PROMO_TOTAL_DEFAULT = 100
/** The most live calls that one answer or snapshot lists; their count is always of all. */
export const LIVE_CALLS_SHOWN_MAX = 1_000

export const CALL_RECORDS_DEFAULT = 20
export const CDR_PAGE_DEFAULT = 50
export const CDR_PAGE_MAX = 500
