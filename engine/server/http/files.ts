import { createHash, randomBytes } from 'node:crypto'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { cleanFileName, fileTypeOf, headLength } from '../files/content.ts'
import type { FileType } from '../files/content.ts'
import { answer } from './envelope.ts'
import { Refusal } from '../errors.ts'
import { fileKeyIn } from './fileCookie.ts'
import { policy } from '../identity/policies.ts'
import type { Context, Runtime } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { readFileSession, readSession, tokenOf } from '../identity/session.ts'
import { fileUrl } from '../files/UploadedFiles.ts'
import { isUsed, requestKey } from '../records/idempotency.ts'
import { inWork } from '../records/Work.ts'
import { takeAsLongAsItTakes } from '../postgres/allowance.ts'
import { disposition } from '../files/disposition.ts'
import { Turnstile } from '../turnstile.ts'

/**
 * Size limits in megabytes, whatever the field allows: high for app packages, set by administrators for pictures, low
 * for everything else.
 */
const largest = 200
const largestCommon = 20
const packages = /\.(apk|ipa|wgt|zip|xlsx)$/i
const megabyte = 1024 * 1024
/** The operation's name in stored keys. */
const uploading = 'file.upload'

/**
 * `POST /common/upload` (specification, section 7): multipart `file` and `json`, whose `file_type` adds nothing to the
 * content itself.
 */
export async function uploadRoute(api: FastifyInstance, runtime: Runtime): Promise<void> {
  await api.register(multipart, {
    limits: { files: 1, fields: 10, fileSize: largest * megabyte },
    throwFileSizeLimit: true,
  })
  // The rest of a refused upload is read and dropped, because unread data would block the answer and the next request
  // on the connection.
  api.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return
    raw.unpipe()
    raw.resume()
  })

  api.post(
    '/common/upload',
    { bodyLimit: (largest + 1) * megabyte, config: { takesUploads: true } },
    async (request) => {
      takeAsLongAsItTakes()
      return turnsOf(runtime).run(() => receive(runtime, request), String(request.context.user.id))
    },
  )
}

async function receive(runtime: Runtime, request: FastifyRequest): Promise<object> {
  if (!request.isMultipart()) throw new Refusal('notMultipart')
  const keyFor = (body?: object) => requestKey(request.headers['idempotency-key']?.toString(), uploading, body)
  if (!(await isUsed(request.context, keyFor()))) await demandRoom(runtime, request.context)
  // The parser would not notice that the connection has already ended, and would wait and keep its turn for ever.
  if (request.raw.destroyed) throw new Refusal('notMultipart')
  const part = await firstFile(request)
  if (!part) throw new Refusal('notMultipart')
  const name = cleanFileName(part.filename)
  const type = fileTypeOf(name)
  if (!type) {
    part.file.resume()
    throw new Refusal('fileType')
  }
  const id = randomBytes(16).toString('hex')
  const url = fileUrl(id, name)
  const limit = packages.test(name)
    ? largest
    : type.type.startsWith('image/')
      ? policy(runtime, 'pictureMegabytes')
      : largestCommon
  const inspected = inspect(type, limit)
  // Waits for both, so that the partial file is removed before the refusal is sent.
  const ends = await Promise.allSettled([
    pipeline(part.file, inspected.stream),
    runtime.uploads.write(id, inspected.stream),
  ])
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) {
    part.file.resume()
    await runtime.uploads.remove(id)
    // The form ended before its file did.
    const broken = part.file.errored && new Refusal('notMultipart')
    throw inspected.refusal() ?? broken ?? failed.reason
  }
  const { size, sha256 } = inspected.result()
  const context = { ...request.context, request: keyFor({ name, size, sha256 }) }
  return answer(await keepUpload(context, { id, url, name, size, sha256, type: type.type }))
}

/** @throws Refusal notMultipart, where the form is cut off or its parts are malformed; an error of the parser's limits. */
async function firstFile(request: FastifyRequest) {
  try {
    return await request.file()
  } catch (error) {
    throw error instanceof Error && 'statusCode' in error ? error : new Refusal('notMultipart')
  }
}

interface StoredUpload {
  id: string
  url: string
  name: string
  size: number
  sha256: string
  type: string
}

/**
 * Registers a stored file. The same file sent again under its key is not stored twice.
 * @returns the first answer
 * @throws Refusal repeated, if the key was used for another file; underWay.
 */
async function keepUpload(context: Context, { id, url, name, size, sha256, type }: StoredUpload): Promise<object> {
  const { uploads } = context.runtime
  try {
    const kept = await inWork(context, { cause: 'system' }, async ({ db }) => {
      await sql`insert into system_file (name, size, type, sha256, path, uploaded_by, at)
        values (${name}, ${size}, ${type}, ${sha256}, ${id}, ${context.user.id}, ${context.now})`.execute(db)
      return { url, name, size }
    })
    if (kept.url !== url) await uploads.remove(id)
    return kept
  } catch (error) {
    // After any other failure the row may have been committed, so the file must stay.
    if (error instanceof Refusal) await uploads.remove(id)
    throw error
  }
}

/** Each user's uploads take turns, so that those in progress can hardly exceed the quota. */
const turns = new WeakMap<Runtime, Turnstile>()

function turnsOf(runtime: Runtime): Turnstile {
  const known = turns.get(runtime) ?? new Turnstile({ atOnce: 30, perKey: 4, waiting: 300, waitingPerKey: 60 })
  turns.set(runtime, known)
  return known
}

/** A file takes some room however small it is. */
const smallest = 64 * 1024

/**
 * Keeps one user from filling the disk, though the few files in progress may exceed the quota.
 * @throws Refusal uploadQuota.
 */
async function demandRoom({ database, safety }: Runtime, { user, now }: Context): Promise<void> {
  const {
    rows: [{ bytes }],
  } = await sql<{ bytes: string }>`select coalesce(sum(greatest(size, ${smallest})), 0)::text as bytes from system_file
    where uploaded_by = ${user.id} and at > ${now}::timestamp - interval '1 day'`.execute(database.kysely)
  if (Number(bytes) >= safety.uploadMegabytes * megabyte)
    throw new Refusal('uploadQuota', { parameters: { size: safety.uploadMegabytes } })
}

/** Passes a file through, and fails on invalid content. */
function inspect({ begins, otherwise }: FileType, limit: number) {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let size = 0
  let checked = false
  let refused: Refusal | undefined
  const refuse = (refusal: Refusal) => (refused = refusal)
  const check = () => {
    checked = true
    return begins(head) ? null : refuse(new Refusal(otherwise?.(head) ?? 'fileContent'))
  }
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      hash.update(chunk)
      if (head.length < headLength) head = Buffer.concat([head, chunk.subarray(0, headLength - head.length)])
      if (size > limit * megabyte) return done(refuse(new Refusal('fileTooLarge', { parameters: { size: limit } })))
      if (!checked && head.length >= headLength) {
        const refusal = check()
        if (refusal) return done(refusal)
      }
      done(null, chunk)
    },
    flush(done) {
      done(size === 0 ? refuse(new Refusal('fileEmpty')) : checked ? null : check())
    },
  })
  return { stream, refusal: () => refused, result: () => ({ size, sha256: hash.digest('hex') }) }
}

/**
 * `GET /files/{id}/{name}`: for signed-in users who know the id: 128 random bits found only in records, which the user
 * must be allowed to read. Pictures are shown, everything else is downloaded.
 */
export function fileRoute(api: FastifyInstance, runtime: Runtime): void {
  api.get<{ Params: { id: string; name: string } }>('/files/:id/:name', async (request, reply) => {
    await admit(runtime, request, request.params.id)
    const {
      rows: [file],
    } = await sql<{ name: string; type: string; size: number; sha256: string }>`
      select name, type, size, sha256 from system_file where path = ${request.params.id}`.execute(
      runtime.database.kysely,
    )
    if (!file) throw new Refusal('unknownFile')
    const inline = fileTypeOf(file.name)?.inline ?? false
    reply
      // A browser revalidates its copy, because the session may have ended.
      .header('cache-control', 'private, no-cache')
      .header('etag', `"${file.sha256}"`)
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('content-disposition', disposition(inline ? 'inline' : 'attachment', file.name))
      .type(file.type)
    if (request.headers['if-none-match'] === `"${file.sha256}"`) return reply.code(304).send()
    // Opened before the length is set, so that a missing file is answered as an error and not as a picture of that
    // length.
    const content = await runtime.uploads.read(request.params.id, file.sha256)
    return reply.header('content-length', file.size).send(content)
  })
}

/** @throws Refusal signedOut, expired, mustChangePassword, unless the file is public. */
async function admit(runtime: Runtime, request: FastifyRequest, id: string): Promise<void> {
  const token = tokenOf(request)
  try {
    const { mustChangePassword } = await (token === undefined
      ? readFileSession(runtime, fileKeyIn(request))
      : readSession(runtime, token))
    if (mustChangePassword) throw new Refusal('mustChangePassword')
  } catch (error) {
    if (!(error instanceof Refusal) || !(await isPublic(runtime, id))) throw error
  }
}

/** Whether a record has it in a field declared as public. */
async function isPublic(runtime: Runtime, id: string): Promise<boolean> {
  const { catalog, widget } = runtime.derived
  const like = fileUrl(id, '')
  const having = Object.values(catalog.entities).flatMap((entity) =>
    Object.values(entity.fields)
      .filter((field) => !field.sensitive && widget(field).isPublic?.(field.options))
      .map(
        (
          field,
        ) => sql`exists (select from ${tableOf(runtime, entity)}, jsonb_array_elements(${sql.ref(field.name)}) as file
          where "deletedAt" is null and starts_with(file->>'url', ${like}))`,
      ),
  )
  if (having.length === 0) return false
  const { rows } = await sql<{ open: boolean }>`select ${sql.join(having, sql` or `)} as open`.execute(
    runtime.database.kysely,
  )
  return rows[0].open
}
