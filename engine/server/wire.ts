/** The shapes of request bodies, for the validation and for OpenAPI. */
const id = { type: 'integer', minimum: 1 }
const values = { type: 'object' }

export const saveRequest = {
  $id: 'SaveRequest',
  type: 'object',
  required: ['values'],
  properties: { id, revision: { type: 'integer', minimum: 1 }, values },
}

export const readRequest = { $id: 'ReadRequest', type: 'object', required: ['id'], properties: { id } }

const oneOrNone = { anyOf: [id, { type: 'null' }] }
export const orderRequest = {
  $id: 'OrderRequest',
  type: 'object',
  required: ['id', 'parent', 'before'],
  properties: { id, parent: oneOrNone, before: oneOrNone },
}

export const suggestRequest = {
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

export const callRequest = {
  $id: 'CallRequest',
  type: 'object',
  properties: {
    id,
    ids: { type: 'array', items: id, minItems: 1, maxItems: 1000 },
    revision: { type: 'integer', minimum: 1 },
    values,
  },
}
