import { procedure, type Values } from '../../engine/server/procedure.ts'

/**
 * Hands all customers of the given users over to another user, named by `successor`: as support staff and as salesman.
 */
export const handOver = procedure<'user'>(async (work, { records, values: { successor = null } }) => {
  const former = records.map(({ id }) => id)
  const problem = !(await work.isOffered('user', successor))
    ? { cn: '业务交接人不存在或已停用', en: 'The successor does not exist or is disabled' }
    : former.includes(successor!)
      ? { cn: '不能移交给本人', en: 'Customers cannot be handed over to the same user' }
      : undefined
  if (problem) work.refuse('user', [{ field: 'successor', code: 'reference', message: problem }])

  // All of them, also those that the user who does it does not see.
  const customers = await work.read('customer', {
    where: { anyOf: [{ supportStaff: former }, { salesman: former }] },
    lock: true,
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
