/** Limits of the specification (sections 5 and 9) and length limits of all fields. */

export const API_TIMEOUT_MS = 10_000
/** Longer than the timeout of ten seconds for the payment provider. */
export const BEGIN_PAYMENT_TIMEOUT_MS = 15_000
export const USER_REFRESH_MS = 10_000
export const LIVE_CALLS_POLL_MS = 5_000
export const CARD_ANIMATION_STEP_MS = 300

export const PASSWORD_MIN = 8
/** How long a session counts as confirmed after the user enters the password. */
export const PROOF_MINUTES = 10
/** Bounds the cost of hashing, because argon2 reads the whole password. */
export const PASSWORD_MAX = 256
export const USERNAME_MAX = 64
/** The username is also the SIP user part, so it is limited to characters that every PBX accepts. */
export const USERNAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._@+-]*$/
export const EMAIL_MAX = 254
export const COMPANY_MAX = 200
export const PERSON_NAME_MAX = 200

export const CONTACT_NAME_MAX = 120
export const CONTACT_PHONE_MAX = 40
/** Optional. Accepts any common notation of a phone number. */
export const CONTACT_PHONE_PATTERN = /^$|^\+?[0-9 ()./-]{5,}$/
export const CONTACT_MESSAGE_MAX = 4_000

export const UPGRADE_PRICE_DOLLARS = 149.99
export const TOPUP_PRESETS_DOLLARS = [1000, 2000, 5000, 7000, 10000] as const
/** Offered beside the presets of the specification. */
export const TOPUP_SMALL_DOLLARS = [10, 25, 50, 100, 250] as const
export const TOPUP_MIN_DOLLARS = 0.01
export const TOPUP_MAX_DOLLARS = 10_000
export const TOPUP_STEP_DOLLARS = 0.01

export const CALLER_ID_PATTERN = /^[0-9]{7,16}$/
export const HOST_MIN = 3
export const HOST_MAX = 255
/** Pending and trusted addresses per account. */
export const ADDRESSES_MAX = 20
/** The route form of the specification lists these countries first. */
export const ROUTE_COUNTRIES = ['US', 'GB', 'DE', 'FR', 'IN', 'CA', 'AU'] as const
export const PRICE_MAX_DOLLARS = 1_000
export const INCREMENT_MAX_SECONDS = 3_600
/** Rates per request, and in the answer for one route. Longer price lists are paged. */
export const ROUTE_RATES_MAX = 1_000
/** Rates per route in a list of routes. `rate_count` has the total. */
export const ROUTE_RATES_LISTED = 20
export const BUY_RATES_MAX = 5_000
/** Lines per file. A route covers one country, a carrier's deck covers the whole world. */
export const ROUTE_DECK_MAX = 5_000
export const BUY_DECK_MAX = 100_000
/** A line of a carrier's deck has about 60 bytes. */
export const DECK_BYTES_MAX = 12 * 1024 * 1024
/** Longer than the default, for upload and comparison of a deck. */
export const DECK_TIMEOUT_MS = 60_000
/** A carrier's list of calls. JSON escapes line ends and quotes, so the request may be longer than the file. */
export const CARRIER_INVOICE_BYTES_MAX = 20 * 1024 * 1024
export const CARRIER_INVOICE_REQUEST_BYTES_MAX = 26 * 1024 * 1024
export const CARRIER_INVOICE_LINES_MAX = 200_000
/** Our calls of the period. */
export const CARRIER_INVOICE_CALLS_MAX = 500_000
export const CARRIER_INVOICE_DAYS_MAX = 100
export const CARRIER_INVOICE_TIMEOUT_MS = 120_000
export const CARRIER_INVOICE_NAME_MAX = 100
export const CARRIER_INVOICE_NOTE_MAX = 2_000
/** Seconds between the times of both sides. */
export const MATCH_TOLERANCE_DEFAULT = 60
export const MATCH_TOLERANCE_MAX = 3_600
/** Smaller differences count as equal: carriers round seconds, and amounts to four decimals. */
export const DURATION_TOLERANCE_DEFAULT = 1
export const DURATION_TOLERANCE_MAX = 3_600
export const PRICE_TOLERANCE_DEFAULT = 0.0001
export const PRICE_TOLERANCE_MAX = 100
/** Trunks that one routing rule names. */
export const RULE_TRUNKS_MAX = 100
/** ASR thresholds of routing rules. Attempts are counted by quarters of an hour. */
export const RULE_WINDOW_MINUTES = [15, 30, 60, 120, 240, 480, 1_440] as const
export const RULE_MIN_CALLS_MIN = 5
export const RULE_MIN_CALLS_MAX = 10_000
export const RULE_REST_MINUTES_MIN = 5
export const RULE_REST_MINUTES_MAX = 1_440
/** Calls that a simulation of a routing rule replays, and the days that it covers. */
export const SIMULATED_CALLS_MAX = 20_000
export const SIMULATED_DAYS_DEFAULT = 7
export const SIMULATED_DAYS_MAX = 31
/** Longer than the default, to replay calls. */
export const SIMULATION_TIMEOUT_MS = 60_000
export const RATES_PAGE_DEFAULT = 50
export const RATES_PAGE_MAX = 500
export const CATALOGUE_NAME_MAX = 100
export const TICKET_SUBJECT_MAX = 200
export const TICKET_MESSAGE_MAX = 4_000
export const CANNED_REPLY_NAME_MAX = 60
export const CANNED_REPLIES_MAX = 50
export const LIMIT_TEMPLATE_NAME_MAX = 60
export const LIMIT_TEMPLATES_MAX = 50
/** Users of one bulk action. */
export const BULK_USERS_MAX = 5_000
/** Longer than the default, for thousands of users. */
export const BULK_TIMEOUT_MS = 60_000
/** Prices of one bulk change, including those that stay as they are. */
export const BULK_PRICES_MAX = 20_000
export const PRICING_PERCENT_MAX = 1_000
/** Dollars. New prices are multiples of one of them. */
export const ROUNDING_STEPS_DOLLARS = [0.0001, 0.001, 0.005, 0.01] as const
export const USER_NOTE_MAX = 2_000
export const USER_TAG_MAX = 30
export const USER_TAGS_MAX = 10
/** One word in lower case. */
export const USER_TAG_PATTERN = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u
/** Tags offered as suggestions and filters, the most used first. */
export const USER_TAGS_LISTED = 200
export const ALERT_MAIL_ADDRESSES_MAX = 10

export const PAGE_DEFAULT = 20
export const PAGE_MAX = 100
export const REASON_MAX = 500
export const REFERENCE_MAX = 200
export const SEARCH_MAX = 100
export const PROMO_CODE_MAX = 40
export const PROMO_LIMIT_MAX = 1_000_000
/** By default, each customer can use a code once. */
export const PROMO_PER_USER_DEFAULT = 1
/** Default limit for all uses of a code, which bounds the cost of a leaked code. */
export const PROMO_TOTAL_DEFAULT = 100
/** Live calls listed per answer or snapshot. The count always covers all calls. */
export const LIVE_CALLS_SHOWN_MAX = 1_000

export const CALL_RECORDS_DEFAULT = 20
export const CDR_PAGE_DEFAULT = 50
export const CDR_PAGE_MAX = 500
/** Final responses are 200 to 699; a record can also hold a provisional one. */
export const SIP_CODE_MIN = 100
export const SIP_CODE_MAX = 699
/** Length of a filter by device. */
export const DEVICE_MAX = 100

export const ANALYSIS_DAYS_MAX = 366
export const ANALYSIS_ROWS_DEFAULT = 50
export const ANALYSIS_ROWS_MAX = 1_000
/** Longest period with figures per hour. */
export const ANALYSIS_HOURS_DAYS_MAX = 31
export const SAVED_VIEWS_MAX = 50
export const VIEW_NAME_MAX = 60
export const VIEW_QUERY_MAX = 2_000

/** Incoming calls of a carrier. */
export const INCOMING_SOURCES_MAX = 50
export const INCOMING_PASSWORD_MIN = 8

/** Rented numbers and their ring plans. */
export const NUMBER_LABEL_MAX = 100
export const NUMBER_NOTE_MAX = 500
export const NUMBER_TAGS_MAX = 20
export const NUMBER_CALLS_MAX = 1_000
export const NUMBERS_PAGE_DEFAULT = 50
export const NUMBERS_PAGE_MAX = 200
export const NUMBERS_CSV_BYTES_MAX = 1_000_000
export const NUMBERS_PER_CUSTOMER_MAX = 1_000
export const RENT_MAX_DOLLARS = 10_000
export const RING_STEPS_MAX = 5
export const RING_RULES_MAX = 20
export const RING_SECONDS_MAX = 120

/** Flows, sounds and voicemail. */
export const FLOW_NAME_MAX = 100
export const FLOW_NOTE_MAX = 200
/** As JSON. */
export const FLOW_BYTES_MAX = 512 * 1024
export const FLOW_STEPS_MAX = 100
/** A menu has up to 15: twelve keys and three others. */
export const FLOW_EXITS_MAX = 16
export const FLOW_TEXT_MAX = 500
export const FLOW_WAIT_SECONDS_MAX = 120
export const FLOWS_MAX = 100
export const SOUND_NAME_MAX = 100
export const SOUND_SECONDS_MAX = 120
/** Stereo at 48 kHz, 16 bits, with headers. */
export const SOUND_BYTES_MAX = SOUND_SECONDS_MAX * 48_000 * 4 + 64 * 1024
/** The longest sound as base64. */
export const SOUND_BASE64_MAX = Math.ceil(SOUND_BYTES_MAX / 3) * 4
/** With its name, as JSON. */
export const SOUND_BODY_BYTES_MAX = SOUND_BASE64_MAX + 4 * 1024
export const SOUNDS_MAX = 200
export const MESSAGE_SECONDS_MAX = 300
/** A full mailbox takes no more messages: 300 of five minutes have 720 MB. */
export const VOICEMAIL_MESSAGES_MAX = 300
export const VOICEMAIL_PAGE_DEFAULT = 50
export const VOICEMAIL_PAGE_MAX = 100
export const VOICEMAIL_SELECTED_MAX = 100
export const VOICEMAIL_DAYS_MAX = 365
export const RECORDING_DAYS_MAX = 3_650
export const RECORDING_PRICE_MAX_DOLLARS = 10
