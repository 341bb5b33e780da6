/** An S3 server that only has unfinished uploads, and lists them and their parts one per page. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface UnfinishedUpload {
  key: string
  begun: Date
  /** The arrival times of its parts. */
  parts?: Date[]
}

export interface UploadServer {
  endpoint: string
  /** The keys of the uploads that have not been aborted. */
  left(): string[]
  close(): void
}

export async function startUploadServer(uploads: readonly UnfinishedUpload[]): Promise<UploadServer> {
  const left = new Map(uploads.map((upload, index) => [`upload ${index}`, upload]))
  const page = (found: readonly string[], at: number, marker: string) =>
    `<Result>${found[at] ?? ''}<IsTruncated>${at + 1 < found.length}</IsTruncated>${marker}</Result>`
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url!, 'http://localhost')
    const [id, prefix] = [searchParams.get('uploadId'), searchParams.get('prefix') ?? '']
    request.resume()
    if (request.method === 'DELETE' && id !== null) left.delete(id)
    if (request.method !== 'GET') return void response.end()
    if (id !== null) {
      const parts = (left.get(id)?.parts ?? []).map(
        (at) => `<Part><LastModified>${at.toISOString()}</LastModified></Part>`,
      )
      const at = Number(searchParams.get('part-number-marker') ?? 0)
      return void response.end(page(parts, at, `<NextPartNumberMarker>${at + 1}</NextPartNumberMarker>`))
    }
    if (!searchParams.has('uploads')) return void response.end('<ListBucketResult></ListBucketResult>')
    // The next page follows the marker by order, because the upload that it names may have been aborted.
    const after = `${searchParams.get('key-marker') ?? ''} ${searchParams.get('upload-id-marker') ?? ''}`
    const placed = [...left]
      .map(([upload, { key: uploadKey, begun }]) => ({ place: `${uploadKey} ${upload}`, upload, uploadKey, begun }))
      .filter(({ place, uploadKey }) => uploadKey.startsWith(prefix) && place > after)
      .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    const found = placed.map(
      ({ upload, uploadKey, begun }) =>
        `<Upload><Key>${uploadKey}</Key><UploadId>${upload}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`,
    )
    const [first] = placed
    const marker = first
      ? `<NextKeyMarker>${first.uploadKey}</NextKeyMarker><NextUploadIdMarker>${first.upload}</NextUploadIdMarker>`
      : ''
    response.end(page(found, 0, marker))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    left: () => [...left.values()].map(({ key }) => key).sort(),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
