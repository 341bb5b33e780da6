import { truncateText } from '../../model/truncateText.ts'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { BucketAddress } from './bucketAddress.ts'

export interface Part {
  number: number
  etag: string
}
interface Call {
  method?: 'GET' | 'PUT' | 'POST' | 'DELETE'
  query?: Record<string, string>
  body?: Buffer
}

const attempts = 4
/** Milliseconds before the second attempt; four times as long before each further one. */
const pause = 100
/** Milliseconds until an answer must begin. */
const patience = 120_000
/** The most text that is read of an answer. */
const longestText = 4 * 2 ** 20

/** A request to the bucket failed. The message holds no credentials. */
export class BucketError extends Error {
  /** The service's error code: `AccessDenied`, `NoSuchBucket` …; absent if there was no answer. */
  readonly reason: string | undefined
  /** `FILES_UNREACHABLE` if a later attempt may succeed, `ENOSPC` if there is no room. */
  readonly code: string | undefined

  constructor(message: string, { reason, code, cause }: { reason?: string; code?: string; cause?: unknown } = {}) {
    super(message, { cause })
    this.reason = reason
    this.code = code
  }
}

/** The S3 calls that we use. Requests are signed with the SHA-256 of their content, which the server verifies. */
export class Bucket {
  readonly address: BucketAddress
  readonly #keys = new Map<string, ArrayBuffer>()

  constructor(address: BucketAddress) {
    this.address = address
  }

  async put(key: string, body: Buffer): Promise<void> {
    await text(await this.#send(key, { method: 'PUT', body }))
  }

  /** @returns undefined if there is no such object */
  async get(key: string): Promise<{ body: Readable; size: number | undefined } | undefined> {
    const answer = await this.#send(key, {}, ['NoSuchKey'])
    if (!answer) return undefined
    const length = answer.headers.get('content-length')
    return {
      body: answer.body ? Readable.fromWeb(answer.body as never) : Readable.from([]),
      size: length === null ? undefined : Number(length),
    }
  }

  async remove(key: string): Promise<void> {
    await text(await this.#send(key, { method: 'DELETE' }, ['NoSuchKey']))
  }

  async *list(prefix: string): AsyncGenerator<{ key: string; size: number; modified: Date }> {
    for (let token: string | undefined; ;) {
      const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) }
      const answer = await text(await this.#send('', { query }))
      for (const value of valuesOf(answer, 'Contents'))
        yield {
          key: plain(valueOf(value, 'Key')),
          size: Number(valueOf(value, 'Size')),
          modified: new Date(valueOf(value, 'LastModified')),
        }
      if (valueOf(answer, 'IsTruncated') !== 'true') return
      token = plain(valueOf(answer, 'NextContinuationToken'))
    }
  }

  /** Checks that the bucket exists and may be listed. */
  async check(key: string): Promise<void> {
    await text(await this.#send('', { query: { 'list-type': '2', 'max-keys': '1', prefix: key } }))
  }

  /** @returns the id of the upload */
  async begin(key: string): Promise<string> {
    const answer = await text(await this.#send(key, { method: 'POST', query: { uploads: '' } }))
    return plain(valueOf(answer, 'UploadId'))
  }

  async part(key: string, upload: string, number: number, body: Buffer): Promise<Part> {
    const query = { partNumber: String(number), uploadId: upload }
    const answer = await this.#send(key, { method: 'PUT', query, body })
    await text(answer)
    return { number, etag: answer.headers.get('etag') ?? '' }
  }

  async complete(key: string, upload: string, parts: readonly Part[]): Promise<void> {
    const listed = parts.map(
      ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
    )
    const body = Buffer.from(`<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`)
    const answer = await text(await this.#send(key, { method: 'POST', query: { uploadId: upload }, body }))
    // The answer begins before the work is done, so a failure may follow a good status.
    if (/<Error\b/.test(answer)) throw failure(`complete ${key}`, 500, answer)
  }

  async abort(key: string, upload: string): Promise<void> {
    await text(await this.#send(key, { method: 'DELETE', query: { uploadId: upload } }, ['NoSuchUpload']))
  }

  /** Uploads that were neither completed nor aborted; none if the server cannot list them. */
  async *unfinished(prefix: string): AsyncGenerator<{ key: string; upload: string; begun: Date }> {
    for (let more: Record<string, string> | undefined = {}; more;) {
      const answer = await text(await this.#send('', { query: { uploads: '', prefix, ...more } }, ['NotImplemented']))
      for (const value of valuesOf(answer, 'Upload')) {
        const key = plain(valueOf(value, 'Key'))
        // Some servers ignore the prefix.
        if (key.startsWith(prefix))
          yield { key, upload: plain(valueOf(value, 'UploadId')), begun: new Date(valueOf(value, 'Initiated')) }
      }
      more = next(answer, { 'key-marker': 'NextKeyMarker', 'upload-id-marker': 'NextUploadIdMarker' })
    }
  }

  /** When the parts of an upload arrived; none if it has ended or the server cannot list them. */
  async *arrivals(key: string, upload: string): AsyncGenerator<Date> {
    for (let more: Record<string, string> | undefined = {}; more;) {
      const query = { uploadId: upload, ...more }
      const answer = await text(await this.#send(key, { query }, ['NotImplemented', 'NoSuchUpload', 'NoSuchKey']))
      for (const value of valuesOf(answer, 'Part')) yield new Date(valueOf(value, 'LastModified'))
      more = next(answer, { 'part-number-marker': 'NextPartNumberMarker' })
    }
  }

  async #send(key: string, call: Call): Promise<Response>
  async #send(key: string, call: Call, unless: string[]): Promise<Response | undefined>
  async #send(key: string, call: Call, unless: string[] = []): Promise<Response | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(key, call, unless)
      } catch (error) {
        if (!(error instanceof BucketError) || error.code !== 'FILES_UNREACHABLE' || attempt === attempts) throw error
      }
      await wait(pause * 4 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }

  async #once(
    key: string,
    { method = 'GET', query = {}, body }: Call,
    unless: string[],
  ): Promise<Response | undefined> {
    const { url, region, accessKeyId, secretAccessKey, sessionToken } = this.address
    const target = new URL(`${url}/${key.split('/').map(encodeURIComponent).join('/')}`)
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
    const signed = await new AwsV4Signer({
      method,
      url: target.href,
      headers: {
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      accessKeyId,
      secretAccessKey,
      sessionToken,
      region,
      service: 's3',
      cache: this.#keys,
    }).sign()
    const act = `${method} ${key || this.address.bucket}`
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), patience)
    let answer: Response
    try {
      answer = await fetch(signed.url, {
        method,
        headers: signed.headers,
        ...(body && { body: new Uint8Array(body) }),
        signal: giveUp.signal,
        redirect: 'manual',
      })
    } catch (error) {
      throw new BucketError(`${this.address.place} gave no answer (${act}): ${reasonOf(error)}`, {
        code: 'FILES_UNREACHABLE',
      })
    } finally {
      clearTimeout(timer)
    }
    if (answer.ok) return answer
    const refused = failure(`${this.address.place}, ${act}`, answer.status, await text(answer))
    if (refused.reason !== undefined && unless.includes(refused.reason)) return undefined
    throw refused
  }
}

const full = ['QuotaExceeded', 'EntityTooLarge', 'XMinioStorageFull', 'InsufficientStorage']

function failure(what: string, status: number, answer: string): BucketError {
  const reason = valueOf(answer, 'Code') || (status === 404 ? 'NoSuchKey' : `HTTP ${status}`)
  const code =
    full.includes(reason) || status === 507
      ? 'ENOSPC'
      : (status >= 500 && status !== 501) || status === 429 || reason === 'RequestTimeout'
        ? 'FILES_UNREACHABLE'
        : undefined
  // The service's message may repeat what was signed, so only its code is reported.
  return new BucketError(`${what}: ${reason}`, { reason, code })
}

/** Node puts the reason of a failed call into its cause. */
const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error
  return String((cause as NodeJS.ErrnoException | undefined)?.code ?? message)
}

async function text(answer: Response | undefined): Promise<string> {
  if (!answer) return ''
  try {
    return truncateText(await answer.text(), longestText)
  } catch (error) {
    throw new BucketError(`The bucket's response was cut off: ${reasonOf(error)}`, { code: 'FILES_UNREACHABLE' })
  }
}

const valuesOf = (xml: string, tag: string): string[] =>
  Array.from(xml.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g')), ([, value]) => value)
const valueOf = (xml: string, tag: string): string => valuesOf(xml, tag)[0] ?? ''

/** The parameters for the next page of a list: parameter → tag. @returns undefined after the last page */
function next(answer: string, markers: Record<string, string>): Record<string, string> | undefined {
  if (valueOf(answer, 'IsTruncated') !== 'true') return undefined
  const given = Object.entries(markers)
    .map(([name, tag]): [string, string] => [name, plain(valueOf(answer, tag))])
    .filter(([, marker]) => marker !== '')
  // Without a marker the first page would come again, for ever.
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plain = (xml: string): string =>
  xml.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) =>
    hex
      ? String.fromCodePoint(parseInt(hex, 16))
      : decimal
        ? String.fromCodePoint(Number(decimal))
        : (entities[name!] ?? whole),
  )
const escaped = (value: string): string => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
