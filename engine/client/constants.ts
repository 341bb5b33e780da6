/** The specification's constants of the client runtime, each with its section. */
export const constants = {
  /** Sections 7 and 9: timeout of a call (milliseconds). */
  timeout: 180_000,
  /** Section 4: percent of an upload, until the server has answered. */
  uploadProgressMaximum: 99,
  /** Section 9: pause in typing before the input takes effect (milliseconds). */
  debounce: 300,
} as const
