import path from 'node:path'
import { editorSchemas, namesFile } from '../engine/schema/tools/editorNames.ts'

/** The file with the names that editors offer in schema files. */
export const namesPath = path.resolve(import.meta.dirname, '..', editorSchemas, namesFile)
