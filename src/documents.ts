import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { HelpDocument } from '../engine/server/HelpDocument.ts'

const root = path.resolve(import.meta.dirname, '..')
const listed: Pick<HelpDocument, 'name' | 'title' | 'path'>[] = [
  { name: 'analyst', title: { cn: '配置入门', en: 'A first hour as an analyst' }, path: 'docs/analyst.md' },
  { name: 'family', title: { cn: '第一个福利族', en: 'A first family' }, path: 'docs/family.md' },
  { name: 'guide', title: { cn: '配置语言指南', en: 'Guide to the schema language' }, path: 'docs/language.md' },
  { name: 'developer', title: { cn: '开发入门', en: 'A first hour as a developer' }, path: 'docs/developer.md' },
  { name: 'fieldTypes', title: { cn: '新字段类型', en: 'A new field type' }, path: 'engine/widgets/README.md' },
  { name: 'api', title: { cn: '接口说明', en: 'The API' }, path: 'docs/api.md' },
  { name: 'architecture', title: { cn: '系统架构', en: 'Architecture' }, path: 'docs/architecture.md' },
  { name: 'contributing', title: { cn: '参与开发', en: 'Contributing' }, path: 'CONTRIBUTING.md' },
  { name: 'decisions', title: { cn: '设计决策', en: 'Decisions' }, path: 'docs/decisions' },
  { name: 'operate', title: { cn: '运维手册', en: 'Operating' }, path: 'docs/operate.md' },
  { name: 'deploy', title: { cn: '部署', en: 'Deployment' }, path: 'docs/deploy/README.md' },
  { name: 'security', title: { cn: '安全说明', en: 'Security' }, path: 'SECURITY.md' },
  { name: 'performance', title: { cn: '性能', en: 'Performance' }, path: 'docs/performance.md' },
  { name: 'glossary', title: { cn: '术语表', en: 'Glossary' }, path: 'docs/glossary.md' },
  { name: 'changelog', title: { cn: '更新日志', en: 'Changelog' }, path: 'CHANGELOG.md' },
]

/** The Markdown files of a path, the newest of a folder of dated ones first. */
const filesAt = (at: string): string[] =>
  statSync(path.join(root, at)).isDirectory()
    ? readdirSync(path.join(root, at))
        .filter((name) => name.endsWith('.md'))
        .sort()
        .reverse()
        .map((name) => `${at}/${name}`)
    : [at]

/** The project's documents that the help shows; an installation may lack them. */
export const readDocuments = (): HelpDocument[] =>
  listed
    .filter((each) => existsSync(path.join(root, each.path)))
    .map((each) => ({
      ...each,
      language: 'en',
      files: filesAt(each.path).map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') })),
    }))
