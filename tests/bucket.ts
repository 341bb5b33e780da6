/**
 * An S3 server for tests: s3rver in this process, or the one that TEST_FILES names, an address in the format of FILES.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import S3rver from 's3rver'
import { type BucketAddress, bucketAddress } from '../engine/server/files/bucketAddress.ts'
import { type BucketFiles, bucketFiles } from '../engine/server/files/bucketFiles.ts'

export interface TestBucket {
  /** The address of a fresh folder in the bucket, in the format of FILES. */
  fresh(): string
  credentials: Record<string, string>
  addressOf(files: string): BucketAddress
  filesAt(files: string, options?: { part?: number; abandoned?: number }): BucketFiles
  close(): Promise<void>
}

/** The user name and the secret that s3rver accepts. */
const account = 'S3RVER'

export async function startBucket(): Promise<TestBucket> {
  const given = process.env.TEST_FILES
  const directory = mkdtempSync(join(tmpdir(), 'formwork-bucket-'))
  const server = given
    ? undefined
    : new S3rver({
        port: 0,
        address: '127.0.0.1',
        silent: true,
        vhostBuckets: false,
        directory,
        configureBuckets: [{ name: 'formwork', configs: [] }],
      })
  const listening = await server?.run()
  const base = given ?? `s3://formwork?endpoint=http://127.0.0.1:${listening!.port}&region=us-east-1`
  const credentials = {
    AWS_ACCESS_KEY_ID: (given && process.env.AWS_ACCESS_KEY_ID) || account,
    AWS_SECRET_ACCESS_KEY: (given && process.env.AWS_SECRET_ACCESS_KEY) || account,
  }
  const addressOf = (files: string) => bucketAddress(files, 'FILES', credentials)
  return {
    credentials,
    addressOf,
    fresh() {
      const [bucket, query] = base.split('?')
      return `${bucket}/${randomBytes(8).toString('hex')}?${query}`
    },
    filesAt: (files, options) => bucketFiles(addressOf(files), options),
    async close() {
      await server?.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
