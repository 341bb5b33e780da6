import axios from 'axios'
import type { AxiosProgressEvent, AxiosResponse } from 'axios'
import type { Conflict, Envelope, Label, WireProblem } from '../model/model.ts'
import { constants } from './constants.ts'
import { isSettled, requestKeys } from './requestKeys.ts'

/** Whatever went wrong with a call. `code` is the envelope's; 0 where there was none. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: number
  /** The message in every language, where the server gave it. */
  readonly texts: Label | undefined
  readonly errors: WireProblem[]
  readonly conflict: Conflict | undefined
  /** What the server answers beside the message. */
  readonly result: unknown
  /** Cancelled on purpose: not reported to the user. */
  readonly cancelled: boolean

  constructor(
    message: string,
    {
      code = 0,
      texts,
      errors = [],
      conflict,
      result,
      cancelled = false,
    }: Partial<Omit<RequestError, 'name' | 'message'>> = {},
  ) {
    super(message)
    this.code = code
    this.texts = texts
    this.errors = errors
    this.conflict = conflict
    this.result = result
    this.cancelled = cancelled
  }

  /** Not to be shown: cancelled, or answered already by the way to the sign-in page. */
  get silent(): boolean {
    return this.cancelled || this.code === 401
  }
}
/** What an error says, in the language of the moment; '' where it says nothing. */
export const errorText = (error: unknown, language: string): string =>
  (error instanceof RequestError && error.texts?.[language]) || (error instanceof Error ? error.message : '')
export const isSilent = (error: unknown): boolean => error instanceof RequestError && error.silent

export interface RequestConnection {
  /** Default `/api`. */
  base?: string
  token(): string | null
  /** `cn` or `en`. */
  language(): string
  /** An answer was 401. */
  onUnauthorized(): void
  /** Administrators have set something that screens show, as the answers tell. */
  onSettings?(): void
  /** The server goes by other schema files than before, as the answers tell. */
  onSchemas?(hash: string): void
}

export type Parameters = Record<string, unknown>
export interface RequestOptions {
  /** Resolves with the whole envelope instead of its result. */
  body?: 'all'
  signal?: AbortSignal
  /** Of calls with the same `method` field, cancels the new one instead of the earlier. */
  debounceAll?: boolean
  /** Milliseconds; 0: none. */
  timeout?: number
  onProgress?(percent: number): void
  /** Nobody waits for it yet: that the session has ended is told by what is asked next. */
  ahead?: boolean
  /** What takes long may be answered with a job to follow: see `callAndFollow`. */
  follows?: boolean
  /** Marks retries of one request: the server carries out the first that arrives, and answers the others alike. */
  key?: string
}

/** The one HTTP client. Every call resolves with the envelope's `result` and rejects with a `RequestError`. */
export interface Request {
  get<T>(path: string, parameters?: Parameters, options?: RequestOptions): Promise<T>
  delete<T>(path: string, parameters?: Parameters, options?: RequestOptions): Promise<T>
  post<T>(path: string, data?: object, options?: RequestOptions): Promise<T>
  put<T>(path: string, data?: object, options?: RequestOptions): Promise<T>
  /** `onProgress` stays below 100 until the server has answered. No timeout. */
  upload<T = { url: string; name: string; size: number }>(
    file: File,
    fileType?: number,
    onProgress?: (percent: number) => void,
  ): Promise<T>
  /** Saves what the server sends under the name that it gives. */
  download(path: string, parameters?: Parameters): Promise<void>
  /** The server's business clock, `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. */
  now(): string
}

/** What the specification says where the server says nothing. */
const unknownFailure = 'system error'
const networkFailure = 'system error！'
/** The answer's header with the business time. */
const clockHeader = 'x-business-time'
/** The answer's header that counts how often administrators have set something that screens show. */
const settingsHeader = 'x-settings-version'
/** The answer's header that names the schema files by which it was made. */
const catalogHeader = 'x-catalog'

type Verb = 'get' | 'delete' | 'post' | 'put'

export function createRequest(connection: RequestConnection): Request {
  const http = axios.create({ baseURL: connection.base ?? '/api', validateStatus: () => true })
  const running = new Map<string, AbortController>()
  const clock = createClock()
  let settings = 0
  let catalog: string | undefined

  async function send(
    verb: Verb,
    path: string,
    payload: object | undefined,
    options: RequestOptions,
    responseType?: 'blob',
  ): Promise<AxiosResponse> {
    const method = methodOf(payload)
    const controller = new AbortController()
    if (method !== undefined) {
      const earlier = running.get(method)
      if (earlier && options.debounceAll) throw new RequestError('', { cancelled: true })
      earlier?.abort()
      running.set(method, controller)
    }
    const give = () => controller.abort()
    options.signal?.addEventListener('abort', give)
    if (options.signal?.aborted) give()
    const inQuery = verb === 'get' || verb === 'delete'
    const key = inQuery || payload instanceof FormData ? undefined : requestKeys.keyOf(path, payload, options.key)
    const token = connection.token() ?? ''
    const language = connection.language() === 'en' ? 'en-US' : 'zh-CN'
    try {
      const answer = await http.request({
        url: path,
        method: verb,
        params: {
          ...(inQuery ? flat(payload as Parameters | undefined) : undefined),
          timestamp: Date.now(),
          token,
          language,
        },
        // With null instead of nothing, axios leaves a call without a body its content type; untransformed, it sends
        // nothing.
        data: inQuery ? null : (payload ?? {}),
        transformRequest: inQuery ? [] : undefined,
        headers: {
          token,
          language,
          client: 'web',
          'client-version': '1.0.0',
          ...(key && { 'Idempotency-Key': key }),
          ...(options.follows && { Prefer: 'respond-async' }),
          // The browser writes the boundary of form data itself.
          ...(payload instanceof FormData ? undefined : { 'Content-Type': 'application/json' }),
        },
        timeout: options.timeout ?? constants.timeout,
        responseType,
        signal: controller.signal,
        onUploadProgress: options.onProgress && ((event: AxiosProgressEvent) => options.onProgress?.(percentOf(event))),
      })
      if (key && tellsWhatBecameOfIt(answer.data)) requestKeys.answered(key)
      clock.set(answer.headers[clockHeader])
      notice(Number(answer.headers[settingsHeader] ?? 0))
      noticeCatalog(answer.headers[catalogHeader])
      return answer
    } catch (error) {
      throw axios.isCancel(error) ? new RequestError('', { cancelled: true }) : new RequestError(networkFailure)
    } finally {
      options.signal?.removeEventListener('abort', give)
      if (method !== undefined && running.get(method) === controller) running.delete(method)
    }
  }

  function notice(version: number) {
    const isLater = settings > 0 && version > settings
    settings = Math.max(settings, version)
    if (isLater) connection.onSettings?.()
  }

  function noticeCatalog(hash: unknown) {
    if (typeof hash !== 'string' || hash === catalog) return
    const isOther = catalog !== undefined
    catalog = hash
    if (isOther) connection.onSchemas?.(hash)
  }

  function open<T>(envelope: unknown, options: RequestOptions): T {
    if (!isEnvelope(envelope)) throw new RequestError(networkFailure)
    if (envelope.code === 1) return (options.body === 'all' ? envelope : envelope.result) as T
    if (envelope.code === 401 && !options.ahead) connection.onUnauthorized()
    throw new RequestError(envelope.message || unknownFailure, envelope)
  }

  const call = async <T>(
    verb: Verb,
    path: string,
    payload: object | undefined,
    options: RequestOptions = {},
  ): Promise<T> => open((await send(verb, path, payload, options)).data, options)

  return {
    get: (path, parameters, options) => call('get', path, parameters, options),
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
      const answer = await send('get', path, parameters, {}, 'blob')
      const blob = answer.data as Blob
      if (blob.type.startsWith('application/json')) return open<void>(parsed(await blob.text()), {})
      if (answer.status >= 400) throw new RequestError(networkFailure)
      save(blob, fileNameOf(answer.headers['content-disposition']) ?? path.split('/').at(-1)!)
    },
    now: clock.now,
  }
}

/** Objects and lists travel in an address as JSON text; what is missing is left out. */
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

const percentOf = ({ loaded, total }: AxiosProgressEvent) =>
  total ? Math.min(constants.uploadProgressMaximum, Math.floor((loaded / total) * 100)) : 0

/**
 * Whoever was cut off while they wrote may have written it, and a gateway that gave up knows nothing: asked again, it is
 * still the same request.
 */
const tellsWhatBecameOfIt = (value: unknown): boolean => isEnvelope(value) && isSettled(value.code)

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && typeof (value as Envelope).code === 'number'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `attachment; filename="a.xlsx"; filename*=UTF-8''%E5%AE%A2.xlsx`: the second where both are given. */
export function fileNameOf(disposition: unknown): string | undefined {
  if (typeof disposition !== 'string') return undefined
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (encoded) return decodeURIComponent(encoded)
  return /filename="([^"]+)"/i.exec(disposition)?.[1] ?? /filename=([^;]+)/i.exec(disposition)?.[1].trim()
}

function save(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Revoked at once, the download has not begun in every browser.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Goes on from the last time that the server named; before the first, from the machine's. */
function createClock() {
  const offset = 8 * 3600_000
  let ahead = 0
  return {
    now: () => new Date(Date.now() + offset + ahead).toISOString().slice(0, 19).replace('T', ' '),
    set(text: unknown) {
      const time = typeof text === 'string' ? Date.parse(`${text.replace(' ', 'T')}Z`) : NaN
      if (!Number.isNaN(time)) ahead = time - offset - Date.now()
    },
  }
}
