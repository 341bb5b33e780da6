import { nearestName, type ExpressionFault } from '../../expression/index.ts'

/** Spellings from other languages or everyday speech → the spelling used here. */
export function otherWay(text: string, fault: ExpressionFault): string | undefined {
  if (fault.code === 'expression-syntax') return otherSyntax(text, fault)
  if (fault.code === 'unknown-name') return otherFunction(text, fault)
  if (fault.code !== 'wrong-type') return undefined
  return otherOperator(text.slice(fault.start, fault.end), fault) ?? ofList(text, fault)
}

function otherSyntax(text: string, { start, found }: ExpressionFault): string | undefined {
  const [before, after] = [text.slice(0, start), text.slice(start + found.length)]
  if (found === '>' && before.endsWith('<')) return '"<>" is not allowed here: write "!="'
  if (found === '$') return `A field stands without "$"${/^\{?\w+/.test(after) ? `: ${/\w+/.exec(after)![0]}` : ''}`
  const [, braced] = /\{\s*(\w+)\s*$/.exec(before) ?? []
  if (found === '}' && braced !== undefined) return `A field stands without braces: ${braced}`
  const [, subject, items] = /([\w.]+)\s+in\s*\(([^()]*)$/.exec(before) ?? []
  const [rest] = /^[^()]*/.exec(text.slice(start))!
  if (found === ',' && subject !== undefined) return `A list stands in square brackets: ${subject} in [${items}${rest}]`
  const [, negated] = /([\w.]+)\s+$/.exec(before) ?? []
  if (found === 'not' && negated !== undefined && /^\s+in\b/.test(after))
    return `"not in" is not allowed here: write !(${negated} in […])`
  const [, thousands] = /(?:^|[^\d.,])([1-9]\d{0,2})$/.exec(before) ?? []
  const [, three] = /^(\d{3})(?!\d)/.exec(after) ?? []
  if (found === ',' && thousands !== undefined && three !== undefined)
    return `"," cannot stand in a number: write ${thousands}${three}, or ${thousands}.${three} if it is a fraction`
  const [word] = /^[^\u0000-\u007f]+/.exec(text.slice(start)) ?? []
  return word !== undefined && /^\p{L}+$/u.test(word)
    ? `"${word}" cannot be part of a name: fields are called by their names, not by their labels, and texts stand in quotes`
    : undefined
}

/** Functions of other languages whose names resemble none here. */
const alike = { length: 'size', includes: 'contains', ifNull: 'coalesce' } as const

function otherFunction(text: string, { found, end, message, suggestion }: ExpressionFault): string | undefined {
  if (!message.en.includes('function') || suggestion !== undefined) return undefined
  const [, argument] = /^\(([\w.]+)\)/.exec(text.slice(end)) ?? []
  if (argument !== undefined && /^(is_?)?(null|empty|blank|missing)$/i.test(found))
    return `There is no function "${found}": write ${argument} == null`
  const near = nearestName(found, Object.keys(alike)) as keyof typeof alike | undefined
  return near && `There is no function "${found}": write ${alike[near]}(…)`
}

const literal = /^'[^']*'$/

function otherOperator(part: string, { found }: ExpressionFault): string | undefined {
  const [, left, operator, right] = /^(.+?)\s*(==|!=|>=|<=|>|<|\bin\b)\s*(.+)$/.exec(part.trim()) ?? []
  const [, a, , b] = /^(\S+) (==|!=|>=|<=|>|<|in) (\S+)$/.exec(found) ?? []
  if (left === undefined || a === undefined) return undefined
  const [ofLeft, ofRight] = [kindOf(a), kindOf(b)]
  const problem = `"${operator}" cannot be used on ${ofLeft} and ${ofRight}`
  const not = (written: string) => (operator === '!=' ? `!(${written})` : written)
  const isEquality = operator === '==' || operator === '!='
  if (isEquality && ofLeft !== 'list' && ofRight === 'list') return `${problem}: write ${not(`${left} in ${right}`)}`
  if (isEquality && ofLeft === 'list' && ofRight !== 'list') return `${problem}: write ${not(`${right} in ${left}`)}`
  if (operator === 'in' && ofLeft === 'list' && ofRight === 'list')
    return `${problem}: write ${left}.exists(one, one in ${right})`
  if (ofLeft === 'list' && ofRight === 'number') return `${problem}: size(${left}) counts its items`
  // A chain of comparisons compares the first result with the next number.
  const middle = /[<>]=?\s*([\w.]+)\s*[<>]/.exec(part)?.[1]
  if (ofLeft === 'true or false' && ofRight === 'number' && middle !== undefined)
    return `${problem}: write ${part.replace(middle, `${middle} && ${middle}`)}`
  const text = [left, right].find((each) => literal.test(each))
  const other = text === left ? ofRight : ofLeft
  if (text === undefined) return undefined
  const bare = text.slice(1, -1)
  if (bare === '' && isEquality) return `${problem}: what is empty equals null`
  const isBare = other === 'number' ? /^-?\d+(\.\d+)?$/.test(bare) : /^(true|false)$/.test(bare)
  return isBare && other !== 'text' ? `${problem}: write ${bare}, without quotes` : undefined
}

/** As it is called in messages. */
const kindOf = (notation: string): string =>
  notation.startsWith('list')
    ? 'list'
    : ({ decimal: 'number', string: 'text', boolean: 'true or false' }[notation] ?? notation)

/** Members and methods of a list that was written as a single value. */
function ofList(text: string, { start, end, found, message }: ExpressionFault): string | undefined {
  if (!found.startsWith('list')) return undefined
  const problem = message.en.replace(/\.$/, '')
  const [, list] = /([\w.]+)\.$/.exec(text.slice(0, start)) ?? []
  const key = text.slice(start, end)
  if (list !== undefined && /^(length|count|size)$/.test(key)) return `${problem}: size(${list}) counts its items`
  if (list !== undefined && /^\w+$/.test(key))
    return `${problem}: ${list}.exists(one, one.${key} == …) asks for an item, sum(${list}.map(one, one.${key})) adds up`
  const [, sought] = /^\.contains\((.+?)\)/.exec(text.slice(end)) ?? []
  return sought === undefined ? undefined : `${problem}; of a list write ${sought} in ${key}`
}
