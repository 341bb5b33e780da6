import axios from 'axios'
import type { AxiosProgressEvent, AxiosRequestConfig, AxiosResponse } from 'axios'
import { localeOf } from '../model/language.ts'
import type { Envelope } from '../model/model.ts'
import { prefetchedAnswers } from './prefetchedAnswers.ts'
import { answerHeaders } from './answerHeaders.ts'
import type { ServerNews } from './answerHeaders.ts'
import { baseHeaders, baseParameters } from './baseRequest.ts'
import type { Sender } from './baseRequest.ts'
import { constants } from './constants.ts'
import { fileNameOf, saveBlob } from './download.ts'
import { RequestError } from './RequestError.ts'
import { isSettled, requestKeys } from './requestKeys.ts'

export interface RequestConnection extends ServerNews {
  /** Default `/api`. */
  base?: string
  token(): string | null
  /** `cn` or `en`. */
  language(): string
  /** Called after a 401. */
  onUnauthorized(): void
}

export type Parameters = Record<string, unknown>
export interface RequestOptions {
  /** Resolves with the whole envelope instead of its result. */
  body?: 'all'
  signal?: AbortSignal
  /** Of calls with the same `method` field, cancels the new one instead of the earlier. */
  debounceAll?: boolean
  /** In milliseconds; 0 for no timeout. */
  timeout?: number
  onProgress?(percent: number): void
  /** Set if no user waits for it, so that the next call reports the expired session instead. */
  ahead?: boolean
  /** Lets the server answer with a job if the call takes long: see `callAndFollow`. */
  follows?: boolean
  /** Marks retries of one request: the server carries out the first to arrive, and repeats its answer for the rest. */
  key?: string
}

/** The one HTTP client. Every call resolves with the envelope's `result` and rejects with a `RequestError`. */
export interface Request {
  get<T>(path: string, parameters?: Parameters, options?: RequestOptions): Promise<T>
  /** Sends a GET request whose answer the next `get` of the same will take. */
  ahead(path: string, parameters?: Parameters): void
  delete<T>(path: string, parameters?: Parameters, options?: RequestOptions): Promise<T>
  post<T>(path: string, data?: object, options?: RequestOptions): Promise<T>
  put<T>(path: string, data?: object, options?: RequestOptions): Promise<T>
  /** `onProgress` stays below 100 until the server has answered. No timeout. */
  upload<T = { url: string; name: string; size: number }>(
    file: File,
    fileType?: number,
    onProgress?: (percent: number) => void,
  ): Promise<T>
  /** Saves the server's file under the name that it sends. */
  download(path: string, parameters?: Parameters): Promise<void>
  /** The server's business clock, `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. */
  now(): string
}

/** The specification's texts for when the server sends none. */
const unknownFailure = 'system error'
const networkFailure = 'system error！'

type Verb = 'get' | 'delete' | 'post' | 'put'

export function createRequest(connection: RequestConnection): Request {
  const http = axios.create({ baseURL: connection.base ?? '/api', validateStatus: () => true })
  const turns = createTurns()
  const headers = answerHeaders(connection)
  const keys = createKeys()
  const sender = (): Sender => ({ token: connection.token() ?? '', language: localeOf(connection.language()) })

  async function send(
    verb: Verb,
    path: string,
    payload: object | undefined,
    options: RequestOptions,
    responseType?: 'blob',
  ): Promise<AxiosResponse> {
    if (verb !== 'get') prefetchedAnswers.discard()
    const turn = turns.take(methodOf(payload), options)
    const key = verb === 'get' ? undefined : keys.take(path, payload, options.key)
    try {
      const sending = { ...sender(), verb, path, payload, options, key }
      const answer = await http.request({ ...configOf(sending), responseType, signal: turn.signal })
      if (key && saysWhatBecameOfIt(answer.data)) requestKeys.answered(key)
      headers.read(answer.headers)
      return answer
    } catch (error) {
      throw axios.isCancel(error) ? new RequestError('', { cancelled: true }) : new RequestError(networkFailure)
    } finally {
      if (key) keys.release(key)
      turn.end()
    }
  }

  /** @param token by which it was sent: a late refusal of an earlier session does not end the present one */
  function open<T>(envelope: unknown, options: RequestOptions, token: string): T {
    if (!isEnvelope(envelope)) throw new RequestError(networkFailure)
    if (envelope.code === 1) return (options.body === 'all' ? envelope : envelope.result) as T
    if (envelope.code === 401 && !options.ahead && token === sender().token) connection.onUnauthorized()
    throw new RequestError(envelope.message || unknownFailure, envelope)
  }

  const call = async <T>(
    verb: Verb,
    path: string,
    payload: object | undefined,
    options: RequestOptions = {},
  ): Promise<T> => {
    const { token } = sender()
    return open((await send(verb, path, payload, options)).data, options, token)
  }

  return {
    async get(path, parameters = {}, options = {}) {
      const { token } = sender()
      const known = await prefetchedAnswers.take({ ...sender(), path, parameters })
      if (!known) return call('get', path, parameters, options)
      headers.read(known.headers)
      return open(known.data, options, token)
    },
    ahead: (path, parameters = {}) =>
      prefetchedAnswers.keep({ ...sender(), path, parameters }, send('get', path, parameters, {})),
    delete: (path, parameters, options) => call('delete', path, parameters, options),
    post: (path, data, options) => call('post', path, data, options),
    put: (path, data, options) => call('put', path, data, options),
    async upload<T>(file: File, fileType = 0, onProgress?: (percent: number) => void) {
      const form = new FormData()
      form.append('file', file)
      form.append('json', JSON.stringify({ file_type: fileType }))
      const result = await call<T>('post', '/common/upload', form, { timeout: 0, onProgress })
      onProgress?.(100)
      return result
    },
    async download(path, parameters) {
      const { token } = sender()
      const answer = await send('get', path, parameters, {}, 'blob')
      const blob = answer.data as Blob
      if (blob.type.startsWith('application/json')) return open<void>(parsed(await blob.text()), {}, token)
      if (answer.status >= 400) throw new RequestError(networkFailure)
      saveBlob(blob, fileNameOf(answer.headers['content-disposition']) ?? path.split('/').at(-1)!)
    },
    now: headers.now,
  }
}

interface Sending extends Sender {
  verb: Verb
  path: string
  payload: object | undefined
  options: RequestOptions
  key: string | undefined
}

function configOf(sending: Sending): AxiosRequestConfig {
  const { verb, path, payload, options } = sending
  const inQuery = verb === 'get' || verb === 'delete'
  return {
    url: path,
    method: verb,
    params: { ...(inQuery ? flat(payload as Parameters | undefined) : undefined), ...baseParameters(sending) },
    // Only with null, untransformed, does axios keep the content type of a call without a body.
    data: inQuery ? null : (payload ?? {}),
    transformRequest: inQuery ? [] : undefined,
    headers: headersOf(sending),
    timeout: options.timeout ?? constants.timeout,
    onUploadProgress: options.onProgress && ((event: AxiosProgressEvent) => options.onProgress?.(percentOf(event))),
  }
}

const headersOf = ({ key, payload, options, ...sender }: Sending) => ({
  ...baseHeaders(sender),
  ...(key && { 'Idempotency-Key': key }),
  ...(options.follows && { Prefer: 'respond-async' }),
  // The browser sets the boundary of form data itself.
  ...(payload instanceof FormData ? undefined : { 'Content-Type': 'application/json' }),
})

/** Identical files uploaded at the same time each get their own key. */
function createKeys() {
  const uploading = new Set<string>()
  return {
    take(path: string, payload: object | undefined, known?: string): string {
      if (!(payload instanceof FormData)) return requestKeys.keyOf(path, payload, known)
      const parts = [...payload].map(([name, part]) => [name, typeof part === 'string' ? part : describe(part)])
      let place = 0
      let key = requestKeys.keyOf(path, { parts, place }, known)
      while (uploading.has(key) && known === undefined) key = requestKeys.keyOf(path, { parts, place: ++place })
      uploading.add(key)
      return key
    },
    release: (key: string) => void uploading.delete(key),
  }
}

/** Lets only one call of each `method` run, and cancels the other. */
function createTurns() {
  const running = new Map<string, AbortController>()
  return {
    /** @throws RequestError if `debounceAll` drops this call in favour of an earlier one */
    take(method: string | undefined, { debounceAll, signal }: RequestOptions) {
      const controller = new AbortController()
      if (method !== undefined) {
        const earlier = running.get(method)
        if (earlier && debounceAll) throw new RequestError('', { cancelled: true })
        earlier?.abort()
        running.set(method, controller)
      }
      const abort = () => controller.abort()
      signal?.addEventListener('abort', abort)
      if (signal?.aborted) abort()
      return {
        signal: controller.signal,
        end() {
          signal?.removeEventListener('abort', abort)
          if (method !== undefined && running.get(method) === controller) running.delete(method)
        },
      }
    },
  }
}

/** In an address, objects and lists are JSON text, and missing values are left out. */
function flat(parameters: Parameters = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parameters)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value]),
  )
}

function methodOf(payload: object | undefined): string | undefined {
  const method = payload instanceof FormData ? payload.get('method') : (payload as Parameters | undefined)?.method
  return typeof method === 'string' && method !== '' ? method : undefined
}

/** Its content is compared by the server. */
const describe = ({ name, size, type, lastModified }: File) => ({ name, size, type, lastModified })

const percentOf = ({ loaded, total }: AxiosProgressEvent) =>
  total ? Math.min(constants.uploadProgressMaximum, Math.floor((loaded / total) * 100)) : 0

/**
 * A broken connection or a gateway timeout does not say whether the request was carried out, so a retry must keep its
 * key.
 */
const saysWhatBecameOfIt = (value: unknown): boolean => isEnvelope(value) && isSettled(value.code)

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && typeof (value as Envelope).code === 'number'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
