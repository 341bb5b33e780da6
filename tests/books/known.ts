/**
 * Known, unfixed faults, which generated stories avoid so that they find others. Each has its own story in `stories`. A
 * fix removes its point here and expects its story to hold.
 */
export const known: readonly string[] = []
