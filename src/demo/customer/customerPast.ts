import type { Random } from '../random.ts'
import type { DemoCustomer, DemoSurroundings } from './DemoCustomer.ts'

const reasons = [
  '营业执照照片不清晰，请重新上传',
  '企业名称与营业执照不一致，请核对后修改',
  '开户银行信息不完整，请补充支行名称',
]

export type CustomerPast = ReturnType<typeof customerPast>

interface Submitted {
  index: number
  around: DemoSurroundings
  corporateName: string
}

/** How a customer was submitted and approved so far. */
export function customerPast(random: Random, { index, around, corporateName }: Submitted) {
  const state = stateOf(random, index)
  const support = random.pick(around.supportStaff)
  const submitted = around.daysAgo(
    state === 'pending' || state === 'rejected' || state === 'changed' ? random.integer(0, 4) : random.integer(20, 900),
  )
  const later = (hours: number) => shift(submitted, hours)
  const approvals: DemoCustomer['approvals'] = []
  let status = 'approved'
  let approvalTime: string | null = null
  let submissionTime = submitted
  let rejectReason: string | null = null
  let changes: Record<string, [string, string]> | undefined
  switch (state) {
    case 'pending':
      status = 'pending'
      approvals.push({ action: 'submit', by: support, at: submitted })
      break
    case 'rejected':
      status = 'rejected'
      rejectReason = reasons[index % reasons.length]
      approvalTime = later(3)
      approvals.push(
        { action: 'submit', by: support, at: submitted },
        { action: 'reject', reason: rejectReason, by: around.approver, at: approvalTime },
      )
      break
    case 'secondTry':
      submissionTime = later(30)
      approvalTime = later(33)
      approvals.push(
        { action: 'submit', by: support, at: submitted },
        { action: 'reject', reason: reasons[0], by: around.approver, at: later(5) },
        { action: 'resubmit', by: support, at: submissionTime },
        { action: 'agree', by: around.approver, at: approvalTime },
      )
      break
    case 'changed': {
      const first = around.daysAgo(200)
      status = 'pending'
      approvalTime = shift(first, 4)
      changes = { corporateName: [corporateName.replace('（演示）', '发展（演示）'), corporateName] }
      approvals.push(
        { action: 'submit', by: support, at: first },
        { action: 'agree', by: around.approver, at: approvalTime },
        { action: 'resubmit', by: support, at: submitted, changes },
      )
      break
    }
    default:
      approvalTime = later(random.integer(2, 26))
      approvals.push(
        { action: 'submit', by: support, at: submitted },
        { action: 'agree', by: around.approver, at: approvalTime },
      )
  }
  return { state, support, status, approvals, submissionTime, approvalTime, rejectReason, changes }
}

/** The first rows cover the required cases; the rest is a random mix. */
function stateOf(random: Random, index: number) {
  return index < 5
    ? 'pending'
    : index < 8
      ? 'rejected'
      : index < 12
        ? 'disabled'
        : index === 12
          ? 'secondTry'
          : index === 13
            ? 'changed'
            : index >= 60 && random.chance(0.05)
              ? 'pending'
              : 'approved'
}

function shift(datetime: string, hours: number): string {
  return new Date(Date.parse(`${datetime.replace(' ', 'T')}Z`) + hours * 3_600_000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ')
}
