/** The launcher generates this id for a switch without `SIP_SWITCH_ID`. */
const GENERATED = /^kamailio-[0-9a-f]{4}([0-9a-f]{4})$/

/** What people see instead of the id of a switch. A generated id is shortened to its end, which is also in logs and metrics. */
export function switchLabel(id: string): string {
  if (id === 'demo') return 'Demo switch'
  return `Switch ${GENERATED.exec(id)?.[1] ?? id}`
}

/** The id of a call is that of its switch, a slash, and the name that the switch gave it. */
export const callLabel = (uniqueid: string): string => uniqueid.slice(uniqueid.indexOf('/') + 1)
