/** Replaces `{name}` in a canned reply by the customer's name, or the username. */
export const fillIn = (text: string, user: { name: string | null; username: string }): string =>
  text.replaceAll('{name}', () => user.name?.trim() || user.username)
