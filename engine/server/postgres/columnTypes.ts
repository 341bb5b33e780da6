/** Column types: their canonical spelling, and what a change from one to another would lose. */

const aliases: Record<string, string> = {
  varchar: 'character varying',
  char: 'character',
  int2: 'smallint',
  int: 'integer',
  int4: 'integer',
  int8: 'bigint',
  bool: 'boolean',
  decimal: 'numeric',
  timestamptz: 'timestamp with time zone',
  timestamp: 'timestamp without time zone',
}

interface ColumnType {
  base: string
  size?: number
  scale?: number
  array: boolean
}

/** @throws if it is not plainly a type, because types are inserted into SQL as they are. */
function parseType(text: string): ColumnType {
  const match = /^([a-z][a-z0-9 ]*?) ?(?:\((\d+)(?:, ?(\d+))?\))?((?: with| without) time zone)?(\[\])?$/.exec(
    text.trim().toLowerCase(),
  )
  if (!match) throw new Error(`"${text}" is not a column type.`)
  const [, name, size, scale, zone = '', array] = match
  const base = zone ? name + zone : (aliases[name] ?? name)
  return {
    base,
    array: array !== undefined,
    size: size ? Number(size) : base === 'character' ? 1 : undefined,
    scale: scale ? Number(scale) : base === 'numeric' && size ? 0 : undefined,
  }
}

/** The spelling of PostgreSQL's format_type: `varchar(60)` → `character varying(60)`. */
export function canonicalType(text: string): string {
  const { base, size, scale, array } = parseType(text)
  const sized = size === undefined ? '' : scale === undefined ? `(${size})` : `(${size},${scale})`
  const [, head, zone = ''] = /^(.*?)( with(?:out)? time zone)?$/.exec(base)!
  return `${head}${sized}${zone}${array ? '[]' : ''}`
}

const integers: Record<string, { digits: number; limit: string }> = {
  smallint: { digits: 5, limit: '32767' },
  integer: { digits: 10, limit: '2147483647' },
  bigint: { digits: 19, limit: '9223372036854775807' },
}
const characters = ['character varying', 'character', 'text']

/**
 * How to change a column's type. `using`: the SQL expression of the new value. `loses`: the SQL condition of values
 * that would not survive unchanged; absent if all do.
 */
export function conversion(column: string, from: string, to: string): { using: string; loses?: string } {
  const old = parseType(from)
  const wanted = parseType(to)
  if (wanted.array && !old.array && canonicalType(to) === `${canonicalType(from)}[]`) {
    return { using: `case when ${column} is not null then array[${column}] end` }
  }
  if (!wanted.array && !old.array) {
    const cast = `${column}::${canonicalType(to)}`
    if (characters.includes(old.base) && wanted.base !== 'character' && characters.includes(wanted.base)) {
      const fits = wanted.size === undefined || (old.size !== undefined && old.size <= wanted.size)
      return fits ? { using: cast } : { using: cast, loses: `length(${column}) > ${wanted.size}` }
    }
    const digits = old.base === 'numeric' ? old : integers[old.base] && { size: integers[old.base].digits, scale: 0 }
    if (digits && integers[wanted.base]) {
      const { limit, digits: size } = integers[wanted.base]
      return (digits.scale === 0 && digits.size! < size) || old.base === wanted.base
        ? { using: cast }
        : { using: cast, loses: `not (${column} between -${limit} and ${limit} and ${column} = trunc(${column}))` }
    }
    if (digits && wanted.base === 'numeric') {
      if (wanted.size === undefined) return { using: cast }
      const whole = wanted.size - wanted.scale!
      return digits.size !== undefined && digits.scale! <= wanted.scale! && digits.size - digits.scale! <= whole
        ? { using: cast }
        : { using: cast, loses: `not (abs(${column}) < 1e${whole} and ${column} = round(${column}, ${wanted.scale}))` }
    }
    if (old.base === 'date' && wanted.base === 'timestamp without time zone') return { using: cast }
  }
  return { using: `${column}::text::${canonicalType(to)}`, loses: `${column} is not null` }
}
