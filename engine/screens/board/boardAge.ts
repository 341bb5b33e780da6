/** How long the figures of an open board stay fresh (milliseconds). */
export const boardAge = 300_000
