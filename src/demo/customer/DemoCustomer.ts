import type { RecordData } from '../../../engine/model/model.ts'

/**
 * A customer with its contacts and approvals. References are keys that the writer resolves: login names, agency codes,
 * region codes, paths.
 */
export interface DemoCustomer {
  values: RecordData
  contacts: RecordData[]
  approvals: {
    action: 'submit' | 'resubmit' | 'agree' | 'reject'
    reason?: string
    by: string
    at: string
    changes?: Record<string, [string, string]>
  }[]
}

export interface DemoSurroundings {
  supportStaff: string[]
  salesmen: string[]
  approver: string
  agencies: string[]
  /** The value of an uploaded picture that shows this label. */
  picture(label: string, palette: number): RecordData
  /** `yyyy-MM-dd HH:mm:ss`, this many days before now. */
  daysAgo(days: number): string
}
