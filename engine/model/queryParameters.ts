/** The query parameters that operations have in common. */
import type { ListQuery } from './wire.ts'

/** A query parameter of a call. */
export interface QueryParameter {
  type: 'integer' | 'string'
  about?: string
  required?: true
}

/**
 * Query parameters of every call (specification, section 7); `method` is the field by which the client cancels calls.
 */
export const commonParameters = {
  timestamp: { type: 'string', about: 'The time of the call, so that no cache answers it' },
  token: { type: 'string', about: 'Ignored: only the header of this name signs in' },
  language: { type: 'string', about: 'zh-CN or en-US, if no header says it' },
  method: { type: 'string', about: 'A name of the call; ignored' },
} as const satisfies Record<string, QueryParameter>

export const oneId = { id: { type: 'integer', required: true } } as const
/** An entity with a single record needs no id. */
export const oneOrTheOnly = { id: { type: 'integer' } } as const
export const pages = {
  page: { type: 'integer', about: 'From 1' },
  size: { type: 'integer', about: 'At most 1000' },
} as const
export const search = { search: { type: 'string' } } as const
/** A page that starts further than this is found by its key. */
export const nearRows = 1000

export const exported = {
  ...pages,
  sort: { type: 'string', about: 'field or -field; several separated by commas' },
  ...search,
  filters: { type: 'string', about: 'JSON: field → { operator: operand }' },
  tab: { type: 'string', about: 'JSON, as filters' },
  counts: { type: 'string', about: 'JSON: a list of filters' },
  sums: { type: 'string', about: 'JSON: a list of fields' },
  counted: { type: 'string', about: 'JSON, as filters: the records that the sums add up' },
  fields: { type: 'string', about: 'JSON: a list of fields' },
  summary: { type: 'string', about: 'A list screen, to answer its summary of the matching records' },
  screen: { type: 'string', about: 'The screen whose labels are the headers' },
  ids: { type: 'string', about: 'Only these, separated by commas' },
} as const
const { screen: _screen, ids: _ids, ...chosen } = exported
export const listed = {
  ...chosen,
  countTo: {
    type: 'integer',
    about:
      'Count no further: of more records, total is this number with more: true, and sums, counts and summary are absent',
  },
  after: { type: 'string', about: 'The last of a page, as JSON: page 1 is the one that follows it' },
  before: { type: 'string', about: 'The first of a page, as JSON: page 1 is the one before it' },
} as const satisfies Record<keyof ListQuery, QueryParameter>
