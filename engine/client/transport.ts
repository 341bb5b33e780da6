export interface Asked {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: FormData | string | null
  /** In milliseconds; 0 for no timeout. */
  timeout: number
  signal: AbortSignal
  /** Whether the answer is a file. */
  isFile: boolean
  /** The share of the body that has been sent, from 0 to 1. */
  onProgress?(share: number): void
}

export interface Answer {
  status: number
  /** The JSON value, or the text if it is none; a blob for a file. */
  data: unknown
  /** With names in lower case. */
  headers: Record<string, string>
}

/** Sends one request. An answer of any status resolves; without one it rejects. Only this API tells what was uploaded. */
export const transport = ({ signal, ...asked }: Asked): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const http = new XMLHttpRequest()
    http.open(asked.method, asked.url)
    for (const [name, value] of Object.entries(asked.headers)) http.setRequestHeader(name, value)
    http.timeout = asked.timeout
    if (asked.isFile) http.responseType = 'blob'
    const { onProgress } = asked
    if (onProgress) http.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    const abort = () => http.abort()
    http.onload = () => resolve(answerOf(http, asked.isFile))
    for (const event of ['error', 'timeout', 'abort'] as const)
      http.addEventListener(event, () => reject(new Error(event)))
    http.onloadend = () => signal.removeEventListener('abort', abort)
    if (signal.aborted) return reject(new Error('abort'))
    signal.addEventListener('abort', abort)
    http.send(asked.body)
  })

const answerOf = (http: XMLHttpRequest, isFile: boolean): Answer => ({
  status: http.status,
  data: isFile ? http.response : valueOf(http.responseText),
  headers: Object.fromEntries(
    http
      .getAllResponseHeaders()
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  ),
})

/** The value of a JSON text, or the text itself. */
export function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
