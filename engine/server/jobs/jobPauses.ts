/**
 * After these pauses a call looks whether its own job has ended: most have by then, and are answered as usual. Tests in
 * which nobody works on jobs look once.
 */
export const jobPauses = { milliseconds: [20, 30, 50, 100, 200, 300, 300] }
