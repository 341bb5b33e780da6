/** LONG has tests run in full that otherwise take samples: before a release, and at night. */
export const isLong = Boolean(process.env.LONG)
