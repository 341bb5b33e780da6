import { offer } from '../issues/issue.ts'
import type { PolicyName } from '../../model/model.ts'
import type { Link, Names } from '../named.ts'

/** An entity whose settings a screen shows should be one, which is reported there. */
const isSingle = (name: string, { entities, screens, kinds }: Names): boolean =>
  entities[name].value.single === true ||
  Object.values(screens).some(({ kind, entity }) => entity === name && kinds[kind].single)

const wantedOf: Record<PolicyName, 'number' | 'secret'> = {
  sessionMinutes: 'number',
  signInFailures: 'number',
  passwordDays: 'number',
  defaultPassword: 'secret',
  importRows: 'number',
  exportRows: 'number',
  pictureMegabytes: 'number',
  badgeMaximum: 'number',
  logDays: 'number',
}

/** `entity.field` of a single-record entity, of the type that the policy takes. */
export function checkSetting({ names, place, name: found, say }: Link): void {
  // A name without a dot is malformed, which is reported elsewhere.
  if (!found.includes('.')) return
  const [name, field] = [found.slice(0, found.indexOf('.')), found.slice(found.indexOf('.') + 1)]
  const entity = names.entities[name]
  if (!entity) {
    const singles = Object.values(names.entities).filter(({ value }) => value.single === true)
    return say(
      'unknown-entity',
      offer(
        name,
        singles.map((single) => single.name),
      ),
      { part: { start: 0, end: name.length } },
    )
  }
  if (entity.source.broken) return
  if (!isSingle(name, names)) return say('not-single', { entity: name })
  const named = names.field(name, field)
  const part = { part: { start: name.length + 1, end: found.length } }
  if (!named)
    return say(
      'unknown-field',
      { ...offer(field, Object.keys(entity.fields)), entity: name, see: entity.source.path },
      part,
    )
  const widget = names.widgets[named.type]
  const wanted = wantedOf[place.key as PolicyName]
  const fits = wanted === 'secret' ? widget?.protect === 'encrypt' : widget?.expression === 'decimal'
  if (widget && !fits)
    say(
      'policy-type',
      {
        policy: place.key,
        wanted: wanted === 'secret' ? 'kept encrypted' : 'a number',
        entity: name,
        field,
        type: named.type,
      },
      part,
    )
}
