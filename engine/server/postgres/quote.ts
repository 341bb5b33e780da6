/** A quoted SQL identifier. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A quoted SQL literal. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
