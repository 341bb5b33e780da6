/**
 * The cookie that opens files: pictures stand in `<img>` and files behind links, which send no header. It is read for
 * files alone, so that no call is ever authorised by it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../runtime.ts'

/** Browsers share cookies between the ports of a host, on each of which may be another installation. */
const nameOf = ({ port }: FastifyRequest) => `files${port ?? ''}`

/** Until the session must have ended; null takes it away. */
export function setFileCookie({ safety }: Runtime, request: FastifyRequest, reply: FastifyReply, key: string | null) {
  const age = key === null ? 0 : safety.sessionHours * 3600
  const parts = [`${nameOf(request)}=${key ?? ''}`, 'Path=/api/files', `Max-Age=${age}`, 'HttpOnly', 'SameSite=Strict']
  reply.header('set-cookie', [...parts, ...(request.protocol === 'https' ? ['Secure'] : [])].join('; '))
}

export function fileKeyIn(request: FastifyRequest): string | undefined {
  const begins = `${nameOf(request)}=`
  const found = request.headers.cookie?.split(/;\s*/).find((each) => each.startsWith(begins))
  return found?.slice(begins.length) || undefined
}
