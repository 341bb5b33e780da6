/**
 * The cookie that authorises file downloads, because `<img>` and links send no header. It is read only for files, so
 * that no call is ever authorised by it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../runtime.ts'

/** Browsers share cookies between the ports of a host, each of which may be another installation. */
const nameOf = ({ port }: FastifyRequest) => `files${port ?? ''}`

/** Expires with the session; null removes it. */
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
