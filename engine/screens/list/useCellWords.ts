import { defineWords } from '../../client/words.ts'

export const useCellWords = defineWords({
  edit: { cn: '编辑{label}', en: 'Edit {label}' },
  named: { cn: '编辑{label}：{value}', en: 'Edit {label}: {value}' },
}).use
