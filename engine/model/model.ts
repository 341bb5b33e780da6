/**
 * The vocabulary of Formwork: the parts of a compiled catalog, and the interfaces of widgets and screen kinds. Only
 * types, and the shape vocabulary that declares them; everything here is plain JSON unless it is a function.
 */
export * from './action.ts'
export * from './catalog.ts'
export * from './entity.ts'
export * from './field.ts'
export type { IconName } from './icons.ts'
export * from './imports.ts'
export { fieldInRows } from './fieldInRows.ts'
export { combined, filterValues } from './filter.ts'
export { pathOf, type QueryOf } from './operations.ts'
export { nearRows } from './queryParameters.ts'
export * from './reports.ts'
export * from './screenKind.ts'
export * from './shape.ts'
export * from './values.ts'
export * from './widget.ts'
export * from './wire.ts'
export * from './screenWire.ts'
