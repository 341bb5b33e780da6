import type { EntityFile } from '../language/entityShape.ts'
import { filterValues } from '../../model/filter.ts'
import type {
  Append,
  Daily,
  Download,
  Entity,
  EntityAction,
  SaveEvent,
  StateMachine,
  Transition,
} from '../../model/model.ts'

type PermissionOf = (name: string) => string

/** Steps of records: transitions, effects of a save, daily rules, actions and downloads. */
export function assembleSteps(
  file: EntityFile,
  permission: PermissionOf,
): Pick<Entity, 'states' | 'saves' | 'daily' | 'actions' | 'downloads'> {
  const machines = file.states === undefined ? [] : [file.states].flat()
  return {
    states: machines.map((machine) => assembleStates(machine, permission)),
    saves: file.saves.map((event): SaveEvent => ({
      ...event,
      append: event.append as Append[],
      ...(event.permission !== undefined && { permission: permission(event.permission) }),
    })),
    ...(Object.keys(file.daily).length > 0 && {
      daily: mapped(file.daily, (_name, rule): Daily => ({
        ...rule,
        where: filterValues(rule.where),
        ...(rule.create && { create: rule.create as Append }),
      })),
    }),
    actions: mapped(file.actions, (name, action): EntityAction => ({
      ...action,
      name,
      permission: permission(action.permission ?? name),
      guards: action.guards.map((guard) => ({ ...guard, at: file.display })),
      append: action.append as Append[],
    })),
    ...(Object.keys(file.downloads).length > 0 && {
      downloads: mapped(
        file.downloads,
        (name, download) =>
          ({
            ...download,
            name,
            permission: permission(download.permission ?? 'export'),
            guards: download.guards.map((guard) => ({ ...guard, at: file.display })),
            ...(download.where && { where: filterValues(download.where) }),
          }) as Download,
      ),
    }),
  }
}

type MachineFile = Exclude<EntityFile['states'], undefined | readonly unknown[]>

const assembleStates = (machine: MachineFile, permission: PermissionOf): StateMachine => ({
  field: machine.field,
  initial: machine.initial,
  transitions: mapped(machine.transitions, (name, transition): Transition => ({
    ...transition,
    name,
    field: machine.field,
    permission: permission(transition.permission ?? name),
    guards: transition.guards.map((guard) => ({ ...guard, at: machine.field })),
    append: transition.append as Append[],
  })),
})

const mapped = <From, To>(
  all: Readonly<Record<string, From>>,
  to: (name: string, value: From) => To,
): Record<string, To> => Object.fromEntries(Object.entries(all).map(([name, value]) => [name, to(name, value)]))
