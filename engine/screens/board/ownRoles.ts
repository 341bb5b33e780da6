import { list, string } from '../../model/model.ts'

/** The roles that a part of a board is for. */
export const ownRoles = () =>
  list(string({ names: 'role' }), {
    distinct: true,
    default: [],
    about: { cn: '以此为本职工作的角色，其用户最先看到', en: 'The roles whose work this is; for them it comes first' },
  })
