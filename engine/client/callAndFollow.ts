import type { JobProgress } from '../model/model.ts'
import type { Follower } from './followJob.tsx'

/** Makes a call, and follows it where it takes longer. @throws RequestError as the call is refused. */
export async function callAndFollow<T>(follower: Follower, path: string, data: object): Promise<T> {
  const result = await follower.request.post<T | { job: JobProgress }>(path, data, { follows: true })
  if (!isJob(result)) return result
  const { followJob } = await import('./followJob.tsx')
  return (await followJob(follower, result.job)) as T
}

const isJob = (result: unknown): result is { job: JobProgress } =>
  typeof (result as { job?: JobProgress } | null)?.job?.state === 'string'
