import type { Label } from '../../../engine/model/model.ts'
import { procedure } from '../../../engine/server/procedure.ts'
import { blocksOf } from '../print/document.ts'
import { printPdf } from '../print/pdf.ts'
import { fillPlaceholders, placeholdersIn } from '../print/placeholders.ts'
import { printWord } from '../print/word.ts'
import { contractPlaceholders, contractTexts } from './contractTexts.ts'

/** Checks that a template only uses placeholders of contracts. @throws Refusal invalid. */
export const checkContractTemplate = procedure<'contractTemplate'>(async (work, { records }) => {
  const known = new Set<string>(contractPlaceholders)
  const unknown = records.flatMap(({ content }) => placeholdersIn(content)).filter((name) => !known.has(name))
  if (unknown.length > 0)
    work.refuse(
      'contractTemplate',
      unknown.map((name) => ({
        field: 'content',
        code: 'rule',
        message: { cn: `占位符{{${name}}}不存在`, en: `Unknown placeholder {{${name}}}` },
      })),
    )
})

/**
 * Generates contracts from their templates, as a PDF and as an editable Word file. Each stores the template's version.
 * @throws Refusal invalid if there is no template, it is of another category, or needs values that are unknown.
 */
export const drawContract = procedure<'contract'>(async (work, { records }) => {
  work.demandWhole('contract', ['drawnFiles'])
  const cities = new Map(work.dictionary('city').choices.map(({ value, label }) => [value, label.cn]))
  const refuse: (message: Label) => never = (message) =>
    work.refuse('contract', [{ field: 'template', code: 'rule', message }])
  for (const contract of records) {
    const { category } = contract
    const template =
      (await work.one('contractTemplate', contract.template)) ??
      (await work.read('contractTemplate', { where: { category, status: 'enabled' } })).at(-1)
    if (!template) refuse({ cn: '该类别没有启用的合同模板', en: 'No template of the category is enabled' })
    if (template.category !== category)
      refuse({ cn: '模板与合同的类别不一致', en: 'The template is of another category' })
    const content = fillPlaceholders(
      template.content,
      contractTexts({
        contract,
        customer: await work.one('customer', contract.customer),
        agency: await work.one('agency', contract.agency),
        person: await work.one('person', contract.person),
        cityOf: (code) => cities.get(code) ?? null,
      }),
    )
    const missing = placeholdersIn(content)
    if (missing.length > 0)
      refuse({
        cn: `合同缺少模板需要的内容：${missing.join('、')}`,
        en: `The contract is missing values that the template needs: ${missing.join(', ')}`,
      })
    const title = contract.contractNo
    const blocks = blocksOf(content)
    await work.change(
      'contract',
      contract,
      {
        template: template.id,
        templateVersion: template.version,
        drawnFiles: [
          await work.storeFile(`${title}.pdf`, await printPdf({ title, number: title, size: 'a4', blocks })),
          await work.storeFile(`${title}.docx`, await printWord({ title, number: title, blocks })),
        ],
      },
      { action: 'draw' },
    )
  }
})
