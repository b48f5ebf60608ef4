import type { PromptName } from '@trunkline/domain/prompts'

export const promptTitles: Record<PromptName, string> = {
  voicemail_greeting: 'Default voicemail greeting',
  mailbox_full: 'Mailbox is full',
  wrong_key: 'Wrong key',
  recording_announcement: 'Recording announcement',
  test_call: 'Test call of a number',
  queue_position: 'Queue position, before the number',
  queue_position_end: 'Queue position, after the number',
  no_messages: 'No messages',
  one_new_message: 'One new message',
  new_messages: 'New messages, before the number',
  new_messages_end: 'New messages, after the number',
  mailbox_keys: 'Keys of the mailbox',
  deleted: 'Message deleted',
  end_of_messages: 'End of messages',
  record_greeting: 'Record a greeting',
  greeting_saved: 'Greeting saved',
  record_sound: 'Record a sound',
  sound_saved: 'Sound saved',
  sounds_full: 'Library of sounds is full',
  digit_0: 'Digit 0',
  digit_1: 'Digit 1',
  digit_2: 'Digit 2',
  digit_3: 'Digit 3',
  digit_4: 'Digit 4',
  digit_5: 'Digit 5',
  digit_6: 'Digit 6',
  digit_7: 'Digit 7',
  digit_8: 'Digit 8',
  digit_9: 'Digit 9',
  letter_a: 'Letter A',
  letter_b: 'Letter B',
  letter_c: 'Letter C',
  letter_d: 'Letter D',
  letter_e: 'Letter E',
  letter_f: 'Letter F',
  letter_g: 'Letter G',
  letter_h: 'Letter H',
  letter_i: 'Letter I',
  letter_j: 'Letter J',
  letter_k: 'Letter K',
  letter_l: 'Letter L',
  letter_m: 'Letter M',
  letter_n: 'Letter N',
  letter_o: 'Letter O',
  letter_p: 'Letter P',
  letter_q: 'Letter Q',
  letter_r: 'Letter R',
  letter_s: 'Letter S',
  letter_t: 'Letter T',
  letter_u: 'Letter U',
  letter_v: 'Letter V',
  letter_w: 'Letter W',
  letter_x: 'Letter X',
  letter_y: 'Letter Y',
  letter_z: 'Letter Z',
}

type Group = { title: string; text: string; has: (name: PromptName) => boolean }

const toCallers: readonly PromptName[] = [
  'voicemail_greeting',
  'mailbox_full',
  'wrong_key',
  'recording_announcement',
  'test_call',
]
const isQueue = (name: PromptName) => name.startsWith('queue_')
const isDigit = (name: PromptName) => name.startsWith('digit_')
const isLetter = (name: PromptName) => name.startsWith('letter_')

export const promptGroups: readonly Group[] = [
  {
    title: 'Callers',
    text: 'Customers can use a greeting of their own instead.',
    has: (name) => toCallers.includes(name),
  },
  {
    title: 'Queue',
    text: 'The voice speaks the whole sentence. With a recording of one part, callers hear the parts one after the other.',
    has: isQueue,
  },
  {
    title: 'Mailbox (*97)',
    text: 'Customers hear these when they listen to their messages.',
    has: (name) => !toCallers.includes(name) && !isQueue(name) && !isDigit(name) && !isLetter(name),
  },
  { title: 'Digits', text: 'Positions, counts and spelled values, digit by digit.', has: isDigit },
  {
    title: 'Letters',
    text: 'Flows read out values letter by letter with {{spell name}}.',
    has: isLetter,
  },
]
