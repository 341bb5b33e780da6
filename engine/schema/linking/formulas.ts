import { checkExpression, functions, type ExpressionFault } from '../../expression/index.ts'
import { checkLiterals } from './choices.ts'
import { meant, offerField, type IssueCode, type Parameters } from '../issues/issue.ts'
import type { ExpressionType } from '../../model/model.ts'
import { ownEntity, scopeOf } from './scope.ts'
import { checkSenses, noReference } from './senses.ts'
import { checkUnits } from './units.ts'
import { byFunction, inUnits } from './byFunction.ts'
import { otherWay } from './otherWays.ts'
import { letOut } from './unmasked.ts'
import { isObject, type Place } from '../walk.ts'
import type { NamedField, Link, Names } from '../named.ts'

export const faultCodes: Record<ExpressionFault['code'], IssueCode> = {
  'expression-syntax': 'expression-syntax',
  'unknown-name': 'unknown-name',
  'wrong-type': 'expression-type',
  'forbidden-function': 'forbidden-function',
}

/**
 * An expression over the record of the file's entity or, if the file has none, of the entity in scope. A formula must
 * yield a type that its target field accepts.
 */
export function checkFormula(link: Link, expected?: ExpressionType): void {
  const { names, file, place, name: text, say } = link
  const own = ownEntity(file) ?? scopeOf(place, file, names)
  if (own !== undefined && (!names.entities[own] || names.entities[own].source.broken)) return
  const variables = names.variables(own)
  const field = expected ? undefined : filledField(place, file, names)
  const wanted = expected ?? (field ? typeOf(field, names) : 'any')
  const faults = checkExpression(text, variables, wanted)
  if (!faults.length && own !== undefined) {
    checkLiterals(link, own, field)
    checkSenses(link, own, field)
    checkUnits(link, own, field)
  }
  if (!faults.length && own !== undefined && field)
    for (const from of letOut(own, text, field, names)) say('unmasked-copy', { found: field.name, from })
  for (const fault of faults) {
    const other = text.trim() ? otherWay(text, fault) : undefined
    const message = text.trim()
      ? (other ?? fault.message.en.replace(/\.$/, ''))
      : 'A formula belongs here: "null" leaves the value empty'
    say(
      faultCodes[fault.code],
      {
        ...certainty(fault),
        ...(other !== undefined && { suggestion: undefined }),
        ...(fault.code === 'unknown-name'
          ? (unknownSetting(text, fault, names) ??
            (own === undefined ? { message: fault.message.en } : unknownIn(own, text, fault, names, wanted)))
          : (ofReference(own, text, fault, names) ??
            (other === undefined ? wrongTypeIn(own, text, fault, field, names) : undefined) ?? { message })),
      },
      { part: fault },
    )
  }
}

/**
 * A correction of an unknown name is certain if there is only one candidate; how to rewrite an expression is for people
 * to decide.
 */
function certainty({ code, found, allowed, suggestion }: ExpressionFault): Parameters {
  const near = meant(found, allowed)
  const certain = code === 'unknown-name' && near.suggestion === suggestion ? near.certain : undefined
  return { found, ...(suggestion && { suggestion }), ...(certain && { certain }) }
}

function unknownIn(
  entity: string,
  text: string,
  fault: ExpressionFault,
  names: Names,
  wanted: ExpressionType | 'any',
): Parameters {
  const { found, start, end, message, suggestion } = fault
  if (message.en.includes('function')) {
    const other = otherWay(text, fault)
    return { message: other === undefined ? message.en : `${other}.` }
  }
  const renamed = offerField(found, names.entities[entity].fields)
  // After any other dot, the name is a member of something else.
  const isOwn = /(^|[^.\w]|\bold\.)$/.test(text.slice(0, start))
  if (isOwn && renamed.certain === 'renamed')
    return { ...renamed, message: `${entity} has no field "${found}".`, see: names.entities[entity].source.path }
  if (/(?<!\bold)\.$/.test(text.slice(0, start)))
    return { message: `The value before the dot has no member "${found}".` }
  const sentence = `"${found}" is neither a field of ${entity} nor a name of the expression language`
  const see = names.entities[entity].source.path
  if (Object.hasOwn(functions, found) && !functions[found].parameters.length)
    return { message: `${sentence}.`, suggestion: `${found}()` }
  const [, part] = /^\.(\w+)/.exec(text.slice(end)) ?? []
  if (isOwn && part !== undefined && names.field(entity, part))
    return { message: `${sentence}; write a field of the record by itself: ${part}.`, suggestion: undefined }
  if (isOwn && names.dictionaries[found]?.values.includes(part ?? ''))
    return { message: `${sentence}; write a value in single quotes: '${part}'.`, suggestion: undefined }
  if (/^(true|false|null)$/i.test(found)) return { message: `${sentence}.`, suggestion: found.toLowerCase() }
  const mayBeText = wanted === 'string' && start === 0 && found === text && suggestion === undefined
  if ((isOwn && isChoice(entity, found, names)) || mayBeText)
    return { message: `${sentence}; write a text in single quotes: '${found}'.`, see, suggestion: undefined }
  return { message: `${sentence}.`, see }
}

/** Whether any field of the entity accepts this value. */
const isChoice = (entity: string, found: string, { entities, widgets, dictionaries }: Names): boolean =>
  Object.values(entities[entity].fields).some(({ type, options }) =>
    dictionaries[widgets[type]?.dictionary?.(options) ?? '']?.values.includes(found),
  )

/** The mistake behind a type error, if one can be named more precisely. */
function wrongTypeIn(
  entity: string | undefined,
  text: string,
  { code, start, end, found, allowed, message }: ExpressionFault,
  field: NamedField | undefined,
  names: Names,
): Parameters | undefined {
  if (code !== 'wrong-type') return undefined
  const part = text.slice(start, end)
  const exact = () => inUnits(part, message.en.replace(/\.$/, ''), { entity: entity ?? '', field, names })
  if (entity === undefined) return asMessage(exact())
  if (field && start === 0 && end === text.length && allowed.length === 1 && names.target(field))
    return noReference(entity, text, found, field, names)
  return asMessage(byFunction(part, entity, names) ?? exact())
}

const asMessage = (message: string | undefined): Parameters | undefined =>
  message === undefined ? undefined : { message }

/** A reference is the id of its record, so it is not a text and has no members. */
function ofReference(
  entity: string | undefined,
  text: string,
  { code, start, end, found }: ExpressionFault,
  names: Names,
): Parameters | undefined {
  if (code !== 'wrong-type') return undefined
  const target = (name: string | undefined) => {
    const reference = name === undefined ? undefined : names.target(names.field(entity, name))
    return reference && !reference.many && !reference.rows ? reference.entity : undefined
  }
  const part = text.slice(start, end)
  const [, owner] = /(?:^|[^.\w])(?:old\.)?(\w+)\.$/.exec(text.slice(0, start)) ?? []
  const [, left, right] = /^(?:old\.)?(?:(\w+)\s*[!=<>]|.*[!=<>]=?\s*(\w+)$)/.exec(part) ?? []
  const name = [owner, left, right].find((each) => target(each) !== undefined)
  if (name === undefined || (name !== owner && !/string/.test(found))) return undefined
  const referred = target(name)!
  if (name !== owner && /[!=]=\s*''$|^''\s*[!=]=/.test(part))
    return { message: `${name} is the id of a ${referred}, not a text: compare with null instead` }
  const field = name === owner ? part : String(names.entities[referred]?.value.display)
  if (name === owner && names.entities[referred] && !Object.hasOwn(names.entities[referred].fields, field)) {
    const { fields, source } = names.entities[referred]
    const message = `${name} is the id of a ${referred}, and ${referred} has no field "${field}"`
    return { ...offerField(field, fields), message, see: source.path }
  }
  const looks = `a field with "computed": { "from": "${name}.${field}" } reads its ${field}`
  return { message: `${name} is the id of a ${referred}, ${name === owner ? 'without parts' : 'no text'}: ${looks}` }
}

/** An unknown name after `settings.`. */
function unknownSetting(text: string, { found, start }: ExpressionFault, names: Names): Parameters | undefined {
  const [, entity] = /\bsettings\.(?:(\w+)\.)?$/.exec(text.slice(0, start)) ?? [undefined, null]
  if (entity === null) return undefined
  if (entity === undefined)
    return { message: `There are no settings "${found}": settings come from entities with "single": true.` }
  const { fields, source } = names.entities[entity]
  const hidden = Object.hasOwn(fields, found)
  return {
    message: hidden
      ? `Expressions may not read ${entity}.${found}: not everybody may see it.`
      : `${entity} has no field "${found}".`,
    ...(!hidden && { see: source.path }),
  }
}

/** The field that a formula fills: named by its key, or by the object around it. */
export function filledField(place: Place, file: Link['file'], names: Names): NamedField | undefined {
  for (let at = place; at.parent; at = at.parent) {
    const { shape, value } = at.parent
    const around = () => scopeOf(at.parent!, file, names)
    if (shape.keys === 'field') return names.field(around(), at.key)
    if (shape.keys === 'ownField') return names.field(ownEntity(file), at.key)
    if (shape.properties?.field?.names === 'field' && isObject(value)) return names.field(around(), String(value.field))
  }
  return undefined
}

/** A reference takes an id. */
function typeOf(field: NamedField, names: Names): ExpressionType | 'any' {
  const target = names.target(field)
  if (target) return target.rows ? 'list<map>' : target.many ? 'list<decimal>' : 'decimal'
  const widget = names.widgets[field.type]
  // A reference without a target is reported elsewhere.
  return widget?.target ? 'any' : (widget?.expression ?? 'any')
}
