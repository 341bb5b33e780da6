import { procedure, Refusal, type Values } from '../../engine/server/procedure.ts'

/**
 * Transfers all customers of the given users to another user, the `successor`: as support staff and as salesman.
 * @throws Refusal outOfScope if the caller does not see all of them.
 */
export const handOver = procedure<'user'>(async (work, { records, values: { successor = null } }) => {
  const former = records.map(({ id }) => id)
  const problem = !(await work.isOffered('user', 'successor', successor))
    ? { cn: '业务交接人不存在或已停用', en: 'The successor does not exist or is disabled' }
    : former.includes(successor!)
      ? { cn: '不能移交给本人', en: 'Customers cannot be handed over to the same user' }
      : undefined
  if (problem) work.refuse('user', [{ field: 'successor', code: 'reference', message: problem }])

  const theirs = { anyOf: [{ supportStaff: former }, { salesman: former }] }
  const customers = await work.read('customer', { where: theirs, lock: true })
  const seen = await work.read('customer', { where: theirs, fields: ['id'], seen: true })
  if (seen.length < customers.length)
    throw new Refusal('outOfScope', {
      text: {
        cn: '其名下有您无权查看的客户，请由可查看全部客户的人员移交',
        en: 'You may not view some of their customers: ask someone who sees all customers to hand them over',
      },
    })
  const isFormer = (user: number | null) => user !== null && former.includes(user)
  await work.changeAll(
    'customer',
    customers.map((record) => ({
      record,
      values: {
        ...(isFormer(record.supportStaff) && { supportStaff: successor }),
        ...(isFormer(record.salesman) && { salesman: successor }),
      } satisfies Values<'customer'>,
    })),
    { action: 'assign' },
  )
  await work.note('user', records, 'handOver')
  return { customers: customers.length }
})
