/** Lint rules of this project. */

const message =
  'Records of procedures have their types from the schema files: a cast would hide a field that is renamed. ' +
  'Where it cannot be helped, say why after oxlint-disable-next-line.'

const sqlMessage =
  'Read and write by the door, engine/server/procedure.ts. Where it has no words for it, say why in a comment before.'

/** `as RecordData`, `as unknown as …` and `as never`, also as arrays. */
const recordCasts = {
  create: (context) => ({
    TSAsExpression(node) {
      const { type, typeName, elementType } = bare(node.typeAnnotation)
      const isRecord = type === 'TSTypeReference' && typeName.name === 'RecordData'
      const isOfRecords = type === 'TSArrayType' && elementType.typeName?.name === 'RecordData'
      const isTwice =
        node.expression.type === 'TSAsExpression' && node.expression.typeAnnotation.type === 'TSUnknownKeyword'
      if (isRecord || isOfRecords || isTwice || type === 'TSNeverKeyword') context.report({ node, message })
    },
  }),
}

/** Raw SQL without a comment before its statement. */
const sqlReason = {
  create: (context) => ({
    TaggedTemplateExpression(node) {
      if (node.tag.name !== 'sql') return
      let statement = node
      while (!/Statement$|Declaration$/.test(statement.type)) statement = statement.parent
      const ends = context.sourceCode.getCommentsBefore(statement).map(({ loc }) => loc.end.line)
      if (!ends.includes(statement.loc.start.line - 1)) context.report({ node, message: sqlMessage })
    },
  }),
}

const bare = (type) => (type.type === 'TSTypeOperator' ? type.typeAnnotation : type)

export default { meta: { name: 'formwork' }, rules: { 'record-casts': recordCasts, 'sql-reason': sqlReason } }
