/** A name as SQL takes it, whatever is in it. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A text as SQL takes it. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
