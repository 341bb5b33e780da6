export interface FuzzedRequest {
  method: 'GET' | 'POST'
  url: string
  body?: string | Buffer
  headers?: Record<string, string>
  /** The address of the client; by default the same for all requests. */
  remoteAddress?: string
}
