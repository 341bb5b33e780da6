/** The shapes of request bodies, for validation and OpenAPI. */
const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
const values = { type: 'object', additionalProperties: true }

const saveRequest = {
  $id: 'SaveRequest',
  type: 'object',
  required: ['values'],
  properties: { id, revision: { type: 'integer', minimum: 1 }, values, cell: { type: 'boolean' } },
}

const readRequest = { $id: 'ReadRequest', type: 'object', required: ['id'], properties: { id } }

const oneOrNone = { anyOf: [id, { type: 'null' }] }
const orderRequest = {
  $id: 'OrderRequest',
  type: 'object',
  required: ['id', 'parent', 'before'],
  properties: { id, parent: oneOrNone, before: oneOrNone },
}

const suggestRequest = {
  $id: 'SuggestRequest',
  type: 'object',
  required: ['values', 'typed', 'parameters'],
  properties: {
    id,
    values,
    typed: { type: 'array', items: { type: 'string' }, maxItems: 300 },
    parameters: { type: 'object', additionalProperties: { type: 'string', maxLength: 8000 } },
  },
}

const revision = { type: 'integer', minimum: 1 }
const seen = {
  type: 'object',
  additionalProperties: { type: 'object', maxProperties: 2000, additionalProperties: revision },
}

const callRequest = {
  $id: 'CallRequest',
  type: 'object',
  properties: {
    id,
    ids: { type: 'array', items: id, minItems: 1, maxItems: 1000 },
    revision,
    seen,
    values,
    thorough: { type: 'boolean' },
  },
}

/** Named as in the table of operations. */
export const bodies = {
  save: saveRequest,
  call: callRequest,
  read: readRequest,
  order: orderRequest,
  suggest: suggestRequest,
}
