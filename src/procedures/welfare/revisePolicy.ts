import { addMonths } from '../../../engine/expression/index.ts'
import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'

type Policy = Stored<'policy'>

/**
 * Creates a draft of the next version as a copy of the policy in force, which stays in force until the draft replaces
 * it. Families added later start with their own items. @throws Refusal notAllowed.
 */
export const revisePolicy = procedure<'policy'>(async (work, { records }) => {
  const policies = await work.read('policy', { where: { id: records.map(({ id }) => id) } })
  await refuseSecondDrafts(work, policies)
  await work.insert(
    'policy',
    policies.map((policy) => draftOf(work, policy)),
    { action: 'create' },
  )
  await work.note('policy', policies, 'revise')
  const names = policies.map(({ name }) => name).join('、')
  return {
    summary: {
      cn: `已生成“${names}”的修订草稿，请编辑后生效`,
      en: `A draft of the next version of ${names} is ready: edit it and put it in force`,
    },
    show: { status: { in: ['draft'] } },
  }
})

const draftOf = (work: ProcedureWork, policy: Policy): Values<'policy'> => ({
  ...work.copyOf('policy', policy, 'revisionOf'),
  fromId: null,
  status: 'draft',
  effectiveFrom: nextFrom(work, policy),
  effectiveTo: null,
  policyNo: policy.policyNo,
  version: Number(policy.version) + 1,
  previousPolicy: policy.id,
})

/** The first month that a version after this one may begin with. */
function nextFrom(work: ProcedureWork, { effectiveFrom }: Policy): string {
  const [next, after] = [work.today.slice(0, 7), effectiveFrom].map((month) => addMonths(month, 1)!)
  return next > after ? next : after
}

async function refuseSecondDrafts(work: ProcedureWork, policies: readonly Policy[]): Promise<void> {
  const where = { policyNo: policies.map(({ policyNo }) => policyNo), status: 'draft' } as const
  const drafts = await work.read('policy', { where, fields: ['policyNo'], limit: 1 })
  if (drafts.length > 0) work.refuseCall({ cn: '该政策已有修订草稿', en: 'A draft of the next version already exists' })
}
