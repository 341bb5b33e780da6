/** What the normal tests ask by sample is asked whole where LONG says so: before a release, and at night. */
export const isLong = Boolean(process.env.LONG)
