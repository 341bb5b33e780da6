import type { WidgetExamples } from '../../model/model.ts'

const licence = { url: '/api/files/a1.jpg', name: '营业执照.JPG', size: 2048, status: 'success' as const }
const invalid = { code: 'file', message: { cn: '请上传正确的{label}', en: 'Please upload a valid {label}' } }

export const examples: WidgetExamples = {
  options: [{}, { max: 5 }],
  good: [
    { given: [licence], canonical: [licence], text: { cn: '营业执照.JPG', en: '营业执照.JPG' } },
    {
      given: { url: licence.url, name: licence.name, status: 'success' },
      canonical: [{ ...licence, size: 0 }],
      text: { cn: '营业执照.JPG', en: '营业执照.JPG' },
    },
  ],
  bad: [
    {
      given: [licence, { ...licence, url: '/api/files/b2.jpg' }],
      code: 'limit',
      message: { cn: '超出文件上传限制个数', en: 'exceeds the file upload limit' },
    },
    {
      given: [{ ...licence, name: '营业执照.svg' }],
      code: 'extension',
      message: { cn: '仅支持.jpg .jpeg .png .gif格式的文件', en: 'Only .jpg .jpeg .png .gif files are accepted' },
    },
    {
      given: [{ ...licence, size: 20 * 1024 * 1024 + 1 }],
      code: 'size',
      message: { cn: '文件大小不能超过20MB', en: 'A file must not exceed 20 MB' },
    },
    { given: [{ ...licence, url: 'data:image/png;base64,AAAA' }], ...invalid },
    { given: [{ ...licence, url: '//example.com/api/files/a1.jpg' }], ...invalid },
    { given: 7, ...invalid },
  ],
}
