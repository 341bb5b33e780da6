import type { JobProgress } from '../model/model.ts'
import type { Follower } from './followJob.tsx'

/** The result of an answer: the answer itself or, if it takes longer, the result of its job. */
export async function outcomeOf<T>(follower: Follower, answer: Answer<T>): Promise<T> {
  if (!isJob(answer)) return answer
  const { followJob } = await import('./followJob.tsx')
  return (await followJob(follower, answer.job)) as T
}

/** Makes a call, and follows its job if it takes longer. @throws RequestError if the call is refused. */
export async function callAndFollow<T>(follower: Follower, path: string, data: object): Promise<T> {
  return outcomeOf(follower, await follower.request.post<Answer<T>>(path, data, { follows: true }))
}

/** The result, or the job that will produce it. */
export type Answer<T> = T | { job: JobProgress }

const isJob = (result: unknown): result is { job: JobProgress } =>
  typeof (result as { job?: JobProgress } | null)?.job?.state === 'string'
