/** How long open items have waited. No zod import, because the browser loads this file too. */

export const ageBands = ['under_4h', '4h_to_1d', '1d_to_3d', 'over_3d'] as const
export type AgeBand = (typeof ageBands)[number]

/** Hours: `from` is inclusive, `to` is exclusive. */
export const ageTerms: Readonly<Record<AgeBand, { label: string; from: number; to: number | null }>> = {
  under_4h: { label: 'Under 4 hours', from: 0, to: 4 },
  '4h_to_1d': { label: '4 to 24 hours', from: 4, to: 24 },
  '1d_to_3d': { label: '1 to 3 days', from: 24, to: 72 },
  over_3d: { label: 'Over 3 days', from: 72, to: null },
}
