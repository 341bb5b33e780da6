import type { Amount } from '../money/amounts.ts'

/** One amount of a statement: of a person, or of the company as a whole. */
export interface StatementItem {
  /** The id of a stored one. */
  id?: number
  person: number | null
  feeItem: string
  party: string
  costMonth: string
  policy?: string | null
  base?: Amount
  rate?: Amount
  fixedAmount?: Amount
  amount: string
  sourceType: string
  sourceId: string | null
  /** Of a fee of the contract: the service that its rule is for. */
  serviceType?: string | null
  /**
   * Whether, when it was computed, the person was not employed or the contract not in force in its month; stays set
   * while another statement charges that month.
   */
  outsideTerm?: boolean
  /** If absent, by the fee item. */
  passThrough?: boolean | null
  /** The statement that carries it over. */
  carriedFrom?: number | null
  reason?: string | null
}
