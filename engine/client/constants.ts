/** The specification's constants of the client runtime; the section they come from stands beside them. */
export const constants = {
  /** Sections 7 and 9: a call is given up (milliseconds). */
  timeout: 180_000,
  /** Section 4: percent of an upload, until the server has answered. */
  uploadProgressMaximum: 99,
  /** Section 9: so long must typing pause before it is acted upon (milliseconds). */
  debounce: 300,
} as const
