import { catalogWith } from './worldFiles.ts'

/**
 * Meals that cost less per head from three people on; union funds on a base that the account says, and dues on one that
 * the policy says.
 */
export const measured = () =>
  catalogWith('measured', {
    mealallowance: ({ items }) => ({
      monthInputs: [],
      items: items.map((item) => ({ ...item, company: 'headcount >= 3 ? companyFixed * 0.8 : companyFixed' })),
    }),
    unionfee: ({ items }) => ({
      items: items.map((item, index) => {
        const base = ['accountBase', 'baseFloor'][index]
        return { ...item, floor: base, cap: base }
      }),
    }),
  })
