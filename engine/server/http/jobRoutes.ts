import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { JobProgress } from '../../model/model.ts'
import { cancelJob, jobProgress, jobsUnderWay, type Progress } from '../jobs/callJobs.ts'
import { answer, envelopeOf } from './envelope.ts'

const schema = { body: { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } } }
const idOf = (id: string) => (/^[1-9]\d{0,8}$/.test(id) ? Number(id) : 0)

/** A user's own background calls, so no permission is needed. */
export function jobRoutes(api: FastifyInstance): void {
  const wired = ({ refusal, ...job }: Progress, { language }: FastifyRequest): JobProgress => ({
    ...job,
    ...(refusal && { refusal: envelopeOf(refusal, language) }),
  })
  api.get('/jobs', async ({ context }) => answer({ list: await jobsUnderWay(context) }))
  api.get<{ Params: { id: string } }>('/jobs/:id', async (request) =>
    answer(wired(await jobProgress(request.context, idOf(request.params.id)), request)),
  )
  api.post<{ Body: { id: number } }>('/jobs/cancel', { schema }, async (request) =>
    answer(wired(await cancelJob(request.context, request.body.id), request)),
  )
}
