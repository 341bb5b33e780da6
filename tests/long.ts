/** LONG runs in full the tests that otherwise only sample: before a release, and nightly. */
export const isLong = Boolean(process.env.LONG)
