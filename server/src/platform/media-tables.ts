import type { Flow, FlowLogEntry, Language } from '@trunkline/domain/flows'
import type { PromptName } from '@trunkline/domain/prompts'
import type { Destination } from '@trunkline/domain/ringing'
import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>

/** A column with two decimals, as a string. */
type Seconds = ColumnType<string, number, number>

/** Tables for flows, sounds, voicemail, recordings and media processes. */
export type MediaTables = {
  media_servers: {
    id: string
    host: string
    port: number
    password: string
    started_at: Date
    seen_at: Date
    is_leaving: Generated<boolean>
    live_calls: Generated<number>
    copies_audio: Generated<boolean>
  }
  sounds: {
    id: Generated<number>
    user_id: number
    name: string
    origin: 'upload' | 'microphone' | 'phone'
    seconds: Seconds
    alaw: Buffer
    ulaw: Buffer
    created_at: Date
  }
  spoken_texts: {
    key: string
    alaw: Buffer
    ulaw: Buffer
    used_at: Date
  }
  system_prompts: {
    id: Generated<number>
    language: Language
    name: PromptName
    seconds: Seconds
    alaw: Buffer
    ulaw: Buffer
    replaced_at: Date
  }
  flows: {
    id: Generated<number>
    user_id: number
    name: string
    draft: Json<Flow>
    secret: string
    created_at: Date
    updated_at: Date
    version: Generated<number>
    published_version: number | null
  }
  flow_versions: {
    id: Generated<number>
    flow_id: number
    number: number
    flow: Json<Flow>
    note: Generated<string>
    published_at: Date
    published_by: number
  }
  media_calls: {
    call_id: string
    user_id: number
    kind: 'flow' | 'voicemail' | 'mailbox' | 'ring'
    media_id: string
    media_started_at: Date
    flow_version_id: number | null
    started_at: Date
    ended_at: Date | null
    is_ringing: Generated<boolean>
  }
  test_calls: {
    rental_id: number
    token: string
    state: 'waiting' | 'calling' | 'ringing' | 'answered' | 'busy' | 'no_answer' | 'failed'
    created_at: Date
    media_id: string | null
    media_started_at: Date | null
    call_id: string | null
    ended_at: Date | null
  }
  media_call_steps: {
    call_id: string
    position: number
    entry: Json<FlowLogEntry>
  }
  media_legs: {
    token: string
    media_id: string
    parent_call_id: string
    user_id: number
    destination: Json<Destination>
    created_at: Date
    call_id: Generated<string | null>
    step: Generated<number | null>
    media_started_at: Generated<Date | null>
  }
  queue_calls: {
    call_id: string
    flow_id: number
    step_id: string
    entered_at: Date
    ticket: Generated<bigint>
  }
  voicemail_settings: {
    user_id: number
    greeting_sound_id: number | null
    greeting_text: Generated<string>
    language: Generated<Language>
    mails: Generated<boolean>
    attaches: Generated<boolean>
    days_kept: Generated<number>
    version: Generated<number>
  }
  voicemails: {
    id: Generated<number>
    user_id: number
    call_id: string
    number: string
    caller: string
    caller_name: Generated<string>
    started_at: Date
    seconds: Seconds
    state: 'recording' | 'new' | 'read'
    media_id: string
    file: string
    storage: Generated<'folder' | 's3'>
    mail_done_at: Date | null
  }
  recording_settings: {
    user_id: number
    is_allowed: Generated<boolean>
    records_all: Generated<boolean>
    records_dialed: Generated<boolean>
    announces: Generated<boolean>
    days_kept: Generated<number>
    version: Generated<number>
  }
  recording_requests: {
    call_id: string
    user_id: number
    sip_call_id: string
    sip_tag: string
    created_at: Date
    state: Generated<'waiting' | 'taken' | 'announcing' | 'overdue' | 'recording'>
    media_id: Generated<string | null>
    media_started_at: Generated<Date | null>
    announced_until: Generated<Date | null>
  }
  recordings: {
    id: Generated<number>
    user_id: number
    call_id: string
    started_at: Date
    seconds: Seconds
    state: 'recording' | 'ready'
    media_id: string
    file: string
    storage: Generated<'folder' | 's3'>
    micros: Generated<bigint>
    booked_at: Date | null
    price_micros: bigint | null
  }
}
