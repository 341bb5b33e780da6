import type { Value } from '../../engine/model/model.ts'

/** The id of the record of an entity with this key: a login name, a code, a department's name, a path. */
export type Resolve = (entity: string, key: Value | undefined) => Value
