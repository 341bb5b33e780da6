import { Button, Space } from 'antd'
import type { useAppProps } from 'antd/es/app/context'
import { textIn } from '../model/language.ts'
import type { CallResult, JobProgress } from '../model/model.ts'
import { pressable } from './pressable.ts'
import { RequestError } from './RequestError.ts'
import type { Request } from './request.ts'
import { defineWords } from './words.ts'

/** Bundled with this file, because most calls never need them. */
const texts = defineWords({
  done: { cn: '已完成{n}/{m}', en: '{n} of {m} done' },
  underWay: { cn: '正在办理', en: 'In progress' },
  goesOn: {
    cn: '关闭后仍会继续，完成时另有消息',
    en: 'It continues if you close this; a message reports the outcome',
  },
  previewing: { cn: '正在试算，尚未办理', en: 'Preparing a preview; nothing has been changed yet' },
  cancel: { cn: '停止办理', en: 'Stop' },
  cancelPreview: { cn: '停止试算', en: 'Stop' },
  cancelling: { cn: '正在停止', en: 'Stopping' },
  cancelled: { cn: '已停止，此前成功{n}条', en: 'Stopped after {n} {n|record|records}' },
  nothingDone: { cn: '已停止，未作任何更改', en: 'Stopped; nothing was changed' },
  notCancelled: { cn: '未能停止：{reason}', en: 'It could not be stopped: {reason}' },
})

export interface Follower {
  app: Pick<useAppProps, 'notification'>
  language: string
  request: Request
}

interface Cancelling {
  underWay: boolean
  /** Why it could not be cancelled. */
  failure?: string
}

const pause = 1000
const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Shows the progress of a job, and lets its user cancel it, until it has ended. If the dialog is closed, the job goes
 * on.
 * @returns the result of the job
 * @throws RequestError as the call itself would have been refused
 */
export async function followJob(follower: Follower, begun: JobProgress): Promise<CallResult> {
  const { app, request, language } = follower
  const words = texts.translate(language)
  const key = `job:${begun.id}`
  let isShown = true
  let cancelling: Cancelling = { underWay: false }
  const show = (job: JobProgress) => {
    if (!isShown) return
    app.notification.open({
      key,
      role: 'status',
      message: textIn(job.label, language),
      description: progress(follower, job, cancelling, cancel),
      duration: 0,
      onClose: () => {
        isShown = false
      },
    })
  }
  let job = begun
  let leave = () => {}
  const left = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined)
  })
  function cancel() {
    const asked = request.post('/jobs/cancel', { id: begun.id })
    if (begun.preview) {
      // Nothing of it stays anyway, so nobody waits for the end of its step.
      leave()
      void asked.catch(() => undefined)
      return
    }
    cancelling = { underWay: true }
    show(job)
    void asked.catch(({ message }: Error) => {
      cancelling = { underWay: false, failure: words('notCancelled', { reason: message }) }
      show(job)
    })
  }
  try {
    while (job.state === 'waiting') {
      show(job)
      const known = job
      const later = delay(pause).then(() => reread(request, known))
      job = (await Promise.race([later, left])) ?? { ...known, state: 'cancelled' }
    }
  } finally {
    app.notification.destroy(key)
  }
  if (job.refusal) throw new RequestError(job.refusal.message, job.refusal)
  const result = (job.result ?? { succeeded: 0, failed: [] }) as CallResult
  if (job.state !== 'cancelled') return result
  const summaryIn = (spoken: string) => {
    const words = texts.translate(spoken)
    return job.steps > 1 ? words('cancelled', { n: result.succeeded }) : words('nothingDone')
  }
  return { ...result, summary: { cn: summaryIn('cn'), en: summaryIn('en') } }
}

/** The job goes on even while the server cannot be reached. */
async function reread(request: Request, job: JobProgress): Promise<JobProgress> {
  try {
    return await request.get<JobProgress>(`/jobs/${job.id}`)
  } catch (error) {
    const isAway = error instanceof RequestError && !error.cancelled && (error.code === 0 || error.code >= 500)
    if (isAway) return job
    throw error
  }
}

function progress(
  { language }: Follower,
  { done, steps, preview }: JobProgress,
  { underWay, failure }: Cancelling,
  cancel: () => void,
) {
  const words = texts.translate(language)
  const stepText = words('done', { n: done, m: steps })
  return (
    <Space direction="vertical" className="job-progress">
      {steps > 1 ? (
        <>
          <progress value={done} max={steps} aria-label={stepText} />
          <span>{stepText}</span>
        </>
      ) : (
        <progress aria-label={words('underWay')} />
      )}
      <span>{words(preview ? 'previewing' : 'goesOn')}</span>
      {failure !== undefined && <span role="alert">{failure}</span>}
      <Button size="small" {...pressable(!underWay, cancel)}>
        {words(underWay ? 'cancelling' : preview ? 'cancelPreview' : 'cancel')}
      </Button>
    </Space>
  )
}

/** Resumes following jobs that were running when the page was left, and reports their results as messages. */
export function followAgain(
  follower: Follower,
  jobs: readonly JobProgress[],
  { failed, ended }: { failed(error: unknown): void; ended(entity: string): void },
): void {
  for (const job of jobs)
    void followJob(follower, job)
      .catch(failed)
      .finally(() => ended(job.entity))
}
