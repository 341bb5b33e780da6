import { catalogWith } from './worldFiles.ts'

/**
 * Meals that cost less per head from three people on; a union with a fund on the account's base and dues on the
 * policy's.
 */
export const measured = () => measuredWith('measured', () => ({}))
/** The same, with back-payments of the union handled as tickets. */
export const measuredBackPaid = () =>
  measuredWith('measuredBackPaid', ({ words }) => ({
    words: { ...words, supplementCn: '工会补缴', supplementEn: 'Union back-payments' },
    pages: { additionalstaff: [], personnelreduction: [], supplement: ['importrecords', 'detailList'] },
    supplementTypes: [
      { value: 'missed', cn: '漏缴', en: 'Missed' },
      { value: 'baseDiff', cn: '基数差额', en: 'Base difference' },
    ],
    supplement: { lateFee: 'none' },
  }))

const measuredWith = (name: string, ofUnion: (parameters: { words: object }) => object) =>
  catalogWith(name, {
    mealallowance: ({ items }) => ({
      monthInputs: [],
      items: items.map((item) => ({ ...item, company: 'headcount >= 3 ? companyFixed * 0.8 : companyFixed' })),
    }),
    unionfee: ({ items, words }) => ({
      ...ofUnion({ words }),
      items: items.map((item, index) => {
        const base = ['accountBase', 'baseFloor'][index]
        return { ...item, floor: base, cap: base }
      }),
    }),
  })
