import { bucketAddress, isBucketAddress } from './bucketAddress.ts'
import { bucketFiles } from './bucketFiles.ts'
import type { FileStore } from './FileStore.ts'
import { folderFiles } from './folderFiles.ts'

/**
 * The store named by `FILES`, else the data folder.
 * @throws with a sentence for the operator
 */
export async function openFiles(dataDir: string, environment: Record<string, string | undefined>): Promise<FileStore> {
  const { FILES } = environment
  if (!FILES) return folderFiles(dataDir)
  if (!isBucketAddress(FILES))
    throw new Error('FILES is not a bucket address (s3://…). If it is unset, files are stored in DATA_DIR.')
  return storeAt(FILES, 'FILES', environment)
}

/** @param setting names the address in messages */
export async function storeAt(
  address: string,
  setting: string,
  environment: Record<string, string | undefined>,
): Promise<FileStore> {
  if (!isBucketAddress(address)) return folderFiles(address)
  const files = bucketFiles(bucketAddress(address, setting, environment))
  await files.check()
  return files
}
