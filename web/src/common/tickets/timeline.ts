import type { TicketMessage, TicketNote } from '@trunkline/contract/tickets'

export type TimelineItem =
  | { kind: 'message'; key: string; at: string; message: TicketMessage }
  | { kind: 'note'; key: string; at: string; note: TicketNote }

/** Messages and internal notes in one list, oldest first. */
export function timelineOf(
  messages: readonly TicketMessage[],
  notes: readonly TicketNote[] = [],
): TimelineItem[] {
  const items: TimelineItem[] = [
    ...messages.map(
      (message) =>
        ({ kind: 'message', key: `message-${message.id}`, at: message.createdAt, message }) as const,
    ),
    ...notes.map((note) => ({ kind: 'note', key: `note-${note.id}`, at: note.createdAt, note }) as const),
  ]
  return items.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}
