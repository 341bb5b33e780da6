/** So old may the numbers of an open board become before they are read again (milliseconds). */
export const boardAge = 300_000
