import type { WidgetExamples } from '../../model/model.ts'

const invalid = { code: 'file', message: { cn: '请上传正确的{label}', en: 'Please upload a valid {label}' } }
const contract = { url: '/api/files/a1.pdf', name: '合同.pdf', size: 2048, status: 'success' as const }
const annex = { url: '/api/files/b2.xlsx', name: '附件.XLSX', size: 10, status: 'success' as const }

export const examples: WidgetExamples = {
  options: [{ max: 2, extensions: ['.pdf', '.xlsx'] }, {}],
  good: [
    {
      given: [contract, annex],
      canonical: [contract, annex],
      text: { cn: '合同.pdf、附件.XLSX', en: '合同.pdf, 附件.XLSX' },
    },
    {
      given: { url: contract.url, name: contract.name, size: 2048 },
      canonical: [contract],
      text: { cn: '合同.pdf', en: '合同.pdf' },
    },
  ],
  bad: [
    { given: [{ ...contract, url: 'https://example.com/a1.pdf' }], ...invalid },
    { given: [{ ...contract, url: '/api/files/../session' }], ...invalid },
    { given: [{ ...contract, url: 'javascript:alert(1)' }], ...invalid },
    { given: [{ url: contract.url }], ...invalid },
    { given: 'a1.pdf', ...invalid },
    {
      given: [contract, annex],
      with: 1,
      code: 'limit',
      message: { cn: '超出文件上传限制个数', en: 'exceeds the file upload limit' },
    },
    {
      given: [{ ...contract, name: '合同.exe' }],
      code: 'extension',
      message: { cn: '仅支持.pdf .xlsx格式的文件', en: 'Only .pdf .xlsx files are accepted' },
    },
    {
      given: [{ ...contract, size: 20 * 1024 * 1024 + 1 }],
      code: 'size',
      message: { cn: '文件大小不能超过20MB', en: 'A file must not exceed 20 MB' },
    },
    {
      given: [{ ...contract, url: 'pending:1', status: 'uploading' }],
      code: 'uploading',
      message: { cn: '文件正在上传，请稍候', en: 'The upload is not finished yet, please wait' },
    },
    {
      given: [{ ...contract, url: 'pending:1', status: 'failed' }],
      code: 'failed',
      message: { cn: '文件上传失败，请重试或移除', en: 'The upload failed, please retry or remove the file' },
    },
  ],
}
