import { addDays } from '../../../engine/expression/index.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260310

/** The price for each person, and the name. */
const kinds: Record<string, { price: number; itemName: string; supplier: string }> = {
  welfareGoods: { price: 200, itemName: '节日礼盒', supplier: '样例礼品商行' },
  checkup: { price: 350, itemName: '年度体检A套餐', supplier: '演示体检中心' },
  disabilityFund: { price: 90, itemName: '残疾人就业保障金', supplier: '' },
  commercialInsurance: { price: 45, itemName: '补充医疗保险', supplier: '示范财产保险公司' },
}

/** The benefits behind the delivered costs, and this month's unconfirmed ones. */
export async function writeBenefits(context: Context, db: Db, resolve: Resolve): Promise<void> {
  const { otherBenefit } = context.derived.catalog.entities
  const work = new ProcedureWork(context, db)
  const costs = await work.read('costLine', {
    where: { sourceType: 'otherBenefits', person: null },
    fields: ['customer', 'contract', 'costMonth', 'feeItem', 'amount', 'sourceId', 'createdAt'],
  })
  const clerk = Number(resolve('user', 'support'))
  const stamps = (at: string) => ({ createdBy: clerk, updatedBy: clerk, createdAt: at, updatedAt: at })
  const confirmed = costs.map((cost): RecordData => {
    const { id, customer, contract, costMonth: at, feeItem, amount, sourceId, createdAt } = cost
    const { price, itemName, supplier } = kinds[feeItem]
    return {
      benefitNo: sourceId,
      feeMonth: at,
      customer,
      serviceContract: contract,
      benefitType: feeItem,
      itemName,
      supplier: supplier || null,
      quantity: Math.round(Number(amount) / price),
      unitPrice: `${price}.00`,
      companyAmount: amount,
      taxable: false,
      stage: 'confirmed',
      cost: id,
      ...stamps(createdAt),
      ...(feeItem === 'commercialInsurance' && { periodFrom: `${at}-01`, periodTo: addDays(`${at}-01`, 27)! }),
    }
  })
  await insertMany(context, db, otherBenefit, confirmed, { action: 'create' })

  const random = new Random(seed)
  const month = context.now.slice(0, 7)
  const heads = await work.read('person', {
    where: { employmentStatus: 'active' },
    fields: ['customer', 'serviceContract'],
    limit: 400,
  })
  const drafts = heads
    .filter(() => random.chance(0.06))
    .map(({ id: person, customer, serviceContract }): RecordData => {
      const isShared = random.chance(0.3)
      return {
        feeMonth: month,
        customer,
        serviceContract,
        person,
        benefitType: 'commercialInsurance',
        itemName: '意外伤害保险',
        supplier: '示范财产保险公司',
        quantity: 1,
        unitPrice: '120.00',
        companyAmount: isShared ? '80.00' : '120.00',
        taxable: false,
        stage: 'draft',
        periodFrom: `${month}-01`,
        ...stamps(context.now),
      }
    })
  await insertMany(context, db, otherBenefit, drafts, { action: 'create' })
}
