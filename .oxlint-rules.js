/** Lint rules of this project. */

const message =
  'Records of procedures have their types from the schema files: a cast would hide a field that is renamed. ' +
  'Where it cannot be helped, say why after oxlint-disable-next-line.'

/** `as RecordData` and `as unknown as …`, also as arrays. */
const recordCasts = {
  create: (context) => ({
    TSAsExpression(node) {
      const { type, typeName, elementType } = bare(node.typeAnnotation)
      const isRecord = type === 'TSTypeReference' && typeName.name === 'RecordData'
      const isOfRecords = type === 'TSArrayType' && elementType.typeName?.name === 'RecordData'
      const isTwice =
        node.expression.type === 'TSAsExpression' && node.expression.typeAnnotation.type === 'TSUnknownKeyword'
      if (isRecord || isOfRecords || isTwice) context.report({ node, message })
    },
  }),
}

const bare = (type) => (type.type === 'TSTypeOperator' ? type.typeAnnotation : type)

export default { meta: { name: 'formwork' }, rules: { 'record-casts': recordCasts } }
