import type { WidgetExamples } from '../../model/model.ts'

const malformed = { code: 'format', message: { cn: '{label}格式不正确', en: '{label} has an invalid format' } }
const contact = { id: 1, name: '周演', mobile: '15400000018' }
const other = { name: '吴启', mobile: null }
const contacts = { entity: 'customerContact', by: 'customer', columns: ['name', 'mobile'] }

export const examples: WidgetExamples = {
  options: [contacts, { ...contacts, min: 2 }, { ...contacts, max: 1 }],
  good: [
    { given: [contact, other], canonical: [contact, other], text: { cn: '2行', en: '2 rows' } },
    { given: [contact], canonical: [contact], text: { cn: '1行', en: '1 row' } },
  ],
  bad: [
    { given: 'none', ...malformed },
    { given: [contact, 7], ...malformed },
    {
      given: [contact],
      with: 1,
      code: 'min',
      message: { cn: '{label}至少2行', en: '{label} needs at least 2 rows' },
    },
    {
      given: [contact, contact],
      with: 2,
      code: 'max',
      message: { cn: '{label}最多1行', en: '{label} takes at most 1 row' },
    },
  ],
}
