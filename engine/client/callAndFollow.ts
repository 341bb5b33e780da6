import type { JobProgress } from '../model/model.ts'
import type { Follower } from './followJob.tsx'

/** What an answer comes to: the answer itself or, where it takes longer, what its job ends with. */
export async function outcomeOf<T>(follower: Follower, answer: Answer<T>): Promise<T> {
  if (!isJob(answer)) return answer
  const { followJob } = await import('./followJob.tsx')
  return (await followJob(follower, answer.job)) as T
}

/** Makes a call, and follows it where it takes longer. @throws RequestError as the call is refused. */
export async function callAndFollow<T>(follower: Follower, path: string, data: object): Promise<T> {
  return outcomeOf(follower, await follower.request.post<Answer<T>>(path, data, { follows: true }))
}

/** What is asked for, or its job. */
export type Answer<T> = T | { job: JobProgress }

const isJob = (result: unknown): result is { job: JobProgress } =>
  typeof (result as { job?: JobProgress } | null)?.job?.state === 'string'
