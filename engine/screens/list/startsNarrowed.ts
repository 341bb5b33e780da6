/** Whether the filter has an initial value by default. */
export const startsNarrowed = ({
  default: initial,
  defaultFrom,
}: {
  default?: string
  defaultFrom?: readonly string[]
}): boolean => (initial ?? defaultFrom) !== undefined
