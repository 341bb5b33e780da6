export interface FuzzedRequest {
  method: 'GET' | 'POST'
  url: string
  body?: string | Buffer
  headers?: Record<string, string>
  /** Where it comes from; by default the same as all others. */
  remoteAddress?: string
}
