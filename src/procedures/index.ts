/** What JSON cannot express: the name in an action's `run` → its function. */
import type { Procedure } from '../../engine/server/procedure.ts'
import { keepDefaultCard } from './bank/cards.ts'
import * as contracts from './contract/contracts.ts'
import { handOver } from './handOver.ts'
import type { procedureNames } from './names.ts'
import * as salary from './salary/index.ts'
import { checkVersion } from './setting/checkVersion.ts'
import { closeMonth } from './setting/closeMonth.ts'
import * as credits from './settlement/creditBalance.ts'
import { adjustBudget } from './settlement/adjustBudget.ts'
import { divideBudgets, generateBudgets } from './settlement/generateBudgets.ts'
import * as invoices from './settlement/invoices.ts'
import { printStatements, printRequestLetter } from './settlement/printStatements.ts'
import * as receipts from './settlement/receipts.ts'
import { foreseeBudgets } from './settlement/foreseeBudgets.ts'
import { foreseeStatements } from './settlement/foreseeStatements.ts'
import * as delivery from './settlement/statementDelivery.ts'
import * as statements from './settlement/statements.ts'
import * as employment from './staff/employment.ts'
import { keepAgent } from './staff/keepAgent.ts'
import { suggestInjury } from './staff/injuries.ts'
import * as letters from './staff/letters.ts'
import { foreseePerson } from './staff/samePeople.ts'
import { suggestPerson } from './staff/suggestPerson.ts'
import * as benefits from './welfare/benefits.ts'
import * as bigTable from './welfare/expenses/bigTable.ts'
import { compareTogether } from './welfare/expenses/compareTogether.ts'
import * as expenses from './welfare/expenses/expenses.ts'
import * as placing from './welfare/expenses/placeExpenses.ts'
import { fillUndeducted } from './welfare/expenses/undeductedContributions.ts'
import { spreadAccountNo } from './welfare/expenses/spreadAccountNo.ts'
import * as additions from './welfare/handling/additions.ts'
import * as adjustments from './welfare/handling/adjustments.ts'
import * as baseChanges from './welfare/handling/baseChanges.ts'
import * as foreseenBases from './welfare/handling/foreseeBaseChanges.ts'
import * as foreseenRows from './welfare/handling/foreseeImportRows.ts'
import { followHousehold } from './welfare/handling/followHousehold.ts'
import * as reduceAll from './welfare/handling/reduceAll.ts'
import * as reductions from './welfare/handling/reductions.ts'
import { dropReductions, openReductions } from './welfare/handling/staffTickets.ts'
import * as monthInputs from './welfare/handling/monthInputs.ts'
import * as backPayments from './welfare/handling/backPayments.ts'
import * as policies from './welfare/policies.ts'

export const procedures: Record<(typeof procedureNames)[number], Procedure> = {
  adjustBudget,
  checkVersion,
  closeMonth,
  divideBudgets,
  generateBudgets,
  handOver,
  printStatements,
  printRequestLetter,
  ...invoices,
  ...receipts,
  ...salary,
  ...statements,
  ...delivery,
  ...credits,
  ...contracts,
  foreseeBudgets,
  foreseeStatements,
  keepAgent,
  keepDefaultCard,
  ...employment,
  followHousehold,
  foreseePerson,
  suggestPerson,
  ...letters,
  suggestInjury,
  ...additions,
  ...adjustments,
  ...baseChanges,
  ...foreseenRows,
  ...foreseenBases,
  ...monthInputs,
  ...backPayments,
  dropReductions,
  fillUndeducted,
  openReductions,
  ...policies,
  ...benefits,
  ...reductions,
  ...reduceAll,
  ...bigTable,
  compareTogether,
  ...placing,
  ...expenses,
  spreadAccountNo,
}
