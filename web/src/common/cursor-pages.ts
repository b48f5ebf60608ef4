/** Options of an infinite query whose pages name the cursor of the next one. */
export const cursorPages = {
  initialPageParam: null as number | null,
  getNextPageParam: ({ next }: { next: number | null }) => next,
}
