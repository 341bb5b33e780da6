import { offerField } from '../issues/issue.ts'
import type { Report } from '../issues/report.ts'
import type { JsonObject } from '../walk.ts'
import type { NamedEntity, NamedField, Names } from '../named.ts'
import { departmentEntity, userEntity } from '../../model/identityNames.ts'

/** A data scope leads to users and departments. */
export function checkScope({ name, source }: NamedEntity, scope: JsonObject, names: Names, report: Report): void {
  const refuse = (pointer: string, entity: string, found: string, target: string) =>
    report(source, `/scope/${pointer}`, 'not-a-reference', { entity, found, target })
  for (const [index, given] of (scope.via === undefined ? [] : [scope.via].flat()).entries()) {
    const field = names.field(name, String(given))
    const pointer = Array.isArray(scope.via) ? `via/${index}` : 'via'
    if (field && (!names.target(field) || names.target(field)!.rows)) refuse(pointer, name, field.name, 'a record')
    else if (field && !names.isStored(name, field.name))
      report(source, `/scope/${pointer}`, 'not-stored', {
        entity: name,
        found: field.name,
        operation: 'apply the data scope by it',
      })
  }
  for (const key of ['owners', 'only']) {
    for (const [index, owner] of (Array.isArray(scope[key]) ? scope[key] : []).entries()) {
      const field = names.field(name, String(owner))
      if (field && names.target(field)?.entity !== userEntity) refuse(`${key}/${index}`, name, field.name, userEntity)
    }
  }
  for (const [index, path] of (Array.isArray(scope.departments) ? scope.departments : []).entries()) {
    let reached = name
    let isWhole = true
    for (const step of String(path).split('.')) {
      const field: NamedField | undefined = names.field(reached, step)
      if (!field && names.entities[reached] && !names.entities[reached].source.broken) {
        const { fields, source: see } = names.entities[reached]
        report(source, `/scope/departments/${index}`, 'unknown-field', {
          ...offerField(step, fields),
          entity: reached,
          see: see.path,
        })
      }
      const target = names.target(field)
      if (field && !target) refuse(`departments/${index}`, reached, step, 'a department')
      isWhole = target !== undefined
      if (!target) break
      reached = target.entity
    }
    // Unknown fields and entities are reported above.
    if (isWhole && reached !== departmentEntity && names.entities[reached])
      refuse(`departments/${index}`, name, String(path), 'a department')
  }
}
