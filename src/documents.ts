import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { HelpDocument } from '../engine/server/HelpDocument.ts'

const root = path.resolve(import.meta.dirname, '..')
const listed: Pick<HelpDocument, 'name' | 'title' | 'file'>[] = [
  { name: 'analyst', title: { cn: '配置入门', en: 'A first hour as an analyst' }, file: 'docs/analyst.md' },
  { name: 'family', title: { cn: '第一个福利族', en: 'A first family' }, file: 'docs/family.md' },
  { name: 'guide', title: { cn: '配置语言指南', en: 'Guide to the schema language' }, file: 'docs/language.md' },
  { name: 'developer', title: { cn: '开发入门', en: 'A first hour as a developer' }, file: 'docs/developer.md' },
  { name: 'api', title: { cn: '接口说明', en: 'The API' }, file: 'docs/api.md' },
  { name: 'architecture', title: { cn: '系统架构', en: 'Architecture' }, file: 'docs/architecture.md' },
  { name: 'operate', title: { cn: '运维手册', en: 'Operating' }, file: 'docs/operate.md' },
  { name: 'deploy', title: { cn: '部署', en: 'Deployment' }, file: 'docs/deploy/README.md' },
  { name: 'security', title: { cn: '安全说明', en: 'Security' }, file: 'SECURITY.md' },
  { name: 'performance', title: { cn: '性能', en: 'Performance' }, file: 'docs/performance.md' },
  { name: 'glossary', title: { cn: '术语表', en: 'Glossary' }, file: 'docs/glossary.md' },
  { name: 'changelog', title: { cn: '更新日志', en: 'Changelog' }, file: 'CHANGELOG.md' },
]

/** The project's documents that the help shows; an installation may lack them. */
export const readDocuments = (): HelpDocument[] =>
  listed
    .filter(({ file }) => existsSync(path.join(root, file)))
    .map((each) => ({ ...each, language: 'en', text: readFileSync(path.join(root, each.file), 'utf8') }))
