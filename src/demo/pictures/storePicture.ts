import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { samplePicture } from './picture.ts'
import { storeFile } from '../../../engine/server/files/storeFile.ts'

/** Creates a sample picture and stores it as if it had been uploaded. @returns the value of an image field. */
export const storePicture = (
  context: Context,
  db: Db,
  label: string,
  palette: number,
  shape: 'card' | 'banner' = 'card',
): Promise<RecordData> => storeFile(context, db, `${label}.png`, samplePicture(label, palette, shape))
