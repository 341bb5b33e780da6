/** Phrases that no office would write, once removed from labels, hints, messages and questions, do not come back. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { labelsIn, readSource } from './words.ts'

interface Text {
  at: string
  cn: string
  en: string
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.posix.join(folder, name))

function labelsOf(at: string, value: unknown): Text[] {
  if (typeof value !== 'object' || value === null) return []
  const { cn, en } = value as Record<string, unknown>
  if (typeof cn === 'string' && typeof en === 'string') return [{ at, cn, en }]
  return Object.entries(value).flatMap(([key, inner]) => labelsOf(`${at} ${key}`, inner))
}

const inSchemas = filesIn('schemas')
  // The names of places are data.
  .filter((name) => name.endsWith('.json') && !name.endsWith('region.records.json'))
  .flatMap((name) => labelsOf(name, JSON.parse(readFileSync(name, 'utf8'))))
const inCode = ['engine', 'src']
  .flatMap(filesIn)
  .filter((name) => /\.tsx?$/.test(name) && !/\.(test|examples)\.tsx?$|^src\/(commands|demo)\//.test(name))
  .flatMap((name) => labelsIn(readSource(name, readFileSync(name, 'utf8'))))
const texts = [...inSchemas, ...inCode]

/** Each is tried on `Chinese | English`, because some are wrong in one meaning only. */
const banned = {
  'no note to whoever writes the code': [/\.tsx?\b(:\d+)?/],
  'said otherwise in plain English': [
    /What waits for you|Put together by|^处理中.*\| In work$|\| To come$|People at work|在职.*\| At work/,
    /Declare who joins|Chase what|Who has joined and left|Bill late costs|See amounts|contracts in force\)/i,
    /made up|for ever\b(?!\.)|where it is empty|To be given back|below zero|taken in yuan|handed over (at|by)/i,
    /By the head\b|is waited for|a month\)?$|this time$|\bto be made$|Rows already there|stand at the top/i,
    /\bFail reason|\bSign (date|method|overdue)|\bLegal (tax|surcharge|standard)|Paid days a month|Session minutes/,
    /\b(Own accounts|Other name|Below it|the departments below|Those below)\b/,
  ],
  'one term for one thing': [
    /\blicence/i,
    /\b(the|a|this|each) bills?\b/i,
    /^(?!新增企业客户|编辑企业客户|企业 ).*\| .*\benterprise\b/i,
    /\bQuery\b|\| Agree$|\bUnconfirm|\b[Rr]eopen\b|\bUndo the confirmation\?/,
    /Housing fund|\bHF\b|\bjournals?\b|\bRemark on\b|\bjob number/i,
    /\b(Entry|Leave) (date|reason)s?\b|\b(Undo|Complete|Confirm|Cancel|Submit) (the )?(entry|leave)\b|Entries and leaves/i,
    /month of entry|离.*\| Leave$|证明.*\| Proofs?$|发布.*\| .*\breleas/i,
    /big[- ]table|Back-payment table|Red-flush|\bUnseal\b|封存 \| Seal$|[Nn]ot identified|Identified as|for (the )?identification/,
    /\b(Account|Agency|Bank|Taxpayer|Link|Menu|Policy|Filing|Worker|position) kind\b|\| Kind\b|Employment form\b|\bold contract\b/i,
    /收票.*\| Receiver|接收人 \| Receiver|^申请.*\| Appl(y|ied)$|重新提交 \| Retry/,
    /\bPersons\b|Person's name|员工 \| Person$|客户分类 \| .*category/i,
    /\bIn force (from|to|until)\b|[Yy]early base|base collection/,
  ],
  'a button or tab that does not say what it does': [
    /^(生成|发起|登记).+ \| (Generate|Start|Decision|Appraisal|Register)$|售后申请已处理 \| Adjustment is settled/,
  ],
  'plain Chinese': [
    /催款函|为空[时则]|留空[则为]|日期日期|第几次|我方|会话有效分钟|^尺寸 |打开此页面需要先|模板.*导出成功/,
    // 确定 and 取消 are the buttons of the question.
    /确定确认|确定取消/,
  ],
}

test.each(Object.entries(banned))('%s', (_, phrases) => {
  const found = texts.flatMap(({ at, cn, en }) =>
    phrases.some((phrase) => phrase.test(`${cn} | ${en}`)) ? [`${at}: ${cn} | ${en}`] : [],
  )
  expect(found).toEqual([])
})

test('the question before months are closed names the month', () => {
  const question = inSchemas.filter(({ at, cn }) => at.includes('parameter.entity.json saves') && cn.includes('关账'))
  expect(question).toEqual([
    expect.objectContaining({
      cn: expect.stringContaining('{closedMonth}'),
      en: expect.stringContaining('{closedMonth}'),
    }),
  ])
})

test('the texts of schema files and of code are found', () => {
  expect(inSchemas).toContainEqual(expect.objectContaining({ cn: '入职日期', en: 'Hire date' }))
  expect(inCode).toContainEqual(expect.objectContaining({ cn: '保存成功', en: 'Saved' }))
})
